#include "base/array.h"

#include <stdint.h>
#include <string.h>

#define FIRST_ROOM 16u

void af_array_clear(af_array *array)
{
    g_free(array->items);
    if (array->meter != NULL) {
        *array->meter -= array->room * array->size;
    }
    af_array_init_metered(array, array->size, array->meter);
}

static gboolean make_room(af_array *array, size_t n)
{
    if (n <= array->room) {
        return TRUE;
    }
    size_t room = MAX(array->room, FIRST_ROOM / 2);
    while (room < n) {
        if (room > SIZE_MAX / 2 / array->size) {
            return FALSE;
        }
        room *= 2;
    }
    void *items = g_try_realloc_n(array->items, room, array->size);
    if (items == NULL) {
        return FALSE;
    }
    if (array->meter != NULL) {
        *array->meter += (room - array->room) * array->size;
    }
    array->items = items;
    array->room = room;
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

gboolean af_array_reach(af_array *array, size_t n)
{
    if (array->failed || !make_room(array, n)) {
        array->failed = TRUE;
        return FALSE;
    }
    if (n > array->n) {
        memset(af_array_at(array, array->n), 0, (n - array->n) * array->size);
        array->n = n;
    }
    return TRUE;
}
