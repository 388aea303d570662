/* All fuzz targets in one program, by name: target_<name>.c defines <name>. */
#pragma once

#include "fuzz.h"

typedef int fuzz_target(const uint8_t *bytes, size_t size);

/* Exits with status 2 if there is no such target. */
fuzz_target *fuzz_find_target(const char *name);
