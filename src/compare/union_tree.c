#include "compare/union_tree.h"

#include <string.h>

#include "base/wide.h"
#include "base/workers.h"
#include "model/wait_widths.h"
#include "model/waits.h"

uint64_t af_scale_apply(const af_scale *scale, uint64_t sum)
{
    if (scale->times == scale->over) {
        return sum;
    }
    const af_u128 scaled = ((af_u128)sum * scale->times + scale->over / 2) / scale->over;
    return scaled > UINT64_MAX ? UINT64_MAX : (uint64_t)scaled;
}

uint64_t af_union_total(const af_runs *runs, af_clock clock)
{
    uint64_t sum = 0;
    for (guint t = 0; t < runs->threads->len; t++) {
        const af_runs_thread *from = runs->threads->pdata[t];
        for (uint32_t n = 1; n < from->sums.n; n++) {
            sum += af_path_self(&AF_ARRAY_AT(&from->sums, af_path_sums, n), from->clocks, clock);
        }
    }
    return af_time_of_sum(sum, clock);
}

typedef struct {
    const af_runs *const *sides;
    const GPtrArray *pairs;
    const af_pairing_labels *labels;
    const af_scale *scale;
    af_union_nodes *nodes;
    af_diff *diff;
    gint failed; /* atomic */
} building;

static uint32_t thread_number(const building *u, uint32_t pair, unsigned side, guint i)
{
    const af_thread_pair *of = u->pairs->pdata[pair];
    return g_array_index(of->threads[side], uint32_t, i);
}

static guint count_threads(const building *u, uint32_t pair, unsigned side)
{
    return ((const af_thread_pair *)u->pairs->pdata[pair])->threads[side]->len;
}

static const af_runs_thread *thread_at(const building *u, uint32_t pair, unsigned side, guint i)
{
    return u->sides[side]->threads->pdata[thread_number(u, pair, side, i)];
}

/* ---- the paths of a pair, in the order in which they come: of before, then of after ---- */

static gboolean join_paths(const building *u, uint32_t pair, af_paths *paths)
{
    gboolean ok = af_paths_init(paths);
    for (unsigned s = 0; s < AF_SIDES; s++) {
        for (guint i = 0; ok && i < count_threads(u, pair, s); i++) {
            const af_paths *from = &thread_at(u, pair, s, i)->paths;
            const af_paths_source source = {.n = from->n,
                                            .parent = af_paths_parents(from),
                                            .label = af_paths_names(from),
                                            .name_of = u->labels->label_of[s],
                                            .n_names = (uint32_t)u->labels->labels.n};
            uint32_t *node_of = g_try_new(uint32_t, from->n);
            u->nodes->node_of[s][thread_number(u, pair, s, i)] = node_of;
            ok = node_of != NULL && af_paths_add(paths, &source, node_of);
        }
    }
    return ok;
}

/* The columns are zeros in one block. FALSE if memory is refused. */
static gboolean allocate_tree(af_diff_tree *tree, af_clock clock, uint32_t n)
{
    uint64_t **const sums[] = {&tree->width,
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
    tree->n = tree->columns != NULL ? n : 0;
    return tree->columns != NULL;
}

/* Adds the numbers of a thread to those of its paths. */
static void add_thread(const building *u, af_diff_tree *tree, const af_runs_thread *from,
                       const uint32_t *node_of, unsigned s)
{
    const af_clock clock = u->diff->clock;
    uint64_t *self = tree->self[s][clock], *calls = tree->calls[s];
    tree->present[s][0] = 1;
    for (uint32_t i = 1; i < from->paths.n; i++) {
        const af_path_sums *sums = &AF_ARRAY_AT(&from->sums, af_path_sums, i);
        const uint32_t n = node_of[i];
        tree->present[s][n] = 1;
        calls[n] += sums->calls;
        self[n] += af_path_self(sums, from->clocks, clock);
        tree->category[n] = AF_ARRAY_AT(&from->reason, uint8_t, i); /* see fill_tree() */
    }
}

static void scale_sums(uint64_t *sums, uint32_t n, const af_scale *scale)
{
    for (uint32_t i = 0; scale->times != scale->over && i < n; i++) {
        sums[i] = af_scale_apply(scale, sums[i]);
    }
}

/* Scales the sums of a side and adds up its inclusive times. FALSE if memory is refused. */
static gboolean finish_side(const building *u, af_diff_tree *tree, unsigned s)
{
    uint64_t *self = tree->self[s][u->diff->clock],
             *whole = s == AF_AFTER ? tree->grown : tree->shrunk;
    if (u->diff->clock == AF_WAIT && !af_wait_widths_compute(tree->n, tree->parent, self, whole)) {
        return FALSE;
    }
    /* calls are not scaled by --normalize, only divided by the number of runs */
    const af_scale mean = {1, MAX(u->diff->side[s].n_runs, 1)};
    scale_sums(tree->calls[s], tree->n, &mean);
    scale_sums(self, tree->n, &u->scale[s]);
    self[0] = 0;
    memcpy(whole, self, tree->n * sizeof *whole);
    for (uint32_t i = tree->n - 1; i > 0; i--) {
        whole[tree->parent[i]] += whole[i];
    }
    return TRUE;
}

/* Adds up the widths, and replaces the inclusive times by what only their side took. */
static void split_times(const building *u, af_diff_tree *tree)
{
    const uint64_t *before = tree->self[AF_BEFORE][u->diff->clock];
    const uint64_t *after = tree->self[AF_AFTER][u->diff->clock];
    for (uint32_t i = tree->n - 1; i > 0; i--) {
        tree->width[i] += MAX(before[i], after[i]);
        tree->width[tree->parent[i]] += tree->width[i];
    }
    for (uint32_t i = 0; i < tree->n; i++) {
        const uint64_t whole_before = tree->shrunk[i];
        tree->shrunk[i] = tree->width[i] - tree->grown[i];
        tree->grown[i] = tree->width[i] - whole_before;
    }
}

static gboolean fill_tree(const building *u, uint32_t pair, const af_paths *paths,
                          af_diff_tree *tree)
{
    if (!allocate_tree(tree, u->diff->clock, paths->n)) {
        return FALSE;
    }
    memcpy(tree->parent, af_paths_parents(paths), tree->n * sizeof *tree->parent);
    memcpy(tree->label, af_paths_names(paths), tree->n * sizeof *tree->label);
    for (unsigned s = 0; s < AF_SIDES; s++) {
        for (guint i = 0; i < count_threads(u, pair, s); i++) {
            add_thread(u, tree, thread_at(u, pair, s, i),
                       u->nodes->node_of[s][thread_number(u, pair, s, i)], s);
        }
    }
    if (!finish_side(u, tree, AF_BEFORE) || !finish_side(u, tree, AF_AFTER)) {
        return FALSE;
    }
    split_times(u, tree);
    tree->category[0] = AF_CATEGORY_UNKNOWN;
    for (uint32_t i = 1; i < tree->n; i++) {
        tree->category[i] =
            (uint8_t)af_waits_refine(u->diff->labels[tree->label[i]].category, tree->category[i]);
    }
    return TRUE;
}

/* ---- in preorder, siblings by size of change, then as they came ---- */

/* `size` is that of a number, 1, 4 or 8; `spare` holds a column. */
static void sort_column(void *column, size_t size, const uint32_t *order, uint32_t n, void *spare)
{
    for (uint32_t i = 0; i < n; i++) {
        if (size == sizeof(uint64_t)) {
            ((uint64_t *)spare)[i] = ((const uint64_t *)column)[order[i]];
        } else if (size == sizeof(uint32_t)) {
            ((uint32_t *)spare)[i] = ((const uint32_t *)column)[order[i]];
        } else {
            ((uint8_t *)spare)[i] = ((const uint8_t *)column)[order[i]];
        }
    }
    memcpy(column, spare, n * size);
}

static void sort_columns(af_diff_tree *tree, af_clock clock, const uint32_t *order,
                         const uint32_t *index, void *spare)
{
    uint64_t *const sums[] = {tree->width, tree->grown, tree->shrunk};
    for (unsigned i = 0; i < G_N_ELEMENTS(sums); i++) {
        sort_column(sums[i], sizeof(uint64_t), order, tree->n, spare);
    }
    for (unsigned s = 0; s < AF_SIDES; s++) {
        sort_column(tree->calls[s], sizeof(uint64_t), order, tree->n, spare);
        sort_column(tree->self[s][clock], sizeof(uint64_t), order, tree->n, spare);
        sort_column(tree->present[s], 1, order, tree->n, spare);
    }
    sort_column(tree->parent, sizeof(uint32_t), order, tree->n, spare);
    sort_column(tree->label, sizeof(uint32_t), order, tree->n, spare);
    sort_column(tree->category, 1, order, tree->n, spare);
    for (uint32_t i = 1; i < tree->n; i++) {
        tree->parent[i] = index[tree->parent[i]];
        tree->depth[i] = tree->depth[tree->parent[i]] + 1;
    }
}

/* Tests of several runs need to know the node of each path of a thread. */
static void finish_nodes(const building *u, uint32_t pair, const uint32_t *index)
{
    const gboolean tested =
        u->sides[AF_BEFORE]->use == AF_RUNS_TO_TEST || u->sides[AF_AFTER]->use == AF_RUNS_TO_TEST;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        for (guint i = 0; i < count_threads(u, pair, s); i++) {
            const uint32_t number = thread_number(u, pair, s, i);
            uint32_t **node_of = &u->nodes->node_of[s][number];
            const uint32_t n = thread_at(u, pair, s, i)->paths.n;
            u->nodes->pair_of[s][number] = pair;
            for (uint32_t k = 0; tested && k < n; k++) {
                (*node_of)[k] = index[(*node_of)[k]];
            }
            if (!tested) {
                g_clear_pointer(node_of, g_free);
            }
        }
    }
}

static gboolean sort_tree(const building *u, uint32_t pair, const af_paths *paths,
                          af_diff_tree *tree)
{
    g_autofree uint64_t *changes = g_try_new(uint64_t, tree->n);
    g_autofree uint32_t *order = g_try_new(uint32_t, tree->n);
    g_autofree uint32_t *index = g_try_new(uint32_t, tree->n);
    gboolean ok = changes != NULL && order != NULL && index != NULL;
    for (uint32_t i = 0; ok && i < tree->n; i++) {
        changes[i] = tree->grown[i] + tree->shrunk[i];
    }
    ok = ok && af_paths_order(paths, changes, order);
    for (uint32_t i = 0; ok && i < tree->n; i++) {
        index[order[i]] = i;
    }
    if (ok) {
        sort_columns(tree, u->diff->clock, order, index, changes);
        finish_nodes(u, pair, index);
    }
    return ok;
}

static void build_pair(void *user, unsigned pair)
{
    building *u = user;
    af_diff_tree *tree = &u->diff->threads[pair].tree;
    af_paths paths;
    const gboolean ok = join_paths(u, pair, &paths) && fill_tree(u, pair, &paths, tree) &&
                        sort_tree(u, pair, &paths, tree);
    af_paths_clear(&paths);
    g_atomic_int_add(&u->failed, !ok);
}

/* ---- all pairs ---- */

/* The names of the threads of a side, separated by commas. */
static const char *join_names(const building *u, uint32_t pair, unsigned s)
{
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = 0; i < count_threads(u, pair, s); i++) {
        g_string_append(names, i > 0 ? ", " : "");
        g_string_append(names, thread_at(u, pair, s, i)->name);
    }
    return af_arena_copy(u->diff->arena, names->str, names->len);
}

static void name_pair(const building *u, uint32_t pair)
{
    af_diff_thread *to = &u->diff->threads[pair];
    *to = (af_diff_thread){.title = ((const af_thread_pair *)u->pairs->pdata[pair])->title};
    for (unsigned s = 0; s < AF_SIDES; s++) {
        for (guint i = 0; i < count_threads(u, pair, s); i++) {
            const af_runs_thread *thread = thread_at(u, pair, s, i);
            to->threads[s] += thread->threads;
            to->uncounted = to->uncounted || thread->sampled;
        }
        to->name[s] = count_threads(u, pair, s) > 0 ? join_names(u, pair, s) : NULL;
    }
}

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

static gboolean records_runnable(const af_runs *runs)
{
    gboolean any = FALSE;
    for (guint t = 0; t < runs->threads->len && !any; t++) {
        any = !((const af_runs_thread *)runs->threads->pdata[t])->lacks_runnable;
    }
    return any;
}

/* Adds the scaled waiting of a side of a pair by reason. */
static void add_waits(const building *u, uint32_t pair, unsigned s, gboolean has_runnable)
{
    for (unsigned kind = 0; kind < AF_WAITS_ALL; kind++) {
        uint64_t sum = 0;
        for (guint i = 0; i < count_threads(u, pair, s); i++) {
            const af_runs_thread *from = thread_at(u, pair, s, i);
            sum += (from->clocks & AF_BOTH_CLOCKS) == AF_BOTH_CLOCKS
                       ? from->waits[has_runnable && !from->lacks_runnable][kind]
                       : 0;
        }
        u->diff->waits[s][kind] += af_scale_apply(&u->scale[s], af_time_of_sum(sum, AF_WAIT));
    }
}

/* FALSE if memory is refused. */
static gboolean sum_waits(const building *u)
{
    af_diff *diff = u->diff;
    const gboolean known = (diff->clocks >> AF_WAIT & 1) != 0;
    const gboolean has_runnable =
        records_runnable(u->sides[AF_BEFORE]) && records_runnable(u->sides[AF_AFTER]);
    for (unsigned s = 0; s < AF_SIDES; s++) {
        diff->waits[s] = af_arena_alloc(diff->arena, sizeof(uint64_t) * AF_WAITS_ALL);
        if (diff->waits[s] == NULL) {
            return FALSE;
        }
        memset(diff->waits[s], 0, sizeof(uint64_t) * AF_WAITS_ALL);
        for (uint32_t i = 0; known && i < diff->n_threads; i++) {
            add_waits(u, i, s, has_runnable);
        }
    }
    return TRUE;
}

/* Fewer nodes are not worth a thread. */
#define LEAST_NODES (UINT32_C(1) << 14)

static unsigned count_jobs(const af_runs *const sides[AF_SIDES], unsigned jobs)
{
    uint64_t all = 0;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        for (guint t = 0; t < sides[s]->threads->len; t++) {
            all += ((const af_runs_thread *)sides[s]->threads->pdata[t])->paths.n;
        }
    }
    return (unsigned)CLAMP(all / LEAST_NODES, 1, af_workers_count(jobs));
}

gboolean af_union_build(af_diff *diff, const af_runs *const sides[AF_SIDES], GPtrArray *pairs,
                        const af_pairing_labels *labels, const af_scale scale[AF_SIDES],
                        unsigned jobs, af_union_nodes *nodes)
{
    building u = {.sides = sides,
                  .pairs = pairs,
                  .labels = labels,
                  .scale = scale,
                  .nodes = nodes,
                  .diff = diff};
    diff->threads = af_arena_alloc(diff->arena, sizeof(af_diff_thread) * (pairs->len + 1));
    diff->n_threads = diff->threads != NULL ? pairs->len : 0;
    for (uint32_t i = 0; i < diff->n_threads; i++) {
        name_pair(&u, i);
    }
    if (diff->threads == NULL || !begin_nodes(nodes, sides)) {
        return FALSE;
    }
    af_workers_run(diff->n_threads, count_jobs(sides, jobs), build_pair, &u);
    return u.failed == 0 && sum_waits(&u);
}
