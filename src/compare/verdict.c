#include "compare/verdict.h"

#include <stdlib.h>
#include <string.h>

#include "base/wide.h"
#include "base/workers.h"
#include "compare/permutation.h"
#include "compare/shift.h"

#define SIGNIFICANT 0.05

/* Paths are tested down to this many of them, those with most time. */
#define MOST_PATHS 2000

gboolean af_verdict_has_runs(const af_runs *const sides[AF_SIDES])
{
    return sides[AF_BEFORE]->state != AF_RUNS_RESHAPED &&
           sides[AF_AFTER]->state != AF_RUNS_RESHAPED &&
           MAX(sides[AF_BEFORE]->n_runs, sides[AF_AFTER]->n_runs) > 1;
}

static uint64_t measure(uint64_t one, uint64_t other)
{
    return one > other ? one - other : other - one;
}

static gboolean overlap(const uint64_t *before, uint32_t n, const uint64_t *after, uint32_t m)
{
    uint64_t low[2] = {UINT64_MAX, UINT64_MAX}, high[2] = {0, 0};
    for (uint32_t i = 0; i < n; i++) {
        low[0] = MIN(low[0], before[i]);
        high[0] = MAX(high[0], before[i]);
    }
    for (uint32_t i = 0; i < m; i++) {
        low[1] = MIN(low[1], after[i]);
        high[1] = MAX(high[1], after[i]);
    }
    return low[0] <= high[1] && low[1] <= high[0];
}

/* The numbers of one row of a table, which decide its status. */
typedef struct {
    uint64_t before, after; /* medians or means */
    const uint64_t *runs[AF_SIDES];
    gboolean present[AF_SIDES];
    gboolean equal; /* all numbers are */
    double p;       /* < 0 = not tested */
} row;

static af_diff_status judge(const af_diff *diff, const row *r)
{
    const uint32_t n = diff->side[AF_BEFORE].n_tested, m = diff->side[AF_AFTER].n_tested;
    if (r->equal) {
        return AF_DIFF_SAME;
    }
    gboolean beyond = measure(r->before, r->after) >= diff->min_delta;
    if (r->runs[AF_BEFORE] != NULL && r->runs[AF_AFTER] != NULL) {
        beyond = beyond && (diff->tested ? r->p >= 0 && r->p <= SIGNIFICANT
                                         : !overlap(r->runs[AF_BEFORE], n, r->runs[AF_AFTER], m));
    }
    return !beyond                  ? AF_DIFF_NOISE
           : !r->present[AF_BEFORE] ? AF_DIFF_NEW
           : !r->present[AF_AFTER]  ? AF_DIFF_GONE
                                    : AF_DIFF_CHANGED;
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

static void order_runs(const af_diff *diff, uint32_t *order)
{
    const uint32_t n = diff->side[AF_BEFORE].n_tested, m = diff->side[AF_AFTER].n_tested;
    contents c = {diff, n};
    for (uint32_t i = 0; i < n + m; i++) {
        order[i] = i;
    }
    qsort_r(order, n + m, sizeof *order, compare_contents, &c);
}

/* ---- a table ---- */

/* Rows to test, in the order of permutation.h. */
typedef struct {
    uint32_t n, m;
    const uint32_t *order;
    af_array values; /* of uint64_t */
    af_array rows;   /* of uint32_t: the row's number for the caller */
    double *p;
} table;

static void begin_table(table *t, const af_diff *diff, const uint32_t *order)
{
    *t = (table){
        .n = diff->side[AF_BEFORE].n_tested, .m = diff->side[AF_AFTER].n_tested, .order = order};
    af_array_init(&t->values, sizeof(uint64_t));
    af_array_init(&t->rows, sizeof(uint32_t));
}

static void add_row(table *t, uint32_t number, const uint64_t *before, const uint64_t *after)
{
    uint64_t *values = af_array_add(&t->values, (size_t)t->n + t->m);
    uint32_t *added = af_array_add(&t->rows, 1);
    if (values != NULL && added != NULL) {
        memcpy(values, before, t->n * sizeof *values);
        memcpy(values + t->n, after, t->m * sizeof *values);
        *added = number;
    }
}

static gboolean run_table(table *t)
{
    const af_permutation_table tested = {.values = t->values.items,
                                         .n_rows = (uint32_t)t->rows.n,
                                         .n_before = t->n,
                                         .n_after = t->m,
                                         .order = t->order};
    t->p = g_try_new(double, t->rows.n + 1);
    return t->p != NULL && !t->values.failed && !t->rows.failed &&
           af_permutation_test(&tested, t->p);
}

static void end_table(table *t)
{
    g_free(t->p);
    af_array_clear(&t->values);
    af_array_clear(&t->rows);
}

/* ---- methods ---- */

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

static gboolean test_methods(af_diff *diff, const uint32_t *order)
{
    table t;
    begin_table(&t, diff, order);
    for (uint32_t i = 0; i < diff->n_methods; i++) {
        const uint64_t *before = diff->methods[i].side[AF_BEFORE].runs;
        const uint64_t *after = diff->methods[i].side[AF_AFTER].runs;
        if (is_tested(diff, before, after)) {
            add_row(&t, i, before, after);
        }
    }
    const gboolean ok = run_table(&t);
    for (size_t i = 0; ok && i < t.rows.n; i++) {
        diff->methods[AF_ARRAY_AT(&t.rows, uint32_t, i)].p = t.p[i];
    }
    end_table(&t);
    return ok;
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

static void judge_method(const af_diff *diff, af_diff_method *m)
{
    const af_diff_figures *before = &m->side[AF_BEFORE], *after = &m->side[AF_AFTER];
    const row r = {.before = before->inclusive,
                   .after = after->inclusive,
                   .runs = {before->runs, after->runs},
                   .present = {before->present, after->present},
                   .equal = before->inclusive == after->inclusive && before->self == after->self &&
                            before->calls == after->calls && before->present == after->present,
                   .p = m->p};
    m->status = judge(diff, &r);
}

static gboolean judge_methods(af_diff *diff, gboolean by_runs)
{
    gboolean ok = TRUE;
    for (uint32_t i = 0; ok && i < diff->n_methods; i++) {
        ok = !by_runs || measure_shift(diff, &diff->methods[i]);
        judge_method(diff, &diff->methods[i]);
    }
    return ok;
}

/* ---- threads ---- */

/* The time of each run in the threads of a pair: [thread * n + run]. */
static uint64_t *sum_threads(const af_diff *diff, const af_runs *runs, unsigned side,
                             const af_union_nodes *nodes)
{
    const uint32_t n = runs->runs->len;
    uint64_t *sums = g_try_new0(uint64_t, (size_t)diff->n_threads * n + 1);
    for (uint32_t r = 0; sums != NULL && r < n; r++) {
        const af_run *run = &g_array_index(runs->runs, af_run, r);
        for (uint32_t i = 0; i < run->n_rows; i++) {
            if (!run->rows[i].masked) {
                const uint32_t thread = nodes->pair_of[side][run->rows[i].thread];
                sums[(size_t)thread * n + r] += run->rows[i].self[diff->clock];
            }
        }
    }
    return sums;
}

static void judge_thread(const af_diff *diff, af_diff_thread *thread,
                         uint64_t *const runs[AF_SIDES], double p)
{
    const af_diff_tree *tree = &thread->tree;
    const row r = {.before = af_diff_path_time(tree, AF_BEFORE, 0),
                   .after = af_diff_path_time(tree, AF_AFTER, 0),
                   .runs = {runs[AF_BEFORE], runs[AF_AFTER]},
                   .present = {thread->name[AF_BEFORE] != NULL, thread->name[AF_AFTER] != NULL},
                   .equal = tree->grown[0] == 0 && tree->shrunk[0] == 0 &&
                            (thread->name[AF_BEFORE] != NULL) == (thread->name[AF_AFTER] != NULL),
                   .p = p};
    thread->status = judge(diff, &r);
}

static gboolean judge_threads(af_diff *diff, const af_runs *const sides[AF_SIDES],
                              const af_union_nodes *nodes, const uint32_t *order)
{
    uint64_t *sums[AF_SIDES] = {NULL, NULL};
    gboolean ok = TRUE;
    table t;
    begin_table(&t, diff, order);
    for (unsigned s = 0; order != NULL && s < AF_SIDES; s++) {
        sums[s] = sum_threads(diff, sides[s], s, nodes);
        ok = ok && sums[s] != NULL;
    }
    for (uint32_t i = 0; ok && order != NULL && i < diff->n_threads; i++) {
        add_row(&t, i, sums[AF_BEFORE] + (size_t)i * t.n, sums[AF_AFTER] + (size_t)i * t.m);
    }
    ok = ok && run_table(&t);
    for (uint32_t i = 0; ok && i < diff->n_threads; i++) {
        uint64_t *const runs[AF_SIDES] = {order != NULL ? sums[AF_BEFORE] + (size_t)i * t.n : NULL,
                                          order != NULL ? sums[AF_AFTER] + (size_t)i * t.m : NULL};
        judge_thread(diff, &diff->threads[i], runs, order != NULL ? t.p[i] : -1);
    }
    end_table(&t);
    g_free(sums[AF_BEFORE]);
    g_free(sums[AF_AFTER]);
    return ok;
}

/* ---- paths ---- */

/* The inclusive times of each run: [run][node] of one thread of the union. */
typedef struct {
    uint64_t *times;
    uint32_t n; /* runs of both sides */
} run_times;

/* The run that was added as this one; UINT32_MAX = it was not kept. */
static uint32_t find_run(const af_runs *runs, uint32_t number)
{
    for (uint32_t r = 0; r < runs->runs->len; r++) {
        if (g_array_index(runs->runs, af_run, r).number == number) {
            return r;
        }
    }
    return UINT32_MAX;
}

static uint64_t self_of(const af_run_paths *run, uint32_t node, af_clock clock)
{
    if (clock != AF_WAIT) {
        return run->self[clock] != NULL ? run->self[clock][node] : 0;
    }
    if (run->self[AF_WALL] == NULL || run->self[AF_CPU] == NULL) {
        return 0;
    }
    const uint64_t wall = run->self[AF_WALL][node], cpu = run->self[AF_CPU][node];
    return wall > cpu ? wall - cpu : 0;
}

static void add_run_paths(const af_diff *diff, const af_runs *runs, const af_runs_thread *thread,
                          const uint32_t *node_of, uint64_t *times, uint32_t n_nodes,
                          const af_scale *scale)
{
    for (guint i = 0; i < thread->runs->len; i++) {
        const af_run_paths *run = &g_array_index(thread->runs, af_run_paths, i);
        const uint32_t number = find_run(runs, run->run);
        uint64_t *to = times + (size_t)number * n_nodes;
        for (uint32_t n = 1; number != UINT32_MAX && n < run->n; n++) {
            const af_u128 scaled =
                (af_u128)self_of(run, n, diff->clock) * scale->times * runs->n_runs +
                scale->over / 2;
            to[node_of[run->node[n]]] += (uint64_t)(scaled / scale->over);
        }
    }
}

static gboolean fill_times(const af_diff *diff, const af_runs *const sides[AF_SIDES],
                           const af_union_nodes *nodes, const af_scale scale[AF_SIDES],
                           uint32_t number, run_times *r)
{
    const af_diff_tree *tree = &diff->threads[number].tree;
    r->times = g_try_new0(uint64_t, (size_t)tree->n * r->n);
    uint64_t *of_side = r->times;
    for (unsigned s = 0; r->times != NULL && s < AF_SIDES; s++) {
        for (guint t = 0; t < sides[s]->threads->len; t++) {
            if (nodes->pair_of[s][t] == number) {
                add_run_paths(diff, sides[s], sides[s]->threads->pdata[t], nodes->node_of[s][t],
                              of_side, tree->n, &scale[s]);
            }
        }
        of_side += (size_t)sides[s]->runs->len * tree->n;
    }
    for (uint32_t run = 0; r->times != NULL && run < r->n; run++) {
        uint64_t *times = r->times + (size_t)run * tree->n;
        for (uint32_t n = tree->n - 1; n > 0; n--) {
            times[tree->parent[n]] += times[n];
        }
    }
    return r->times != NULL;
}

/* A path that may be tested. */
typedef struct {
    uint64_t most; /* of its means */
    uint32_t thread, node;
} candidate;

static int compare_candidates(const void *a, const void *b)
{
    const candidate *one = a, *other = b;
    return (one->most < other->most) - (one->most > other->most);
}

/* The paths with most time. Ties at the end are left out, so that the choice does not depend on
 * their order. */
static gboolean choose_paths(const af_diff *diff, af_array *chosen)
{
    for (uint32_t t = 0; t < diff->n_threads; t++) {
        const af_diff_tree *tree = &diff->threads[t].tree;
        for (uint32_t n = 1; n < tree->n; n++) {
            const uint64_t most =
                MAX(af_diff_path_time(tree, AF_BEFORE, n), af_diff_path_time(tree, AF_AFTER, n));
            if (most >= diff->min_delta) {
                candidate *c = af_array_add(chosen, 1);
                if (c == NULL) {
                    return FALSE;
                }
                *c = (candidate){most, t, n};
            }
        }
    }
    if (chosen->n > MOST_PATHS) {
        candidate *all = chosen->items;
        qsort(all, chosen->n, sizeof *all, compare_candidates);
        const uint64_t cut = all[MOST_PATHS].most;
        chosen->n = MOST_PATHS;
        while (chosen->n > 0 && all[chosen->n - 1].most == cut) {
            chosen->n--;
        }
    }
    return TRUE;
}

static gboolean collect_paths(af_diff *diff, const af_runs *const sides[AF_SIDES],
                              const af_union_nodes *nodes, const af_scale scale[AF_SIDES],
                              const af_array *chosen, table *t)
{
    run_times r = {.n = t->n + t->m};
    uint64_t *column = g_try_new(uint64_t, (size_t)r.n + 1);
    gboolean ok = column != NULL;
    for (uint32_t thread = 0; ok && thread < diff->n_threads; thread++) {
        const uint32_t n_nodes = diff->threads[thread].tree.n;
        ok = fill_times(diff, sides, nodes, scale, thread, &r);
        for (size_t i = 0; ok && i < chosen->n; i++) {
            const candidate *c = &AF_ARRAY_AT(chosen, candidate, i);
            if (c->thread == thread) {
                for (uint32_t run = 0; run < r.n; run++) {
                    column[run] = r.times[(size_t)run * n_nodes + c->node];
                }
                add_row(t, (uint32_t)i, column, column + t->n);
            }
        }
        g_clear_pointer(&r.times, g_free);
    }
    g_free(column);
    return ok;
}

static gboolean test_paths(af_diff *diff, const af_runs *const sides[AF_SIDES],
                           const af_union_nodes *nodes, const af_scale scale[AF_SIDES],
                           const uint32_t *order, af_array *chosen, table *t)
{
    gboolean ok = choose_paths(diff, chosen) &&
                  collect_paths(diff, sides, nodes, scale, chosen, t) && run_table(t);
    for (uint32_t i = 0; ok && i < diff->n_threads; i++) {
        af_diff_tree *tree = &diff->threads[i].tree;
        tree->p = af_arena_alloc(diff->arena, tree->n * sizeof(double));
        ok = tree->p != NULL;
        for (uint32_t n = 0; ok && n < tree->n; n++) {
            tree->p[n] = -1;
        }
    }
    for (size_t i = 0; ok && i < t->rows.n; i++) {
        const candidate *c = &AF_ARRAY_AT(chosen, candidate, AF_ARRAY_AT(&t->rows, uint32_t, i));
        diff->threads[c->thread].tree.p[c->node] = t->p[i];
    }
    (void)order;
    return ok;
}

/* A path without sums for each run gets the status of its method. */
static void judge_path(const af_diff *diff, af_diff_tree *tree, uint32_t n,
                       const uint8_t *status_of_label, const uint64_t *before,
                       const uint64_t *after)
{
    const gboolean tested = before != NULL;
    const row r = {.before = af_diff_path_time(tree, AF_BEFORE, n),
                   .after = af_diff_path_time(tree, AF_AFTER, n),
                   .runs = {before, after},
                   .present = {tree->present[AF_BEFORE][n] != 0, tree->present[AF_AFTER][n] != 0},
                   .equal = tree->grown[n] == 0 && tree->shrunk[n] == 0 &&
                            tree->present[AF_BEFORE][n] == tree->present[AF_AFTER][n],
                   .p = tested && tree->p != NULL ? tree->p[n] : -1};
    af_diff_status status = judge(diff, &r);
    const gboolean several = diff->side[AF_BEFORE].n_runs + diff->side[AF_AFTER].n_runs > 2;
    if (!tested && several && status > AF_DIFF_NOISE &&
        status_of_label[tree->label[n]] <= AF_DIFF_NOISE) {
        status = AF_DIFF_NOISE;
    }
    tree->status[n] = (uint8_t)status;
}

typedef struct {
    const af_diff *diff;
    const uint8_t *status_of_label;
} judging;

static void judge_tree(void *user, unsigned thread)
{
    const judging *j = user;
    af_diff_tree *tree = &j->diff->threads[thread].tree;
    tree->status[0] = (uint8_t)j->diff->threads[thread].status;
    for (uint32_t n = 1; n < tree->n; n++) {
        /* most paths change too little for anything else */
        if (MAX(tree->grown[n], tree->shrunk[n]) < j->diff->min_delta) {
            const gboolean equal = (tree->grown[n] | tree->shrunk[n]) == 0 &&
                                   tree->present[AF_BEFORE][n] == tree->present[AF_AFTER][n];
            tree->status[n] = equal ? AF_DIFF_SAME : AF_DIFF_NOISE;
        } else {
            judge_path(j->diff, tree, n, j->status_of_label, NULL, NULL);
        }
    }
}

static void judge_paths(af_diff *diff, const uint8_t *status_of_label, const af_array *chosen,
                        const table *t, unsigned jobs)
{
    judging all = {diff, status_of_label};
    af_workers_run(diff->n_threads, jobs, judge_tree, &all);
    for (size_t i = 0; t != NULL && i < t->rows.n; i++) {
        const candidate *c = &AF_ARRAY_AT(chosen, candidate, AF_ARRAY_AT(&t->rows, uint32_t, i));
        const uint64_t *values = (const uint64_t *)t->values.items + i * (t->n + t->m);
        judge_path(diff, &diff->threads[c->thread].tree, c->node, status_of_label, values,
                   values + t->n);
    }
}

/* Paths can be tested where each profile is one run. */
static gboolean has_path_runs(const af_runs *const sides[AF_SIDES])
{
    gboolean ok = TRUE;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        ok = ok && sides[s]->use == AF_RUNS_TO_TEST && sides[s]->n_runs == sides[s]->n_profiles &&
             sides[s]->state == AF_RUNS_WHOLE;
    }
    return ok;
}

static uint8_t *list_statuses(const af_diff *diff)
{
    uint8_t *statuses = g_try_malloc0((size_t)diff->n_labels + 1);
    for (uint32_t i = 0; statuses != NULL && i < diff->n_methods; i++) {
        statuses[diff->methods[i].label] = (uint8_t)diff->methods[i].status;
    }
    return statuses;
}

static gboolean judge_all_paths(af_diff *diff, const af_runs *const sides[AF_SIDES],
                                const af_union_nodes *nodes, const af_scale scale[AF_SIDES],
                                const uint32_t *order, unsigned jobs)
{
    af_array chosen;
    table t;
    uint8_t *statuses = list_statuses(diff);
    const gboolean testable = order != NULL && has_path_runs(sides);
    af_array_init(&chosen, sizeof(candidate));
    begin_table(&t, diff, order);
    const gboolean ok = statuses != NULL &&
                        (!testable || test_paths(diff, sides, nodes, scale, order, &chosen, &t));
    if (ok) {
        judge_paths(diff, statuses, &chosen, testable ? &t : NULL, jobs);
    }
    end_table(&t);
    af_array_clear(&chosen);
    g_free(statuses);
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
        order_runs(diff, order);
        ok = test_methods(diff, order);
    }
    return ok && judge_methods(diff, by_runs) &&
           judge_threads(diff, sides, nodes, by_runs ? order : NULL) &&
           judge_all_paths(diff, sides, nodes, scale, by_runs ? order : NULL, jobs);
}
