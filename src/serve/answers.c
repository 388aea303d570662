#include "serve/answers.h"

#include <string.h>
#include "serve/files.h"
#include "serve/pages.h"
#include "serve/reading.h"
#include "serve/upload.h"
#include "serve/views.h"

void af_answer_send(af_request *request, unsigned status, const char *type, af_response_kind kind,
                    GBytes *body)
{
    const af_response r = {.status = status, .type = type, .kind = kind, .body = body};
    af_request_respond(request, &r);
    g_bytes_unref(body);
}

static void send_page(af_request *request, GBytes *page)
{
    af_answer_send(request, MHD_HTTP_OK, AF_HTML_TYPE, AF_KIND_PAGE, page);
}

static void redirect(af_request *request, unsigned status, const char *location, const char *text)
{
    g_autoptr(GBytes) body = g_bytes_new(text, strlen(text));
    const af_response r = {.status = status,
                           .type = AF_TEXT_TYPE,
                           .kind = AF_KIND_OTHER,
                           .location = location,
                           .body = body};
    af_request_respond(request, &r);
}

static unsigned find_problem_status(gboolean full)
{
    return full ? MHD_HTTP_INSUFFICIENT_STORAGE : MHD_HTTP_SERVICE_UNAVAILABLE;
}

/* Marks a trace as used. */
static void remember_use(af_request *request, const af_trace *trace)
{
    af_server *server = request->server;
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&server->used_lock);
    g_hash_table_add(server->used, g_strdup(trace->id));
}

/* The trace is waiting: its page shows the progress of reading, or why it cannot be read now. */
static void answer_waiting(af_request *request, const af_trace *trace)
{
    gboolean full;
    char *problem = af_readings_problem(request->server, trace->id, &full);
    if (problem != NULL) {
        af_request_refuse(request, find_problem_status(full), problem);
        g_free(problem);
        return;
    }
    const int percent = af_readings_percent(request->server, trace->id);
    af_answer_send(request, MHD_HTTP_ACCEPTED, AF_HTML_TYPE, AF_KIND_PAGE,
                   af_page_waiting(request, trace, percent));
}

af_trace *af_answer_find(af_request *request, const char *id, gboolean wait)
{
    GError *error = NULL;
    if (!af_trace_is_id(id)) {
        af_request_refuse(request, MHD_HTTP_NOT_FOUND, "not a link to an upload");
        return NULL;
    }
    if (wait && af_readings_wait(request->server, id, request)) {
        return NULL;
    }
    af_store *store = request->server->store;
    af_trace *trace = af_store_lookup(store, id, &error);
    if (trace == NULL) {
        af_request_fail(request, error);
    } else if (trace->state == AF_TRACE_REFUSED) {
        g_autofree char *text = g_strdup_printf("%s: %s", trace->file_name, trace->problem);
        af_request_refuse(request, MHD_HTTP_UNPROCESSABLE_CONTENT, text);
        g_clear_pointer(&trace, af_trace_free);
    } else if (trace->state == AF_TRACE_WAITING) {
        af_readings_follow(request->server, trace->id);
        if (!wait || !af_readings_wait(request->server, trace->id, request)) {
            answer_waiting(request, trace);
        }
        g_clear_pointer(&trace, af_trace_free);
    } else {
        remember_use(request, trace);
    }
    return trace;
}

/* Refuses a request without a token, or with one that is wrong or lacks a right. */
static void refuse_token(af_request *request, const char *need)
{
    const char *token = af_request_token(request);
    const gboolean wrong =
        token != NULL && token[0] != '\0' && !af_access_knows_token(request->server->access, token);
    g_autofree char *text = g_strconcat(wrong ? "this token is wrong; " : "", need, NULL);
    af_request_refuse(request, MHD_HTTP_UNAUTHORIZED, text);
}

gboolean af_answer_may_list(af_request *request)
{
    if (af_access_allows(request->server->access, af_request_token(request), AF_MAY_LIST)) {
        return TRUE;
    }
    refuse_token(request, "listing the uploads needs a token");
    return FALSE;
}

enum { COOKIE_S = 90 * 24 * 3600 };

void af_answer_login_form(af_request *request)
{
    send_page(request, af_page_login(request, NULL));
}

/* A path of this server. */
static const char *find_next(const af_request *request)
{
    const char *next = af_request_field(request, "next");
    const gboolean ok = next != NULL && next[0] == '/' && next[1] != '/' &&
                        strpbrk(next, "\\\r\n") == NULL && strcmp(next, "/login") != 0;
    return ok ? next : "/";
}

/* Keeps the token in a cookie that scripts and other websites cannot use; an empty one removes it. */
void af_answer_login(af_request *request)
{
    const char *token = af_request_field(request, "token");
    const char *base = request->server->options->base_url;
    const gboolean out = token == NULL || token[0] == '\0';
    if (!out && (!af_access_knows_token(request->server->access, token) ||
                 strpbrk(token, " \t\r\n\",;\\") != NULL)) {
        af_request_refuse(request, MHD_HTTP_UNAUTHORIZED, "this token is wrong");
        return;
    }
    g_autofree char *cookie =
        g_strdup_printf(AF_REQUEST_COOKIE "=%s; Max-Age=%d; Path=%s; HttpOnly; SameSite=Strict%s",
                        out ? "" : token, out ? 0 : COOKIE_S, request->server->base_path,
                        base != NULL && g_str_has_prefix(base, "https:") ? "; Secure" : "");
    const af_response r = {.status = MHD_HTTP_SEE_OTHER,
                           .type = AF_TEXT_TYPE,
                           .kind = AF_KIND_OTHER,
                           .cookie = cookie,
                           .location = find_next(request)};
    af_request_respond(request, &r);
}

/* ---- the front page and the list ---- */

static GPtrArray *list(af_request *request, const char *words, unsigned offset, uint64_t *n)
{
    const af_store_query query = {.words = words, .limit = AF_PAGE_ROWS, .offset = offset};
    GError *error = NULL;
    GPtrArray *traces = af_store_list(request->server->store, &query, n, &error);
    if (traces == NULL) {
        af_request_fail(request, error);
    }
    return traces;
}

/* Browsers ask for it; the pages have none. */
void af_answer_icon(af_request *request)
{
    af_answer_send(request, MHD_HTTP_NO_CONTENT, NULL, AF_KIND_OTHER, NULL);
}

void af_answer_home(af_request *request)
{
    af_access *access = request->server->access;
    const char *token = af_request_token(request);
    uint64_t n;
    g_autoptr(GPtrArray) recent = NULL;
    if (af_access_allows(access, token, AF_MAY_LIST)) {
        recent = list(request, NULL, 0, &n);
        if (recent == NULL) {
            return;
        }
    }
    send_page(request,
              af_page_home(request, recent, af_access_allows(access, token, AF_MAY_UPLOAD)));
}

void af_answer_list(af_request *request)
{
    const char *offset = af_request_query(request, "offset");
    const char *words = af_request_query(request, "q");
    guint64 at = 0;
    uint64_t n;
    if (!af_answer_may_list(request)) {
        return;
    }
    if (offset != NULL && !g_ascii_string_to_unsigned(offset, 10, 0, 100000000, &at, NULL)) {
        af_request_refuse(request, MHD_HTTP_BAD_REQUEST, "offset must be a number");
        return;
    }
    GPtrArray *traces = list(request, words, (unsigned)at, &n);
    if (traces != NULL) {
        send_page(request, af_page_list(request, traces, n, words, (unsigned)at));
        g_ptr_array_unref(traces);
    }
}

/* Waits until all uploads were read. FALSE = it waits. */
static gboolean are_read(af_request *request, const GPtrArray *uploaded)
{
    for (guint i = 0; i < uploaded->len; i++) {
        const af_uploaded *it = uploaded->pdata[i];
        if (af_readings_wait(request->server, it->id, request)) {
            return FALSE;
        }
    }
    return TRUE;
}

char *af_answer_find_problem(const af_request *request, const af_trace *trace, unsigned *status)
{
    gboolean full;
    char *problem = NULL;
    if (trace != NULL && trace->state == AF_TRACE_REFUSED) {
        problem = g_strdup(trace->problem);
        *status = MHD_HTTP_UNPROCESSABLE_CONTENT;
    } else if (trace != NULL && trace->state == AF_TRACE_WAITING &&
               (problem = af_readings_problem(request->server, trace->id, &full)) != NULL) {
        *status = find_problem_status(full);
    }
    return problem;
}

/* A line for each upload; if one of them cannot be read, its problem. */
static void answer_links(af_request *request, const GPtrArray *uploaded)
{
    af_store *store = request->server->store;
    g_autofree char *base = af_request_base(request);
    GString *text = g_string_new(NULL);
    unsigned status = MHD_HTTP_CREATED;
    for (guint i = 0; i < uploaded->len; i++) {
        const af_uploaded *it = uploaded->pdata[i];
        g_autoptr(af_trace) trace = af_store_lookup(store, it->id, NULL);
        g_autofree char *problem = af_answer_find_problem(request, trace, &status);
        if (problem != NULL) {
            g_string_append_printf(text, "%s: %s\n", it->file_name, problem);
        } else {
            g_string_append_printf(text, "%s/trace/%s\n", base, it->id);
        }
    }
    g_autoptr(GBytes) body = g_string_free_to_bytes(text);
    const af_uploaded *first = uploaded->pdata[0];
    const af_response r = {.status = status,
                           .type = AF_TEXT_TYPE,
                           .kind = AF_KIND_OTHER,
                           .token = uploaded->len == 1 ? first->delete_token : NULL,
                           .body = body};
    af_request_respond(request, &r);
}

void af_answer_upload(af_request *request)
{
    const char *format = af_request_query(request, "format");
    if (!af_access_allows(request->server->access, af_request_token(request), AF_MAY_UPLOAD)) {
        refuse_token(request, "uploads need a token");
        return;
    }
    if (format != NULL && !af_answer_is_picture(format)) {
        af_request_refuse(request, MHD_HTTP_BAD_REQUEST, "format must be svg, png or pdf");
        return;
    }
    if (!af_upload_store(request)) {
        return;
    }
    const GPtrArray *uploaded = af_upload_list(request->upload);
    if (format != NULL) {
        af_answer_picture(request, ((const af_uploaded *)uploaded->pdata[0])->id, format);
    } else if (af_request_wants_json(request)) {
        if (are_read(request, uploaded)) {
            af_answer_api_uploaded(request, uploaded);
        }
    } else if (af_request_wants_text(request)) {
        if (are_read(request, uploaded)) {
            answer_links(request, uploaded);
        }
    } else if (uploaded->len > 1) {
        send_page(request, af_page_uploaded(request, uploaded));
    } else {
        const af_uploaded *it = uploaded->pdata[0];
        g_autofree char *base = af_request_base(request);
        g_autofree char *link = g_strdup_printf("%s/trace/%s\n", base, it->id);
        g_autofree char *location =
            g_strdup_printf("/trace/%s%s%s", it->id, it->delete_token != NULL ? "#delete=" : "",
                            it->delete_token != NULL ? it->delete_token : "");
        redirect(request, MHD_HTTP_FOUND, location, link);
    }
}

gboolean af_answer_check_queries(af_request *request, const char *verb)
{
    const char *wrong = af_views_find_wrong(request, verb);
    if (wrong != NULL) {
        g_autofree char *text = g_strdup_printf("%.*s is not an option that this page takes",
                                                (int)MIN(strcspn(wrong, "="), (size_t)80), wrong);
        af_request_refuse(request, MHD_HTTP_BAD_REQUEST, text);
    }
    return wrong == NULL;
}

/* Everything that the page of a trace depends on. */
static char *make_page_key(const af_request *request, const af_trace *trace)
{
    const char *const parts[] = {"page",
                                 trace->id,
                                 trace->delete_hash,
                                 trace->file_name,
                                 trace->has_mapping ? "mapping" : NULL,
                                 trace->name,
                                 trace->note,
                                 trace->tags};
    GString *key = g_string_new(NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
        af_renditions_add_key(key, parts[i]);
    }
    g_autofree char *base = af_request_base(request);
    af_renditions_add_key(key, base);
    for (guint i = 0; i < request->query->len; i++) {
        af_renditions_add_key(key, request->query->pdata[i]);
    }
    return g_string_free(key, FALSE);
}

/* From the cache, unless it is the first of its kind. */
static void send_trace_page(af_request *request, const af_trace *trace)
{
    af_renditions *cache = request->server->renditions;
    if (request->view == NULL) {
        gboolean is_new;
        g_autofree char *key = make_page_key(request, trace);
        request->view = af_renditions_get(cache, key, &is_new);
        if (is_new) {
            af_rendition_set_body(request->view, af_page_trace(request, trace), TRUE);
            af_renditions_finish(cache, request->view);
        } else if (af_renditions_wait(cache, request->view, request)) {
            return;
        }
    }
    const af_response r = {.status = MHD_HTTP_OK,
                           .type = AF_HTML_TYPE,
                           .kind = AF_KIND_PAGE,
                           .body = request->view->body,
                           .packed = request->view->packed,
                           .etag = request->view->etag,
                           .may_cache = TRUE};
    af_request_respond(request, &r);
}

void af_answer_trace(af_request *request)
{
    g_autoptr(af_trace) trace = af_answer_find(request, request->parts[1], FALSE);
    if (trace != NULL && af_answer_check_queries(request, "render")) {
        send_trace_page(request, trace);
    }
}

gboolean af_answer_may_change(af_request *request, const af_trace *trace)
{
    const char *token = af_request_token(request);
    const char *given = af_request_field(request, "delete_token");
    given = given != NULL && given[0] != '\0' ? given : token;
    g_autofree char *hash = af_trace_hash(given != NULL ? given : "");
    const gboolean wrong = given != NULL && !af_access_knows_token(request->server->access, given);
    const gboolean ok = af_access_is_equal(hash, trace->delete_hash) ||
                        af_access_allows(request->server->access, given, AF_MAY_DELETE);
    if (!ok) {
        af_request_refuse(request, wrong ? MHD_HTTP_UNAUTHORIZED : MHD_HTTP_FORBIDDEN,
                          wrong ? "this token is wrong: changes need the delete token that the "
                                  "uploader received with the link"
                                : "changes need the delete token that the uploader received with "
                                  "the link");
    }
    return ok;
}

static void take_text(const af_request *request, const char *field, char **text, glong most)
{
    const char *given = af_request_field(request, field);
    if (given != NULL) {
        g_free(*text);
        *text = g_utf8_substring(given, 0, MIN(g_utf8_strlen(given, -1), most));
    }
}

void af_answer_take_texts(const af_request *request, af_trace *trace)
{
    enum { MOST_NAME = 200, MOST_NOTE = 2000 };
    take_text(request, "name", &trace->name, MOST_NAME);
    take_text(request, "tags", &trace->tags, MOST_NAME);
    take_text(request, "note", &trace->note, MOST_NOTE);
}

gboolean af_answer_edit(af_request *request, af_trace *trace)
{
    GError *error = NULL;
    af_answer_take_texts(request, trace);
    if (af_store_edit(request->server->store, trace, &error)) {
        return TRUE;
    }
    af_request_fail(request, error);
    return FALSE;
}

gboolean af_answer_delete(af_request *request, const af_trace *trace)
{
    GError *error = NULL;
    if (af_store_remove(request->server->store, trace->id, &error)) {
        af_renditions_forget(request->server->renditions, trace->id);
        return TRUE;
    }
    af_request_fail(request, error);
    return FALSE;
}

void af_answer_change(af_request *request)
{
    g_autoptr(af_trace) trace = af_answer_find(request, request->parts[1], FALSE);
    const char *action = af_request_field(request, "action");
    if (trace == NULL || !af_answer_may_change(request, trace)) {
        return;
    }
    if (g_strcmp0(action, "delete") == 0) {
        if (af_answer_delete(request, trace)) {
            redirect(request, MHD_HTTP_SEE_OTHER, "/", "deleted\n");
        }
    } else if (g_strcmp0(action, "edit") != 0) {
        af_request_refuse(request, MHD_HTTP_BAD_REQUEST, "action must be edit or delete");
    } else if (af_answer_edit(request, trace)) {
        g_autofree char *location = g_strdup_printf("/trace/%s", trace->id);
        redirect(request, MHD_HTTP_SEE_OTHER, location, "saved\n");
    }
}

/* Runs of one side. */
enum { MOST_RUNS = 8 };
_Static_assert(2 * (MOST_RUNS + 1) <= AF_PROCESS_INPUTS, "both sides and their mappings");

/* Adds the ID at the end of a link, or the text itself. */
static void add_id(GString *ids, const char *text)
{
    g_auto(GStrv) parts = g_strsplit_set(text, "/?#", -1);
    for (char **part = parts; *part != NULL; part++) {
        if (af_trace_is_id(*part)) {
            g_string_append_printf(ids, "%s%s", ids->len > 0 ? "," : "", *part);
            break;
        }
    }
}

/* The IDs of all queries with the name: "ID,ID". Free with g_free(). */
static char *list_ids(const af_request *request, const char *name)
{
    GString *ids = g_string_new(NULL);
    const size_t n = strlen(name);
    for (guint i = 0; i < request->query->len; i++) {
        const char *pair = request->query->pdata[i];
        if (strncmp(pair, name, n) == 0 && pair[n] == '=') {
            add_id(ids, pair + n + 1);
        }
    }
    return g_string_free(ids, FALSE);
}

/* The ID of the latest upload of the same app before it; NULL = the request was answered. */
static char *find_previous(af_request *request, const char *id)
{
    char *found = NULL;
    g_autoptr(af_trace) trace =
        af_answer_may_list(request) ? af_answer_find(request, id, FALSE) : NULL;
    if (trace == NULL) {
        return NULL;
    }
    uint64_t n;
    GError *error = NULL;
    const af_store_query query = {.app = trace->app, .before_us = trace->created_us, .limit = 1};
    const gboolean has_app = trace->app[0] != '\0';
    g_autoptr(GPtrArray) rows =
        has_app ? af_store_list(request->server->store, &query, &n, &error) : NULL;
    if (rows != NULL && rows->len > 0) {
        found = g_strdup(((const af_trace *)rows->pdata[0])->id);
    }
    if (error != NULL) {
        af_request_fail(request, error);
    } else if (found == NULL) {
        af_request_refuse(request, MHD_HTTP_NOT_FOUND,
                          "the server has no earlier upload of this app");
    }
    return found;
}

void af_answer_diff_form(af_request *request)
{
    g_autofree char *after = list_ids(request, "after");
    const gboolean previous = g_strcmp0(af_request_query(request, "before"), "previous") == 0;
    g_autofree char *before =
        previous ? find_previous(request, after) : list_ids(request, "before");
    if (before != NULL && (before[0] == '\0' || after[0] == '\0')) {
        af_request_refuse(request, MHD_HTTP_BAD_REQUEST,
                          "choose uploads for both sides: before and after");
    } else if (before != NULL) {
        g_autofree char *location = g_strdup_printf("/diff/%s/%s", before, after);
        redirect(request, MHD_HTTP_SEE_OTHER, location, "");
    }
}

void af_answer_free_sides(GPtrArray *sides[2])
{
    g_clear_pointer(&sides[0], g_ptr_array_unref);
    g_clear_pointer(&sides[1], g_ptr_array_unref);
}

gboolean af_answer_find_sides(af_request *request, GPtrArray *sides[2], gboolean wait)
{
    gboolean ok = TRUE;
    for (unsigned side = 0; side < 2; side++) {
        g_auto(GStrv) ids = g_strsplit(request->parts[1 + side], ",", -1);
        sides[side] = af_store_new_list();
        if (ok && g_strv_length(ids) > MOST_RUNS) {
            af_request_refuse(request, MHD_HTTP_BAD_REQUEST, "a side has at most 8 runs");
            ok = FALSE;
        }
        for (char **id = ids; ok && *id != NULL; id++) {
            af_trace *trace = af_answer_find(request, *id, wait);
            ok = trace != NULL;
            if (ok) {
                g_ptr_array_add(sides[side], trace);
            }
        }
    }
    return ok;
}

/* Makes the graph first, so that the page tells why two sides cannot be compared. */
void af_answer_diff(af_request *request)
{
    GPtrArray *sides[2];
    if (af_answer_find_sides(request, sides, TRUE) && af_answer_check_queries(request, "diff")) {
        const af_order order = {.verb = "diff",
                                .format = "svg",
                                .trace = sides[0]->pdata[0],
                                .sides = (const GPtrArray *const *)sides};
        const af_rendition *graph = af_views_get(request, &order);
        if (graph != NULL && graph->body != NULL) {
            send_page(request, af_page_diff(request, sides));
        } else if (graph != NULL) {
            af_request_refuse(request, graph->status, graph->message);
        }
    }
    af_answer_free_sides(sides);
}
