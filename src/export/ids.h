/* Numbers processes and threads in a way that other tools accept.
 *
 * Ids of a trace may be 0, not numeric, or larger than other tools can read. Positive ids that fit
 * and are unique stay; the others get free numbers, and processes without a name are named after
 * their id. */
#pragma once

#include "base/arena.h"
#include "model/profile.h"

/* Arrays by thread of the profile. Numbers are 1 to INT32_MAX. */
typedef struct {
    uint32_t *pids;     /* of the thread's process; if unknown, that of the main thread */
    uint32_t *tids;     /* unique among the threads of a process */
    const char **names; /* of the thread's process, otherwise the app's package; NULL = unknown */
    uint32_t main;      /* the main thread's index */
    af_arena *arena;    /* of generated names */
} af_export_ids;

/* FALSE if out of memory. */
gboolean af_export_ids_init(af_export_ids *process, const af_profile *profile);
void af_export_ids_clear(af_export_ids *process);

/* Whether a thread is the first thread of its process. */
gboolean af_export_ids_is_main(const af_export_ids *process, uint32_t thread);
