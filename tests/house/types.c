/* A name has one meaning: no two files define a type, and no two headers a macro, of the same name.
 * Only a structure that a header keeps opaque may differ between its implementations. */
#include "house.h"

#include <string.h>

/* The length of the identifier at `text`. */
static gsize measure_name(const char *text)
{
    gsize length = 0;
    while (g_ascii_isalnum(text[length]) || text[length] == '_') {
        length++;
    }
    return length;
}

typedef enum { NOTHING, TYPE, STRUCTURE, MACRO } definition;

/* What a line at the top level defines: `} af_name;`, `struct af_name {` or `#define NAME` with a
 * value. */
static definition find_definition(const char *line, const char **name, gsize *length)
{
    static const struct {
        const char *before, *after;
        definition found;
    } forms[] = {
        {"} af_", ";", TYPE}, {"struct af_", " {", STRUCTURE}, {"#define AF_", " ", MACRO}};
    for (gsize i = 0; i < G_N_ELEMENTS(forms); i++) {
        if (g_str_has_prefix(line, forms[i].before)) {
            *name = strchr(line, ' ') + 1;
            *length = measure_name(*name);
            return g_str_has_prefix(*name + *length, forms[i].after) ? forms[i].found : NOTHING;
        }
    }
    return NOTHING;
}

typedef struct {
    const source *file;
    definition kind;
} known;

static void check_definition(house *h, const source *s, gsize offset, definition kind, char *name,
                             GHashTable *defined)
{
    const known *other = g_hash_table_lookup(defined, name);
    if (other == NULL) {
        known *first = g_new(known, 1);
        *first = (known){.file = s, .kind = kind};
        g_hash_table_insert(defined, name, first);
        return;
    }
    if (kind != STRUCTURE || other->kind != STRUCTURE) {
        house_complain(h, s, offset, "%s defines %s too", other->file->path, name);
    }
    g_free(name);
}

static void check_file(house *h, const source *s, GHashTable *defined)
{
    const gboolean is_header = g_str_has_suffix(s->path, ".h");
    for (const char *line = s->code; *line != '\0';) {
        const char *name, *end = strchr(line, '\n');
        gsize length;
        const definition kind = find_definition(line, &name, &length);
        if (kind != NOTHING && (kind != MACRO || is_header)) {
            h->checked++;
            check_definition(h, s, (gsize)(line - s->code), kind, g_strndup(name, length), defined);
        }
        if (end == NULL) {
            break;
        }
        line = end + 1;
    }
}

void check_types(house *h)
{
    g_autoptr(GHashTable) defined = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (guint i = 0; i < h->sources->len; i++) {
        const source *s = g_ptr_array_index(h->sources, i);
        if (s->language == SOURCE_C && !g_str_has_prefix(s->path, "tests/")) {
            check_file(h, s, defined);
        }
    }
}
