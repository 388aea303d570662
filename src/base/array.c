#include "base/array.h"

#include <stdint.h>
#include <string.h>

#define FIRST_CAPACITY 16u

void af_array_clear(af_array *array)
{
    g_free(array->items);
    if (array->meter != NULL) {
        array->meter->bytes -= array->capacity * array->size;
    }
    af_array_init_metered(array, array->size, array->meter);
}

void af_array_clear_all(af_array *const *arrays)
{
    for (; *arrays != NULL; arrays++) {
        af_array_clear(*arrays);
    }
}

static gboolean reserve(af_array *array, size_t n)
{
    if (n <= array->capacity) {
        return TRUE;
    }
    size_t capacity = MAX(array->capacity, FIRST_CAPACITY / 2);
    while (capacity < n) {
        if (capacity > SIZE_MAX / 2 / array->size) {
            return FALSE;
        }
        capacity *= 2;
    }
    void *items = g_try_realloc_n(array->items, capacity, array->size);
    if (items == NULL) {
        return FALSE;
    }
    if (array->meter != NULL) {
        array->meter->bytes += (capacity - array->capacity) * array->size;
    }
    array->items = items;
    array->capacity = capacity;
    return TRUE;
}

void *af_array_add(af_array *array, size_t n)
{
    const size_t begin = array->n;
    return af_array_reach(array, n > SIZE_MAX - begin ? SIZE_MAX : begin + n)
               ? af_array_at(array, begin)
               : NULL;
}

void *af_array_entry(af_array *array, uint32_t i, const void *fresh)
{
    const size_t known = array->n;
    void *item = af_array_slot(array, i);
    if (item != NULL && i >= known) {
        memcpy(item, fresh, array->size);
    }
    return item;
}

gboolean af_array_append(af_array *array, const void *item)
{
    void *added = af_array_push(array);
    if (added != NULL) {
        memcpy(added, item, array->size);
    }
    return added != NULL;
}

gboolean af_array_lengthen(af_array *array, size_t n)
{
    if (array->failed || !reserve(array, n)) {
        array->failed = TRUE;
        if (array->meter != NULL) {
            array->meter->refused = TRUE;
        }
        return FALSE;
    }
    if (n > array->n) {
        memset(af_array_at(array, array->n), 0, (n - array->n) * array->size);
        array->n = n;
    }
    return TRUE;
}

void *af_array_copy(const af_array *array, af_arena *arena)
{
    void *copy = af_arena_alloc(arena, array->size * (array->n + 1));
    if (copy != NULL && array->n > 0) {
        memcpy(copy, array->items, array->size * array->n);
    }
    return copy;
}
