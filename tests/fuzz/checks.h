/* Invariants of every profile, whatever its input. */
#ifndef TESTS_FUZZ_CHECKS_H
#define TESTS_FUZZ_CHECKS_H

#include "model/profile.h"

void fuzz_check_profile(const af_profile *profile);

/* The description of the profile, as text and as JSON. */
void fuzz_check_texts(const af_profile *profile);

/* Checks that it is one of the library's errors, on one line, and frees it. */
void fuzz_check_error(GError *error);

#endif
