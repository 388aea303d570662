#include "calls/subprofile.h"

#include <string.h>
#include "base/memory_error.h"
#include "model/waits.h"

#define BATCH 1024

/* A count that the rebuilder does not have. */
typedef struct {
    uint64_t records; /* edges other than cuts */
    uint64_t begun_before, open_at_end, missed;
    gboolean any;
    uint64_t runnable_ns;                       /* of the last edge */
    uint64_t first[AF_CLOCKS], last[AF_CLOCKS]; /* of those records, or of the cuts */
} subprofile_thread;

struct af_subprofile {
    const af_profile *profile;
    af_warnings warnings; /* never read */
    af_rebuild *rebuild;
    subprofile_thread *threads;
    af_event batch[BATCH];
    size_t filled;
};

af_subprofile *af_subprofile_new(const af_profile *profile)
{
    const af_ticks ticks = {.clocks = profile->clocks,
                            .tick_ns = 1,
                            .settled = TRUE,
                            .weighed = af_content_has_weights(profile->facts.content),
                            .lasting = profile->facts.content == AF_CONTENT_STACK_SLICES};
    af_subprofile *subprofile = g_try_new0(af_subprofile, 1);
    if (subprofile == NULL) {
        return NULL;
    }
    subprofile->profile = profile;
    af_warnings_init(&subprofile->warnings);
    subprofile->rebuild = af_rebuild_new(&ticks, &subprofile->warnings);
    subprofile->threads =
        g_try_malloc0_n((size_t)profile->n_threads + 1, sizeof *subprofile->threads);
    if (subprofile->threads == NULL) {
        af_subprofile_free(subprofile);
        return NULL;
    }
    return subprofile;
}

void af_subprofile_free(af_subprofile *subprofile)
{
    if (subprofile != NULL) {
        af_rebuild_free(subprofile->rebuild);
        g_free(subprofile->threads);
        g_free(subprofile);
    }
}

static void flush(af_subprofile *subprofile)
{
    af_rebuild_events(subprofile->rebuild, subprofile->batch, subprofile->filled,
                      subprofile->profile->n_threads, 0, 0);
    subprofile->filled = 0;
}

static void add(af_subprofile *subprofile, const af_call_event *edge, af_action action)
{
    subprofile_thread *t = &subprofile->threads[edge->thread];
    /* The rebuilder adds it to the innermost call, so it needs the edges before. */
    const gboolean known = subprofile->profile->threads[edge->thread].tree->runnable != NULL;
    if (known && (!t->any || edge->runnable_ns > t->runnable_ns)) {
        flush(subprofile);
        af_rebuild_runnable(subprofile->rebuild, edge->thread,
                            t->any ? edge->runnable_ns - t->runnable_ns : 0);
    }
    t->runnable_ns = edge->runnable_ns;
    if (!t->any || (t->records == 0 && !edge->cut)) {
        memcpy(t->first, edge->time_ns, sizeof t->first);
    }
    if (t->records == 0 || !edge->cut) {
        memcpy(t->last, edge->time_ns, sizeof t->last);
    }
    t->any = TRUE;
    t->records += !edge->cut && !(action != AF_ENTER && edge->end == AF_CALL_OPEN);
    af_event *event = &subprofile->batch[subprofile->filled++];
    event->thread = edge->thread;
    event->call = af_event_call(edge->label, action);
    memcpy(event->time, edge->time_ns, sizeof event->time);
    if (subprofile->filled == BATCH) {
        flush(subprofile);
    }
}

static bool take_enter(void *user, const af_call_event *edge, GError **error)
{
    af_subprofile *subprofile = user;
    subprofile->threads[edge->thread].begun_before += edge->cut;
    add(subprofile, edge, AF_ENTER);
    return TRUE;
}

static bool take_leave(void *user, const af_call_event *edge, GError **error)
{
    af_subprofile *subprofile = user;
    subprofile->threads[edge->thread].open_at_end += edge->end == AF_CALL_OPEN;
    subprofile->threads[edge->thread].missed += edge->end == AF_CALL_MISSED;
    add(subprofile, edge, edge->end == AF_CALL_UNWOUND ? AF_UNWIND : AF_EXIT);
    return TRUE;
}

af_observer af_subprofile_observer(af_subprofile *subprofile)
{
    return (af_observer){take_enter, take_leave, NULL, subprofile, NULL};
}

void af_subprofile_sample(af_subprofile *subprofile, const af_sample *sample)
{
    subprofile_thread *t = &subprofile->threads[sample->thread];
    const uint64_t time_ns = sample->time_ns;
    t->first[AF_WALL] = t->records == 0 ? time_ns : MIN(t->first[AF_WALL], time_ns);
    t->last[AF_WALL] = MAX(t->last[AF_WALL], time_ns);
    t->records++;
    af_rebuild_sample(subprofile->rebuild, sample, subprofile->profile->n_threads);
}

static void fill_thread(const af_subprofile *subprofile, uint32_t number, af_tree *tree,
                        af_thread *thread)
{
    const subprofile_thread *t = &subprofile->threads[number];
    const af_thread_counts *counts = af_rebuild_thread(subprofile->rebuild, number);
    *thread = subprofile->profile->threads[number];
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

static gboolean take_trees(const af_subprofile *subprofile, af_tree **trees, af_profile *made)
{
    const uint32_t n = subprofile->profile->n_threads;
    made->facts.counts.records = made->facts.counts.calls = 0;
    made->threads = af_arena_alloc(made->arena, ((size_t)n + 1) * sizeof *made->threads);
    for (uint32_t t = 0; t < n && made->threads != NULL; t++) {
        if (trees[t]->n > 1) {
            af_thread *thread = &made->threads[made->n_threads++];
            fill_thread(subprofile, t, trees[t], thread);
            made->facts.counts.records += thread->records;
            made->facts.counts.calls += af_thread_counts_calls(made, thread) ? thread->calls : 0;
            trees[t] = NULL;
        }
    }
    af_profile_take_clocks(made);
    return made->threads != NULL && af_waits_decide_all(made);
}

static af_profile *make_profile(const af_subprofile *subprofile, af_tree **trees, GError **error)
{
    af_profile *made = af_profile_derive(subprofile->profile);
    const gboolean ok = take_trees(subprofile, trees, made);
    if (!ok) {
        af_memory_error_set(error);
    } else if (made->n_threads == 0) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_NOTHING,
                            af_content_has_weights(made->facts.content)
                                ? "the selected part contains no samples"
                                : "no call runs in the selected part");
    }
    if (!ok || made->n_threads == 0) {
        g_clear_pointer(&made, af_profile_free);
    }
    return made;
}

af_profile *af_subprofile_finish(af_subprofile *subprofile, GError **error)
{
    const uint32_t n = subprofile->profile->n_threads;
    g_autofree gboolean *exited = g_new(gboolean, (size_t)n + 1);
    g_autofree af_tree **trees = g_new0(af_tree *, (size_t)n + 1);
    flush(subprofile);
    for (uint32_t t = 0; t < n; t++) {
        exited[t] = TRUE; /* the observer has left all open calls */
    }
    af_profile *made = NULL;
    if (af_rebuild_finish(subprofile->rebuild, exited, n) &&
        af_rebuild_trees(subprofile->rebuild, trees, n)) {
        for (uint32_t t = 0; t < n; t++) {
            af_tree_keep_clocks(trees[t], af_tree_clocks(subprofile->profile->threads[t].tree));
        }
        made = make_profile(subprofile, trees, error);
    } else {
        af_memory_error_set(error);
    }
    for (uint32_t t = 0; t < n; t++) {
        af_tree_free(trees[t]);
    }
    return made;
}
