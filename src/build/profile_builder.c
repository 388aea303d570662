#include "build/profile_builder.h"

#include <stdlib.h>
#include <string.h>

#include "base/cancel.h"
#include "base/memory_error.h"
#include "build/naming.h"
#include "build/sink_state.h"

af_sink *af_sink_new(const af_open_options *options)
{
    af_sink *sink = g_new0(af_sink, 1);
    sink->arena = af_arena_new();
    sink->facts.recording.overflow = -1;
    af_warnings_init(&sink->warnings);
    af_array_init(&sink->key_values, sizeof(af_fact));
    af_array_init(&sink->methods, sizeof(af_sink_method_state));
    af_array_init(&sink->threads, sizeof(af_sink_thread_state));
    af_array_init(&sink->processes, sizeof(af_profile_process));
    af_idmap_init_hashed(&sink->waker_ids, &sink->held);
    af_array_init_metered(&sink->wakers, sizeof(const char *), &sink->held);
    af_textmap_init(&sink->series_names);
    af_array_init(&sink->series, sizeof(af_marker_series));
    af_array_init(&sink->markers, sizeof(af_marker));
    af_array_init(&sink->frames, sizeof(af_timeline_frame));
    af_idmap_init(&sink->method_ids, AF_ACTION_BITS, NULL);
    sink->method_ids.most = AF_MOST_METHODS;
    af_idmap_init(&sink->thread_ids, 0, NULL);
    af_sink_stacks_init(&sink->stacks, &sink->held);
    sink->jobs = options->jobs;
    sink->max_memory = options->max_memory;
    sink->memory_stops = options->max_memory_stops;
    sink->most_records = UINT64_MAX;
    sink->cancel = options->cancel;
    sink->progress = options->progress;
    sink->progress_user = options->progress_user;
    sink->recorded = options->recorded;
    sink->scale = MIN(options->time_scale, AF_TIME_SCALE_MAX);
    return sink;
}

af_sink *af_sink_new_again(const af_open_options *options, const af_walk_plan *plan,
                           const af_event_consumer *consumer)
{
    af_sink *sink = af_sink_new(options);
    sink->jobs = 1;
    sink->consumer = consumer;
    sink->most_records = consumer->raw ? UINT64_MAX : plan->most_records;
    const uint64_t *ids = consumer->raw ? consumer->method_ids : plan->method_ids;
    const uint32_t n_ids = consumer->raw ? consumer->n_method_ids : plan->n_methods;
    for (uint32_t m = 0; m < n_ids; m++) {
        af_sink_method(sink, ids[m]);
    }
    for (uint32_t t = 0; t < plan->n_threads; t++) {
        af_sink_thread(sink, plan->threads[t].id);
    }
    return sink;
}

void af_sink_free(af_sink *sink)
{
    if (sink == NULL) {
        return;
    }
    af_finished_free(sink->finished);
    af_arena_free(sink->arena);
    AF_ARRAYS_CLEAR(&sink->key_values, &sink->methods, &sink->threads, &sink->processes,
                    &sink->wakers, &sink->series, &sink->markers, &sink->frames);
    af_idmap_clear(&sink->waker_ids);
    af_textmap_clear(&sink->series_names);
    af_idmap_clear(&sink->method_ids);
    af_idmap_clear(&sink->thread_ids);
    af_sink_stacks_clear(&sink->stacks);
    af_rebuild_free(sink->rebuild);
    g_free(sink);
}

void af_sink_set_renamer(af_sink *sink, af_renamer rename, void *user)
{
    sink->rename = rename;
    sink->rename_user = user;
}

void af_sink_mute_progress(af_sink *sink)
{
    sink->progress = NULL;
}

static uint64_t shown_id(const af_sink *sink, uint32_t thread)
{
    const af_sink_thread_state *state = af_sink_thread_state_of(sink, thread);
    return state->owned ? state->owner.id : sink->thread_ids.ids[thread];
}

static const char *name_thread(af_sink *sink, uint32_t thread)
{
    const af_span name = af_sink_thread_state_of(sink, thread)->name;
    if (name.length == 0) {
        char text[40];
        const int n =
            g_snprintf(text, sizeof text, "Thread %" G_GUINT64_FORMAT, shown_id(sink, thread));
        return af_arena_copy(sink->arena, text, (size_t)n);
    }
    if (af_sink_replaces(name)) {
        af_sink_warn(sink, AF_WARN_CONTROL_CHARACTERS, 1, AF_NO_OFFSET);
    }
    return af_sink_clean(sink, name);
}

static void describe_thread(af_sink *sink, uint32_t number, const uint64_t scale[AF_CLOCKS],
                            af_tree *tree, af_thread *thread)
{
    const af_thread_counts *counts = af_rebuild_thread(sink->rebuild, number);
    const af_sink_thread_state *state = af_sink_thread_state_of(sink, number);
    *thread = (af_thread){.id = shown_id(sink, number),
                          .name = name_thread(sink, number),
                          .process = state->owned ? state->owner.process : AF_NO_PROCESS,
                          .is_track = state->owned && state->owner.is_track,
                          .rival = state->owner.rival,
                          .rival_ns = state->owner.rival_ns,
                          .sampled = state->sampled,
                          .records = counts->records,
                          .calls = counts->calls,
                          .open_at_end = counts->open_at_end,
                          .exits_on_empty = counts->exits_on_empty,
                          .missing_exits = counts->missing_exits,
                          .unmatched_exits = counts->unmatched_exits,
                          .unwinds = counts->unwinds,
                          .max_depth = counts->max_depth,
                          .exited = state->exited,
                          .listed = state->listed,
                          .tree = tree};
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        thread->first_ns[c] = counts->first[c] * scale[c];
        thread->last_ns[c] = counts->last[c] * scale[c];
    }
}

typedef struct {
    uint64_t rank;
    uint32_t number; /* of the sink */
} ranked_thread;

static int compare_threads(const void *a, const void *b)
{
    const ranked_thread *x = a, *y = b;
    return x->rank != y->rank ? (x->rank < y->rank ? -1 : 1)
                              : (x->number > y->number) - (x->number < y->number);
}

/* Returns the threads with records in the order of the list; NULL if memory is refused. */
static ranked_thread *rank_threads(const af_sink *sink, uint32_t n_threads, uint32_t *n_ranked)
{
    ranked_thread *ranked = g_try_new(ranked_thread, (size_t)n_threads + 1);
    uint32_t n = 0;
    for (uint32_t t = 0; t < n_threads && ranked != NULL; t++) {
        if (af_rebuild_thread(sink->rebuild, t)->records > 0) {
            const af_sink_thread_state *state = af_sink_thread_state_of(sink, t);
            ranked[n++] =
                (ranked_thread){state->owned ? state->owner.rank : sink->thread_ids.ids[t], t};
        }
    }
    if (ranked != NULL) {
        qsort(ranked, n, sizeof *ranked, compare_threads);
    }
    *n_ranked = n;
    return ranked;
}

/* Rebases times of samples, which use the device's clock, to the first sample. */
static void rebase_samples(af_facts *facts, af_thread *threads, uint32_t n)
{
    uint64_t first_ns = UINT64_MAX;
    for (uint32_t t = 0; t < n; t++) {
        first_ns = MIN(first_ns, threads[t].first_ns[AF_WALL]);
    }
    for (uint32_t t = 0; t < n; t++) {
        threads[t].first_ns[AF_WALL] -= first_ns;
        threads[t].last_ns[AF_WALL] -= first_ns;
    }
    if (n > 0) {
        facts->weights.first_sample_ns = first_ns;
        facts->recording.end_ns -= first_ns;
        facts->recording.has_elapsed = TRUE;
        facts->recording.elapsed_ns = facts->recording.end_ns;
    }
}

static gboolean take_threads(af_sink *sink, af_profile *profile, af_tree **trees, uint32_t n_trees)
{
    const af_trace_counts *counts = af_rebuild_trace(sink->rebuild);
    uint32_t n;
    g_autofree ranked_thread *ranked = rank_threads(sink, n_trees, &n);
    g_autofree uint32_t *index_of = g_try_new(uint32_t, (size_t)n_trees + 1);
    profile->threads = af_arena_alloc(sink->arena, sizeof(af_thread) * ((size_t)n_trees + 1));
    if (profile->threads == NULL || ranked == NULL || index_of == NULL) {
        return FALSE;
    }
    for (uint32_t t = 0; t < n_trees; t++) {
        index_of[t] = UINT32_MAX;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t number = ranked[i].number;
        index_of[number] = i;
        describe_thread(sink, number, counts->scale, trees[number], &profile->threads[i]);
        trees[number] = NULL;
        profile->threads[i].number = i;
        if (af_thread_counts_calls(profile, &profile->threads[i])) {
            profile->facts.counts.calls += profile->threads[i].calls;
        }
        if (profile->walk_plan != NULL) {
            profile->walk_plan->threads[number].index = i;
        }
    }
    profile->n_threads = n;
    profile->processes = af_array_copy(&sink->processes, sink->arena);
    profile->n_processes = (uint32_t)sink->processes.n;
    profile->wakers = af_array_copy(&sink->wakers, sink->arena);
    profile->n_wakers = (uint32_t)sink->wakers.n;
    if (!af_sink_finish_markers(sink, &profile->markers, index_of) ||
        af_arena_failed(sink->arena)) {
        return FALSE;
    }
    if (af_content_has_timed_weights(profile->facts.content)) {
        rebase_samples(&profile->facts, profile->threads, profile->n_threads);
    }
    if (!af_sink_finish_frames(sink, profile)) {
        return FALSE;
    }
    if (sink->stacks.spent) {
        profile->facts.content = AF_CONTENT_STACKS;
        af_sink_warn(sink, AF_WARN_MANY_CHANGES, 1, AF_NO_OFFSET);
    }
    return af_profile_title_threads(profile);
}

static void take_counts(af_sink *sink, af_facts *facts)
{
    const af_trace_counts *counts = af_rebuild_trace(sink->rebuild);
    const uint64_t wall_scale = counts->scale[AF_WALL];
    facts->counts.records = counts->records;
    facts->counts.odd_actions = counts->odd_actions;
    facts->counts.backward_steps = counts->backward_steps;
    facts->counts.wraps = counts->wraps;
    facts->counts.lifted_threads = counts->lifted_threads;
    if (!af_content_has_weights(facts->content)) {
        facts->content = counts->sampled ? AF_CONTENT_SAMPLED_CALLS : AF_CONTENT_CALLS;
    }
    if (facts->recording.interval_ns == 0) { /* the reader did not see the samples themselves */
        facts->recording.interval_ns =
            counts->interval_ticks *
            counts->scale[(sink->clocks >> AF_WALL & 1) != 0 ? AF_WALL : AF_CPU];
    }
    facts->recording.end_ns = counts->end_ticks * wall_scale;
    facts->recording.unrecorded_ns = counts->unrecorded_ticks * wall_scale;
    if (wall_scale != sink->tick_ns) {
        facts->recording.elapsed_ns = facts->recording.elapsed_ns / sink->tick_ns * wall_scale;
    }
    if (counts->thousandfold) {
        af_sink_warn(sink, AF_WARN_SCALE_BUG, 1, AF_NO_OFFSET);
    }
    if (facts->recording.overflow == 1) {
        af_sink_warn(sink, AF_WARN_OVERFLOW, 1, AF_NO_OFFSET);
    }
    if (facts->recording.unrecorded_ns > 0) {
        af_sink_warn(sink, AF_WARN_UNRECORDED, 1, AF_NO_OFFSET);
    }
    if (facts->counts.records == 0) {
        af_sink_warn(sink, AF_WARN_NO_RECORDS, 1, AF_NO_OFFSET);
    }
    facts->n_keys = (unsigned)sink->key_values.n;
    facts->keys = af_array_copy(&sink->key_values, sink->arena);
}

/* its picture would be empty without explanation */
static void warn_no_total(af_sink *sink, const af_profile *profile)
{
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            if (af_tree_time_ns(profile->threads[t].tree, 0, (af_clock)c) > 0) {
                return;
            }
        }
    }
    if (profile->facts.counts.records > 0) {
        af_sink_warn(sink, AF_WARN_NO_TOTAL, 1, AF_NO_OFFSET);
    }
}

gboolean af_sink_was_refused(const af_sink *sink)
{
    return sink->held.refused || sink->methods.failed || sink->threads.failed ||
           sink->key_values.failed || sink->processes.failed || sink->method_ids.failed ||
           sink->thread_ids.failed || af_arena_failed(sink->arena);
}

/* Weights in ticks are not divided. A reader of several kinds of data may have taken the scale. */
static gboolean check_scale(const af_sink *sink, GError **error)
{
    if (MAX(sink->scale, sink->markers_scale) > 0 && af_content_has_weights(sink->facts.content)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "the input holds samples; only times of calls can be scaled");
    } else if (sink->tick_ns * sink->scale % 1000000 != 0) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "times of this input are in whole %s, and this scale needs fractions of them",
                    sink->tick_ns == 1000 ? "microseconds" : "nanoseconds");
    } else {
        return TRUE;
    }
    return FALSE;
}

/* A default limit depends on the machine, so no profile may depend on it. */
static gboolean check_memory(const af_sink *sink, GError **error)
{
    if (!af_sink_is_full(sink)) {
        return TRUE;
    }
    if (sink->rebuild == NULL || af_rebuild_trace(sink->rebuild)->records == 0) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_MEMORY, AF_NAMES_TOO_LARGE);
        return FALSE;
    }
    if (sink->memory_stops) {
        return TRUE;
    }
    g_set_error(
        error, AF_ERROR, AF_ERROR_MEMORY,
        "the call trees need more memory than the %" G_GUINT64_FORMAT
        " MB that are allowed; --max-memory SIZE sets another limit and draws the part that fits",
        sink->max_memory / 1000000);
    return FALSE;
}

static gboolean finish_rebuild(af_sink *sink, const gboolean *exited, uint32_t n_threads)
{
    sink->facts.recording.truncated |= af_sink_is_full(sink);
    if (sink->facts.recording.overflow == 1 || sink->facts.recording.truncated) {
        af_rebuild_end_early(sink->rebuild);
    }
    return af_rebuild_finish(sink->rebuild, exited, n_threads);
}

af_profile *af_sink_finish(af_sink *sink, const af_open_options *options, GError **error)
{
    if (af_cancel_check(sink->cancel, error)) {
        return NULL;
    }
    if (sink->finished != NULL) {
        return af_finished_take(sink, options, error);
    }
    if (!check_scale(sink, error) || !check_memory(sink, error)) {
        return NULL;
    }
    const uint32_t n_threads = sink->thread_ids.n;
    g_autofree gboolean *exited = g_try_new0(gboolean, (size_t)n_threads + 1);
    g_autofree af_tree **trees = g_try_new0(af_tree *, (size_t)n_threads + 1);
    af_profile *profile = g_new0(af_profile, 1);
    profile->names = options->names;
    profile->keeps_methods = options->keep_methods;
    profile->clocks = sink->clocks;
    for (uint32_t t = 0; t < n_threads && exited != NULL; t++) {
        exited[t] = af_sink_thread_state_of(sink, t)->exited;
    }
    gboolean ok = exited != NULL && trees != NULL && !af_sink_was_refused(sink) &&
                  finish_rebuild(sink, exited, n_threads) &&
                  af_rebuild_trees(sink->rebuild, trees, n_threads);
    for (uint32_t t = 0; t < n_threads && ok; t++) {
        af_tree_keep_clocks(trees[t], ~af_sink_thread_state_of(sink, t)->lacks);
    }
    if (ok) {
        take_counts(sink, &sink->facts);
        profile->arena = sink->arena;
        profile->facts = sink->facts;
        ok = af_naming_take(sink, profile, options, trees, n_threads) &&
             take_threads(sink, profile, trees, n_threads);
        if (ok) {
            warn_no_total(sink, profile);
        }
        profile->warnings = sink->warnings;
        profile->facts.has_bidi = sink->facts.has_bidi; /* the names are cleaned last */
        sink->arena = NULL;
    }
    for (uint32_t t = 0; t < n_threads && trees != NULL; t++) {
        af_tree_free(trees[t]);
    }
    if (!ok) {
        af_profile_free(profile);
        af_memory_error_set(error);
        return NULL;
    }
    return profile;
}
