/* The same for programs: JSON, as html/schema.json describes it. */
#include "base/embed.h"
#include "serve/answers.h"

#include <string.h>
#include "base/json.h"
#include "serve/facts.h"
#include "serve/pages.h"
#include "serve/reading.h"
#include "serve/upload.h"

AF_EMBED(char, af_serve_schema, AFLAME_SERVE_PARTS "/schema.json");

typedef struct {
    af_out out;
    af_json json;
    GByteArray *bytes;
} document;

static document *begin(void)
{
    document *d = g_new0(document, 1);
    d->bytes = g_byte_array_new();
    af_out_open(&d->out, af_out_to_array, d->bytes);
    d->json.out = &d->out;
    return d;
}

/* Frees the document, whose brackets are closed. */
static GBytes *end(document *d)
{
    af_out_char(&d->out, '\n');
    af_out_close(&d->out, NULL);
    GBytes *body = g_byte_array_free_to_bytes(d->bytes);
    g_free(d);
    return body;
}

static void send_document(af_request *request, document *d, unsigned status)
{
    af_answer_send(request, status, "application/json", AF_KIND_OTHER, end(d));
}

GBytes *af_answer_api_error(unsigned status, const char *text)
{
    document *d = begin();
    af_json_begin(&d->json, NULL, '{');
    af_json_put_number(&d->json, "status", status);
    af_json_put_string(&d->json, "error", text);
    af_json_end(&d->json, '}');
    return end(d);
}

static void put_link(af_json *json, const char *key, const char *base, const char *id)
{
    g_autofree char *link = g_strdup_printf("%s/trace/%s", base, id);
    af_json_put_string(json, key, link);
}

static void put_head(af_json *json, const af_trace *trace, const char *base)
{
    static const char *const states[] = {"waiting", "ready", "refused"};
    af_json_put_string(json, "id", trace->id);
    put_link(json, "url", base, trace->id);
    af_json_put_string(json, "state", states[trace->state]);
    af_json_put_string(json, "file", trace->file_name);
    af_json_put_string(json, "name", trace->name);
    af_json_put_string(json, "app", trace->app[0] != '\0' ? trace->app : NULL);
    af_json_put_string(json, "note", trace->note);
    af_json_put_string(json, "tags", trace->tags);
    af_json_put_number(json, "bytes", trace->size);
    g_autoptr(GDateTime) date = g_date_time_new_from_unix_utc(trace->created_us / G_USEC_PER_SEC);
    g_autofree char *text = date == NULL ? NULL : g_date_time_format(date, "%Y-%m-%dT%H:%M:%SZ");
    af_json_put_string(json, "created", text);
}

static void put_warnings(af_json *json, const af_upload_facts *facts)
{
    af_json_begin(json, "warnings", '[');
    for (guint i = 0; i < facts->warnings->len; i++) {
        af_json_put_string(json, NULL, facts->warnings->pdata[i]);
    }
    af_json_end(json, ']');
}

static void put_facts(af_json *json, const af_upload_facts *facts)
{
    af_json_put_string(json, "format", facts->format);
    af_json_put_string(json, "unit", facts->unit);
    af_json_put_flag(json, "has_wall", facts->has_wall);
    af_json_put_flag(json, "has_cpu", facts->has_cpu);
    af_json_put_number(json, "elapsed_ns", facts->elapsed);
    af_json_put_number(json, "calls", facts->calls);
    put_warnings(json, facts);
    af_json_begin(json, "threads", '[');
    for (guint i = 0; i < facts->threads->len; i++) {
        const af_fact_thread *it = &g_array_index(facts->threads, af_fact_thread, i);
        af_json_begin(json, NULL, '{');
        af_json_put_number(json, "id", it->id);
        af_json_put_string(json, "name", it->name);
        af_json_put_number(json, "wall", it->wall);
        af_json_put_number(json, "cpu", it->cpu);
        af_json_put_number(json, "calls", it->calls);
        af_json_end(json, '}');
    }
    af_json_end(json, ']');
}

void af_answer_api_schema(af_request *request)
{
    af_answer_send(request, MHD_HTTP_OK, "application/schema+json", AF_KIND_OTHER,
                   g_bytes_new_static(af_serve_schema, strlen(af_serve_schema)));
}

static void put_problem(const af_request *request, af_json *json, const af_trace *trace,
                        unsigned *status)
{
    char *problem = af_answer_find_problem(request, trace, status);
    if (problem != NULL) {
        af_json_put_string(json, "error", problem);
        g_free(problem);
    }
}

static void put_uploaded(af_request *request, af_json *json, const af_uploaded *it,
                         const char *base, unsigned *status)
{
    af_store *store = request->server->store;
    g_autoptr(af_trace) trace = af_store_lookup(store, it->id, NULL);
    g_autoptr(af_upload_facts) facts = af_upload_facts_load(store, it->id);
    af_json_begin(json, NULL, '{');
    af_json_put_string(json, "id", it->id);
    put_link(json, "url", base, it->id);
    af_json_put_string(json, "file", it->file_name);
    if (it->delete_token != NULL) {
        af_json_put_string(json, "delete_token", it->delete_token);
    }
    put_warnings(json, facts);
    put_problem(request, json, trace, status);
    af_json_end(json, '}');
}

void af_answer_api_uploaded(af_request *request, const GPtrArray *uploaded)
{
    g_autofree char *base = af_request_base(request);
    unsigned status = MHD_HTTP_CREATED;
    document *d = begin();
    if (uploaded->len > 1) {
        af_json_begin(&d->json, NULL, '[');
    }
    for (guint i = 0; i < uploaded->len; i++) {
        put_uploaded(request, &d->json, uploaded->pdata[i], base, &status);
    }
    if (uploaded->len > 1) {
        af_json_end(&d->json, ']');
    }
    send_document(request, d, status);
}

/* A number of a query; FALSE after answering that it is none. */
static gboolean read_number(af_request *request, const char *name, guint64 most, guint64 *value)
{
    const char *text = af_request_query(request, name);
    if (text == NULL || g_ascii_string_to_unsigned(text, 10, 0, most, value, NULL)) {
        return TRUE;
    }
    g_autofree char *why =
        g_strdup_printf("%s takes a number up to %" G_GUINT64_FORMAT, name, most);
    af_request_refuse(request, MHD_HTTP_BAD_REQUEST, why);
    return FALSE;
}

void af_answer_api_list(af_request *request)
{
    enum { MOST_ROWS = 1000, MOST_OFFSET = 100000000 };
    guint64 limit = AF_PAGE_ROWS, offset = 0;
    uint64_t n;
    GError *error = NULL;
    if (!af_answer_may_list(request) || !read_number(request, "limit", MOST_ROWS, &limit) ||
        !read_number(request, "offset", MOST_OFFSET, &offset)) {
        return;
    }
    const af_store_query query = {.words = af_request_query(request, "q"),
                                  .limit = (unsigned)limit,
                                  .offset = (unsigned)offset};
    g_autoptr(GPtrArray) traces = af_store_list(request->server->store, &query, &n, &error);
    if (traces == NULL) {
        af_request_fail(request, error);
        return;
    }
    g_autofree char *base = af_request_base(request);
    document *d = begin();
    af_json_begin(&d->json, NULL, '{');
    af_json_put_number(&d->json, "found", n);
    af_json_begin(&d->json, "traces", '[');
    for (guint i = 0; i < traces->len; i++) {
        af_json_begin(&d->json, NULL, '{');
        put_head(&d->json, traces->pdata[i], base);
        af_json_end(&d->json, '}');
    }
    af_json_end(&d->json, ']');
    af_json_end(&d->json, '}');
    send_document(request, d, MHD_HTTP_OK);
}

static void send_trace(af_request *request, const af_trace *trace)
{
    g_autofree char *base = af_request_base(request);
    unsigned status = 0;
    document *d = begin();
    af_json_begin(&d->json, NULL, '{');
    put_head(&d->json, trace, base);
    af_json_put_flag(&d->json, "has_upload", trace->has_upload);
    af_json_put_flag(&d->json, "has_mapping", trace->has_mapping);
    if (trace->state == AF_TRACE_WAITING) {
        const int percent = af_readings_percent(request->server, trace->id);
        af_json_put_number(&d->json, "percent", (uint64_t)MAX(percent, 0));
    }
    put_problem(request, &d->json, trace, &status);
    if (trace->state == AF_TRACE_READY) {
        g_autoptr(af_upload_facts) facts = af_upload_facts_load(request->server->store, trace->id);
        put_facts(&d->json, facts);
    }
    af_json_end(&d->json, '}');
    send_document(request, d, MHD_HTTP_OK);
}

/* A trace in any state. NULL after answering. */
static af_trace *find_any(af_request *request)
{
    GError *error = NULL;
    const char *id = request->parts[3];
    af_store *store = request->server->store;
    af_trace *trace = af_trace_is_id(id) ? af_store_lookup(store, id, &error) : NULL;
    if (error != NULL) {
        af_request_fail(request, error);
    } else if (trace == NULL) {
        af_request_refuse(request, MHD_HTTP_NOT_FOUND, "not the ID of an upload");
    }
    return trace;
}

void af_answer_api_trace(af_request *request)
{
    g_autoptr(af_trace) trace = find_any(request);
    if (trace != NULL) {
        send_trace(request, trace);
    }
}

void af_answer_api_edit(af_request *request)
{
    g_autoptr(af_trace) trace = find_any(request);
    if (trace != NULL && af_answer_may_change(request, trace) && af_answer_edit(request, trace)) {
        send_trace(request, trace);
    }
}

void af_answer_api_delete(af_request *request)
{
    g_autoptr(af_trace) trace = find_any(request);
    if (trace != NULL && af_answer_may_change(request, trace) && af_answer_delete(request, trace)) {
        af_answer_send(request, MHD_HTTP_NO_CONTENT, NULL, AF_KIND_OTHER, NULL);
    }
}
