#include "export/aflp_tree.h"

#include "base/append.h"

/* Whether the shortest and longest call follow from the other columns. */
static gboolean follows_from_times(const af_tree *tree, unsigned clock)
{
    for (uint32_t i = 1; i < tree->n; i++) {
        const uint64_t expected = tree->calls[i] == 0 ? 0 : tree->inclusive[clock][i];
        if (tree->calls[i] < 2 &&
            (tree->min[clock][i] != expected || tree->max[clock][i] != expected)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* Reserves space for a column with one number per node. */
static uint8_t *reserve_column(af_array *bytes, uint32_t n)
{
    const size_t before = bytes->n;
    uint8_t *at = af_array_add(bytes, (size_t)n * AF_ULEB128_MAX);
    bytes->n = before;
    return at;
}

/* `end` is NULL if memory was refused. */
static void commit_column(af_array *bytes, const uint8_t *end)
{
    if (end != NULL) {
        bytes->n = (size_t)(end - (const uint8_t *)bytes->items);
    }
}

static void write_column(af_array *bytes, const uint64_t *numbers, uint32_t n, unsigned unit)
{
    uint8_t *at = reserve_column(bytes, n);
    for (uint32_t i = 1; at != NULL && i < n; i++) {
        at = af_uleb128_put(at, numbers[i] / unit);
    }
    commit_column(bytes, at);
}

/* Writes the shortest calls, or how much longer the longest ones are; of all nodes, or only of those
 * with several calls. */
static void write_extremes(af_array *bytes, const af_tree *tree, unsigned clock, gboolean longest,
                           gboolean all, unsigned unit)
{
    const uint64_t *min = tree->min[clock], *max = tree->max[clock];
    uint8_t *at = reserve_column(bytes, tree->n);
    for (uint32_t i = 1; at != NULL && i < tree->n; i++) {
        if (all || tree->calls[i] > 1) {
            at = af_uleb128_put(at, (longest ? max[i] - min[i] : min[i]) / unit);
        }
    }
    commit_column(bytes, at);
}

static void write_shape(af_array *bytes, const af_aflp_nodes *nodes)
{
    const af_tree *tree = nodes->tree;
    uint8_t *at = reserve_column(bytes, tree->n);
    for (uint32_t i = 1; at != NULL && i < tree->n; i++) {
        at = af_uleb128_put(at, (uint64_t)tree->depth[i - 1] + 1 - tree->depth[i]);
    }
    commit_column(bytes, at);
    at = reserve_column(bytes, tree->n);
    for (uint32_t i = 1; at != NULL && i < tree->n; i++) {
        at = af_uleb128_put(at, af_aflp_name(nodes, i));
    }
    commit_column(bytes, at);
    write_column(bytes, tree->calls, tree->n, 1);
}

/* Writes a column in which most numbers are 0. */
static void write_sparse(af_array *bytes, const uint64_t *numbers, uint32_t n_nodes)
{
    uint32_t n = 0, before = 0;
    for (uint32_t i = 1; i < n_nodes; i++) {
        n += numbers[i] > 0;
    }
    af_append_uleb128(bytes, n);
    for (uint32_t i = 1; n > 0 && i < n_nodes; i++) {
        if (numbers[i] > 0) {
            af_append_uleb128(bytes, i - before);
            af_append_uleb128(bytes, numbers[i]);
            before = i;
        }
    }
}

void af_aflp_tree_write(af_array *bytes, const af_aflp_nodes *nodes)
{
    const af_tree *tree = nodes->tree;
    /* The largest unit that loses nothing: microseconds if all times are whole microseconds. */
    uint64_t remainder = 0;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (tree->self[c] != NULL) {
            for (uint32_t i = 0; remainder == 0 && i < tree->n; i++) {
                remainder =
                    (tree->self[c][i] % 1000) | (tree->min[c][i] % 1000) | (tree->max[c][i] % 1000);
            }
        }
    }
    const unsigned unit = remainder == 0 ? 1000 : 1;
    unsigned flags = 0;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        flags |= tree->self[c] != NULL && follows_from_times(tree, c) ? 1u << c : 0;
    }
    af_append_uleb128(bytes, af_tree_columns(tree));
    af_append_uleb128(bytes, unit);
    af_append_uleb128(bytes, flags);
    af_append_uleb128(bytes, tree->n - 1);
    write_shape(bytes, nodes);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (tree->self[c] != NULL) {
            const gboolean all = (flags >> c & 1) == 0;
            write_column(bytes, tree->self[c], tree->n, unit);
            write_extremes(bytes, tree, c, FALSE, all, unit);
            write_extremes(bytes, tree, c, TRUE, all, unit);
        }
    }
    write_sparse(bytes, tree->unwinds, tree->n);
    if (tree->runnable != NULL) {
        write_sparse(bytes, tree->runnable, tree->n);
    }
}
