/* A file includes what it uses of GLib, itself or through its headers. The builds with tests
 * precompile these headers: only a build without them would miss an #include. */
#include "house.h"

#include <string.h>

/* Names that a library header declares. */
static const struct {
    const char *names, *headers;
} rules[] = {
    {"\\b(?:g_[a-z]|G_[A-Z]|g(?:boolean|char|int|pointer|size|uint8|uint64)\\b)",
     "glib.h glib-object.h gio/ gmodule.h json-glib/json-glib.h pango/"},
    {"\\bG(?:Cancellable|Converter|File|InputStream|OutputStream|ZlibDecompressor)\\b",
     "gio/ json-glib/json-glib.h"},
    {"\\b(?:mem(?:chr|cmp|cpy|move|set)|str(?:chr|cmp|len|ncmp|rchr|str)) *\\(",
     "string.h glib.h gio/ json-glib/json-glib.h pango/"},
};

/* Whether `list` has the header or its folder. */
static gboolean lists(const char *list, const char *header)
{
    const char *slash = strchr(header, '/');
    return house_has_word(list, header, strlen(header)) ||
           (slash != NULL && house_has_word(list, header, (gsize)(slash + 1 - header)));
}

static const source *find_header(GHashTable *files, const source *from, const char *header)
{
    g_autofree char *folder = g_path_get_dirname(from->path);
    const char *const tops[] = {folder, "src", ".", "include"};
    for (gsize i = 0; i < G_N_ELEMENTS(tops); i++) {
        g_autofree char *below = g_build_filename("/", tops[i], header, NULL);
        g_autofree char *path = g_canonicalize_filename(below, "/");
        const source *found = g_hash_table_lookup(files, path + 1);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

/* Whether the file includes one of the headers. `visited` has the files that it has looked at. */
static gboolean includes(GHashTable *files, GHashTable *visited, const source *s,
                         const char *headers)
{
    if (!g_hash_table_add(visited, (gpointer)s)) {
        return FALSE;
    }
    for (const char *line = s->text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!g_str_has_prefix(line, "#include ")) {
            continue;
        }
        const char *name = line + strlen("#include \"");
        g_autofree char *header = g_strndup(name, strcspn(name, "\">\n"));
        const source *found = find_header(files, s, header);
        if (lists(headers, header) || (found != NULL && includes(files, visited, found, headers))) {
            return TRUE;
        }
    }
    return FALSE;
}

static void check_file(house *h, GHashTable *files, const source *s)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rules); i++) {
        g_autoptr(GRegex) names = g_regex_new(rules[i].names, 0, 0, NULL);
        g_autoptr(GMatchInfo) match = NULL;
        gint at;
        if (!g_regex_match(names, s->code, 0, &match) ||
            !g_match_info_fetch_pos(match, 0, &at, NULL)) {
            continue;
        }
        h->checked++;
        g_autoptr(GHashTable) visited = g_hash_table_new(NULL, NULL);
        if (!includes(files, visited, s, rules[i].headers)) {
            g_autofree char *name = g_strndup(s->code + at, strcspn(s->code + at, " (;,)*\n"));
            house_complain(h, s, (gsize)at, "%s without an #include of its header", name);
        }
    }
}

void check_includes(house *h)
{
    g_autoptr(GHashTable) files = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < h->sources->len; i++) {
        source *s = g_ptr_array_index(h->sources, i);
        g_hash_table_insert(files, s->path, s);
    }
    for (guint i = 0; i < h->sources->len; i++) {
        const source *s = g_ptr_array_index(h->sources, i);
        if (s->language == SOURCE_C) {
            check_file(h, files, s);
        }
    }
}
