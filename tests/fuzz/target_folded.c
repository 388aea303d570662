/* Folded stacks, written and read back, equal the self times of the tree by printed path. */
#include <string.h>

#include "api/autoptr.h"
#include "checks.h"
#include "export/exporter.h"
#include "made.h"

enum { MOST_THREADS = 8 };

/* ---- expected output: printed stack -> nanoseconds ---- */

static void append_name(GString *path, const char *name)
{
    const gsize at = path->len;
    g_string_append(path, name);
    g_strdelimit(path->str + at, ";", ':');
}

/* The printed path of each node, without marks; [0] is the thread. */
static char **print_paths(const af_profile *profile, const af_thread *thread)
{
    const af_tree *tree = thread->tree;
    char **paths = g_new0(char *, (gsize)tree->n + 1);
    paths[0] = g_strdelimit(g_strdup(thread->title), ";", ':');
    for (uint32_t n = 1; n < tree->n; n++) {
        GString *path = g_string_new(paths[tree->parent[n]]);
        g_string_append_c(path, ';');
        append_name(path, profile->labels[tree->label[n]].text);
        paths[n] = g_string_free(path, FALSE);
    }
    return paths;
}

/* Adds up the nodes with equal paths. The keys are those of `paths`. */
static GHashTable *add_up(const af_tree *const *trees, char ***paths, uint32_t n_threads,
                          af_clock clock)
{
    GHashTable *sums = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    for (uint32_t t = 0; t < n_threads; t++) {
        for (uint32_t n = 1; n < trees[t]->n; n++) {
            uint64_t *sum = g_hash_table_lookup(sums, paths[t][n]);
            if (sum == NULL) {
                sum = g_new0(uint64_t, 1);
                g_hash_table_insert(sums, paths[t][n], sum);
            }
            *sum += trees[t]->self[clock][n];
        }
    }
    return sums;
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

/* The paths of a tree as printed: a name that ends a line, unless it is the thread's, may have a
 * mark at its end, and a line never begins with the sign of a comment. */
static void mark_paths(GHashTable *stacks, const af_tree *tree, char **paths, GHashTable *sums)
{
    g_auto(GStrv) marked = g_new0(char *, (gsize)tree->n + 1);
    marked[0] = g_strconcat(paths[0][0] == '#' ? "_" : "", paths[0], NULL);
    for (uint32_t n = 1; n < tree->n; n++) {
        const char *name = strrchr(paths[n], ';') + 1;
        uint64_t *sum = g_hash_table_lookup(sums, paths[n]);
        const gboolean ends_line = *sum >= 1000;
        marked[n] = g_strconcat(marked[tree->parent[n]], ";", name,
                                ends_line && is_marked(name, strlen(name)) ? "_" : "", NULL);
        g_hash_table_insert(stacks, g_strdup(marked[n]), sum);
    }
}

/* ---- a small reader ---- */

/* Removes one line from the expected stacks. */
static void read_line(GHashTable *stacks, const char *line)
{
    const char *blank = strrchr(line, ' ');
    FUZZ_CHECK(blank != NULL);
    guint64 us;
    FUZZ_CHECK(g_ascii_string_to_unsigned(blank + 1, 10, 1, UINT64_MAX, &us, NULL));
    g_autofree char *path = g_strndup(line, (size_t)(blank - line));
    const uint64_t *ns = g_hash_table_lookup(stacks, path);
    FUZZ_CHECK(ns != NULL && *ns / 1000 == us);
    FUZZ_CHECK(g_hash_table_remove(stacks, path)); /* each stack once */
}

static void read_back(GHashTable *stacks, const char *text, size_t length)
{
    FUZZ_CHECK(length == 0 || text[length - 1] == '\n');
    FUZZ_CHECK(memchr(text, '\0', length) == NULL && g_utf8_validate(text, (gssize)length, NULL));
    while (length > 0) {
        const size_t n = (size_t)((const char *)memchr(text, '\n', length) - text);
        g_autofree char *line = g_strndup(text, n);
        read_line(stacks, line);
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

static void check_text(const af_profile *profile, af_clock clock, const GByteArray *text)
{
    const af_tree *trees[MOST_THREADS];
    char **paths[MOST_THREADS];
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        trees[t] = profile->threads[t].tree;
        paths[t] = print_paths(profile, &profile->threads[t]);
    }
    GHashTable *sums = add_up(trees, paths, profile->n_threads, clock);
    GHashTable *stacks = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        mark_paths(stacks, trees[t], paths[t], sums);
    }
    read_back(stacks, text->len > 0 ? (const char *)text->data : "", text->len);
    g_hash_table_unref(stacks);
    g_hash_table_unref(sums);
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        g_strfreev(paths[t]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_feed feed = {bytes, bytes + size};
    g_autoptr(af_profile) profile = fuzz_make_profile(&feed, 150);
    fuzz_check_profile(profile);
    fuzz_check_texts(profile);
    uint32_t threads[MOST_THREADS];
    FUZZ_CHECK(profile->n_threads <= MOST_THREADS);
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        threads[t] = t;
    }
    for (unsigned clock = 0; clock < AF_CLOCKS; clock++) {
        if (!af_profile_has(profile, (af_clock)clock)) {
            continue;
        }
        const af_selection selection = {
            .clock = (af_clock)clock, .threads = threads, .n_threads = profile->n_threads};
        g_autoptr(GByteArray) text = g_byte_array_new();
        g_autofree af_out *out = g_new(af_out, 1);
        GError *error = NULL;
        af_out_open(out, af_out_to_array, text);
        FUZZ_CHECK(af_exporter_folded.write(profile, &selection, out, &error));
        FUZZ_CHECK(af_out_close(out, &error) && error == NULL);
        check_text(profile, (af_clock)clock, text);
    }
    return 0;
}
