/* The result of a simulated sampling profiler. */
#pragma once

#include <aflame/aflame.h>
#include "export_rows.h"

/* Counts for each stack the midpoints of equal time steps at which it was current. The steps have
 * the length that the format "gecko" uses. The profile was opened with `keep_input`. */
void step_rows_add(export_rows *rows, const af_profile *profile);
