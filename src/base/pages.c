#include "base/pages.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/system.h"

#ifdef AF_SMALL_BLOCKS

/* Under sanitizers, which know the ends of these blocks; they also take a tenth of the time. Their
 * allocator ends the program above some size. */
#define MOST ((size_t)1 << 39)

void *af_pages_alloc(size_t size)
{
    return size > MOST ? NULL : g_try_malloc0(MAX(size, 1));
}

void *af_pages_grow(void *pages, size_t size, size_t larger)
{
    uint8_t *grown = larger > MOST ? NULL : g_try_realloc(pages, larger);
    if (grown != NULL && larger > size) {
        memset(grown + size, 0, larger - size);
    }
    return grown;
}

void af_pages_free(void *pages, size_t size)
{
    g_free(pages);
}

#else

/* Blocks of at least one large page consist of whole ones: the system uses no part of one. */
static size_t round_size(size_t size)
{
    return size < AF_LARGE_PAGE ? MAX(size, 1)
                                : (size + AF_LARGE_PAGE - 1) / AF_LARGE_PAGE * AF_LARGE_PAGE;
}

static void prefer_large(void *pages, size_t size)
{
    if (size >= AF_LARGE_PAGE) {
        af_system_prefer_large_pages(pages, size);
    }
}

static void *map(size_t size)
{
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

/* Maps whole large pages at an address that suits them, or at any if addresses are scarce. */
static void *map_aligned(size_t size)
{
    uint8_t *pages = map(size);
    if (pages == NULL || (uintptr_t)pages % AF_LARGE_PAGE == 0) {
        return pages;
    }
    uint8_t *more = map(size + AF_LARGE_PAGE);
    if (more == NULL) {
        return pages;
    }
    munmap(pages, size);
    const size_t before = AF_LARGE_PAGE - (uintptr_t)more % AF_LARGE_PAGE; /* up to a whole one */
    munmap(more, before);
    if (before < AF_LARGE_PAGE) {
        munmap(more + before + size, AF_LARGE_PAGE - before);
    }
    return more + before;
}

void *af_pages_alloc(size_t size)
{
    if (size > SIZE_MAX / 2) {
        return NULL;
    }
    const size_t rounded = round_size(size);
    void *pages = rounded < AF_LARGE_PAGE ? map(rounded) : map_aligned(rounded);
    if (pages != NULL) {
        prefer_large(pages, rounded);
    }
    return pages;
}

void *af_pages_grow(void *pages, size_t size, size_t larger)
{
    if (pages == NULL) {
        return af_pages_alloc(larger);
    }
    if (larger > SIZE_MAX / 2) {
        return NULL;
    }
    void *grown = af_system_grow_pages(pages, round_size(size), round_size(larger));
    if (grown != NULL) {
        prefer_large(grown, round_size(larger));
    }
    return grown;
}

void af_pages_free(void *pages, size_t size)
{
    if (pages != NULL) {
        munmap(pages, round_size(size));
    }
}

#endif

void af_pages_drop(void *pages, size_t before, size_t done)
{
    const uintptr_t begin = (uintptr_t)pages;
    const uintptr_t from = before == 0 ? begin : (begin + before) / AF_LARGE_PAGE * AF_LARGE_PAGE;
    const uintptr_t to = (begin + done) / AF_LARGE_PAGE * AF_LARGE_PAGE;
    if (pages != NULL) {
        af_pages_forget((const void *)MAX(from, begin), (const void *)to);
    }
}

void af_pages_forget(const void *from, const void *to)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t begin = ((uintptr_t)from + page - 1) / page * page;
    const uintptr_t end = (uintptr_t)to / page * page;
    if (begin < end) {
        af_system_discard((void *)begin, end - begin);
    }
}
