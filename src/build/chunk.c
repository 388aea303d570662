#include "build/chunk.h"

void af_chunk_init_first(af_chunk *lane, af_sink *sink)
{
    *lane = (af_chunk){
        .sink = sink, .rebuild = sink->rebuild, .first = TRUE, .known = sink->method_ids.n};
    af_idmap_init(&lane->more_methods, AF_ACTION_BITS);
    lane->more_methods.most = AF_MOST_METHODS - lane->known;
}

void af_chunk_init(af_chunk *lane, af_sink *sink, size_t most_paths)
{
    *lane = (af_chunk){.sink = sink, .known = sink->method_ids.n, .most_paths = most_paths};
    af_idmap_init(&lane->more_methods, AF_ACTION_BITS);
    lane->more_methods.most = AF_MOST_METHODS - lane->known;
    af_idmap_init(&lane->threads, 0);
    af_warnings_init(&lane->warnings);
    lane->rebuild = af_rebuild_new_chunk(&sink->ticks, &lane->warnings);
}

void af_chunk_clear(af_chunk *lane)
{
    af_idmap_clear(&lane->more_methods);
    if (!lane->first) {
        af_idmap_clear(&lane->threads);
        af_rebuild_free(lane->rebuild);
    }
}

uint32_t af_chunk_add_method(af_chunk *lane, uint64_t id)
{
    return lane->known + af_idmap_number(&lane->more_methods, id);
}

uint32_t af_chunk_add_thread(af_chunk *lane, uint64_t id)
{
    return lane->first ? af_sink_thread(lane->sink, id) : af_idmap_number(&lane->threads, id);
}

gboolean af_chunk_events(af_chunk *lane, const af_event *events, size_t n, uint64_t place,
                         uint32_t stride)
{
    af_sink *sink = lane->sink;
    if (lane->first) {
        return af_sink_events(sink, events, n, place, stride);
    }
    if (lane->more_methods.failed || lane->threads.failed ||
        (sink->cancel != NULL && g_cancellable_is_cancelled(sink->cancel))) {
        return FALSE;
    }
    af_rebuild_events(lane->rebuild, events, n, lane->threads.n, place, stride);
    g_atomic_pointer_add(&sink->done, (gssize)(n * stride));
    return !af_rebuild_gave_up(lane->rebuild) && af_chunk_paths(lane) < lane->most_paths;
}

size_t af_chunk_paths(const af_chunk *lane)
{
    return af_rebuild_n_paths(lane->rebuild);
}

/* For each number of a map the sink's, in the order in which the lane met them. */
static uint32_t *translate(const af_idmap *from, af_idmap *to, uint32_t same)
{
    uint32_t *number_of = g_try_malloc_n((size_t)from->n + same + 1, sizeof *number_of);
    for (uint32_t i = 0; number_of != NULL && i < same; i++) {
        number_of[i] = i;
    }
    for (uint32_t i = 0; number_of != NULL && i < from->n; i++) {
        number_of[same + i] = af_idmap_number(to, from->ids[i]);
    }
    return number_of;
}

gboolean af_chunk_join(af_chunk *lane)
{
    af_sink *sink = lane->sink;
    if (lane->first) {
        /* the same numbers as the lane gave them */
        for (uint32_t i = 0; i < lane->more_methods.n; i++) {
            af_sink_method(sink, lane->more_methods.ids[i]);
        }
        sink->method_ids.failed |= lane->more_methods.failed;
        return TRUE;
    }
    if (lane->more_methods.failed || lane->threads.failed || af_rebuild_gave_up(lane->rebuild)) {
        return FALSE;
    }
    uint32_t *thread_of = translate(&lane->threads, &sink->thread_ids, 0);
    uint32_t *method_of = translate(&lane->more_methods, &sink->method_ids, lane->known);
    const gboolean joined =
        thread_of != NULL && method_of != NULL && !sink->method_ids.failed &&
        !sink->thread_ids.failed &&
        af_rebuild_join(sink->rebuild, lane->rebuild, thread_of, method_of, sink->thread_ids.n);
    for (unsigned kind = 0; joined && kind < AF_WARNING_COUNT; kind++) {
        if (lane->warnings.count[kind] > 0) {
            af_sink_warn(sink, kind, lane->warnings.count[kind], lane->warnings.place[kind]);
        }
    }
    g_free(thread_of);
    g_free(method_of);
    return joined;
}
