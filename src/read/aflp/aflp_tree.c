#include "read/aflp/aflp.h"

/* The columns of a tree's nodes take at least one byte per node each. */
#define COLUMNS_MIN 3

/* The same as af_aflp_number(), for the many numbers of columns: without a loop over bytes. */
static inline uint64_t take_number(af_aflp_cursor *c)
{
    if (c->end - c->at < 8) {
        return af_aflp_number(c);
    }
    const uint64_t bytes = af_load_u64(c->at);
    const uint64_t ends = ~bytes & UINT64_C(0x8080808080808080);
    if ((bytes & 0x80) == 0) {
        c->at++;
        return bytes & 0x7F;
    }
    if (ends == 0) {
        return af_aflp_number(c);
    }
    c->at += (unsigned)__builtin_ctzll(ends) / 8 + 1;
    return af_uleb128_join(bytes & (ends ^ (ends - 1)) & UINT64_C(0x7F7F7F7F7F7F7F7F));
}

static void read_column(af_aflp_cursor *c, uint64_t *to, uint32_t n, uint64_t unit)
{
    uint64_t most = 0;
    for (uint32_t i = 1; i < n; i++) {
        const uint64_t value = take_number(c);
        most = MAX(most, value);
        to[i] = value * unit;
    }
    c->damaged |= most > UINT64_MAX / 1000;
}

/* If `calls` is not NULL, reads values of nodes with several calls only; adds `since` unless it is
 * NULL. */
static void read_extremes(af_aflp_cursor *c, uint64_t *to, const uint64_t *since,
                          const uint64_t *calls, uint32_t n, uint64_t unit)
{
    uint64_t most = 0;
    for (uint32_t i = 1; i < n; i++) {
        if (calls == NULL || calls[i] > 1) {
            const uint64_t value = take_number(c);
            most = MAX(most, value);
            to[i] = value * unit + (since != NULL ? since[i] : 0);
        }
    }
    c->damaged |= most > UINT64_MAX / 2000;
}

/* Reads parents as the number of levels up: 0 = a child of the previous node. */
static void read_parents(af_aflp_cursor *c, uint32_t *parent, uint32_t n)
{
    for (uint32_t i = 1; i < n && !c->damaged; i++) {
        uint32_t node = i - 1;
        for (uint64_t up = take_number(c); up > 0; up--) {
            if (node == 0) {
                c->damaged = TRUE;
                break;
            }
            node = parent[node];
        }
        parent[i] = node;
    }
}

static void read_names(af_aflp_cursor *c, uint32_t *name, uint32_t n)
{
    for (uint32_t i = 1; i < n && !c->damaged; i++) {
        const uint64_t value = take_number(c);
        c->damaged |= value > UINT32_MAX;
        name[i] = (uint32_t)value;
    }
}

/* Reads a column in which most numbers are 0. */
static void read_sparse(af_aflp_cursor *c, uint64_t *numbers, uint32_t n)
{
    uint32_t node = 0;
    for (uint32_t left = af_aflp_count(c); left > 0 && !c->damaged; left--) {
        const uint32_t step = af_aflp_u32(c);
        const uint64_t value = af_aflp_number(c);
        if (step == 0 || step >= n - node) {
            c->damaged = TRUE;
            return;
        }
        node += step;
        numbers[node] = value;
    }
}

/* Only with both clocks can it be known when a thread was runnable. */
static gboolean are_columns(unsigned clocks)
{
    return clocks <= 3 || clocks == (AF_AFLP_RUNNABLE | 3);
}

gboolean af_aflp_add_tree(af_aflp_cursor *c, af_aflp_tree *tree, af_sink *sink)
{
    const unsigned clocks = af_aflp_u32(c);
    tree->unit = af_aflp_number(c);
    tree->follows = af_aflp_u32(c);
    const uint64_t nodes = af_aflp_number(c);
    if (c->damaged || !are_columns(clocks) || (tree->unit != 1 && tree->unit != 1000) ||
        nodes > (uint64_t)(c->end - c->at) / COLUMNS_MIN || nodes >= UINT32_MAX - 1) {
        return FALSE;
    }
    tree->at = *c;
    return af_finished_add_tree(sink, clocks, (uint32_t)nodes + 1);
}

void af_aflp_read_columns(af_aflp_tree *tree, uint32_t number, const af_sink *sink)
{
    af_aflp_cursor *c = &tree->at;
    af_finished_columns columns;
    if (!af_finished_begin_tree(sink, number, &columns)) {
        tree->refused = TRUE;
        return;
    }
    const uint32_t n = columns.n;
    read_parents(c, columns.parent, n);
    read_names(c, columns.name, n);
    read_column(c, columns.calls, n, 1);
    for (unsigned i = 0; i < AF_CLOCKS && !c->damaged; i++) {
        if (columns.self[i] != NULL) {
            const uint64_t *calls = (tree->follows >> i & 1) != 0 ? columns.calls : NULL;
            read_column(c, columns.self[i], n, tree->unit);
            read_extremes(c, columns.min[i], NULL, calls, n, tree->unit);
            read_extremes(c, columns.max[i], columns.min[i], calls, n, tree->unit);
        }
    }
    read_sparse(c, columns.unwinds, n);
    if (columns.runnable != NULL) {
        read_sparse(c, columns.runnable, n);
    }
    c->damaged = c->damaged || !af_finished_end_tree(sink, number, tree->follows);
}
