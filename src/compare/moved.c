#include "compare/moved.h"

#define NOWHERE UINT32_MAX

/* The largest path of a label that only one side has, of at least min_delta. */
typedef struct {
    uint32_t thread, node;
    uint64_t time;
} site;

typedef struct {
    site of[AF_SIDES];
} sites;

static void find_sites(const af_diff *diff, sites *found)
{
    for (uint32_t l = 0; l < diff->n_labels; l++) {
        found[l] = (sites){{{NOWHERE, 0, 0}, {NOWHERE, 0, 0}}};
    }
    for (uint32_t t = 0; t < diff->n_threads; t++) {
        const af_diff_tree *tree = &diff->threads[t].tree;
        for (uint32_t n = 1; n < tree->n; n++) {
            const uint64_t time = tree->grown[n] + tree->shrunk[n]; /* nothing is in common */
            if (time >= diff->min_delta &&
                tree->present[AF_BEFORE][n] != tree->present[AF_AFTER][n]) {
                const unsigned s = tree->present[AF_BEFORE][n] != 0 ? AF_BEFORE : AF_AFTER;
                site *p = &found[tree->label[n]].of[s];
                if (p->thread == NOWHERE || time > p->time) {
                    *p = (site){t, n, time};
                }
            }
        }
    }
}

static gboolean is_about(uint64_t one, uint64_t other, unsigned percent)
{
    const uint64_t larger = MAX(one, other);
    return larger - MIN(one, other) <= larger / 100 * percent + larger % 100 * percent / 100;
}

static gboolean is_moved(const af_diff *diff, const af_diff_method *m, const sites *p)
{
    const uint64_t before = m->side[AF_BEFORE].inclusive, after = m->side[AF_AFTER].inclusive;
    const site *gone = &p->of[AF_BEFORE], *new = &p->of[AF_AFTER];
    return gone->thread != NOWHERE &&
           new->thread != NOWHERE &&MIN(gone->time, new->time) >= diff->min_delta &&
           (m->status <= AF_DIFF_NOISE || is_about(before, after, 10)) &&
           is_about(gone->time, new->time, 25) && gone->time >= before / 2 &&
           new->time >= after / 2;
}

static gboolean begin_twins(af_diff *diff, af_diff_tree *tree)
{
    tree->twin = af_arena_alloc(diff->arena, tree->n * sizeof *tree->twin);
    for (uint32_t n = 0; tree->twin != NULL && n < tree->n; n++) {
        tree->twin[n] = n;
    }
    return tree->twin != NULL;
}

/* The two subtrees are the same code, so neither is a separate change. FALSE if memory is
 * refused. */
static gboolean link_sites(af_diff *diff, af_diff_method *m, const sites *p)
{
    for (unsigned s = 0; s < AF_SIDES; s++) {
        const site *own = &p->of[s], *other = &p->of[1 - s];
        af_diff_tree *tree = &diff->threads[own->thread].tree;
        m->moved[s].thread = own->thread;
        m->moved[s].node = own->node;
        tree->status[own->node] = AF_DIFF_MOVED;
        if (own->thread == other->thread) {
            if (tree->twin == NULL && !begin_twins(diff, tree)) {
                return FALSE;
            }
            tree->twin[own->node] = other->node;
        }
    }
    m->status = AF_DIFF_MOVED;
    return TRUE;
}

gboolean af_moved_mark(af_diff *diff)
{
    g_autofree sites *found = g_try_new(sites, (size_t)diff->n_labels + 1);
    gboolean ok = found != NULL;
    if (ok) {
        find_sites(diff, found);
    }
    for (uint32_t i = 0; ok && i < diff->n_methods; i++) {
        af_diff_method *m = &diff->methods[i];
        ok = !is_moved(diff, m, &found[m->label]) || link_sites(diff, m, &found[m->label]);
    }
    return ok;
}
