/* Closes open calls at the end of a trace and turns rows into trees. */
#include <stdlib.h>
#include <string.h>

#include "base/wide.h"
#include "build/rebuild_state.h"

/* Android 16 builds of 2025 write wall times 1000 times too small. Real CPU time never exceeds wall
 * time, so more than ten times as much proves this bug. */
static gboolean is_thousandfold(const af_rebuild *r)
{
    af_u128 span[AF_CLOCKS] = {0, 0};
    if (r->ticks.clocks != (1u << AF_WALL | 1u << AF_CPU) || r->ticks.settled || r->ticks.weighed ||
        r->ticks.scale > 0) {
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
    if (r->ticks.weighed) {
        return;
    }
    t->counts.open_at_end += t->depth;
    af_rhythm_add_group(&r->rhythm, t->group);
    if (!exited && r->has_wall && !r->ticks.own_ends) {
        r->rows.rows[af_rebuild_top(t)].self[AF_WALL] += r->counts.end_ticks - t->last[AF_WALL];
        t->last[AF_WALL] = r->counts.end_ticks;
    }
    while (t->depth > 0) {
        af_rebuild_pop(r, t);
    }
}

static void set_scale(af_rebuild *r)
{
    const unsigned scaled = (r->ticks.clocks >> AF_WALL & 1u) != 0 ? AF_WALL : AF_CPU;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        r->counts.scale[c] = r->ticks.tick_ns;
    }
    r->counts.scale[AF_WALL] *= r->counts.thousandfold ? 1000 : 1;
    if (r->ticks.scale > 0) {
        r->counts.scale[scaled] = r->ticks.tick_ns * r->ticks.scale / 1000000;
    }
}

static void find_end(af_rebuild *r)
{
    const uint64_t stated = r->ticks.has_elapsed ? MIN(r->ticks.elapsed_ticks, r->largest_time) : 0;
    uint64_t last = 0;
    for (uint32_t i = 0; i < r->n_threads; i++) {
        last = MAX(last, r->threads[i].last[AF_WALL]);
    }
    const gboolean early = r->ended_early && r->has_wall;
    r->counts.end_ticks = early ? last : MAX(stated, last);
    r->counts.unrecorded_ticks = early ? stated - MIN(stated, last) : 0;
}

gboolean af_rebuild_finish(af_rebuild *r, const gboolean *exited, uint32_t n_threads)
{
    if (!af_rebuild_grow_threads(r, n_threads) || r->failed || r->rows.failed || r->rhythm.failed) {
        return FALSE;
    }
    find_end(r);
    r->counts.thousandfold = is_thousandfold(r);
    set_scale(r);
    for (uint32_t i = 0; i < n_threads; i++) {
        if (r->threads[i].root != AF_NO_ROW) {
            close_thread(r, &r->threads[i], exited[i]);
        }
    }
    r->counts.sampled =
        r->ticks.recorded == AF_RECORDED_GUESS
            ? r->ticks.weighed || af_rhythm_is_sampled(&r->rhythm, r->counts.records)
            : r->ticks.recorded == AF_RECORDED_SAMPLES;
    r->counts.interval_ticks =
        r->counts.sampled && !r->ticks.weighed ? af_rhythm_interval(&r->rhythm) : 0;
    return !r->rhythm.failed && !r->rows.failed; /* closing calls takes memory */
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
    return af_tally_get(&r->missed, method) > 0;
}

void af_rebuild_earlier(const af_rebuild *r, uint32_t thread, uint32_t *methods)
{
    const af_thread_state *t = &r->threads[thread];
    memcpy(methods, t->earlier, t->counts.exits_on_empty * sizeof *methods);
}

/* Preorder numbers of the rows, siblings in order of their first call, thread after thread. */
typedef struct {
    const af_rebuild *r;
    uint32_t *roots; /* rows that are or were roots: by thread, from the outermost in */
    uint32_t n_roots;
    uint32_t *sizes; /* by row: the size of its subtree */
    uint32_t *next;  /* by row: number of the next child; in the end, its own number */
} numbering;

/* Every row is created after its parent, except for roots that became calls. */
static gboolean find_roots(numbering *n)
{
    const af_rebuild *r = n->r;
    af_array roots;
    af_array_init(&roots, sizeof(uint32_t));
    for (uint32_t i = 0; i < r->n_threads; i++) {
        const size_t begin = roots.n;
        for (uint32_t row = r->threads[i].root == AF_NO_ROW ? AF_NO_ROW : r->threads[i].first_root;
             row != AF_NO_ROW; row = r->rows.rows[row].parent) {
            if (!af_array_append(&roots, &row)) {
                break;
            }
        }
        for (size_t a = begin, b = roots.n; a + 1 < b; a++) {
            const uint32_t row = AF_ARRAY_AT(&roots, uint32_t, a);
            b--;
            AF_ARRAY_AT(&roots, uint32_t, a) = AF_ARRAY_AT(&roots, uint32_t, b);
            AF_ARRAY_AT(&roots, uint32_t, b) = row;
        }
    }
    n->n_roots = (uint32_t)roots.n;
    n->roots = roots.items;
    return !roots.failed;
}

static void number_row(const numbering *n, uint32_t row, uint32_t *base)
{
    const af_row *of = &n->r->rows.rows[row];
    uint32_t *next = of->parent == AF_NO_ROW ? base : &n->next[of->parent];
    const uint32_t number = *next;
    *next += n->sizes[row];
    n->next[row] = number + 1;
}

#define UNNUMBERED UINT32_MAX

static void number_rows(numbering *n)
{
    const af_rows *rows = &n->r->rows;
    for (uint32_t i = 0; i < rows->n; i++) {
        n->sizes[i] = 1;
        n->next[i] = UNNUMBERED;
    }
    for (uint32_t i = 0; i < n->n_roots; i++) {
        n->next[n->roots[i]] = 0; /* marks them for the loop below */
    }
    for (uint32_t i = rows->n; i-- > 0;) {
        if (n->next[i] == UNNUMBERED) {
            n->sizes[rows->rows[i].parent] += n->sizes[i];
        }
    }
    for (uint32_t i = n->n_roots; i-- > 0;) {
        const uint32_t row = n->roots[i], parent = rows->rows[row].parent;
        if (parent != AF_NO_ROW) {
            n->sizes[parent] += n->sizes[row];
        }
    }
    uint32_t base = 0;
    for (uint32_t i = 0; i < n->n_roots; i++) {
        number_row(n, n->roots[i], &base);
    }
    for (uint32_t i = 0; i < rows->n; i++) {
        if (n->next[i] == UNNUMBERED) {
            number_row(n, i, &base);
        }
    }
    for (uint32_t i = 0; i < rows->n; i++) {
        n->next[i] -= n->sizes[i]; /* all children have their numbers */
    }
}

/* Stores the methods of the calls that were open before the trace began. */
static gboolean keep_earlier(af_rebuild *r, af_thread_state *t)
{
    uint64_t n = t->counts.exits_on_empty;
    t->earlier = n == 0 ? NULL : g_try_malloc_n(n, sizeof *t->earlier);
    if (n > 0 && t->earlier == NULL) {
        return FALSE;
    }
    for (uint32_t row = t->first_root; n > 0; row = r->rows.rows[row].parent) {
        t->earlier[--n] = r->rows.rows[row].method;
    }
    return TRUE;
}

/* The range of numbers of a thread. One without records has no rows; its tree is only a root. */
typedef struct {
    uint32_t base, n;
} thread_rows;

/* Numbers the rows, sorts them by number, and returns those of each thread; NULL if memory is
 * refused. Sorted in place, each row can be dropped once its node exists. */
static thread_rows *sort_rows(af_rebuild *r, uint32_t n_threads)
{
    const size_t n_rows = (size_t)r->rows.n + 1;
    numbering n = {
        .r = r, .sizes = g_try_new(uint32_t, n_rows), .next = g_try_new(uint32_t, n_rows)};
    thread_rows *found = g_try_new(thread_rows, (size_t)n_threads + 1);
    if (found == NULL || n.sizes == NULL || n.next == NULL || !find_roots(&n)) {
        g_clear_pointer(&found, g_free);
    } else {
        number_rows(&n);
        for (uint32_t i = 0; i < n_threads; i++) {
            const uint32_t root = r->threads[i].root;
            found[i] = root == AF_NO_ROW ? (thread_rows){0, 1}
                                         : (thread_rows){n.next[root], n.sizes[root]};
        }
        af_rows_sort(&r->rows, n.next);
    }
    g_free(n.roots);
    g_free(n.sizes);
    g_free(n.next);
    return found;
}

/* Copies a row to its node in the tree. */
static void fill_node(const af_rebuild *r, af_tree *tree, uint32_t node, const af_row *from)
{
    tree->label[node] = from->method;
    tree->calls[node] = from->calls;
    tree->unwinds[node] = from->unwinds;
    if (tree->runnable != NULL) {
        tree->runnable[node] = from->runnable * r->counts.scale[AF_WALL];
    }
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (tree->self[c] != NULL) {
            tree->self[c][node] = from->self[c] * r->counts.scale[c];
            if (from->min[c] <= from->max[c]) {
                tree->min[c][node] = from->min[c] * r->counts.scale[c];
                tree->max[c][node] = from->max[c] * r->counts.scale[c];
            }
        }
    }
}

static void fill_tree(af_rebuild *r, af_tree *tree, const thread_rows *thread)
{
    for (uint32_t node = 1; node < thread->n; node++) {
        const uint32_t row = thread->base + node;
        tree->parent[node] = r->rows.rows[row].parent - thread->base;
        fill_node(r, tree, node, &r->rows.rows[row]);
        if (row % AF_DROPPED_ROWS == 0) {
            af_rows_drop(&r->rows, row - AF_DROPPED_ROWS, row);
        }
    }
}

gboolean af_rebuild_trees(af_rebuild *r, af_tree **trees, uint32_t n_threads)
{
    gboolean ok = TRUE;
    memset(trees, 0, n_threads * sizeof *trees);
    af_rows_clear_index(&r->rows);
    for (uint32_t i = 0; i < n_threads && ok; i++) {
        ok = keep_earlier(r, &r->threads[i]);
        af_rebuild_free_stack(&r->threads[i]);
    }
    g_autofree thread_rows *rows = ok ? sort_rows(r, n_threads) : NULL;
    ok = rows != NULL;
    for (uint32_t i = 0; i < n_threads && ok; i++) {
        const unsigned runnable = r->threads[i].has_runnable ? AF_TREE_RUNNABLE : 0;
        trees[i] = af_tree_new(rows[i].n, r->ticks.clocks | runnable);
        ok = trees[i] != NULL;
    }
    for (uint32_t i = 0; i < n_threads && ok; i++) {
        fill_tree(r, trees[i], &rows[i]);
    }
    af_rows_clear(&r->rows);
    for (uint32_t i = 0; i < n_threads; i++) {
        if (ok) {
            af_tree_sum(trees[i]);
        } else {
            g_clear_pointer(&trees[i], af_tree_free);
        }
    }
    return ok;
}
