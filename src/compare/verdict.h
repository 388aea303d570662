/* Decides which differences are more than noise. */
#pragma once

#include "compare/union_tree.h"

/* Sets p, intervals and statuses of methods, threads and paths. FALSE if memory is refused. `jobs`
 * as in af_workers_run(). */
gboolean af_verdict_reach(af_diff *diff, const af_runs *const sides[AF_SIDES],
                          const af_union_nodes *nodes, const af_scale scale[AF_SIDES],
                          unsigned jobs);

/* Whether both sides have sums for each run, and at least one side has several runs. */
gboolean af_verdict_has_runs(const af_runs *const sides[AF_SIDES]);
