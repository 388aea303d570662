#include "compare/union_pair.h"

#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
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

enum {
    WIDE = 2 * AF_SIDES + 3, /* calls and self times of the sides; common, grown, shrunk */
    LINKS = 3,               /* parent, label, depth */
    BYTES = AF_SIDES + 2,    /* present, status, category */
};

size_t af_union_pair_bytes(uint32_t n_nodes)
{
    const size_t node = WIDE * sizeof(uint64_t) + LINKS * sizeof(uint32_t) + BYTES;
    const size_t bytes = n_nodes * node;
    return (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
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

/* One that only one side has, as everything below it. */
typedef struct {
    uint64_t time;
    uint32_t at, parent;
} lone_path;

gboolean af_pair_builder_init(af_pair_builder *b, const af_union_state *shared, uint32_t most)
{
    const size_t n = (size_t)most + 1; /* both sides have the thread itself */
    *b = (af_pair_builder){.shared = shared,
                           .block_size =
                               n * (sizeof(uint64_t) + 4 * sizeof(uint32_t) + sizeof(lone_path))};
    af_array_init(&b->common, sizeof(common_path));
    af_array_init(&b->stack, sizeof(due_path));
    b->mark = g_try_new0(uint32_t, shared->labels->labels.n + 1);
    b->child = g_try_new(uint32_t, shared->labels->labels.n + 1);
    b->block = af_pages_alloc(b->block_size);
    if (b->mark == NULL || b->child == NULL || b->block == NULL) {
        return FALSE;
    }
    b->inclusive = b->block;
    b->name = (uint32_t *)(void *)(b->inclusive + n);
    b->first_child = b->name + n;
    b->next_sibling = b->first_child + n;
    b->common_of = b->next_sibling + n;
    b->lone = b->common_of + n;
    return TRUE;
}

void af_pair_builder_clear(af_pair_builder *b)
{
    af_array_clear(&b->common);
    af_array_clear(&b->stack);
    g_free(b->mark);
    g_free(b->child);
    af_pages_free(b->block, b->block_size);
}

/* Returns a number from which on `n` numbers are in no item of `mark`. */
static uint32_t take_marks(af_pair_builder *b, uint32_t n)
{
    if (b->n_marks > UINT32_MAX - n) {
        memset(b->mark, 0, (b->shared->labels->labels.n + 1) * sizeof *b->mark);
        b->n_marks = 0;
    }
    b->n_marks += n;
    return b->n_marks - n + 1;
}

/* ---- a side of a single thread ---- */

static const uint32_t *names_of(const af_union_state *u, unsigned s, uint32_t number)
{
    return thread_at(u->sides[s], number)->borrowed != NULL ? u->borrowed_labels[s]
                                                            : u->labels->label_of[s];
}

/* Whether no two children of a path have one name. */
static gboolean has_unique_names(af_pair_builder *b, const af_pair_side *side)
{
    const uint32_t *first = side->first_child, *next = side->next_sibling, *name = side->name;
    const uint32_t marks = take_marks(b, side->n);
    uint32_t *mark = b->mark;
    for (uint32_t i = 0; i < side->n; i++) {
        uint32_t c = first[i];
        if (c == 0 || next[c] == 0) {
            continue;
        }
        for (; c != 0; c = next[c]) {
            if (mark[name[c]] == marks + i) {
                return FALSE;
            }
            mark[name[c]] = marks + i;
        }
    }
    return TRUE;
}

/* FALSE if two of its nodes are one path. */
static gboolean take_thread(af_pair_builder *b, unsigned s, uint32_t number, size_t begin)
{
    const af_runs_columns from = af_union_columns(b->shared->sides[s], number);
    const uint32_t *names = names_of(b->shared, s, number);
    uint32_t *name = b->name + begin, *first = b->first_child + begin;
    uint32_t *next = b->next_sibling + begin;
    memset(first, 0, from.n * sizeof *first);
    name[0] = AF_NO_LABEL;
    for (uint32_t i = from.n - 1; i > 0; i--) {
        const uint32_t above = from.parent[i];
        name[i] = names[from.label[i]];
        next[i] = first[above];
        first[above] = i;
    }
    b->side[s] = (af_pair_side){.n = from.n,
                                .parent = from.parent,
                                .name = name,
                                .first_child = first,
                                .next_sibling = next,
                                .calls = from.calls,
                                .self = from.self[b->shared->diff->clock],
                                .reason = from.reason};
    return has_unique_names(b, &b->side[s]);
}

/* ---- a side of several threads, or of several runs ---- */

/* WHOLE is used for a while only. */
enum { CALLS, SELF, WHOLE, COLUMNS };

static void scale_sums(uint64_t *sums, uint32_t n, const af_scale *scale)
{
    for (uint32_t i = 0; scale->times != scale->over && i < n; i++) {
        sums[i] = af_scale_apply(scale, sums[i]);
    }
}

static gboolean sum_threads(af_pair_builder *b, const GArray *threads, unsigned s)
{
    const af_union_state *u = b->shared;
    af_pair_side *side = &b->side[s];
    *side = (af_pair_side){.n = 0};
    gboolean ok = af_paths_init(&side->paths);
    for (guint i = 0; ok && i < threads->len; i++) {
        const uint32_t number = g_array_index(threads, uint32_t, i);
        const af_runs_columns from = af_union_columns(b->shared->sides[s], number);
        const af_paths_source source = {
            .n = from.n,
            .parent = from.parent,
            .label = from.label,
            .name_of = names_of(b->shared, s, number),
            .n_names = (uint32_t)b->shared->labels->labels.n,
        };
        uint32_t *path_of = g_try_new(uint32_t, from.n);
        b->shared->nodes->node_of[s][number] = path_of;
        ok = path_of != NULL && af_paths_add(&b->side[s].paths, &source, path_of);
    }
    side->sums = ok ? g_try_new0(uint64_t, COLUMNS * (size_t)side->paths.n) : NULL;
    side->reasons = ok ? g_try_malloc(side->paths.n) : NULL;
    if (side->sums == NULL || side->reasons == NULL) {
        return FALSE;
    }
    side->n = side->paths.n;
    uint64_t *columns[COLUMNS];
    for (unsigned i = 0; i < COLUMNS; i++) {
        columns[i] = side->sums + i * (size_t)side->n;
    }
    for (guint i = 0; i < threads->len; i++) {
        /* Adds the numbers of a thread to the columns of a side. */
        const uint32_t number = g_array_index(threads, uint32_t, i);
        const af_runs_columns from = af_union_columns(b->shared->sides[s], number);
        const uint32_t *path_of = b->shared->nodes->node_of[s][number];
        for (uint32_t n = 0; n < from.n; n++) {
            side->reasons[path_of[n]] = from.reason[n];
            columns[CALLS][path_of[n]] += from.calls[n];
            columns[SELF][path_of[n]] +=
                n > 0 ? af_union_self(&from, n, (unsigned)b->shared->diff->clock) : 0;
        }
    }
    side->parent = af_paths_parents(&side->paths);
    if (u->diff->clock == AF_WAIT &&
        !af_wait_widths_compute(side->n, side->parent, columns[SELF], columns[WHOLE])) {
        return FALSE;
    }
    /* calls are not scaled by --normalize, only divided by the number of runs */
    const af_scale mean = {1, MAX(u->diff->side[s].n_runs, 1)};
    scale_sums(columns[CALLS], side->n, &mean);
    scale_sums(columns[SELF], side->n, &u->scale[s]);
    side->name = af_paths_names(&side->paths);
    side->first_child = side->paths.first_child.items;
    side->next_sibling = side->paths.next_sibling.items;
    side->calls = columns[CALLS];
    side->self = columns[SELF];
    side->reason = side->reasons;
    return TRUE;
}

/* Takes the paths of a side, which begin at `begin` in the columns of the builder. FALSE if memory is
 * refused. */
static gboolean take_side(af_pair_builder *b, const GArray *threads, unsigned s, size_t begin,
                          gboolean tested)
{
    af_pair_side *side = &b->side[s];
    *side = (af_pair_side){.n = 0};
    if (threads->len == 0) {
        return TRUE;
    }
    /* Numbers that need no sums. */
    const gboolean single = threads->len == 1 && !tested &&
                            (b->shared->diff->clock != AF_WAIT &&
                             b->shared->scale[s].times == b->shared->scale[s].over &&
                             b->shared->diff->side[s].n_runs <= 1) &&
                            take_thread(b, s, g_array_index(threads, uint32_t, 0), begin);
    if (!single && !sum_threads(b, threads, s)) {
        return FALSE;
    }
    side->inclusive = b->inclusive + begin;
    side->common = b->common_of + begin;
    memset(side->common, 0, side->n * sizeof *side->common);
    uint64_t *inclusive = side->inclusive;
    if (side->self != NULL) {
        memcpy(inclusive, side->self, side->n * sizeof *inclusive);
    } else {
        memset(inclusive, 0, side->n * sizeof *inclusive);
    }
    inclusive[0] = 0;
    for (uint32_t i = side->n - 1; i > 0; i--) {
        inclusive[side->parent[i]] += inclusive[i];
    }
    side->node = tested ? g_try_new(uint32_t, side->n) : NULL;
    return !tested || side->node != NULL;
}

static inline uint64_t scale_sum(const af_scale *scale, uint64_t sum)
{
    return scale->times == scale->over ? sum : af_scale_apply(scale, sum);
}

/* Adds up the waiting by reason, and scales the sums. */
static void sum_waits(const af_union_state *u, const GArray *threads, unsigned s,
                      uint64_t sums[AF_WAITS_ALL])
{
    const unsigned both = 1u << AF_WALL | 1u << AF_CPU;
    for (guint i = 0; i < threads->len; i++) {
        const af_runs_thread *from = thread_at(u->sides[s], g_array_index(threads, uint32_t, i));
        if (from->borrowed != NULL) {
            af_waits_add(from->borrowed, u->has_runnable, sums);
        }
        for (unsigned kind = 0; (from->clocks & both) == both && kind < AF_WAITS_ALL; kind++) {
            sums[kind] += from->waits[u->has_runnable && !from->lacks_runnable][kind];
        }
    }
    for (unsigned i = 0; i < AF_WAITS_ALL; i++) {
        sums[i] = scale_sum(&u->scale[s], af_time_of_sum(sums[i], AF_WAIT));
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
    const uint32_t mark = take_marks(b, 1);
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
    for (size_t i = b->common.n; ok && before != NULL && after != NULL && i-- > 1;) {
        paths[i].time += MIN(before[paths[i].at[AF_BEFORE]], after[paths[i].at[AF_AFTER]]);
        paths[paths[i].parent].time += paths[i].time;
    }
    return ok;
}

/* The next column of zeros. */
static void *take_column(af_pair_builder *b, size_t n, size_t size)
{
    void *column = b->next_column;
    b->next_column += n * size;
    return column;
}

static void allocate_tree(af_pair_builder *b, af_diff_tree *tree, uint32_t n)
{
    const af_clock clock = b->shared->diff->clock;
    uint64_t **const sums[WIDE] = {&tree->common,
                                   &tree->grown,
                                   &tree->shrunk,
                                   &tree->calls[AF_BEFORE],
                                   &tree->calls[AF_AFTER],
                                   &tree->self[AF_BEFORE][clock],
                                   &tree->self[AF_AFTER][clock]};
    uint32_t **const links[LINKS] = {&tree->parent, &tree->label, &tree->depth};
    uint8_t **const bytes[BYTES] = {&tree->present[AF_BEFORE], &tree->present[AF_AFTER],
                                    &tree->status, &tree->category};
    /* The columns of all pairs follow each other, so that they touch as few pages as possible. */
    b->next_column = (char *)b->shared->diff->columns +
                     g_atomic_pointer_add(b->shared->columns_taken, af_union_pair_bytes(n));
    for (unsigned i = 0; i < WIDE; i++) {
        *sums[i] = take_column(b, n, sizeof(uint64_t));
    }
    for (unsigned i = 0; i < LINKS; i++) {
        *links[i] = take_column(b, n, sizeof(uint32_t));
    }
    for (unsigned i = 0; i < BYTES; i++) {
        *bytes[i] = take_column(b, n, 1);
    }
}

/* Up to this many siblings are sorted as they come. */
#define FEW 12u

static int compare_lone(const void *a, const void *b)
{
    const lone_path *one = a, *other = b;
    return one->time != other->time ? (one->time < other->time ? -1 : 1)
                                    : (one->at < other->at) - (one->at > other->at);
}

/* The category of path `at` of a side, whose label is set. */
static uint8_t find_category(const af_pair_builder *b, const af_pair_side *side, uint32_t at)
{
    const af_diff_label *labels = b->shared->diff->labels;
    return at == 0 ? AF_CATEGORY_UNKNOWN
                   : (uint8_t)af_waits_refine(labels[side->name[at]].category, side->reason[at]);
}

/* Appends the paths from `path` down. */
static void add_lone(const af_pair_builder *b, af_diff_tree *tree, unsigned s, lone_path path)
{
    const af_pair_side side = b->side[s];
    const af_diff_tree t = *tree;
    uint64_t *const times = s == AF_BEFORE ? t.shrunk : t.grown, *const calls = t.calls[s];
    uint64_t *const self = side.self != NULL ? t.self[s][b->shared->diff->clock] : NULL;
    lone_path *const stack = b->lone; /* the next one last */
    uint32_t n = t.n;
    size_t height = 0;
    stack[height++] = path;
    while (height > 0) {
        path = stack[--height];
        const uint32_t at = path.at, i = n++;
        t.parent[i] = path.parent;
        t.label[i] = side.name[at];
        t.category[i] = find_category(b, &side, at);
        t.depth[i] = path.parent != AF_NO_NODE ? t.depth[path.parent] + 1 : 0;
        t.present[s][i] = 1;
        times[i] = path.time;
        calls[i] = side.calls[at];
        if (self != NULL && at > 0) {
            self[i] = side.self[at];
        }
        if (side.node != NULL) {
            side.node[at] = i;
        }
        const size_t begin = height;
        for (uint32_t c = side.first_child[at]; c != 0; c = side.next_sibling[c]) {
            const uint64_t time = side.inclusive[c];
            size_t k = height++;
            for (; k > begin && height - begin <= FEW && stack[k - 1].time >= time; k--) {
                stack[k] = stack[k - 1];
            }
            stack[k] = (lone_path){time, c, i};
        }
        if (height - begin > FEW) {
            qsort(stack + begin, height - begin, sizeof *stack, compare_lone);
        }
    }
    tree->n = n;
}

/* Appends a path that both sides have. */
static void add_common_node(const af_pair_builder *b, af_diff_tree *t, const due_path *path)
{
    const uint32_t i = t->n++, number = b->side[AF_BEFORE].common[path->at[AF_BEFORE]];
    const uint64_t common = AF_ARRAY_AT(&b->common, common_path, number - 1).time;
    uint64_t *const times[AF_SIDES] = {t->shrunk, t->grown};
    t->parent[i] = path->parent;
    t->label[i] = b->side[AF_BEFORE].name[path->at[AF_BEFORE]];
    t->category[i] = find_category(b, &b->side[AF_AFTER], path->at[AF_AFTER]);
    t->depth[i] = path->parent != AF_NO_NODE ? t->depth[path->parent] + 1 : 0;
    t->common[i] = common;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        const af_pair_side *side = &b->side[s];
        const uint32_t at = path->at[s];
        times[s][i] = side->inclusive[at] - common;
        t->present[s][i] = 1;
        t->calls[s][i] = side->calls[at];
        if (side->self != NULL && at > 0) {
            t->self[s][b->shared->diff->clock][i] = side->self[at];
        }
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

/* Adds the path to those of the stack from `begin` on, which are sorted as long as they are few. */
static gboolean push_path(af_pair_builder *b, size_t begin, const due_path *path)
{
    if (af_array_push(&b->stack) == NULL) {
        return FALSE;
    }
    due_path *siblings = (due_path *)b->stack.items + begin;
    const size_t n = b->stack.n - begin;
    size_t at = n - 1;
    for (; at > 0 && n <= FEW && siblings[at - 1].change >= path->change; at--) {
        siblings[at] = siblings[at - 1];
    }
    siblings[at] = *path;
    return TRUE;
}

/* Puts the children that a side has on the stack: of before all, of after those that before lacks. */
static gboolean push_side(af_pair_builder *b, unsigned s, uint32_t at, uint32_t parent,
                          size_t begin)
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
        ok = (number != 0 && s == AF_AFTER) || push_path(b, begin, &path);
    }
    return ok;
}

static gboolean push_children(af_pair_builder *b, const due_path *path, uint32_t node)
{
    const size_t begin = b->stack.n;
    const gboolean ok = push_side(b, AF_BEFORE, path->at[AF_BEFORE], node, begin) &&
                        push_side(b, AF_AFTER, path->at[AF_AFTER], node, begin);
    if (ok && b->stack.n - begin > FEW) {
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
        path.change = b->side[s].n > 0 ? b->side[s].inclusive[0] : path.change;
    }
    b->stack.n = 0;
    gboolean ok = push_path(b, 0, &path);
    while (ok && b->stack.n > 0) {
        path = AF_ARRAY_AT(&b->stack, due_path, --b->stack.n);
        if (path.at[AF_BEFORE] != AF_NO_NODE && path.at[AF_AFTER] != AF_NO_NODE) {
            add_common_node(b, tree, &path);
            ok = push_children(b, &path, tree->n - 1);
        } else {
            const unsigned s = path.at[AF_BEFORE] != AF_NO_NODE ? AF_BEFORE : AF_AFTER;
            add_lone(b, tree, s, (lone_path){path.change, path.at[s], path.parent});
        }
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
    gboolean ok = take_side(b, pair->threads[AF_BEFORE], AF_BEFORE, 0, tested) &&
                  take_side(b, pair->threads[AF_AFTER], AF_AFTER, b->side[AF_BEFORE].n, tested);
    for (unsigned s = 0; (u->diff->clocks >> AF_WAIT & 1) != 0 && s < AF_SIDES; s++) {
        sum_waits(u, pair->threads[s], s, u->waits[number].time[s]);
    }
    ok = ok && match_sides(b);
    if (ok) {
        const size_t both = b->common.n, all = (size_t)b->side[0].n + b->side[1].n;
        allocate_tree(b, tree, (uint32_t)(all - both));
        ok = fill_tree(b, tree);
    }
    for (unsigned s = 0; s < AF_SIDES; s++) {
        if (ok) {
            finish_nodes(b, pair->threads[s], s, number);
        }
        af_pair_side *side = &b->side[s];
        g_free(side->node);
        g_free(side->sums);
        g_free(side->reasons);
        af_paths_clear(&side->paths);
        *side = (af_pair_side){.n = 0};
    }
    return ok;
}
