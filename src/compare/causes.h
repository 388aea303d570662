/* The largest causes of a difference: the paths that account for most of it. */
#pragma once

#include "compare/diff.h"

/* Fills in the causes of the comparison, largest first, when all statuses are known. FALSE if memory
 * is refused. */
gboolean af_causes_find(af_diff *diff);
