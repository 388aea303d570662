/* A profile as its single calls are seen: under steps, on some threads, and which methods are
 * wanted. What af_call_list_new() and af_profile_extract_call() have in common. */
#ifndef AF_API_CALL_SELECTION_H
#define AF_API_CALL_SELECTION_H

#include <aflame/calls.h>
#include "calls/call_follower.h"
#include "transform/reshape.h"

typedef struct {
    const af_profile *profile; /* that is walked; held */
    af_profile *shown;         /* after the steps; it or `profile` itself, held once more */
    GArray *threads;           /* of `shown`, those that are meant, ascending */
    af_clock clock;            /* by which calls are long or short */
    unsigned clocks;           /* bits 1 << clock of what is shown, AF_WAIT too */
    uint32_t n_left_out;       /* threads that lack the only clock that is shown */
    af_lens lens;
    /* what the lens looks into */
    af_lineage *lineage; /* NULL without steps */
    uint32_t *thread_of;
    guint8 *wanted;
} af_call_selection;

/* The caller's options as far as it knows them, the rest by default. */
af_call_list_options af_call_selection_complete(const af_call_list_options *options);

/* Options are complete. Whatever it returns, free it with af_call_selection_close(). */
gboolean af_call_selection_open(af_call_selection *seen, const af_profile *profile,
                                const char *pattern, const af_call_list_options *options,
                                GError **error);
void af_call_selection_close(af_call_selection *seen);

/* Walks over the calls and tells those that are wanted; `*n` receives how many there are. `also`,
 * which may be NULL, is told every edge: when a call begins after `*track` was, when it ends
 * before.
 */
gboolean af_call_selection_walk(const af_call_selection *seen, const af_call_list_options *options,
                                af_call_func told, void *user, const af_observer *also,
                                af_call_follower **track, uint64_t *n, GError **error);

#endif
