#include "serve/reading.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "serve/pack.h"

struct af_readings {
    GMutex lock;
    gboolean ending;     /* the server ends: nobody waits for other servers any more */
    GHashTable *pending; /* ID -> reading */
};

typedef struct {
    af_server *server;
    char *id;
    gint percent;      /* atomic */
    unsigned expected; /* uploads of this content that are being stored */
    gboolean queued;
    gboolean elsewhere; /* another server reads it: it is queued again from time to time */
    GPtrArray *waiters; /* of af_request */
} reading;

static void free_reading(gpointer user)
{
    reading *it = user;
    g_free(it->id);
    g_ptr_array_unref(it->waiters);
    g_free(it);
}

af_readings *af_readings_new(void)
{
    af_readings *readings = g_new0(af_readings, 1);
    g_mutex_init(&readings->lock);
    readings->pending = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_reading);
    return readings;
}

void af_readings_free(af_readings *readings)
{
    g_hash_table_unref(readings->pending);
    g_mutex_clear(&readings->lock);
    g_free(readings);
}

/* Wakes the requests that wait, and forgets the reading. Under the lock. */
static void end_reading(af_readings *readings, reading *it)
{
    for (guint i = 0; i < it->waiters->len; i++) {
        af_request_resume(it->waiters->pdata[i]);
    }
    g_hash_table_remove(readings->pending, it->id);
}

void af_readings_expect(af_server *server, const char *id)
{
    af_readings *r = server->readings;
    g_mutex_lock(&r->lock);
    reading *it = g_hash_table_lookup(r->pending, id);
    if (it == NULL) {
        it = g_new0(reading, 1);
        it->server = server;
        it->id = g_strdup(id);
        it->waiters = g_ptr_array_new();
        g_hash_table_insert(r->pending, it->id, it);
    }
    it->expected++;
    g_mutex_unlock(&r->lock);
}

void af_readings_forget(af_server *server, const char *id)
{
    af_readings *r = server->readings;
    g_mutex_lock(&r->lock);
    reading *it = g_hash_table_lookup(r->pending, id);
    if (it != NULL && --it->expected == 0 && !it->queued) {
        end_reading(r, it);
    }
    g_mutex_unlock(&r->lock);
}

gboolean af_readings_wait(af_server *server, const char *id, af_request *request)
{
    af_readings *r = server->readings;
    g_mutex_lock(&r->lock);
    reading *it = g_hash_table_lookup(r->pending, id);
    if (it != NULL) {
        g_ptr_array_add(it->waiters, request);
        af_request_wait(request);
    }
    g_mutex_unlock(&r->lock);
    return it != NULL;
}

int af_readings_percent(af_server *server, const char *id)
{
    af_readings *r = server->readings;
    g_mutex_lock(&r->lock);
    reading *it = g_hash_table_lookup(r->pending, id);
    const int percent = it == NULL ? -1 : g_atomic_int_get(&it->percent);
    g_mutex_unlock(&r->lock);
    return percent;
}

static void show_progress(void *user, uint64_t done, uint64_t total)
{
    reading *it = user;
    g_atomic_int_set(&it->percent, total == 0 ? 0 : (gint)MIN(done * 100 / total, 100));
}

/* ---- one upload ---- */

/* The app from the facts, for lists and searches. */
static void take_facts(af_trace *trace, const char *text)
{
    GKeyFile *file = g_key_file_new();
    char *valid = g_utf8_make_valid(text, -1);
    g_free(trace->facts);
    trace->facts = valid;
    g_free(trace->app);
    trace->app = g_key_file_load_from_data(file, valid, strlen(valid), G_KEY_FILE_NONE, NULL)
                     ? g_key_file_get_string(file, "trace", "app", NULL)
                     : NULL;
    if (trace->app == NULL) {
        trace->app = g_strdup("");
    }
    g_key_file_unref(file);
}

static void run_worker(reading *it, const af_trace *trace, int input, int profile,
                       af_process_result *result)
{
    char jobs[16];
    g_snprintf(jobs, sizeof jobs, "%u",
               MAX(1U, g_get_num_processors() / it->server->options->workers));
    const char *const words[] = {"read", "--", jobs, NULL};
    const af_process_job job = {.words = words,
                                .name = trace->file_name,
                                .inputs = {input, -1, -1, -1},
                                .output = profile,
                                .max_output = it->server->options->worker_memory,
                                .progress = show_progress,
                                .user = it};
    af_count(&it->server->counters.workers, 1);
    af_process_run(&it->server->limits, &job, result);
}

/* Stores the result. A worker that this machine could not run leaves the upload for later. */
static gboolean store_result(reading *it, af_trace *trace, const af_process_result *result,
                             int profile, int upload, GError **error)
{
    af_store *store = it->server->store;
    int packed = -1;
    if (result->end == AF_ENDED_WELL) {
        trace->state = AF_TRACE_READY;
        take_facts(trace, result->facts);
        if (!it->server->options->no_uploads) {
            packed = store->class->begin(store, error);
            if (packed < 0 || !af_pack(upload, packed, error)) {
                return FALSE;
            }
        }
    } else {
        trace->state = AF_TRACE_REFUSED;
        g_free(trace->problem);
        trace->problem = g_strdup(result->message[0] != '\0' ? result->message : "unknown reason");
        af_count(&it->server->counters.workers_failed, 1);
    }
    const gboolean ready = trace->state == AF_TRACE_READY;
    const gboolean ok = store->class->finish(store, trace, ready ? profile : -1, packed, error);
    if (packed >= 0) {
        close(packed);
    }
    return ok;
}

static void read_trace(reading *it, af_trace *trace, GError **error)
{
    af_store *store = it->server->store;
    const int upload = store->class->open(store, trace->id, AF_BLOB_UPLOAD, error);
    const int profile = upload < 0 ? -1 : store->class->begin(store, error);
    if (profile >= 0) {
        af_process_result result;
        run_worker(it, trace, upload, profile, &result);
        store_result(it, trace, &result, profile, upload, error);
        af_process_clear(&result);
        close(profile);
    }
    if (upload >= 0) {
        close(upload);
    }
}

/* What the store cannot take, now that it is full, is refused rather than tried for ever. */
static void give_up(reading *it, af_trace *trace, const GError *error)
{
    trace->state = AF_TRACE_REFUSED;
    g_free(trace->problem);
    trace->problem = g_strdup_printf("the server could not store the result: %s", error->message);
    it->server->options->host->print(trace->file_name, error->message);
    it->server->store->class->finish(it->server->store, trace, -1, -1, NULL);
}

/* FALSE = another server reads it. */
static gboolean read_waiting(reading *it)
{
    af_store *store = it->server->store;
    GError *error = NULL;
    af_trace *trace = store->class->lookup(store, it->id, NULL);
    const gboolean waits = trace != NULL && trace->state == AF_TRACE_WAITING;
    const gboolean mine =
        waits && (store->class->claim == NULL || store->class->claim(store, it->id));
    if (mine) {
        read_trace(it, trace, &error);
        if (error != NULL) {
            give_up(it, trace, error);
            g_error_free(error);
        }
    }
    af_trace_free(trace);
    return mine || !waits;
}

static void run(gpointer user)
{
    reading *it = user;
    af_readings *r = it->server->readings;
    const gboolean done = read_waiting(it);
    g_mutex_lock(&r->lock);
    it->elsewhere = !done && !r->ending;
    it->queued = it->elsewhere;
    if (!it->queued && it->expected == 0) {
        end_reading(r, it);
    }
    g_mutex_unlock(&r->lock);
}

void af_readings_queue(af_server *server, const char *id)
{
    af_readings *r = server->readings;
    g_mutex_lock(&r->lock);
    reading *it = g_hash_table_lookup(r->pending, id);
    it->expected--;
    const gboolean first = !it->queued;
    it->queued = TRUE;
    g_mutex_unlock(&r->lock);
    if (first) {
        af_pool_push(server->workers, run, it);
    }
}

void af_readings_follow(af_server *server, const char *id)
{
    af_readings *r = server->readings;
    g_mutex_lock(&r->lock);
    const gboolean ending = r->ending;
    g_mutex_unlock(&r->lock);
    if (!ending) {
        af_readings_expect(server, id);
        af_readings_queue(server, id);
    }
}

void af_readings_resume(af_server *server)
{
    GPtrArray *ids = server->store->class->waiting(server->store, NULL);
    for (guint i = 0; ids != NULL && i < ids->len; i++) {
        af_readings_follow(server, ids->pdata[i]);
    }
    g_clear_pointer(&ids, g_ptr_array_unref);
}

void af_readings_look_again(af_server *server)
{
    af_readings *r = server->readings;
    GHashTableIter iter;
    gpointer value;
    g_mutex_lock(&r->lock);
    g_hash_table_iter_init(&iter, r->pending);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        reading *it = value;
        if (it->elsewhere) {
            it->elsewhere = FALSE;
            af_pool_push(server->workers, run, it);
        }
    }
    g_mutex_unlock(&r->lock);
}

void af_readings_end(af_server *server)
{
    g_mutex_lock(&server->readings->lock);
    server->readings->ending = TRUE;
    g_mutex_unlock(&server->readings->lock);
    af_readings_look_again(server);
}
