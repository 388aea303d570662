#include "compare/permutation.h"

#include <math.h>
#include <string.h>
#include "base/order.h"

/* Statistics this close are equal: a relabelling and its mirror image differ only by rounding. */
#define TOLERANCE 1e-9

#define SEED UINT64_C(0x61666C616D65) /* "aflame" */

/* C(n, k), or something above `most`. */
static double count_ways(uint32_t n, uint32_t k)
{
    double ways = 1;
    for (uint32_t i = 1; i <= k; i++) {
        ways = ways * (n - k + i) / i;
    }
    return floor(ways + 0.5);
}

double af_permutation_least_p(uint32_t n, uint32_t m)
{
    if (n == 0 || m == 0 || n + m < 3) {
        return 1;
    }
    const double ways = count_ways(n + m, MIN(n, m));
    return (n == m ? 2 : 1) / ways;
}

/* The runs of the smaller side, by their numbers in order of content, ascending. */
typedef struct {
    uint32_t n, k; /* runs, and those of the smaller side */
    uint32_t *chosen;
    gboolean complete;
    uint32_t ways, done;
    uint64_t random;
    uint32_t *shuffled;
} relabelling;

static uint64_t draw(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15)); /* splitmix64 */
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static void choose_random(relabelling *r)
{
    for (uint32_t i = 0; i < r->n; i++) {
        r->shuffled[i] = i;
    }
    for (uint32_t i = 0; i < r->k; i++) {
        const uint32_t at = i + (uint32_t)(draw(&r->random) % (r->n - i));
        const uint32_t picked = r->shuffled[at];
        r->shuffled[at] = r->shuffled[i];
        r->shuffled[i] = picked;
    }
    memcpy(r->chosen, r->shuffled, r->k * sizeof *r->chosen);
    qsort(r->chosen, r->k, sizeof *r->chosen, af_order_u32);
}

/* The next combination in lexical order. */
static void choose_next(relabelling *r)
{
    uint32_t i = r->k;
    while (i > 0 && r->chosen[i - 1] == r->n - r->k + i - 1) {
        i--;
    }
    if (i > 0) {
        r->chosen[i - 1]++;
        for (; i < r->k; i++) {
            r->chosen[i] = r->chosen[i - 1] + 1;
        }
    }
}

/* FALSE when all are done. With random ones the observed labelling, which `chosen` holds at first,
 * is one of them. */
static gboolean choose(relabelling *r)
{
    if (r->done == r->ways) {
        return FALSE;
    }
    if (r->complete && r->done == 0) {
        for (uint32_t i = 0; i < r->k; i++) {
            r->chosen[i] = i;
        }
    } else if (r->complete) {
        choose_next(r);
    } else if (r->done > 0) {
        choose_random(r);
    }
    r->done++;
    return TRUE;
}

typedef struct {
    uint32_t n_rows, n, k;
    double *relative; /* by run in order of content, then row: value / mean of the row */
    double *total;    /* by row: sum of squared distances from the mean, which is 1 or 0 */
    double *mean;
    double *sum, *error, *sorted; /* scratch */
    double *statistic;
} testing;

static double median_of(double *values, uint32_t n)
{
    uint32_t low = 0, high = n - 1;
    const uint32_t middle = n / 2;
    while (low < high) { /* quickselect */
        const double pivot = values[low + (high - low) / 2];
        uint32_t i = low, j = high;
        while (i <= j) {
            while (values[i] < pivot) {
                i++;
            }
            while (values[j] > pivot) {
                j--;
            }
            if (i <= j) {
                const double swapped = values[i];
                values[i++] = values[j];
                values[j] = swapped;
                if (j == 0) {
                    break;
                }
                j--;
            }
        }
        if (middle <= j) {
            high = j;
        } else if (middle >= i) {
            low = i;
        } else {
            break;
        }
    }
    double below = values[middle];
    if (n % 2 == 0) {
        below = values[0];
        for (uint32_t i = 1; i < middle; i++) {
            below = MAX(below, values[i]);
        }
    }
    return (below + values[middle]) / 2;
}

static void add_chosen(testing *t, const uint32_t *chosen)
{
    memset(t->sum, 0, t->n_rows * sizeof *t->sum);
    for (uint32_t i = 0; i < t->k; i++) {
        const double *run = t->relative + (size_t)chosen[i] * t->n_rows;
        for (uint32_t r = 0; r < t->n_rows; r++) {
            t->sum[r] += run[r];
        }
    }
}

/* Fills `statistic` and returns the largest. */
static double compute(testing *t, const uint32_t *chosen)
{
    const double n = t->n, k = t->k, rest = n - k;
    add_chosen(t, chosen);
    for (uint32_t r = 0; r < t->n_rows; r++) {
        t->sum[r] = t->sum[r] / k - (t->mean[r] * n - t->sum[r]) / rest; /* difference of means */
        const double within = t->total[r] - k * rest / n * t->sum[r] * t->sum[r];
        const double clean = within > t->total[r] * 1e-12 ? within : 0;
        t->error[r] = sqrt(clean / (n - 2) * (1 / k + 1 / rest));
    }
    memcpy(t->sorted, t->error, t->n_rows * sizeof *t->sorted);
    const double median = median_of(t->sorted, t->n_rows);
    double largest = 0;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const double over = sqrt((t->error[r] * t->error[r] + median * median) / 2);
        const double size = fabs(t->sum[r]);
        t->statistic[r] = over > 0 ? size / over : size > TOLERANCE ? HUGE_VAL : 0;
        largest = MAX(largest, t->statistic[r]);
    }
    return largest;
}

/* Values relative to the mean of their row. */
static void prepare(testing *t, const af_permutation_table *table)
{
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const uint64_t *values = table->values + (size_t)r * t->n;
        double sum = 0;
        for (uint32_t i = 0; i < t->n; i++) {
            sum += (double)values[table->order[i]];
        }
        t->mean[r] = sum > 0 ? 1 : 0;
        t->total[r] = 0;
        for (uint32_t i = 0; i < t->n; i++) {
            const double x = sum > 0 ? (double)values[table->order[i]] / (sum / t->n) : 0;
            t->relative[(size_t)i * t->n_rows + r] = x;
            t->total[r] += (x - t->mean[r]) * (x - t->mean[r]);
        }
    }
}

/* The runs of the smaller side, in order of content. */
static void choose_observed(relabelling *r, const af_permutation_table *table)
{
    const gboolean before = table->n_before <= table->n_after;
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        if ((table->order[i] < table->n_before) == before) {
            r->chosen[n++] = i;
        }
    }
}

static void count_reaching(testing *t, relabelling *r, const double *own, double *p)
{
    for (uint32_t i = 0; i < t->n_rows; i++) {
        p[i] = 0;
    }
    while (choose(r)) {
        const double largest = compute(t, r->chosen);
        for (uint32_t i = 0; i < t->n_rows; i++) {
            p[i] += largest >= own[i] * (1 - TOLERANCE) ? 1 : 0;
        }
    }
    for (uint32_t i = 0; i < t->n_rows; i++) {
        p[i] /= r->ways;
    }
}

static gboolean test_rows(testing *t, relabelling *r, const af_permutation_table *table, double *p)
{
    g_autofree double *own = g_try_new(double, t->n_rows);
    if (own == NULL) {
        return FALSE;
    }
    prepare(t, table);
    choose_observed(r, table);
    compute(t, r->chosen);
    memcpy(own, t->statistic, t->n_rows * sizeof *own);
    count_reaching(t, r, own, p);
    return TRUE;
}

gboolean af_permutation_test(const af_permutation_table *table, double *p)
{
    const uint32_t n = table->n_before + table->n_after, k = MIN(table->n_before, table->n_after);
    for (uint32_t r = 0; r < table->n_rows; r++) {
        p[r] = 1;
    }
    if (n < 3 || k == 0 || table->n_rows == 0) {
        return TRUE;
    }
    const double ways = count_ways(n, k);
    const size_t rows = table->n_rows;
    g_autofree double *block = g_try_new(double, rows *n + rows * 6);
    g_autofree uint32_t *numbers = g_try_new(uint32_t, (size_t)n * 2);
    gboolean ok = block != NULL && numbers != NULL;
    if (ok) {
        double *at = block + rows * n;
        testing t = {.n_rows = table->n_rows,
                     .n = n,
                     .k = k,
                     .relative = block,
                     .total = at,
                     .mean = at + rows,
                     .sum = at + rows * 2,
                     .error = at + rows * 3,
                     .sorted = at + rows * 4,
                     .statistic = at + rows * 5};
        relabelling r = {.n = n,
                         .k = k,
                         .chosen = numbers,
                         .shuffled = numbers + n,
                         .complete = ways <= AF_PERMUTATIONS,
                         .random = SEED,
                         .ways = ways <= AF_PERMUTATIONS ? (uint32_t)ways : AF_PERMUTATIONS};
        ok = test_rows(&t, &r, table, p);
    }
    return ok;
}
