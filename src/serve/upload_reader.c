#include "serve/upload_reader.h"

#include <string.h>
#include <unistd.h>
#include "serve/blobs.h"
#include "serve/log.h"
#include "serve/pack.h"

static void show_progress(void *user, uint64_t done, uint64_t total)
{
    af_read_progress *progress = user;
    g_atomic_int_set(&progress->percent, total == 0 ? 0 : (gint)MIN(done * 100 / total, 100));
}

static void run_worker(af_server *server, const af_trace *trace, int input, int profile,
                       af_read_progress *progress, af_process_result *result)
{
    char jobs[16];
    g_snprintf(jobs, sizeof jobs, "%u", MAX(1U, g_get_num_processors() / server->options->workers));
    const char *const words[] = {"read", "--", jobs, NULL};
    const af_process_job job = {.words = words,
                                .name = trace->file_name,
                                .inputs = &input,
                                .n_inputs = 1,
                                .output = profile,
                                .max_output = server->options->worker_memory,
                                .progress = show_progress,
                                .user = progress};
    af_count(&server->counters.workers, 1);
    af_process_run(&server->limits, &job, result);
}

/* The app from the facts, for lists and searches. */
static void take_facts(af_trace *trace, const char *text)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autofree char *valid = g_utf8_make_valid(text, -1), *app = NULL;
    if (g_key_file_load_from_data(file, valid, strlen(valid), G_KEY_FILE_NONE, NULL)) {
        app = g_key_file_get_string(file, "trace", "app", NULL);
    }
    af_trace_set(&trace->facts, valid);
    af_trace_set(&trace->app, app != NULL ? app : "");
}

static void refuse(af_trace *trace, const char *why)
{
    trace->state = AF_TRACE_REFUSED;
    af_trace_set(&trace->problem, why[0] != '\0' ? why : "unknown reason");
}

/* FALSE with an error: the machine failed, not the upload. */
static gboolean take_result(af_server *server, af_trace *trace, const af_process_result *result,
                            GError **error)
{
    if (result->end == AF_ENDED_WELL) {
        trace->state = AF_TRACE_READY;
        take_facts(trace, result->facts);
        return TRUE;
    }
    af_count(&server->counters.workers_failed, 1);
    af_log(server, AF_LOG_WARNING, "cannot read %s, trace %s: %s", trace->file_name, trace->id,
           result->message);
    if (result->end == AF_ENDED_FULL || result->end == AF_ENDED_FAILED) {
        g_set_error_literal(error, AF_STORE_ERROR,
                            result->end == AF_ENDED_FULL ? AF_STORE_FULL : AF_STORE_BROKEN,
                            result->message);
        return FALSE;
    }
    refuse(trace, result->message);
    return TRUE;
}

/* ---- packing, while the worker reads ---- */

typedef struct {
    int from, to; /* to: -1 = nothing */
    GThread *thread;
    GError *error;
} packing;

static gpointer pack(gpointer user)
{
    packing *p = user;
    (void)af_pack(p->from, p->to, &p->error);
    return NULL;
}

static void begin_packing(packing *p, af_server *server, int upload)
{
    *p = (packing){.from = upload, .to = -1};
    if (!server->options->no_uploads) {
        p->to = server->store->class->begin(server->store, &p->error);
    }
    if (p->to >= 0) {
        p->thread = g_thread_try_new("pack", pack, p, NULL);
    }
}

static void end_packing(packing *p)
{
    if (p->thread != NULL) {
        g_thread_join(p->thread);
    } else if (p->to >= 0) {
        pack(p);
    }
}

static gboolean read_upload(af_server *server, af_trace *trace, int upload, int profile,
                            af_read_progress *progress, GError **error)
{
    af_store *store = server->store;
    af_process_result result;
    packing packed;
    begin_packing(&packed, server, upload);
    run_worker(server, trace, upload, profile, progress, &result);
    gboolean ok = take_result(server, trace, &result, error);
    end_packing(&packed);
    const gboolean ready = trace->state == AF_TRACE_READY;
    if (ok && ready && packed.error != NULL) {
        g_propagate_error(error, g_steal_pointer(&packed.error));
        ok = FALSE;
    }
    ok = ok && af_store_finish(store, trace, ready ? profile : -1, ready ? packed.to : -1, error);
    af_blobs_close(packed.to);
    g_clear_error(&packed.error);
    af_process_clear(&result);
    return ok;
}

static gboolean read_trace(af_server *server, af_trace *trace, af_read_progress *progress,
                           GError **error)
{
    af_store *store = server->store;
    GError *why = NULL;
    const int upload = store->class->open(store, trace->id, AF_BLOB_UPLOAD, &why);
    if (g_error_matches(why, AF_STORE_ERROR, AF_STORE_ABSENT)) {
        refuse(trace, why->message); /* trying again would not bring it back */
        g_error_free(why);
        return af_store_finish(store, trace, -1, -1, error);
    }
    const int profile = upload < 0 ? -1 : store->class->begin(store, &why);
    const gboolean ok = profile >= 0 && read_upload(server, trace, upload, profile, progress, &why);
    af_blobs_close(profile);
    af_blobs_close(upload);
    if (why != NULL) {
        g_propagate_error(error, why);
    }
    return ok;
}

af_read_end af_upload_reader_run(af_server *server, const char *id, af_read_progress *progress,
                                 GError **error)
{
    af_store *store = server->store;
    GError *why = NULL;
    af_read_end end = AF_READ_DONE;
    g_autoptr(af_trace) trace = af_store_lookup(store, id, &why);
    if (trace == NULL && !g_error_matches(why, AF_STORE_ERROR, AF_STORE_ABSENT)) {
        end = AF_READ_LATER;
    } else if (trace != NULL && trace->state == AF_TRACE_WAITING) {
        if (store->class->claim != NULL && !store->class->claim(store, id)) {
            end = AF_READ_ELSEWHERE;
        } else if (!read_trace(server, trace, progress, &why)) {
            end = AF_READ_LATER;
            if (store->class->release != NULL) {
                store->class->release(store, id); /* another machine may be able to read it */
            }
        }
    }
    if (end == AF_READ_LATER) {
        g_propagate_error(error, g_steal_pointer(&why));
    }
    g_clear_error(&why);
    return end;
}

gboolean af_upload_reader_restore(af_server *server, af_trace *trace, int profile, GError **error)
{
    af_process_result result;
    af_read_progress progress = {0};
    const int output = server->store->class->begin(server->store, error);
    if (output < 0) {
        return FALSE;
    }
    run_worker(server, trace, profile, output, &progress, &result);
    const gboolean ok = take_result(server, trace, &result, error);
    af_process_clear(&result);
    close(output);
    return ok;
}
