/* Runs a whole reader over bytes in memory. */
#pragma once

#include "fuzz.h"
#include "read/reader.h"

/* `half` is the other half of a pair, or NULL. Checks the result. */
void fuzz_read(const af_reader *reader, af_source source, const af_source *half);

/* The same with other options. */
void fuzz_read_with(const af_reader *reader, af_source source, const af_source *half,
                    const af_open_options *options);

/* A saved profile. Its counts are the writer's; its trees keep the invariants of trees. */
void fuzz_read_saved(af_source source);
