#include "export/folded_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/order.h"

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
    const uint32_t n = f->selection->n_threads;
    f->members = g_try_new(uint64_t, (size_t)n + 1);
    gboolean ok = f->members != NULL;
    for (uint32_t i = 0; i < n && ok; i++) {
        const char *title = separate(f->arena, f->profile->threads[f->selection->threads[i]].title);
        const uint32_t group =
            title == NULL ? AF_TEXTMAP_NONE : af_textmap_add(&f->titles, title, strlen(title));
        ok = group != AF_TEXTMAP_NONE;
        f->members[i] = (uint64_t)group << 32 | i;
    }
    if (ok) {
        qsort(f->members, n, sizeof *f->members, af_order_u64);
    }
    return ok;
}

af_tree *af_folded_groups_merge(const af_folded_groups *f, uint32_t begin, uint32_t end)
{
    const af_clock clock = f->selection->clock;
    uint64_t nodes = 1;
    for (uint32_t i = begin; i < end; i++) {
        nodes += af_folded_groups_thread(f, i)->tree->n - 1;
    }
    g_autoptr(af_tree) all =
        nodes < UINT32_MAX ? af_tree_new((uint32_t)nodes, 1u << AF_FOLDED_CLOCK) : NULL;
    if (all == NULL) {
        return NULL;
    }
    all->parent[0] = AF_NO_NODE;
    all->label[0] = AF_NO_LABEL;
    all->n = 1;
    for (uint32_t i = begin; i < end; i++) {
        /* Copies the nodes below the thread of `from` after those of `to`. */
        const af_tree *from = af_folded_groups_thread(f, i)->tree;
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
    g_free(f->members);
}
