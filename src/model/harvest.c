/* The end of a trace: what is open is closed, and the rows become trees. */
#include <stdlib.h>
#include <string.h>

#include "base/wide.h"
#include "model/rebuild_state.h"

/* Android 16 builds of 2025 write wall times 1000 times too small. CPU time can never exceed wall
 * time in reality, so more than ten times as much gives them away. */
static gboolean is_thousandfold(const af_rebuild *r)
{
    af_u128 span[AF_CLOCKS] = {0, 0};
    if (r->ticks.clocks != (1u << AF_WALL | 1u << AF_CPU)) {
        return FALSE;
    }
    for (uint32_t i = 0; i < r->n_threads; i++) {
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            span[c] += r->threads[i].last[c] - r->threads[i].counts.first[c];
        }
    }
    const uint64_t least_ns = UINT64_C(10000000);
    return span[AF_CPU] > 10 * span[AF_WALL] && span[AF_CPU] * r->ticks.tick_ns > least_ns;
}

static void close_thread(af_rebuild *r, af_thread_state *t, gboolean exited)
{
    memcpy(t->counts.last, t->last, sizeof t->last);
    t->counts.open_at_end = t->depth;
    af_rhythm_add_group(&r->rhythm, t->group);
    if (!exited && r->has_wall) {
        r->rows.rows[af_rebuild_top(t)].self[AF_WALL] += r->counts.end_ticks - t->last[AF_WALL];
        t->last[AF_WALL] = r->counts.end_ticks;
    }
    while (t->depth > 0) {
        af_rebuild_pop(r, t);
    }
}

gboolean af_rebuild_finish(af_rebuild *r, const gboolean *exited, uint32_t n_threads)
{
    if (!af_rebuild_grow_threads(r, n_threads) || r->failed) {
        return FALSE;
    }
    uint64_t end = r->ticks.has_elapsed ? MIN(r->ticks.elapsed_ticks, r->largest_time) : 0;
    for (uint32_t i = 0; i < r->n_threads; i++) {
        end = MAX(end, r->threads[i].last[AF_WALL]);
    }
    r->counts.end_ticks = end;
    r->counts.thousandfold = is_thousandfold(r);
    for (uint32_t i = 0; i < n_threads; i++) {
        if (r->threads[i].root != AF_NO_ROW) {
            close_thread(r, &r->threads[i], exited[i]);
        }
    }
    r->counts.sampled = af_rhythm_is_sampled(&r->rhythm, r->counts.records);
    r->counts.interval_ticks = r->counts.sampled ? af_rhythm_interval(&r->rhythm) : 0;
    return TRUE;
}

const af_thread_counts *af_rebuild_thread(const af_rebuild *r, uint32_t thread)
{
    return &r->threads[thread].counts;
}

const af_trace_counts *af_rebuild_trace(const af_rebuild *r)
{
    return &r->counts;
}

gboolean af_rebuild_missed(const af_rebuild *r, uint32_t method)
{
    return g_hash_table_contains(r->missed, GUINT_TO_POINTER(method));
}

/* ---- trees ---- */

/* Numbers of rows in the walk that visits a node and then its children in order of their first
 * call, all threads one behind the other. */
typedef struct {
    const af_rebuild *r;
    uint32_t *roots;   /* rows that are or were roots: by thread, from the outermost inwards */
    uint32_t n_roots;
    uint32_t *sizes;   /* by row: the rows below and with it */
    uint32_t *numbers; /* by row */
    uint32_t *next;    /* by row: number of the next child */
} numbering;

/* Rows were made after their parents, but for roots that became calls. */
static gboolean find_roots(numbering *n)
{
    const af_rebuild *r = n->r;
    GArray *roots = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t i = 0; i < r->n_threads; i++) {
        const guint begin = roots->len;
        for (uint32_t row = r->threads[i].root == AF_NO_ROW ? AF_NO_ROW : r->threads[i].first_root;
             row != AF_NO_ROW; row = r->rows.parents[row]) {
            g_array_append_val(roots, row);
        }
        for (guint a = begin, b = roots->len; a + 1 < b; a++) {
            const uint32_t row = g_array_index(roots, uint32_t, a);
            b--;
            g_array_index(roots, uint32_t, a) = g_array_index(roots, uint32_t, b);
            g_array_index(roots, uint32_t, b) = row;
        }
    }
    n->n_roots = roots->len;
    n->roots = (uint32_t *)(void *)g_array_free(roots, FALSE);
    return TRUE;
}

static void place_row(const numbering *n, uint32_t row, uint32_t *base)
{
    const uint32_t parent = n->r->rows.parents[row];
    if (parent == AF_NO_ROW) {
        n->numbers[row] = *base;
        *base += n->sizes[row];
    } else {
        n->numbers[row] = n->next[parent];
        n->next[parent] += n->sizes[row];
    }
    n->next[row] = n->numbers[row] + 1;
}

#define NOT_PLACED UINT32_MAX

static void number_rows(numbering *n)
{
    const af_rows *rows = &n->r->rows;
    for (uint32_t i = 0; i < rows->n; i++) {
        n->sizes[i] = 1;
        n->numbers[i] = NOT_PLACED;
    }
    for (uint32_t i = 0; i < n->n_roots; i++) {
        n->numbers[n->roots[i]] = 0; /* marks them for the loop below */
    }
    for (uint32_t i = rows->n; i-- > 0;) {
        if (n->numbers[i] == NOT_PLACED) {
            n->sizes[rows->parents[i]] += n->sizes[i];
        }
    }
    for (uint32_t i = n->n_roots; i-- > 0;) {
        const uint32_t row = n->roots[i], parent = rows->parents[row];
        if (parent != AF_NO_ROW) {
            n->sizes[parent] += n->sizes[row];
        }
    }
    uint32_t base = 0;
    for (uint32_t i = 0; i < n->n_roots; i++) {
        place_row(n, n->roots[i], &base);
    }
    for (uint32_t i = 0; i < rows->n; i++) {
        if (n->numbers[i] == NOT_PLACED) {
            place_row(n, i, &base);
        }
    }
}

/* What a row says, at its place in the tree. */
static void fill_node(const af_rebuild *r, af_tree *tree, uint32_t node, uint32_t parent,
                      uint32_t row)
{
    const af_row *from = &r->rows.rows[row];
    const gboolean root = parent == AF_NO_NODE;
    tree->parent[node] = parent;
    tree->label[node] = root ? AF_NO_LABEL : from->method;
    tree->calls[node] = root ? 0 : af_rows_calls(&r->rows, row);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (tree->self[c] == NULL) {
            continue;
        }
        const uint64_t scale =
            (uint64_t)r->ticks.tick_ns * (c == AF_WALL && r->counts.thousandfold ? 1000 : 1);
        tree->self[c][node] = root ? 0 : from->self[c] * scale;
        tree->min[c][node] = root ? 0 : from->min[c] * scale;
        tree->max[c][node] = root ? 0 : from->max[c] * scale;
    }
}

typedef struct {
    af_tree *tree;
    uint32_t base; /* number of its node 0 */
} tree_at;

/* The tree that a number lies in; `trees` are in order of their bases. */
static const tree_at *find_tree(const tree_at *trees, uint32_t n, uint32_t number)
{
    uint32_t low = 0, high = n;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (trees[middle].base <= number) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &trees[low];
}

static void fill_trees(const numbering *n, const tree_at *trees, uint32_t n_trees)
{
    const af_rows *rows = &n->r->rows;
    const tree_at *at = trees;
    for (uint32_t row = 0; row < rows->n; row++) {
        const uint32_t number = n->numbers[row];
        if (number < at->base || number - at->base >= at->tree->n) {
            at = find_tree(trees, n_trees, number);
        }
        const uint32_t parent = rows->parents[row];
        fill_node(n->r, at->tree, number - at->base,
                  parent == AF_NO_ROW ? AF_NO_NODE : n->numbers[parent] - at->base, row);
    }
    GHashTableIter iter;
    gpointer row, unwinds;
    g_hash_table_iter_init(&iter, rows->unwinds);
    while (g_hash_table_iter_next(&iter, &row, &unwinds)) {
        const uint32_t number = n->numbers[GPOINTER_TO_UINT(row)];
        at = find_tree(trees, n_trees, number);
        at->tree->unwinds[number - at->base] = GPOINTER_TO_SIZE(unwinds);
    }
}

/* Threads without records have a tree with nothing but its root, which no row stands for. */
static gboolean make_trees(const numbering *n, af_tree **trees, uint32_t n_threads)
{
    const af_rebuild *r = n->r;
    tree_at *filled = g_new(tree_at, (size_t)n_threads + 1);
    uint32_t n_filled = 0;
    gboolean ok = TRUE;
    for (uint32_t i = 0; i < n_threads && ok; i++) {
        const uint32_t root = r->threads[i].root;
        trees[i] = af_tree_new(root == AF_NO_ROW ? 1 : n->sizes[root], r->ticks.clocks);
        ok = trees[i] != NULL;
        if (root != AF_NO_ROW) {
            filled[n_filled++] = (tree_at){trees[i], n->numbers[root]};
        }
    }
    if (ok && n_filled > 0) {
        fill_trees(n, filled, n_filled);
        for (uint32_t i = 0; i < n_filled; i++) {
            af_tree_sum(filled[i].tree);
        }
    }
    g_free(filled);
    return ok;
}

gboolean af_rebuild_trees(af_rebuild *r, af_tree **trees, uint32_t n_threads)
{
    const size_t n_rows = (size_t)r->rows.n + 1;
    memset(trees, 0, n_threads * sizeof *trees);
    af_rows_clear_index(&r->rows);
    numbering n = {.r = r,
                   .sizes = g_try_malloc_n(n_rows, sizeof(uint32_t)),
                   .numbers = g_try_malloc_n(n_rows, sizeof(uint32_t)),
                   .next = g_try_malloc_n(n_rows, sizeof(uint32_t))};
    gboolean ok = n.sizes != NULL && n.numbers != NULL && n.next != NULL && find_roots(&n);
    if (ok) {
        number_rows(&n);
        g_clear_pointer(&n.next, g_free);
        ok = make_trees(&n, trees, n_threads);
    }
    for (uint32_t i = 0; !ok && i < n_threads; i++) {
        g_clear_pointer(&trees[i], af_tree_free);
    }
    g_free(n.roots);
    g_free(n.sizes);
    g_free(n.numbers);
    g_free(n.next);
    return ok;
}
