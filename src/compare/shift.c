#include "compare/shift.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/wide.h"

static int compare_signed(const void *a, const void *b)
{
    const int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return (one > other) - (one < other);
}

uint64_t af_shift_median(const uint64_t *values, uint32_t n)
{
    if (n == 0) {
        return 0;
    }
    g_autofree uint64_t *sorted = g_memdup2(values, n * sizeof *values);
    qsort(sorted, n, sizeof *sorted, af_order_u64);
    const uint64_t one = sorted[(n - 1) / 2], other = sorted[n / 2];
    return one + (other - one + 1) / 2;
}

/* Finds how many differences to omit at each end: as many as possible while the probability of so
 * low a rank sum is at most 2.5 %. counts[i][u]: in how many ways i of the first runs have the rank
 * sum u. */
static gboolean find_margin(uint32_t n, uint32_t m, uint32_t *margin)
{
    const uint32_t most = n * m;
    g_autofree double *ways = g_try_new0(double, ((size_t)n + 1) * (most + 1));
    if (ways == NULL) {
        return FALSE;
    }
    ways[0] = 1;
    /* a run of after adds to the sum how many of before stand below it */
    for (uint32_t j = 1; j <= n + m; j++) {
        for (uint32_t i = MIN(j, n); i >= 1; i--) {
            double *to = ways + (size_t)i * (most + 1);
            const double *from = to - (most + 1);
            const uint32_t above = j - i; /* of the other side, below this one */
            for (uint32_t u = above; above <= m && u <= most; u++) {
                to[u] += from[u - above];
            }
        }
    }
    const double *all = ways + (size_t)n * (most + 1);
    double total = 0, sum = 0;
    for (uint32_t u = 0; u <= most; u++) {
        total += all[u];
    }
    *margin = 0;
    while (*margin <= most / 2 && (sum += all[*margin]) <= total * 0.025) {
        (*margin)++;
    }
    return TRUE;
}

/* The mean of two, with halves away from zero, so that swapped sides give the negative. */
static int64_t find_middle(int64_t one, int64_t other)
{
    const af_i128 sum = (af_i128)one + other;
    return (int64_t)(sum < 0 ? (sum - 1) / 2 : (sum + 1) / 2);
}

gboolean af_shift_compute(const uint64_t *before, uint32_t n, const uint64_t *after, uint32_t m,
                          af_shift *shift)
{
    const size_t all = (size_t)n * m;
    g_autofree int64_t *differences = g_try_new(int64_t, all);
    uint32_t margin = 0;
    if (differences == NULL || !find_margin(n, m, &margin)) {
        return FALSE;
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < m; j++) {
            differences[(size_t)i * m + j] = (int64_t)(after[j] - before[i]);
        }
    }
    qsort(differences, all, sizeof *differences, compare_signed);
    shift->shift = find_middle(differences[(all - 1) / 2], differences[all / 2]);
    const size_t left_out = margin > 0 ? margin - 1 : 0;
    shift->low = differences[left_out];
    shift->high = differences[all - 1 - left_out];
    return TRUE;
}

typedef struct {
    uint64_t low, high;
} range;

static range find_range(const uint64_t *values, uint32_t n)
{
    range r = {UINT64_MAX, 0};
    for (uint32_t i = 0; i < n; i++) {
        r.low = MIN(r.low, values[i]);
        r.high = MAX(r.high, values[i]);
    }
    return r;
}

uint64_t af_shift_gap(const uint64_t *before, uint32_t n, const uint64_t *after, uint32_t m,
                      uint64_t *wider)
{
    const range one = find_range(before, n), other = find_range(after, m);
    *wider = MAX(one.high - one.low, other.high - other.low);
    return one.high < other.low   ? other.low - one.high
           : other.high < one.low ? one.low - other.high
                                  : 0;
}
