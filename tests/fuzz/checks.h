/* What holds for every profile, whatever it was read from. */
#ifndef TESTS_FUZZ_CHECKS_H
#define TESTS_FUZZ_CHECKS_H

#include "model/profile.h"

void fuzz_check_profile(const af_profile *profile);

/* An error of the library's own, in one line. Frees it. */
void fuzz_check_error(GError *error);

#endif
