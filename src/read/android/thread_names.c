#include "read/android/thread_names.h"

#include <string.h>

void af_thread_names_init(af_thread_names *announced)
{
    announced->arena = af_arena_new();
    af_idmap_init_hashed(&announced->ids, NULL);
    af_array_init(&announced->names, sizeof(af_thread_names_name));
}

void af_thread_names_clear(af_thread_names *announced)
{
    g_clear_pointer(&announced->arena, af_arena_free);
    af_idmap_clear(&announced->ids);
    af_array_clear(&announced->names);
}

void af_thread_names_add(af_thread_names *announced, uint64_t id, af_span name)
{
    const uint32_t number = af_idmap_number(&announced->ids, id);
    if (number == AF_IDMAP_NONE || !af_array_reach(&announced->names, (size_t)number + 1)) {
        return;
    }
    af_thread_names_name *known = &AF_ARRAY_AT(&announced->names, af_thread_names_name, number);
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
    const uint32_t number = af_idmap_look(&announced->ids, id);
    return number < announced->names.n
               ? &AF_ARRAY_AT(&announced->names, af_thread_names_name, number).name
               : NULL;
}

gboolean af_thread_names_failed(const af_thread_names *announced)
{
    return announced->ids.failed || announced->names.failed || af_arena_failed(announced->arena);
}
