#include <stdio.h>
#include <string.h>
#include "serve/answers.h"
#include "serve/log.h"
#include "serve/pack.h"
#include "serve/pages.h"
#include "serve/request.h"

/* Shorter bodies are not worth compressing. */
#define PACK_FROM 1024

static void add_header(struct MHD_Response *response, const char *name, const char *value)
{
    if (value != NULL) {
        MHD_add_response_header(response, name, value);
    }
}

/* With no-referrer, browsers send forms with the origin "null", and only Sec-Fetch-Site shows that
 * a form belongs to this server. Browsers send that header to https and to this machine only, so
 * pages served over plain HTTP in a network must let forms send their origin. */
static const char *find_referrer_policy(const af_request *request, const af_response *r)
{
    const gboolean has_forms = r->kind == AF_KIND_PAGE;
    return has_forms && af_request_header(request, "Sec-Fetch-Site") == NULL ? "same-origin"
                                                                             : "no-referrer";
}

static void add_safety(struct MHD_Response *response, const af_request *request,
                       const af_response *r)
{
    add_header(response, "Content-Security-Policy", request->server->policies[r->kind]);
    add_header(response, "X-Content-Type-Options", "nosniff");
    add_header(response, "Referrer-Policy", find_referrer_policy(request, r));
    const gboolean framed = r->kind == AF_KIND_PICTURE || r->kind == AF_KIND_REPORT;
    add_header(response, "X-Frame-Options",
               framed || r->kind == AF_KIND_FRAME ? "SAMEORIGIN" : "DENY");
    const gboolean embedded = request->server->options->embed && r->status == MHD_HTTP_OK &&
                              r->type != NULL && g_str_has_prefix(r->type, "image/");
    add_header(response, "Cross-Origin-Resource-Policy",
               r->viewer != NULL || embedded ? "cross-origin" : "same-origin");
    if (r->viewer != NULL) {
        add_header(response, "Access-Control-Allow-Origin", r->viewer);
        add_header(response, "Vary", "Origin");
    }
}

static void add_headers(struct MHD_Response *response, const af_request *request,
                        const af_response *r)
{
    add_safety(response, request, r);
    add_header(response, "Content-Type", r->type);
    /* `location` is a path of this server, without that of --base-url. */
    if (r->location != NULL) {
        g_autofree char *path = g_strconcat(request->server->base_path, r->location + 1, NULL);
        add_header(response, "Location", path);
    }
    add_header(response, "Allow", r->allow);
    add_header(response, "Set-Cookie", r->cookie);
    add_header(response, AF_SERVE_TOKEN_HEADER, r->token);
    add_header(response, "Cache-Control", r->may_cache ? "private, no-cache" : "no-store");
    if (r->etag != NULL) {
        g_autofree char *quoted = g_strdup_printf("\"%s\"", r->etag);
        add_header(response, "ETag", quoted);
    }
    if (r->file_name != NULL) {
        /* Only plain letters: the name comes from the uploader. */
        g_autofree char *plain = g_strdup(r->file_name);
        g_strcanon(plain, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-", '_');
        g_autofree char *disposition = g_strdup_printf("attachment; filename=\"%s\"", plain);
        add_header(response, "Content-Disposition", disposition);
    }
    if (r->status == MHD_HTTP_UNAUTHORIZED) {
        add_header(response, "WWW-Authenticate", "Bearer realm=\"aflame\"");
    }
    add_header(response, "Accept-Ranges", r->etag != NULL ? "bytes" : NULL);
    add_header(response, "Vary", "Accept-Encoding");
}

static void unref_bytes(void *bytes)
{
    g_bytes_unref(bytes);
}

static struct MHD_Response *make_body(GBytes *bytes)
{
    gsize length = 0;
    const void *data = bytes == NULL ? "" : g_bytes_get_data(bytes, &length);
    if (bytes == NULL) {
        return MHD_create_response_from_buffer(0, (void *)data, MHD_RESPMEM_PERSISTENT);
    }
    return MHD_create_response_from_buffer_with_free_callback_cls(length, (void *)data, unref_bytes,
                                                                  g_bytes_ref(bytes));
}

static void queue(af_request *request, const af_response *r, unsigned status, GBytes *body,
                  const char *name, const char *value)
{
    struct MHD_Response *response = make_body(body);
    if (response == NULL) {
        request->result = MHD_NO;
        return;
    }
    add_headers(response, request, r);
    add_header(response, name, value);
    af_count(&request->server->counters.responses[MIN(status / 100, 5U)], 1);
    request->status = status;
    request->sent = body == NULL ? 0 : g_bytes_get_size(body);
    request->result = MHD_queue_response(request->connection, status, response);
    MHD_destroy_response(response);
}

/* One range of bytes: "bytes=5-", "bytes=0-99", "bytes=-10". *n = 0 if it lies outside. FALSE: the
 * whole body. */
static gboolean read_range(const char *text, gsize length, gsize *at, gsize *n)
{
    guint64 from, to = length == 0 ? 0 : length - 1;
    if (text == NULL || !g_str_has_prefix(text, "bytes=") || strchr(text, ',') != NULL) {
        return FALSE;
    }
    g_auto(GStrv) ends = g_strsplit(text + strlen("bytes="), "-", 2);
    gboolean ok = g_strv_length(ends) == 2;
    const gboolean suffix = ok && ends[0][0] == '\0';
    ok = ok &&
         g_ascii_string_to_unsigned(suffix ? ends[1] : ends[0], 10, 0, G_MAXINT64, &from, NULL);
    if (ok && suffix) {
        from = from >= length ? 0 : length - from;
    } else if (ok && ends[1][0] != '\0') {
        ok = g_ascii_string_to_unsigned(ends[1], 10, 0, G_MAXINT64, &to, NULL) && to >= from;
        to = MIN(to, length == 0 ? 0 : length - 1);
    }
    *at = (gsize)(ok ? from : 0);
    *n = ok && from < length && to >= from ? (gsize)(to - from + 1) : 0;
    return ok;
}

static void respond_range(af_request *request, const af_response *r, gsize at, gsize n)
{
    const gsize length = g_bytes_get_size(r->body);
    char text[96];
    if (n == 0) {
        snprintf(text, sizeof text, "bytes */%zu", length);
        queue(request, r, MHD_HTTP_RANGE_NOT_SATISFIABLE, NULL, "Content-Range", text);
        return;
    }
    snprintf(text, sizeof text, "bytes %zu-%zu/%zu", at, at + n - 1, length);
    g_autoptr(GBytes) part = g_bytes_new_from_bytes(r->body, at, n);
    queue(request, r, MHD_HTTP_PARTIAL_CONTENT, part, "Content-Range", text);
}

static gboolean matches(const char *list, const char *etag)
{
    if (list == NULL || etag == NULL) {
        return FALSE;
    }
    g_autofree char *quoted = g_strdup_printf("\"%s\"", etag);
    return strcmp(list, "*") == 0 || strstr(list, quoted) != NULL;
}

/* "gzip", "deflate, gzip;q=0.5", "*"; not "gzip;q=0". */
static gboolean accepts_gzip(const af_request *request)
{
    const char *accepted = af_request_header(request, "Accept-Encoding");
    g_auto(GStrv) parts = g_strsplit(accepted != NULL ? accepted : "", ",", -1);
    gboolean named = FALSE, ok = FALSE;
    for (char **part = parts; *part != NULL; part++) {
        g_auto(GStrv) words = g_strsplit(*part, ";", 2);
        const char *name = words[0] == NULL ? "" : g_strstrip(words[0]);
        const char *weight = words[0] == NULL || words[1] == NULL ? NULL : strstr(words[1], "q=");
        const gboolean wanted = weight == NULL || g_ascii_strtod(weight + 2, NULL) > 0;
        if (g_ascii_strcasecmp(name, "gzip") == 0) {
            named = TRUE;
            ok = wanted;
        } else if (!named && strcmp(name, "*") == 0) {
            ok = wanted;
        }
    }
    return ok;
}

/* The compressed body has an ETag of its own. */
#define PACKED_END "-gzip"

static void respond_plain(af_request *request, const af_response *r)
{
    gsize at, n;
    const gsize length = r->body == NULL ? 0 : g_bytes_get_size(r->body);
    const char *if_range = af_request_header(request, "If-Range");
    if (r->status == MHD_HTTP_OK && matches(af_request_header(request, "If-None-Match"), r->etag)) {
        queue(request, r, MHD_HTTP_NOT_MODIFIED, NULL, NULL, NULL);
    } else if (r->status == MHD_HTTP_OK && r->etag != NULL && r->body != NULL &&
               (if_range == NULL || matches(if_range, r->etag)) &&
               read_range(af_request_header(request, "Range"), length, &at, &n)) {
        respond_range(request, r, at, n);
    } else {
        queue(request, r, r->status, r->body, NULL, NULL);
    }
}

void af_request_respond(af_request *request, const af_response *r)
{
    const gsize length = r->body == NULL ? 0 : g_bytes_get_size(r->body);
    const gboolean part = r->etag != NULL && af_request_header(request, "Range") != NULL;
    af_response packed = *r;
    g_autoptr(GBytes) body = NULL;
    if (!part && length >= PACK_FROM && accepts_gzip(request)) {
        /* bodies with an ETag come from the cache, which has packed them if that is worth it */
        body = r->packed != NULL ? g_bytes_ref(r->packed)
               : r->etag == NULL ? af_pack_body(r->body)
                                 : NULL;
    }
    if (body == NULL) {
        respond_plain(request, r);
        return;
    }
    g_autofree char *etag = r->etag == NULL ? NULL : g_strconcat(r->etag, PACKED_END, NULL);
    packed.etag = etag;
    if (r->status == MHD_HTTP_OK && matches(af_request_header(request, "If-None-Match"), etag)) {
        queue(request, &packed, MHD_HTTP_NOT_MODIFIED, NULL, NULL, NULL);
    } else {
        queue(request, &packed, r->status, body, "Content-Encoding", "gzip");
    }
}

static const char *name_status(unsigned status)
{
    switch (status) {
    case MHD_HTTP_NOT_FOUND:
        return "Not found";
    case MHD_HTTP_CONFLICT:
        return "Conflict";
    case MHD_HTTP_CONTENT_TOO_LARGE:
        return "Too large";
    case MHD_HTTP_UNAUTHORIZED:
    case MHD_HTTP_FORBIDDEN:
        return "Not allowed";
    case MHD_HTTP_UNPROCESSABLE_CONTENT:
        return "Cannot be read";
    case MHD_HTTP_INSUFFICIENT_STORAGE:
        return "The store is full";
    case MHD_HTTP_SERVICE_UNAVAILABLE:
        return "Unavailable";
    default:
        return status >= MHD_HTTP_INTERNAL_SERVER_ERROR ? "The server failed" : "Invalid request";
    }
}

/* Pages have frames with files of traces (trace/ID/...) and comparisons (diff/ID/ID/...). */
static gboolean may_be_framed(const af_request *request)
{
    return request->n_parts > 2 &&
           (strcmp(request->parts[0], "trace") == 0 ||
            (strcmp(request->parts[0], "diff") == 0 && request->n_parts > 3));
}

void af_request_refuse(af_request *request, unsigned status, const char *text)
{
    af_log_refusal(request, status, text);
    const gboolean json = af_request_wants_json(request), plain = af_request_wants_text(request);
    af_response r = {.status = status,
                     .type = json    ? "application/json"
                             : plain ? AF_TEXT_TYPE
                                     : AF_HTML_TYPE,
                     .kind = json || plain            ? AF_KIND_OTHER
                             : may_be_framed(request) ? AF_KIND_FRAME
                                                      : AF_KIND_PAGE};
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED) {
        r.allow = "GET, HEAD, POST, DELETE";
    }
    r.body = json    ? af_answer_api_error(status, text)
             : plain ? g_bytes_new(text, strlen(text))
                     : (status == MHD_HTTP_UNAUTHORIZED && !may_be_framed(request)
                            ? af_page_login(request, text)
                        : may_be_framed(request) ? af_html_frame_message(name_status(status), text)
                                                 : af_html_message(request->server->base_path,
                                                                   request->server->options->title,
                                                                   name_status(status), text));
    af_request_respond(request, &r);
    g_bytes_unref(r.body);
}

gboolean af_request_reject(GError **error, unsigned status, const char *text)
{
    g_set_error_literal(error, AF_REQUEST_ERROR, (gint)status, text);
    return FALSE;
}

unsigned af_request_find_status(const GError *error)
{
    if (error->domain == AF_REQUEST_ERROR) {
        return (unsigned)error->code;
    }
    switch (error->domain == AF_STORE_ERROR ? error->code : AF_STORE_BROKEN) {
    case AF_STORE_FULL:
        return MHD_HTTP_INSUFFICIENT_STORAGE;
    case AF_STORE_ABSENT:
        return MHD_HTTP_NOT_FOUND;
    case AF_STORE_CONFLICT:
        return MHD_HTTP_CONFLICT;
    case AF_STORE_AWAY:
        return MHD_HTTP_SERVICE_UNAVAILABLE;
    default:
        return MHD_HTTP_INTERNAL_SERVER_ERROR;
    }
}

void af_request_fail(af_request *request, GError *error)
{
    af_request_refuse(request, af_request_find_status(error), af_store_public_message(error));
    g_error_free(error);
}
