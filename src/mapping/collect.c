#include "mapping/collect.h"

#include "base/idtable.h"
#include "base/memory_error.h"
#include "mapping/comment.h"
#include "mapping/line.h"

/* A file with this many bytes without a class, and with lines that do not parse, is not a
 * mapping. */
#define HOPELESS_BYTES ((uint64_t)1 << 20)

#define MOST_IDS 64

/* The subject of a remark. */
typedef enum { ABOUT_NOTHING, ABOUT_CLASS, ABOUT_METHOD } about;

/* Lines with one obfuscated name and one range: from the inlined methods to the method that
 * remained. */
typedef struct {
    gboolean open, ranged;
    uint64_t from, to;
    uint32_t obfuscated, text; /* texts: the name, and the method of the last line */
    const char *called;        /* the method of the line before it; NULL = it is the only one */
    const char *residual;      /* NULL = unknown */
    gboolean owned;            /* whether the last one names an owner */
    unsigned flags;
} group;

struct af_collector {
    af_mapping *mapping;
    af_textmap texts;   /* of the mapping, each once */
    af_idtable last;    /* of uint32_t, by name << 32 | text: the last such method, + 1 */
    af_array text;      /* of char: the method of a line */
    uint32_t recent[4]; /* texts of methods */
    unsigned n_recent;
    uint64_t bytes;
    gboolean has_header;
    gboolean in_class;
    af_mapped_class class; /* the current class */
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
    af_textmap_init(&c->texts);
    af_idtable_init(&c->last, sizeof(uint32_t), NULL);
    af_array_init(&c->text, 1);
    return c;
}

void af_collector_free(af_collector *c)
{
    if (c == NULL) {
        return;
    }
    af_textmap_clear(&c->texts);
    af_idtable_clear(&c->last);
    af_array_clear(&c->text);
    af_mapping_free(c->mapping);
    g_free(c);
}

/* Whether memory was refused, so that texts may be cut. */
static gboolean is_failed(const af_collector *c)
{
    return c->failed || c->text.failed || c->mapping->methods.failed || c->mapping->ids.failed ||
           af_arena_failed(c->mapping->arena);
}

/* The number of a text. */
static uint32_t keep(af_collector *c, const void *bytes, size_t length)
{
    const uint32_t number = af_textmap_keep(&c->texts, c->mapping->arena, bytes, length);
    c->failed |= number == AF_TEXTMAP_NONE;
    return number;
}

static af_mapped_method *method_at(const af_collector *c, uint32_t number)
{
    return &AF_ARRAY_AT(&c->mapping->methods, af_mapped_method, number);
}

/* Merges two methods with one name and text into the first. If it is inlined in one place and
 * independent in another, only the latter counts. */
static gboolean merge(af_mapped_method *a, const af_mapped_method *b)
{
    if (a->residual != NULL && b->residual != NULL && a->residual != b->residual) {
        return FALSE;
    }
    if (((a->flags ^ b->flags) & AF_MAPPED_INLINED) != 0) {
        *a = (a->flags & AF_MAPPED_INLINED) != 0 ? *b : *a;
        return TRUE;
    }
    a->residual = a->residual != NULL ? a->residual : b->residual;
    a->flags |= b->flags | (a->forwards != b->forwards ? AF_MAPPED_SEVERAL : 0);
    return TRUE;
}

/* Adds the method of the last line. */
static void add_method(af_collector *c, const char *forwards, unsigned flags)
{
    const group *g = &c->group;
    uint32_t *last =
        is_failed(c) ? NULL : af_idtable_item(&c->last, (uint64_t)g->obfuscated << 32 | g->text);
    if (last == NULL || c->mapping->methods.n >= UINT32_MAX - 1) {
        c->failed = TRUE;
        return;
    }
    const af_mapped_method method = {.obfuscated = c->texts.entries[g->obfuscated].bytes,
                                     .text = c->texts.entries[g->text].bytes,
                                     .residual =
                                         (flags & AF_MAPPED_INLINED) != 0 ? NULL : g->residual,
                                     .forwards = forwards,
                                     .flags = flags};
    const gboolean is_known = *last > c->class.first; /* in this class */
    if (!is_known || !merge(method_at(c, *last - 1), &method)) {
        c->failed |= !af_array_append(&c->mapping->methods, &method);
        *last = (uint32_t)c->mapping->methods.n;
    }
}

/* Ends the group; its last line is the method that exists in the program. */
static void close_group(af_collector *c)
{
    if (c->group.open) {
        add_method(c, c->group.called, c->group.flags);
    }
    c->group.open = FALSE;
}

/* Whether a text is the one with a number. */
static gboolean is_text(const af_collector *c, uint32_t number, af_span text)
{
    return number < c->texts.n &&
           af_span_equal((af_span){c->texts.entries[number].bytes, c->texts.entries[number].length},
                         text);
}

/* Copies a text with a zero byte after it; returns the end. */
static char *put(char *to, af_span text)
{
    if (text.length > 0) {
        memcpy(to, text.bytes, text.length);
    }
    to[text.length] = '\0';
    return to + text.length + 1;
}

/* "type\0owner\0name\0arguments\0" */
static uint32_t keep_method(af_collector *c, const af_line *line)
{
    af_span rest = line->arguments;
    if (!af_array_reach(&c->text, line->type.length + line->owner.length + line->name.length +
                                      rest.length + 4)) {
        return AF_TEXTMAP_NONE;
    }
    char *to = put(put(put(c->text.items, line->type), line->owner), line->name);
    while (rest.length > 0) { /* without blanks */
        const af_span word = af_span_before(rest, " ");
        to = put(to, word) - 1;
        rest = af_span_after(rest, MIN(word.length + 1, rest.length));
    }
    *to++ = '\0';
    const af_span text = {c->text.items, (size_t)(to - (char *)c->text.items)};
    /* the ranges of a method alternate with those of methods inlined into it */
    for (unsigned i = 0; i < G_N_ELEMENTS(c->recent); i++) {
        if (is_text(c, c->recent[i], text)) {
            return c->recent[i];
        }
    }
    uint32_t *recent = &c->recent[c->n_recent++ % G_N_ELEMENTS(c->recent)];
    return *recent = keep(c, text.bytes, text.length);
}

static void take_method(af_collector *c, const af_line *line)
{
    group *g = &c->group;
    const uint32_t obfuscated = g->open && is_text(c, g->obfuscated, line->obfuscated)
                                    ? g->obfuscated
                                    : keep(c, line->obfuscated.bytes, line->obfuscated.length);
    const uint32_t text = keep_method(c, line);
    if (is_failed(c)) {
        g->open = FALSE;
        return;
    }
    if (g->open && g->ranged && line->ranged && g->from == line->from && g->to == line->to &&
        g->obfuscated == obfuscated) {
        /* the previous line is an inlined method; or it only looks like one, because older R8 gives
         * overloads the same lines */
        if (!g->owned || line->spanned) {
            add_method(c, NULL, AF_MAPPED_INLINED);
        }
        g->called = c->texts.entries[g->text].bytes;
    } else {
        close_group(c);
        *g = (group){.open = TRUE,
                     .ranged = line->ranged,
                     .from = line->from,
                     .to = line->to,
                     .obfuscated = obfuscated};
    }
    g->owned = line->owner.bytes != NULL;
    g->text = text;
    c->about = ABOUT_METHOD;
}

static gint compare_names(const void *one, const void *other, void *user)
{
    return strcmp(((const af_mapped_method *)one)->obfuscated,
                  ((const af_mapped_method *)other)->obfuscated);
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
    if (added == NULL) {
        c->failed = TRUE;
        return;
    }
    *added = c->class;
    added->n = (uint32_t)c->mapping->methods.n - added->first;
    for (uint32_t i = 0; i < added->n; i++) {
        /* the target of calls is stored only where a lookup can need it */
        af_mapped_method *method = method_at(c, added->first + i);
        const gboolean synthetic = added->synthetic || (method->flags & AF_MAPPED_SYNTHETIC) != 0;
        if (!synthetic || (method->flags & AF_MAPPED_SEVERAL) != 0) {
            method->forwards = NULL;
        }
    }
    if (added->n > 1) { /* a stable sort: in file order */
        g_qsort_with_data(method_at(c, added->first), (gint)MIN(added->n, G_MAXINT),
                          sizeof(af_mapped_method), compare_names, NULL);
    }
}

static void take_class(af_collector *c, const af_line *line)
{
    close_class(c);
    const uint32_t original = keep(c, line->name.bytes, line->name.length);
    const uint32_t obfuscated = keep(c, line->obfuscated.bytes, line->obfuscated.length);
    if (is_failed(c)) {
        return;
    }
    c->class = (af_mapped_class){.original = c->texts.entries[original].bytes,
                                 .obfuscated = c->texts.entries[obfuscated].bytes,
                                 .first = (uint32_t)c->mapping->methods.n};
    c->in_class = TRUE;
    c->about = ABOUT_CLASS;
}

static const char *keep_text(af_collector *c, af_span value)
{
    g_autoptr(GString) text = g_string_new(NULL);
    af_comment_append(text, value);
    const uint32_t number = keep(c, text->str, strlen(text->str));
    return number == AF_TEXTMAP_NONE ? NULL : c->texts.entries[number].bytes;
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
                   remark.signature.length > 0 && g->residual == NULL) {
            g->residual = keep_text(c, remark.signature);
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

gboolean af_collector_take(af_collector *c, af_span text)
{
    af_line line;
    const af_line_kind kind = text.length > AF_LONGEST_MAPPING_LINE
                                  ? AF_LINE_BROKEN
                                  : af_line_parse(text.bytes, text.length, &line);
    c->mapping->lines++;
    c->bytes += text.length + 1;
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
        if (text.length > 0 && !g_ascii_isspace(*text.bytes) && *text.bytes != '#') {
            close_class(c); /* the following members belong to an unknown class */
        }
        count_broken(c);
        break;
    }
    return !is_failed(c) && (c->bytes < HOPELESS_BYTES || c->mapping->classes.n > 0 ||
                             c->in_class || c->mapping->broken == 0);
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
    return af_mapping_index(mapping) && !is_failed(c);
}

af_mapping *af_collector_finish(af_collector *c, gboolean cut, GError **error)
{
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
