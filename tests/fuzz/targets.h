/* All fuzz targets in one program, by name: target_<name>.c defines <name>, and targets.c those of
 * readers that need nothing of their own. */
#pragma once

#include "fuzz.h"

typedef int fuzz_target(const uint8_t *bytes, size_t size);

/* Exits with status 2 if there is no such target. */
fuzz_target *fuzz_find_target(const char *name);
