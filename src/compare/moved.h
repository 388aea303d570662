/* Methods whose time is the same at another place: below a new wrapper, or a renamed caller. */
#ifndef AF_COMPARE_MOVED_H
#define AF_COMPARE_MOVED_H

#include "compare/diff.h"

/* Marks methods as moved that take about the same time on both sides (within 10 %, or within noise)
 * while a path with most of that time is gone and another one is new, and links the two paths.
 * FALSE if memory is refused. */
gboolean af_moved_mark(af_diff *diff);

#endif
