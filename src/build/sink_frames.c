#include "build/sink_state.h"

#include <stdlib.h>

void af_sink_add_frame(af_sink *sink, const af_timeline_frame *frame)
{
    af_timeline_frame *added = sink->consumer != NULL ? NULL : af_array_add(&sink->frames, 1);
    if (added != NULL) {
        *added = *frame;
        added->begin_ns = af_sink_scaled(frame->begin_ns, sink->markers_scale);
        added->end_ns = af_sink_scaled(frame->end_ns, sink->markers_scale);
    }
}

/* Frames with the same begin are in the order in which they were added, which is that of their
 * addresses. */
static int compare_frames(const void *a, const void *b)
{
    const af_timeline_frame *x = *(const af_timeline_frame *const *)a,
                            *y = *(const af_timeline_frame *const *)b;
    return x->begin_ns != y->begin_ns ? (x->begin_ns < y->begin_ns ? -1 : 1) : (x > y) - (x < y);
}

/* The zero of the profile's times in those of the frames. */
static int64_t find_origin(const af_sink *sink, const af_profile *profile, int64_t first_ns)
{
    const af_facts *facts = &profile->facts;
    const gboolean is_empty = profile->n_threads == 0 && profile->markers.n_markers == 0;
    if (af_content_has_timed_weights(facts->content) && !is_empty) {
        return (int64_t)facts->weights.first_sample_ns;
    }
    return is_empty || af_content_has_weights(facts->content) ? first_ns : sink->marker_origin_ns;
}

gboolean af_sink_finish_frames(af_sink *sink, af_profile *profile)
{
    const size_t n = sink->frames.n;
    if (n == 0) {
        return !sink->frames.failed;
    }
    const af_timeline_frame **ordered = g_try_new(const af_timeline_frame *, n);
    af_timeline_frame *frames = af_arena_alloc(sink->arena, n * sizeof *frames);
    const gboolean ok = ordered != NULL && frames != NULL && !sink->frames.failed;
    for (size_t i = 0; ok && i < n; i++) {
        ordered[i] = &AF_ARRAY_AT(&sink->frames, af_timeline_frame, i);
    }
    if (ok) {
        qsort(ordered, n, sizeof *ordered, compare_frames);
        profile->timeline = (af_frame_timeline){frames, n};
    }
    const int64_t origin_ns = ok ? find_origin(sink, profile, ordered[0]->begin_ns) : 0;
    for (size_t i = 0; ok && i < n; i++) {
        frames[i] = *ordered[i];
        frames[i].begin_ns -= origin_ns;
        frames[i].end_ns -= origin_ns;
    }
    g_free(ordered);
    return ok;
}
