/* The union of the call trees of both sides. */
#pragma once

#include "compare/pairing.h"

/* How sums of runs become the numbers of a side: value * times / over, rounded to nearest. */
typedef struct {
    uint64_t times, over;
} af_scale;

uint64_t af_scale_apply(const af_scale *scale, uint64_t sum);

/* The times of all threads of a side in the given clock, or, for waiting, in the clocks that it is
 * computed from. */
uint64_t af_union_total(const af_runs *runs, af_clock clock);

/* Where the nodes of the threads of each side ended up: [side][thread of the side][node]. */
typedef struct {
    uint32_t **node_of[AF_SIDES]; /* NULL for a thread unless runs are to be tested */
    uint32_t *pair_of[AF_SIDES];  /* by thread: number in diff->threads */
} af_union_nodes;

/* Fills in the threads of the comparison, without statuses, on `jobs` threads as in
 * af_workers_run(). FALSE if memory is refused. */
gboolean af_union_build(af_diff *diff, const af_runs *const sides[AF_SIDES], GPtrArray *pairs,
                        const af_pairing_labels *labels, const af_scale scale[AF_SIDES],
                        unsigned jobs, af_union_nodes *nodes);

void af_union_nodes_clear(af_union_nodes *nodes, const af_runs *const sides[AF_SIDES]);
