/* What a sampling profiler would have seen of a profile. */
#ifndef TESTS_STEP_ROWS_H
#define TESTS_STEP_ROWS_H

#include <aflame/aflame.h>
#include "export_rows.h"

/* Counts, for each stack, the middles of equal steps of time at which it was the current one. Steps
 * are as long as the format "gecko" takes them. The profile was opened with `keep_input`. */
void step_rows_add(export_rows *rows, const af_profile *profile);

#endif
