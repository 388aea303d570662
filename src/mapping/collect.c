#include "mapping/collect.h"

#include <stdlib.h>

#include "base/append.h"
#include "base/memory_error.h"
#include "mapping/class_builder.h"
#include "mapping/line.h"
#include "mapping/comment.h"

/* A file with this many bytes without a class, and with lines that do not parse, is not a
 * mapping. */
#define HOPELESS_BYTES ((uint64_t)1 << 20)

#define MOST_IDS 64

/* The subject of a remark. */
typedef enum { ABOUT_NOTHING, ABOUT_CLASS, ABOUT_METHOD } about;

/* Lines with one obfuscated name and one range: from the inlined methods to the method that
 * remained. `texts` holds the last two of them. */
typedef struct {
    gboolean open, ranged;
    uint64_t from, to;
    af_array obfuscated, residual; /* of char */
    af_array texts[2];             /* of char: of the last line and of the previous one */
    gboolean owned;                /* whether the last one names an owner */
    unsigned n;                    /* lines */
    unsigned flags;
} group;

struct af_collector {
    af_mapping *mapping;
    af_array carry;    /* of char: the beginning of an incomplete line */
    gboolean overlong; /* the line in `carry` is too long and is skipped */
    uint64_t bytes;
    gboolean has_header;
    gboolean in_class;
    af_mapped_class class; /* the current class */
    af_class_builder draft;
    group group;
    about about;
    const char *compiler, *compiler_version;
    gboolean failed; /* memory was refused */
};

af_collector *af_collector_new(const char *path)
{
    af_collector *c = g_new0(af_collector, 1);
    c->mapping = g_new0(af_mapping, 1);
    c->mapping->path = g_strdup(path);
    c->mapping->arena = af_arena_new();
    af_array_init(&c->mapping->classes, sizeof(af_mapped_class));
    af_array_init(&c->mapping->methods, sizeof(af_mapped_method));
    af_array_init(&c->mapping->ids, sizeof(const char *));
    af_array *const texts[] = {&c->carry, &c->group.obfuscated, &c->group.residual,
                               &c->group.texts[0], &c->group.texts[1]};
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        af_array_init(texts[i], 1);
    }
    af_class_builder_init(&c->draft);
    return c;
}

void af_collector_free(af_collector *c)
{
    if (c == NULL) {
        return;
    }
    af_array *const texts[] = {&c->carry, &c->group.obfuscated, &c->group.residual,
                               &c->group.texts[0], &c->group.texts[1]};
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        af_array_clear(texts[i]);
    }
    af_class_builder_clear(&c->draft);
    af_mapping_free(c->mapping);
    g_free(c);
}

/* Whether memory was refused, so that texts may be cut. */
static gboolean is_failed(const af_collector *c)
{
    return c->failed || c->carry.failed || c->group.obfuscated.failed || c->group.residual.failed ||
           c->group.texts[0].failed || c->group.texts[1].failed || c->mapping->ids.failed ||
           af_arena_failed(c->mapping->arena);
}

static af_span slice_of(const af_array *text)
{
    return (af_span){text->items, text->n};
}

static void add_method(af_collector *c, const af_array *text, const af_array *forwards,
                       unsigned flags)
{
    if (is_failed(c)) {
        return;
    }
    af_class_builder_method method = {
        .obfuscated = slice_of(&c->group.obfuscated), .text = slice_of(text), .flags = flags};
    if (c->group.residual.n > 0 && (flags & AF_MAPPED_INLINED) == 0) {
        method.residual = slice_of(&c->group.residual);
    }
    if (forwards != NULL) {
        method.forwards = slice_of(forwards);
    }
    af_class_builder_add(&c->draft, &method);
}

/* Ends the group; its last line is the method that exists in the program. */
static void close_group(af_collector *c)
{
    group *g = &c->group;
    if (g->open) {
        add_method(c, &g->texts[0], g->n > 1 ? &g->texts[1] : NULL, g->flags);
    }
    g->open = FALSE;
}

static void append_without_blanks(af_array *to, af_span text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (!g_ascii_isspace(text.bytes[i])) {
            af_append_bytes(to, text.bytes + i, 1);
        }
    }
}

static void write_text(const af_line *line, af_array *text)
{
    text->n = 0;
    af_append_bytes(text, line->type.bytes, line->type.length);
    af_append_bytes(text, "", 1);
    af_append_bytes(text, line->owner.bytes, line->owner.length);
    af_append_bytes(text, "", 1);
    af_append_bytes(text, line->name.bytes, line->name.length);
    af_append_bytes(text, "", 1);
    if (memchr(line->arguments.bytes, ' ', line->arguments.length) == NULL) {
        af_append_bytes(text, line->arguments.bytes, line->arguments.length);
    } else {
        append_without_blanks(text, line->arguments);
    }
    af_append_bytes(text, "", 1);
}

static void take_method(af_collector *c, const af_line *line)
{
    group *g = &c->group;
    if (g->open && g->ranged && line->ranged && g->from == line->from && g->to == line->to &&
        af_span_equal(slice_of(&g->obfuscated), line->obfuscated)) {
        /* the previous line is an inlined method; or it only looks like one, because older R8 gives
         * overloads the same lines */
        if (!g->owned || line->spanned) {
            add_method(c, &g->texts[0], NULL, AF_MAPPED_INLINED);
        }
        const af_array before = g->texts[1];
        g->texts[1] = g->texts[0];
        g->texts[0] = before;
        g->n++;
    } else {
        close_group(c);
        g->open = TRUE;
        g->ranged = line->ranged;
        g->from = line->from;
        g->to = line->to;
        g->n = 1;
        g->flags = 0;
        g->residual.n = 0;
        g->obfuscated.n = 0;
        af_append_bytes(&g->obfuscated, line->obfuscated.bytes, line->obfuscated.length);
    }
    g->owned = line->owner.bytes != NULL;
    write_text(line, &g->texts[0]);
    c->about = ABOUT_METHOD;
}

static void close_class(af_collector *c)
{
    close_group(c);
    if (!c->in_class) {
        return;
    }
    c->in_class = FALSE;
    af_mapped_class *added = is_failed(c) || c->mapping->classes.n >= AF_NO_CLASS - 1
                                 ? NULL
                                 : af_array_add(&c->mapping->classes, 1);
    if (added == NULL || !af_class_builder_take(&c->draft, c->mapping, &c->class)) {
        c->failed = TRUE;
        return;
    }
    *added = c->class;
}

static void take_class(af_collector *c, const af_line *line)
{
    close_class(c);
    const size_t length = line->name.length + 1;
    char *names = af_arena_alloc(c->mapping->arena, length + line->obfuscated.length + 1);
    if (names == NULL) {
        c->failed = TRUE;
        return;
    }
    memcpy(names, line->name.bytes, line->name.length);
    memcpy(names + length, line->obfuscated.bytes, line->obfuscated.length);
    names[length - 1] = names[length + line->obfuscated.length] = '\0';
    c->class = (af_mapped_class){.original = names, .obfuscated = names + length};
    c->in_class = TRUE;
    c->about = ABOUT_CLASS;
}

static const char *keep_text(af_collector *c, af_span value)
{
    g_autoptr(GString) text = g_string_new(NULL);
    af_comment_append(text, value);
    return af_arena_text(c->mapping->arena, text->str);
}

static void take_header(af_collector *c, af_span text)
{
    af_span key, value;
    if (!af_comment_split(text, &key, &value)) {
        return;
    }
    const gboolean compiler = af_span_is(key, "compiler");
    if (compiler && c->compiler == NULL) {
        c->compiler = keep_text(c, value);
    } else if (af_span_is(key, "compiler_version") && c->compiler_version == NULL) {
        c->compiler_version = keep_text(c, value);
    } else if (af_span_is(key, "pg_map_id") || af_span_is(key, "pg_map_hash")) {
        af_span id = value;
        const char *blank = memrchr(id.bytes, ' ', id.length); /* "SHA-256 0123..." */
        if (blank != NULL) {
            id = (af_span){blank + 1, id.length - (size_t)(blank + 1 - id.bytes)};
        }
        if (c->mapping->ids.n < MOST_IDS) {
            const char **added = af_array_add(&c->mapping->ids, 1);
            if (added != NULL) {
                *added = keep_text(c, id);
            }
        }
    }
    c->has_header = c->has_header || compiler;
}

static void take_remark(af_collector *c, af_span text)
{
    af_comment remark;
    if (!af_comment_parse(text, &remark)) {
        take_header(c, text);
    } else if (af_span_is(remark.id, "com.android.tools.r8.mapping")) {
        c->has_header = TRUE;
        if (remark.version.length > 0 && c->mapping->version == NULL) {
            c->mapping->version = keep_text(c, remark.version);
        }
    } else if (c->about == ABOUT_METHOD) {
        group *g = &c->group;
        if (af_span_is(remark.id, "com.android.tools.r8.synthesized")) {
            g->flags |= AF_MAPPED_SYNTHETIC;
        } else if (af_span_is(remark.id, "com.android.tools.r8.outline")) {
            g->flags |= AF_MAPPED_OUTLINE;
        } else if (af_span_is(remark.id, "com.android.tools.r8.residualsignature") &&
                   remark.signature.length > 0 && g->residual.n == 0) {
            g_autoptr(GString) signature = g_string_new(NULL);
            af_comment_append(signature, remark.signature);
            af_append_bytes(&g->residual, signature->str, strlen(signature->str));
        }
    } else if (c->about == ABOUT_CLASS) {
        if (af_span_is(remark.id, "sourceFile") && remark.file_name.length > 0) {
            c->class.source = keep_text(c, remark.file_name);
        }
        c->class.synthetic |= af_span_is(remark.id, "com.android.tools.r8.synthesized");
    }
}

static void count_broken(af_collector *c)
{
    c->mapping->broken++;
    c->about = ABOUT_NOTHING;
}

static void take_line(af_collector *c, const char *bytes, size_t length)
{
    af_line line;
    if (c->mapping->lines++ == 0 && length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        bytes += 3;
        length -= 3;
    }
    const af_line_kind kind = af_line_parse(bytes, length, &line);
    switch (kind) {
    case AF_LINE_BLANK:
        break;
    case AF_LINE_REMARK:
        take_remark(c, line.remark);
        break;
    case AF_LINE_CLASS:
        take_class(c, &line);
        break;
    case AF_LINE_METHOD:
    case AF_LINE_FIELD:
        if (!c->in_class) {
            count_broken(c);
        } else if (kind == AF_LINE_METHOD) {
            take_method(c, &line);
        } else {
            close_group(c);
            c->about = ABOUT_NOTHING;
        }
        break;
    case AF_LINE_BROKEN:
        if (length > 0 && !g_ascii_isspace(bytes[0])) {
            close_class(c); /* the following members belong to an unknown class */
        }
        count_broken(c);
        break;
    }
}

/* Completes the line in `carry`. */
static void take_carried(af_collector *c, const char *bytes, size_t length)
{
    if (c->overlong || c->carry.n + length > AF_LONGEST_MAPPING_LINE) {
        c->mapping->lines++;
        close_group(c);
        count_broken(c);
    } else if (c->carry.n == 0) {
        take_line(c, bytes, length);
    } else {
        af_append_bytes(&c->carry, bytes, length);
        take_line(c, c->carry.items, c->carry.n);
    }
    c->carry.n = 0;
    c->overlong = FALSE;
}

/* Stores the beginning of a line that continues in the next piece. */
static void carry_rest(af_collector *c, const char *bytes, size_t length)
{
    c->overlong = c->overlong || c->carry.n + length > AF_LONGEST_MAPPING_LINE;
    if (c->overlong) {
        c->carry.n = 0;
    } else {
        af_append_bytes(&c->carry, bytes, length);
    }
}

gboolean af_collector_take(af_collector *c, const char *bytes, size_t length)
{
    const char *end = bytes + length, *line_end;
    while (bytes < end && (line_end = memchr(bytes, '\n', (size_t)(end - bytes))) != NULL &&
           !is_failed(c)) {
        take_carried(c, bytes, (size_t)(line_end - bytes));
        bytes = line_end + 1;
    }
    if (bytes < end) {
        carry_rest(c, bytes, (size_t)(end - bytes));
    }
    c->bytes += length;
    return !is_failed(c) && (c->bytes < HOPELESS_BYTES || c->mapping->classes.n > 0 ||
                             c->in_class || (c->mapping->broken == 0 && !c->overlong));
}

static int compare_obfuscated(const void *a, const void *b, void *user)
{
    const af_mapping *mapping = user;
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    const int order = strcmp(af_mapping_class(mapping, one)->obfuscated,
                             af_mapping_class(mapping, other)->obfuscated);
    return order != 0 ? order : (one > other) - (one < other);
}

static int compare_original(const void *a, const void *b, void *user)
{
    const af_mapping *mapping = user;
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    const int order = strcmp(af_mapping_class(mapping, one)->original,
                             af_mapping_class(mapping, other)->original);
    return order != 0 ? order : (one > other) - (one < other);
}

static uint32_t *sort_classes(af_mapping *mapping,
                              int (*compare)(const void *, const void *, void *))
{
    const size_t n = mapping->classes.n;
    uint32_t *order = g_try_new(uint32_t, n + 1);
    for (size_t i = 0; order != NULL && i < n; i++) {
        order[i] = (uint32_t)i;
    }
    if (order != NULL) {
        qsort_r(order, n, sizeof *order, compare, mapping);
    }
    return order;
}

/* Frees the spare capacity that doubling allocated. */
static void trim_array(af_array *array)
{
    void *items = array->n < array->capacity
                      ? g_try_realloc_n(array->items, MAX(array->n, 1), array->size)
                      : NULL;
    if (items != NULL) {
        array->items = items;
        array->capacity = MAX(array->n, 1);
    }
}

static gboolean complete(af_collector *c)
{
    af_mapping *mapping = c->mapping;
    if (c->compiler != NULL && c->compiler_version != NULL) {
        c->mapping->compiler =
            af_arena_printf(c->mapping->arena, "%s %s", c->compiler, c->compiler_version);
    } else {
        c->mapping->compiler = c->compiler;
    }
    trim_array(&mapping->classes);
    trim_array(&mapping->methods);
    mapping->by_obfuscated = sort_classes(mapping, compare_obfuscated);
    mapping->by_original = sort_classes(mapping, compare_original);
    return mapping->by_obfuscated != NULL && mapping->by_original != NULL && !is_failed(c);
}

af_mapping *af_collector_finish(af_collector *c, gboolean cut, GError **error)
{
    if (c->carry.n > 0 || c->overlong) {
        take_carried(c, "", 0);
    }
    close_class(c);
    c->mapping->cut = cut;
    if (is_failed(c) || !complete(c)) {
        af_memory_error_set(error);
        return NULL;
    }
    if (c->mapping->classes.n == 0 && !c->has_header) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                            "not a mapping file: no line names a class (\"name -> name:\")");
        return NULL;
    }
    af_mapping *mapping = c->mapping;
    c->mapping = NULL;
    return mapping;
}
