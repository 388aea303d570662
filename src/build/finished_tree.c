/* The columns of the trees of a saved profile, see base/aflp.h. */
#include "build/finished_state.h"

#include <string.h>

#include "base/aflp.h"
#include "base/bytes.h"
#include "build/sink_state.h"
#include "model/waits.h"

/* The limit of each clock of a thread: more than any reader of recordings accepts (read/slices.c), so
 * that every picture opens again. */
#define MOST_NS (UINT64_MAX / 2)

/* The columns of a tree's nodes take at least one byte per node each. */
#define COLUMNS_MIN 3

/* The same as af_codec_u64(), for the many numbers of columns: without a loop over bytes. */
static inline uint64_t take_number(af_codec *c)
{
    if (c->end - c->at < 8) {
        return af_codec_u64(c, 0);
    }
    if (*c->at < 0x80) {
        return *c->at++;
    }
    uint64_t value;
    const unsigned length = af_uleb128_short(c->at, &value);
    c->at += length;
    return length > 0 ? value : af_codec_u64(c, 0);
}

static void read_column(af_codec *c, uint64_t *to, uint32_t n, uint64_t unit)
{
    uint64_t most = 0;
    for (uint32_t i = 1; i < n; i++) {
        const uint64_t value = take_number(c);
        most = MAX(most, value);
        to[i] = value * unit;
    }
    c->damaged |= most > MOST_NS / unit;
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
static inline void read_repeated(af_codec *c, uint64_t *to, const uint64_t *since,
                                 const repetitions *repeated, uint64_t unit)
{
    uint64_t most = 0;
    for (uint32_t k = 0; k < repeated->n; k++) {
        const uint32_t node = repeated->nodes[k];
        const uint64_t value = take_number(c);
        most = MAX(most, value);
        to[node] = value * unit + (since != NULL ? since[node] : 0);
    }
    c->damaged |= most > MOST_NS / unit;
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
static void skip_numbers(af_codec *c, uint64_t n)
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
static void read_parents(af_codec *c, const af_tree *tree)
{
    uint32_t *last = tree->label; /* node at each depth, until the names are read */
    uint32_t depth = 0;
    for (uint32_t i = 1; i < tree->n; i++) {
        const uint64_t up = take_number(c);
        if (up > depth) {
            c->damaged = TRUE;
            return;
        }
        depth -= (uint32_t)up;
        tree->parent[i] = depth == 0 ? 0 : last[depth];
        last[++depth] = i;
    }
}

static void read_names(af_codec *c, uint32_t *name, uint32_t n)
{
    for (uint32_t i = 1; i < n && !c->damaged; i++) {
        const uint64_t value = take_number(c);
        c->damaged |= value > UINT32_MAX;
        name[i] = (uint32_t)value;
    }
}

/* Reads a column in which most numbers are 0. */
static void read_sparse(af_codec *c, uint64_t *numbers, uint32_t n)
{
    uint32_t node = 0;
    for (uint32_t left = af_codec_count(c, 1); left > 0 && !c->damaged; left--) {
        const uint32_t step = af_codec_u32(c, 0);
        const uint64_t value = af_codec_u64(c, 0);
        if (step == 0 || step >= n - node) {
            c->damaged = TRUE;
            return;
        }
        node += step;
        numbers[node] = value;
    }
}

gboolean af_finished_begin_tree(af_codec *c, af_finished_tree *tree, af_sink *sink)
{
    tree->clocks = af_codec_u32(c, 0);
    tree->unit = af_codec_u64(c, 0);
    tree->follows = af_codec_u32(c, 0);
    const uint64_t nodes = af_codec_u64(c, 0);
    /* Only with both clocks can it be known when a thread was runnable. */
    if (c->damaged || !(tree->clocks <= 3 || tree->clocks == (AF_TREE_RUNNABLE | 3)) ||
        (tree->clocks & ~(sink->finished->profile->clocks | AF_TREE_RUNNABLE)) != 0 ||
        (tree->unit != 1 && tree->unit != 1000) ||
        nodes > (uint64_t)(c->end - c->at) / COLUMNS_MIN || nodes >= UINT32_MAX - 1) {
        return FALSE;
    }
    tree->n = (uint32_t)nodes + 1;
    tree->at = *c;
    const gboolean has_runnable = (tree->clocks & AF_TREE_RUNNABLE) != 0;
    const size_t bytes =
        af_tree_bytes(tree->n, tree->clocks) + (has_runnable ? sizeof(uint64_t) * tree->n : 0);
    if (!af_sink_fits(sink, bytes)) {
        return FALSE;
    }
    af_sink_meter(sink)->bytes += bytes;
    return TRUE;
}

/* Reads self times and the extremes of calls. Returns FALSE if memory is refused. */
static gboolean read_times(af_codec *c, const af_finished_tree *of, const af_tree *tree)
{
    repetitions repeated = list_repeated(tree->calls, tree->n);
    for (unsigned i = 0; repeated.nodes != NULL && i < AF_CLOCKS && !c->damaged; i++) {
        if (tree->self[i] != NULL) {
            read_column(c, tree->self[i], tree->n, of->unit);
            uint64_t *min = tree->min[i], *max = tree->max[i];
            if ((of->follows >> i & 1) != 0) {
                read_repeated(c, min, NULL, &repeated, of->unit);
                read_repeated(c, max, min, &repeated, of->unit);
            } else {
                read_column(c, min, tree->n, of->unit);
                read_column(c, max, tree->n, of->unit);
                for (uint32_t k = 1; k < tree->n; k++) {
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
static void read_self(af_codec *c, const af_finished_tree *of, const af_tree *tree)
{
    const uint64_t repeated = count_repeated(tree->calls, tree->n);
    for (unsigned i = 0; i < AF_CLOCKS && !c->damaged; i++) {
        if (tree->self[i] != NULL) {
            read_column(c, tree->self[i], tree->n, of->unit);
            skip_numbers(c,
                         (of->follows >> i & 1) != 0 ? 2 * repeated : 2 * ((uint64_t)tree->n - 1));
        }
    }
}

/* Whether all parents come first and all names and reasons exist. No branch: nearly all trees are
 * right. */
static gboolean check_links(const af_tree *tree, size_t n_names)
{
    unsigned wrong = 0;
    for (uint32_t i = 1; i < tree->n; i++) {
        wrong |= (unsigned)(tree->parent[i] >= i) | (unsigned)(tree->label[i] >= n_names) |
                 (unsigned)(tree->reason[i] >= AF_WAITS_COUNT);
    }
    return wrong == 0;
}

static gboolean check_calls(const af_tree *tree)
{
    const uint64_t least = tree->n > 1 && tree->calls[1] > 0;
    unsigned wrong = 0;
    for (uint32_t i = 1; i < tree->n; i++) {
        wrong |= (unsigned)(tree->calls[i] < least) | (unsigned)(tree->unwinds[i] > tree->calls[i]);
    }
    return wrong == 0;
}

/* Whether a sum is at most MOST_NS. */
static gboolean check_sum(const uint64_t *numbers, uint32_t n)
{
    uint64_t bits = 0, sum = 0;
    for (uint32_t i = 1; i < n; i++) {
        bits |= numbers[i];
    }
    if (bits <= MOST_NS / n) {
        return TRUE; /* each number is at most all of their bits */
    }
    for (uint32_t i = 1; i < n; i++) {
        if (numbers[i] > MOST_NS - sum) {
            return FALSE;
        }
        sum += numbers[i];
    }
    return TRUE;
}

/* Whether the names exist and no sum can overflow. */
static gboolean check_tree(const af_tree *tree, size_t n_names)
{
    gboolean ok =
        check_links(tree, n_names) && check_calls(tree) && check_sum(tree->calls, tree->n);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        ok = ok && (tree->self[c] == NULL || check_sum(tree->self[c], tree->n));
    }
    return ok;
}

/* No call is longer than all calls of its node. */
static gboolean check_extremes(const af_tree *tree, unsigned clock)
{
    const uint64_t *min = tree->min[clock], *max = tree->max[clock];
    const uint64_t *inclusive = tree->inclusive[clock];
    unsigned wrong = 0; /* no branch: nearly all trees are right */
    for (uint32_t i = 1; i < tree->n; i++) {
        wrong |= (unsigned)(min[i] > max[i]) | (unsigned)(max[i] > inclusive[i]);
    }
    return wrong == 0;
}

/* Whether the tree is valid; computes its sums, and the extremes that the file leaves out. */
static gboolean finish_tree(af_tree *tree, const af_finished *f, unsigned follows)
{
    gboolean ok = check_tree(tree, f->n_names);
    if (ok) {
        af_tree_sum(tree);
    }
    for (unsigned c = 0; ok && !f->only_sums && c < AF_CLOCKS; c++) {
        if (tree->self[c] != NULL) {
            for (uint32_t i = 1; (follows >> c & 1) != 0 && i < tree->n; i++) {
                if (tree->calls[i] == 1) {
                    tree->min[c][i] = tree->max[c][i] = tree->inclusive[c][i];
                }
            }
            ok = check_extremes(tree, c);
        }
    }
    return ok;
}

void af_finished_read_tree(af_finished *f, uint32_t number)
{
    af_finished_tree *of = &AF_ARRAY_AT(&f->trees, af_finished_tree, number);
    af_codec *c = &of->at;
    af_tree *tree = f->profile->threads[number].tree = af_tree_new(of->n, of->clocks);
    if (tree == NULL) {
        of->refused = TRUE;
        return;
    }
    const uint32_t n = tree->n;
    read_parents(c, tree);
    read_names(c, tree->label, n);
    read_column(c, tree->calls, n, 1);
    if (f->only_sums) {
        read_self(c, of, tree);
    } else {
        of->refused = !read_times(c, of, tree);
    }
    read_sparse(c, tree->unwinds, n);
    if (tree->runnable != NULL) {
        read_sparse(c, tree->runnable, n);
    }
    if (!f->by_method && c->at < c->end) { /* older versions write no reasons */
        c->damaged |= (size_t)(c->end - c->at) < n - 1;
        memcpy(tree->reason + 1, c->at, c->damaged ? 0 : n - 1);
    }
    c->damaged = c->damaged || !finish_tree(tree, f, of->follows);
}
