#include "read/android/thread_names.h"

#include <string.h>

void af_thread_names_init(af_thread_names *announced)
{
    announced->arena = af_arena_new();
    af_idtable_init(&announced->names, sizeof(af_thread_names_name), NULL);
}

void af_thread_names_clear(af_thread_names *announced)
{
    g_clear_pointer(&announced->arena, af_arena_free);
    af_idtable_clear(&announced->names);
}

void af_thread_names_add(af_thread_names *announced, uint64_t id, af_span name)
{
    af_thread_names_name *known = af_idtable_item(&announced->names, id);
    if (known == NULL) {
        return;
    }
    if (known->name.bytes == NULL || known->capacity < name.length) {
        known->name.bytes = af_arena_copy(announced->arena, name.bytes, name.length);
        known->capacity = name.length;
    } else if (name.length > 0) {
        memcpy((char *)known->name.bytes, name.bytes, name.length);
    }
    known->name.length = known->name.bytes == NULL ? 0 : name.length;
}

const af_span *af_thread_names_find(const af_thread_names *announced, uint64_t id)
{
    const af_thread_names_name *known = af_idtable_find(&announced->names, id);
    return known != NULL ? &known->name : NULL;
}

gboolean af_thread_names_failed(const af_thread_names *announced)
{
    return announced->names.ids.failed || announced->names.items.failed ||
           af_arena_failed(announced->arena);
}
