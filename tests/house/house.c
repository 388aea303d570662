/* house CHECK TOP: checks every source below TOP against one kind of rule. Prints one line per
 * violation, and fails if there is one. */
#define _GNU_SOURCE /* strchrnul */
#include "house.h"

#include <glib/gstdio.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* If a check covers hardly anything, the checker is broken, not the house. */
enum { FEWEST_CHECKED = 100 };

static const char *const folders[] = {"src", "render", "include", "tests"};

/* Third-party, generated, or binary files. */
static const char foreign[] = "tests/browser/node_modules tests/fuzz/corpus tests/data/real";

static const struct {
    const char *name;
    house_check *check;
} checks[] = {{"floors", check_floors},
              {"includes", check_includes},
              {"words", check_words},
              {"texts", check_texts}};

gboolean house_has_word(const char *list, const char *word, gsize length)
{
    for (const char *at = list; at != NULL && *at != '\0';) {
        const char *end = strchrnul(at, ' ');
        if ((gsize)(end - at) == length && memcmp(at, word, length) == 0) {
            return TRUE;
        }
        at = *end == '\0' ? NULL : end + 1;
    }
    return FALSE;
}

void house_complain(house *h, const source *s, gsize offset, const char *format, ...)
{
    unsigned line = 1;
    for (gsize i = 0; i < offset; i++) {
        line += s->text[i] == '\n';
    }
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s:%u: %s\n", s->path, line, message);
    h->complaints++;
}

static source_language find_language(const char *path)
{
    if (g_str_has_suffix(path, ".c") || g_str_has_suffix(path, ".h")) {
        return SOURCE_C;
    }
    if (g_str_has_suffix(path, ".js")) {
        return SOURCE_JS;
    }
    return g_str_has_suffix(path, ".sh") ? SOURCE_SHELL : SOURCE_OTHER;
}

static void free_source(gpointer freed)
{
    g_autofree source *s = freed;
    g_free(s->path);
    g_free(s->text);
    g_free(s->code);
}

static void add_file(house *h, const char *path)
{
    g_autoptr(GError) error = NULL;
    source *s = g_new0(source, 1);
    s->path = g_strdup(path);
    s->language = find_language(path);
    g_ptr_array_add(h->sources, s);
    gsize length;
    if (!g_file_get_contents(path, &s->text, &length, &error)) {
        fprintf(stderr, "house: %s\n", error->message);
        exit(2);
    }
    if (strlen(s->text) < length) { /* not text: an image, a trace */
        s->text[0] = '\0';
    }
    s->code = blank_literals(s->text, s->language);
}

static void add_folder(house *h, const char *path)
{
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    if (folder == NULL) {
        fprintf(stderr, "house: cannot read %s\n", path);
        exit(2);
    }
    for (const char *name; (name = g_dir_read_name(folder)) != NULL;) {
        g_autofree char *inner = g_build_filename(path, name, NULL);
        if (house_has_word(foreign, inner, strlen(inner))) {
            continue;
        }
        if (g_file_test(inner, G_FILE_TEST_IS_DIR)) {
            add_folder(h, inner);
        } else {
            add_file(h, inner);
        }
    }
}

static gint compare_paths(gconstpointer a, gconstpointer b)
{
    return strcmp((*(const source *const *)a)->path, (*(const source *const *)b)->path);
}

int main(int argc, char **argv)
{
    house_check *check = NULL;
    for (gsize i = 0; i < G_N_ELEMENTS(checks); i++) {
        if (argc == 3 && strcmp(argv[1], checks[i].name) == 0) {
            check = checks[i].check;
        }
    }
    if (check == NULL || g_chdir(argv[2]) != 0) {
        fprintf(stderr, "usage: house floors|includes|words|texts TOP\n");
        return 2;
    }
    house h = {.sources = g_ptr_array_new_with_free_func(free_source)};
    for (gsize i = 0; i < G_N_ELEMENTS(folders); i++) {
        add_folder(&h, folders[i]);
    }
    g_ptr_array_sort(h.sources, compare_paths);
    check(&h);
    printf("%u files, %u checked, %u wrong\n", h.sources->len, h.checked, h.complaints);
    g_ptr_array_free(h.sources, TRUE);
    return h.complaints > 0 || h.checked < FEWEST_CHECKED;
}
