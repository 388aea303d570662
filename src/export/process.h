/* The process and its threads by numbers that other tools can take.
 *
 * Ids of a trace may be 0, repeat after they are cut to 32 bits, or be larger than any tool reads.
 * Those that are positive, fit and are not taken are kept; the others get numbers that are free. */
#ifndef AF_EXPORT_PROCESS_H
#define AF_EXPORT_PROCESS_H

#include "export/exporter.h"

typedef struct {
    uint32_t pid;     /* the file's, else that of the main thread */
    const char *name; /* the app's package; NULL = not known */
    uint32_t *tids;   /* by thread of the profile; 1 to INT32_MAX */
    uint32_t main;    /* the main thread's index */
} af_process;

/* FALSE if the machine refuses memory. */
gboolean af_process_init(af_process *process, const af_profile *profile);
void af_process_clear(af_process *process);

#endif
