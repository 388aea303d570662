#include "calls/subprofile.h"

#include <string.h>
#include "base/memory_error.h"

#define BATCH 1024

/* What the rebuilder does not count. */
typedef struct {
    uint64_t records; /* edges that are no cuts */
    uint64_t begun_before, open_at_end, missed;
    gboolean any;
    uint64_t first[AF_CLOCKS], last[AF_CLOCKS]; /* of those records, or of the cuts */
} regrow_thread;

struct af_subprofile {
    const af_profile *profile;
    af_warnings warnings; /* there is nothing to warn of */
    af_rebuild *rebuild;
    regrow_thread *threads;
    af_event batch[BATCH];
    size_t filled;
};

af_subprofile *af_subprofile_new(const af_profile *profile)
{
    const af_ticks ticks = {.clocks = profile->clocks,
                            .tick_ns = 1,
                            .settled = TRUE,
                            .weighed = profile->facts.weighed,
                            .lasting = profile->facts.lasting};
    af_subprofile *regrow = g_try_new0(af_subprofile, 1);
    if (regrow == NULL) {
        return NULL;
    }
    regrow->profile = profile;
    af_warnings_init(&regrow->warnings);
    regrow->rebuild = af_rebuild_new(&ticks, &regrow->warnings);
    regrow->threads = g_try_malloc0_n((size_t)profile->n_threads + 1, sizeof *regrow->threads);
    if (regrow->threads == NULL) {
        af_subprofile_free(regrow);
        return NULL;
    }
    return regrow;
}

void af_subprofile_free(af_subprofile *regrow)
{
    if (regrow != NULL) {
        af_rebuild_free(regrow->rebuild);
        g_free(regrow->threads);
        g_free(regrow);
    }
}

static void flush(af_subprofile *regrow)
{
    af_rebuild_events(regrow->rebuild, regrow->batch, regrow->filled, regrow->profile->n_threads, 0,
                      0);
    regrow->filled = 0;
}

static void add(af_subprofile *regrow, const af_call_event *edge, af_action action)
{
    regrow_thread *t = &regrow->threads[edge->thread];
    if (!t->any || (t->records == 0 && !edge->cut)) {
        memcpy(t->first, edge->time_ns, sizeof t->first);
    }
    if (t->records == 0 || !edge->cut) {
        memcpy(t->last, edge->time_ns, sizeof t->last);
    }
    t->any = TRUE;
    t->records += !edge->cut && !(action != AF_ENTER && edge->end == AF_CALL_OPEN);
    af_event *event = &regrow->batch[regrow->filled++];
    event->thread = edge->thread;
    event->call = af_event_call(edge->label, action);
    memcpy(event->time, edge->time_ns, sizeof event->time);
    if (regrow->filled == BATCH) {
        flush(regrow);
    }
}

static gboolean take_enter(void *user, const af_call_event *edge, GError **error)
{
    af_subprofile *regrow = user;
    (void)error;
    regrow->threads[edge->thread].begun_before += edge->cut;
    add(regrow, edge, AF_ENTER);
    return TRUE;
}

static gboolean take_leave(void *user, const af_call_event *edge, GError **error)
{
    af_subprofile *regrow = user;
    (void)error;
    regrow->threads[edge->thread].open_at_end += edge->end == AF_CALL_OPEN;
    regrow->threads[edge->thread].missed += edge->end == AF_CALL_MISSED;
    add(regrow, edge, edge->end == AF_CALL_UNWOUND ? AF_UNWIND : AF_EXIT);
    return TRUE;
}

af_observer af_subprofile_observer(af_subprofile *regrow)
{
    return (af_observer){take_enter, take_leave, NULL, regrow};
}

void af_subprofile_sample(af_subprofile *regrow, const af_sample *sample)
{
    regrow_thread *t = &regrow->threads[sample->thread];
    const uint64_t time_ns = sample->time_ns;
    t->first[AF_WALL] = t->records == 0 ? time_ns : MIN(t->first[AF_WALL], time_ns);
    t->last[AF_WALL] = MAX(t->last[AF_WALL], time_ns);
    t->records++;
    af_rebuild_sample(regrow->rebuild, sample, regrow->profile->n_threads);
}

static void fill_thread(const af_subprofile *regrow, uint32_t number, af_tree *tree,
                        af_thread *thread)
{
    const regrow_thread *t = &regrow->threads[number];
    const af_thread_counts *counts = af_rebuild_thread(regrow->rebuild, number);
    *thread = regrow->profile->threads[number];
    thread->tree = tree;
    thread->records = t->records;
    thread->calls = counts->calls;
    thread->max_depth = counts->max_depth;
    thread->unwinds = counts->unwinds;
    thread->missing_exits = t->missed;
    thread->open_at_end = t->open_at_end;
    thread->cut_at_begin = t->begun_before;
    thread->exits_on_empty = 0;
    thread->unmatched_exits = 0;
    memcpy(thread->first_ns, t->first, sizeof t->first);
    memcpy(thread->last_ns, t->last, sizeof t->last);
}

static gboolean take_trees(const af_subprofile *regrow, af_tree **trees, af_profile *made)
{
    const uint32_t n = regrow->profile->n_threads;
    made->facts.records = made->facts.calls = 0;
    made->threads = af_arena_alloc(made->arena, ((size_t)n + 1) * sizeof *made->threads);
    for (uint32_t t = 0; t < n && made->threads != NULL; t++) {
        if (trees[t]->n > 1) {
            af_thread *thread = &made->threads[made->n_threads++];
            fill_thread(regrow, t, trees[t], thread);
            made->facts.records += thread->records;
            made->facts.calls += af_thread_counts_calls(made, thread) ? thread->calls : 0;
            trees[t] = NULL;
        }
    }
    af_profile_take_clocks(made);
    return made->threads != NULL;
}

static af_profile *make_profile(const af_subprofile *regrow, af_tree **trees, GError **error)
{
    af_profile *made = af_profile_derive(regrow->profile);
    const gboolean ok = take_trees(regrow, trees, made);
    if (!ok) {
        af_memory_error_set(error);
    } else if (made->n_threads == 0) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_NOTHING,
                            made->facts.weighed ? "nothing was sampled there"
                                                : "no call is running there");
    }
    if (!ok || made->n_threads == 0) {
        af_profile_free(made);
        return NULL;
    }
    return made;
}

af_profile *af_subprofile_finish(af_subprofile *regrow, GError **error)
{
    const uint32_t n = regrow->profile->n_threads;
    gboolean *exited = g_new(gboolean, (size_t)n + 1);
    af_tree **trees = g_new0(af_tree *, (size_t)n + 1);
    flush(regrow);
    for (uint32_t t = 0; t < n; t++) {
        exited[t] = TRUE; /* what is open is left before */
    }
    af_profile *made = NULL;
    if (af_rebuild_finish(regrow->rebuild, exited, n) &&
        af_rebuild_trees(regrow->rebuild, trees, n, 1)) {
        for (uint32_t t = 0; t < n; t++) {
            af_tree_keep_clocks(trees[t], af_tree_clocks(regrow->profile->threads[t].tree));
        }
        made = make_profile(regrow, trees, error);
    } else {
        af_memory_error_set(error);
    }
    for (uint32_t t = 0; t < n; t++) {
        af_tree_free(trees[t]);
    }
    g_free(trees);
    g_free(exited);
    return made;
}
