/* Internals of perfetto_javaheap.c (packets of heap graphs) and perfetto_javapath.c (shortest
 * paths). */
#pragma once

#include "read/perfetto/perfetto.h"

typedef struct {
    uint32_t name;
    uint64_t size, super;
    uint32_t first_field, n_fields;
    unsigned kind;
} af_java_class;

typedef struct {
    uint32_t type; /* number of the class's id */
    uint64_t size, native;
    size_t first_reference;
    uint32_t n_references, n_fields; /* n_fields: with a list of its own, before the references */
    uint32_t stack;                  /* AF_NO_STACK = not reached */
    gboolean known, is_root;
} af_java_object;

/* The sum of a path. */
typedef struct {
    uint32_t pid, dump, stack;
    uint64_t bytes, objects;
} af_java_path;

struct af_perfetto_graphs {
    af_perfetto *p;
    /* of the dump that is being read */
    gboolean begun;
    uint32_t pid, sequence;
    uint64_t last_id;
    unsigned heap;
    af_idtable classes, objects;
    af_idtable fields; /* of uint32_t: names */
    af_array lists;    /* of uint64_t: fields of classes, fields and references of objects */
    /* of all dumps */
    uint32_t n_dumps;
    af_array paths; /* of af_java_path */
    uint64_t n_garbage;
};

static inline af_java_class *af_java_class_at(const af_perfetto_graphs *g, uint32_t number)
{
    return &AF_ARRAY_AT(&g->classes.items, af_java_class, number);
}

static inline af_java_object *af_java_object_at(const af_perfetto_graphs *g, uint32_t number)
{
    return &AF_ARRAY_AT(&g->objects.items, af_java_object, number);
}

/* Puts all objects that roots reach on paths, and adds these. */
void af_perfetto_graphs_find_paths(af_perfetto_graphs *graphs);
