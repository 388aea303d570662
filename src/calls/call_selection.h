/* A call selection: the calls of the methods that match a pattern, on selected threads, as they
 * appear after steps. */
#pragma once

#include <aflame/calls.h>
#include "calls/call_follower.h"
#include "model/lineage.h"

typedef struct {
    const af_profile *profile; /* the profile that is walked; referenced */
    af_profile *shown;         /* after the steps, or `profile` itself; referenced */
    GArray *threads;           /* the selected threads of `shown`, ascending */
    af_clock clock;            /* decides which calls are the longest */
    unsigned clocks;           /* clocks to show, bits 1 << clock, with AF_WAIT */
    uint32_t n_left_out;       /* threads that lack the only clock shown */
    af_lens lens;
    /* borrowed by the lens: */
    af_lineage *lineage; /* NULL without steps */
    uint32_t *thread_of;
    guint8 *wanted;
} af_call_selection;

/* Selects calls of `profile` as they appear in `shown`: the profile that steps made from it with
 * `lineage`, or the same profile and NULL. Takes ownership of one reference to `shown` and of the
 * lineage. Options must be complete; their steps are ignored. Call af_call_selection_close() in any
 * case. */
gboolean af_call_selection_open(af_call_selection *selection, const af_profile *profile,
                                af_profile *shown, af_lineage *lineage, const char *pattern,
                                const af_call_list_options *options, GError **error);
void af_call_selection_close(af_call_selection *selection);

/* Walks over the calls and reports the selected ones to `callback`; `*n` receives their number. */
gboolean af_call_selection_walk(const af_call_selection *selection,
                                const af_call_list_options *options, af_call_func callback,
                                void *user, uint64_t *n, GError **error);

/* The options of such a walk. */
af_call_walk_options af_call_list_walk(const af_call_list_options *options);
