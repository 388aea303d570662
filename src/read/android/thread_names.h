/* Names that packets give to threads: the last name of each id. The strings are copied. */
#pragma once

#include "base/arena.h"
#include "base/idtable.h"
#include "build/sink.h"

typedef struct {
    af_span name;
    size_t capacity; /* of the name: a later name of the same id reuses it */
} af_thread_names_name;

typedef struct {
    af_arena *arena;
    af_idtable names; /* of af_thread_names_name */
} af_thread_names;

void af_thread_names_init(af_thread_names *announced);
void af_thread_names_clear(af_thread_names *announced);

void af_thread_names_add(af_thread_names *announced, uint64_t id, af_span name);

/* Returns NULL if no packet names the thread. */
const af_span *af_thread_names_find(const af_thread_names *announced, uint64_t id);

static inline uint32_t af_thread_names_size(const af_thread_names *announced)
{
    return announced->names.ids.n;
}

/* Whether memory was refused at any time. */
gboolean af_thread_names_failed(const af_thread_names *announced);
