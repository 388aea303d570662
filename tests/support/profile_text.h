/* All contents of a profile as one text: equal texts mean equal profiles. */
#ifndef TESTS_SUPPORT_PROFILE_TEXT_H
#define TESTS_SUPPORT_PROFILE_TEXT_H

#include <aflame/aflame.h>

/* Returns the error's message if `profile` is NULL. Takes both. */
char *profile_text(af_profile *profile, GError *error);

#endif
