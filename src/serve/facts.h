/* The facts that a worker found about a trace: a key file, as cli/worker_read.h describes it. An
 * attacker may control the worker, so nothing here is trusted. */
#pragma once

#include "base/number.h"
#include "serve/store.h"

typedef struct {
    uint64_t id, wall, cpu, calls;
    uint64_t busy, blocked, idle; /* as af_thread_times */
    char *name;
} af_fact_thread;

typedef struct {
    char *format, *title, *app, *unit, *info; /* NULL = unknown */
    gboolean has_wall, has_cpu, has_calls, is_count;
    gboolean chart; /* as af_picture_adds_chart() */
    uint64_t elapsed, calls, busy, n_threads, decimals;
    gboolean explained;  /* whether rules were run; older uploads have no findings */
    GPtrArray *findings; /* of char *: sentences */
    GPtrArray *warnings; /* of char * */
    GArray *threads;     /* of af_fact_thread, the busiest first */
} af_upload_facts;

/* Of a trace in the store. Missing or invalid values are 0 or NULL. */
af_upload_facts *af_upload_facts_load(af_store *store, const char *id);
void af_upload_facts_free(af_upload_facts *facts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_upload_facts, af_upload_facts_free)

/* "1.25 s", or with a unit "1,200 samples". Returns `text`. */
char *af_upload_facts_amount(char text[AF_NUMBER_SIZE], const af_upload_facts *facts,
                             uint64_t value);
