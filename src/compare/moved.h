/* Methods that moved: their time is the same, but on another path, such as below a new wrapper or a
 * renamed caller. */
#pragma once

#include "compare/diff.h"

typedef struct af_moved af_moved;

/* Begins to search the trees of the comparison, as soon as they are complete, in another thread.
 * `jobs` as in af_work_begin(). */
af_moved *af_moved_begin(af_diff *diff, unsigned jobs);

/* Marks methods as moved that take about the same time on both sides (within 10 %, or within noise)
 * while a path with most of that time is gone and another one is new, and links the two paths. The
 * statuses of methods and paths are known. FALSE if memory is refused. */
gboolean af_moved_mark(af_moved *moved);

void af_moved_free(af_moved *moved);
