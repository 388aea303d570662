/* Folded stacks, written and read back, equal the self times of the tree by printed path. */
#include <string.h>

#include "checks.h"
#include "export/exporter.h"
#include "made.h"

/* ---- expected output: printed stack -> nanoseconds ---- */

static void append_name(GString *path, const char *name)
{
    const gsize at = path->len;
    g_string_append(path, name);
    g_strdelimit(path->str + at, ";", ':');
}

static char *print_path(const af_profile *profile, const af_thread *thread, uint32_t node)
{
    GPtrArray *names = g_ptr_array_new();
    for (uint32_t n = node; n != 0; n = thread->tree->parent[n]) {
        g_ptr_array_add(names, (gpointer)profile->labels[thread->tree->label[n]].text);
    }
    GString *path = g_string_new(NULL);
    append_name(path, thread->title);
    for (guint i = names->len; i-- > 0;) {
        g_string_append_c(path, ';');
        append_name(path, names->pdata[i]);
    }
    g_ptr_array_unref(names);
    return g_string_free(path, FALSE);
}

static GHashTable *expect(const af_profile *profile, af_clock clock)
{
    GHashTable *stacks = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        const af_tree *tree = profile->threads[t].tree;
        for (uint32_t n = 1; n < tree->n; n++) {
            char *path = print_path(profile, &profile->threads[t], n);
            uint64_t *sum = g_hash_table_lookup(stacks, path);
            if (sum == NULL) {
                sum = g_new0(uint64_t, 1);
                g_hash_table_insert(stacks, path, sum);
            } else {
                g_free(path);
            }
            *sum += tree->self[clock][n];
        }
    }
    return stacks;
}

/* Whether a count after the name would merge with it. */
static gboolean is_marked(const char *name, gsize n)
{
    const char *last = g_utf8_find_prev_char(name, name + n);
    const char *word = g_strrstr_len(name, (gssize)n, " ");
    return (last != NULL && g_unichar_isspace(g_utf8_get_char(last))) ||
           (word != NULL && word + 1 < name + n && g_ascii_isdigit(word[1]) &&
            word + 1 + strspn(word + 1, "0123456789.") >= name + n);
}

/* The stacks as printed: a name that ends a line, unless it is the thread's, may have a mark at its
 * end. */
static GHashTable *mark(GHashTable *stacks)
{
    GHashTable *marked = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GHashTableIter at;
    gpointer key, sum;
    g_hash_table_iter_init(&at, stacks);
    while (g_hash_table_iter_next(&at, &key, &sum)) {
        const char *path = key;
        GString *text = g_string_new(NULL);
        for (const char *name = path, *end; name != NULL; name = end == NULL ? NULL : end + 1) {
            end = strchr(name, ';');
            const gsize n = end == NULL ? strlen(name) : (gsize)(end - name);
            char *to_there = g_strndup(path, (gsize)(name - path) + n);
            const uint64_t *own = g_hash_table_lookup(stacks, to_there);
            g_string_append_len(text, name, (gssize)n);
            g_string_append(text, own != NULL && *own >= 1000 && is_marked(name, n) ? "_" : "");
            g_string_append(text, end == NULL ? "" : ";");
            g_free(to_there);
        }
        g_hash_table_insert(marked, g_string_free(text, FALSE), sum);
    }
    return marked;
}

/* ---- a small reader ---- */

/* Removes one line from the expected stacks. */
static void read_line(GHashTable *stacks, const char *line)
{
    const char *blank = strrchr(line, ' ');
    FUZZ_CHECK(blank != NULL);
    guint64 us;
    FUZZ_CHECK(g_ascii_string_to_unsigned(blank + 1, 10, 1, UINT64_MAX, &us, NULL));
    char *path = g_strndup(line, (size_t)(blank - line));
    const uint64_t *ns = g_hash_table_lookup(stacks, path);
    FUZZ_CHECK(ns != NULL && *ns / 1000 == us);
    FUZZ_CHECK(g_hash_table_remove(stacks, path)); /* each stack once */
    g_free(path);
}

static void read_back(GHashTable *stacks, const char *text, size_t length)
{
    FUZZ_CHECK(length == 0 || text[length - 1] == '\n');
    FUZZ_CHECK(memchr(text, '\0', length) == NULL && g_utf8_validate(text, (gssize)length, NULL));
    while (length > 0) {
        const size_t n = (size_t)((const char *)memchr(text, '\n', length) - text);
        char *line = g_strndup(text, n);
        read_line(stacks, line);
        g_free(line);
        text += n + 1;
        length -= n + 1;
    }
    GHashTableIter iter;
    gpointer ns;
    g_hash_table_iter_init(&iter, stacks);
    while (g_hash_table_iter_next(&iter, NULL, &ns)) {
        FUZZ_CHECK(*(uint64_t *)ns < 1000); /* otherwise it should have been printed */
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_feed feed = {bytes, bytes + size};
    af_profile *profile = fuzz_make_profile(&feed, 150);
    fuzz_check_profile(profile);
    uint32_t threads[8];
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        threads[t] = t;
    }
    for (unsigned clock = 0; clock < AF_CLOCKS; clock++) {
        if (!af_profile_has(profile, (af_clock)clock)) {
            continue;
        }
        const af_selection selection = {
            .clock = (af_clock)clock, .threads = threads, .n_threads = profile->n_threads};
        GByteArray *text = g_byte_array_new();
        af_out *out = g_new(af_out, 1);
        GError *error = NULL;
        af_out_open(out, af_out_to_array, text);
        FUZZ_CHECK(af_exporter_folded.write(profile, &selection, out, &error));
        FUZZ_CHECK(af_out_close(out, &error) && error == NULL);
        g_free(out);
        GHashTable *stacks = expect(profile, (af_clock)clock), *marked = mark(stacks);
        read_back(marked, text->len > 0 ? (const char *)text->data : "", text->len);
        g_hash_table_unref(marked);
        g_hash_table_unref(stacks);
        g_byte_array_unref(text);
    }
    af_profile_free(profile);
    return 0;
}
