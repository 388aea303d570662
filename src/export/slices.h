/* A thread as a sequence of slices, each of which is spent in one node of its call tree: from calls
 * in time order, or from a tree as if each node ran once, in sequence. */
#pragma once

#include "export/exporter.h"

/* Times are of the selected clock. From calls: since the trace began (CPU: since the thread's first
 * record); from a tree: since its first slice, in the profile's unit. No slice is empty, except those
 * that af_export_slices_walk_samples() adds. There may be gaps between slices. */
typedef struct {
    uint32_t node; /* of the thread's tree; never 0 */
    uint64_t begin_ns, end_ns;
    uint64_t cpu_ns; /* CPU time at the start; 0 if unknown */
} af_export_slice;

typedef struct {
    unsigned rounds; /* how often each thread is passed, one round right after the other */
    gboolean (*begin)(void *user, uint32_t thread, unsigned round, GError **error);
    gboolean (*slice)(void *user, const af_export_slice *slice, GError **error);
    gboolean (*end)(void *user, uint32_t thread, unsigned round, GError **error);
    void *user;
} af_export_slice_observer;

gboolean af_export_slices_walk(const af_profile *profile, const af_selection *selection,
                               const af_export_slice_observer *observer, GError **error);

/* Whether samples have times in the selected clock: waiting is not sampled. */
gboolean af_export_slices_are_sampled(const af_selection *selection);

/* If they have, makes slices from samples: one for each sample with a weight, in time order, since
 * the first sample of all threads. A slice is as long as the weight of its sample, whatever the
 * unit, so slices may overlap. Otherwise as af_export_slices_walk(). A thread without slices gets an
 * empty one in its first node, so that a file of samples has it. */
gboolean af_export_slices_walk_samples(const af_profile *profile, const af_selection *selection,
                                       const af_export_slice_observer *observer, GError **error);

/* What the length of a slice measures: a clock, an event, or the unit. Owned by the profile. */
const char *af_export_slices_measure(const af_profile *profile, const af_selection *selection);

/* Reports that stacks which are not sampled have no times in the trace. */
void af_export_slices_report_untimed(const af_selection *selection, const char *format);
