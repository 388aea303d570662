#include "report/tables/totals.h"

#include <string.h>
#include "model/overhead.h"
#include "model/path.h"
#include "model/waits.h"

uint32_t af_scope_n_without(const af_scope *scope, af_clock clock)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < scope->n_threads; i++) {
        n += !af_thread_has(scope->profile, scope->threads[i], clock);
    }
    return n;
}

uint64_t af_scope_time_ns(const af_scope *scope, af_clock clock)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < scope->n_threads; i++) {
        const af_tree *tree = scope->profile->threads[scope->threads[i]].tree;
        sum += af_tree_has(tree, clock) ? af_tree_time_term(tree, 0, clock) : 0;
    }
    return af_time_of_sum(sum, clock);
}

/* What a scope reads of a thread. */
typedef struct {
    const af_tree *tree;
    unsigned known, lacking; /* bits 1 << clock */
    gboolean counted;
} columns;

static columns list_columns(const af_scope *scope, uint32_t thread)
{
    const af_thread *of = &scope->profile->threads[thread];
    columns all = {.tree = of->tree, .counted = af_thread_counts_calls(scope->profile, of)};
    for (unsigned c = 0; c < AF_MEASURES; c++) {
        if (af_scope_reads(scope, of->tree, (af_clock)c)) {
            all.known |= 1u << c;
        } else {
            all.lacking |= 1u << c;
        }
    }
    return all;
}

/* The waiting of single calls is unknown. If a step changed a tree, the other times of single calls
 * may be unknown too; the longest call then has no time. */
static inline void add_extremes(af_totals *t, const af_tree *tree, uint32_t n, af_clock c,
                                gboolean first)
{
    if (c == AF_WAIT) {
        t->unclear[c] = TRUE;
        return;
    }
    if (tree->max[c][n] == 0 && tree->inclusive[c][n] > 0) {
        t->unclear[c] = TRUE;
        return;
    }
    t->min[c] = first ? tree->min[c][n] : MIN(t->min[c], tree->min[c][n]);
    t->max[c] = MAX(t->max[c], tree->max[c][n]);
}

static inline void add_times(af_totals *t, const columns *from, uint32_t n, gboolean nested)
{
    const gboolean first = t->calls + t->nested == 0;
    uint64_t *const times = nested ? t->nested_time : t->inclusive;
    t->known |= from->known;
    t->lacking |= from->lacking;
    for (unsigned c = 0; c < AF_MEASURES; c++) {
        if ((from->known >> c & 1) != 0) {
            t->self[c] += af_tree_self_term(from->tree, n, (af_clock)c);
            af_time_add(&times[c], af_tree_time_term(from->tree, n, (af_clock)c), (af_clock)c);
            add_extremes(t, from->tree, n, (af_clock)c, first);
        }
    }
}

gboolean af_scope_has_runnable(const af_scope *scope)
{
    for (uint32_t i = 0; af_scope_has(scope, AF_WAIT) && i < scope->n_threads; i++) {
        if (scope->profile->threads[scope->threads[i]].tree->runnable != NULL) {
            return TRUE;
        }
    }
    return FALSE;
}

static inline void add_runnable(af_totals *t, const columns *from, uint32_t n, gboolean inclusive)
{
    if ((from->known >> AF_WAIT & 1) == 0) {
        return;
    }
    const uint64_t *sums = af_tree_runnable(from->tree);
    t->has_runnable |= sums != NULL;
    t->lacks_runnable |= sums == NULL;
    if (sums != NULL) {
        t->self_runnable += from->tree->runnable[n];
        t->runnable += inclusive ? sums[n] : 0;
    }
}

static inline void add_node(af_totals *t, const columns *from, uint32_t n, gboolean nested)
{
    add_times(t, from, n, nested);
    add_runnable(t, from, n, !nested);
    if (!from->counted) {
        t->uncounted = TRUE;
        return;
    }
    *(nested ? &t->nested : &t->calls) += from->tree->calls[n];
    t->unwinds += from->tree->unwinds[n];
}

void af_totals_add_node(af_totals *t, const af_scope *scope, uint32_t thread, uint32_t n)
{
    const columns from = list_columns(scope, thread);
    add_node(t, &from, n, FALSE);
}

/* The sums of a scope, by group. */
typedef struct {
    const af_scope *scope;
    const uint32_t *group_of;
    af_path path;
    af_totals *totals;
    uint32_t idle_group; /* as in af_totals_new_busy() */
} summing;

/* The group of each node of a tree; NULL if out of memory. */
static uint32_t *list_groups(const summing *s, uint32_t thread)
{
    const af_profile *profile = s->scope->profile;
    const af_tree *tree = profile->threads[thread].tree;
    uint32_t *groups = g_try_new(uint32_t, tree->n);
    for (uint32_t n = 1; groups != NULL && n < tree->n; n++) {
        groups[n] = s->idle_group != AF_NO_IDLE_GROUP && af_waits_is_idle(profile, tree, n)
                        ? s->idle_group
                    : s->group_of != NULL ? s->group_of[tree->label[n]]
                                          : tree->label[n];
    }
    return groups;
}

/* The tracer's own time, by the same groups. FALSE if out of memory. */
static gboolean add_tracer(const af_scope *scope, uint32_t thread, const uint32_t *groups,
                           af_totals *totals)
{
    const af_profile *profile = scope->profile;
    const af_tree *tree = profile->threads[thread].tree;
    if (!af_overhead_check(profile, NULL)) {
        return TRUE;
    }
    g_autofree uint64_t *own = g_try_new(uint64_t, tree->n);
    for (unsigned c = 0; own != NULL && c < AF_CLOCKS; c++) {
        if (af_scope_reads(scope, tree, (af_clock)c)) {
            af_overhead_compute(tree, profile->facts.android.call_overhead_ns, (af_clock)c, own);
            for (uint32_t n = 1; n < tree->n; n++) {
                totals[groups[n]].tracer[c] += own[n];
            }
        }
    }
    return own != NULL;
}

static gboolean add_thread(summing *s, uint32_t thread)
{
    const columns from = list_columns(s->scope, thread);
    const af_tree *tree = from.tree;
    g_autofree uint32_t *groups = list_groups(s, thread);
    if (groups == NULL) {
        return FALSE;
    }
    af_path_restart(&s->path);
    for (uint32_t n = 1; n < tree->n; n++) {
        const gboolean nested = af_path_enter(&s->path, tree->depth[n], groups[n]) > 0;
        af_totals *t = &s->totals[groups[n]];
        add_node(t, &from, n, nested);
        t->threads += t->last_thread != thread + 1;
        t->last_thread = thread + 1;
    }
    return add_tracer(s->scope, thread, groups, s->totals);
}

af_totals *af_totals_new_busy(const af_scope *scope, const uint32_t *group_of, uint32_t n_groups,
                              uint32_t idle_group)
{
    summing s = {.scope = scope,
                 .group_of = group_of,
                 .totals = g_try_new0(af_totals, (gsize)n_groups + 1),
                 .idle_group = idle_group};
    const uint32_t deepest = af_profile_deepest(scope->profile, scope->threads, scope->n_threads);
    gboolean ok = af_path_begin(&s.path, n_groups + 1, deepest) && s.totals != NULL;
    for (uint32_t i = 0; ok && i < scope->n_threads; i++) {
        ok = add_thread(&s, scope->threads[i]);
    }
    af_path_end(&s.path);
    if (!ok) {
        g_clear_pointer(&s.totals, g_free);
    }
    return s.totals;
}

af_totals *af_totals_new(const af_scope *scope, const uint32_t *group_of, uint32_t n_groups)
{
    return af_totals_new_busy(scope, group_of, n_groups, AF_NO_IDLE_GROUP);
}

void af_totals_of_thread(const af_scope *scope, uint32_t thread, af_totals *totals)
{
    const columns from = list_columns(scope, thread);
    const af_tree *tree = from.tree;
    memset(totals, 0, sizeof *totals);
    totals->uncounted = !from.counted;
    for (uint32_t n = 1; n < tree->n && !totals->uncounted; n++) {
        totals->calls += tree->calls[n];
        totals->unwinds += tree->unwinds[n];
    }
    add_runnable(totals, &from, 0, TRUE);
    totals->known = from.known;
    totals->lacking = from.lacking;
    for (unsigned c = 0; c < AF_MEASURES; c++) {
        if ((from.known >> c & 1) != 0) {
            totals->self[c] = totals->inclusive[c] = af_tree_time_term(tree, 0, (af_clock)c);
            totals->tracer[c] = af_overhead_of_thread_ns(scope->profile, thread, (af_clock)c);
        }
    }
    totals->threads = 1;
}
