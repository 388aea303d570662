/* The largest causes of a difference: the paths that account for most of it. */
#pragma once

#include "compare/diff.h"

typedef struct af_causes af_causes;

/* Prepares the search as soon as the trees of the comparison are complete, in other threads. `jobs`
 * as in af_work_begin(). */
af_causes *af_causes_begin(af_diff *diff, unsigned jobs);

/* Fills in the causes of the comparison, largest first, when all statuses are known. FALSE if memory
 * is refused. */
gboolean af_causes_find(af_causes *causes);

void af_causes_free(af_causes *causes);
