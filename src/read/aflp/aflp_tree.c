#include "read/aflp/aflp.h"

#include <string.h>

/* The columns of a tree's nodes take at least one byte per node each. */
#define COLUMNS_MIN 3

/* The same as af_aflp_number(), for the many numbers of columns: without a loop over bytes. */
static inline uint64_t take_number(af_aflp_cursor *c)
{
    if (c->end - c->at < 8) {
        return af_aflp_number(c);
    }
    if (*c->at < 0x80) {
        return *c->at++;
    }
    uint64_t value;
    const unsigned length = af_uleb128_short(c->at, &value);
    c->at += length;
    return length > 0 ? value : af_aflp_number(c);
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

/* The nodes with several calls. */
typedef struct {
    uint32_t n, *nodes; /* NULL: memory is refused */
} repetitions;

/* Without a branch, which would be predicted wrongly. */
static repetitions list_repeated(const uint64_t *calls, uint32_t n)
{
    repetitions all = {.nodes = g_try_new(uint32_t, n)};
    for (uint32_t i = 1; all.nodes != NULL && i < n; i++) {
        all.nodes[all.n] = i;
        all.n += calls[i] > 1;
    }
    return all;
}

/* Reads values of nodes with several calls only; adds `since` unless it is NULL. */
static inline void read_repeated(af_aflp_cursor *c, uint64_t *to, const uint64_t *since,
                                 const repetitions *repeated, uint64_t unit)
{
    uint64_t most = 0;
    for (uint32_t k = 0; k < repeated->n; k++) {
        const uint32_t node = repeated->nodes[k];
        const uint64_t value = take_number(c);
        most = MAX(most, value);
        to[node] = value * unit + (since != NULL ? since[node] : 0);
    }
    c->damaged |= most > UINT64_MAX / 2000;
}

static uint32_t count_repeated(const uint64_t *calls, uint32_t n)
{
    uint32_t repeated = 0;
    for (uint32_t i = 1; i < n; i++) {
        repeated += calls[i] > 1;
    }
    return repeated;
}

/* Moves past `n` numbers by counting their last bytes. */
static void skip_numbers(af_aflp_cursor *c, uint64_t n)
{
    while (n >= 8 && c->end - c->at >= 8) {
        const uint64_t ends = ~af_load_u64(c->at) >> 7 & UINT64_C(0x0101010101010101);
        n -= ends * UINT64_C(0x0101010101010101) >> 56;
        c->at += 8;
    }
    while (n > 0 && !c->damaged) {
        n -= c->at < c->end && *c->at < 0x80;
        c->damaged = c->at == c->end;
        c->at += !c->damaged;
    }
}

/* Reads parents as the number of levels up: 0 = a child of the previous node. */
static void read_parents(af_aflp_cursor *c, const af_finished_columns *columns)
{
    uint32_t *last = columns->name; /* node at each depth, until the names are read */
    uint32_t depth = 0;
    for (uint32_t i = 1; i < columns->n; i++) {
        const uint64_t up = take_number(c);
        if (up > depth) {
            c->damaged = TRUE;
            return;
        }
        depth -= (uint32_t)up;
        columns->parent[i] = depth == 0 ? 0 : last[depth];
        last[++depth] = i;
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

gboolean af_aflp_add_tree(af_aflp_cursor *c, af_aflp_tree *tree, af_sink *sink)
{
    const unsigned clocks = af_aflp_u32(c);
    tree->unit = af_aflp_number(c);
    tree->follows = af_aflp_u32(c);
    const uint64_t nodes = af_aflp_number(c);
    /* Only with both clocks can it be known when a thread was runnable. */
    if (c->damaged || !(clocks <= 3 || clocks == (AF_AFLP_RUNNABLE | 3)) ||
        (tree->unit != 1 && tree->unit != 1000) ||
        nodes > (uint64_t)(c->end - c->at) / COLUMNS_MIN || nodes >= UINT32_MAX - 1) {
        return FALSE;
    }
    tree->at = *c;
    return af_finished_add_tree(sink, clocks, (uint32_t)nodes + 1);
}

/* Reads self times and the extremes of calls. Returns FALSE if memory is refused. */
static gboolean read_times(af_aflp_cursor *c, const af_aflp_tree *tree,
                           const af_finished_columns *columns)
{
    repetitions repeated = list_repeated(columns->calls, columns->n);
    for (unsigned i = 0; repeated.nodes != NULL && i < AF_CLOCKS && !c->damaged; i++) {
        if (columns->self[i] != NULL) {
            read_column(c, columns->self[i], columns->n, tree->unit);
            uint64_t *min = columns->min[i], *max = columns->max[i];
            if ((tree->follows >> i & 1) != 0) {
                read_repeated(c, min, NULL, &repeated, tree->unit);
                read_repeated(c, max, min, &repeated, tree->unit);
            } else {
                read_column(c, min, columns->n, tree->unit);
                read_column(c, max, columns->n, tree->unit);
                for (uint32_t k = 1; k < columns->n; k++) {
                    max[k] += min[k];
                }
            }
        }
    }
    const gboolean ok = repeated.nodes != NULL;
    g_free(repeated.nodes);
    return ok;
}

/* Reads self times only. */
static void read_self(af_aflp_cursor *c, const af_aflp_tree *tree,
                      const af_finished_columns *columns)
{
    const uint64_t repeated = count_repeated(columns->calls, columns->n);
    for (unsigned i = 0; i < AF_CLOCKS && !c->damaged; i++) {
        if (columns->self[i] != NULL) {
            read_column(c, columns->self[i], columns->n, tree->unit);
            skip_numbers(c, (tree->follows >> i & 1) != 0 ? 2 * repeated
                                                          : 2 * ((uint64_t)columns->n - 1));
        }
    }
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
    read_parents(c, &columns);
    read_names(c, columns.name, n);
    read_column(c, columns.calls, n, 1);
    if (tree->only_sums) {
        read_self(c, tree, &columns);
    } else {
        tree->refused = !read_times(c, tree, &columns);
    }
    read_sparse(c, columns.unwinds, n);
    if (columns.runnable != NULL) {
        read_sparse(c, columns.runnable, n);
    }
    if (columns.reason != NULL && c->at < c->end) { /* older versions write none */
        c->damaged |= (size_t)(c->end - c->at) < n - 1;
        memcpy(columns.reason + 1, c->at, c->damaged ? 0 : n - 1);
    }
    c->damaged = c->damaged ||
                 !af_finished_end_tree(sink, number,
                                       tree->only_sums ? AF_FINISHED_NO_EXTREMES : tree->follows);
}
