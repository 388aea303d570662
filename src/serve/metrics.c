/* For programs that watch the server. */
#include "serve/answers.h"

#include <unistd.h>
#include "serve/renditions.h"

/* Whether the index can be read and a file can be created. */
void af_answer_health(af_request *request)
{
    af_store *store = request->server->store;
    af_store_totals totals;
    GError *error = NULL;
    const gboolean found = af_store_sum(store, &totals, &error);
    const int fd = found ? store->class->begin(store, &error) : -1;
    if (fd >= 0) {
        close(fd);
        af_answer_send(request, MHD_HTTP_OK, AF_TEXT_TYPE, AF_KIND_OTHER,
                       g_bytes_new_static("ok\n", 3));
    } else {
        af_request_fail(request, error);
    }
}

static void put(GString *text, const char *name, const char *type, const char *help, gsize value)
{
    g_string_append_printf(text, "# HELP aflame_%s %s\n# TYPE aflame_%s %s\naflame_%s %zu\n", name,
                           help, name, type, name, value);
}

static void put_responses(GString *text, const af_counters *counters)
{
    g_string_append(text, "# HELP aflame_responses_total Responses by class of status.\n"
                          "# TYPE aflame_responses_total counter\n");
    for (unsigned i = 1; i < G_N_ELEMENTS(counters->responses); i++) {
        g_string_append_printf(text, "aflame_responses_total{class=\"%uxx\"} %zu\n", i,
                               counters->responses[i]);
    }
}

void af_answer_metrics(af_request *request)
{
    af_server *server = request->server;
    const af_counters *c = &server->counters;
    af_store_totals totals = {0};
    gsize views, bytes;
    af_renditions_totals(server->renditions, &views, &bytes);
    af_store_sum(server->store, &totals, NULL);
    GString *text = g_string_new(NULL);
    put(text, "requests_total", "counter", "Requests.", c->requests);
    put_responses(text, c);
    put(text, "uploads_total", "counter", "Uploaded traces.", c->uploads);
    put(text, "upload_bytes_total", "counter", "Bytes of uploaded traces.", c->upload_bytes);
    put(text, "workers_total", "counter", "Worker processes started.", c->workers);
    put(text, "workers_failed_total", "counter", "Worker processes that failed.",
        c->workers_failed);
    put(text, "jobs", "gauge", "Jobs that are waiting or running.", af_pool_n(server->workers));
    put(text, "cache_hits_total", "counter", "Views found in the cache.", c->cache_hits);
    put(text, "cache_misses_total", "counter", "Views made by a worker.", c->cache_misses);
    put(text, "cache_views", "gauge", "Views in the cache.", views);
    put(text, "cache_bytes", "gauge", "Bytes of the cache.", bytes);
    put(text, "store_traces", "gauge", "Traces in the store.", totals.traces);
    put(text, "store_bytes", "gauge", "Bytes of the files in the store.", totals.bytes);
    put(text, "start_time_seconds", "gauge", "Start time of the server in seconds since 1970.",
        (gsize)server->started_s);
    GBytes *body = g_string_free_to_bytes(text);
    af_answer_send(request, MHD_HTTP_OK, "text/plain; version=0.0.4; charset=utf-8", AF_KIND_OTHER,
                   body);
}
