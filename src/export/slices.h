/* What a thread did, as a sequence of stretches in each of which it was in one place of its call
 * tree: from calls in order of time, or from a tree, one node behind the other as if each had been
 * visited once. */
#ifndef AF_EXPORT_SLICES_H
#define AF_EXPORT_SLICES_H

#include "export/exporter.h"

/* Times are of the clock that is selected: from calls, since the trace began (CPU: the thread's
 * first record); from a tree, since its first stretch, in the profile's unit. No stretch is empty.
 * Between two stretches nothing may run. */
typedef struct {
    uint32_t node; /* of the thread's tree; never 0 */
    uint64_t begin_ns, end_ns;
    uint64_t cpu_ns; /* CPU time at the begin; 0 if that is not known */
} af_export_slice;

typedef struct {
    unsigned rounds; /* how often each thread is told, one round right after the other */
    gboolean (*begin)(void *user, uint32_t thread, unsigned round, GError **error);
    gboolean (*stretch)(void *user, const af_export_slice *stretch, GError **error);
    gboolean (*end)(void *user, uint32_t thread, unsigned round, GError **error);
    void *user;
} af_export_slice_observer;

gboolean af_export_slices_walk(const af_profile *profile, const af_selection *selection,
                               const af_export_slice_observer *observer, GError **error);

/* The same of samples that were recorded with their times: one for each that weighs anything, in
 * order of time since the first of all threads, and as long as it weighs, whatever that is counted
 * in; so they may overlap. */
gboolean af_export_slices_walk_samples(const af_profile *profile, const af_selection *selection,
                                       const af_export_slice_observer *observer, GError **error);

#endif
