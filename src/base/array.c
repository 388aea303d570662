#include "base/array.h"

#include <stdint.h>
#include <string.h>

#define FIRST_CAPACITY 16u

void af_array_clear(af_array *array)
{
    g_free(array->items);
    if (array->meter != NULL) {
        *array->meter -= array->capacity * array->size;
    }
    af_array_init_metered(array, array->size, array->meter);
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
        *array->meter += (capacity - array->capacity) * array->size;
    }
    array->items = items;
    array->capacity = capacity;
    return TRUE;
}

void *af_array_add(af_array *array, size_t n)
{
    const size_t begin = array->n;
    if (n > SIZE_MAX - begin || !af_array_reach(array, begin + n)) {
        array->failed = TRUE;
        return NULL;
    }
    return af_array_at(array, begin);
}

gboolean af_array_lengthen(af_array *array, size_t n)
{
    if (array->failed || !reserve(array, n)) {
        array->failed = TRUE;
        return FALSE;
    }
    if (n > array->n) {
        memset(af_array_at(array, array->n), 0, (n - array->n) * array->size);
        array->n = n;
    }
    return TRUE;
}
