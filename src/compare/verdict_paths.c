/* The statuses of paths. Paths are tested as a table of their own. */
#include <stdlib.h>

#include "base/wide.h"
#include "base/workers.h"
#include "compare/methods.h"
#include "compare/verdict_table.h"

/* Paths are tested down to this many of them, those with most time. */
#define MOST_PATHS 2000

/* ---- the numbers of each run ---- */

/* Inclusive times and calls of one thread of the union: [run][node]. */
typedef struct {
    uint64_t *times, *calls;
    uint32_t n_runs, n_nodes; /* runs of both sides */
} run_numbers;

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

static void add_runs(const af_diff *diff, const af_verdict_sides *of, unsigned s, guint thread,
                     const run_numbers *r)
{
    const af_runs *runs = of->sides[s];
    const af_runs_thread *it = runs->threads->pdata[thread];
    const size_t begin = s == AF_AFTER ? of->sides[AF_BEFORE]->runs->len : 0;
    for (guint i = 0; i < it->runs->len; i++) {
        const af_run_paths *run = &g_array_index(it->runs, af_run_paths, i);
        const uint32_t number = find_run(runs, run->run);
        if (number != UINT32_MAX) {
            const size_t at = (begin + number) * r->n_nodes;
            uint64_t *times = r->times + at;
            uint64_t *calls = r->calls + at;
            for (uint32_t n = 1; n < run->n; n++) {
                const uint32_t node = of->nodes->node_of[s][thread][run->node[n]];
                times[node] += af_path_self(&run->sums[n], run->clocks, diff->clock);
                calls[node] += run->sums[n].calls;
            }
        }
    }
}

static gboolean fill_numbers(const af_diff *diff, const af_verdict_sides *of, uint32_t number,
                             run_numbers *r)
{
    const af_diff_tree *tree = &diff->threads[number].tree;
    r->n_nodes = tree->n;
    r->times = g_try_new0(uint64_t, (size_t)tree->n * r->n_runs);
    r->calls = g_try_new0(uint64_t, (size_t)tree->n * r->n_runs);
    if (r->times == NULL || r->calls == NULL) {
        return FALSE;
    }
    uint64_t *times = r->times;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        const af_runs *runs = of->sides[s];
        for (guint t = 0; t < runs->threads->len; t++) {
            if (of->nodes->pair_of[s][t] == number) {
                add_runs(diff, of, s, t, r);
            }
        }
        for (guint run = 0; run < runs->runs->len; run++, times += tree->n) {
            /* Adds up the paths of a run from their self times, and scales them. */
            for (uint32_t n = tree->n - 1; n > 0; n--) {
                times[tree->parent[n]] += times[n];
            }
            for (uint32_t n = 0; n < tree->n; n++) {
                const af_u128 sum = af_time_of_sum(times[n], diff->clock);
                times[n] =
                    (uint64_t)((sum * of->scale[s].times * runs->n_runs + of->scale[s].over / 2) /
                               of->scale[s].over);
            }
        }
    }
    return TRUE;
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

/* The chosen paths with their numbers: [path][run]. */
typedef struct {
    af_array paths; /* of candidate */
    uint64_t *times, *calls;
    uint32_t n, m; /* runs of each side */
} selection;

static gboolean fill_selection(const af_diff *diff, const af_verdict_sides *of, selection *sel)
{
    const uint32_t all = sel->n + sel->m;
    run_numbers r = {.n_runs = all};
    sel->times = g_try_new(uint64_t, sel->paths.n * all + 1);
    sel->calls = g_try_new(uint64_t, sel->paths.n * all + 1);
    gboolean ok = sel->times != NULL && sel->calls != NULL;
    for (uint32_t thread = 0; ok && thread < diff->n_threads; thread++) {
        ok = fill_numbers(diff, of, thread, &r);
        for (size_t i = 0; ok && i < sel->paths.n; i++) {
            const candidate *c = &AF_ARRAY_AT(&sel->paths, candidate, i);
            for (uint32_t run = 0; c->thread == thread && run < all; run++) {
                sel->times[i * all + run] = r.times[(size_t)run * r.n_nodes + c->node];
                sel->calls[i * all + run] = r.calls[(size_t)run * r.n_nodes + c->node];
            }
        }
        g_clear_pointer(&r.times, g_free);
        g_clear_pointer(&r.calls, g_free);
    }
    return ok;
}

static af_verdict_row row_of_path(const af_diff_tree *tree, uint32_t n)
{
    return (af_verdict_row){
        .before = af_diff_path_time(tree, AF_BEFORE, n),
        .after = af_diff_path_time(tree, AF_AFTER, n),
        .present = {tree->present[AF_BEFORE][n] != 0, tree->present[AF_AFTER][n] != 0},
        .equal = tree->grown[n] == 0 && tree->shrunk[n] == 0 &&
                 tree->present[AF_BEFORE][n] == tree->present[AF_AFTER][n],
        .p = tree->p != NULL ? tree->p[n] : -1};
}

static af_verdict_row row_of_chosen(const af_diff *diff, const selection *sel, size_t i)
{
    const candidate *c = &AF_ARRAY_AT(&sel->paths, candidate, i);
    const af_diff_thread *thread = &diff->threads[c->thread];
    af_verdict_row row = row_of_path(&thread->tree, c->node);
    for (unsigned s = 0; s < AF_SIDES; s++) {
        const size_t at = i * (sel->n + sel->m) + (s == AF_AFTER ? sel->n : 0);
        row.runs[s] = sel->times + at;
        row.calls[s] = diff->counted ? sel->calls + at : NULL;
    }
    row.waits = af_verdict_waits(diff, thread->tree.label[c->node]);
    row.by_calls = af_methods_by_calls(row.before, thread->tree.calls[AF_BEFORE][c->node],
                                       row.after, thread->tree.calls[AF_AFTER][c->node]);
    return row;
}

static gboolean begin_p(af_diff *diff)
{
    gboolean ok = TRUE;
    for (uint32_t i = 0; ok && i < diff->n_threads; i++) {
        af_diff_tree *tree = &diff->threads[i].tree;
        tree->p = af_arena_alloc(diff->arena, tree->n * sizeof(double));
        ok = tree->p != NULL;
        for (uint32_t n = 0; ok && n < tree->n; n++) {
            tree->p[n] = -1;
        }
    }
    return ok;
}

static gboolean test_paths(af_diff *diff, const af_verdict_sides *of, selection *sel)
{
    af_verdict_table t;
    af_verdict_table_begin(&t, diff, of->order);
    const gboolean ok =
        choose_paths(diff, &sel->paths) && fill_selection(diff, of, sel) && begin_p(diff);
    for (size_t i = 0; ok && i < sel->paths.n; i++) {
        const candidate *c = &AF_ARRAY_AT(&sel->paths, candidate, i);
        const af_verdict_row row = row_of_chosen(diff, sel, i);
        af_verdict_table_add(&t, &row, &diff->threads[c->thread].tree.p[c->node]);
    }
    return af_verdict_table_end(&t) && ok;
}

/* A path without sums for each run gets the status of its method. */
static void judge_path(const af_diff *diff, af_diff_tree *tree, uint32_t n,
                       const uint8_t *status_of_label)
{
    const af_verdict_row row = row_of_path(tree, n);
    const af_diff_status status = af_verdict_judge(diff, &row);
    const gboolean by_method = status > AF_DIFF_UNSURE && diff->ground >= AF_DIFF_BY_GAP;
    tree->status[n] =
        (uint8_t)(by_method && status_of_label[tree->label[n]] <= AF_DIFF_NOISE ? AF_DIFF_NOISE
                                                                                : status);
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
        judge_path(j->diff, tree, n, j->status_of_label);
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

gboolean af_verdict_paths(af_diff *diff, const af_verdict_sides *of, unsigned jobs)
{
    selection sel = {.n = diff->side[AF_BEFORE].n_tested, .m = diff->side[AF_AFTER].n_tested};
    g_autofree uint8_t *statuses = af_diff_list_statuses(diff);
    af_array_init(&sel.paths, sizeof(candidate));
    const gboolean tests = of->order != NULL && has_path_runs(of->sides);
    const gboolean ok = statuses != NULL && (!tests || test_paths(diff, of, &sel));
    if (ok) {
        judging all = {diff, statuses};
        af_workers_run(diff->n_threads, jobs, judge_tree, &all);
        for (size_t i = 0; i < sel.paths.n; i++) {
            const candidate *c = &AF_ARRAY_AT(&sel.paths, candidate, i);
            const af_verdict_row row = row_of_chosen(diff, &sel, i);
            diff->threads[c->thread].tree.status[c->node] = (uint8_t)af_verdict_judge(diff, &row);
        }
    }
    g_free(sel.times);
    g_free(sel.calls);
    af_array_clear(&sel.paths);
    return ok;
}
