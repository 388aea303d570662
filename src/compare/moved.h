/* Methods that moved: their time is the same, but on another path, such as below a new wrapper or a
 * renamed caller. */
#pragma once

#include "compare/diff.h"

/* Marks methods as moved that take about the same time on both sides (within 10 %, or within noise)
 * while a path with most of that time is gone and another one is new, and links the two paths. The
 * statuses of methods and paths are known. FALSE if memory is refused. */
gboolean af_moved_mark(af_diff *diff);
