#include "serve/files.h"

#include <aflame/convert.h>
#include <string.h>
#include <unistd.h>
#include "base/named.h"
#include "serve/answers.h"
#include "serve/views.h"

static af_response_kind find_kind(const char *type)
{
    if (g_str_has_prefix(type, "image/svg")) {
        return AF_KIND_PICTURE;
    }
    return g_str_has_prefix(type, "text/html") ? AF_KIND_REPORT : AF_KIND_OTHER;
}

/* Sends what a worker makes of an order, or waits for it. */
static void send_made(af_request *request, const af_order *order, const char *type)
{
    const af_rendition *view = af_views_get(request, order);
    if (view != NULL && view->body != NULL) {
        const gboolean shown = g_str_has_prefix(type, "image/") ||
                               g_str_has_prefix(type, "text/") || strstr(type, "json") != NULL ||
                               strstr(type, "pdf") != NULL;
        g_autofree char *name =
            shown ? NULL : g_strdup_printf("%s.%s", order->trace->file_name, order->format);
        const char *origin = af_request_header(request, "Origin");
        const gboolean viewer = strcmp(order->verb, "convert") == 0 &&
                                af_access_knows_viewer(request->server->access, origin);
        const af_response r = {.status = MHD_HTTP_OK,
                               .type = type,
                               .kind = find_kind(type),
                               .body = view->body,
                               .packed = view->packed,
                               .etag = view->etag,
                               .file_name = name,
                               .viewer = viewer ? origin : NULL,
                               .may_cache = TRUE};
        af_request_respond(request, &r);
    } else if (view != NULL) {
        af_request_refuse(request, view->status, view->message);
    }
}

/* What has a file: the page of a trace, that of a comparison. */
enum { OF_TRACE = 1, OF_DIFF = 2, OF_BOTH = 3 };

/* A file that a verb makes: the extension in a link, the format and its media type. `aflame diff`
 * makes those of a comparison. */
typedef struct {
    const char *verb, *stem, *extension, *format, *type;
    unsigned of;
} made_file;

static const made_file files[] = {
    {"render", "graph", "svg", "svg", "image/svg+xml", OF_BOTH},
    {"render", "graph", "png", "png", "image/png", OF_BOTH},
    {"render", "graph", "pdf", "pdf", "application/pdf", OF_BOTH},
    {"report", "report", "html", "html", AF_HTML_TYPE, OF_BOTH},
    {"report", "report", "json", "json", "application/json", OF_BOTH},
    {"report", "report", "csv", "csv", "text/csv; charset=utf-8", OF_BOTH},
    {"report", "report", "txt", "text", AF_TEXT_TYPE, OF_BOTH},
    {"report", "report", "md", "markdown", "text/markdown; charset=utf-8", OF_DIFF},
    {"calls", "calls", "json", "json", "application/json", OF_TRACE},
    {"calls", "calls", "csv", "csv", "text/csv; charset=utf-8", OF_TRACE},
    {"calls", "calls", "html", "html", AF_HTML_TYPE, OF_TRACE},
};

static const made_file *find_file(const char *stem, const char *extension, unsigned of)
{
    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        if (strcmp(files[i].stem, stem) == 0 && strcmp(files[i].extension, extension) == 0 &&
            (files[i].of & of) != 0) {
            return &files[i];
        }
    }
    return NULL;
}

gboolean af_answer_is_picture(const char *format)
{
    return find_file("graph", format, OF_TRACE) != NULL;
}

void af_answer_picture(af_request *request, const char *id, const char *format)
{
    const made_file *file = find_file("graph", format, OF_TRACE);
    af_trace *trace = af_answer_find(request, id, TRUE);
    if (trace != NULL) {
        const af_order order = {.verb = file->verb, .format = file->format, .trace = trace};
        send_made(request, &order, file->type);
        af_trace_free(trace);
    }
}

#define NO_UPLOAD "single calls are unavailable: the server no longer has the upload"

/* Splits "graph.svg"; a thread's ID in place of "graph" is that thread. */
static const made_file *split_name(const char *name, unsigned of, char **thread)
{
    const char *dot = strrchr(name, '.');
    *thread = NULL;
    if (dot == NULL) {
        return NULL;
    }
    g_autofree char *stem = g_strndup(name, (gsize)(dot - name));
    const gboolean number = of == OF_TRACE && (stem[0] != '\0' && strlen(stem) < 20 &&
                                               strspn(stem, "0123456789") == strlen(stem));
    const made_file *found = find_file(number ? "graph" : stem, dot + 1, of);
    *thread = number && found != NULL ? g_strdup(stem) : NULL;
    return found;
}

static void send_profile(af_request *request, const af_trace *trace)
{
    GError *error = NULL;
    const int fd = request->server->store->class->open(request->server->store, trace->id,
                                                       AF_BLOB_PROFILE, &error);
    if (fd < 0) {
        af_request_fail(request, error);
        return;
    }
    g_autoptr(GMappedFile) file = g_mapped_file_new_from_fd(fd, FALSE, NULL);
    close(fd);
    if (file == NULL) {
        af_request_refuse(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "cannot read the store");
        return;
    }
    g_autoptr(GBytes) body = g_mapped_file_get_bytes(file);
    g_autofree char *name = g_strdup_printf("%s.aflp", trace->file_name);
    const af_response r = {.status = MHD_HTTP_OK,
                           .type = "application/octet-stream",
                           .kind = AF_KIND_OTHER,
                           .body = body,
                           .etag = trace->id,
                           .file_name = name,
                           .may_cache = TRUE};
    af_request_respond(request, &r);
}

static void make_file(af_request *request, const af_trace *trace, const made_file *file,
                      const char *thread)
{
    const gboolean calls = strcmp(file->verb, "calls") == 0;
    const char *method = af_request_query(request, "method");
    const af_order order = {.verb = file->verb,
                            .format = file->format,
                            .thread = thread,
                            .operand = calls ? method : NULL,
                            .needs_calls = calls || af_views_need_calls(request),
                            .trace = trace};
    if (calls && (method == NULL || method[0] == '\0')) {
        af_request_refuse(request, MHD_HTTP_BAD_REQUEST,
                          "name the methods whose calls to list: ?method=PATTERN");
    } else if (order.needs_calls && !trace->has_upload) {
        af_request_refuse(request, MHD_HTTP_NOT_FOUND, NO_UPLOAD);
    } else if (af_answer_check_queries(request, file->verb)) {
        send_made(request, &order, file->type);
    }
}

void af_answer_file(af_request *request)
{
    const char *name = request->parts[2];
    char *thread;
    const made_file *file = split_name(name, OF_TRACE, &thread);
    const gboolean profile = strcmp(name, "profile.aflp") == 0;
    if (file == NULL && !profile) {
        af_request_refuse(request, MHD_HTTP_NOT_FOUND,
                          "a trace has graph.svg, graph.png, graph.pdf, THREAD.svg, report.html, "
                          "report.json, report.csv, calls.json, profile.aflp and convert/FORMAT");
        return;
    }
    g_autoptr(af_trace) trace = af_answer_find(request, request->parts[1], TRUE);
    if (trace != NULL && profile) {
        send_profile(request, trace);
    } else if (trace != NULL) {
        make_file(request, trace, file, thread);
    }
    g_free(thread);
}

static void convert(af_request *request, const af_trace *trace, int number)
{
    const char *extension = af_convert_format_extensions((unsigned)number);
    const gboolean calls = af_convert_format_writes_calls((unsigned)number);
    const af_order order = {.verb = "convert",
                            .format = af_convert_format((unsigned)number),
                            .needs_calls = calls || af_views_need_calls(request),
                            .trace = trace};
    const char *type = strstr(extension, "json") != NULL               ? "application/json"
                       : af_convert_format_is_binary((unsigned)number) ? "application/octet-stream"
                                                                       : AF_TEXT_TYPE;
    if (order.needs_calls && !trace->has_upload) {
        af_request_refuse(request, MHD_HTTP_NOT_FOUND, NO_UPLOAD);
    } else if (af_answer_check_queries(request, "convert")) {
        send_made(request, &order, type);
    }
}

void af_answer_convert(af_request *request)
{
    const int number = af_named_find(af_convert_format, request->parts[3]);
    if (number < 0) {
        af_request_refuse(request, MHD_HTTP_NOT_FOUND,
                          "unknown format; aflame convert --list prints the formats");
        return;
    }
    g_autoptr(af_trace) trace = af_answer_find(request, request->parts[1], TRUE);
    if (trace != NULL) {
        convert(request, trace, number);
    }
}

void af_answer_diff_file(af_request *request)
{
    g_autofree char *thread = NULL;
    GPtrArray *sides[2] = {NULL, NULL};
    const made_file *file = split_name(request->parts[3], OF_DIFF, &thread);
    if (file == NULL) {
        af_request_refuse(request, MHD_HTTP_NOT_FOUND,
                          "a comparison has graph.svg, graph.png, graph.pdf, report.html, "
                          "report.json, report.csv, report.md and report.txt");
    } else if (af_answer_find_sides(request, sides, TRUE) &&
               af_answer_check_queries(request, "diff")) {
        const af_order order = {.verb = "diff",
                                .format = file->format,
                                .trace = sides[0]->pdata[0],
                                .sides = (const GPtrArray *const *)sides};
        send_made(request, &order, file->type);
    }
    af_answer_free_sides(sides);
}
