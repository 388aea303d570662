#include "suite.h"
#include "text_profile.h"

#include <stdlib.h>
#include <string.h>

#include "drawn_profile.h"

enum { ROWS_MAX = 200 };

af_profile *text_profile_new(void)
{
    return made_profile_new(1u << AF_WALL | 1u << AF_CPU);
}

/* Returns the number of calls. */
static uint64_t read_row(af_profile *profile, const char *line, made_row *row)
{
    const size_t blanks = strspn(line, " ");
    char *end;
    const uint64_t self = strtoull(line + blanks, &end, 10);
    const uint64_t calls = *end == 'x' ? strtoull(end + 1, &end, 10) : 1;
    ck_assert_msg(*end == ' ' && calls > 0 && blanks % 2 == 0, "%s", line);
    *row = (made_row){.depth = (uint32_t)blanks / 2 + 1,
                      .label = af_arena_copy(profile->arena, end + 1, strlen(end + 1)),
                      .self_ns = {self, self / 2}};
    return calls;
}

static void set_calls(af_tree *tree, const uint64_t *calls)
{
    for (uint32_t n = 1; n < tree->n; n++) {
        tree->calls[n] = calls[n - 1];
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            const uint64_t all = tree->inclusive[c][n];
            const uint64_t least = calls[n - 1] > 1 ? MIN(1, all / calls[n - 1]) : all;
            tree->min[c][n] = least;
            tree->max[c][n] = all - (calls[n - 1] - 1) * least;
        }
    }
}

void text_profile_add_thread(af_profile *profile, uint64_t id, const char *name, const char *text)
{
    made_row rows[ROWS_MAX + 1] = {{0, NULL, {0, 0}}};
    uint64_t calls[ROWS_MAX];
    g_auto(GStrv) lines = g_strsplit(text, "\n", ROWS_MAX);
    uint32_t n = 0;
    for (char **line = lines; *line != NULL; line++) {
        if (**line != '\0') {
            calls[n] = read_row(profile, *line, &rows[n]);
            n++;
        }
    }
    name = af_arena_copy(profile->arena, name, strlen(name));
    af_thread *thread = made_thread_add(profile, id, name, name, rows);
    set_calls(thread->tree, calls);
    ck_assert_ptr_null(af_tree_check(thread->tree));
}

void text_profile_finish(af_profile *profile)
{
    drawn_profile_finish(profile);
    ck_assert(af_profile_title_threads(profile));
}

char *text_profile_thread(const af_profile *profile, uint32_t thread)
{
    const af_tree *tree = profile->threads[thread].tree;
    GString *text = g_string_new(NULL);
    for (uint32_t n = 1; n < tree->n; n++) {
        g_string_append_printf(text, "%*s%d/%d ", (int)(tree->depth[n] - 1) * 2, "",
                               (int)tree->self[AF_WALL][n], (int)tree->inclusive[AF_WALL][n]);
        const uint64_t max = tree->max[AF_WALL][n];
        if (tree->calls[n] > 1 && max == 0 && tree->inclusive[AF_WALL][n] > 0) {
            g_string_append_printf(text, "x%d ? ", (int)tree->calls[n]);
        } else if (tree->calls[n] > 1) {
            g_string_append_printf(text, "x%d %d-%d ", (int)tree->calls[n],
                                   (int)tree->min[AF_WALL][n], (int)max);
        }
        g_string_append_printf(text, "%s\n", profile->labels[tree->label[n]].text);
    }
    return g_string_free(text, FALSE);
}

char *text_profile_line(const af_profile *profile)
{
    GString *text = g_string_new(NULL);
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        const af_tree *tree = profile->threads[t].tree;
        g_string_append(text, t > 0 ? " | " : "");
        for (uint32_t n = 1; n < tree->n; n++) {
            const uint32_t next = n + 1 < tree->n ? tree->depth[n + 1] : 1;
            g_string_append_printf(text, "%s %d/%d", profile->labels[tree->label[n]].text,
                                   (int)tree->self[AF_WALL][n], (int)tree->inclusive[AF_WALL][n]);
            for (uint32_t depth = tree->depth[n]; depth > next; depth--) {
                g_string_append_c(text, ')');
            }
            g_string_append(text, next > tree->depth[n] ? " (" : n + 1 < tree->n ? ", " : "");
        }
    }
    if (profile->threads[0].open_at_end > 0) {
        g_string_append_printf(text, "; open %u", (unsigned)profile->threads[0].open_at_end);
    }
    g_autofree char *warnings = text_profile_warnings(profile);
    g_string_append_printf(text, *warnings != '\0' ? "; %s" : "%s", warnings);
    return g_string_free(text, FALSE);
}

char *text_profile_stacks(const af_profile *profile)
{
    GString *text = g_string_new(NULL);
    for (unsigned t = 0; t < af_profile_n_threads(profile); t++) {
        for (uint32_t n = 1; n < af_tree_n_nodes(profile, t); n++) {
            const uint64_t self = af_node_self_ns(profile, t, n, AF_CLOCK_DEFAULT);
            const gsize end = text->len;
            for (uint32_t up = n; self > 0 && up != 0; up = af_node_parent(profile, t, up)) {
                g_string_insert(text, (gssize)end, af_node_label(profile, t, up));
                g_string_insert_c(text, (gssize)end, ';');
            }
            if (self > 0) {
                g_string_insert(text, (gssize)end, af_thread_title(profile, t));
                g_string_insert(text, (gssize)end, end > 0 ? " | " : "");
                g_string_append_printf(text, " %" G_GUINT64_FORMAT, self);
            }
        }
    }
    return g_string_free(text, FALSE);
}

char *text_profile_warnings(const af_profile *profile)
{
    GString *text = g_string_new(NULL);
    for (unsigned i = 0; i < af_profile_n_warnings(profile); i++) {
        af_warning_view warning = AF_WARNING_VIEW_INIT;
        af_profile_warning(profile, i, &warning);
        g_string_append_printf(text, "%s%s %" G_GUINT64_FORMAT, i > 0 ? "; " : "", warning.id,
                               warning.count);
    }
    return g_string_free(text, FALSE);
}
