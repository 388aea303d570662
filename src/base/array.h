/* An array that grows by doubling and reports when the system refuses memory.
 *
 * For arrays whose length depends on the input: GLib's arrays abort the program if memory is
 * refused. A failure sticks, so code that adds many items may check `failed` once at the end. */
#pragma once

#include <stdint.h>
#include <glib.h>

#include "base/arena.h"

/* Counts the memory of all arrays and maps that share it. */
typedef struct {
    uint64_t bytes;
    gboolean refused; /* the system refused memory to one of them */
} af_meter;

typedef struct {
    void *items;
    size_t n, capacity;
    size_t size; /* of an item */
    gboolean failed;
    af_meter *meter; /* NULL = none */
} af_array;

static inline void af_array_init(af_array *array, size_t size)
{
    *array = (af_array){.size = size};
}

/* An array whose memory `meter` counts until it is cleared. */
static inline void af_array_init_metered(af_array *array, size_t size, af_meter *meter)
{
    *array = (af_array){.size = size, .meter = meter};
}

void af_array_clear(af_array *array);

/* Clears several arrays. */
#define AF_ARRAYS_CLEAR(...) af_array_clear_all((af_array *const[]){__VA_ARGS__, NULL})
void af_array_clear_all(af_array *const *arrays);

/* Appends `n` items with all bytes zero and returns the first. NULL if refused. */
void *af_array_add(af_array *array, size_t n);

static inline void *af_array_at(const af_array *array, size_t i)
{
    return (char *)array->items + i * array->size;
}

/* Appends an item whose bytes may be anything. NULL if refused. */
static inline void *af_array_push(af_array *array)
{
    return G_LIKELY(array->n < array->capacity && !array->failed) ? af_array_at(array, array->n++)
                                                                  : af_array_add(array, 1);
}

/* Appends a copy of an item. FALSE if refused. */
gboolean af_array_append(af_array *array, const void *item);

gboolean af_array_lengthen(af_array *array, size_t n);

/* Makes the array at least `n` items long. FALSE if refused. */
static inline gboolean af_array_reach(af_array *array, size_t n)
{
    return G_LIKELY(n <= array->n && !array->failed) || af_array_lengthen(array, n);
}

/* The item `i` after making the array that long. NULL if refused, and for the number UINT32_MAX,
 * which a map returns if memory is refused to it. */
static inline void *af_array_slot(af_array *array, uint32_t i)
{
    return i != UINT32_MAX && af_array_reach(array, (size_t)i + 1) ? af_array_at(array, i) : NULL;
}

/* The same, but an item for which the array gets longer is a copy of `fresh`. For numbers of maps,
 * which are ascending. */
void *af_array_entry(af_array *array, uint32_t i, const void *fresh);

/* A copy of the items in the arena, without a NULL for an empty array. NULL if refused. */
void *af_array_copy(const af_array *array, af_arena *arena);

#define AF_ARRAY_AT(array, type, i) (((type *)(array)->items)[i])
