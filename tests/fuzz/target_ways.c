/* Any input, from memory and through a small window: the same profile, or the same error. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../support/profile_text.h"
#include "api/open.h"
#include "fuzz.h"

/* A file opened at an offset is read like a pipe. */
static char *read_way(const uint8_t *bytes, size_t size, size_t window)
{
    const int fd = memfd_create("way", 0);
    const size_t begin = window > 0;
    FUZZ_CHECK(fd >= 0 && ftruncate(fd, (off_t)(begin + size)) == 0);
    FUZZ_CHECK(pwrite(fd, bytes, size, (off_t)begin) == (ssize_t)size);
    FUZZ_CHECK(lseek(fd, (off_t)begin, SEEK_SET) == (off_t)begin);
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.jobs = 1;
    af_source_needs needs = af_open_needs(&options);
    needs.window = window;
    GError *error = NULL;
    g_autoptr(af_source) source = af_source_open_fd(fd, &needs, &error);
    af_profile *profile = source == NULL ? NULL : af_open_profile(source, NULL, &options, &error);
    FUZZ_CHECK((profile == NULL) == (error != NULL));
    close(fd);
    return profile_text(profile, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const size_t windows[] = {AF_SOURCE_LEAST, 1000};
    g_autofree char *whole = read_way(bytes, size, 0);
    for (unsigned i = 0; i < G_N_ELEMENTS(windows); i++) {
        g_autofree char *forward = read_way(bytes, size, windows[i]);
        if (strcmp(whole, forward) != 0) {
            fprintf(stderr, "whole:\n%s\nwith a window of %zu:\n%s\n", whole, windows[i], forward);
        }
        FUZZ_CHECK(strcmp(whole, forward) == 0);
    }
    return 0;
}
