/* Heap graphs of Java: objects, their classes and references, and roots.
 *
 * Each object belongs to the shortest path from a root: a search in breadth. Frames are classes; an
 * object of the class of its parent belongs to the parent's frame. What no root reaches is
 * garbage. */
#include "read/perfetto/perfetto.h"

#include <aflame/error.h>
#include <stdlib.h>
#include <string.h>

/* Longer chains of superclasses are loops. */
#define MOST_SUPERS 64u

/* Kinds of classes whose referent does not keep an object alive. */
enum { WEAK = 9, FINALIZER = 10, PHANTOM = 11 };

/* Heaps whose objects are roots. */
enum { ZYGOTE = 2, IMAGE = 3 };

#define NO_OBJECT UINT32_MAX

typedef struct {
    uint32_t name;
    uint64_t size, super;
    uint32_t first_field, n_fields;
    unsigned kind;
} java_class;

typedef struct {
    uint32_t type; /* number of the class's id */
    uint64_t size, native;
    size_t first_reference;
    uint32_t n_references, n_fields; /* n_fields: with a list of its own, before the references */
    uint32_t stack;                  /* AF_NO_STACK = not reached */
    gboolean known, is_root;
} java_object;

/* The sum of a path. */
typedef struct {
    uint32_t pid, dump, stack;
    uint64_t bytes, objects;
} java_path;

struct af_perfetto_graphs {
    af_perfetto *p;
    /* of the dump that is being read */
    gboolean begun;
    uint32_t pid, sequence;
    uint64_t last_id;
    unsigned heap;
    af_idmap class_ids, object_ids, field_ids;
    af_array classes, objects;
    af_array fields; /* of uint32_t: names, by number of the id */
    af_array lists;  /* of uint64_t: fields of classes, fields and references of objects */
    /* of all dumps */
    uint32_t n_dumps;
    af_array paths; /* of java_path */
    uint64_t n_garbage, garbage_bytes;
};

static void init_dump(af_perfetto_graphs *g)
{
    uint64_t *const meter = af_sink_meter(g->p->sink);
    af_idmap *const maps[] = {&g->class_ids, &g->object_ids, &g->field_ids};
    for (unsigned i = 0; i < G_N_ELEMENTS(maps); i++) {
        af_idmap_init_hashed(maps[i]);
        maps[i]->meter = meter;
    }
    af_array_init_metered(&g->classes, sizeof(java_class), meter);
    af_array_init_metered(&g->objects, sizeof(java_object), meter);
    af_array_init_metered(&g->fields, sizeof(uint32_t), meter);
    af_array_init_metered(&g->lists, sizeof(uint64_t), meter);
    g->begun = FALSE;
    g->last_id = 0;
    g->heap = 0;
}

static void clear_dump(af_perfetto_graphs *g)
{
    af_idmap_clear(&g->class_ids);
    af_idmap_clear(&g->object_ids);
    af_idmap_clear(&g->field_ids);
    af_array_clear(&g->classes);
    af_array_clear(&g->objects);
    af_array_clear(&g->fields);
    af_array_clear(&g->lists);
}

void af_perfetto_graphs_free(af_perfetto_graphs *g)
{
    if (g != NULL) {
        clear_dump(g);
        af_array_clear(&g->paths);
        g_free(g);
    }
}

uint64_t af_perfetto_graphs_count(const af_perfetto_graphs *g)
{
    return g == NULL ? 0 : g->paths.n;
}

static af_perfetto_graphs *graphs_of(af_perfetto *p)
{
    if (p->graphs == NULL) {
        af_perfetto_graphs *g = p->graphs = g_new0(af_perfetto_graphs, 1);
        g->p = p;
        af_array_init_metered(&g->paths, sizeof(java_path), af_sink_meter(p->sink));
        init_dump(g);
    }
    return p->graphs;
}

/* The number of an id in a table; its entry is new if *fresh. UINT32_MAX if memory is refused. */
static uint32_t number_id(af_perfetto_graphs *g, af_idmap *ids, af_array *entries, uint64_t id,
                          gboolean *fresh)
{
    const uint32_t number = af_idmap_number(ids, id);
    *fresh = number != AF_IDMAP_NONE && number >= entries->n;
    if (number == AF_IDMAP_NONE || !af_array_reach(entries, (size_t)number + 1)) {
        af_sink_fail(g->p->sink);
        return UINT32_MAX;
    }
    return number;
}

static java_class *class_at(const af_perfetto_graphs *g, uint32_t number)
{
    return &AF_ARRAY_AT(&g->classes, java_class, number);
}

static java_object *object_at(const af_perfetto_graphs *g, uint32_t number)
{
    return &AF_ARRAY_AT(&g->objects, java_object, number);
}

static uint32_t number_class(af_perfetto_graphs *g, uint64_t id)
{
    gboolean fresh;
    const uint32_t number = number_id(g, &g->class_ids, &g->classes, id, &fresh);
    if (number != UINT32_MAX && fresh) {
        *class_at(g, number) = (java_class){.name = AF_NO_TEXT};
    }
    return number;
}

static uint32_t number_object(af_perfetto_graphs *g, uint64_t id)
{
    gboolean fresh;
    const uint32_t number = number_id(g, &g->object_ids, &g->objects, id, &fresh);
    if (number != UINT32_MAX && fresh) {
        *object_at(g, number) = (java_object){.stack = AF_NO_STACK};
    }
    return number;
}

/* ---- packets ---- */

/* Appends the numbers of a list, with `base` added to those that are not 0. */
static uint32_t add_list(af_perfetto_graphs *g, const af_protobuf *field, uint64_t base)
{
    uint32_t n = 0;
    for (af_packed v = af_packed_begin(field); af_packed_next(&v); n++) {
        uint64_t *added = af_array_add(&g->lists, 1);
        if (added == NULL) {
            af_sink_fail(g->p->sink);
            return n;
        }
        *added = v.number == 0 ? 0 : v.number + base;
    }
    return n;
}

static void take_class(af_perfetto_graphs *g, const af_protobuf *message)
{
    java_class c = {.name = AF_NO_TEXT, .first_field = (uint32_t)g->lists.n};
    uint64_t id = 0;
    for (af_protobuf f = af_protobuf_begin(message->bytes, message->length);
         af_protobuf_next(&f);) {
        switch (f.field) {
        case 1:
            id = f.number;
            break;
        case 3:
            c.name = af_texts_add(g->p->texts, af_protobuf_text(&f));
            break;
        case 4:
            c.size = f.number;
            break;
        case 5:
            c.super = f.number;
            break;
        case 6:
            c.n_fields += add_list(g, &f, 0);
            break;
        case 7:
            c.kind = (unsigned)f.number;
            break;
        default:
            break;
        }
    }
    const uint32_t number = number_class(g, id);
    if (number != UINT32_MAX) {
        *class_at(g, number) = c;
    }
}

static void take_object(af_perfetto_graphs *g, const af_protobuf *message)
{
    java_object o = {.known = TRUE, .stack = AF_NO_STACK};
    uint64_t id = 0, type = 0, base = 0;
    for (af_protobuf f = af_protobuf_begin(message->bytes, message->length);
         af_protobuf_next(&f);) {
        switch (f.field) {
        case 1:
            id = f.number;
            break;
        case 2:
            type = f.number;
            break;
        case 3:
            o.size = f.number;
            break;
        case 6:
            base = f.number;
            break;
        case 7:
            id = g->last_id + f.number;
            break;
        case 8:
            o.native = f.number;
            break;
        case 9:
            g->heap = (unsigned)f.number;
            break;
        default:
            break;
        }
    }
    g->last_id = id;
    o.first_reference = g->lists.n;
    for (af_protobuf f = af_protobuf_begin(message->bytes, message->length);
         af_protobuf_next(&f);) {
        o.n_fields += f.field == 4 ? add_list(g, &f, 0) : 0;
    }
    for (af_protobuf f = af_protobuf_begin(message->bytes, message->length);
         af_protobuf_next(&f);) {
        o.n_references += f.field == 5 ? add_list(g, &f, base) : 0;
    }
    o.type = number_class(g, type);
    const uint32_t number = number_object(g, id);
    if (number != UINT32_MAX && o.type != UINT32_MAX) {
        o.is_root = object_at(g, number)->is_root || g->heap == ZYGOTE || g->heap == IMAGE;
        *object_at(g, number) = o;
    }
}

/* "type name" -> the name. */
static void take_field(af_perfetto_graphs *g, const af_protobuf *message)
{
    uint64_t id = 0;
    af_span name = {"", 0};
    gboolean fresh;
    for (af_protobuf f = af_protobuf_begin(message->bytes, message->length);
         af_protobuf_next(&f);) {
        if (f.field == 1) {
            id = f.number;
        } else if (f.field == 2) {
            name = af_protobuf_text(&f);
        }
    }
    const char *blank = name.length == 0 ? NULL : memrchr(name.bytes, ' ', name.length);
    if (blank != NULL) {
        name = (af_span){blank + 1, (size_t)(name.bytes + name.length - blank - 1)};
    }
    const uint32_t number = number_id(g, &g->field_ids, &g->fields, id, &fresh);
    if (number != UINT32_MAX) {
        AF_ARRAY_AT(&g->fields, uint32_t, number) = af_texts_add(g->p->texts, name);
    }
}

static void take_root(af_perfetto_graphs *g, const af_protobuf *message)
{
    for (af_protobuf f = af_protobuf_begin(message->bytes, message->length);
         af_protobuf_next(&f);) {
        for (af_packed v = af_packed_begin(&f); f.field == 1 && af_packed_next(&v);) {
            const uint32_t number = number_object(g, v.number);
            if (number != UINT32_MAX) {
                object_at(g, number)->is_root = TRUE;
            }
        }
    }
}

/* ---- references ---- */

static uint64_t list_at(const af_perfetto_graphs *g, size_t i)
{
    return AF_ARRAY_AT(&g->lists, uint64_t, i);
}

/* The id of the field that holds an object's `i`th reference: from its own list, or those of its
 * class and then its superclasses. 0 = not known. */
static uint64_t field_of(const af_perfetto_graphs *g, const java_object *o, uint32_t i)
{
    if (o->n_fields > 0) {
        return i < o->n_fields ? list_at(g, o->first_reference + i) : 0;
    }
    uint32_t type = o->type;
    for (unsigned steps = 0; steps < MOST_SUPERS && type != AF_IDMAP_NONE; steps++) {
        const java_class *c = class_at(g, type);
        if (i < c->n_fields) {
            return list_at(g, c->first_field + i);
        }
        i -= c->n_fields;
        type = c->super == 0 ? AF_IDMAP_NONE : af_idmap_find(&g->class_ids, c->super);
    }
    return 0;
}

static uint32_t reference_of(const af_perfetto_graphs *g, const java_object *o, uint32_t i)
{
    const uint64_t id = list_at(g, o->first_reference + o->n_fields + i);
    return id == 0 ? NO_OBJECT : af_idmap_find(&g->object_ids, id);
}

static gboolean is_field(const af_perfetto_graphs *g, uint64_t field, const char *name)
{
    const uint32_t number = field == 0 ? AF_IDMAP_NONE : af_idmap_find(&g->field_ids, field);
    return number != AF_IDMAP_NONE &&
           af_span_is(af_texts_get(g->p->texts, AF_ARRAY_AT(&g->fields, uint32_t, number)), name);
}

/* The object in a field of that name. NO_OBJECT if it is null or the object has no such field. */
static uint32_t follow(const af_perfetto_graphs *g, uint32_t number, const char *name)
{
    const java_object *o = number == NO_OBJECT ? NULL : object_at(g, number);
    for (uint32_t i = 0; o != NULL && i < o->n_references; i++) {
        if (is_field(g, field_of(g, o, i), name)) {
            return reference_of(g, o, i);
        }
    }
    return NO_OBJECT;
}

/* ---- paths ---- */

static uint32_t name_of(const af_perfetto_graphs *g, const java_object *o)
{
    return class_at(g, o->type)->name;
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
        af_sink_fail(g->p->sink);
        return;
    }
    java_path *path = &AF_ARRAY_AT(&g->paths, java_path, s->first_path + number);
    *path = (java_path){g->pid, g->n_dumps, stack, path->bytes + bytes, path->objects + objects};
}

/* Puts an object on the path of its parent, AF_NO_STACK = it is a root. */
static void reach(af_perfetto_graphs *g, search *s, uint32_t number, uint32_t parent_stack,
                  uint32_t parent_name)
{
    java_object *o = object_at(g, number);
    uint32_t *queued = o->known && o->stack == AF_NO_STACK ? af_array_add(&s->queue, 1) : NULL;
    if (queued == NULL) {
        af_sink_fail_if(g->p->sink, s->queue.failed);
        return;
    }
    const uint32_t name = name_of(g, o);
    *queued = number;
    o->stack = parent_stack != AF_NO_STACK && name == parent_name
                   ? parent_stack
                   : push_class(g, parent_stack, name);
    const uint64_t size = o->size != 0 ? o->size : class_at(g, o->type)->size;
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
    const af_span p = af_texts_get(g->p->texts, name_of(g, object_at(g, x->number)));
    const af_span q = af_texts_get(g->p->texts, name_of(g, object_at(g, y->number)));
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
    for (uint32_t i = 0; i < g->objects.n; i++) {
        const java_object *o = object_at(g, i);
        ordered_root *root = o->known && o->is_root ? af_array_add(&roots, 1) : NULL;
        if (root != NULL) {
            *root = (ordered_root){g, i};
        }
    }
    af_sink_fail_if(g->p->sink, roots.failed);
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
        const java_object o = *object_at(g, AF_ARRAY_AT(&s->queue, uint32_t, at));
        const unsigned kind = class_at(g, o.type)->kind;
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
    for (uint32_t i = 0; i < g->objects.n && !af_sink_has_failed(g->p->sink); i++) {
        const java_object *o = object_at(g, i);
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
            object_at(g, watched)->stack == AF_NO_STACK) {
            continue;
        }
        const uint64_t bytes = object_at(g, registry)->native & ~UINT64_C(1);
        const af_span name = af_texts_get(g->p->texts, name_of(g, object_at(g, watched)));
        char *text = g_strdup_printf("[native] %.*s", (int)MIN(name.length, 4096u), name.bytes);
        const uint32_t stack = push_class(g, object_at(g, watched)->stack,
                                          af_texts_add(g->p->texts, (af_span){text, strlen(text)}));
        g_free(text);
        if (bytes > 0 && stack != AF_NO_STACK) {
            add_sum(g, s, stack, bytes, 0);
        }
    }
}

static void finish_dump(af_perfetto_graphs *g)
{
    search s = {.first_path = g->paths.n};
    g->n_dumps++;
    af_array_init_metered(&s.queue, sizeof(uint32_t), af_sink_meter(g->p->sink));
    af_idmap_init_hashed(&s.sums);
    s.sums.meter = af_sink_meter(g->p->sink);
    reach_roots(g, &s);
    reach_rest(g, &s);
    add_native(g, &s);
    for (uint32_t i = 0; i < g->objects.n; i++) {
        const java_object *o = object_at(g, i);
        if (o->known && o->stack == AF_NO_STACK) {
            g->n_garbage++;
            g->garbage_bytes += o->size != 0 ? o->size : class_at(g, o->type)->size;
        }
    }
    af_array_clear(&s.queue);
    af_idmap_clear(&s.sums);
    clear_dump(g);
    init_dump(g);
}

void af_perfetto_take_graph(af_perfetto *p, const af_perfetto_packet *packet, const uint8_t *bytes,
                            size_t length)
{
    af_perfetto_graphs *g = graphs_of(p);
    af_perfetto_sequence *q = packet->sequence;
    uint64_t pid = 0, continued = 0, index = 0;
    gboolean has_index = FALSE;
    for (af_protobuf f = af_protobuf_begin(bytes, length); af_protobuf_next(&f);) {
        if (f.field == 1) {
            pid = f.number;
        } else if (f.field == 5) {
            continued = f.number;
        } else if (f.field == 6) {
            index = f.number;
            has_index = TRUE;
        }
    }
    if (has_index && index != 0 && q->graph_index != index) {
        af_sink_warn(p->sink, AF_WARN_HEAP_GAP, 1, packet->offset);
    }
    q->graph_index = continued != 0 ? index + 1 : 0;
    if (g->begun && (g->sequence != q->id || g->pid != (uint32_t)pid)) {
        finish_dump(g);
    }
    g->begun = TRUE;
    g->sequence = q->id;
    g->pid = (uint32_t)pid;
    for (af_protobuf f = af_protobuf_begin(bytes, length); af_protobuf_next(&f);) {
        if (f.wire != AF_WIRE_BYTES) {
            continue;
        }
        if (f.field == 2) {
            take_object(g, &f);
        } else if (f.field == 4) {
            take_field(g, &f);
        } else if (f.field == 7) {
            take_root(g, &f);
        } else if (f.field == 9) {
            take_class(g, &f);
        }
    }
    if (continued == 0) {
        finish_dump(g);
    }
}

void af_perfetto_graphs_end(af_perfetto *p)
{
    if (p->graphs != NULL && p->graphs->begun) {
        af_sink_warn(p->sink, AF_WARN_HEAP_GAP, 1, AF_NO_OFFSET);
        finish_dump(p->graphs);
    }
}

/* ---- to the sink ---- */

static gboolean choose_measure(const af_perfetto *p, gboolean *objects, GError **error)
{
    const char *wanted = p->options->event;
    *objects = g_strcmp0(wanted, "objects") == 0;
    if (wanted != NULL && !*objects && strcmp(wanted, "bytes") != 0) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "this heap graph has no event \"%s\"; it has bytes, objects", wanted);
        return FALSE;
    }
    return TRUE;
}

static uint32_t name_dump(const af_perfetto_graphs *g, uint32_t dump)
{
    char name[40];
    const int n = g->n_dumps < 2 ? g_snprintf(name, sizeof name, "Java heap")
                                 : g_snprintf(name, sizeof name, "Java heap, dump %u", dump);
    return af_texts_add(g->p->texts, (af_span){name, (size_t)n});
}

gboolean af_perfetto_finish_graphs(af_perfetto *p, GError **error)
{
    const af_perfetto_graphs *g = p->graphs;
    gboolean objects;
    if (!choose_measure(p, &objects, error)) {
        return FALSE;
    }
    if (g->n_garbage > 0) {
        af_sink_warn(p->sink, AF_WARN_GARBAGE, g->n_garbage, AF_NO_OFFSET);
    }
    const af_unit unit = {.name = objects ? "objects" : "bytes", .counted = TRUE};
    af_sink_facts(p->sink)->weights.event =
        objects ? "objects reached from roots" : "bytes of objects reached from roots";
    af_sink_start_samples(p->sink, &unit, 1u << AF_WALL, AF_SAMPLES_UNTIMED);
    if (!af_timeline_finish_names(p->timeline, error)) {
        return FALSE;
    }
    for (size_t i = 0; i < g->paths.n && !af_sink_is_stopped(p->sink); i++) {
        const java_path *path = &AF_ARRAY_AT(&g->paths, java_path, i);
        af_sample sample = {.offset = AF_NO_OFFSET};
        sample.weight[AF_WALL] = objects ? path->objects : path->bytes;
        sample.thread =
            af_timeline_process_part(p->timeline, (int32_t)path->pid, name_dump(g, path->dump));
        sample.methods = af_perfetto_stacks_methods(p->stacks, path->stack, &sample.n);
        if (sample.n > 0 && sample.weight[AF_WALL] > 0 && sample.thread != UINT32_MAX) {
            af_sink_sample(p->sink, &sample);
        }
    }
    af_timeline_name_parts(p->timeline);
    return TRUE;
}
