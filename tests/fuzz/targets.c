#include "targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TARGET(name) fuzz_target fuzz_##name;
#include "targets.inc"
#undef TARGET

static const struct {
    const char *name;
    fuzz_target *run;
} targets[] = {
#define TARGET(name) {#name, fuzz_##name},
#include "targets.inc"
#undef TARGET
};

fuzz_target *fuzz_find_target(const char *name)
{
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        if (strcmp(targets[i].name, name) == 0) {
            return targets[i].run;
        }
    }
    fprintf(stderr, "unknown target %s\n", name);
    exit(2);
}
