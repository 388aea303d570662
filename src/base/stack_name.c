#include "base/stack_name.h"

static gboolean ends_in_blank(const char *name, size_t length)
{
    if (length > 0 && (unsigned char)name[length - 1] < 0x80) {
        return g_unichar_isspace((unsigned char)name[length - 1]);
    }
    const char *last = g_utf8_find_prev_char(name, name + length);
    return last != NULL && g_unichar_isspace(g_utf8_get_char(last));
}

/* "step 2", "took 1.5": a reader finds two counts. A blank at the end would become part of the
 * count. */
gboolean af_stack_name_runs_into_count(const char *name, size_t length)
{
    size_t at = length;
    while (at > 0 && (g_ascii_isdigit(name[at - 1]) || name[at - 1] == '.')) {
        at--;
    }
    if (at < length) {
        return at > 0 && name[at - 1] == ' ' && g_ascii_isdigit(name[at]);
    }
    return ends_in_blank(name, length);
}
