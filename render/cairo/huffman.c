#include "render/cairo/huffman.h"

#include <stdlib.h>
#include <string.h>

enum { LENGTHS = 16 };

typedef struct {
    uint32_t count;
    unsigned symbol;
} leaf;

static int compare_leaves(const void *a, const void *b)
{
    const leaf *x = a, *y = b;
    return x->count != y->count ? (x->count > y->count) - (x->count < y->count)
                                : (int)x->symbol - (int)y->symbol;
}

/* The nodes of the tree: leaves by ascending count, then inner nodes in the order in which they are
 * made, which is ascending too. The two smallest are always at the front of one of the two. */
typedef struct {
    uint64_t weights[2 * AF_HUFFMAN_MOST];
    unsigned parents[2 * AF_HUFFMAN_MOST];
    unsigned leaf, inner, next;
} huffman_tree;

static unsigned take_smallest(huffman_tree *tree, unsigned n_leaves)
{
    const gboolean is_leaf =
        tree->leaf < n_leaves &&
        (tree->inner == tree->next || tree->weights[tree->leaf] <= tree->weights[tree->inner]);
    return is_leaf ? tree->leaf++ : tree->inner++;
}

/* Counts the leaves at each depth; deeper ones count as `longest` deep. */
static void count_depths(const leaf *leaves, unsigned n, unsigned longest, unsigned *n_at)
{
    huffman_tree tree = {.inner = n, .next = n};
    for (unsigned i = 0; i < n; i++) {
        tree.weights[i] = leaves[i].count;
    }
    for (; tree.next < 2 * n - 1; tree.next++) {
        const unsigned a = take_smallest(&tree, n), b = take_smallest(&tree, n);
        tree.weights[tree.next] = tree.weights[a] + tree.weights[b];
        tree.parents[a] = tree.parents[b] = tree.next;
    }
    unsigned *depths = tree.parents; /* a parent's number is larger than its children's */
    depths[2 * n - 2] = 0;
    for (unsigned i = 2 * n - 2; i-- > 0;) {
        depths[i] = depths[tree.parents[i]] + 1;
        if (i < n) {
            n_at[MIN(depths[i], longest)]++;
        }
    }
}

/* Makes space for the shortened codes: replaces a code that is shorter than the longest by two
 * codes that begin with it, until all fit. */
static void lengthen_codes(unsigned longest, unsigned *n_at)
{
    uint32_t used = 0; /* in codes of the longest length */
    for (unsigned length = 1; length <= longest; length++) {
        used += n_at[length] << (longest - length);
    }
    for (; used > UINT32_C(1) << longest; used--) {
        unsigned length = longest - 1;
        while (n_at[length] == 0) {
            length--;
        }
        n_at[length]--;
        n_at[length + 1] += 2;
        n_at[longest]--;
    }
}

void af_huffman_lengths(const uint32_t *counts, unsigned n, unsigned longest, uint8_t *lengths)
{
    leaf leaves[AF_HUFFMAN_MOST];
    unsigned n_leaves = 0, n_at[LENGTHS] = {0};
    memset(lengths, 0, n);
    for (unsigned i = 0; i < n; i++) {
        if (counts[i] > 0) {
            leaves[n_leaves++] = (leaf){counts[i], i};
        }
    }
    if (n_leaves < 2) {
        if (n_leaves == 1) {
            lengths[leaves[0].symbol] = 1;
        }
        return;
    }
    qsort(leaves, n_leaves, sizeof *leaves, compare_leaves);
    count_depths(leaves, n_leaves, longest, n_at);
    lengthen_codes(longest, n_at);
    unsigned next = 0;
    for (unsigned length = longest; length > 0; length--) {
        for (unsigned i = 0; i < n_at[length]; i++) {
            lengths[leaves[next++].symbol] = (uint8_t)length;
        }
    }
}

static uint16_t reverse_bits(unsigned code, unsigned length)
{
    unsigned reversed = 0;
    for (unsigned i = 0; i < length; i++) {
        reversed = reversed << 1 | (code >> i & 1);
    }
    return (uint16_t)reversed;
}

void af_huffman_codes(const uint8_t *lengths, unsigned n, uint16_t *codes)
{
    unsigned n_at[LENGTHS] = {0}, next[LENGTHS] = {0};
    for (unsigned i = 0; i < n; i++) {
        n_at[lengths[i]]++;
    }
    n_at[0] = 0;
    for (unsigned length = 1; length < LENGTHS; length++) {
        next[length] = (next[length - 1] + n_at[length - 1]) << 1;
    }
    for (unsigned i = 0; i < n; i++) {
        codes[i] = lengths[i] == 0 ? 0 : reverse_bits(next[lengths[i]]++, lengths[i]);
    }
}
