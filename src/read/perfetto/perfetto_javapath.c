#include "read/perfetto/perfetto_java_state.h"

#include <stdlib.h>
#include <string.h>

/* Longer chains of superclasses are loops. */
#define MOST_SUPERS 64u

/* Kinds of classes whose referent does not keep an object alive. */
enum { WEAK = 9, FINALIZER = 10, PHANTOM = 11 };

#define NO_OBJECT UINT32_MAX

static uint64_t list_at(const af_perfetto_graphs *g, size_t i)
{
    return AF_ARRAY_AT(&g->lists, uint64_t, i);
}

/* The id of the field that holds an object's `i`th reference: from its own list, or those of its
 * class and then its superclasses. 0 = not known. */
static uint64_t field_of(const af_perfetto_graphs *g, const af_java_object *o, uint32_t i)
{
    if (o->n_fields > 0) {
        return i < o->n_fields ? list_at(g, o->first_reference + i) : 0;
    }
    uint32_t type = o->type;
    for (unsigned steps = 0; steps < MOST_SUPERS && type != AF_IDMAP_NONE; steps++) {
        const af_java_class *c = af_java_class_at(g, type);
        if (i < c->n_fields) {
            return list_at(g, c->first_field + i);
        }
        i -= c->n_fields;
        type = c->super == 0 ? AF_IDMAP_NONE : af_idmap_find(&g->classes.ids, c->super);
    }
    return 0;
}

static uint32_t reference_of(const af_perfetto_graphs *g, const af_java_object *o, uint32_t i)
{
    const uint64_t id = list_at(g, o->first_reference + o->n_fields + i);
    return id == 0 ? NO_OBJECT : af_idmap_find(&g->objects.ids, id);
}

static gboolean is_field(const af_perfetto_graphs *g, uint64_t field, const char *name)
{
    const uint32_t *text = field == 0 ? NULL : af_idtable_find(&g->fields, field);
    return text != NULL && af_span_is(af_texts_get(g->p->texts, *text), name);
}

/* The object in a field of that name. NO_OBJECT if it is null or the object has no such field. */
static uint32_t follow(const af_perfetto_graphs *g, uint32_t number, const char *name)
{
    const af_java_object *o = number == NO_OBJECT ? NULL : af_java_object_at(g, number);
    for (uint32_t i = 0; o != NULL && i < o->n_references; i++) {
        if (is_field(g, field_of(g, o, i), name)) {
            return reference_of(g, o, i);
        }
    }
    return NO_OBJECT;
}

static uint32_t name_of(const af_perfetto_graphs *g, const af_java_object *o)
{
    return af_java_class_at(g, o->type)->name;
}

static uint32_t push_class(af_perfetto_graphs *g, uint32_t caller, uint32_t name)
{
    const af_perfetto_frame frame = {.function = name,
                                     .path = AF_NO_TEXT,
                                     .build_id = AF_NO_TEXT,
                                     .source = AF_NO_TEXT,
                                     .rel_pc = AF_FRAME_OF_CLASS};
    return af_perfetto_stacks_push(g->p->stacks, caller, &frame);
}

typedef struct {
    af_array queue; /* of uint32_t */
    af_idmap sums;  /* by stack */
    size_t first_path;
} search;

static void add_sum(af_perfetto_graphs *g, search *s, uint32_t stack, uint64_t bytes,
                    uint64_t objects)
{
    const uint32_t number = af_idmap_number(&s->sums, stack);
    const size_t known = g->paths.n - s->first_path;
    if (number == AF_IDMAP_NONE || (number >= known && af_array_add(&g->paths, 1) == NULL)) {
        return;
    }
    af_java_path *path = &AF_ARRAY_AT(&g->paths, af_java_path, s->first_path + number);
    *path = (af_java_path){g->pid, g->n_dumps, stack, path->bytes + bytes, path->objects + objects};
}

/* Puts an object on the path of its parent, AF_NO_STACK = it is a root. */
static void reach(af_perfetto_graphs *g, search *s, uint32_t number, uint32_t parent_stack,
                  uint32_t parent_name)
{
    af_java_object *o = af_java_object_at(g, number);
    uint32_t *queued = o->known && o->stack == AF_NO_STACK ? af_array_add(&s->queue, 1) : NULL;
    if (queued == NULL) {
        return;
    }
    const uint32_t name = name_of(g, o);
    *queued = number;
    o->stack = parent_stack != AF_NO_STACK && name == parent_name
                   ? parent_stack
                   : push_class(g, parent_stack, name);
    const uint64_t size = o->size != 0 ? o->size : af_java_class_at(g, o->type)->size;
    if (o->stack != AF_NO_STACK) {
        add_sum(g, s, o->stack, size, 1);
    }
}

typedef struct {
    const af_perfetto_graphs *graphs;
    uint32_t number;
} ordered_root;

/* By class name, then in the order of the file. */
static int compare_roots(const void *a, const void *b)
{
    const ordered_root *x = a, *y = b;
    const af_perfetto_graphs *g = x->graphs;
    const af_span p = af_texts_get(g->p->texts, name_of(g, af_java_object_at(g, x->number)));
    const af_span q = af_texts_get(g->p->texts, name_of(g, af_java_object_at(g, y->number)));
    const int order = memcmp(p.bytes, q.bytes, MIN(p.length, q.length));
    if (order != 0 || p.length != q.length) {
        return order != 0 ? order : (p.length > q.length) - (p.length < q.length);
    }
    return (x->number > y->number) - (x->number < y->number);
}

static void reach_roots(af_perfetto_graphs *g, search *s)
{
    af_array roots;
    af_array_init_metered(&roots, sizeof(ordered_root), af_sink_meter(g->p->sink));
    for (uint32_t i = 0; i < g->objects.items.n; i++) {
        const af_java_object *o = af_java_object_at(g, i);
        if (o->known && o->is_root) {
            af_array_append(&roots, &(ordered_root){g, i});
        }
    }
    if (roots.n > 0) {
        qsort(roots.items, roots.n, sizeof(ordered_root), compare_roots);
    }
    for (size_t i = 0; i < roots.n; i++) {
        reach(g, s, AF_ARRAY_AT(&roots, ordered_root, i).number, AF_NO_STACK, AF_NO_TEXT);
    }
    af_array_clear(&roots);
}

static void reach_rest(af_perfetto_graphs *g, search *s)
{
    for (size_t at = 0; at < s->queue.n && !af_sink_is_stopped(g->p->sink); at++) {
        const af_java_object o = *af_java_object_at(g, AF_ARRAY_AT(&s->queue, uint32_t, at));
        const unsigned kind = af_java_class_at(g, o.type)->kind;
        const gboolean forgets = kind == WEAK || kind == FINALIZER || kind == PHANTOM;
        for (uint32_t i = 0; i < o.n_references; i++) {
            const uint32_t next = reference_of(g, &o, i);
            if (next != NO_OBJECT &&
                !(forgets && is_field(g, field_of(g, &o, i), "java.lang.ref.Reference.referent"))) {
                reach(g, s, next, o.stack, name_of(g, &o));
            }
        }
    }
}

/* Native memory that a Cleaner frees belongs to the object that it watches. */
static void add_native(af_perfetto_graphs *g, search *s)
{
    for (uint32_t i = 0; i < g->objects.items.n && !af_sink_has_failed(g->p->sink); i++) {
        const af_java_object *o = af_java_object_at(g, i);
        if (!o->known ||
            !af_span_is(af_texts_get(g->p->texts, name_of(g, o)), "sun.misc.Cleaner") ||
            follow(g, i, "sun.misc.Cleaner.next") == i) {
            continue;
        }
        const uint32_t watched = follow(g, i, "java.lang.ref.Reference.referent");
        const uint32_t thunk = follow(g, i, "sun.misc.Cleaner.thunk");
        const uint32_t registry =
            follow(g, thunk, "libcore.util.NativeAllocationRegistry$CleanerThunk.this$0");
        if (watched == NO_OBJECT || registry == NO_OBJECT ||
            af_java_object_at(g, watched)->stack == AF_NO_STACK) {
            continue;
        }
        const uint64_t bytes = af_java_object_at(g, registry)->native & ~UINT64_C(1);
        const af_span name = af_texts_get(g->p->texts, name_of(g, af_java_object_at(g, watched)));
        g_autofree char *text =
            g_strdup_printf("[native] %.*s", (int)MIN(name.length, 4096u), name.bytes);
        const uint32_t stack = push_class(g, af_java_object_at(g, watched)->stack,
                                          af_texts_add(g->p->texts, af_span_of(text)));
        if (bytes > 0 && stack != AF_NO_STACK) {
            add_sum(g, s, stack, bytes, 0);
        }
    }
}

void af_perfetto_graphs_find_paths(af_perfetto_graphs *g)
{
    search s = {.first_path = g->paths.n};
    af_array_init_metered(&s.queue, sizeof(uint32_t), af_sink_meter(g->p->sink));
    af_idmap_init_hashed(&s.sums, af_sink_meter(g->p->sink));
    reach_roots(g, &s);
    reach_rest(g, &s);
    add_native(g, &s);
    af_array_clear(&s.queue);
    af_idmap_clear(&s.sums);
}
