/* The largest causes of a difference: the paths where most of it comes together. */
#ifndef AF_COMPARE_CAUSES_H
#define AF_COMPARE_CAUSES_H

#include "compare/diff.h"

/* Fills in the causes of the comparison, largest first. FALSE if memory is refused. */
gboolean af_causes_find(af_diff *diff);

#endif
