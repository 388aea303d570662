/* The program that libFuzzer drives (run.sh): AFLAME_FUZZ_TARGET names the target. */
#include <stdlib.h>

#include "targets.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);

static fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    const char *name = getenv("AFLAME_FUZZ_TARGET");
    target = fuzz_find_target(name != NULL ? name : "");
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return target(bytes, size);
}
