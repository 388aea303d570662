#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

void fuzz_fail(const char *file, int line, const char *promise)
{
    fprintf(stderr, "%s:%d: broken: %s%s%s\n", file, line, promise,
            fuzz_verb != NULL ? ", during " : "", fuzz_verb != NULL ? fuzz_verb : "");
    abort();
}

unsigned fuzz_share = 1;
int fuzz_was_read = 0;
const char *fuzz_verb = NULL;

int fuzz_selects(const uint8_t *bytes, size_t size)
{
    uint32_t hash = 2166136261;
    for (size_t i = 0; fuzz_share > 1 && i < size; i++) {
        hash = (hash ^ bytes[i]) * 16777619;
    }
    return (hash >> 8) % fuzz_share == 0 || fuzz_share == 1;
}
