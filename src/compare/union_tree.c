#include "compare/union_tree.h"

#include <string.h>

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
static uint64_t self_of(const af_runs_thread *thread, uint32_t node, unsigned clock)
{
    if (clock != AF_WAIT) {
        return AF_ARRAY_AT(&thread->self[clock], uint64_t, node);
    }
    const uint64_t wall = AF_ARRAY_AT(&thread->self[AF_WALL], uint64_t, node);
    const uint64_t cpu = AF_ARRAY_AT(&thread->self[AF_CPU], uint64_t, node);
    return thread->clocks == 3 && wall > cpu ? wall - cpu : 0;
}

uint64_t af_union_total(const af_runs *runs, af_clock clock)
{
    uint64_t sum = 0;
    for (guint t = 0; t < runs->threads->len; t++) {
        const af_runs_thread *thread = thread_at(runs, t);
        for (uint32_t n = 1; n < thread->paths.n && n < thread->calls.n; n++) {
            sum += self_of(thread, n, (unsigned)clock);
        }
    }
    return sum;
}

/* ---- one pair of threads ---- */

/* Columns by node of the union while it grows: self by side and clock, then calls by side. */
enum { CALLS = AF_DIFF_CLOCKS, COLUMNS };

typedef struct {
    const af_runs *const *sides;
    const af_pairing_labels *labels;
    const af_scale *scale;
    af_union_nodes *nodes;
    af_diff *diff;
    af_paths paths;
    af_array sums[AF_SIDES][COLUMNS]; /* of uint64_t */
    af_array present[AF_SIDES];       /* of uint8_t */
} building;

/* Whether the union has self times of a clock: of that of the comparison, and of waiting, which a
 * table adds up. */
static gboolean has_clock(const af_diff *diff, unsigned clock)
{
    return (diff->clocks >> clock & 1) != 0 && (clock == (unsigned)diff->clock || clock == AF_WAIT);
}

static void begin_pair(building *b)
{
    for (unsigned s = 0; s < AF_SIDES; s++) {
        for (unsigned c = 0; c < COLUMNS; c++) {
            af_array_init(&b->sums[s][c], sizeof(uint64_t));
        }
        af_array_init(&b->present[s], sizeof(uint8_t));
    }
}

static void end_pair(building *b)
{
    for (unsigned s = 0; s < AF_SIDES; s++) {
        for (unsigned c = 0; c < COLUMNS; c++) {
            af_array_clear(&b->sums[s][c]);
        }
        af_array_clear(&b->present[s]);
    }
    af_paths_clear(&b->paths);
}

static gboolean reach_columns(building *b)
{
    gboolean ok = TRUE;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        for (unsigned c = 0; c < COLUMNS; c++) {
            ok = ok && ((c != CALLS && !has_clock(b->diff, c)) ||
                        af_array_reach(&b->sums[s][c], b->paths.n));
        }
        ok = ok && af_array_reach(&b->present[s], b->paths.n);
    }
    return ok;
}

static void add_sums(building *b, unsigned side, const af_runs_thread *thread,
                     const uint32_t *node_of)
{
    uint64_t *calls = b->sums[side][CALLS].items;
    uint8_t *present = b->present[side].items;
    for (uint32_t n = 0; n < thread->paths.n; n++) {
        present[node_of[n]] = 1;
        calls[node_of[n]] += AF_ARRAY_AT(&thread->calls, uint64_t, n);
    }
    for (unsigned c = 0; c < AF_DIFF_CLOCKS; c++) {
        uint64_t *self = b->sums[side][c].items;
        for (uint32_t n = 1; has_clock(b->diff, c) && n < thread->paths.n; n++) {
            self[node_of[n]] += self_of(thread, n, c);
        }
    }
}

static gboolean add_thread(building *b, unsigned side, uint32_t number)
{
    const af_runs_thread *thread = thread_at(b->sides[side], number);
    const af_paths_source source = {
        .n = thread->paths.n,
        .parent = af_paths_parents(&thread->paths),
        .label = af_paths_names(&thread->paths),
        .name_of = b->labels->label_of[side],
        .n_names = (uint32_t)b->labels->labels.n,
    };
    uint32_t *node_of = g_try_new(uint32_t, thread->paths.n);
    const gboolean ok =
        node_of != NULL && af_paths_add(&b->paths, &source, node_of) && reach_columns(b);
    if (ok) {
        add_sums(b, side, thread, node_of);
    }
    if (ok && b->nodes != NULL) {
        b->nodes->node_of[side][number] = node_of;
    } else {
        g_free(node_of);
    }
    return ok;
}

/* ---- numbers ---- */

static gboolean allocate_tree(building *b, af_diff_tree *tree)
{
    af_arena *arena = b->diff->arena;
    const size_t n = tree->n, wide = n * sizeof(uint64_t), narrow = n * sizeof(uint32_t);
    uint32_t **const links[] = {&tree->parent, &tree->label, &tree->depth, &tree->twin};
    uint64_t **const sums[] = {&tree->width, &tree->common, &tree->grown, &tree->shrunk};
    for (unsigned i = 0; i < G_N_ELEMENTS(links); i++) {
        *links[i] = af_arena_alloc(arena, narrow);
        *sums[i] = af_arena_alloc(arena, wide);
    }
    for (unsigned s = 0; s < AF_SIDES; s++) {
        tree->calls[s] = af_arena_alloc(arena, wide);
        tree->present[s] = af_arena_alloc(arena, n);
        for (unsigned c = 0; c < AF_DIFF_CLOCKS; c++) {
            const gboolean compared = c == (unsigned)b->diff->clock;
            tree->self[s][c] = has_clock(b->diff, c) ? af_arena_alloc(arena, wide) : NULL;
            tree->inclusive[s][c] = compared ? af_arena_alloc(arena, wide) : NULL;
        }
    }
    tree->status = af_arena_alloc(arena, n);
    tree->p = NULL;
    return !af_arena_failed(arena);
}

/* Grown + shrunk of the nodes below each node of the paths, in the clock of the comparison. */
static uint64_t *sum_changes(building *b)
{
    const uint32_t n = b->paths.n;
    const uint64_t *before = b->sums[AF_BEFORE][b->diff->clock].items;
    const uint64_t *after = b->sums[AF_AFTER][b->diff->clock].items;
    uint64_t *changes = g_try_new(uint64_t, n);
    for (uint32_t i = 0; changes != NULL && i < n; i++) {
        const uint64_t one = af_scale_apply(&b->scale[AF_BEFORE], before[i]);
        const uint64_t other = af_scale_apply(&b->scale[AF_AFTER], after[i]);
        changes[i] = MAX(one, other) - MIN(one, other);
    }
    for (uint32_t i = n - 1; changes != NULL && i > 0; i--) {
        changes[af_paths_parents(&b->paths)[i]] += changes[i];
    }
    return changes;
}

static gboolean changed_more(const void *user, uint32_t one, uint32_t other)
{
    const uint64_t *changes = user;
    return changes[one] > changes[other];
}

static void add_up(uint64_t *sums, const uint32_t *parent, uint32_t n)
{
    for (uint32_t i = n - 1; i > 0; i--) {
        sums[parent[i]] += sums[i];
    }
}

static void split_widths(af_diff_tree *t, af_clock clock)
{
    for (uint32_t i = 0; i < t->n; i++) {
        const uint64_t before = t->self[AF_BEFORE][clock][i], after = t->self[AF_AFTER][clock][i];
        t->width[i] = MAX(before, after);
        t->common[i] = MIN(before, after);
        t->grown[i] = after - t->common[i];
        t->shrunk[i] = before - t->common[i];
    }
    add_up(t->width, t->parent, t->n);
    add_up(t->common, t->parent, t->n);
    add_up(t->grown, t->parent, t->n);
    add_up(t->shrunk, t->parent, t->n);
}

static void fill_side(building *b, af_diff_tree *t, unsigned s, const uint32_t *order)
{
    for (uint32_t i = 0; i < t->n; i++) {
        t->present[s][i] = AF_ARRAY_AT(&b->present[s], uint8_t, order[i]);
        /* calls are not scaled by --normalize, only divided by the number of runs */
        const af_scale mean = {1, MAX(b->diff->side[s].n_runs, 1)};
        t->calls[s][i] = af_scale_apply(&mean, AF_ARRAY_AT(&b->sums[s][CALLS], uint64_t, order[i]));
    }
    for (unsigned c = 0; c < AF_DIFF_CLOCKS; c++) {
        if (t->self[s][c] != NULL) {
            for (uint32_t i = 0; i < t->n; i++) {
                t->self[s][c][i] =
                    af_scale_apply(&b->scale[s], AF_ARRAY_AT(&b->sums[s][c], uint64_t, order[i]));
            }
        }
        if (t->inclusive[s][c] != NULL) {
            memcpy(t->inclusive[s][c], t->self[s][c], t->n * sizeof(uint64_t));
            add_up(t->inclusive[s][c], t->parent, t->n);
        }
    }
}

static void fill_tree(building *b, af_diff_tree *t, const uint32_t *order, uint32_t *index)
{
    for (uint32_t i = 0; i < t->n; i++) {
        index[order[i]] = i;
    }
    for (uint32_t i = 0; i < t->n; i++) {
        const uint32_t parent = af_paths_parents(&b->paths)[order[i]];
        t->parent[i] = i > 0 ? index[parent] : AF_NO_NODE;
        t->label[i] = af_paths_names(&b->paths)[order[i]];
        t->depth[i] = i > 0 ? t->depth[t->parent[i]] + 1 : 0;
        t->twin[i] = i;
        t->status[i] = AF_DIFF_SAME;
    }
    fill_side(b, t, AF_BEFORE, order);
    fill_side(b, t, AF_AFTER, order);
    split_widths(t, b->diff->clock);
}

static void renumber_nodes(building *b, const af_thread_pair *pair, const uint32_t *index,
                           uint32_t thread)
{
    for (unsigned s = 0; b->nodes != NULL && s < AF_SIDES; s++) {
        for (guint i = 0; i < pair->threads[s]->len; i++) {
            const uint32_t number = g_array_index(pair->threads[s], uint32_t, i);
            uint32_t *node_of = b->nodes->node_of[s][number];
            for (uint32_t n = 0; n < thread_at(b->sides[s], number)->paths.n; n++) {
                node_of[n] = index[node_of[n]];
            }
            b->nodes->pair_of[s][number] = thread;
        }
    }
}

static gboolean finish_tree(building *b, const af_thread_pair *pair, af_diff_tree *tree,
                            uint32_t thread)
{
    tree->n = b->paths.n;
    uint32_t *order = g_try_new(uint32_t, tree->n), *index = g_try_new(uint32_t, tree->n);
    uint64_t *changes = sum_changes(b);
    const gboolean ok = order != NULL && index != NULL && changes != NULL &&
                        allocate_tree(b, tree) &&
                        af_paths_order(&b->paths, changed_more, changes, order);
    if (ok) {
        fill_tree(b, tree, order, index);
        renumber_nodes(b, pair, index, thread);
    }
    g_free(changes);
    g_free(index);
    g_free(order);
    return ok;
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
    begin_pair(b);
    gboolean ok = af_paths_init(&b->paths) && reach_columns(b);
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
    end_pair(b);
    return ok;
}

/* ---- all of them ---- */

static gboolean begin_nodes(af_union_nodes *nodes, const af_runs *const sides[AF_SIDES])
{
    gboolean ok = TRUE;
    for (unsigned s = 0; nodes != NULL && s < AF_SIDES; s++) {
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
    gboolean ok = diff->threads != NULL && begin_nodes(nodes, sides);
    for (guint i = 0; ok && i < pairs->len; i++) {
        ok = build_pair(&b, pairs->pdata[i], i);
    }
    return ok;
}
