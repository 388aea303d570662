/* The methods of a comparison. */
#pragma once

#include "compare/union_tree.h"

/* Fills in the methods in order of their labels: numbers of both sides from the trees, on `jobs`
 * threads as in af_workers_run(). FALSE if memory is refused. */
gboolean af_methods_collect(af_diff *diff, unsigned jobs);

/* Replaces the numbers by the medians of the runs and stores the inclusive time of each run in
 * `runs` of the figures. Sorts the methods by text, so that the comparison of runs does not depend
 * on the order of labels. FALSE if memory is refused. */
gboolean af_methods_take_runs(af_diff *diff, const af_runs *const sides[AF_SIDES],
                              const af_pairing_labels *labels, const af_scale scale[AF_SIDES]);

/* The part of the difference of a time that the change in its calls explains. */
int64_t af_methods_by_calls(uint64_t before, uint64_t calls_before, uint64_t after,
                            uint64_t calls_after);

/* Splits each difference into more calls and slower calls. */
void af_methods_split(af_diff *diff);

/* By size of the difference of inclusive, then of self times, then by name. */
void af_methods_sort(af_diff *diff);
