#include "build/chunk.h"

#include "base/cancel.h"
#include "build/sink_state.h"

struct af_chunk {
    af_sink *sink;
    af_rebuild *rebuild;
    gboolean first; /* `rebuild`, `threads` and `warnings` are the sink's */
    size_t
        most_paths; /* the number of paths at which the chunk is full; unused for a first chunk */
    af_idmap more_methods; /* ids that the sink lacks, numbered from `known` */
    uint32_t known;
    af_idmap threads;
    af_warnings warnings;
};

static af_chunk *new_chunk(af_sink *sink)
{
    af_chunk *chunk = g_new0(af_chunk, 1);
    chunk->sink = sink;
    chunk->known = sink->method_ids.n;
    af_idmap_init(&chunk->more_methods, AF_ACTION_BITS, NULL);
    chunk->more_methods.most = AF_MOST_METHODS - chunk->known;
    return chunk;
}

af_chunk *af_chunk_new_first(af_sink *sink)
{
    af_chunk *chunk = new_chunk(sink);
    chunk->rebuild = sink->rebuild;
    chunk->first = TRUE;
    return chunk;
}

af_chunk *af_chunk_new(af_sink *sink, size_t most_paths)
{
    af_chunk *chunk = new_chunk(sink);
    chunk->most_paths = most_paths;
    af_idmap_init(&chunk->threads, 0, NULL);
    af_warnings_init(&chunk->warnings);
    chunk->rebuild = af_rebuild_new_chunk(&sink->ticks, &chunk->warnings);
    return chunk;
}

void af_chunk_free(af_chunk *chunk)
{
    if (chunk == NULL) {
        return;
    }
    af_idmap_clear(&chunk->more_methods);
    if (!chunk->first) {
        af_idmap_clear(&chunk->threads);
        af_rebuild_free(chunk->rebuild);
    }
    g_free(chunk);
}

gboolean af_chunk_is_first(const af_chunk *chunk)
{
    return chunk->first;
}

uint32_t af_chunk_add_method(af_chunk *chunk, uint64_t id)
{
    return chunk->known + af_idmap_number(&chunk->more_methods, id);
}

uint32_t af_chunk_thread(af_chunk *chunk, uint64_t id)
{
    return chunk->first ? af_sink_thread(chunk->sink, id) : af_idmap_number(&chunk->threads, id);
}

gboolean af_chunk_events(af_chunk *chunk, const af_event *events, size_t n, uint64_t offset,
                         uint32_t stride)
{
    af_sink *sink = chunk->sink;
    if (chunk->first) {
        return af_sink_events(sink, events, n, offset, stride);
    }
    if (chunk->more_methods.failed || chunk->threads.failed ||
        af_cancel_is_requested(sink->cancel)) {
        return FALSE;
    }
    af_rebuild_events(chunk->rebuild, events, n, chunk->threads.n, offset, stride);
    g_atomic_pointer_add(&sink->done, (gssize)(n * stride));
    return !af_rebuild_gave_up(chunk->rebuild) && af_chunk_paths(chunk) < chunk->most_paths;
}

void af_chunk_warn(af_chunk *chunk, af_warning_kind kind, uint64_t n, uint64_t offset)
{
    af_warnings_add(chunk->first ? &chunk->sink->warnings : &chunk->warnings, kind, n, offset);
}

size_t af_chunk_paths(const af_chunk *chunk)
{
    return af_rebuild_n_paths(chunk->rebuild);
}

/* Returns, for each number of a map, the sink's number, in the order in which the chunk first met
 * the ids. */
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

gboolean af_chunk_join(af_chunk *chunk)
{
    af_sink *sink = chunk->sink;
    if (chunk->first) {
        /* the numbers that the chunk assigned */
        for (uint32_t i = 0; i < chunk->more_methods.n; i++) {
            af_sink_method(sink, chunk->more_methods.ids[i]);
        }
        sink->method_ids.failed |= chunk->more_methods.failed;
        return TRUE;
    }
    if (chunk->more_methods.failed || chunk->threads.failed || af_rebuild_gave_up(chunk->rebuild)) {
        return FALSE;
    }
    g_autofree uint32_t *thread_of = translate(&chunk->threads, &sink->thread_ids, 0);
    g_autofree uint32_t *method_of =
        translate(&chunk->more_methods, &sink->method_ids, chunk->known);
    const gboolean joined =
        thread_of != NULL && method_of != NULL && !sink->method_ids.failed &&
        !sink->thread_ids.failed &&
        af_rebuild_join(sink->rebuild, chunk->rebuild, thread_of, method_of, sink->thread_ids.n);
    for (unsigned kind = 0; joined && kind < AF_WARNING_COUNT; kind++) {
        if (chunk->warnings.count[kind] > 0) {
            af_sink_warn(sink, kind, chunk->warnings.count[kind], chunk->warnings.offset[kind]);
        }
    }
    return joined;
}
