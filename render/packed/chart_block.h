/* The calls of a chart inside the block that render/packed/pack.h specifies. */
#pragma once

#include "render/chart/chart.h"
#include "render/packed/deflater.h"

typedef struct {
    af_chart *chart;
    const af_profile *profile; /* NULL = its threads have all clocks, and there are no markers */
    const uint32_t *order;     /* the profile's threads in the order of the block */
    uint32_t n_threads;        /* of the block */
    const uint32_t *numbers;   /* by label of the profile: its number in the block + 1; NULL = as in
                                  the profile, for measuring */
    uint32_t joined;           /* the number that means merged calls */
    uint64_t zero_ns;          /* origin of times */
    gboolean overflow, truncated;
} af_chart_block;

/* FALSE if memory is refused. */
gboolean af_chart_block_write(const af_chart_block *block, af_deflater *out);

/* The size of the calls in bytes, deflated; 0 if memory is refused. */
size_t af_chart_block_measure(const af_chart_block *block);

/* Merges calls of block->chart until they need at most `size` bytes, deflated, if possible. Returns
 * their size; 0 if memory is refused. */
size_t af_chart_block_fit(const af_chart_block *block, size_t size);
