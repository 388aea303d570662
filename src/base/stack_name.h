/* Names in folded stacks, "THREAD;FRAME;FRAME 12". */
#pragma once

#include <glib.h>

/* Whether a reader would take the end of the name for a count, or cut off its last blank: such a
 * name gets a `_` after it. */
gboolean af_stack_name_runs_into_count(const char *name, size_t length);
