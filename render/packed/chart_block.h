/* The calls of a chart inside the block that render/pack.h describes. */
#ifndef AF_RENDER_PACKED_CHART_BLOCK_H
#define AF_RENDER_PACKED_CHART_BLOCK_H

#include "render/chart/chart.h"
#include "render/packed/deflater.h"

typedef struct {
    af_chart *chart;
    const af_profile *profile; /* NULL = its threads have all clocks, and nothing lies beside */
    const uint32_t *order;     /* the profile's threads as they stand in the block */
    const uint32_t *numbers;   /* by label of the profile: its number in the block + 1; NULL = as in
                                  the profile, to see how large it becomes */
    uint32_t joined;           /* the number that means joined calls */
    uint64_t zero_ns;          /* what times are told since */
    gboolean overflow, truncated;
    const char *highlighted; /* as in af_sheet_options */
} af_chart_block;

/* FALSE if the machine refuses memory. */
gboolean af_chart_block_write(const af_chart_block *block, af_deflater *out);

/* How many bytes the calls need, deflated; 0 if the machine refuses memory. */
size_t af_chart_block_measure(const af_chart_block *block);

/* Joins calls of block->chart until they need at most `size` bytes, deflated, if that can be.
 * Returns how many they need; 0 if memory is refused. */
size_t af_chart_block_fit(const af_chart_block *block, size_t size);

#endif
