#include "export/folded_groups.h"

#include "base/array.h"

#include <string.h>

/* The printed text, copied only if it differs. NULL if out of memory. */
static const char *separate(af_arena *arena, const char *text)
{
    if (strchr(text, ';') == NULL) {
        return text;
    }
    char *copy = af_arena_text(arena, text);
    return copy == NULL ? NULL : g_strdelimit(copy, ";", ':');
}

/* FALSE if out of memory. */
static gboolean map_labels(af_folded_groups *f)
{
    const af_profile *profile = f->profile;
    af_textmap texts;
    af_array first; /* of uint32_t, by text number: the first label with that text */
    af_textmap_init(&texts);
    af_array_init(&first, sizeof(uint32_t));
    gboolean ok = TRUE;
    for (uint32_t i = 0; i < profile->n_labels && ok; i++) {
        const char *text = separate(f->arena, profile->labels[i].text);
        const uint32_t known = texts.n;
        const uint32_t number =
            text == NULL ? AF_TEXTMAP_NONE : af_textmap_add(&texts, text, strlen(text));
        ok = number != AF_TEXTMAP_NONE && af_array_reach(&first, texts.n);
        if (ok && number == known) {
            AF_ARRAY_AT(&first, uint32_t, number) = i;
        }
        f->label_of[i] = ok ? AF_ARRAY_AT(&first, uint32_t, number) : i;
        f->merges |= f->label_of[i] != i;
    }
    af_textmap_clear(&texts);
    af_array_clear(&first);
    return ok;
}

/* Few traces have a label with a `;`. */
static gboolean map_labels_if_needed(af_folded_groups *f)
{
    const af_profile *profile = f->profile;
    gboolean any = FALSE;
    f->label_of = g_try_new(uint32_t, (size_t)profile->n_labels + 1);
    for (uint32_t i = 0; i < profile->n_labels && f->label_of != NULL; i++) {
        f->label_of[i] = i;
        any = any || memchr(profile->labels[i].text, ';', profile->labels[i].length) != NULL;
    }
    return f->label_of != NULL && (!any || map_labels(f));
}

static gboolean group_threads(af_folded_groups *f)
{
    const uint32_t n = f->selection->n_threads, *selected = f->selection->threads;
    f->group_of = g_try_new(uint32_t, (size_t)n + 1);
    f->threads = g_try_new(uint32_t, (size_t)n + 1);
    f->begin = g_try_new0(uint32_t, (size_t)n + 2);
    gboolean ok = f->group_of != NULL && f->threads != NULL && f->begin != NULL;
    for (uint32_t i = 0; i < n && ok; i++) {
        const char *title = separate(f->arena, f->profile->threads[selected[i]].title);
        f->group_of[i] =
            title == NULL ? AF_TEXTMAP_NONE : af_textmap_add(&f->titles, title, strlen(title));
        ok = f->group_of[i] != AF_TEXTMAP_NONE;
        if (ok) {
            f->begin[f->group_of[i] + 1]++;
        }
    }
    for (uint32_t g = 1; g <= f->titles.n && ok; g++) {
        f->begin[g] += f->begin[g - 1];
    }
    /* filled backwards, so that `begin` ends at the right position */
    for (uint32_t g = f->titles.n; g > 0 && ok; g--) {
        f->begin[g] = f->begin[g - 1];
    }
    for (uint32_t i = 0; i < n && ok; i++) {
        f->threads[f->begin[f->group_of[i] + 1]++] = selected[i];
    }
    return ok;
}

af_tree *af_folded_groups_merge(const af_folded_groups *f, uint32_t group)
{
    const af_clock clock = f->selection->clock;
    uint64_t nodes = 1;
    for (uint32_t i = f->begin[group]; i < f->begin[group + 1]; i++) {
        nodes += f->profile->threads[f->threads[i]].tree->n - 1;
    }
    g_autoptr(af_tree) all =
        nodes < UINT32_MAX ? af_tree_new((uint32_t)nodes, 1u << AF_FOLDED_CLOCK) : NULL;
    if (all == NULL) {
        return NULL;
    }
    all->parent[0] = AF_NO_NODE;
    all->label[0] = AF_NO_LABEL;
    all->n = 1;
    for (uint32_t i = f->begin[group]; i < f->begin[group + 1]; i++) {
        /* Copies the nodes below the thread of `from` after those of `to`. */
        const af_tree *from = f->profile->threads[f->threads[i]].tree;
        const uint64_t *self = af_tree_self_widths(from, clock);
        uint32_t shift = all->n - 1;
        for (uint32_t n = 1; n < from->n; n++) {
            uint32_t m = n + shift;
            all->parent[m] = from->parent[n] == 0 ? 0 : from->parent[n] + shift;
            all->label[m] = from->label[n];
            all->calls[m] = from->calls[n];
            all->self[AF_FOLDED_CLOCK][m] = self[n];
        }
        all->n += from->n - 1;
    }
    af_tree_sum(all);
    return af_tree_relabel(all, f->label_of);
}

gboolean af_folded_groups_init(af_folded_groups *f, const af_profile *profile,
                               const af_selection *selection)
{
    *f = (af_folded_groups){.profile = profile, .selection = selection, .arena = af_arena_new()};
    af_textmap_init(&f->titles);
    return map_labels_if_needed(f) && group_threads(f);
}

void af_folded_groups_clear(af_folded_groups *f)
{
    af_arena_free(f->arena);
    af_textmap_clear(&f->titles);
    g_free(f->label_of);
    g_free(f->group_of);
    g_free(f->threads);
    g_free(f->begin);
}
