/* Heap graphs of Java: objects, their classes and references, and roots.
 *
 * Each object belongs to its shortest path from a root, found by a breadth-first search. A frame is
 * a class; an object of the same class as its parent shares the parent's frame. Objects that no
 * root reaches are garbage. */
#include "read/perfetto/perfetto_java_state.h"

#include <aflame/error.h>
#include <string.h>

/* Heaps whose objects are roots. */
enum { ZYGOTE = 2, IMAGE = 3 };

static void init_dump(af_perfetto_graphs *g)
{
    af_meter *const meter = af_sink_meter(g->p->sink);
    af_idtable_init(&g->classes, sizeof(af_java_class), meter);
    af_idtable_init(&g->objects, sizeof(af_java_object), meter);
    af_idtable_init(&g->fields, sizeof(uint32_t), meter);
    af_array_init_metered(&g->lists, sizeof(uint64_t), meter);
    g->begun = FALSE;
    g->last_id = 0;
    g->heap = 0;
}

static void clear_dump(af_perfetto_graphs *g)
{
    af_idtable_clear(&g->classes);
    af_idtable_clear(&g->objects);
    af_idtable_clear(&g->fields);
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
        af_array_init_metered(&g->paths, sizeof(af_java_path), af_sink_meter(p->sink));
        init_dump(g);
    }
    return p->graphs;
}

/* Returns UINT32_MAX if memory is refused. */
static uint32_t number_class(af_perfetto_graphs *g, uint64_t id)
{
    return af_idtable_number(&g->classes, id, &(af_java_class){.name = AF_NO_TEXT});
}

static uint32_t number_object(af_perfetto_graphs *g, uint64_t id)
{
    return af_idtable_number(&g->objects, id, &(af_java_object){.stack = AF_NO_STACK});
}

/* Appends the numbers of a list, with `base` added to those that are not 0. */
static uint32_t add_list(af_perfetto_graphs *g, const af_protobuf *field, uint64_t base)
{
    uint32_t n = 0;
    for (af_packed v = af_packed_begin(field); af_packed_next(&v); n++) {
        if (!af_array_append(&g->lists, &(uint64_t){v.number == 0 ? 0 : v.number + base})) {
            return n;
        }
    }
    return n;
}

static void take_class(af_perfetto_graphs *g, const af_protobuf *message)
{
    af_java_class c = {.name = AF_NO_TEXT, .first_field = (uint32_t)g->lists.n};
    af_protobuf of[8];
    af_protobuf_values(message, of, G_N_ELEMENTS(of));
    const uint64_t id = of[1].number;
    c.name = of[3].field != 0 ? af_texts_add(g->p->texts, af_protobuf_text(&of[3])) : AF_NO_TEXT;
    c.size = of[4].number;
    c.super = of[5].number;
    c.kind = (unsigned)of[7].number;
    for (af_protobuf f = af_protobuf_of(message); af_protobuf_next(&f);) {
        c.n_fields += f.field == 6 ? add_list(g, &f, 0) : 0;
    }
    const uint32_t number = number_class(g, id);
    if (number != UINT32_MAX) {
        *af_java_class_at(g, number) = c;
    }
}

static void take_object(af_perfetto_graphs *g, const af_protobuf *message)
{
    af_protobuf of[10];
    af_protobuf_values(message, of, G_N_ELEMENTS(of));
    af_java_object o = {
        .known = TRUE, .stack = AF_NO_STACK, .size = of[3].number, .native = of[8].number};
    const uint64_t type = of[2].number, base = of[6].number;
    const uint64_t id = of[7].field != 0 ? g->last_id + of[7].number : of[1].number;
    g->heap = of[9].field != 0 ? (unsigned)of[9].number : g->heap;
    g->last_id = id;
    o.first_reference = g->lists.n;
    for (af_protobuf f = af_protobuf_of(message); af_protobuf_next(&f);) {
        o.n_fields += f.field == 4 ? add_list(g, &f, 0) : 0;
    }
    for (af_protobuf f = af_protobuf_of(message); af_protobuf_next(&f);) {
        o.n_references += f.field == 5 ? add_list(g, &f, base) : 0;
    }
    o.type = number_class(g, type);
    const uint32_t number = number_object(g, id);
    if (number != UINT32_MAX && o.type != UINT32_MAX) {
        o.is_root = af_java_object_at(g, number)->is_root || g->heap == ZYGOTE || g->heap == IMAGE;
        *af_java_object_at(g, number) = o;
    }
}

/* "type name" -> the name. */
static void take_field(af_perfetto_graphs *g, const af_protobuf *message)
{
    af_protobuf f[3];
    af_protobuf_values(message, f, G_N_ELEMENTS(f));
    af_span name = af_protobuf_text(&f[2]);
    const char *blank = name.length == 0 ? NULL : memrchr(name.bytes, ' ', name.length);
    if (blank != NULL) {
        name = (af_span){blank + 1, (size_t)(name.bytes + name.length - blank - 1)};
    }
    uint32_t *known = af_idtable_item(&g->fields, f[1].number);
    if (known != NULL) {
        *known = af_texts_add(g->p->texts, name);
    }
}

static void take_root(af_perfetto_graphs *g, const af_protobuf *message)
{
    for (af_protobuf f = af_protobuf_of(message); af_protobuf_next(&f);) {
        for (af_packed v = af_packed_begin(&f); f.field == 1 && af_packed_next(&v);) {
            const uint32_t number = number_object(g, v.number);
            if (number != UINT32_MAX) {
                af_java_object_at(g, number)->is_root = TRUE;
            }
        }
    }
}

static void finish_dump(af_perfetto_graphs *g)
{
    g->n_dumps++;
    af_perfetto_graphs_find_paths(g);
    for (uint32_t i = 0; i < g->objects.items.n; i++) {
        const af_java_object *o = af_java_object_at(g, i);
        if (o->known && o->stack == AF_NO_STACK) {
            g->n_garbage++;
        }
    }
    clear_dump(g);
    init_dump(g);
}

void af_perfetto_take_graph(af_perfetto *p, const af_perfetto_packet *packet,
                            const af_protobuf *field)
{
    af_perfetto_graphs *g = graphs_of(p);
    af_perfetto_sequence *q = packet->sequence;
    af_protobuf all[7];
    af_protobuf_values(field, all, G_N_ELEMENTS(all));
    const uint64_t pid = all[1].number, continued = all[5].number, index = all[6].number;
    if (index != 0 && q->graph_index != index) {
        af_sink_warn(p->sink, AF_WARN_HEAP_GAP, 1, packet->offset);
    }
    q->graph_index = continued != 0 ? index + 1 : 0;
    if (g->begun && (g->sequence != q->id || g->pid != (uint32_t)pid)) {
        finish_dump(g);
    }
    g->begun = TRUE;
    g->sequence = q->id;
    g->pid = (uint32_t)pid;
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
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
    if (p->options->dump_by_time) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "dumps of a Java heap are selected by number: --dump 1");
        return FALSE;
    }
    if (p->options->dump > g->n_dumps) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "this trace has no Java heap dump %u; the last one is %u", p->options->dump,
                    g->n_dumps);
        return FALSE;
    }
    af_array holdings;
    af_array_init_metered(&holdings, sizeof(af_perfetto_holding), af_sink_meter(p->sink));
    for (size_t i = 0; i < g->paths.n; i++) {
        const af_java_path *path = &AF_ARRAY_AT(&g->paths, af_java_path, i);
        if (p->options->dump == 0 || path->dump == p->options->dump) {
            af_array_append(&holdings,
                            &(af_perfetto_holding){path->pid, name_dump(g, path->dump), path->stack,
                                                   objects ? path->objects : path->bytes, FALSE});
        }
    }
    const gboolean ok = af_perfetto_draw_holdings(
        p, &holdings, objects ? "objects" : "bytes",
        objects ? "objects reached from roots" : "bytes of objects reached from roots", error);
    af_array_clear(&holdings);
    if (ok) {
        af_timeline_name_threads(p->timeline);
    }
    return ok;
}
