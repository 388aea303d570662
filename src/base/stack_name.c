#include "base/stack_name.h"

/* "step 2", "took 1.5": a reader finds two counts. A blank at the end would become part of the
 * count. */
gboolean af_stack_name_runs_into_count(const char *name, size_t length)
{
    size_t at = length;
    const char *last = g_utf8_find_prev_char(name, name + length);
    if (last != NULL && g_unichar_isspace(g_utf8_get_char(last))) {
        return TRUE;
    }
    while (at > 0 && (g_ascii_isdigit(name[at - 1]) || name[at - 1] == '.')) {
        at--;
    }
    return at > 0 && at < length && name[at - 1] == ' ' && g_ascii_isdigit(name[at]);
}
