// Linked into every program under sanitizers. LeakSanitizer reads all global variables of a program at
// its end, which include eight megabytes of tables of the sanitizer that the tests never fill: one page
// fault for each page is a quarter of the time of a short command. This loads the pages in one call.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_READ // Linux 5.14; older kernels refuse it, and the pages are loaded one by one
#define MADV_POPULATE_READ 22
#endif

// the bounds of the zeroed global variables, from the linker
extern char edata[], end[];

static void load_globals(void)
{
    const char *options = getenv("ASAN_OPTIONS");
    uintptr_t page = 4096, from = ((uintptr_t)edata + page - 1) & ~(page - 1);
    if (options == NULL || strstr(options, "detect_leaks=0") == NULL)
        (void)madvise((void *)from, (uintptr_t)end - from, MADV_POPULATE_READ);
}

__attribute__((constructor)) static void load_globals_at_exit(void)
{
    (void)atexit(load_globals);
}
