#include "compare/verdict_table.h"

#include <string.h>

#include "compare/permutation.h"
#include "compare/shift.h"
#include "model/waits.h"

#define SIGNIFICANT 0.05

static uint64_t find_gap(const af_diff *diff, const uint64_t *const values[AF_SIDES],
                         uint64_t *wider)
{
    return af_shift_gap(values[AF_BEFORE], diff->side[AF_BEFORE].n_tested, values[AF_AFTER],
                        diff->side[AF_AFTER].n_tested, wider);
}

static uint32_t count_runs(const af_diff *diff, const af_verdict_row *row, unsigned s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < diff->side[s].n_tested; i++) {
        n += row->runs[s][i] > 0 || (row->calls[s] != NULL && row->calls[s][i] > 0) ? 1 : 0;
    }
    return n;
}

/* Whether all runs of one side have the row and none of the other. */
static gboolean is_on_one_side(const af_diff *diff, const af_verdict_row *row)
{
    const uint32_t before = count_runs(diff, row, AF_BEFORE);
    const uint32_t after = count_runs(diff, row, AF_AFTER);
    return (before == 0 && after == diff->side[AF_AFTER].n_tested) ||
           (after == 0 && before == diff->side[AF_BEFORE].n_tested);
}

gboolean af_verdict_waits(const af_diff *diff, uint32_t label)
{
    const af_waits kind = af_waits_kind(diff->labels[label].waits);
    return kind == AF_WAITS_IDLE || kind == AF_WAITS_MONITOR || kind == AF_WAITS_LOCK;
}

gboolean af_verdict_is_fact(const af_diff *diff, const af_verdict_row *row)
{
    uint64_t wider;
    if (row->calls[AF_BEFORE] == NULL || diff->ground < AF_DIFF_BY_GAP) {
        return FALSE;
    }
    if (is_on_one_side(diff, row)) {
        return MAX(row->before, row->after) >= diff->min_delta;
    }
    return !row->waits && af_diff_size(row->by_calls) >= diff->min_delta &&
           find_gap(diff, row->calls, &wider) > 0;
}

static af_diff_status name_change(const af_diff *diff, const af_verdict_row *row)
{
    const gboolean known = row->runs[AF_BEFORE] != NULL && diff->ground >= AF_DIFF_BY_GAP;
    if (row->present[AF_BEFORE] == row->present[AF_AFTER] ||
        (known && !is_on_one_side(diff, row))) {
        return AF_DIFF_CHANGED;
    }
    return row->present[AF_AFTER] ? AF_DIFF_NEW : AF_DIFF_GONE;
}

af_diff_status af_verdict_judge(const af_diff *diff, const af_verdict_row *row)
{
    uint64_t wider = 0;
    if (row->equal) {
        return AF_DIFF_SAME;
    }
    if (row->p == AF_DIFF_FACT) {
        return name_change(diff, row);
    }
    gboolean beyond = af_diff_distance(row->before, row->after) >= diff->min_delta;
    if (beyond && diff->ground == AF_DIFF_BY_NOTHING) {
        return AF_DIFF_UNSURE;
    }
    if (beyond && row->runs[AF_BEFORE] != NULL && diff->ground == AF_DIFF_BY_GAP) {
        const uint64_t gap = find_gap(diff, row->runs, &wider);
        beyond = gap > 0 && gap >= wider;
    } else if (beyond && row->runs[AF_BEFORE] != NULL && diff->ground == AF_DIFF_BY_TEST) {
        beyond = row->p >= 0 && row->p <= SIGNIFICANT;
    }
    return beyond ? name_change(diff, row) : AF_DIFF_NOISE;
}

void af_verdict_table_begin(af_verdict_table *t, const af_diff *diff, const uint32_t *order)
{
    *t = (af_verdict_table){.diff = diff, .order = order};
    af_array_init(&t->values, sizeof(uint64_t));
    af_array_init(&t->results, sizeof(double *));
}

void af_verdict_table_add(af_verdict_table *t, const af_verdict_row *row, double *p)
{
    if (af_verdict_is_fact(t->diff, row)) {
        *p = AF_DIFF_FACT;
        return;
    }
    const uint32_t n = t->diff->side[AF_BEFORE].n_tested, m = t->diff->side[AF_AFTER].n_tested;
    uint64_t *values = af_array_add(&t->values, (size_t)n + m);
    double **result = af_array_add(&t->results, 1);
    if (values != NULL && result != NULL) {
        memcpy(values, row->runs[AF_BEFORE], n * sizeof *values);
        memcpy(values + n, row->runs[AF_AFTER], m * sizeof *values);
        *result = p;
    }
}

gboolean af_verdict_table_end(af_verdict_table *t)
{
    const uint32_t n_rows = (uint32_t)t->results.n;
    const af_permutation_table tested = {.values = t->values.items,
                                         .n_rows = n_rows,
                                         .n_before = t->diff->side[AF_BEFORE].n_tested,
                                         .n_after = t->diff->side[AF_AFTER].n_tested,
                                         .order = t->order};
    const gboolean tests = t->diff->ground == AF_DIFF_BY_TEST;
    g_autofree double *p = g_try_new(double, (size_t)n_rows + 1);
    const gboolean ok = p != NULL && !t->values.failed && !t->results.failed &&
                        (!tests || af_permutation_test(&tested, p));
    for (uint32_t i = 0; ok && i < n_rows; i++) {
        *AF_ARRAY_AT(&t->results, double *, i) = tests ? p[i] : -1;
    }
    af_array_clear(&t->values);
    af_array_clear(&t->results);
    return ok;
}
