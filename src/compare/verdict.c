#include "compare/verdict.h"

#include <stdlib.h>

#include "compare/shift.h"
#include "compare/verdict_table.h"

gboolean af_verdict_has_runs(const af_runs *const sides[AF_SIDES])
{
    return sides[AF_BEFORE]->state != AF_RUNS_RESHAPED &&
           sides[AF_AFTER]->state != AF_RUNS_RESHAPED &&
           MAX(sides[AF_BEFORE]->n_runs, sides[AF_AFTER]->n_runs) > 1;
}

/* ---- the order of runs by their content ---- */

typedef struct {
    const af_diff *diff;
    uint32_t n; /* runs of before */
} contents;

static uint64_t content_of(const contents *c, uint32_t run, uint32_t method)
{
    const af_diff_method *m = &c->diff->methods[method];
    return run < c->n ? m->side[AF_BEFORE].runs[run] : m->side[AF_AFTER].runs[run - c->n];
}

static gint compare_contents(gconstpointer a, gconstpointer b, gpointer user)
{
    const contents *c = user;
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    for (uint32_t i = 0; i < c->diff->n_methods; i++) {
        const uint64_t x = content_of(c, one, i), y = content_of(c, other, i);
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return (one > other) - (one < other);
}

static gboolean reaches(const uint64_t *values, uint32_t n, uint64_t least)
{
    for (uint32_t i = 0; i < n; i++) {
        if (values[i] >= least) {
            return TRUE;
        }
    }
    return FALSE;
}

/* A choice by all runs of both sides, so that relabelling the runs does not change it. */
static gboolean is_tested(const af_diff *diff, const uint64_t *before, const uint64_t *after)
{
    const uint64_t least = diff->min_delta;
    return reaches(before, diff->side[AF_BEFORE].n_tested, least) ||
           reaches(after, diff->side[AF_AFTER].n_tested, least);
}

static af_verdict_row row_of_method(const af_diff *diff, const af_diff_method *m)
{
    const af_diff_figures *before = &m->side[AF_BEFORE], *after = &m->side[AF_AFTER];
    return (af_verdict_row){.before = before->inclusive,
                            .after = after->inclusive,
                            .runs = {before->runs, after->runs},
                            .calls = {diff->counted ? before->run_calls : NULL,
                                      diff->counted ? after->run_calls : NULL},
                            .by_calls = m->by_calls,
                            .waits = af_verdict_waits(diff, m->label),
                            .present = {before->present, after->present},
                            .equal = before->inclusive == after->inclusive &&
                                     before->self == after->self && before->calls == after->calls &&
                                     before->present == after->present,
                            .p = m->p};
}

static gboolean test_methods(af_diff *diff, const uint32_t *order)
{
    af_verdict_table t;
    af_verdict_table_begin(&t, diff, order);
    for (uint32_t i = 0; i < diff->n_methods; i++) {
        af_diff_method *m = &diff->methods[i];
        const af_verdict_row row = row_of_method(diff, m);
        if (is_tested(diff, row.runs[AF_BEFORE], row.runs[AF_AFTER])) {
            af_verdict_table_add(&t, &row, &m->p);
        } else if (af_verdict_is_fact(diff, &row)) {
            m->p = AF_DIFF_FACT;
        }
    }
    return af_verdict_table_end(&t);
}

static gboolean measure_shift(const af_diff *diff, af_diff_method *m)
{
    af_shift shift;
    const gboolean ok =
        af_shift_compute(m->side[AF_BEFORE].runs, diff->side[AF_BEFORE].n_tested,
                         m->side[AF_AFTER].runs, diff->side[AF_AFTER].n_tested, &shift);
    if (ok) {
        m->shift = shift.shift;
        m->low = shift.low;
        m->high = shift.high;
    }
    return ok;
}

static gboolean judge_methods(af_diff *diff, gboolean by_runs)
{
    gboolean ok = TRUE;
    for (uint32_t i = 0; ok && i < diff->n_methods; i++) {
        ok = !by_runs || measure_shift(diff, &diff->methods[i]);
        const af_verdict_row row = row_of_method(diff, &diff->methods[i]);
        diff->methods[i].status = af_verdict_judge(diff, &row);
    }
    return ok;
}

/* The time of each run in the threads of a pair, and whether it has one: [thread * n + run]. */
typedef struct {
    uint64_t *times, *present;
} thread_sums;

static gboolean sum_threads(const af_diff *diff, const af_runs *runs, unsigned side,
                            const af_union_nodes *nodes, thread_sums *sums)
{
    const uint32_t n = runs->runs->len;
    sums->times = g_try_new0(uint64_t, (size_t)diff->n_threads * n + 1);
    sums->present = g_try_new0(uint64_t, (size_t)diff->n_threads * n + 1);
    const gboolean ok = sums->times != NULL && sums->present != NULL;
    for (uint32_t r = 0; ok && r < n; r++) {
        const af_run *run = &g_array_index(runs->runs, af_run, r);
        for (uint32_t i = 0; i < run->n_rows; i++) {
            if (!run->rows[i].masked) {
                const uint32_t thread = nodes->pair_of[side][run->rows[i].thread];
                sums->times[(size_t)thread * n + r] += run->rows[i].self[diff->clock];
                sums->present[(size_t)thread * n + r] = 1;
            }
        }
    }
    return ok;
}

static af_verdict_row row_of_thread(const af_diff *diff, uint32_t number,
                                    const thread_sums sums[AF_SIDES])
{
    const af_diff_thread *thread = &diff->threads[number];
    const af_diff_tree *tree = &thread->tree;
    af_verdict_row row = {
        .before = af_diff_path_time(tree, AF_BEFORE, 0),
        .after = af_diff_path_time(tree, AF_AFTER, 0),
        .present = {thread->name[AF_BEFORE] != NULL, thread->name[AF_AFTER] != NULL},
        .equal = tree->grown[0] == 0 && tree->shrunk[0] == 0 &&
                 (thread->name[AF_BEFORE] != NULL) == (thread->name[AF_AFTER] != NULL),
        .p = -1};
    for (unsigned s = 0; s < AF_SIDES && sums[s].times != NULL; s++) {
        const size_t at = (size_t)number * diff->side[s].n_tested;
        row.runs[s] = sums[s].times + at;
        row.calls[s] = diff->counted ? sums[s].present + at : NULL;
    }
    return row;
}

/* Fills p[thread]. */
static gboolean test_threads(const af_diff *diff, const thread_sums sums[AF_SIDES],
                             const uint32_t *order, double *p)
{
    af_verdict_table t;
    af_verdict_table_begin(&t, diff, order);
    for (uint32_t i = 0; i < diff->n_threads; i++) {
        const af_verdict_row row = row_of_thread(diff, i, sums);
        af_verdict_table_add(&t, &row, &p[i]);
    }
    return af_verdict_table_end(&t);
}

static gboolean judge_threads(af_diff *diff, const af_runs *const sides[AF_SIDES],
                              const af_union_nodes *nodes, const uint32_t *order)
{
    thread_sums sums[AF_SIDES] = {{NULL, NULL}, {NULL, NULL}};
    g_autofree double *p = g_try_new(double, (size_t)diff->n_threads + 1);
    gboolean ok = p != NULL;
    for (unsigned s = 0; ok && order != NULL && s < AF_SIDES; s++) {
        ok = sum_threads(diff, sides[s], s, nodes, &sums[s]);
    }
    ok = ok && (order == NULL || test_threads(diff, sums, order, p));
    for (uint32_t i = 0; ok && i < diff->n_threads; i++) {
        af_verdict_row row = row_of_thread(diff, i, sums);
        row.p = order != NULL ? p[i] : -1;
        diff->threads[i].status = af_verdict_judge(diff, &row);
    }
    for (unsigned s = 0; s < AF_SIDES; s++) {
        g_free(sums[s].times);
        g_free(sums[s].present);
    }
    return ok;
}

gboolean af_verdict_reach(af_diff *diff, const af_runs *const sides[AF_SIDES],
                          const af_union_nodes *nodes, const af_scale scale[AF_SIDES],
                          unsigned jobs)
{
    const gboolean by_runs = af_verdict_has_runs(sides);
    uint32_t order[2 * AF_RUNS_MAX];
    gboolean ok = TRUE;
    if (by_runs) {
        const uint32_t n = diff->side[AF_BEFORE].n_tested, m = diff->side[AF_AFTER].n_tested;
        contents c = {diff, n};
        for (uint32_t i = 0; i < n + m; i++) {
            order[i] = i;
        }
        qsort_r(order, n + m, sizeof *order, compare_contents, &c);
        ok = test_methods(diff, order);
    }
    const af_verdict_sides runs = {sides, nodes, scale, by_runs ? order : NULL};
    return ok && judge_methods(diff, by_runs) && judge_threads(diff, sides, nodes, runs.order) &&
           af_verdict_paths(diff, &runs, jobs);
}
