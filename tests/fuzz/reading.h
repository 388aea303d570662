/* Builds profiles: from a sink that a target fills, and by a whole reader from bytes in memory. */
#pragma once

#include "fuzz.h"
#include "read/reader.h"

/* Fills a sink, the same way each time. */
typedef gboolean (*fuzz_fill)(const void *user, af_sink *sink, GError **error);

/* Checks the profile that the sink builds, or its error; with `selected`, also the costly
 * properties: its texts, and its single calls. */
void fuzz_build(fuzz_fill fill, const void *user, const af_open_options *options,
                gboolean selected);

/* `half` is the other half of a pair, or NULL. Checks the result. */
void fuzz_read(const af_reader *reader, af_source source, const af_source *half);

/* The same with other options. */
void fuzz_read_with(const af_reader *reader, af_source source, const af_source *half,
                    const af_open_options *options);

/* A saved profile. Its counts are the writer's; its trees keep the invariants of trees. */
void fuzz_read_saved(af_source source);
