#include "compare/union_pair.h"

#include <string.h>

#include "base/pages.h"

static const af_runs_thread *thread_at(const af_runs *runs, uint32_t t)
{
    return runs->threads->pdata[t];
}

af_runs_columns af_union_columns(const af_runs *runs, uint32_t number)
{
    const af_runs_thread *thread = thread_at(runs, number);
    af_runs_columns from = af_runs_thread_columns(thread);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        from.self[c] = (thread->clocks >> c & 1) != 0 ? from.self[c] : NULL;
    }
    return from;
}

/* Whether the union has self times of a clock: it has those of the clock of the comparison, and
 * waiting, which a table needs. */
static gboolean has_clock(const af_diff *diff, unsigned clock)
{
    return (diff->clocks >> clock & 1) != 0 && (clock == (unsigned)diff->clock || clock == AF_WAIT);
}

/* Bytes of a node in all columns. */
static size_t measure_node(const af_diff *diff)
{
    size_t wide = 5; /* calls of both sides, common, grown, shrunk */
    for (unsigned c = 0; c < AF_DIFF_CLOCKS; c++) {
        wide += has_clock(diff, c) ? AF_SIDES : 0;
    }
    wide += diff->has_runnable ? AF_SIDES : 0;
    return wide * sizeof(uint64_t) + 4 * sizeof(uint32_t) + AF_SIDES + 1;
}

uint32_t af_union_pair_nodes(const af_union_state *state, const af_thread_pair *pair)
{
    uint32_t n = 1;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        for (guint i = 0; i < pair->threads[s]->len; i++) {
            const uint32_t number = g_array_index(pair->threads[s], uint32_t, i);
            n += af_runs_thread_columns(thread_at(state->sides[s], number)).n - 1;
        }
    }
    return n;
}

size_t af_union_pair_bytes(const af_union_state *state, uint32_t n_nodes)
{
    const size_t bytes = n_nodes * measure_node(state->diff);
    return (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
}

gboolean af_pair_builder_init(af_pair_builder *b, const af_union_state *shared, uint32_t most)
{
    *b = (af_pair_builder){.shared = shared,
                           .block_size = most * (3 * sizeof(uint64_t) + 2 * sizeof(uint32_t))};
    b->block = af_pages_alloc(b->block_size);
    if (b->block == NULL || !af_paths_init(&b->paths)) {
        return FALSE;
    }
    b->self[AF_BEFORE] = b->block;
    b->self[AF_AFTER] = b->self[AF_BEFORE] + most;
    b->change = b->self[AF_AFTER] + most;
    b->order = (uint32_t *)(void *)(b->change + most);
    b->index = b->order + most;
    return TRUE;
}

void af_pair_builder_clear(af_pair_builder *b)
{
    af_paths_clear(&b->paths);
    af_pages_free(b->block, b->block_size);
}

static gboolean add_thread(af_pair_builder *b, unsigned side, uint32_t number)
{
    const af_runs_thread *thread = thread_at(b->shared->sides[side], number);
    const af_runs_columns from = af_union_columns(b->shared->sides[side], number);
    const af_paths_source source = {
        .n = from.n,
        .parent = from.parent,
        .label = from.label,
        .name_of =
            thread->lent != NULL ? b->shared->lent_labels[side] : b->shared->labels->label_of[side],
        .n_names = (uint32_t)b->shared->labels->labels.n,
    };
    uint32_t *node_of = g_try_new(uint32_t, from.n);
    b->shared->nodes->node_of[side][number] = node_of;
    return node_of != NULL && af_paths_add(&b->paths, &source, node_of);
}

static void scale_sums(uint64_t *sums, uint32_t n, const af_scale *scale)
{
    for (uint32_t i = 0; scale->times != scale->over && i < n; i++) {
        sums[i] = af_scale_apply(scale, sums[i]);
    }
}

/* ---- the order of siblings ---- */

static void sum_self(af_pair_builder *b, const af_thread_pair *pair, unsigned side)
{
    uint64_t *self = b->self[side];
    memset(self, 0, b->paths.n * sizeof *self);
    for (guint i = 0; i < pair->threads[side]->len; i++) {
        const uint32_t number = g_array_index(pair->threads[side], uint32_t, i);
        const af_runs_columns from = af_union_columns(b->shared->sides[side], number);
        const uint32_t *node_of = b->shared->nodes->node_of[side][number];
        for (uint32_t n = 1; n < from.n; n++) {
            self[node_of[n]] += af_union_self(&from, n, (unsigned)b->shared->diff->clock);
        }
    }
}

/* Grown + shrunk of the nodes below each node of the paths, in the clock of the comparison. */
static void sum_changes(af_pair_builder *b, const af_thread_pair *pair)
{
    const uint32_t n = b->paths.n, *parent = af_paths_parents(&b->paths);
    uint64_t *changes = b->change;
    sum_self(b, pair, AF_BEFORE);
    sum_self(b, pair, AF_AFTER);
    for (unsigned s = 0; s < AF_SIDES; s++) {
        scale_sums(b->self[s], n, &b->shared->scale[s]);
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t one = b->self[AF_BEFORE][i], other = b->self[AF_AFTER][i];
        changes[i] = MAX(one, other) - MIN(one, other);
    }
    for (uint32_t i = n - 1; i > 0; i--) {
        changes[parent[i]] += changes[i];
    }
}

/* ---- numbers ---- */

/* The columns of all pairs follow each other, so that they touch as few pages as possible. */
static char *take_columns(const af_union_state *state, size_t bytes)
{
    return (char *)state->diff->columns + g_atomic_pointer_add(state->columns_taken, bytes);
}

/* The next column of zeros. */
static void *take_column(af_pair_builder *b, size_t n, size_t size)
{
    void *column = b->next_column;
    b->next_column += n * size;
    return column;
}

static void allocate_tree(af_pair_builder *b, af_diff_tree *tree)
{
    const uint32_t n = tree->n;
    uint64_t **const sums[] = {&tree->common, &tree->grown, &tree->shrunk, &tree->calls[AF_BEFORE],
                               &tree->calls[AF_AFTER]};
    uint32_t **const links[] = {&tree->parent, &tree->label, &tree->depth, &tree->twin};
    uint8_t **const bytes[] = {&tree->present[AF_BEFORE], &tree->present[AF_AFTER], &tree->status};
    for (unsigned i = 0; i < G_N_ELEMENTS(sums); i++) {
        *sums[i] = take_column(b, n, sizeof(uint64_t));
    }
    for (unsigned c = 0; c < AF_DIFF_CLOCKS; c++) {
        for (unsigned s = 0; s < AF_SIDES; s++) {
            tree->self[s][c] =
                has_clock(b->shared->diff, c) ? take_column(b, n, sizeof(uint64_t)) : NULL;
        }
    }
    for (unsigned s = 0; s < AF_SIDES; s++) {
        tree->runnable[s] =
            b->shared->diff->has_runnable ? take_column(b, n, sizeof(uint64_t)) : NULL;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(links); i++) {
        *links[i] = take_column(b, n, sizeof(uint32_t));
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(bytes); i++) {
        *bytes[i] = take_column(b, n, 1);
    }
    tree->p = NULL;
}

/* Adds the sums of a thread to nodes of the tree. */
static void add_sums(af_diff_tree *t, unsigned s, const af_runs_columns *from,
                     const uint32_t *node_of)
{
    for (uint32_t n = 0; n < from->n; n++) {
        t->present[s][node_of[n]] = 1;
        t->calls[s][node_of[n]] += from->calls[n];
    }
    for (unsigned c = 0; c < AF_DIFF_CLOCKS; c++) {
        uint64_t *self = t->self[s][c];
        for (uint32_t n = 1; self != NULL && n < from->n; n++) {
            self[node_of[n]] += af_union_self(from, n, c);
        }
    }
    uint64_t *runnable = from->runnable != NULL ? t->runnable[s] : NULL;
    for (uint32_t n = 1; runnable != NULL && n < from->n; n++) {
        runnable[node_of[n]] += from->runnable[n];
    }
}

static void fill_side(af_pair_builder *b, const af_thread_pair *pair, af_diff_tree *t, unsigned s)
{
    /* calls are not scaled by --normalize, only divided by the number of runs */
    const af_scale mean = {1, MAX(b->shared->diff->side[s].n_runs, 1)};
    for (guint i = 0; i < pair->threads[s]->len; i++) {
        const uint32_t number = g_array_index(pair->threads[s], uint32_t, i);
        const af_runs_columns from = af_union_columns(b->shared->sides[s], number);
        add_sums(t, s, &from, b->shared->nodes->node_of[s][number]);
    }
    scale_sums(t->calls[s], t->n, &mean);
    for (unsigned c = 0; c < AF_DIFF_CLOCKS; c++) {
        if (t->self[s][c] != NULL) {
            scale_sums(t->self[s][c], t->n, &b->shared->scale[s]);
        }
    }
    if (t->runnable[s] != NULL) {
        scale_sums(t->runnable[s], t->n, &b->shared->scale[s]);
    }
}

static void split_widths(af_diff_tree *t, af_clock clock)
{
    for (uint32_t i = 0; i < t->n; i++) {
        const uint64_t before = t->self[AF_BEFORE][clock][i], after = t->self[AF_AFTER][clock][i];
        t->common[i] = MIN(before, after);
        t->grown[i] = after - t->common[i];
        t->shrunk[i] = before - t->common[i];
    }
    for (uint32_t i = t->n - 1; i > 0; i--) {
        const uint32_t parent = t->parent[i];
        t->common[parent] += t->common[i];
        t->grown[parent] += t->grown[i];
        t->shrunk[parent] += t->shrunk[i];
    }
}

static void fill_tree(af_pair_builder *b, const af_thread_pair *pair, af_diff_tree *t)
{
    const uint32_t *order = b->order, *index = b->index;
    const uint32_t *parents = af_paths_parents(&b->paths), *names = af_paths_names(&b->paths);
    for (uint32_t i = 0; i < t->n; i++) {
        t->parent[i] = i > 0 ? index[parents[order[i]]] : AF_NO_NODE;
        t->label[i] = names[order[i]];
        t->depth[i] = i > 0 ? t->depth[t->parent[i]] + 1 : 0;
        t->twin[i] = i;
        t->status[i] = AF_DIFF_SAME;
    }
    fill_side(b, pair, t, AF_BEFORE);
    fill_side(b, pair, t, AF_AFTER);
    split_widths(t, b->shared->diff->clock);
}

static void renumber_nodes(af_pair_builder *b, const af_thread_pair *pair, uint32_t thread)
{
    const uint32_t *index = b->index;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        for (guint i = 0; i < pair->threads[s]->len; i++) {
            const uint32_t number = g_array_index(pair->threads[s], uint32_t, i);
            const uint32_t n = af_runs_thread_columns(thread_at(b->shared->sides[s], number)).n;
            uint32_t *node_of = b->shared->nodes->node_of[s][number];
            for (uint32_t k = 0; k < n; k++) {
                node_of[k] = index[node_of[k]];
            }
            b->shared->nodes->pair_of[s][number] = thread;
        }
    }
}

static gboolean finish_tree(af_pair_builder *b, const af_thread_pair *pair, af_diff_tree *tree,
                            uint32_t thread)
{
    uint32_t *order = b->order;
    tree->n = b->paths.n;
    b->next_column = take_columns(b->shared, af_union_pair_bytes(b->shared, tree->n));
    sum_changes(b, pair);
    allocate_tree(b, tree);
    if (!af_paths_order(&b->paths, b->change, order)) {
        return FALSE;
    }
    for (uint32_t i = 0; i < tree->n; i++) {
        b->index[order[i]] = i;
    }
    renumber_nodes(b, pair, thread);
    fill_tree(b, pair, tree);
    return TRUE;
}

/* The tests of several runs need the nodes; a comparison of two runs does not. */
static void forget_nodes(af_pair_builder *b, const af_thread_pair *pair)
{
    for (unsigned s = 0; s < AF_SIDES; s++) {
        for (guint i = 0; i < pair->threads[s]->len; i++) {
            const uint32_t number = g_array_index(pair->threads[s], uint32_t, i);
            g_clear_pointer(&b->shared->nodes->node_of[s][number], g_free);
        }
    }
}

gboolean af_pair_builder_run(af_pair_builder *b, const af_thread_pair *pair, uint32_t number)
{
    const af_runs *const *sides = b->shared->sides;
    gboolean ok = af_paths_empty(&b->paths);
    for (unsigned s = 0; s < AF_SIDES; s++) {
        for (guint i = 0; ok && i < pair->threads[s]->len; i++) {
            ok = add_thread(b, s, g_array_index(pair->threads[s], uint32_t, i));
        }
    }
    ok = ok && finish_tree(b, pair, &b->shared->diff->threads[number].tree, number);
    if (sides[AF_BEFORE]->use != AF_RUNS_TO_TEST && sides[AF_AFTER]->use != AF_RUNS_TO_TEST) {
        forget_nodes(b, pair);
    }
    return ok;
}
