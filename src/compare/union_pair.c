#include "compare/union_pair.h"

#include <stdlib.h>
#include <string.h>

#include "model/wait_widths.h"

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

/* A path that both sides have. */
typedef struct {
    uint32_t at[AF_SIDES];
    uint32_t parent; /* its number among them */
    uint64_t time;   /* common time */
} common_path;

/* A path of the union whose parent is in the tree. */
typedef struct {
    uint64_t change;       /* grown + shrunk */
    uint32_t at[AF_SIDES]; /* AF_NO_NODE = the side lacks it */
    uint32_t parent;
} due_path;

gboolean af_pair_builder_init(af_pair_builder *b, const af_union_state *shared)
{
    *b = (af_pair_builder){.shared = shared};
    af_array_init(&b->common, sizeof(common_path));
    af_array_init(&b->stack, sizeof(due_path));
    b->mark = g_try_new0(uint32_t, shared->labels->labels.n + 1);
    b->child = g_try_new(uint32_t, shared->labels->labels.n + 1);
    return b->mark != NULL && b->child != NULL;
}

void af_pair_builder_clear(af_pair_builder *b)
{
    af_array_clear(&b->common);
    af_array_clear(&b->stack);
    g_free(b->mark);
    g_free(b->child);
}

/* Returns a number that is in no item of `mark`. */
static uint32_t take_mark(af_pair_builder *b)
{
    if (b->n_marks == UINT32_MAX) {
        memset(b->mark, 0, (b->shared->labels->labels.n + 1) * sizeof *b->mark);
        b->n_marks = 0;
    }
    return ++b->n_marks;
}

/* ---- the paths of a side ---- */

enum { CALLS, SELF, INCLUSIVE, COLUMNS };

static void scale_sums(uint64_t *sums, uint32_t n, const af_scale *scale)
{
    for (uint32_t i = 0; scale->times != scale->over && i < n; i++) {
        sums[i] = af_scale_apply(scale, sums[i]);
    }
}

/* Each path once. */
static gboolean join_paths(af_pair_builder *b, const GArray *threads, unsigned s)
{
    const af_union_state *u = b->shared;
    gboolean ok = af_paths_init(&b->side[s].paths);
    for (guint i = 0; ok && i < threads->len; i++) {
        const uint32_t number = g_array_index(threads, uint32_t, i);
        const af_runs_columns from = af_union_columns(u->sides[s], number);
        const af_paths_source source = {.n = from.n,
                                        .parent = from.parent,
                                        .label = from.label,
                                        .name_of = u->labels->label_of[s],
                                        .n_names = (uint32_t)u->labels->labels.n};
        uint32_t *path_of = g_try_new(uint32_t, from.n);
        u->nodes->node_of[s][number] = path_of;
        ok = path_of != NULL && af_paths_add(&b->side[s].paths, &source, path_of);
    }
    return ok;
}

/* Adds the numbers of a thread to those of its paths. */
static void add_numbers(const af_pair_builder *b, uint32_t number, unsigned s)
{
    const af_union_state *u = b->shared;
    const af_pair_side *side = &b->side[s];
    const af_runs_columns from = af_union_columns(u->sides[s], number);
    const uint32_t *path_of = u->nodes->node_of[s][number];
    for (uint32_t n = 0; n < from.n; n++) {
        side->reason[path_of[n]] = from.reason[n];
        side->calls[path_of[n]] += from.calls[n];
        side->self[path_of[n]] += n > 0 ? af_union_self(&from, n, (unsigned)u->diff->clock) : 0;
    }
}

/* Takes the paths of a side. FALSE if memory is refused. */
static gboolean take_side(af_pair_builder *b, const GArray *threads, unsigned s, gboolean tested)
{
    const af_union_state *u = b->shared;
    af_pair_side *side = &b->side[s];
    *side = (af_pair_side){.n = 0};
    if (threads->len == 0) {
        return TRUE;
    }
    const gboolean ok = join_paths(b, threads, s);
    const uint32_t n = side->paths.n;
    side->calls = ok ? g_try_new0(uint64_t, COLUMNS * (size_t)n) : NULL;
    side->reason = ok ? g_try_malloc(n) : NULL;
    side->common = ok ? g_try_new0(uint32_t, n) : NULL;
    side->node = ok && tested ? g_try_new(uint32_t, n) : NULL;
    if (side->calls == NULL || side->reason == NULL || side->common == NULL ||
        (tested && side->node == NULL)) {
        return FALSE;
    }
    side->n = n;
    side->parent = af_paths_parents(&side->paths);
    side->name = af_paths_names(&side->paths);
    side->first_child = side->paths.first_child.items;
    side->next_sibling = side->paths.next_sibling.items;
    side->self = side->calls + SELF * (size_t)n;
    side->inclusive = side->calls + INCLUSIVE * (size_t)n;
    for (guint i = 0; i < threads->len; i++) {
        add_numbers(b, g_array_index(threads, uint32_t, i), s);
    }
    if (u->diff->clock == AF_WAIT &&
        !af_wait_widths_compute(n, side->parent, side->self, side->inclusive)) {
        return FALSE;
    }
    /* calls are not scaled by --normalize, only divided by the number of runs */
    const af_scale mean = {1, MAX(u->diff->side[s].n_runs, 1)};
    scale_sums(side->calls, n, &mean);
    scale_sums(side->self, n, &u->scale[s]);
    memcpy(side->inclusive, side->self, n * sizeof *side->inclusive);
    side->inclusive[0] = 0;
    for (uint32_t i = n - 1; i > 0; i--) {
        side->inclusive[side->parent[i]] += side->inclusive[i];
    }
    return TRUE;
}

static void clear_side(af_pair_side *side)
{
    g_free(side->node);
    g_free(side->common);
    g_free(side->calls);
    g_free(side->reason);
    af_paths_clear(&side->paths);
    *side = (af_pair_side){.n = 0};
}

/* Adds up the waiting by reason, and scales the sums. */
static void sum_waits(const af_union_state *u, const GArray *threads, unsigned s,
                      uint64_t sums[AF_WAITS_ALL])
{
    const unsigned both = 1u << AF_WALL | 1u << AF_CPU;
    for (guint i = 0; i < threads->len; i++) {
        const af_runs_thread *from = thread_at(u->sides[s], g_array_index(threads, uint32_t, i));
        for (unsigned kind = 0; (from->clocks & both) == both && kind < AF_WAITS_ALL; kind++) {
            sums[kind] += from->waits[u->has_runnable && !from->lacks_runnable][kind];
        }
    }
    for (unsigned i = 0; i < AF_WAITS_ALL; i++) {
        sums[i] = af_scale_apply(&u->scale[s], af_time_of_sum(sums[i], AF_WAIT));
    }
}

/* ---- the paths that both sides have ---- */

static gboolean add_common(af_pair_builder *b, uint32_t before, uint32_t after, uint32_t parent)
{
    common_path *added = af_array_push(&b->common);
    if (added != NULL) {
        *added = (common_path){.at = {before, after}, .parent = parent};
        b->side[AF_BEFORE].common[before] = (uint32_t)b->common.n;
        b->side[AF_AFTER].common[after] = (uint32_t)b->common.n;
    }
    return added != NULL;
}

static gboolean match_children(af_pair_builder *b, uint32_t number)
{
    const af_pair_side *before = &b->side[AF_BEFORE], *after = &b->side[AF_AFTER];
    const common_path path = AF_ARRAY_AT(&b->common, common_path, number);
    const uint32_t mark = take_mark(b);
    gboolean ok = TRUE;
    for (uint32_t c = before->first_child[path.at[AF_BEFORE]]; c != 0;
         c = before->next_sibling[c]) {
        b->mark[before->name[c]] = mark;
        b->child[before->name[c]] = c;
    }
    for (uint32_t c = after->first_child[path.at[AF_AFTER]]; ok && c != 0;
         c = after->next_sibling[c]) {
        if (b->mark[after->name[c]] == mark) {
            ok = add_common(b, b->child[after->name[c]], c, number);
        }
    }
    return ok;
}

static gboolean match_sides(af_pair_builder *b)
{
    const uint64_t *before = b->side[AF_BEFORE].self, *after = b->side[AF_AFTER].self;
    b->common.n = 0;
    gboolean ok =
        b->side[AF_BEFORE].n == 0 || b->side[AF_AFTER].n == 0 || add_common(b, 0, 0, AF_NO_NODE);
    for (uint32_t i = 0; ok && i < b->common.n; i++) {
        ok = match_children(b, i);
    }
    common_path *paths = b->common.items;
    for (size_t i = b->common.n; ok && i-- > 1;) {
        paths[i].time += MIN(before[paths[i].at[AF_BEFORE]], after[paths[i].at[AF_AFTER]]);
        paths[paths[i].parent].time += paths[i].time;
    }
    return ok;
}

/* The columns are zeros in one block. FALSE if memory is refused. */
static gboolean allocate_tree(const af_pair_builder *b, af_diff_tree *tree, uint32_t n)
{
    const af_clock clock = b->shared->diff->clock;
    uint64_t **const sums[] = {&tree->common,
                               &tree->grown,
                               &tree->shrunk,
                               &tree->calls[AF_BEFORE],
                               &tree->calls[AF_AFTER],
                               &tree->self[AF_BEFORE][clock],
                               &tree->self[AF_AFTER][clock]};
    uint32_t **const links[] = {&tree->parent, &tree->label, &tree->depth};
    uint8_t **const bytes[] = {&tree->present[AF_BEFORE], &tree->present[AF_AFTER], &tree->status,
                               &tree->category};
    const size_t node = G_N_ELEMENTS(sums) * sizeof(uint64_t) +
                        G_N_ELEMENTS(links) * sizeof(uint32_t) + G_N_ELEMENTS(bytes);
    uint8_t *next = tree->columns = g_try_malloc0_n(n, node);
    for (unsigned i = 0; i < G_N_ELEMENTS(sums); i++, next += n * sizeof(uint64_t)) {
        *sums[i] = (uint64_t *)(void *)next;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(links); i++, next += n * sizeof(uint32_t)) {
        *links[i] = (uint32_t *)(void *)next;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(bytes); i++, next += n) {
        *bytes[i] = next;
    }
    return tree->columns != NULL;
}

/* The category of path `at` of a side, whose label is set. */
static uint8_t find_category(const af_pair_builder *b, const af_pair_side *side, uint32_t at)
{
    const af_diff_label *labels = b->shared->diff->labels;
    return at == 0 ? AF_CATEGORY_UNKNOWN
                   : (uint8_t)af_waits_refine(labels[side->name[at]].category, side->reason[at]);
}

static void add_node(const af_pair_builder *b, af_diff_tree *t, const due_path *path)
{
    const uint32_t i = t->n++;
    const unsigned last = path->at[AF_AFTER] != AF_NO_NODE ? AF_AFTER : AF_BEFORE;
    const uint32_t number = b->side[last].common[path->at[last]];
    uint64_t *const times[AF_SIDES] = {t->shrunk, t->grown};
    t->parent[i] = path->parent;
    t->label[i] = b->side[last].name[path->at[last]];
    t->category[i] = find_category(b, &b->side[last], path->at[last]);
    t->depth[i] = path->parent != AF_NO_NODE ? t->depth[path->parent] + 1 : 0;
    t->common[i] = number != 0 ? AF_ARRAY_AT(&b->common, common_path, number - 1).time : 0;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        const af_pair_side *side = &b->side[s];
        const uint32_t at = path->at[s];
        if (at == AF_NO_NODE) {
            continue;
        }
        times[s][i] = side->inclusive[at] - t->common[i];
        t->present[s][i] = 1;
        t->calls[s][i] = side->calls[at];
        t->self[s][b->shared->diff->clock][i] = at > 0 ? side->self[at] : 0;
        if (side->node != NULL) {
            side->node[at] = i;
        }
    }
}

/* The last sibling first: the least change, then the latest path. */
static int compare_due(const void *a, const void *b)
{
    const due_path *one = a, *other = b;
    if (one->change != other->change) {
        return one->change < other->change ? -1 : 1;
    }
    const unsigned s = one->at[AF_BEFORE] != other->at[AF_BEFORE] ? AF_BEFORE : AF_AFTER;
    return (one->at[s] < other->at[s]) - (one->at[s] > other->at[s]);
}

/* Puts the children that a side has on the stack: of before all, of after those that before lacks. */
static gboolean push_side(af_pair_builder *b, unsigned s, uint32_t at, uint32_t parent)
{
    const af_pair_side *side = &b->side[s], *other = &b->side[1 - s];
    gboolean ok = TRUE;
    for (uint32_t c = side->first_child[at]; ok && c != 0; c = side->next_sibling[c]) {
        const uint32_t number = side->common[c];
        due_path path = {side->inclusive[c], {AF_NO_NODE, AF_NO_NODE}, parent};
        path.at[s] = c;
        if (number != 0) {
            const common_path *common = &AF_ARRAY_AT(&b->common, common_path, number - 1);
            path.at[1 - s] = common->at[1 - s];
            path.change += other->inclusive[path.at[1 - s]] - 2 * common->time;
        }
        ok = (number != 0 && s == AF_AFTER) || af_array_append(&b->stack, &path);
    }
    return ok;
}

static gboolean push_children(af_pair_builder *b, const due_path *path, uint32_t node)
{
    const size_t begin = b->stack.n;
    gboolean ok = TRUE;
    for (unsigned s = 0; ok && s < AF_SIDES; s++) {
        ok = path->at[s] == AF_NO_NODE || push_side(b, s, path->at[s], node);
    }
    if (ok && b->stack.n - begin > 1) {
        qsort((due_path *)b->stack.items + begin, b->stack.n - begin, sizeof(due_path),
              compare_due);
    }
    return ok;
}

/* In preorder, siblings by size of change, then as they came. */
static gboolean fill_tree(af_pair_builder *b, af_diff_tree *tree)
{
    due_path path = {.parent = AF_NO_NODE};
    for (unsigned s = 0; s < AF_SIDES; s++) {
        path.at[s] = b->side[s].n > 0 ? 0 : AF_NO_NODE;
    }
    b->stack.n = 0;
    gboolean ok = af_array_append(&b->stack, &path);
    while (ok && b->stack.n > 0) {
        path = AF_ARRAY_AT(&b->stack, due_path, --b->stack.n);
        add_node(b, tree, &path);
        ok = push_children(b, &path, tree->n - 1);
    }
    return ok;
}

/* Tests of several runs need to know the node of each path of a thread. */
static void finish_nodes(const af_pair_builder *b, const GArray *threads, unsigned s,
                         uint32_t thread)
{
    for (guint i = 0; i < threads->len; i++) {
        const uint32_t number = g_array_index(threads, uint32_t, i);
        uint32_t **node_of = &b->shared->nodes->node_of[s][number];
        const uint32_t n = af_union_columns(b->shared->sides[s], number).n;
        b->shared->nodes->pair_of[s][number] = thread;
        for (uint32_t k = 0; b->side[s].node != NULL && k < n; k++) {
            (*node_of)[k] = b->side[s].node[(*node_of)[k]];
        }
        if (b->side[s].node == NULL) {
            g_clear_pointer(node_of, g_free);
        }
    }
}

gboolean af_pair_builder_run(af_pair_builder *b, const af_thread_pair *pair, uint32_t number)
{
    const af_union_state *u = b->shared;
    const gboolean tested =
        u->sides[AF_BEFORE]->use == AF_RUNS_TO_TEST || u->sides[AF_AFTER]->use == AF_RUNS_TO_TEST;
    af_diff_tree *tree = &u->diff->threads[number].tree;
    gboolean ok = take_side(b, pair->threads[AF_BEFORE], AF_BEFORE, tested) &&
                  take_side(b, pair->threads[AF_AFTER], AF_AFTER, tested);
    for (unsigned s = 0; (u->diff->clocks >> AF_WAIT & 1) != 0 && s < AF_SIDES; s++) {
        sum_waits(u, pair->threads[s], s, u->waits[number].time[s]);
    }
    ok = ok && match_sides(b);
    const size_t all = (size_t)b->side[AF_BEFORE].n + b->side[AF_AFTER].n;
    ok = ok && allocate_tree(b, tree, (uint32_t)(all - b->common.n)) && fill_tree(b, tree);
    for (unsigned s = 0; s < AF_SIDES; s++) {
        if (ok) {
            finish_nodes(b, pair->threads[s], s, number);
        }
        clear_side(&b->side[s]);
    }
    return ok;
}
