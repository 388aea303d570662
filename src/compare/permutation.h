/* The max-T permutation test of Westfall and Young over a table of rows with several runs a side.
 *
 * p of a row is the probability that noise alone makes some row of the table differ this much, so
 * with p <= 0.05 at most 5 % of tables contain a false change, however many rows they have. The
 * statistic of a row is the difference of its sides' means, relative to its mean over all runs,
 * over the quadratic mean of its own pooled standard error and the median one of all rows.
 *
 * The runs are relabelled for all rows at once: in all ways up to AF_PERMUTATIONS, otherwise in
 * that many ways, one of them the observed one, from a fixed seed. Swapping the sides changes no p.
 */
#pragma once

#include <stdint.h>
#include <glib.h>

#define AF_PERMUTATIONS 5000

/* Row r has values[r * (n_before + n_after) + i]: the runs of before, then those of after. */
typedef struct {
    const uint64_t *values;
    uint32_t n_rows;
    uint32_t n_before, n_after;
    const uint32_t *order; /* the runs in order of their content, a number of each */
} af_permutation_table;

/* Fills p[row]; all 1 if there are fewer than 3 runs or a side has none. FALSE if memory is
 * refused. */
gboolean af_permutation_test(const af_permutation_table *table, double *p);

/* The smallest p that so many runs can show: 1 / C(n + m, n), or twice that for n = m. */
double af_permutation_least_p(uint32_t n, uint32_t m);
