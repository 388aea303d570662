#include "serve/views.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "serve/pack.h"
#include "serve/renditions.h"

/* Bytes of a view. */
#define MOST_OUTPUT (UINT64_C(1) << 30)
/* Larger views stay in a mapped file. */
#define HELD ((gsize)1 << 20)
/* Descriptors of a worker. */
#define SECOND "/dev/fd/5"
#define THIRD  "/dev/fd/6"
#define FOURTH "/dev/fd/7"

/* The data of a worker thread, which owns all of it. */
typedef struct {
    af_server *server;
    af_rendition *view;
    char *verb, *format, *operand, *thread, *id, *other_id, *name;
    char **queries;
    gboolean needs_calls, has_mapping, other_has_mapping;
} making;

/* ---- queries ---- */

/* A field of a page that was left empty has no effect. */
static gboolean has_effect(const char *pair, gboolean flag)
{
    const char *value = strchr(pair, '=');
    return flag || (value != NULL && value[1] != '\0');
}

static gboolean allows(const af_request *request, const char *verb, const char *pair,
                       gboolean *flag)
{
    char *name = g_strndup(pair, strcspn(pair, "="));
    const gboolean ok = request->server->options->host->allows_query(verb, name, flag);
    g_free(name);
    return ok;
}

const char *af_views_find_wrong(const af_request *request, const char *verb)
{
    gboolean flag;
    for (guint i = 0; i < request->query->len; i++) {
        const char *pair = request->query->pdata[i];
        if (!g_str_has_prefix(pair, "method=") && !allows(request, verb, pair, &flag)) {
            return pair;
        }
        if (g_str_has_prefix(pair, "method=") && strcmp(verb, "calls") != 0 &&
            !allows(request, verb, pair, &flag)) {
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

/* ---- workers ---- */

static void add_mapping(GPtrArray *words, const making *m)
{
    if (m->other_id == NULL && m->has_mapping) {
        g_ptr_array_add(words, g_strdup("--mapping=" SECOND));
    }
    if (m->other_id != NULL && m->has_mapping) {
        g_ptr_array_add(words, g_strdup("--mapping-before=" THIRD));
    }
    if (m->other_id != NULL && m->other_has_mapping) {
        g_ptr_array_add(words, g_strdup("--mapping-after=" FOURTH));
    }
}

static GPtrArray *make_words(const making *m)
{
    const unsigned jobs = MAX(1U, g_get_num_processors() / m->server->options->workers);
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(words, g_strdup(m->verb));
    for (char **query = m->queries; *query != NULL; query++) {
        g_ptr_array_add(words, g_strdup(*query));
    }
    g_ptr_array_add(words, g_strdup("--"));
    g_ptr_array_add(words, g_strdup("--quiet"));
    g_ptr_array_add(words, g_strdup("--output=-"));
    g_ptr_array_add(words, g_strdup_printf("--format=%s", m->format));
    g_ptr_array_add(words, g_strdup_printf("--jobs=%u", jobs));
    if (m->thread != NULL) {
        g_ptr_array_add(words, g_strdup_printf("--thread=%s", m->thread));
    }
    add_mapping(words, m);
    g_ptr_array_add(words, g_strdup("--"));
    g_ptr_array_add(words, g_strdup("-"));
    if (m->other_id != NULL) {
        g_ptr_array_add(words, g_strdup(SECOND));
    }
    if (m->operand != NULL) {
        g_ptr_array_add(words, g_strdup(m->operand));
    }
    g_ptr_array_add(words, NULL);
    return words;
}

/* The upload, decompressed. */
static int open_upload(const making *m, GError **error)
{
    af_store *store = m->server->store;
    const int packed = store->class->open(store, m->id, AF_BLOB_PACKED, error);
    int fd = packed < 0 ? -1 : store->class->begin(store, error);
    if (fd >= 0 && !af_unpack_file(packed, fd, error)) {
        close(fd);
        fd = -1;
    }
    if (packed >= 0) {
        close(packed);
    }
    if (fd >= 0) {
        lseek(fd, 0, SEEK_SET);
    }
    return fd;
}

static int open_blob(const making *m, const char *id, af_blob blob, gboolean wanted, GError **error)
{
    return wanted && *error == NULL
               ? m->server->store->class->open(m->server->store, id, blob, error)
               : -1;
}

enum { INPUTS = 4 };

static gboolean open_inputs(const making *m, int fds[INPUTS], GError **error)
{
    const gboolean pair = m->other_id != NULL;
    fds[0] =
        m->needs_calls ? open_upload(m, error) : open_blob(m, m->id, AF_BLOB_PROFILE, TRUE, error);
    fds[1] = pair ? open_blob(m, m->other_id, AF_BLOB_PROFILE, TRUE, error)
                  : open_blob(m, m->id, AF_BLOB_MAPPING, m->has_mapping, error);
    fds[2] = open_blob(m, m->id, AF_BLOB_MAPPING, pair && m->has_mapping, error);
    fds[3] = open_blob(m, m->other_id, AF_BLOB_MAPPING, pair && m->other_has_mapping, error);
    return *error == NULL;
}

typedef struct {
    void *bytes;
    gsize length;
} mapped;

static void unmap(gpointer user)
{
    mapped *it = user;
    munmap(it->bytes, it->length);
    g_free(it);
}

/* All bytes of an unnamed file. NULL with errno. */
static GBytes *take_bytes(int fd, gsize length)
{
    if (length == 0) {
        return g_bytes_new(NULL, 0);
    }
    void *bytes = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED) {
        return NULL;
    }
    if (length <= HELD) {
        GBytes *held = g_bytes_new(bytes, length);
        munmap(bytes, length);
        return held;
    }
    mapped *it = g_new(mapped, 1);
    *it = (mapped){bytes, length};
    return g_bytes_new_with_free_func(bytes, length, unmap, it);
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

static void set_body(af_rendition *view, const char *format, int fd, uint64_t length)
{
    GBytes *body = take_bytes(fd, (gsize)length);
    if (body == NULL) {
        af_rendition_fail(view, MHD_HTTP_SERVICE_UNAVAILABLE, g_strerror(errno));
        return;
    }
    af_rendition_set_body(view, body, is_text(format));
}

static void run_worker(const making *m, const int fds[INPUTS], int output)
{
    GPtrArray *words = make_words(m);
    af_process_result result;
    const af_process_job job = {.words = (const char *const *)(void *)words->pdata,
                                .name = m->name,
                                .inputs = {fds[0], fds[1], fds[2], fds[3]},
                                .output = output,
                                .max_output = MOST_OUTPUT};
    af_count(&m->server->counters.workers, 1);
    af_process_run(&m->server->limits, &job, &result);
    if (result.end == AF_ENDED_WELL) {
        set_body(m->view, m->format, output, result.bytes);
    } else {
        af_rendition_fail(m->view, find_status(result.end), result.message);
        af_count(&m->server->counters.workers_failed, 1);
    }
    af_process_clear(&result);
    g_ptr_array_unref(words);
}

static void make_view(const making *m)
{
    GError *error = NULL;
    int fds[INPUTS] = {-1, -1, -1, -1};
    const gboolean opened = open_inputs(m, fds, &error);
    const int output = opened ? m->server->store->class->begin(m->server->store, &error) : -1;
    if (output >= 0) {
        run_worker(m, fds, output);
        close(output);
    } else {
        af_rendition_fail(m->view, af_request_find_status(error), af_store_public_message(error));
        g_error_free(error);
    }
    for (int i = 0; i < INPUTS; i++) {
        if (fds[i] >= 0) {
            close(fds[i]);
        }
    }
}

static void free_making(making *m)
{
    char *texts[] = {m->verb, m->format, m->operand, m->thread, m->id, m->other_id, m->name};
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_free(texts[i]);
    }
    g_strfreev(m->queries);
    af_rendition_unref(m->view);
    g_free(m);
}

static void run(gpointer user)
{
    making *m = user;
    make_view(m);
    af_renditions_finish(m->server->renditions, m->view);
    free_making(m);
}

/* ---- orders ---- */

static char *make_key(const af_order *order, char **queries)
{
    GString *key = g_string_new(NULL);
    af_renditions_add_key(key, order->trace->id);
    af_renditions_add_key(key, order->trace->delete_hash); /* the same bytes with other mappings */
    af_renditions_add_key(key, order->other != NULL ? order->other->id : NULL);
    af_renditions_add_key(key, order->other != NULL ? order->other->delete_hash : NULL);
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
    m->verb = g_strdup(order->verb);
    m->format = g_strdup(order->format);
    m->operand = g_strdup(order->operand);
    m->thread = g_strdup(order->thread);
    m->id = g_strdup(order->trace->id);
    m->other_id = g_strdup(order->other != NULL ? order->other->id : NULL);
    m->name = g_strdup(order->trace->file_name);
    m->queries = g_strdupv(queries);
    m->needs_calls = order->needs_calls;
    m->has_mapping = order->trace->has_mapping;
    m->other_has_mapping = order->other != NULL && order->other->has_mapping;
    af_pool_push(server->workers, run, m);
}

const af_rendition *af_views_get(af_request *request, const af_order *order)
{
    if (request->view != NULL) {
        return request->view;
    }
    gboolean is_new;
    af_server *server = request->server;
    char **queries = af_views_list_queries(request, order->verb);
    char *key = make_key(order, queries);
    af_rendition *view = af_renditions_get(server->renditions, key, &is_new);
    if (is_new) {
        start(server, view, order, queries);
    }
    af_count(is_new ? &server->counters.cache_misses : &server->counters.cache_hits, 1);
    request->view = view;
    g_free(key);
    g_strfreev(queries);
    return af_renditions_wait(server->renditions, view, request) ? NULL : view;
}
