/* Groups: what the colours of an input mean where categories do not distinguish its code.
 *
 * Native code is grouped by its library, events by the category that the file names. If a single
 * category or group holds over four fifths of the time, it is divided further: by package,
 * namespace or the first part of its names. The heaviest groups have a hue of their own; the others
 * share the hue of unknown code. Labels without a group have the hue of their category. */
#pragma once

#include "model/profile.h"

/* Requires categories. Returns FALSE if memory is refused. */
gboolean af_groups_assign(af_profile *profile);

/* The colour of a label: a category, whose colours it has. */
static inline unsigned af_label_hue(const af_profile *profile, const af_label *label)
{
    return label->group > 0 ? profile->groups[label->group - 1].hue : (unsigned)label->category;
}

/* The title of its group, or of its category if the group consists of this label. */
const char *af_label_origin(const af_profile *profile, const af_label *label);

/* The meaning of a hue in this profile. */
const char *af_groups_hue_title(const af_profile *profile, unsigned hue);

/* Whether the frames of a label each represent several frames, and so are slim. */
static inline gboolean af_label_is_slim(const af_label *label)
{
    return label->category == AF_CATEGORY_FOLDED || label->methods == 0;
}
