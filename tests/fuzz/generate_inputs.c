/* The program that libFuzzer drives (run.sh): AFLAME_FUZZ_TARGET names the target. */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"
#include "targets.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);

static fuzz_target *target;
static unsigned long n_read;

static void print_read(void)
{
    fprintf(stderr, "stat::inputs_that_a_reader_accepted: %lu\n", n_read);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = getenv("AFLAME_FUZZ_TARGET");
    target = fuzz_find_target(name != NULL ? name : "");
    fuzz_share = 8;
    atexit(print_read);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_was_read = 0;
    const int answer = target(bytes, size);
    n_read += fuzz_was_read != 0;
    return answer;
}
