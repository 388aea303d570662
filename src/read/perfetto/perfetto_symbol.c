/* Symbols and real names that a trace brings: of native code by address, of obfuscated code by
 * package. */
#include "read/perfetto/perfetto_stack_state.h"

#include <string.h>

/* In the place of a package: real names of classes, which count in any. */
#define CLASSES (UINT32_MAX - 1)

typedef struct {
    uint32_t path, build_id;
    uint64_t address;
} symbol_key;

static uint32_t add_text(af_perfetto_stacks *s, const af_protobuf *field)
{
    return af_texts_add(s->p->texts, af_protobuf_text(field));
}

static void take_address(af_perfetto_stacks *s, uint32_t path, uint32_t build_id,
                         const af_protobuf *field)
{
    symbol_key key = {path, build_id, 0};
    af_symbol_chain found = {(uint32_t)s->functions.n, 0};
    af_protobuf of[2], line[2];
    af_protobuf_values(field, of, G_N_ELEMENTS(of));
    key.address = of[1].number;
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_find(&f, 2);) {
        af_protobuf_values(&f, line, G_N_ELEMENTS(line));
        const uint32_t function = line[1].field == 0 ? AF_NO_TEXT : add_text(s, &line[1]);
        found.n += af_array_append(&s->functions, &function) ? 1 : 0;
    }
    af_symbol_chain *chain =
        af_array_slot(&s->symbols, af_perfetto_stacks_number(s, &s->symbol_keys, &key, sizeof key));
    if (chain != NULL && found.n > 0) {
        *chain = found;
    }
}

void af_perfetto_take_symbols(af_perfetto *p, const af_perfetto_packet *packet,
                              const af_protobuf *field)
{
    af_perfetto_stacks *s = p->stacks;
    af_protobuf of[3];
    af_protobuf_values(field, of, G_N_ELEMENTS(of));
    const uint32_t path = of[1].field == 0 ? AF_NO_TEXT : add_text(s, &of[1]);
    const uint32_t build_id = of[2].field == 0 ? AF_NO_TEXT : add_text(s, &of[2]);
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_find(&f, 3);) {
        take_address(s, path, build_id, &f);
    }
}

const af_symbol_chain *af_perfetto_find_symbol(const af_perfetto_stacks *s,
                                               const af_perfetto_frame *frame)
{
    const symbol_key key = {frame->path, frame->build_id, frame->rel_pc};
    const uint32_t number = af_textmap_find(&s->symbol_keys, (const char *)&key, sizeof key);
    return number == AF_TEXTMAP_NONE ? NULL : &AF_ARRAY_AT(&s->symbols, af_symbol_chain, number);
}

/* The real names of "class.method" in a package: distinct ones are joined by bars. */
static void add_real_name(af_perfetto_stacks *s, uint32_t package, const char *obfuscated,
                          const char *real)
{
    const uint32_t text = af_texts_add(s->p->texts, af_span_of(obfuscated));
    const size_t known = s->real_names.items.n;
    uint32_t *names = af_idtable_item(&s->real_names, (uint64_t)package << 32 | text);
    if (names == NULL) {
        return;
    }
    if (s->real_names.items.n > known) {
        *names = af_texts_add(s->p->texts, af_span_of(real));
        return;
    }
    const af_span before = af_texts_get(s->p->texts, *names);
    g_autofree char *list =
        g_strdup_printf("|%.*s|", (int)MIN(before.length, 65536u), before.bytes);
    g_autofree char *wanted = g_strdup_printf("|%s|", real);
    if (strstr(list, wanted) == NULL && before.length < 4096) {
        g_autofree char *joined =
            g_strdup_printf("%.*s|%s", (int)before.length, before.bytes, real);
        *names = af_texts_add(s->p->texts, af_span_of(joined));
    }
}

/* The text of a field, which may be absent, as a string; the caller frees it. */
static char *take_name(const af_protobuf *field)
{
    return field->length == 0
               ? g_strdup("")
               : g_strndup((const char *)field->bytes, MIN(field->length, (size_t)4096));
}

/* {1 obfuscated, 2 real}; the caller frees both. */
static void take_pair(const af_protobuf *field, char **obfuscated, char **real)
{
    af_protobuf f[3];
    af_protobuf_values(field, f, G_N_ELEMENTS(f));
    *obfuscated = take_name(&f[1]);
    *real = take_name(&f[2]);
}

static void take_class(af_perfetto_stacks *s, uint32_t package, const af_protobuf *field)
{
    g_autofree char *obfuscated = NULL, *real = NULL;
    take_pair(field, &obfuscated, &real);
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_find(&f, 4);) {
        g_autofree char *method = NULL, *real_method = NULL;
        take_pair(&f, &method, &real_method);
        g_autofree char *name = g_strdup_printf("%s.%s", obfuscated, method);
        g_autofree char *real_name = strchr(real_method, '.') != NULL
                                         ? g_strdup(real_method)
                                         : g_strdup_printf("%s.%s", real, real_method);
        add_real_name(s, package, name, real_name);
    }
    add_real_name(s, CLASSES, obfuscated, real);
}

void af_perfetto_take_real_names(af_perfetto *p, const af_perfetto_packet *packet,
                                 const af_protobuf *field)
{
    af_perfetto_stacks *s = p->stacks;
    af_protobuf of[2];
    af_protobuf_values(field, of, G_N_ELEMENTS(of));
    if (of[1].field == 0) {
        return;
    }
    const uint32_t package = add_text(s, &of[1]);
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_find(&f, 3);) {
        take_class(s, package, &f);
    }
    af_array_append(&s->packages, &package);
}

/* The name of the package in the path of a mapping below /data/app; empty if there is none. */
static af_span package_of_path(af_span path)
{
    static const char apps[] = "/data/app/";
    const char *app = memmem(path.bytes, path.length, apps, sizeof apps - 1);
    if (app == NULL) {
        return (af_span){NULL, 0};
    }
    const char *at = app + sizeof apps - 1, *const end = path.bytes + path.length;
    if (end - at > 2 && at[0] == '~' && at[1] == '~') {
        const char *slash = memchr(at, '/', (size_t)(end - at));
        at = slash == NULL ? end : slash + 1;
    }
    return (af_span){at, (size_t)(end - at)};
}

/* Whether code of a mapping may belong to the package: a path below /data/app names its own; code
 * in memory may be of any; other code is of the package of its process, if that is known. */
static gboolean may_be_of(const af_perfetto_stacks *s, af_span path, uint32_t package,
                          uint32_t of_process)
{
    const af_span own = package_of_path(path), name = af_texts_get(s->p->texts, package);
    if (own.bytes != NULL) {
        return own.length > name.length && memcmp(own.bytes, name.bytes, name.length) == 0 &&
               (own.bytes[name.length] == '-' || own.bytes[name.length] == '/');
    }
    return af_span_begins(path, "/memfd:") || of_process == AF_NO_TEXT || of_process == package;
}

af_span af_perfetto_find_real_name(const af_perfetto_stacks *s, uint32_t function, af_span path,
                                   uint32_t of_process)
{
    for (size_t i = 0; i < s->packages.n && function != AF_NO_TEXT; i++) {
        const uint32_t package = AF_ARRAY_AT(&s->packages, uint32_t, i);
        const uint32_t *names = af_idtable_find(&s->real_names, (uint64_t)package << 32 | function);
        if (names != NULL && may_be_of(s, path, package, of_process)) {
            return af_texts_get(s->p->texts, *names);
        }
    }
    return (af_span){NULL, 0};
}

char *af_perfetto_name_class(const af_perfetto_stacks *s, af_span name)
{
    af_span inner = name;
    if (!af_span_skip(&inner, "[native] ")) {
        af_span_skip(&inner, "java.lang.Class<");
    }
    const int n_head = (int)(inner.bytes - name.bytes);
    while (inner.length > 0 && memchr("[]>", inner.bytes[inner.length - 1], 3) != NULL) {
        inner.length--;
    }
    const uint32_t text = af_textmap_find(&s->p->texts->map, inner.bytes, inner.length);
    const uint32_t *names = text == AF_TEXTMAP_NONE
                                ? NULL
                                : af_idtable_find(&s->real_names, (uint64_t)CLASSES << 32 | text);
    if (names == NULL) {
        return g_strndup(name.bytes, name.length);
    }
    const af_span real = af_texts_get(s->p->texts, *names);
    const char *tail = inner.bytes + inner.length;
    return g_strdup_printf("%.*s%.*s%.*s", n_head, name.bytes, (int)MIN(real.length, 4096u),
                           real.bytes, (int)(name.bytes + name.length - tail), tail);
}
