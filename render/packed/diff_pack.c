#include "render/packed/diff_pack.h"

#include <string.h>

#include "base/arena.h"
#include "render/packed/diff_block.h"

enum { ACROSS, AFTER, BEFORE, COLUMNS };

typedef struct {
    const af_diff *diff;
    const af_diff_pack_options *options;
    uint64_t n_nodes;
    /* once paths have to be omitted: */
    af_arena *arena; /* has what follows */
    af_tree *widths; /* by thread: its inclusive times are the widths of the union */
    af_tree *sums;   /* by thread: its inclusive times are those of after and before */
    const af_tree **trees;
    uint8_t **marks; /* by thread and node: whether it is packed */
    af_tree_extract **pruned;
    uint64_t **across; /* by thread and stand-in: its width */
    af_ranking *ranking;
} packing;

static af_tree borrow_tree(const af_diff_tree *u)
{
    return (af_tree){.n = MAX(u->n, 1),
                     .parent = u->parent,
                     .label = u->label,
                     .depth = u->depth,
                     .calls = u->calls[AF_AFTER]};
}

/* Zeroed memory; NULL if it is refused, which the arena records. */
static void *make(const packing *p, size_t n, size_t size)
{
    void *bytes = af_arena_alloc(p->arena, (n + 1) * size);
    return bytes ? memset(bytes, 0, (n + 1) * size) : NULL;
}

static gboolean add_thread(packing *p, uint32_t t)
{
    const af_diff_tree *u = &p->diff->threads[t].tree;
    uint64_t *times[COLUMNS];
    for (unsigned i = 0; i < COLUMNS; i++) {
        times[i] = make(p, u->n, sizeof *times[i]);
    }
    p->marks[t] = make(p, u->n, 1);
    if (af_arena_failed(p->arena)) {
        return FALSE;
    }
    for (uint32_t n = 0; n < u->n; n++) {
        times[ACROSS][n] = af_diff_path_width(u, n);
        times[AFTER][n] = af_diff_path_time(u, AF_AFTER, n);
        times[BEFORE][n] = af_diff_path_time(u, AF_BEFORE, n);
    }
    p->widths[t] = p->sums[t] = borrow_tree(u);
    p->widths[t].self[AF_WALL] = p->widths[t].inclusive[AF_WALL] = times[ACROSS];
    p->sums[t].self[AF_WALL] = p->sums[t].inclusive[AF_WALL] = times[AFTER];
    p->sums[t].self[AF_CPU] = p->sums[t].inclusive[AF_CPU] = times[BEFORE];
    p->trees[t] = &p->widths[t];
    return TRUE;
}

/* Ranks the paths by width, because removed paths count as much as new ones. */
static gboolean begin_pruning(packing *p)
{
    const uint32_t n = p->diff->n_threads;
    p->arena = af_arena_new();
    p->widths = make(p, n, sizeof *p->widths);
    p->sums = make(p, n, sizeof *p->sums);
    p->trees = make(p, n, sizeof *p->trees);
    p->marks = make(p, n, sizeof *p->marks);
    p->pruned = make(p, n, sizeof *p->pruned);
    p->across = make(p, n, sizeof *p->across);
    gboolean ok = !af_arena_failed(p->arena);
    for (uint32_t t = 0; ok && t < n; t++) {
        ok = add_thread(p, t);
    }
    p->ranking = ok ? af_ranking_new(p->trees, n, AF_WALL) : NULL;
    return p->ranking != NULL;
}

static void clear_pruned(packing *p)
{
    for (uint32_t t = 0; p->pruned && p->across && t < p->diff->n_threads; t++) {
        af_tree_extract_free(p->pruned[t]);
        g_free(p->across[t]);
        p->pruned[t] = NULL;
        p->across[t] = NULL;
    }
}

static void end_pruning(packing *p)
{
    clear_pruned(p);
    af_ranking_free(p->ranking);
    af_arena_free(p->arena);
}

/* The same marks give the same stand-ins, so one pass gives their sums and another their widths. */
static gboolean prune_thread(packing *p, uint32_t t)
{
    af_tree_extract *widths = af_prune_tree(&p->widths[t], p->marks[t]);
    p->pruned[t] = af_prune_tree(&p->sums[t], p->marks[t]);
    p->across[t] = widths ? g_try_new(uint64_t, (gsize)widths->n_stand_ins + 1) : NULL;
    const gboolean ok = p->pruned[t] && p->across[t];
    for (uint32_t i = 0; ok && i < widths->n_stand_ins; i++) {
        p->across[t][i] = widths->stand_ins[i].self[AF_WALL];
    }
    af_tree_extract_free(widths);
    return ok;
}

static af_pack *pack(const packing *p)
{
    const af_diff_block block = {
        .diff = p->diff,
        .input = p->options->input,
        .drawn = p->options->drawn,
        .pruned = (const af_tree_extract *const *)p->pruned,
        .widths = (const uint64_t *const *)p->across,
        .jobs = p->options->jobs,
    };
    af_pack *made = g_new0(af_pack, 1);
    made->bytes = af_diff_block_write(&block, &made->plain_length);
    for (uint32_t t = 0; p->pruned && t < p->diff->n_threads; t++) {
        for (uint32_t i = 0; p->pruned[t] && i < p->pruned[t]->n_stand_ins; i++) {
            made->left_out += p->pruned[t]->stand_ins[i].nodes;
            made->left_out_ns += p->across[t][i];
        }
    }
    if (!made->bytes) {
        g_clear_pointer(&made, af_pack_free);
    }
    return made;
}

/* With the widest paths. */
static af_pack *try_pack(void *user, uint64_t n_entries)
{
    packing *p = user;
    clear_pruned(p);
    if (n_entries < p->n_nodes) {
        if (!p->ranking && !begin_pruning(p)) {
            return NULL;
        }
        af_ranking_choose(p->ranking, n_entries, p->marks);
        for (uint32_t t = 0; t < p->diff->n_threads; t++) {
            if (!prune_thread(p, t)) {
                return NULL;
            }
        }
    }
    return pack(p);
}

af_pack *af_diff_pack_new(const af_diff *diff, const af_diff_pack_options *options)
{
    enum { ENTRY_SIZE = 8 };
    packing p = {.diff = diff, .options = options};
    for (uint32_t t = 0; t < diff->n_threads; t++) {
        p.n_nodes += diff->threads[t].tree.n > 0 ? diff->threads[t].tree.n - 1 : 0;
    }
    af_pack *made = af_pack_fit(&(af_pack_fitting){.n = p.n_nodes,
                                                   .budget = options->budget,
                                                   .entry_size = ENTRY_SIZE,
                                                   .packed_size = ENTRY_SIZE,
                                                   .pack = try_pack,
                                                   .user = &p});
    end_pruning(&p);
    return made;
}
