/* The part of the allowed memory that the tables, files and sorters of a reader take. */
#pragma once

#include "base/spool.h"
#include "build/sink.h"

/* A spool or a sorter moves to a file sooner if little memory is allowed: each takes a sixteenth. */
static inline size_t af_held_by_sorter(const af_sink *sink)
{
    const uint64_t most = af_sink_max_memory(sink) / 16;
    return most == 0 ? 0 : (size_t)MIN(most, AF_SPOOL_MOST_HELD);
}

static inline af_spool *af_held_spool_new(const af_sink *sink)
{
    af_spool_limits limits = af_spool_default_limits;
    const size_t most = af_held_by_sorter(sink);
    limits.held = most == 0 ? limits.held : most;
    return af_spool_new(&limits);
}
