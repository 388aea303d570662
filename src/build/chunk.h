/* A chunk: a range of the records that one worker decodes on its way to the sink.
 *
 * A reader whose records can be found without reading those before them cuts them in ranges and
 * gives each a chunk. The first chunk feeds the sink's rebuilder; the others have a rebuilder of
 * their own and are joined in order. While chunks run, the sink's map of methods is only read: ids
 * that it lacks get numbers after those that it has, in each chunk its own, until the chunk is
 * joined. */
#ifndef AF_BUILD_CHUNK_H
#define AF_BUILD_CHUNK_H

#include "build/sink.h"

typedef struct af_chunk af_chunk;

/* The most memory that a path takes while it is in a chunk. */
#define AF_PATH_BYTES ((size_t)120)

/* For the first range, or for one before which everything is in the sink; and for later ranges,
 * which take no more events when they hold `most_paths` paths. */
af_chunk *af_chunk_new_first(af_sink *sink);
af_chunk *af_chunk_new(af_sink *sink, size_t most_paths);
void af_chunk_free(af_chunk *chunk);

gboolean af_chunk_is_first(const af_chunk *chunk);

/* The number of an id that the sink's map lacks (af_sink_lend_ids() lends that map), and that of a
 * thread, for events of this chunk. */
uint32_t af_chunk_add_method(af_chunk *chunk, uint64_t id);
uint32_t af_chunk_thread(af_chunk *chunk, uint64_t id);

/* How many paths a chunk holds that is not a first one. */
size_t af_chunk_paths(const af_chunk *chunk);

/* As af_sink_events(). FALSE also when the chunk is full, having taken these events, or has given
 * up. */
gboolean af_chunk_events(af_chunk *chunk, const af_event *events, size_t n, uint64_t offset,
                         uint32_t stride);

void af_chunk_warn(af_chunk *chunk, af_warning_kind kind, uint64_t n, uint64_t offset);

/* Adds everything that the chunk has taken to the sink, after everything before it was added. FALSE
 * if its records must be given to a new first chunk; never for a first chunk. */
gboolean af_chunk_join(af_chunk *chunk);

#endif
