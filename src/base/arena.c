#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#define FIRST_BLOCK   ((size_t)16 * 1024)
#define LARGEST_BLOCK ((size_t)4 * 1024 * 1024)
#define ALIGNMENT     ((size_t)16)

typedef struct block block;
struct block {
    block *before;
    size_t used, size; /* of bytes[] */
    _Alignas(16) unsigned char bytes[];
};

struct af_arena {
    block *last;
    gboolean failed;
    size_t total;   /* bytes requested so far */
    size_t allowed; /* requests until the next refusal; SIZE_MAX = no limit */
};

af_arena *af_arena_new(void)
{
    af_arena *arena = g_new0(af_arena, 1);
    arena->allowed = SIZE_MAX;
    return arena;
}

void af_arena_free(af_arena *arena)
{
    if (arena == NULL) {
        return;
    }
    for (block *b = arena->last, *before; b != NULL; b = before) {
        before = b->before;
        g_free(b);
    }
    g_free(arena);
}

size_t af_arena_size(const af_arena *arena)
{
    return arena->total;
}

gboolean af_arena_failed(const af_arena *arena)
{
    return arena->failed;
}

void af_arena_fail_after(af_arena *arena, size_t n)
{
    arena->allowed = n;
}

static gboolean add_block(af_arena *arena, size_t size)
{
    size_t next = arena->last == NULL ? FIRST_BLOCK : MIN(arena->last->size * 2, LARGEST_BLOCK);
    next = MAX(next, size);
    if (next > SIZE_MAX - sizeof(block)) {
        return FALSE;
    }
    block *b = g_try_malloc(sizeof(block) + next);
    if (b == NULL) {
        return FALSE;
    }
    b->before = arena->last;
    b->used = 0;
    b->size = next;
    arena->last = b;
    return TRUE;
}

void *af_arena_alloc(af_arena *arena, size_t size)
{
    if (size > SIZE_MAX - ALIGNMENT || arena->allowed == 0) {
        arena->failed = TRUE;
        return NULL;
    }
    if (arena->allowed != SIZE_MAX) {
        arena->allowed--;
    }
    size = (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    if ((arena->last == NULL || arena->last->size - arena->last->used < size) &&
        !add_block(arena, size)) {
        arena->failed = TRUE;
        return NULL;
    }
    void *bytes = arena->last->bytes + arena->last->used;
    arena->last->used += size;
    arena->total += size;
    return bytes;
}

char *af_arena_copy(af_arena *arena, const char *bytes, size_t length)
{
    char *copy = length == SIZE_MAX ? NULL : af_arena_alloc(arena, length + 1);
    if (copy != NULL) {
        memcpy(copy, bytes, length);
        copy[length] = '\0';
    }
    return copy;
}

char *af_arena_text(af_arena *arena, const char *text)
{
    return text != NULL ? af_arena_copy(arena, text, strlen(text)) : NULL;
}

char *af_arena_printf(af_arena *arena, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = g_vsnprintf(NULL, 0, format, arguments);
    char *text = length < 0 ? NULL : af_arena_alloc(arena, (size_t)length + 1);
    if (text != NULL) {
        g_vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(arguments);
    va_end(again);
    return text;
}
