#include "serve/reading.h"

#include "serve/log.h"
#include "serve/upload_reader.h"

/* After a failure of this machine, an upload is tried again after this time. */
#define RETRY_US ((int64_t)5 * G_USEC_PER_SEC)

struct af_readings {
    GMutex lock;
    gboolean ending;      /* the server is ending: requests no longer wait for other servers */
    GHashTable *pending;  /* ID -> reading */
    GHashTable *problems; /* ID -> problem */
};

/* Why this server could not read an upload that it keeps. */
typedef struct {
    gboolean full; /* the disk */
    char *text;
    int64_t retry_us;
} problem;

typedef struct {
    af_server *server;
    char *id;
    af_read_progress progress;
    gboolean elsewhere; /* another server reads it: it is queued again from time to time */
} reading;

static void free_reading(gpointer user)
{
    g_autofree reading *it = user;
    g_free(it->id);
}

static void free_problem(gpointer user)
{
    g_autofree problem *it = user;
    g_free(it->text);
}

af_readings *af_readings_new(void)
{
    af_readings *readings = g_new0(af_readings, 1);
    g_mutex_init(&readings->lock);
    readings->pending = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_reading);
    readings->problems = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_problem);
    return readings;
}

void af_readings_free(af_readings *readings)
{
    g_hash_table_unref(readings->pending);
    g_hash_table_unref(readings->problems);
    g_mutex_clear(&readings->lock);
    g_free(readings);
}

/* Wakes the requests that wait, and forgets the reading. Under the lock. */
static void end_reading(af_readings *readings, reading *it)
{
    af_wait_set_resume(&it->server->waits, it);
    g_hash_table_remove(readings->pending, it->id);
}

gboolean af_readings_wait(af_server *server, const char *id, af_request *request)
{
    af_readings *r = server->readings;
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&r->lock);
    reading *it = g_hash_table_lookup(r->pending, id);
    if (it != NULL) {
        af_request_wait(request, it);
    }
    return it != NULL;
}

int af_readings_percent(af_server *server, const char *id)
{
    af_readings *r = server->readings;
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&r->lock);
    reading *it = g_hash_table_lookup(r->pending, id);
    const int percent = it == NULL ? -1 : g_atomic_int_get(&it->progress.percent);
    return percent;
}

/* Remembers the failure; the first one of an upload is printed. Under the lock. */
static void set_problem(reading *it, const GError *error)
{
    af_readings *r = it->server->readings;
    problem *known = g_new0(problem, 1);
    known->full = g_error_matches(error, AF_STORE_ERROR, AF_STORE_FULL);
    known->text = g_strdup_printf("the server cannot read this upload now and will try again: %s",
                                  af_store_public_message(error));
    known->retry_us = g_get_monotonic_time() + RETRY_US;
    if (!r->ending && !g_hash_table_contains(r->problems, it->id)) {
        af_log(it->server, AF_LOG_WARNING, "%s: %s", it->id, known->text);
    }
    g_hash_table_replace(r->problems, g_strdup(it->id), known);
}

char *af_readings_problem(af_server *server, const char *id, gboolean *full)
{
    af_readings *r = server->readings;
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&r->lock);
    const problem *known = g_hash_table_lookup(r->problems, id);
    char *text = known == NULL ? NULL : g_strdup(known->text);
    *full = known != NULL && known->full;
    return text;
}

static gboolean is_old(gpointer id, gpointer value, gpointer now_us)
{
    return ((const problem *)value)->retry_us + 12 * RETRY_US < *(const int64_t *)now_us;
}

static gboolean is_too_early(af_readings *r, const char *id)
{
    const problem *known = g_hash_table_lookup(r->problems, id);
    return known != NULL && g_get_monotonic_time() < known->retry_us;
}

static void run(gpointer user)
{
    reading *it = user;
    af_readings *r = it->server->readings;
    g_autoptr(GError) error = NULL;
    const af_read_end end = af_upload_reader_run(it->server, it->id, &it->progress, &error);
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&r->lock);
    if (end == AF_READ_LATER) {
        set_problem(it, error);
    } else if (end == AF_READ_DONE) {
        g_hash_table_remove(r->problems, it->id);
    }
    it->elsewhere = end == AF_READ_ELSEWHERE && !r->ending;
    if (!it->elsewhere) {
        end_reading(r, it);
    }
}

void af_readings_queue(af_server *server, const char *id)
{
    af_readings *r = server->readings;
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&r->lock);
    if (!g_hash_table_contains(r->pending, id)) {
        reading *it = g_new0(reading, 1);
        it->server = server;
        it->id = g_strdup(id);
        g_hash_table_insert(r->pending, it->id, it);
        af_pool_push(server->workers, run, it);
    }
}

void af_readings_follow(af_server *server, const char *id)
{
    af_readings *r = server->readings;
    g_mutex_lock(&r->lock);
    const gboolean leave = r->ending || is_too_early(r, id);
    g_mutex_unlock(&r->lock);
    if (!leave) {
        af_readings_queue(server, id);
    }
}

void af_readings_resume(af_server *server)
{
    int64_t now_us = g_get_monotonic_time();
    g_mutex_lock(&server->readings->lock);
    g_hash_table_foreach_remove(server->readings->problems, is_old, &now_us); /* deleted uploads */
    g_mutex_unlock(&server->readings->lock);
    g_autoptr(GPtrArray) ids = af_store_waiting(server->store, NULL);
    for (guint i = 0; ids != NULL && i < ids->len; i++) {
        af_readings_follow(server, ids->pdata[i]);
    }
}

void af_readings_look_again(af_server *server)
{
    af_readings *r = server->readings;
    GHashTableIter iter;
    gpointer value;
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&r->lock);
    g_hash_table_iter_init(&iter, r->pending);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        reading *it = value;
        if (it->elsewhere) {
            it->elsewhere = FALSE;
            af_pool_push(server->workers, run, it);
        }
    }
}

void af_readings_end(af_server *server)
{
    g_mutex_lock(&server->readings->lock);
    server->readings->ending = TRUE;
    g_mutex_unlock(&server->readings->lock);
    af_readings_look_again(server);
}
