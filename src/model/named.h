/* Lists of methods by name. */
#pragma once

#include "model/profile.h"

/* Class with dots (NULL or "" = the label has no class) and method. A star at the end matches
 * anything that begins so, at the start anything that ends so. */
typedef struct {
    const char *class_name, *method;
} af_name;

/* Whether one of the names matches the label. `names` ends with a method of NULL. */
gboolean af_label_is_named(const af_profile *profile, const af_label *label, const af_name *names);
