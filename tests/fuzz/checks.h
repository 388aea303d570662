/* Invariants of every profile, whatever its input. */
#pragma once

#include "model/profile.h"

void fuzz_check_profile(const af_profile *profile);

/* The single calls of a profile with its input: whole and in parts, they add up to its trees. */
void fuzz_check_calls(const af_profile *profile);

/* The description of the profile, as text and as JSON. */
void fuzz_check_texts(const af_profile *profile);

/* Fails with `wrong`, the message of a check in ../support; NULL means that it passed. */
void fuzz_check_right(char *wrong);

/* Checks that it is one of the library's errors, on one line, and frees it. */
void fuzz_check_error(GError *error);
