#define _GNU_SOURCE /* mremap */
#include "refusals.h"

#include <errno.h>
#include <hb-subset.h>
#include <libdeflate.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <zlib.h>

#include "base/arena.h"

static atomic_bool counting;
static atomic_uint counted;
static unsigned refused;
static gboolean all_after;

void refusals_begin(unsigned number, gboolean all)
{
    refused = number;
    all_after = all;
    atomic_store(&counted, 0);
    atomic_store(&counting, true);
}

unsigned refusals_end(void)
{
    atomic_store(&counting, false);
    return atomic_load(&counted);
}

static gboolean is_refused(void)
{
    if (!atomic_load(&counting)) {
        return FALSE;
    }
    const unsigned number = atomic_fetch_add(&counted, 1) + 1;
    return refused > 0 && (number == refused || (all_after && number > refused));
}

/* The function that the linker calls instead of NAME, and the real NAME. */
#define INSTEAD(type, name, parameters, arguments, refusal)                                        \
    type __real_##name parameters;                                                                 \
    /* libraries use these names too, and bypass the wrapper */                                    \
    __attribute__((visibility("default"))) type __wrap_##name parameters;                          \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        return is_refused() ? (refusal) : __real_##name arguments;                                 \
    }

static void *refuse_mapping(void)
{
    errno = ENOMEM;
    return MAP_FAILED;
}

/* An arena remembers that an allocation failed. */
void *__real_af_arena_alloc(af_arena *arena, size_t size);
static void *refuse_from(af_arena *arena)
{
    af_arena_fail_after(arena, 0);
    return __real_af_arena_alloc(arena, 1);
}

INSTEAD(gpointer, g_try_malloc, (gsize size), (size), NULL)
INSTEAD(gpointer, g_try_malloc0, (gsize size), (size), NULL)
INSTEAD(gpointer, g_try_malloc_n, (gsize n, gsize size), (n, size), NULL)
INSTEAD(gpointer, g_try_malloc0_n, (gsize n, gsize size), (n, size), NULL)
INSTEAD(gpointer, g_try_realloc, (gpointer old, gsize size), (old, size), NULL)
INSTEAD(gpointer, g_try_realloc_n, (gpointer old, gsize n, gsize size), (old, n, size), NULL)
INSTEAD(void *, mmap, (void *at, size_t size, int protection, int flags, int fd, off_t offset),
        (at, size, protection, flags, fd, offset), refuse_mapping())
INSTEAD(void *, af_arena_alloc, (af_arena * arena, size_t size), (arena, size), refuse_from(arena))
INSTEAD(char *, af_arena_copy, (af_arena * arena, const char *bytes, size_t length),
        (arena, bytes, length), refuse_from(arena))
INSTEAD(int, inflateInit2_, (z_streamp z, int bits, const char *version, int size),
        (z, bits, version, size), Z_MEM_ERROR)
INSTEAD(int, deflateInit_, (z_streamp z, int level, const char *version, int size),
        (z, level, version, size), Z_MEM_ERROR)
INSTEAD(int, deflateInit2_,
        (z_streamp z, int level, int method, int bits, int memory, int strategy,
         const char *version, int size),
        (z, level, method, bits, memory, strategy, version, size), Z_MEM_ERROR)
INSTEAD(int, pthread_create,
        (pthread_t * thread, const pthread_attr_t *attributes, void *(*work)(void *), void *user),
        (thread, attributes, work, user), EAGAIN)

/* HarfBuzz and libdeflate have their own allocations. */
INSTEAD(hb_set_t *, hb_set_create, (void), (), hb_set_get_empty())
INSTEAD(hb_subset_input_t *, hb_subset_input_create_or_fail, (void), (), NULL)
INSTEAD(hb_face_t *, hb_subset_or_fail, (hb_face_t * face, const hb_subset_input_t *input),
        (face, input), NULL)
INSTEAD(struct libdeflate_compressor *, libdeflate_alloc_compressor, (int level), (level), NULL)
INSTEAD(struct libdeflate_decompressor *, libdeflate_alloc_decompressor, (void), (), NULL)

void *__real_mremap(void *old, size_t size, size_t larger, int flags, ...);
void *__wrap_mremap(void *old, size_t size, size_t larger, int flags, ...);
void *__wrap_mremap(void *old, size_t size, size_t larger, int flags, ...)
{
    return is_refused() ? refuse_mapping() : __real_mremap(old, size, larger, flags);
}
