/* What all fuzz targets share.
 *
 * A target is one function that takes any bytes. libFuzzer calls it with bytes that it makes up;
 * replay.c calls it with the files of a corpus. A broken promise ends the program. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* replay.c holds all targets, each under a name of its own that the build gives it. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Prints the promise that was broken and aborts. */
void fuzz_fail(const char *file, int line, const char *promise) __attribute__((noreturn));

#define FUZZ_CHECK(promise)                                                                        \
    do {                                                                                           \
        if (!(promise)) {                                                                          \
            fuzz_fail(__FILE__, __LINE__, #promise);                                               \
        }                                                                                          \
    } while (0)

#endif
