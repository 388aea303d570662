/* A chunk: a range of the records that one worker decodes on its way to the sink.
 *
 * A reader that can find records without reading the earlier ones cuts them into ranges and gives
 * each range a chunk. The first chunk feeds the sink's rebuilder; the others have their own
 * rebuilders and are joined in order. While chunks run, the sink's map of methods is read-only:
 * each chunk gives the ids that the map lacks numbers of its own, which the join translates. */
#pragma once

#include "build/sink.h"

typedef struct af_chunk af_chunk;

/* The most memory that a path takes in a chunk. */
#define AF_PATH_BYTES ((size_t)160)

/* For the first range, or a range whose predecessors are all in the sink; for later ranges, which
 * accept no more events when they hold `most_paths` paths. */
af_chunk *af_chunk_new_first(af_sink *sink);
af_chunk *af_chunk_new(af_sink *sink, size_t most_paths);
void af_chunk_free(af_chunk *chunk);

gboolean af_chunk_is_first(const af_chunk *chunk);

/* Returns the number of a method id that the sink's map (see af_sink_borrow_ids()) lacks, and the
 * number of a thread, for events of this chunk. */
uint32_t af_chunk_add_method(af_chunk *chunk, uint64_t id);
uint32_t af_chunk_thread(af_chunk *chunk, uint64_t id);

/* The number of paths in a chunk other than a first one. */
size_t af_chunk_paths(const af_chunk *chunk);

/* As af_sink_events(). Returns FALSE also when the chunk is full, in which case it has accepted
 * these events, or has given up. */
gboolean af_chunk_events(af_chunk *chunk, const af_event *events, size_t n, uint64_t offset,
                         uint32_t stride);

void af_chunk_warn(af_chunk *chunk, af_warning_kind kind, uint64_t n, uint64_t offset);

/* Adds the content of the chunk to the sink; all earlier chunks must have been added. Returns FALSE
 * if the records must be passed to a new first chunk instead; never for a first chunk. */
gboolean af_chunk_join(af_chunk *chunk);
