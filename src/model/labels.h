/* How methods are written. */
#ifndef AF_MODEL_LABELS_H
#define AF_MODEL_LABELS_H

#include "model/profile.h"

/* Makes profile->labels from profile->methods in the style profile->names: methods that are
 * written alike share one. `label_of` has room for a number for each method. FALSE if the machine
 * refuses memory. */
gboolean af_labels_make(af_profile *profile, uint32_t *label_of);

/* "pkg.Class.method(int, String)": the whole name with its arguments if the file knows them.
 * Appended to `to`. */
void af_method_append_full(GString *to, const af_method *method);

#endif
