/* Labels: the displayed names of methods. */
#pragma once

#include "model/profile.h"

/* Makes profile->labels from profile->methods in the style profile->names. Methods with
 * the same text share a label. `label_of` receives the label of each method. FALSE if memory is
 * refused. */
gboolean af_labels_make(af_profile *profile, uint32_t *label_of);

/* Appends "pkg.Class.method(int, String)" to `to`: the whole name, with arguments if the file has
 * them. */
void af_method_append_full(GString *to, const af_method *method);
