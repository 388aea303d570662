#include "read/perfetto/perfetto_stack_state.h"

#include <string.h>

#include "read/demangle.h"

/* The most parts of a path. */
#define MOST_PARTS 64u

af_perfetto_stacks *af_perfetto_stacks_new(af_perfetto *p)
{
    af_meter *const meter = af_sink_meter(p->sink);
    af_perfetto_stacks *s = g_new0(af_perfetto_stacks, 1);
    s->p = p;
    s->arena = af_arena_new();
    af_textmap_init_metered(&s->frames, meter);
    af_textmap_init_metered(&s->symbol_keys, meter);
    af_idmap_init_hashed(&s->nodes, meter);
    af_idtable_init(&s->real_names, sizeof(uint32_t), meter);
    af_idtable_init(&s->given, sizeof(uint32_t), meter);
    af_array_init_metered(&s->symbols, sizeof(af_symbol_chain), meter);
    af_array_init_metered(&s->functions, sizeof(uint32_t), meter);
    af_array_init_metered(&s->methods, sizeof(uint32_t), meter);
    af_array_init_metered(&s->packages, sizeof(uint32_t), meter);
    af_array_init_metered(&s->known, sizeof(uint32_t), meter);
    af_array_init_metered(&s->path, sizeof(uint32_t), meter);
    af_perfetto_symfs_init(s, meter);
    return s;
}

void af_perfetto_stacks_free(af_perfetto_stacks *s)
{
    af_textmap_clear(&s->frames);
    af_textmap_clear(&s->symbol_keys);
    af_idmap_clear(&s->nodes);
    af_idtable_clear(&s->real_names);
    af_idtable_clear(&s->given);
    AF_ARRAYS_CLEAR(&s->symbols, &s->functions, &s->methods, &s->packages, &s->known, &s->path);
    af_perfetto_symfs_clear(s);
    af_arena_free(s->arena);
    g_free(s);
}

uint32_t af_perfetto_stacks_number(af_perfetto_stacks *s, af_textmap *map, const void *key,
                                   size_t size)
{
    const uint32_t known = map->n;
    const uint32_t number = af_textmap_keep(map, s->arena, key, size);
    map->texts.meter->bytes += map->n > known ? size : 0;
    return number;
}

static uint32_t number_frame(af_perfetto_stacks *s, const af_perfetto_frame *frame)
{
    af_perfetto_frame key;
    memset(&key, 0, sizeof key); /* also what lies between its members */
    key.function = frame->function;
    key.path = frame->path;
    key.build_id = frame->build_id;
    key.source = frame->source;
    key.line = frame->line;
    key.rel_pc = frame->rel_pc;
    return af_perfetto_stacks_number(s, &s->frames, &key, sizeof key);
}

static uint32_t push_frame(af_perfetto_stacks *s, uint32_t caller, uint32_t frame)
{
    return af_idmap_number(&s->nodes, (uint64_t)caller << 32 | frame);
}

uint32_t af_perfetto_stacks_push(af_perfetto_stacks *s, uint32_t caller,
                                 const af_perfetto_frame *frame)
{
    const uint32_t number = number_frame(s, frame);
    return number == UINT32_MAX ? AF_NO_STACK : push_frame(s, caller, number);
}

static af_protobuf begin_message(const af_perfetto_stacks *s, uint32_t text)
{
    const af_protobuf message = af_protobuf_message(af_texts_get(s->p->texts, text));
    return af_protobuf_of(&message);
}

/* The path of a mapping: its parts, joined by slashes. */
static uint32_t join_path(af_perfetto_stacks *s, const uint32_t *parts, unsigned n)
{
    const af_span first = n == 0 ? (af_span){"", 0} : af_texts_get(s->p->texts, parts[0]);
    if (n == 0) {
        return AF_NO_TEXT;
    }
    if (n == 1 && first.length > 0 && first.bytes[0] == '/') {
        return parts[0];
    }
    g_autoptr(GString) path = g_string_new(NULL);
    for (unsigned i = 0; i < n; i++) {
        const af_span part = af_texts_get(s->p->texts, parts[i]);
        g_string_append_c(path, '/');
        af_span_append(path, part);
    }
    return af_texts_add(s->p->texts, af_span_of_string(path));
}

static gboolean resolve_mapping(af_perfetto_stacks *s, const af_perfetto_sequence *q, uint64_t id,
                                af_perfetto_frame *frame)
{
    const uint32_t message = af_perfetto_sequence_find(q, AF_TABLE_MAPPING, id);
    uint32_t parts[MOST_PARTS];
    unsigned n = 0;
    if (message == AF_NO_TEXT) {
        return FALSE;
    }
    for (af_protobuf f = begin_message(s, message); af_protobuf_next(&f);) {
        if (f.field == 2 && f.wire == AF_WIRE_VARINT) {
            frame->build_id = af_perfetto_sequence_find(q, AF_TABLE_BUILD_ID, f.number);
        } else if (f.field == 7) {
            for (af_packed v = af_packed_begin(&f); af_packed_next(&v) && n < MOST_PARTS;) {
                parts[n++] = af_perfetto_sequence_find(q, AF_TABLE_PATH, v.number);
            }
        }
    }
    frame->path = join_path(s, parts, n);
    return TRUE;
}

/* The number of a frame; UINT32_MAX if a part of it is missing. */
static uint32_t resolve_frame(af_perfetto_stacks *s, af_perfetto_sequence *q, uint64_t id)
{
    uint32_t *cached = af_perfetto_sequence_cache(q, AF_TABLE_FRAME, id);
    const uint32_t message = af_perfetto_sequence_find(q, AF_TABLE_FRAME, id);
    if (cached == NULL || message == AF_NO_TEXT) {
        return UINT32_MAX;
    }
    if (*cached != 0) {
        return *cached - 1;
    }
    af_protobuf f[7];
    const af_protobuf whole = af_protobuf_message(af_texts_get(s->p->texts, message));
    af_protobuf_values(&whole, f, G_N_ELEMENTS(f));
    const uint64_t function = f[2].number, mapping = f[3].number, source = f[5].number;
    af_perfetto_frame frame = {
        .function =
            function == 0 ? AF_NO_TEXT : af_perfetto_sequence_find(q, AF_TABLE_FUNCTION, function),
        .path = AF_NO_TEXT,
        .build_id = AF_NO_TEXT,
        .source = source == 0 ? AF_NO_TEXT : af_perfetto_sequence_find(q, AF_TABLE_SOURCE, source),
        .line = (uint32_t)f[6].number,
        .rel_pc = f[4].number};
    if ((function != 0 && frame.function == AF_NO_TEXT) ||
        (mapping != 0 && !resolve_mapping(s, q, mapping, &frame))) {
        return UINT32_MAX;
    }
    const uint32_t number = number_frame(s, &frame);
    *cached = number + 1;
    return number;
}

uint32_t af_perfetto_stacks_find(af_perfetto_stacks *s, af_perfetto_sequence *q, uint64_t id)
{
    uint32_t *cached = af_perfetto_sequence_cache(q, AF_TABLE_CALLSTACK, id);
    const uint32_t message = af_perfetto_sequence_find(q, AF_TABLE_CALLSTACK, id);
    uint32_t stack = AF_NO_STACK;
    if (cached == NULL || message == AF_NO_TEXT) {
        return AF_NO_STACK;
    }
    if (*cached != 0) {
        return *cached - 1;
    }
    for (af_protobuf f = begin_message(s, message); af_protobuf_next(&f);) {
        for (af_packed v = af_packed_begin(&f); f.field == 2 && af_packed_next(&v);) {
            const uint32_t frame = resolve_frame(s, q, v.number);
            stack = frame == UINT32_MAX ? AF_NO_STACK : push_frame(s, stack, frame);
            if (stack == AF_NO_STACK) {
                return AF_NO_STACK;
            }
        }
    }
    *cached = stack + 1;
    return stack;
}

uint32_t af_perfetto_stacks_take_inline(af_perfetto_stacks *s, const af_protobuf *field)
{
    uint32_t stack = AF_NO_STACK;
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_find(&f, 1);) {
        af_perfetto_frame frame = {AF_NO_TEXT, AF_NO_TEXT, AF_NO_TEXT, AF_NO_TEXT, 0, 0};
        af_protobuf g[4];
        af_protobuf_values(&f, g, G_N_ELEMENTS(g));
        if (g[1].field != 0) {
            frame.function = af_texts_add(s->p->texts, af_protobuf_text(&g[1]));
        }
        if (g[2].field != 0) {
            frame.source = af_texts_add(s->p->texts, af_protobuf_text(&g[2]));
        }
        frame.line = (uint32_t)g[3].number;
        stack = af_perfetto_stacks_push(s, stack, &frame);
    }
    return stack;
}

static void add_method(af_perfetto_stacks *s, uint32_t method)
{
    if (method != UINT32_MAX) {
        af_array_append(&s->methods, &method);
    }
}

/* A copy of the path that ends in a NUL; the kernel has the name that perf gives it. */
static char *copy_path(af_span path)
{
    if (path.length == 0) {
        return NULL;
    }
    return af_span_begins(path, "/kernel") ? g_strdup("[kernel.kallsyms]")
                                           : g_strndup(path.bytes, path.length);
}

static void add_named(af_perfetto_stacks *s, af_span name, af_span path)
{
    g_autofree char *library = copy_path(path);
    g_autofree char *shown = af_demangle(name.bytes, name.length);
    const af_frame_kind java = s->p->is_own ? AF_FRAME_ANY : AF_FRAME_JAVA;
    /* Whether the code of a mapping may be Java's. */
    const af_frame_kind kind = path.length == 0 ? AF_FRAME_ANY
                               : (!af_span_ends(path, ".so") && !af_span_begins(path, "/kernel") &&
                                  memmem(path.bytes, path.length, "/lib/", 5) == NULL)
                                   ? java
                                   : AF_FRAME_NATIVE;
    add_method(s, af_frames_method(&s->p->texts->names, shown, MIN(strlen(shown), AF_LONGEST_NAME),
                                   kind, library));
}

/* An unwinder that failed adds a frame with the number of its error. */
static gboolean is_error(af_span name, af_span path)
{
    return af_span_begins(name, "ERROR ") &&
           (path.length == 0 || af_span_is(path, "/ERROR") || af_span_is(path, "ERROR"));
}

static void add_error(af_perfetto_stacks *s, af_span name)
{
    g_autofree char *text = g_strdup_printf("[unwinding stopped: error %.*s]",
                                            (int)MIN(name.length - 6, (size_t)20), name.bytes + 6);
    add_method(s, af_frames_method(&s->p->texts->names, text, strlen(text), AF_FRAME_NATIVE, NULL));
}

static void add_nameless(af_perfetto_stacks *s, const af_perfetto_frame *frame, af_span path)
{
    if (path.length == 0) {
        add_method(s, af_frames_nowhere(&s->p->texts->names, frame->rel_pc));
        return;
    }
    g_autofree char *library = copy_path(path);
    g_autofree char *text =
        g_strdup_printf("%s+0x%" G_GINT64_MODIFIER "x", af_path_base(library), frame->rel_pc);
    add_method(s,
               af_frames_method(&s->p->texts->names, text, strlen(text), AF_FRAME_NATIVE, library));
}

/* Adds the methods of a frame, innermost first. */
static void add_frame(af_perfetto_stacks *s, const af_perfetto_frame *frame, uint32_t package)
{
    const af_texts *texts = s->p->texts;
    const af_span path = af_texts_get(texts, frame->path);
    af_span name = af_texts_get(texts, frame->function);
    if (frame->rel_pc == AF_FRAME_OF_CLASS && frame->path == AF_NO_TEXT) {
        g_autofree char *shown = af_perfetto_name_class(s, name);
        add_method(s,
                   af_frames_method(&s->p->texts->names, shown, strlen(shown), AF_FRAME_ANY, NULL));
        return;
    }
    const af_symbol_chain *known = af_perfetto_find_symbol(s, frame);
    for (uint32_t i = 0; known != NULL && i < known->n; i++) {
        const uint32_t function = AF_ARRAY_AT(&s->functions, uint32_t, known->first + i);
        add_named(s, af_texts_get(texts, function), path);
    }
    if (known != NULL && known->n > 0) {
        return;
    }
    if (name.length == 0) {
        name = af_texts_get(texts, af_perfetto_symfs_find(s, frame));
    }
    const af_span real = af_perfetto_find_real_name(s, frame->function, path, package);
    if (real.length > 0) {
        add_named(s, real, path);
    } else if (name.length == 0) {
        add_nameless(s, frame, path);
    } else if (is_error(name, path)) {
        add_error(s, name);
    } else {
        add_named(s, name, path);
    }
}

/* The same; the method of a frame that is only one is found only once, unless it depends on the
 * process. */
static void add_frame_once(af_perfetto_stacks *s, uint32_t number, uint32_t package)
{
    uint32_t *known = af_array_slot(&s->known, number);
    if (known == NULL) {
        return;
    }
    const size_t before = s->methods.n;
    if (*known != 0) {
        add_method(s, *known - 1);
        return;
    }
    af_perfetto_frame frame;
    memcpy(&frame, s->frames.entries[number].bytes, sizeof frame);
    add_frame(s, &frame, package);
    if (s->methods.n == before + 1 && (s->packages.n < 2 || package == AF_NO_TEXT)) {
        *known = AF_ARRAY_AT(&s->methods, uint32_t, before) + 1;
    }
}

/* Lists the nodes of a stack that the sink does not know yet for this thread; returns the sink's
 * stack that precedes them. */
static uint32_t list_path(af_perfetto_stacks *s, uint32_t thread, uint32_t node)
{
    s->path.n = 0;
    while (node != AF_NO_STACK) {
        const uint32_t *given = af_idtable_find(&s->given, (uint64_t)thread << 32 | node);
        if (given != NULL) {
            return *given;
        }
        if (!af_array_append(&s->path, &node)) {
            return AF_SINK_NO_STACK;
        }
        node = (uint32_t)(af_idmap_id(&s->nodes, node) >> 32);
    }
    return AF_SINK_NO_STACK;
}

/* Gives the methods of a node to the sink. Returns FALSE if memory is refused, or at its limit. */
static gboolean give_node(af_perfetto_stacks *s, uint32_t thread, uint32_t node, uint32_t package,
                          uint32_t *stack)
{
    s->methods.n = 0;
    add_frame_once(s, (uint32_t)af_idmap_id(&s->nodes, node), package);
    for (size_t i = s->methods.n; i-- > 0;) {
        const uint32_t method = AF_ARRAY_AT(&s->methods, uint32_t, i);
        *stack = af_sink_stack(s->p->sink, thread, *stack, method);
        if (*stack == AF_SINK_NO_STACK) {
            return FALSE;
        }
    }
    uint32_t *given = af_idtable_item(&s->given, (uint64_t)thread << 32 | node);
    if (given != NULL) {
        *given = *stack;
    }
    return given != NULL;
}

uint32_t af_perfetto_stacks_give(af_perfetto_stacks *s, uint32_t stack, uint32_t thread,
                                 uint32_t pid)
{
    const uint32_t package = s->packages.n < 2 ? AF_NO_TEXT : af_perfetto_package_of(s->p, pid);
    uint32_t given = list_path(s, thread, stack);
    while (s->path.n > 0 && !af_sink_is_stopped(s->p->sink)) {
        if (!give_node(s, thread, AF_ARRAY_AT(&s->path, uint32_t, --s->path.n), package, &given)) {
            return AF_SINK_NO_STACK;
        }
    }
    return af_sink_is_stopped(s->p->sink) ? AF_SINK_NO_STACK : given;
}
