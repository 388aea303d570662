#include "compare/union_tree.h"

#include <string.h>

#include "base/pages.h"
#include "base/wide.h"

uint64_t af_scale_apply(const af_scale *scale, uint64_t sum)
{
    if (scale->times == scale->over) {
        return sum;
    }
    const af_u128 scaled = ((af_u128)sum * scale->times + scale->over / 2) / scale->over;
    return scaled > UINT64_MAX ? UINT64_MAX : (uint64_t)scaled;
}

static const af_runs_thread *thread_at(const af_runs *runs, uint32_t t)
{
    return runs->threads->pdata[t];
}

/* The self time of a node, summed up over its runs. Waiting is computed from the sums. */
static inline uint64_t self_of(const af_runs_columns *from, uint32_t node, unsigned clock)
{
    if (clock != AF_WAIT) {
        return from->self[clock] != NULL ? from->self[clock][node] : 0;
    }
    const uint64_t *const wall = from->self[AF_WALL], *const cpu = from->self[AF_CPU];
    return wall != NULL && cpu != NULL && wall[node] > cpu[node] ? wall[node] - cpu[node] : 0;
}

/* The columns of a thread; NULL for clocks without times, whose columns hold zeros. */
static af_runs_columns list_columns(const af_runs *runs, uint32_t number)
{
    const af_runs_thread *thread = thread_at(runs, number);
    af_runs_columns from = af_runs_thread_columns(thread);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        from.self[c] = (thread->clocks >> c & 1) != 0 ? from.self[c] : NULL;
    }
    return from;
}

uint64_t af_union_total(const af_runs *runs, af_clock clock)
{
    uint64_t sum = 0;
    for (guint t = 0; t < runs->threads->len; t++) {
        const af_runs_columns from = list_columns(runs, t);
        for (uint32_t n = 1; from.calls != NULL && n < from.n; n++) {
            sum += self_of(&from, n, (unsigned)clock);
        }
    }
    return sum;
}

/* ---- one pair of threads ---- */

/* Memory that all pairs share: by node of the union as it grows, for as many as all threads of a
 * pair have together. */
typedef struct {
    uint64_t *self[AF_SIDES]; /* of the clock of the comparison, sums of the runs */
    uint64_t *change;
    uint32_t *order, *index;
} union_scratch;

typedef struct {
    const af_runs *const *sides;
    const af_pairing_labels *labels;
    const af_scale *scale;
    af_union_nodes *nodes;
    af_diff *diff;
    union_scratch scratch;
    uint32_t *lent_labels[AF_SIDES];
    char *next_column; /* the unused rest of the memory for columns */
    af_paths paths;
} building;

/* Whether the union has self times of a clock: of that of the comparison, and of waiting, which a
 * table adds up. */
static gboolean has_clock(const af_diff *diff, unsigned clock)
{
    return (diff->clocks >> clock & 1) != 0 && (clock == (unsigned)diff->clock || clock == AF_WAIT);
}

static uint32_t count_nodes(const building *b, const af_thread_pair *pair)
{
    uint32_t n = 1;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        for (guint i = 0; i < pair->threads[s]->len; i++) {
            const uint32_t number = g_array_index(pair->threads[s], uint32_t, i);
            n += af_runs_thread_columns(thread_at(b->sides[s], number)).n - 1;
        }
    }
    return n;
}

static gboolean begin_scratch(building *b, const GPtrArray *pairs)
{
    union_scratch *scratch = &b->scratch;
    uint32_t n = 1;
    for (guint i = 0; i < pairs->len; i++) {
        n = MAX(n, count_nodes(b, pairs->pdata[i]));
    }
    scratch->self[AF_BEFORE] = g_try_new(uint64_t, n);
    scratch->self[AF_AFTER] = g_try_new(uint64_t, n);
    scratch->change = g_try_new(uint64_t, n);
    scratch->order = g_try_new(uint32_t, n);
    scratch->index = g_try_new(uint32_t, n);
    return scratch->self[AF_BEFORE] != NULL && scratch->self[AF_AFTER] != NULL &&
           scratch->change != NULL && scratch->order != NULL && scratch->index != NULL;
}

static void end_scratch(union_scratch *scratch)
{
    g_free(scratch->self[AF_BEFORE]);
    g_free(scratch->self[AF_AFTER]);
    g_free(scratch->change);
    g_free(scratch->order);
    g_free(scratch->index);
}

static gboolean add_thread(building *b, unsigned side, uint32_t number)
{
    const af_runs_thread *thread = thread_at(b->sides[side], number);
    const af_runs_columns from = list_columns(b->sides[side], number);
    const af_paths_source source = {
        .n = from.n,
        .parent = from.parent,
        .label = from.label,
        .name_of = thread->lent != NULL ? b->lent_labels[side] : b->labels->label_of[side],
        .n_names = (uint32_t)b->labels->labels.n,
    };
    uint32_t *node_of = g_try_new(uint32_t, from.n);
    b->nodes->node_of[side][number] = node_of;
    return node_of != NULL && af_paths_add(&b->paths, &source, node_of);
}

/* The label of each label of a profile that lends its trees. */
static gboolean translate_labels(building *b)
{
    for (unsigned s = 0; s < AF_SIDES; s++) {
        const af_runs *runs = b->sides[s];
        const uint32_t n = runs->lent != NULL ? runs->lent->n_labels : 0;
        b->lent_labels[s] = g_try_new(uint32_t, (size_t)n + 1);
        for (uint32_t l = 0; b->lent_labels[s] != NULL && l < n; l++) {
            b->lent_labels[s][l] = b->labels->label_of[s][runs->lent_names[l]];
        }
    }
    return b->lent_labels[AF_BEFORE] != NULL && b->lent_labels[AF_AFTER] != NULL;
}

/* ---- the order of siblings ---- */

static void sum_self(building *b, const af_thread_pair *pair, unsigned side)
{
    uint64_t *self = b->scratch.self[side];
    memset(self, 0, b->paths.n * sizeof *self);
    for (guint i = 0; i < pair->threads[side]->len; i++) {
        const uint32_t number = g_array_index(pair->threads[side], uint32_t, i);
        const af_runs_columns from = list_columns(b->sides[side], number);
        const uint32_t *node_of = b->nodes->node_of[side][number];
        for (uint32_t n = 1; n < from.n; n++) {
            self[node_of[n]] += self_of(&from, n, (unsigned)b->diff->clock);
        }
    }
}

/* Grown + shrunk of the nodes below each node of the paths, in the clock of the comparison. */
static void sum_changes(building *b, const af_thread_pair *pair)
{
    const uint32_t n = b->paths.n, *parent = af_paths_parents(&b->paths);
    uint64_t *changes = b->scratch.change;
    sum_self(b, pair, AF_BEFORE);
    sum_self(b, pair, AF_AFTER);
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t one = af_scale_apply(&b->scale[AF_BEFORE], b->scratch.self[AF_BEFORE][i]);
        const uint64_t other = af_scale_apply(&b->scale[AF_AFTER], b->scratch.self[AF_AFTER][i]);
        changes[i] = MAX(one, other) - MIN(one, other);
    }
    for (uint32_t i = n - 1; i > 0; i--) {
        changes[parent[i]] += changes[i];
    }
}

static gboolean changed_more(const void *user, uint32_t one, uint32_t other)
{
    const uint64_t *changes = user;
    return changes[one] > changes[other];
}

/* ---- numbers ---- */

/* Bytes of a node in all columns. */
static size_t measure_node(const af_diff *diff)
{
    size_t wide = 5; /* calls of both sides, common, grown, shrunk */
    for (unsigned c = 0; c < AF_DIFF_CLOCKS; c++) {
        wide += has_clock(diff, c) ? AF_SIDES : 0;
    }
    return wide * sizeof(uint64_t) + 4 * sizeof(uint32_t) + AF_SIDES + 1;
}

/* Memory for all trees, at most as much as if no path had a partner: pages that stay untouched cost
 * nothing, and large ones are cheaper than many small ones. */
static gboolean reserve_columns(building *b, const GPtrArray *pairs)
{
    size_t nodes = 0;
    for (guint i = 0; i < pairs->len; i++) {
        nodes += (size_t)count_nodes(b, pairs->pdata[i]) + sizeof(uint64_t);
    }
    b->diff->columns_size = nodes * measure_node(b->diff);
    b->diff->columns = af_pages_alloc(b->diff->columns_size);
    b->next_column = b->diff->columns;
    return b->diff->columns != NULL;
}

/* The next column of zeros. */
static void *take_column(building *b, size_t n, size_t size)
{
    void *column = b->next_column;
    b->next_column += n * size;
    return column;
}

static void allocate_tree(building *b, af_diff_tree *tree)
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
            tree->self[s][c] = has_clock(b->diff, c) ? take_column(b, n, sizeof(uint64_t)) : NULL;
        }
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(links); i++) {
        *links[i] = take_column(b, n, sizeof(uint32_t));
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(bytes); i++) {
        *bytes[i] = take_column(b, n, 1);
    }
    const size_t used = (size_t)(b->next_column - (char *)b->diff->columns);
    b->next_column += (sizeof(uint64_t) - used % sizeof(uint64_t)) % sizeof(uint64_t);
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
            self[node_of[n]] += self_of(from, n, c);
        }
    }
}

static void scale_sums(uint64_t *sums, uint32_t n, const af_scale *scale)
{
    for (uint32_t i = 0; scale->times != scale->over && i < n; i++) {
        sums[i] = af_scale_apply(scale, sums[i]);
    }
}

static void fill_side(building *b, const af_thread_pair *pair, af_diff_tree *t, unsigned s)
{
    /* calls are not scaled by --normalize, only divided by the number of runs */
    const af_scale mean = {1, MAX(b->diff->side[s].n_runs, 1)};
    for (guint i = 0; i < pair->threads[s]->len; i++) {
        const uint32_t number = g_array_index(pair->threads[s], uint32_t, i);
        const af_runs_columns from = list_columns(b->sides[s], number);
        add_sums(t, s, &from, b->nodes->node_of[s][number]);
    }
    scale_sums(t->calls[s], t->n, &mean);
    for (unsigned c = 0; c < AF_DIFF_CLOCKS; c++) {
        if (t->self[s][c] != NULL) {
            scale_sums(t->self[s][c], t->n, &b->scale[s]);
        }
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

static void fill_tree(building *b, const af_thread_pair *pair, af_diff_tree *t)
{
    const uint32_t *order = b->scratch.order, *index = b->scratch.index;
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
    split_widths(t, b->diff->clock);
}

static void renumber_nodes(building *b, const af_thread_pair *pair, uint32_t thread)
{
    const uint32_t *index = b->scratch.index;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        for (guint i = 0; i < pair->threads[s]->len; i++) {
            const uint32_t number = g_array_index(pair->threads[s], uint32_t, i);
            uint32_t *node_of = b->nodes->node_of[s][number];
            for (uint32_t n = 0; n < af_runs_thread_columns(thread_at(b->sides[s], number)).n;
                 n++) {
                node_of[n] = index[node_of[n]];
            }
            b->nodes->pair_of[s][number] = thread;
        }
    }
}

static gboolean finish_tree(building *b, const af_thread_pair *pair, af_diff_tree *tree,
                            uint32_t thread)
{
    uint32_t *order = b->scratch.order;
    tree->n = b->paths.n;
    sum_changes(b, pair);
    allocate_tree(b, tree);
    if (!af_paths_order(&b->paths, changed_more, b->scratch.change, order)) {
        return FALSE;
    }
    for (uint32_t i = 0; i < tree->n; i++) {
        b->scratch.index[order[i]] = i;
    }
    renumber_nodes(b, pair, thread);
    fill_tree(b, pair, tree);
    return TRUE;
}

/* The tests of several runs need the nodes; a comparison of two runs does not. */
static void forget_nodes(building *b, const af_thread_pair *pair)
{
    for (unsigned s = 0; s < AF_SIDES; s++) {
        for (guint i = 0; i < pair->threads[s]->len; i++) {
            const uint32_t number = g_array_index(pair->threads[s], uint32_t, i);
            g_clear_pointer(&b->nodes->node_of[s][number], g_free);
        }
    }
}

/* The names of the threads of a side, separated by commas. */
static const char *join_names(building *b, const af_thread_pair *pair, unsigned s)
{
    GString *names = g_string_new(NULL);
    for (guint i = 0; i < pair->threads[s]->len; i++) {
        g_string_append(names, i > 0 ? ", " : "");
        g_string_append(names,
                        thread_at(b->sides[s], g_array_index(pair->threads[s], uint32_t, i))->name);
    }
    const char *copy = af_arena_copy(b->diff->arena, names->str, names->len);
    g_string_free(names, TRUE);
    return copy;
}

static gboolean build_pair(building *b, const af_thread_pair *pair, uint32_t number)
{
    af_diff_thread *thread = &b->diff->threads[number];
    *thread = (af_diff_thread){.title = pair->title};
    gboolean ok = af_paths_init(&b->paths);
    for (unsigned s = 0; s < AF_SIDES; s++) {
        for (guint i = 0; ok && i < pair->threads[s]->len; i++) {
            const uint32_t from = g_array_index(pair->threads[s], uint32_t, i);
            const af_runs_thread *added = thread_at(b->sides[s], from);
            ok = add_thread(b, s, from);
            thread->threads[s] += added->threads;
            thread->uncounted = thread->uncounted || added->sampled;
        }
        thread->name[s] = pair->threads[s]->len > 0 ? join_names(b, pair, s) : NULL;
    }
    ok = ok && finish_tree(b, pair, &thread->tree, number);
    if (b->sides[AF_BEFORE]->use != AF_RUNS_TO_TEST && b->sides[AF_AFTER]->use != AF_RUNS_TO_TEST) {
        forget_nodes(b, pair);
    }
    af_paths_clear(&b->paths);
    return ok;
}

/* ---- all of them ---- */

static gboolean begin_nodes(af_union_nodes *nodes, const af_runs *const sides[AF_SIDES])
{
    gboolean ok = TRUE;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        const size_t n = (size_t)sides[s]->threads->len + 1;
        nodes->node_of[s] = g_try_new0(uint32_t *, n);
        nodes->pair_of[s] = g_try_new0(uint32_t, n);
        ok = ok && nodes->node_of[s] != NULL && nodes->pair_of[s] != NULL;
    }
    return ok;
}

void af_union_nodes_clear(af_union_nodes *nodes, const af_runs *const sides[AF_SIDES])
{
    for (unsigned s = 0; s < AF_SIDES; s++) {
        for (guint t = 0; nodes->node_of[s] != NULL && t < sides[s]->threads->len; t++) {
            g_free(nodes->node_of[s][t]);
        }
        g_clear_pointer(&nodes->node_of[s], g_free);
        g_clear_pointer(&nodes->pair_of[s], g_free);
    }
}

gboolean af_union_build(af_diff *diff, const af_runs *const sides[AF_SIDES], GPtrArray *pairs,
                        const af_pairing_labels *labels, const af_scale scale[AF_SIDES],
                        af_union_nodes *nodes)
{
    building b = {.sides = sides, .labels = labels, .scale = scale, .nodes = nodes, .diff = diff};
    diff->n_threads = pairs->len;
    diff->threads = af_arena_alloc(diff->arena, sizeof(af_diff_thread) * (pairs->len + 1));
    gboolean ok = diff->threads != NULL && begin_nodes(nodes, sides) && translate_labels(&b) &&
                  begin_scratch(&b, pairs) && reserve_columns(&b, pairs);
    for (guint i = 0; ok && i < pairs->len; i++) {
        ok = build_pair(&b, pairs->pdata[i], i);
    }
    end_scratch(&b.scratch);
    g_free(b.lent_labels[AF_BEFORE]);
    g_free(b.lent_labels[AF_AFTER]);
    return ok;
}
