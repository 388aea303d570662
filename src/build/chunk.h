/* A lane: a range of the records on its way to the sink, on its own thread of execution.
 *
 * A reader whose records can be found without reading those before cuts them in ranges and gives
 * each a lane. The first lane goes straight to the sink's rebuilder, the others have their own and
 * are joined in order. While lanes run, the sink's methods are only read: ids that it does not know
 * get numbers behind those it knows, in each lane its own, until the lane is joined. */
#ifndef AF_BUILD_CHUNK_H
#define AF_BUILD_CHUNK_H

#include "build/sink.h"

typedef struct {
    af_sink *sink;
    af_rebuild *rebuild;
    gboolean first;        /* `rebuild` is the sink's, and so are threads and warnings */
    size_t most_paths;     /* when there are so many it is full; not in a first lane */
    af_idmap more_methods; /* ids that the sink does not know, numbered from `known` on */
    uint32_t known;
    af_idmap threads;
    af_warnings warnings;
} af_chunk;

/* What a path takes in memory while it is in a lane, at most. */
#define AF_PATH_BYTES ((size_t)120)

/* For the first range, or any other when all before it are in the sink; and for later ones, which
 * take no more events when they hold `most_paths` paths. */
void af_chunk_init_first(af_chunk *lane, af_sink *sink);
void af_chunk_init(af_chunk *lane, af_sink *sink, size_t most_paths);
void af_chunk_clear(af_chunk *lane);

/* Slow paths of the two below. */
uint32_t af_chunk_add_method(af_chunk *lane, uint64_t id);
uint32_t af_chunk_add_thread(af_chunk *lane, uint64_t id);

/* The numbers to put into events of this lane. */
static inline uint32_t af_chunk_method(af_chunk *lane, uint64_t id)
{
    const uint32_t number = af_idmap_look(&lane->sink->method_ids, id);
    return number != AF_IDMAP_NONE ? number : af_chunk_add_method(lane, id);
}

static inline uint32_t af_chunk_thread(af_chunk *lane, uint64_t id)
{
    return af_chunk_add_thread(lane, id);
}

/* How many paths a lane that is not a first one holds. */
size_t af_chunk_paths(const af_chunk *lane);

/* As af_sink_events(). FALSE also when a lane is full, having taken these events, or has given
 * up. */
gboolean af_chunk_events(af_chunk *lane, const af_event *events, size_t n, uint64_t place,
                         uint32_t stride);

static inline void af_chunk_warn(af_chunk *lane, af_warning_kind kind, uint64_t n, uint64_t place)
{
    af_warnings_add(lane->first ? &lane->sink->warnings : &lane->warnings, kind, n, place);
}

/* Adds what the lane has taken to the sink, when all before it was. FALSE if its records must be
 * given to a new first lane; never for a first lane. */
gboolean af_chunk_join(af_chunk *lane);

#endif
