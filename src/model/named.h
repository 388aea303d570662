/* Lists of methods by name. */
#pragma once

#include "model/profile.h"

/* A star at the end of the pattern matches anything that begins so, at the start anything that ends
 * so. */
static inline gboolean af_name_fits(const char *pattern, const char *text)
{
    if (pattern[0] == '*') {
        return pattern[1] == '\0' || g_str_has_suffix(text, pattern + 1);
    }
    while (*pattern == *text && *text != '\0' && *pattern != '*') {
        pattern++;
        text++;
    }
    return *pattern == *text || *pattern == '*';
}

/* Class with dots (NULL or "" = the label has no class) and method, patterns of
 * af_name_fits(). */
typedef struct {
    const char *class_name, *method;
} af_name;

/* Whether one of the names matches the label. `names` ends with a method of NULL. */
gboolean af_label_is_named(const af_profile *profile, const af_label *label, const af_name *names);
