#include "serve/views.h"

#include <string.h>
#include <unistd.h>
#include "serve/facts.h"
#include "serve/log.h"
#include "serve/pack.h"
#include "serve/renditions.h"

/* Bytes of a view. */
#define MOST_OUTPUT (UINT64_C(1) << 30)
/* Larger views stay in a mapped file. */
#define HELD ((gsize)1 << 20)

/* A file that a worker reads. */
typedef struct {
    char *id;
    af_blob blob;
} input_file;

/* The data of a worker thread, which owns all of it. */
typedef struct {
    af_server *server;
    af_rendition *view;
    GPtrArray *words; /* of the worker; NULL ends them */
    GArray *inputs;   /* of input_file */
    char *format, *name;
} making;

/* A field of a page that was left empty has no effect. */
static gboolean has_effect(const char *pair, gboolean flag)
{
    const char *value = strchr(pair, '=');
    return flag || (value != NULL && value[1] != '\0');
}

static gboolean allows(const af_request *request, const char *verb, const char *pair,
                       gboolean *flag)
{
    g_autofree char *name = g_strndup(pair, strcspn(pair, "="));
    return request->server->options->host->allows_query(verb, name, flag);
}

const char *af_views_find_wrong(const af_request *request, const char *verb)
{
    gboolean flag;
    for (guint i = 0; i < request->query->len; i++) {
        const char *pair = request->query->pdata[i];
        const gboolean names_method =
            strcmp(verb, "calls") == 0 && g_str_has_prefix(pair, "method=");
        if (!names_method && !allows(request, verb, pair, &flag)) {
            return pair;
        }
    }
    return NULL;
}

char **af_views_list_queries(const af_request *request, const char *verb)
{
    GPtrArray *pairs = g_ptr_array_new();
    for (guint i = 0; i < request->query->len; i++) {
        gboolean flag = FALSE;
        const char *pair = request->query->pdata[i];
        if (allows(request, verb, pair, &flag) && has_effect(pair, flag)) {
            g_ptr_array_add(pairs, g_strdup(pair));
        }
    }
    g_ptr_array_add(pairs, NULL);
    return (char **)g_ptr_array_free(pairs, FALSE);
}

gboolean af_views_need_calls(const af_request *request)
{
    const char *view = af_request_query(request, "view");
    const char *from = af_request_query(request, "from"), *to = af_request_query(request, "to");
    return (view != NULL && strcmp(view, "chart") == 0) || (from != NULL && from[0] != '\0') ||
           (to != NULL && to[0] != '\0');
}

/* Adds a file that the worker reads, as the operand or the value of an option. */
static void add_input(making *m, const char *option, const char *id, af_blob blob)
{
    const input_file file = {.id = g_strdup(id), .blob = blob};
    g_autofree char *path =
        m->inputs->len == 0 ? g_strdup("-") : g_strdup_printf("/dev/fd/%u", m->inputs->len + 4);
    g_array_append_val(m->inputs, file);
    g_ptr_array_add(m->words, g_strconcat(option, path, NULL));
}

/* The runs of a side are of one build, so one mapping is enough. */
static void add_side(making *m, const GPtrArray *traces, const char *option, const char *mapping)
{
    const af_trace *mapped = NULL;
    for (guint i = 0; i < traces->len; i++) {
        const af_trace *trace = traces->pdata[i];
        add_input(m, option, trace->id, AF_BLOB_PROFILE);
        mapped = mapped == NULL && trace->has_mapping ? trace : mapped;
    }
    if (mapped != NULL) {
        add_input(m, mapping, mapped->id, AF_BLOB_MAPPING);
    }
}

/* Whether a worker reads the upload instead of the saved profile, which lacks single calls. */
static gboolean reads_upload(const making *m, const af_order *order)
{
    if (order->needs_calls || !order->trace->has_upload || strcmp(order->format, "svg") != 0) {
        return order->needs_calls;
    }
    g_autoptr(af_upload_facts) facts = af_upload_facts_load(m->server->store, order->trace->id);
    const gboolean chart = facts->chart;
    return chart;
}

static void add_words(making *m, const af_order *order, char **queries)
{
    const unsigned jobs = MAX(1U, g_get_num_processors() / m->server->options->workers);
    GPtrArray *words = m->words;
    g_ptr_array_add(words, g_strdup(order->verb));
    for (char **query = queries; *query != NULL; query++) {
        g_ptr_array_add(words, g_strdup(*query));
    }
    g_ptr_array_add(words, g_strdup("--"));
    g_ptr_array_add(words, g_strdup("--quiet"));
    g_ptr_array_add(words, g_strdup("--output=-"));
    g_ptr_array_add(words, g_strdup_printf("--format=%s", order->format));
    g_ptr_array_add(words, g_strdup_printf("--jobs=%u", jobs));
    if (order->thread != NULL) {
        g_ptr_array_add(words, g_strdup_printf("--thread=%s", order->thread));
    }
    if (order->sides != NULL) {
        add_side(m, order->sides[0], "--before=", "--mapping-before=");
        add_side(m, order->sides[1], "--after=", "--mapping-after=");
    } else {
        add_input(m, "", order->trace->id,
                  reads_upload(m, order) ? AF_BLOB_PACKED : AF_BLOB_PROFILE);
        if (order->trace->has_mapping) {
            add_input(m, "--mapping=", order->trace->id, AF_BLOB_MAPPING);
        }
    }
    if (order->operand != NULL) {
        g_ptr_array_add(words, g_strdup("--"));
        g_ptr_array_add(words, g_strdup(order->operand));
    }
    g_ptr_array_add(words, NULL);
}

/* Opens the inputs; returns how many could be opened, with an error if not all. */
static unsigned open_inputs(const making *m, int fds[AF_PROCESS_INPUTS], GError **error)
{
    af_store *store = m->server->store;
    unsigned n = 0;
    while (n < m->inputs->len) {
        const input_file *file = &g_array_index(m->inputs, input_file, n);
        fds[n] = file->blob == AF_BLOB_PACKED
                     ? af_pack_open(store, file->id, error)
                     : store->class->open(store, file->id, file->blob, error);
        if (fds[n] < 0) {
            break;
        }
        n++;
    }
    return n;
}

static gboolean is_text(const char *format)
{
    static const char *const packed[] = {"png", "pdf", "aflp", "pprof", NULL};
    return !g_strv_contains(packed, format);
}

/* The HTTP status of an end. */
static unsigned find_status(af_process_end end)
{
    switch (end) {
    case AF_ENDED_WELL:
        return MHD_HTTP_OK;
    case AF_ENDED_USAGE:
        return MHD_HTTP_BAD_REQUEST;
    case AF_ENDED_NOTHING:
        return MHD_HTTP_NOT_FOUND;
    case AF_ENDED_INPUT:
    case AF_ENDED_LIMIT:
        return MHD_HTTP_UNPROCESSABLE_CONTENT;
    case AF_ENDED_FULL:
        return MHD_HTTP_INSUFFICIENT_STORAGE;
    default:
        return MHD_HTTP_SERVICE_UNAVAILABLE;
    }
}

static void set_body(af_rendition *view, const char *format, int fd)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GMappedFile) file = g_mapped_file_new_from_fd(fd, FALSE, &error);
    if (file == NULL) {
        af_rendition_fail(view, MHD_HTTP_SERVICE_UNAVAILABLE, error->message);
        return;
    }
    const gsize length = g_mapped_file_get_length(file);
    GBytes *body = length <= HELD ? g_bytes_new(g_mapped_file_get_contents(file), length)
                                  : g_mapped_file_get_bytes(file);
    af_rendition_set_body(view, body, is_text(format));
}

static void run_worker(const making *m, const int *fds, int output)
{
    af_process_result result;
    const af_process_job job = {.words = (const char *const *)(void *)m->words->pdata,
                                .name = m->name,
                                .inputs = fds,
                                .n_inputs = m->inputs->len,
                                .output = output,
                                .max_output = MOST_OUTPUT};
    af_count(&m->server->counters.workers, 1);
    af_process_run(&m->server->limits, &job, &result);
    if (result.end == AF_ENDED_WELL) {
        set_body(m->view, m->format, output);
    } else {
        af_rendition_fail(m->view, find_status(result.end), result.message);
        af_log(m->server,
               result.end == AF_ENDED_USAGE || result.end == AF_ENDED_NOTHING ? AF_LOG_NOTICE
                                                                              : AF_LOG_WARNING,
               "cannot make %s of %s: %s", m->format, m->name, result.message);
        af_count(&m->server->counters.workers_failed, 1);
    }
    af_process_clear(&result);
}

static void make_view(const making *m)
{
    GError *error = NULL;
    int fds[AF_PROCESS_INPUTS];
    const unsigned n = open_inputs(m, fds, &error);
    const int output =
        error == NULL ? m->server->store->class->begin(m->server->store, &error) : -1;
    if (output >= 0) {
        run_worker(m, fds, output);
        close(output);
    } else {
        af_rendition_fail(m->view, af_request_find_status(error), af_store_public_message(error));
        g_error_free(error);
    }
    for (unsigned i = 0; i < n; i++) {
        close(fds[i]);
    }
}

static void clear_input(gpointer user)
{
    g_free(((input_file *)user)->id);
}

static void run(gpointer user)
{
    g_autofree making *m = user;
    make_view(m);
    af_renditions_finish(m->server->renditions, m->view);
    g_ptr_array_unref(m->words);
    g_array_unref(m->inputs);
    g_free(m->format);
    g_free(m->name);
    af_rendition_unref(m->view);
}

/* The same bytes may have other mappings, after a deletion or an upload. */
static void add_trace_key(GString *key, const af_trace *trace)
{
    af_renditions_add_key(key, trace->id);
    af_renditions_add_key(key, trace->delete_hash);
    af_renditions_add_key(key, trace->has_mapping ? "mapping" : NULL);
}

static char *make_key(const af_order *order, char **queries)
{
    GString *key = g_string_new(NULL);
    add_trace_key(key, order->trace);
    for (unsigned side = 0; order->sides != NULL && side < 2; side++) {
        af_renditions_add_key(key, "side");
        for (guint i = 0; i < order->sides[side]->len; i++) {
            add_trace_key(key, order->sides[side]->pdata[i]);
        }
    }
    af_renditions_add_key(key, order->verb);
    af_renditions_add_key(key, order->format);
    af_renditions_add_key(key, order->operand);
    af_renditions_add_key(key, order->thread);
    for (; *queries != NULL; queries++) {
        af_renditions_add_key(key, *queries);
    }
    return g_string_free(key, FALSE);
}

static void start(af_server *server, af_rendition *view, const af_order *order, char **queries)
{
    making *m = g_new0(making, 1);
    m->server = server;
    m->view = view;
    g_atomic_int_inc(&view->references);
    m->format = g_strdup(order->format);
    m->name = g_strdup(order->trace->file_name);
    m->words = g_ptr_array_new_with_free_func(g_free);
    m->inputs = g_array_new(FALSE, FALSE, sizeof(input_file));
    g_array_set_clear_func(m->inputs, clear_input);
    add_words(m, order, queries);
    af_pool_push(server->workers, run, m);
}

const af_rendition *af_views_get(af_request *request, const af_order *order)
{
    if (request->view != NULL) {
        return request->view;
    }
    gboolean is_new;
    af_server *server = request->server;
    g_auto(GStrv) queries = af_views_list_queries(request, order->verb);
    g_autofree char *key = make_key(order, queries);
    af_rendition *view = af_renditions_get(server->renditions, key, &is_new);
    if (is_new) {
        start(server, view, order, queries);
    }
    af_count(is_new ? &server->counters.cache_misses : &server->counters.cache_hits, 1);
    request->view = view;
    return af_renditions_wait(server->renditions, view, request) ? NULL : view;
}
