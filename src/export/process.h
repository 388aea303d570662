/* Processes and threads by numbers that other tools can take.
 *
 * Ids of a trace may be 0, no numbers, or larger than any tool reads. Those that are positive, fit
 * and are not taken are kept; the others get numbers that are free, and processes without a name
 * that of their id. */
#ifndef AF_EXPORT_PROCESS_H
#define AF_EXPORT_PROCESS_H

#include "base/arena.h"
#include "export/exporter.h"

/* All by thread of the profile. Numbers are 1 to INT32_MAX. */
typedef struct {
    uint32_t *pids;     /* of its process; where the file does not say, that of the main thread */
    uint32_t *tids;     /* no two threads of a process have the same */
    const char **names; /* of its process, else the app's package; NULL = not known */
    uint32_t main;      /* the main thread's index */
    af_arena *arena;    /* of names that are made up */
} af_process;

/* FALSE if the machine refuses memory. */
gboolean af_process_init(af_process *process, const af_profile *profile);
void af_process_clear(af_process *process);

/* Whether a thread is the one that its process began with. */
gboolean af_process_is_main(const af_process *process, uint32_t thread);

#endif
