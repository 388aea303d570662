#include "read/perfetto/perfetto.h"

#include <string.h>

#include "read/demangle.h"

/* In the place of a package: real names of classes, which count in any. */
#define CLASSES (UINT32_MAX - 1)

/* The most parts of a path. */
#define MOST_PARTS 64u

typedef struct {
    uint32_t caller, frame;
} stack_node;

/* A line of code at an address; several are an inlined chain, innermost first. */
typedef struct {
    uint32_t function, source, line;
} symbol_line;

typedef struct {
    uint32_t first, n; /* of symbol_line */
} symbol;

struct af_perfetto_stacks {
    af_perfetto *p;
    af_textmap frame_keys;
    af_array frames; /* of af_perfetto_frame, by number of the key */
    af_idmap node_keys;
    af_array nodes; /* of stack_node, by number of the key */
    af_textmap symbol_keys;
    af_array symbols;    /* of symbol */
    af_array lines;      /* of symbol_line */
    af_idmap real_keys;  /* obfuscated "class.method" -> list of real names */
    af_array real_names; /* of uint32_t: a text with all real names */
    af_array methods;    /* of uint32_t, of the last stack */
    af_array packages;   /* of uint32_t: texts */
    af_array known;      /* of uint32_t, by frame: its method + 1, if it is one */
    af_arena *arena;     /* keys */
};

af_perfetto_stacks *af_perfetto_stacks_new(af_perfetto *p)
{
    uint64_t *const meter = af_sink_meter(p->sink);
    af_perfetto_stacks *s = g_new0(af_perfetto_stacks, 1);
    s->p = p;
    s->arena = af_arena_new();
    af_textmap_init_metered(&s->frame_keys, meter);
    af_textmap_init_metered(&s->symbol_keys, meter);
    af_idmap_init_hashed(&s->node_keys);
    s->node_keys.meter = meter;
    af_idmap_init_hashed(&s->real_keys);
    s->real_keys.meter = meter;
    af_array_init_metered(&s->frames, sizeof(af_perfetto_frame), meter);
    af_array_init_metered(&s->nodes, sizeof(stack_node), meter);
    af_array_init_metered(&s->symbols, sizeof(symbol), meter);
    af_array_init_metered(&s->lines, sizeof(symbol_line), meter);
    af_array_init_metered(&s->real_names, sizeof(uint32_t), meter);
    af_array_init_metered(&s->methods, sizeof(uint32_t), meter);
    af_array_init_metered(&s->packages, sizeof(uint32_t), meter);
    af_array_init_metered(&s->known, sizeof(uint32_t), meter);
    return s;
}

void af_perfetto_stacks_free(af_perfetto_stacks *s)
{
    af_textmap_clear(&s->frame_keys);
    af_textmap_clear(&s->symbol_keys);
    af_idmap_clear(&s->node_keys);
    af_idmap_clear(&s->real_keys);
    af_array_clear(&s->frames);
    af_array_clear(&s->nodes);
    af_array_clear(&s->symbols);
    af_array_clear(&s->lines);
    af_array_clear(&s->real_names);
    af_array_clear(&s->methods);
    af_array_clear(&s->packages);
    af_array_clear(&s->known);
    af_arena_free(s->arena);
    g_free(s);
}

/* The number of a key of bytes, copied if it is new. */
static uint32_t number_bytes(af_perfetto_stacks *s, af_textmap *map, const void *key, size_t size)
{
    uint32_t number = af_textmap_find(map, key, size);
    if (number == AF_TEXTMAP_NONE) {
        const char *copy = af_arena_copy(s->arena, key, size);
        number = copy == NULL ? AF_TEXTMAP_NONE : af_textmap_add(map, copy, size);
        *af_sink_meter(s->p->sink) += copy == NULL ? 0 : size;
    }
    af_sink_fail_if(s->p->sink, number == AF_TEXTMAP_NONE);
    return number;
}

/* ---- stacks ---- */

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
    const uint32_t number = number_bytes(s, &s->frame_keys, &key, sizeof key);
    const size_t known = s->frames.n;
    if (number == AF_TEXTMAP_NONE || !af_array_reach(&s->frames, (size_t)number + 1)) {
        af_sink_fail(s->p->sink);
        return UINT32_MAX;
    }
    if (number >= known) {
        AF_ARRAY_AT(&s->frames, af_perfetto_frame, number) = key;
    }
    return number;
}

static uint32_t push_frame(af_perfetto_stacks *s, uint32_t caller, uint32_t frame)
{
    const uint32_t node = af_idmap_number(&s->node_keys, (uint64_t)caller << 32 | frame);
    if (node == AF_IDMAP_NONE || !af_array_reach(&s->nodes, (size_t)node + 1)) {
        af_sink_fail(s->p->sink);
        return AF_NO_STACK;
    }
    AF_ARRAY_AT(&s->nodes, stack_node, node) = (stack_node){caller, frame};
    return node;
}

uint32_t af_perfetto_stacks_push(af_perfetto_stacks *s, uint32_t caller,
                                 const af_perfetto_frame *frame)
{
    const uint32_t number = number_frame(s, frame);
    return number == UINT32_MAX ? AF_NO_STACK : push_frame(s, caller, number);
}

/* ---- tables ---- */

static af_protobuf begin_message(const af_perfetto_stacks *s, uint32_t text)
{
    const af_span bytes = af_texts_get(s->p->texts, text);
    return af_protobuf_begin((const uint8_t *)bytes.bytes, bytes.length);
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
    GString *path = g_string_new(NULL);
    for (unsigned i = 0; i < n; i++) {
        const af_span part = af_texts_get(s->p->texts, parts[i]);
        g_string_append_c(path, '/');
        g_string_append_len(path, part.bytes, (gssize)part.length);
    }
    const uint32_t text = af_texts_add(s->p->texts, (af_span){path->str, path->len});
    g_string_free(path, TRUE);
    return text;
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
    uint32_t *cached = af_perfetto_sequence_cache(s->p->sink, q, AF_TABLE_FRAME, id);
    const uint32_t message = af_perfetto_sequence_find(q, AF_TABLE_FRAME, id);
    af_perfetto_frame frame = {AF_NO_TEXT, AF_NO_TEXT, AF_NO_TEXT, AF_NO_TEXT, 0, 0};
    uint64_t function = 0, mapping = 0, source = 0;
    if (cached == NULL || message == AF_NO_TEXT) {
        return UINT32_MAX;
    }
    if (*cached != 0) {
        return *cached - 1;
    }
    for (af_protobuf f = begin_message(s, message); af_protobuf_next(&f);) {
        uint64_t line = 0;
        uint64_t *const fields[] = {NULL, NULL, &function, &mapping, &frame.rel_pc, &source, &line};
        if (f.field >= 2 && f.field <= 6 && f.wire == AF_WIRE_VARINT) {
            *fields[f.field] = f.number;
            frame.line = f.field == 6 ? (uint32_t)line : frame.line;
        }
    }
    frame.function =
        function == 0 ? AF_NO_TEXT : af_perfetto_sequence_find(q, AF_TABLE_FUNCTION, function);
    frame.source = source == 0 ? AF_NO_TEXT : af_perfetto_sequence_find(q, AF_TABLE_SOURCE, source);
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
    uint32_t *cached = af_perfetto_sequence_cache(s->p->sink, q, AF_TABLE_CALLSTACK, id);
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

uint32_t af_perfetto_stacks_take_inline(af_perfetto_stacks *s, const uint8_t *bytes, size_t length)
{
    uint32_t stack = AF_NO_STACK;
    for (af_protobuf f = af_protobuf_begin(bytes, length); af_protobuf_next(&f);) {
        af_perfetto_frame frame = {AF_NO_TEXT, AF_NO_TEXT, AF_NO_TEXT, AF_NO_TEXT, 0, 0};
        if (f.field != 1 || f.wire != AF_WIRE_BYTES) {
            continue;
        }
        for (af_protobuf g = af_protobuf_begin(f.bytes, f.length); af_protobuf_next(&g);) {
            if (g.field == 1) {
                frame.function = af_texts_add(s->p->texts, af_protobuf_text(&g));
            } else if (g.field == 2) {
                frame.source = af_texts_add(s->p->texts, af_protobuf_text(&g));
            } else if (g.field == 3) {
                frame.line = (uint32_t)g.number;
            }
        }
        stack = af_perfetto_stacks_push(s, stack, &frame);
    }
    return stack;
}

/* ---- symbols ---- */

typedef struct {
    uint32_t path, build_id;
    uint64_t address;
} symbol_key;

static void take_address(af_perfetto_stacks *s, uint32_t path, uint32_t build_id,
                         const af_protobuf *field)
{
    symbol_key key = {path, build_id, 0};
    symbol found = {(uint32_t)s->lines.n, 0};
    for (af_protobuf f = af_protobuf_begin(field->bytes, field->length); af_protobuf_next(&f);) {
        if (f.field == 1) {
            key.address = f.number;
        }
        symbol_line *line = f.field == 2 ? af_array_add(&s->lines, 1) : NULL;
        af_sink_fail_if(s->p->sink, s->lines.failed);
        if (line == NULL) {
            continue;
        }
        *line = (symbol_line){AF_NO_TEXT, AF_NO_TEXT, 0};
        found.n++;
        for (af_protobuf g = af_protobuf_begin(f.bytes, f.length); af_protobuf_next(&g);) {
            if (g.field == 1) {
                line->function = af_texts_add(s->p->texts, af_protobuf_text(&g));
            } else if (g.field == 2) {
                line->source = af_texts_add(s->p->texts, af_protobuf_text(&g));
            } else if (g.field == 3) {
                line->line = (uint32_t)g.number;
            }
        }
    }
    const uint32_t number = number_bytes(s, &s->symbol_keys, &key, sizeof key);
    if (number == AF_TEXTMAP_NONE || !af_array_reach(&s->symbols, (size_t)number + 1)) {
        af_sink_fail(s->p->sink);
    } else if (found.n > 0) {
        AF_ARRAY_AT(&s->symbols, symbol, number) = found;
    }
}

void af_perfetto_stacks_take_symbols(af_perfetto_stacks *s, const uint8_t *bytes, size_t length)
{
    uint32_t path = AF_NO_TEXT, build_id = AF_NO_TEXT;
    for (af_protobuf f = af_protobuf_begin(bytes, length); af_protobuf_next(&f);) {
        if (f.field == 1) {
            path = af_texts_add(s->p->texts, af_protobuf_text(&f));
        } else if (f.field == 2) {
            build_id = af_texts_add(s->p->texts, af_protobuf_text(&f));
        }
    }
    for (af_protobuf f = af_protobuf_begin(bytes, length); af_protobuf_next(&f);) {
        if (f.field == 3) {
            take_address(s, path, build_id, &f);
        }
    }
}

static const symbol *find_symbol(const af_perfetto_stacks *s, const af_perfetto_frame *frame)
{
    const symbol_key key = {frame->path, frame->build_id, frame->rel_pc};
    const uint32_t number = af_textmap_find(&s->symbol_keys, (const char *)&key, sizeof key);
    return number == AF_TEXTMAP_NONE ? NULL : &AF_ARRAY_AT(&s->symbols, symbol, number);
}

/* ---- real names ---- */

/* The real names of "class.method" in a package: distinct ones are joined by bars. */
static void add_real_name(af_perfetto_stacks *s, uint32_t package, const char *obfuscated,
                          const char *real)
{
    const uint32_t text = af_texts_add(s->p->texts, (af_span){obfuscated, strlen(obfuscated)});
    const uint32_t number = af_idmap_number(&s->real_keys, (uint64_t)package << 32 | text);
    const size_t known = s->real_names.n;
    if (number == AF_IDMAP_NONE || !af_array_reach(&s->real_names, (size_t)number + 1)) {
        af_sink_fail(s->p->sink);
        return;
    }
    uint32_t *names = &AF_ARRAY_AT(&s->real_names, uint32_t, number);
    if (number >= known) {
        *names = af_texts_add(s->p->texts, (af_span){real, strlen(real)});
        return;
    }
    const af_span before = af_texts_get(s->p->texts, *names);
    char *list = g_strdup_printf("|%.*s|", (int)MIN(before.length, 65536u), before.bytes);
    char *wanted = g_strdup_printf("|%s|", real);
    if (strstr(list, wanted) == NULL && before.length < 4096) {
        char *joined = g_strdup_printf("%.*s|%s", (int)before.length, before.bytes, real);
        *names = af_texts_add(s->p->texts, (af_span){joined, strlen(joined)});
        g_free(joined);
    }
    g_free(wanted);
    g_free(list);
}

/* {1 obfuscated, 2 real}, as strings; the caller frees both. */
static void take_pair(const af_protobuf *field, char **obfuscated, char **real)
{
    *obfuscated = *real = NULL;
    for (af_protobuf f = af_protobuf_begin(field->bytes, field->length); af_protobuf_next(&f);) {
        char **to = f.field == 1 ? obfuscated : f.field == 2 ? real : NULL;
        if (to != NULL && f.wire == AF_WIRE_BYTES) {
            g_free(*to);
            *to = g_strndup((const char *)f.bytes, MIN(f.length, (size_t)4096));
        }
    }
    *obfuscated = *obfuscated == NULL ? g_strdup("") : *obfuscated;
    *real = *real == NULL ? g_strdup("") : *real;
}

static void take_class(af_perfetto_stacks *s, uint32_t package, const af_protobuf *field)
{
    char *obfuscated, *real;
    take_pair(field, &obfuscated, &real);
    for (af_protobuf f = af_protobuf_begin(field->bytes, field->length); af_protobuf_next(&f);) {
        char *method, *real_method;
        if (f.field != 4 || f.wire != AF_WIRE_BYTES) {
            continue;
        }
        take_pair(&f, &method, &real_method);
        char *name = g_strdup_printf("%s.%s", obfuscated, method);
        char *real_name = strchr(real_method, '.') != NULL
                              ? g_strdup(real_method)
                              : g_strdup_printf("%s.%s", real, real_method);
        add_real_name(s, package, name, real_name);
        g_free(real_name);
        g_free(name);
        g_free(real_method);
        g_free(method);
    }
    add_real_name(s, CLASSES, obfuscated, real);
    g_free(real);
    g_free(obfuscated);
}

void af_perfetto_stacks_take_mapping(af_perfetto_stacks *s, const uint8_t *bytes, size_t length)
{
    uint32_t package = AF_NO_TEXT;
    for (af_protobuf f = af_protobuf_begin(bytes, length); af_protobuf_next(&f);) {
        if (f.field == 1) {
            package = af_texts_add(s->p->texts, af_protobuf_text(&f));
        }
    }
    for (af_protobuf f = af_protobuf_begin(bytes, length); af_protobuf_next(&f);) {
        if (f.field == 3 && f.wire == AF_WIRE_BYTES && package != AF_NO_TEXT) {
            take_class(s, package, &f);
        }
    }
    if (package != AF_NO_TEXT) {
        uint32_t *added = af_array_add(&s->packages, 1);
        af_sink_fail_if(s->p->sink, added == NULL);
        if (added != NULL) {
            *added = package;
        }
    }
}

/* Whether a mapping may belong to the package: one below /data/app names its own. */
static gboolean may_be_of(af_span path, af_span package)
{
    static const char apps[] = "/data/app/";
    const char *app = memmem(path.bytes, path.length, apps, sizeof apps - 1);
    if (app == NULL) {
        return TRUE;
    }
    const char *at = app + sizeof apps - 1, *const end = path.bytes + path.length;
    if (end - at > 2 && at[0] == '~' && at[1] == '~') {
        const char *slash = memchr(at, '/', (size_t)(end - at));
        at = slash == NULL ? end : slash + 1;
    }
    return (size_t)(end - at) > package.length && memcmp(at, package.bytes, package.length) == 0 &&
           (at[package.length] == '-' || at[package.length] == '/');
}

static af_span find_real_name(const af_perfetto_stacks *s, uint32_t function, af_span path)
{
    for (size_t i = 0; i < s->packages.n && function != AF_NO_TEXT; i++) {
        const uint32_t package = AF_ARRAY_AT(&s->packages, uint32_t, i);
        const uint32_t number = af_idmap_find(&s->real_keys, (uint64_t)package << 32 | function);
        if (number != AF_IDMAP_NONE && may_be_of(path, af_texts_get(s->p->texts, package))) {
            return af_texts_get(s->p->texts, AF_ARRAY_AT(&s->real_names, uint32_t, number));
        }
    }
    return (af_span){NULL, 0};
}

/* The real name of a class, also of an array of it and of java.lang.Class<it>. The caller frees it. */
static char *name_class(const af_perfetto_stacks *s, af_span name)
{
    static const char head[] = "java.lang.Class<", native[] = "[native] ";
    af_span inner = name;
    size_t n_head = 0;
    if (inner.length >= sizeof native && memcmp(inner.bytes, native, sizeof native - 1) == 0) {
        n_head = sizeof native - 1;
    } else if (inner.length >= sizeof head && memcmp(inner.bytes, head, sizeof head - 1) == 0) {
        n_head = sizeof head - 1;
    }
    inner = (af_span){name.bytes + n_head, name.length - n_head};
    while (inner.length > 0 && memchr("[]>", inner.bytes[inner.length - 1], 3) != NULL) {
        inner.length--;
    }
    const uint32_t text = af_textmap_find(&s->p->texts->map, inner.bytes, inner.length);
    const uint32_t number = text == AF_TEXTMAP_NONE
                                ? AF_IDMAP_NONE
                                : af_idmap_find(&s->real_keys, (uint64_t)CLASSES << 32 | text);
    if (number == AF_IDMAP_NONE) {
        return g_strndup(name.bytes, name.length);
    }
    const af_span real = af_texts_get(s->p->texts, AF_ARRAY_AT(&s->real_names, uint32_t, number));
    const char *tail = inner.bytes + inner.length;
    return g_strdup_printf("%.*s%.*s%.*s", (int)n_head, name.bytes, (int)MIN(real.length, 4096u),
                           real.bytes, (int)(name.bytes + name.length - tail), tail);
}

/* ---- methods ---- */

static gboolean begins_with(af_span text, const char *with)
{
    const size_t n = strlen(with);
    return text.length >= n && memcmp(text.bytes, with, n) == 0;
}

static gboolean ends_with(af_span text, const char *with)
{
    const size_t n = strlen(with);
    return text.length >= n && memcmp(text.bytes + text.length - n, with, n) == 0;
}

/* Whether the code of a mapping may be Java's. */
static gboolean may_hold_java(af_span path)
{
    return !ends_with(path, ".so") && !begins_with(path, "/kernel") &&
           memmem(path.bytes, path.length, "/lib/", 5) == NULL;
}

static void add_method(af_perfetto_stacks *s, uint32_t method)
{
    uint32_t *added = method == UINT32_MAX ? NULL : af_array_add(&s->methods, 1);
    if (added == NULL) {
        af_sink_fail(s->p->sink);
    } else {
        *added = method;
    }
}

/* A copy of the path that ends in a NUL; the kernel has the name that perf gives it. */
static char *copy_path(af_span path)
{
    if (path.length == 0) {
        return NULL;
    }
    return begins_with(path, "/kernel") ? g_strdup("[kernel.kallsyms]")
                                        : g_strndup(path.bytes, path.length);
}

static void add_named(af_perfetto_stacks *s, af_span name, af_span path)
{
    char *library = copy_path(path);
    char *shown = af_demangle(name.bytes, name.length);
    const af_frame_kind kind = path.length == 0      ? AF_FRAME_ANY
                               : may_hold_java(path) ? AF_FRAME_JAVA
                                                     : AF_FRAME_NATIVE;
    add_method(s, af_frames_method(&s->p->texts->names, shown, MIN(strlen(shown), AF_LONGEST_NAME),
                                   kind, library));
    g_free(shown);
    g_free(library);
}

/* An unwinder that failed adds a frame with the number of its error. */
static gboolean is_error(af_span name, af_span path)
{
    return begins_with(name, "ERROR ") &&
           (path.length == 0 || af_span_is(path, "/ERROR") || af_span_is(path, "ERROR"));
}

static void add_error(af_perfetto_stacks *s, af_span name)
{
    char *text = g_strdup_printf("[unwinding stopped: error %.*s]",
                                 (int)MIN(name.length - 6, (size_t)20), name.bytes + 6);
    add_method(s, af_frames_method(&s->p->texts->names, text, strlen(text), AF_FRAME_NATIVE, NULL));
    g_free(text);
}

static void add_nameless(af_perfetto_stacks *s, const af_perfetto_frame *frame, af_span path)
{
    if (path.length == 0) {
        add_method(s, af_frames_nowhere(&s->p->texts->names, frame->rel_pc));
        return;
    }
    char *library = copy_path(path);
    const char *slash = strrchr(library, '/');
    char *text =
        g_strdup_printf("%s+0x%" G_GINT64_MODIFIER "x",
                        slash != NULL && slash[1] != '\0' ? slash + 1 : library, frame->rel_pc);
    add_method(s,
               af_frames_method(&s->p->texts->names, text, strlen(text), AF_FRAME_NATIVE, library));
    g_free(text);
    g_free(library);
}

/* Adds the methods of a frame, innermost first. */
static void add_frame(af_perfetto_stacks *s, const af_perfetto_frame *frame)
{
    const af_texts *texts = s->p->texts;
    const af_span path = af_texts_get(texts, frame->path);
    const af_span name = af_texts_get(texts, frame->function);
    if (frame->rel_pc == AF_FRAME_OF_CLASS && frame->path == AF_NO_TEXT) {
        char *shown = name_class(s, name);
        add_method(s,
                   af_frames_method(&s->p->texts->names, shown, strlen(shown), AF_FRAME_ANY, NULL));
        g_free(shown);
        return;
    }
    const symbol *known = find_symbol(s, frame);
    for (uint32_t i = 0; known != NULL && i < known->n; i++) {
        const symbol_line *line = &AF_ARRAY_AT(&s->lines, symbol_line, known->first + i);
        add_named(s, af_texts_get(texts, line->function), path);
    }
    if (known != NULL && known->n > 0) {
        return;
    }
    const af_span real = find_real_name(s, frame->function, path);
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

/* The same; the method of a frame that is only one is found only once. */
static void add_frame_once(af_perfetto_stacks *s, uint32_t number)
{
    if (!af_array_reach(&s->known, (size_t)number + 1)) {
        af_sink_fail(s->p->sink);
        return;
    }
    uint32_t *known = &AF_ARRAY_AT(&s->known, uint32_t, number);
    const size_t before = s->methods.n;
    if (*known != 0) {
        add_method(s, *known - 1);
        return;
    }
    add_frame(s, &AF_ARRAY_AT(&s->frames, af_perfetto_frame, number));
    if (s->methods.n == before + 1) {
        *known = AF_ARRAY_AT(&s->methods, uint32_t, before) + 1;
    }
}

const uint32_t *af_perfetto_stacks_methods(af_perfetto_stacks *s, uint32_t stack, size_t *n)
{
    s->methods.n = 0;
    while (stack != AF_NO_STACK && !af_sink_has_failed(s->p->sink)) {
        const stack_node *node = &AF_ARRAY_AT(&s->nodes, stack_node, stack);
        const uint32_t caller = node->caller;
        add_frame_once(s, node->frame);
        stack = caller;
    }
    af_frames_turn(&s->methods);
    *n = af_sink_has_failed(s->p->sink) ? 0 : s->methods.n;
    return s->methods.items;
}
