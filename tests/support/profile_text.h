/* All contents of a profile as one text: equal texts mean equal profiles. */
#pragma once

#include <glib.h>
#include <aflame/aflame.h>

/* Returns the error's message if `profile` is NULL. Takes both. */
char *profile_text(af_profile *profile, GError *error);
