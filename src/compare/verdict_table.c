#include "compare/verdict_table.h"

#include <string.h>

#include "compare/permutation.h"
#include "model/waits.h"

#define SIGNIFICANT 0.05

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

/* The distance between the ranges of the sides; 0 = they overlap. *wider is the width of the wider
 * one. */
static uint64_t find_gap(const af_diff *diff, const uint64_t *const values[AF_SIDES],
                         uint64_t *wider)
{
    const range before = find_range(values[AF_BEFORE], diff->side[AF_BEFORE].n_tested);
    const range after = find_range(values[AF_AFTER], diff->side[AF_AFTER].n_tested);
    *wider = MAX(before.high - before.low, after.high - after.low);
    return before.high < after.low   ? after.low - before.high
           : after.high < before.low ? before.low - after.high
                                     : 0;
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
    const uint64_t by_calls =
        row->by_calls < 0 ? 0 - (uint64_t)row->by_calls : (uint64_t)row->by_calls;
    return !row->waits && by_calls >= diff->min_delta && find_gap(diff, row->calls, &wider) > 0;
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
    *t = (af_verdict_table){
        .n = diff->side[AF_BEFORE].n_tested, .m = diff->side[AF_AFTER].n_tested, .order = order};
    af_array_init(&t->values, sizeof(uint64_t));
    af_array_init(&t->rows, sizeof(uint32_t));
}

void af_verdict_table_add(af_verdict_table *t, uint32_t number, const uint64_t *before,
                          const uint64_t *after)
{
    uint64_t *values = af_array_add(&t->values, (size_t)t->n + t->m);
    uint32_t *added = af_array_add(&t->rows, 1);
    if (values != NULL && added != NULL) {
        memcpy(values, before, t->n * sizeof *values);
        memcpy(values + t->n, after, t->m * sizeof *values);
        *added = number;
    }
}

gboolean af_verdict_table_run(af_verdict_table *t, const af_diff *diff)
{
    const af_permutation_table tested = {.values = t->values.items,
                                         .n_rows = (uint32_t)t->rows.n,
                                         .n_before = t->n,
                                         .n_after = t->m,
                                         .order = t->order};
    t->p = g_try_new(double, t->rows.n + 1);
    if (t->p == NULL || t->values.failed || t->rows.failed) {
        return FALSE;
    }
    for (size_t i = 0; i < t->rows.n; i++) {
        t->p[i] = -1;
    }
    return diff->ground != AF_DIFF_BY_TEST || af_permutation_test(&tested, t->p);
}

void af_verdict_table_end(af_verdict_table *t)
{
    g_free(t->p);
    af_array_clear(&t->values);
    af_array_clear(&t->rows);
}
