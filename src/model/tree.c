#include "model/tree.h"

#include <string.h>

#include "base/pages.h"
#include "model/wait_widths.h"
#include "model/waits.h"

/* Trees below this size use ordinary memory, which malloc() takes from large pages. */
#define LARGE_TREE AF_LARGE_PAGE

static void lay_out_columns(af_tree *tree, unsigned clocks)
{
    const size_t n = tree->n;
    uint64_t *wide = tree->block;
    tree->calls = wide;
    tree->unwinds = wide + n;
    wide += n * 2;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if ((clocks >> c & 1) != 0) {
            tree->self[c] = wide;
            tree->inclusive[c] = wide + n;
            tree->min[c] = wide + n * 2;
            tree->max[c] = wide + n * 3;
            wide += n * 4;
        }
    }
    uint32_t *narrow = (uint32_t *)(void *)wide;
    tree->parent = narrow;
    tree->label = narrow + n;
    tree->depth = narrow + n * 2;
    tree->reason = (uint8_t *)(narrow + n * 3);
}

size_t af_tree_bytes(uint32_t n, unsigned clocks)
{
    const size_t n_clocks = (clocks & 1) + (clocks >> 1 & 1);
    return sizeof(uint64_t) * (n * (2 + 4 * n_clocks) + ((size_t)n * 13 + 7) / 8);
}

static void begin_tree(af_tree *tree)
{
    tree->parent[0] = AF_NO_NODE;
    tree->label[0] = AF_NO_LABEL;
}

af_tree *af_tree_new(uint32_t n, unsigned clocks)
{
    g_return_val_if_fail(n > 0, NULL);
    af_tree *tree = g_new0(af_tree, 1);
    tree->n = n;
    tree->block_size = af_tree_bytes(n, clocks);
    tree->block = tree->block_size < LARGE_TREE ? g_try_malloc0(tree->block_size)
                                                : af_pages_alloc(tree->block_size);
    if (tree->block == NULL) {
        g_free(tree);
        return NULL;
    }
    lay_out_columns(tree, clocks);
    begin_tree(tree);
    memset(tree->reason, AF_WAITS_OTHER, n);
    if ((clocks & AF_TREE_RUNNABLE) != 0 && af_tree_has(tree, AF_WAIT)) {
        tree->runnable = g_try_new0(uint64_t, n);
        if (tree->runnable == NULL) {
            g_clear_pointer(&tree, af_tree_free);
        }
    }
    return tree;
}

void af_tree_free(af_tree *tree)
{
    if (tree == NULL) {
        return;
    }
    if (tree->apart != NULL) {
        af_tree_free(tree->apart); /* which has none */
    }
    g_free(tree->method);
    g_free(tree->wait);
    g_free(tree->runnable);
    g_free(tree->runnable_sums);
    if (tree->block_size < LARGE_TREE) {
        g_free(tree->block);
    } else {
        af_pages_free(tree->block, tree->block_size);
    }
    g_free(tree);
}

unsigned af_tree_clocks(const af_tree *tree)
{
    unsigned clocks = 0;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        clocks |= (unsigned)(tree->self[c] != NULL) << c;
    }
    return clocks;
}

unsigned af_tree_columns(const af_tree *tree)
{
    return af_tree_clocks(tree) | (tree->runnable != NULL ? AF_TREE_RUNNABLE : 0);
}

void af_tree_keep_clocks(af_tree *tree, unsigned clocks)
{
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if ((clocks >> c & 1) == 0) {
            tree->self[c] = tree->inclusive[c] = tree->min[c] = tree->max[c] = NULL;
        }
    }
    if (!af_tree_has(tree, AF_WAIT)) {
        g_clear_pointer(&tree->runnable, g_free);
    }
}

void af_tree_sum(af_tree *tree)
{
    begin_tree(tree);
    tree->depth[0] = 0;
    for (uint32_t n = 1; n < tree->n; n++) {
        tree->depth[n] = tree->depth[tree->parent[n]] + 1;
    }
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (tree->self[c] == NULL) {
            continue;
        }
        memcpy(tree->inclusive[c], tree->self[c], tree->n * sizeof(uint64_t));
        for (uint32_t n = tree->n - 1; n > 0; n--) {
            tree->inclusive[c][tree->parent[n]] += tree->inclusive[c][n];
        }
    }
    for (uint32_t n = 0; tree->runnable != NULL && n < tree->n; n++) {
        tree->runnable[n] = MIN(tree->runnable[n], af_tree_self_ns(tree, n, AF_WAIT));
    }
}

static const char *check_shape(const af_tree *tree)
{
    if (tree->n == 0 || tree->parent[0] != AF_NO_NODE || tree->label[0] != AF_NO_LABEL ||
        tree->depth[0] != 0) {
        return "node 0 is not the thread";
    }
    for (uint32_t n = 1; n < tree->n; n++) {
        if (tree->parent[n] >= n) {
            return "a parent's number is not below its child's";
        }
        if (tree->depth[n] != tree->depth[tree->parent[n]] + 1) {
            return "a depth is not one more than the parent's";
        }
        /* the previous node is the parent, or is the previous sibling or below it */
        uint32_t before = n - 1;
        while (before != tree->parent[n] && tree->depth[before] >= tree->depth[n]) {
            before = tree->parent[before];
        }
        if (before != tree->parent[n]) {
            return "the nodes below a node do not follow it";
        }
        /* with samples, every count is 0 */
        if ((tree->calls[n] == 0 && tree->calls[1] > 0) || tree->unwinds[n] > tree->calls[n]) {
            return "a node has no call or more unwinds than calls";
        }
    }
    return NULL;
}

static uint64_t *compute_waits(const af_tree *tree)
{
    const size_t n = tree->n;
    uint64_t *wait = g_try_new0(uint64_t, 2 * n + 1);
    for (uint32_t i = 1; wait != NULL && i < n; i++) {
        wait[n + i] = af_tree_self_term(tree, i, AF_WAIT);
    }
    if (wait != NULL && !af_wait_widths_compute(tree->n, tree->parent, wait + n, wait)) {
        g_clear_pointer(&wait, g_free);
    }
    return wait;
}

/* Computes a column on the first request. */
static const uint64_t *compute_once(const af_tree *tree, uint64_t **column,
                                    uint64_t *(*compute)(const af_tree *))
{
    gpointer *at = (gpointer *)(void *)column;
    if (g_atomic_pointer_get(at) == NULL) {
        uint64_t *computed = compute(tree);
        if (computed != NULL && !g_atomic_pointer_compare_and_exchange(at, NULL, computed)) {
            g_free(computed); /* another thread was faster */
        }
    }
    return g_atomic_pointer_get(at);
}

/* NULL if the tree lacks a clock or memory is refused. */
static const uint64_t *find_waits(const af_tree *tree)
{
    return af_tree_has(tree, AF_WAIT) ? compute_once(tree, &((af_tree *)tree)->wait, compute_waits)
                                      : NULL;
}

const uint64_t *af_tree_widths(const af_tree *tree, af_clock clock)
{
    return clock != AF_WAIT ? tree->inclusive[clock] : find_waits(tree);
}

const uint64_t *af_tree_self_widths(const af_tree *tree, af_clock clock)
{
    const uint64_t *waits = clock == AF_WAIT ? find_waits(tree) : NULL;
    return clock != AF_WAIT ? tree->self[clock] : waits != NULL ? waits + tree->n : NULL;
}

static uint64_t *sum_runnable(const af_tree *tree)
{
    uint64_t *sums = g_try_new0(uint64_t, MAX(tree->n, 1));
    for (uint32_t n = tree->n; sums != NULL && n-- > 1;) {
        sums[n] += tree->runnable[n];
        sums[tree->parent[n]] += sums[n];
    }
    return sums;
}

const uint64_t *af_tree_runnable(const af_tree *tree)
{
    return tree->runnable == NULL
               ? NULL
               : compute_once(tree, &((af_tree *)tree)->runnable_sums, sum_runnable);
}

const char *af_tree_check(const af_tree *tree)
{
    const char *wrong = check_shape(tree);
    for (uint32_t n = 0; tree->runnable != NULL && n < tree->n && wrong == NULL; n++) {
        if (!af_tree_has(tree, AF_WAIT) || tree->runnable[n] > af_tree_self_ns(tree, n, AF_WAIT)) {
            wrong = "a node was runnable for longer than it waited";
        }
    }
    for (unsigned c = 0; c < AF_CLOCKS && wrong == NULL; c++) {
        if (tree->self[c] == NULL) {
            continue;
        }
        if (tree->self[c][0] != 0) {
            return "the thread has self time";
        }
        g_autofree uint64_t *sums = g_new0(uint64_t, tree->n);
        for (uint32_t n = tree->n; n-- > 0 && wrong == NULL;) {
            sums[n] += tree->self[c][n];
            if (sums[n] != tree->inclusive[c][n] || sums[n] < tree->self[c][n]) {
                wrong = "inclusive is not self and the children's inclusive";
            } else if (n > 0) {
                sums[tree->parent[n]] += sums[n];
            }
            if (tree->min[c][n] > tree->max[c][n] || tree->max[c][n] > tree->inclusive[c][n]) {
                wrong = "the shortest, longest and all calls are out of order";
            }
        }
    }
    return wrong;
}
