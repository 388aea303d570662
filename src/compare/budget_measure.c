/* Measures the values of budgets and compares them with the limits. */
#include <string.h>
#include <stdlib.h>

#include <aflame/error.h>
#include "base/memory_error.h"
#include "base/wide.h"
#include "compare/budget.h"
#include "compare/permutation.h"
#include "compare/run_kind.h"
#include "compare/shift.h"
#include "model/run_sums.h"
#include "model/select.h"
#include "model/waits.h"
#include "base/order.h"
#include "base/quantile.h"
#include "calls/call_selection.h"
#include "calls/call_store.h"

typedef struct {
    af_clock clock;
    af_array exact; /* of uint64_t: the times of the first AF_CALL_STORE_MOST calls */
    af_quantile_sketch sketch;
} call_times;

static gboolean add_call(void *user, const af_call *call, GError **error)
{
    call_times *times = user;
    if (!af_call_has(call, times->clock)) {
        return TRUE;
    }
    const uint64_t ns = af_call_time_ns(call, times->clock);
    af_quantile_add(&times->sketch, ns);
    if (times->sketch.n <= AF_CALL_STORE_MOST) {
        uint64_t *added = af_array_add(&times->exact, 1);
        if (added == NULL) {
            return af_memory_error_set(error);
        }
        *added = ns;
    }
    return !times->sketch.failed || af_memory_error_set(error);
}

static uint64_t pick_p95(call_times *times)
{
    const uint64_t n = times->sketch.n, rank = af_quantile_rank(n, 95);
    if (n == 0 || n > times->exact.n) {
        return af_quantile_at(&times->sketch, rank);
    }
    qsort(times->exact.items, n, sizeof(uint64_t), af_order_u64);
    return AF_ARRAY_AT(&times->exact, uint64_t, rank);
}

static gboolean walk_calls(const af_budget_entry *entry, const af_profile *profile,
                           call_times *times, GError **error)
{
    const char *const threads[] = {entry->thread, NULL};
    af_call_list_options options = AF_CALL_LIST_OPTIONS_INIT;
    af_call_selection selection = {0};
    uint64_t n = 0;
    options.threads = entry->thread != NULL ? threads : NULL;
    options.clock = entry->clock;
    const gboolean ok =
        af_call_selection_open(&selection, profile, (af_profile *)af_profile_hold(profile), NULL,
                               entry->method, &options, error) &&
        af_call_selection_walk(&selection, &options, add_call, times, &n, error);
    af_call_selection_close(&selection);
    return ok;
}

/* The 95th percentile of the call durations; 0 if there are no calls. It is exact for up to
 * AF_CALL_STORE_MOST calls and within 1/128 for more. */
static gboolean find_p95(const af_budget_entry *entry, const af_profile *profile, af_clock clock,
                         uint64_t *p95_ns, GError **error)
{
    call_times times = {.clock = clock, .exact = {.size = sizeof(uint64_t)}};
    GError *why = NULL;
    gboolean ok = walk_calls(entry, profile, &times, &why);
    if (g_error_matches(why, AF_ERROR, AF_ERROR_NOTHING)) {
        g_clear_error(&why);
        ok = TRUE;
    }
    *p95_ns = ok ? pick_p95(&times) : 0;
    af_quantile_clear(&times.sketch);
    af_array_clear(&times.exact);
    if (g_error_matches(why, AF_ERROR, AF_ERROR_USAGE)) {
        g_prefix_error(&why, "[%s] cannot measure p95: ", entry->name);
    }
    if (why != NULL) {
        g_propagate_error(error, why);
    }
    return ok;
}

typedef struct {
    const af_profile *profile;
    const af_budget_entry *entry;
    af_clock clock;
    guint8 *matches; /* by label; NULL = all */
    GArray *threads; /* of uint32_t */
    uint64_t self, inclusive, calls, max;
    gboolean found;
} measuring;

/* The own waiting of a node for the causes of the entry, as af_tree_self_term(). */
static uint64_t waits_for(const af_budget_entry *entry, const af_tree *tree, uint32_t n)
{
    const uint64_t runnable_ns = af_tree_self_runnable_ns(tree, n);
    const uint64_t rest_ns = af_tree_self_term(tree, n, AF_WAIT) - runnable_ns;
    return ((entry->causes >> tree->reason[n] & 1) != 0 ? rest_ns : 0) +
           ((entry->causes >> AF_WAITS_RUNNABLE & 1) != 0 ? runnable_ns : 0);
}

/* Calls of matching methods; those inside another one are nested. Waiting counts anywhere within
 * them, and everywhere if the entry names no method. */
static void add_thread(measuring *m, const af_thread *thread)
{
    const af_tree *tree = thread->tree;
    const gboolean waits = m->entry->measure == AF_MEASURE_WAITS;
    uint32_t inside = 0; /* depth of the open outermost call; 0 = none */
    if (!af_tree_has(tree, m->clock)) {
        return;
    }
    m->found = m->found || m->matches == NULL;
    for (uint32_t n = 1; n < tree->n; n++) {
        const gboolean matches = m->matches == NULL || m->matches[tree->label[n]] != 0;
        inside = inside != 0 && tree->depth[n] <= inside ? 0 : inside;
        m->found = m->found || matches;
        if (matches && inside == 0) {
            m->inclusive += af_tree_time_term(tree, n, m->clock);
            m->calls += tree->calls[n];
            inside = tree->depth[n];
        }
        if (waits && inside != 0) {
            m->self += waits_for(m->entry, tree, n);
        } else if (matches) {
            m->self += af_tree_self_term(tree, n, m->clock);
            if (m->clock != AF_WAIT) {
                m->max = MAX(m->max, tree->max[m->clock][n]);
            }
        }
    }
}

static void measure_threads(measuring *m)
{
    for (guint i = 0; i < m->threads->len; i++) {
        const af_thread *thread = &m->profile->threads[g_array_index(m->threads, uint32_t, i)];
        add_thread(m, thread);
    }
    m->self = af_time_of_sum(m->self, m->clock);
    m->inclusive = af_time_of_sum(m->inclusive, m->clock);
}

/* Finds the threads and labels; a profile may lack them. */
static void select_subject(measuring *m)
{
    const char *const threads[] = {m->entry->thread != NULL ? m->entry->thread : "all", NULL};
    m->threads = af_select_threads(m->profile, threads, NULL);
    if (m->threads == NULL) {
        m->threads = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    }
    if (m->entry->method == NULL) {
        return;
    }
    /* the pattern is valid; NULL for the error skips the search for the closest name */
    m->matches = af_select_labels(m->profile, m->entry->method, NULL);
    if (m->matches == NULL) {
        g_array_set_size(m->threads, 0);
    }
}

static gboolean refuse(const af_budget_entry *e, GError **error, const char *why)
{
    g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "[%s] cannot measure %s: %s", e->name,
                af_budget_describe(e), why);
    return FALSE;
}

/* The mean of the runs that `m` adds up. */
static uint64_t choose_value(const measuring *m, uint64_t runs)
{
    switch (m->entry->measure) {
    case AF_MEASURE_SELF:
    case AF_MEASURE_WAITS:
        return (m->self + runs / 2) / runs;
    case AF_MEASURE_INCLUSIVE:
    case AF_MEASURE_WAIT:
        return (m->inclusive + runs / 2) / runs;
    case AF_MEASURE_CALLS:
        return (m->calls + runs / 2) / runs;
    case AF_MEASURE_MEAN:
        return m->calls > 0 ? (m->inclusive + m->calls / 2) / m->calls : 0;
    default:
        return m->max;
    }
}

/* ---- the runs of a merged profile ---- */

/* Marks the names of the matching methods in `names`. Returns how many the runs have. */
static uint32_t mark_names(const measuring *m, guint8 *names)
{
    const af_run_sums *sums = m->profile->run_sums;
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->profile->n_labels && sums->n_names > 0; i++) {
        const char *const *name = m->matches[i] != 0
                                      ? bsearch(&m->profile->labels[i].text, sums->names,
                                                sums->n_names, sizeof *sums->names, af_order_texts)
                                      : NULL;
        if (name != NULL) {
            names[name - sums->names] = 1;
            n++;
        }
    }
    return n;
}

static gboolean is_selected(const measuring *m, uint32_t thread)
{
    for (guint i = 0; i < m->threads->len; i++) {
        if (g_array_index(m->threads, uint32_t, i) == thread) {
            return TRUE;
        }
    }
    return FALSE;
}

static uint64_t measure_run(const measuring *m, const af_run *run, const guint8 *names)
{
    measuring one = {.profile = m->profile, .entry = m->entry};
    for (uint32_t i = 0; i < run->n_rows; i++) {
        const af_run_row *row = &run->rows[i];
        if (!row->masked && names[row->name] != 0 && is_selected(m, row->thread)) {
            one.self += row->self[m->clock];
            one.inclusive += row->inclusive[m->clock];
            one.calls += row->calls;
        }
    }
    return choose_value(&one, 1);
}

/* Whether a merged profile has a sum for each run. A step that reshapes the profile does not change
 * these sums, so they are of no use after it. */
static gboolean has_sums(const measuring *m)
{
    const af_run_sums *sums = m->profile->run_sums;
    const af_measure measure = m->entry->measure;
    return sums != NULL && sums->n_summed > 0 && m->profile->base == NULL && m->matches != NULL &&
           (measure == AF_MEASURE_SELF || measure == AF_MEASURE_INCLUSIVE ||
            measure == AF_MEASURE_WAIT || measure == AF_MEASURE_CALLS ||
            measure == AF_MEASURE_MEAN);
}

/* One value for each run, or the mean of all runs: of several methods, which may call each other,
 * the runs only give self times. */
static gboolean add_values(const measuring *m, af_array *values, uint32_t *added_up)
{
    const af_run_sums *sums = m->profile->run_sums;
    const gboolean by_name = has_sums(m);
    guint8 *names = by_name ? g_try_malloc0((size_t)sums->n_names + 1) : NULL;
    if (names == NULL && by_name) {
        return FALSE;
    }
    const uint32_t n_names = names != NULL ? mark_names(m, names) : 0;
    const gboolean by_run = n_names == 1 || (n_names > 1 && m->entry->measure == AF_MEASURE_SELF);
    const uint32_t n = by_run ? sums->n_summed : 1;
    uint64_t *added = af_array_add(values, n);
    for (uint32_t i = 0; added != NULL && i < n; i++) {
        added[i] = by_run ? measure_run(m, &sums->runs[i], names)
                          : choose_value(m, sums != NULL ? MAX(sums->n_runs, 1) : 1);
    }
    *added_up = by_run || sums == NULL ? 1 : sums->n_runs;
    g_free(names);
    return added != NULL;
}

static gboolean needs_calls(af_measure measure)
{
    return measure == AF_MEASURE_CALLS || measure == AF_MEASURE_MEAN || measure == AF_MEASURE_MAX ||
           measure == AF_MEASURE_P95;
}

/* Amounts in a budget are times, unless the values are numbers of calls, samples or the like. */
static gboolean fits(const af_budget_entry *e, const af_budget_amount *amount, gboolean counted,
                     GError **error)
{
    if (amount->kind != (counted ? AF_BUDGET_TIME : AF_BUDGET_COUNT)) {
        return TRUE;
    }
    return refuse(e, error,
                  counted ? "the input has no times, so its limit must be a number"
                          : "a time needs a unit, such as 80 ms");
}

static af_clock default_clock(const af_profile *profile)
{
    return af_profile_has(profile, AF_WALL) ? AF_WALL : AF_CPU;
}

static gboolean measure_entry(af_budget_entry *e, af_side side, const af_profile *profile,
                              GError **error)
{
    measuring m = {.profile = profile, .entry = e, .clock = e->clock};
    if (e->clock == AF_CLOCK_DEFAULT) {
        m.clock = default_clock(profile);
    } else if (!af_profile_has(profile, e->clock) || !af_profile_has_clocks(profile)) {
        return refuse(e, error, "the input lacks the clock");
    }
    if (needs_calls(e->measure) && !af_profile_counts_calls(profile)) {
        return refuse(e, error, "the input holds samples, not calls");
    }
    select_subject(&m);
    gboolean ok = TRUE;
    measure_threads(&m);
    if (e->measure == AF_MEASURE_P95) {
        uint64_t *value = af_array_add(&e->values[side], 1);
        ok = value != NULL ? find_p95(e, profile, m.clock, value, error)
                           : af_memory_error_set(error);
    } else {
        ok = add_values(&m, &e->values[side], &e->added_up[side]) || af_memory_error_set(error);
    }
    e->found[side] = e->found[side] || m.found;
    g_clear_pointer(&m.threads, g_array_unref);
    g_free(m.matches);
    return ok;
}

/* Times of runs are comparable only by one clock. */
static gboolean has_same_clock(const af_budget *budget, const af_profile *profile, GError **error)
{
    const gboolean wall = budget->clock == AF_WALL;
    if (budget->clock == default_clock(profile)) {
        return TRUE;
    }
    for (guint i = 0; i < budget->entries->len; i++) {
        const af_budget_entry *e = &g_array_index(budget->entries, af_budget_entry, i);
        if (e->clock == AF_CLOCK_DEFAULT && e->measure != AF_MEASURE_CALLS &&
            e->measure != AF_MEASURE_WAITS) {
            return refuse(e, error,
                          wall ? "the first run has wall time, this one only CPU time"
                               : "the first run has only CPU time, this one wall time");
        }
    }
    return TRUE;
}

bool af_budget_add(af_budget *budget, af_side side, const af_profile *profile, GError **error)
{
    if (!budget->measured) {
        budget->measured = TRUE;
        budget->sampled = !af_profile_counts_calls(profile);
        budget->clock = default_clock(profile);
        budget->unit = profile->facts.weights.unit;
        budget->unit_name = g_strdup(profile->facts.weights.unit.name);
        budget->unit.name = budget->unit_name;
    } else if (!af_run_kind_check(profile, &budget->unit, budget->sampled, "the first run",
                                  error) ||
               !has_same_clock(budget, profile, error)) {
        return FALSE;
    }
    for (guint i = 0; i < budget->entries->len; i++) {
        af_budget_entry *e = &g_array_index(budget->entries, af_budget_entry, i);
        const gboolean counted = af_budget_counts(budget, e);
        if (!fits(e, &e->limit, counted, error) || !fits(e, &e->increase_least, counted, error) ||
            !measure_entry(e, side, profile, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

uint64_t af_budget_median(const af_budget_entry *e, af_side side)
{
    return af_shift_median(e->values[side].items, (uint32_t)e->values[side].n);
}

/* By the runs of one row, as for a table that has only this one. */
static gboolean is_significant(const af_budget_entry *e)
{
    const uint32_t n = (uint32_t)e->values[AF_BEFORE].n, m = (uint32_t)e->values[AF_AFTER].n;
    g_autofree uint64_t *values = g_new(uint64_t, (size_t)n + m);
    g_autofree uint32_t *order = g_new(uint32_t, (size_t)n + m);
    double p = 1;
    memcpy(values, e->values[AF_BEFORE].items, n * sizeof *values);
    memcpy(values + n, e->values[AF_AFTER].items, m * sizeof *values);
    for (uint32_t i = 0; i < n + m; i++) {
        order[i] = i;
    }
    const af_permutation_table table = {
        .values = values, .n_rows = 1, .n_before = n, .n_after = m, .order = order};
    const gboolean ok = af_permutation_test(&table, &p);
    return ok && p <= 0.05;
}

/* Whether values whose median has grown are beyond noise. As in a comparison; if a budget is content
 * with fewer runs, their ranges must not overlap. */
static gboolean is_beyond_noise(const af_budget_entry *e)
{
    const uint32_t n = (uint32_t)e->values[AF_BEFORE].n, m = (uint32_t)e->values[AF_AFTER].n;
    uint64_t wider;
    const uint64_t gap =
        af_shift_gap(e->values[AF_BEFORE].items, n, e->values[AF_AFTER].items, m, &wider);
    if (e->measure == AF_MEASURE_CALLS || MIN(n, m) < AF_DIFF_LEAST_RUNS) {
        return gap > 0;
    }
    return af_permutation_least_p(n, m) > 0.05 ? gap > 0 && gap >= wider : is_significant(e);
}

/* Why the increase cannot be tested; NULL = it can, or there is none. */
static const char *find_untested(const af_budget_entry *e)
{
    if (!e->has_increase) {
        return NULL;
    }
    if (e->values[AF_BEFORE].n == 0) {
        return "an increase needs two sides: aflame diff BEFORE AFTER --budget FILE";
    }
    return MIN(e->values[AF_BEFORE].n, e->values[AF_AFTER].n) >= e->least_runs
               ? NULL
               : "so few runs do not tell an increase from noise; give three of each side, or set "
                 "runs = 1";
}

/* The increase that is allowed. */
static uint64_t find_allowance(const af_budget_entry *e)
{
    const uint64_t before = af_budget_median(e, AF_BEFORE);
    return MAX((uint64_t)((af_u128)before * e->increase_c / 10000), e->increase_least.value);
}

static gboolean has_grown(const af_budget_entry *e)
{
    const uint64_t before = af_budget_median(e, AF_BEFORE), after = af_budget_median(e, AF_AFTER);
    return after > before && after - before > find_allowance(e) && is_beyond_noise(e);
}

af_budget_verdict af_budget_judge(const af_budget_entry *e)
{
    if (!e->found[AF_AFTER]) {
        return e->optional ? AF_BUDGET_SKIPPED : AF_BUDGET_MISSING;
    }
    if (e->has_limit && af_budget_median(e, AF_AFTER) > e->limit.value) {
        return AF_BUDGET_EXCEEDED;
    }
    const gboolean tested = e->has_increase && find_untested(e) == NULL;
    if (!e->has_limit && !tested) {
        return AF_BUDGET_UNTESTED;
    }
    return tested && has_grown(e) ? AF_BUDGET_GROWN : AF_BUDGET_MET;
}

GArray *af_budget_list(const af_budget *budget)
{
    GArray *lines = g_array_new(FALSE, TRUE, sizeof(af_budget_line));
    for (guint i = 0; i < budget->entries->len; i++) {
        const af_budget_entry *e = &g_array_index(budget->entries, af_budget_entry, i);
        af_budget_line line = {.name = e->name,
                               .thread = e->thread,
                               .method = e->method,
                               .measure = af_budget_describe(e),
                               .verdict = af_budget_judge(e),
                               .is_count = af_budget_counts(budget, e),
                               .has_limit = e->has_limit,
                               .has_before = e->values[AF_BEFORE].n > 0,
                               .has_increase = e->has_increase,
                               .before = af_budget_median(e, AF_BEFORE),
                               .after = af_budget_median(e, AF_AFTER),
                               .limit = e->limit.value,
                               .allowance = find_allowance(e),
                               .untested = find_untested(e)};
        /* How many runs the value of after summarises, and how. */
        const uint32_t n = (uint32_t)e->values[AF_AFTER].n;
        line.statistic = n > 1 ? "median" : e->measure == AF_MEASURE_MAX ? "largest" : "mean";
        line.runs = n == 1 ? e->added_up[AF_AFTER] : n;
        g_array_append_val(lines, line);
    }
    return lines;
}
