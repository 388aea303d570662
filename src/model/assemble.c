/* The end of reading: what a sink was given becomes a profile. */
#include "model/sink.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "model/labels.h"
#include "model/proxy.h"
#include "model/regroup.h"

static const af_sink_method_state *method_state(const af_sink *sink, uint32_t method)
{
    static const af_sink_method_state unknown;
    return method < sink->methods.n
               ? &AF_ARRAY_AT(&sink->methods, af_sink_method_state, method)
               : &unknown;
}

static const af_sink_thread_state *thread_state_of(const af_sink *sink, uint32_t thread)
{
    static const af_sink_thread_state unknown;
    return thread < sink->threads.n
               ? &AF_ARRAY_AT(&sink->threads, af_sink_thread_state, thread)
               : &unknown;
}

/* Which methods any record names. NULL if memory is refused. */
static guint8 *find_used(const af_sink *sink, af_tree *const *trees, uint32_t n_trees)
{
    guint8 *used = g_try_malloc0((size_t)sink->method_ids.n + 1);
    for (uint32_t t = 0; t < n_trees && used != NULL; t++) {
        for (uint32_t n = 1; n < trees[t]->n; n++) {
            used[trees[t]->label[n]] = 1;
        }
    }
    for (uint32_t m = 0; m < sink->method_ids.n && used != NULL; m++) {
        used[m] |= (guint8)af_rebuild_missed(sink->rebuild, m);
    }
    return used;
}

/* Class with dots: Dalvik writes slashes. Nothing else in a name is changed. */
static const char *clean_class(af_sink *sink, const af_method_text *text)
{
    char *clean = (char *)af_sink_clean(sink, text->class_name);
    for (char *c = clean; c != NULL && !text->whole && *c != '\0'; c++) {
        *c = *c == '/' ? '.' : *c;
    }
    return clean;
}

/* NULL for what stands there instead of a file's name. */
static const char *know_source(const char *source)
{
    static const char *const unknown[] = {"", "(null)", "Unknown Source", "D8$$SyntheticClass",
                                          "R8$$SyntheticClass", "SourceFile"};
    for (unsigned i = 0; source != NULL && i < G_N_ELEMENTS(unknown); i++) {
        if (strcmp(source, unknown[i]) == 0) {
            return NULL;
        }
    }
    return source != NULL && g_str_has_prefix(source, "r8-map-id-") ? NULL : source;
}

static gboolean is_replaced(af_slice slice)
{
    return slice.bytes != NULL && !af_utf8_is_clean(slice.bytes, slice.length);
}

static void describe(af_sink *sink, const af_method_text *text, af_method *method)
{
    if (is_replaced(text->class_name) || is_replaced(text->name)) {
        af_sink_warn(sink, AF_WARN_CONTROL_CHARACTERS, 1, AF_NO_PLACE);
    }
    method->class_name = clean_class(sink, text);
    method->name = af_sink_clean(sink, text->name);
    method->signature =
        text->signature.length == 0 ? NULL : af_sink_clean(sink, text->signature);
    method->source = af_sink_clean(sink, text->source);
    method->library = af_sink_clean(sink, text->library);
    method->nowhere = text->nowhere.length == 0 ? NULL : af_sink_clean(sink, text->nowhere);
    method->line = text->line;
    const char *as_recorded = method->class_name;
    method->note = text->note;
    if (sink->rename != NULL) {
        sink->rename(sink->rename_user, sink->arena, method);
    }
    method->slashed = text->slashed && method->class_name == as_recorded;
    method->source = know_source(method->source);
}

/* A method by its number, or what stands for it: the interface's method or its id. */
static void describe_method(af_sink *sink, uint32_t m, af_method *method)
{
    const af_sink_method_state *state = method_state(sink, m);
    *method = (af_method){.id = sink->method_ids.ids[m], .line = -1, .defined = state->defined};
    if (state->defined) {
        describe(sink, &state->text, method);
        return;
    }
    GString *name = g_string_new(NULL);
    if (state->has_proxy) {
        af_method of = {.defined = TRUE};
        describe(sink, &state->proxy, &of);
        of.signature = NULL;
        af_method_append_full(name, &of);
        g_string_append(name, " [proxy]");
        method->source = of.source;
        method->ambiguous = of.ambiguous;
        method->synthetic = of.synthetic;
    } else {
        g_string_printf(name, "0x%" G_GINT64_MODIFIER "x [%s]", method->id,
                        sink->undefined_are_proxies ? "proxy" : "unknown");
    }
    method->proxy = af_arena_copy(sink->arena, name->str, name->len);
    g_string_free(name, TRUE);
}

static void list_proxies(const af_sink *sink, const guint8 *used, af_proxy_method *methods)
{
    for (uint32_t m = 0; m < sink->method_ids.n; m++) {
        const af_sink_method_state *state = method_state(sink, m);
        const af_slice name = state->text.whole ? state->text.class_name : state->text.name;
        methods[m] = (af_proxy_method){
            .id = sink->method_ids.ids[m],
            .name = !state->defined ? NULL : name.bytes == NULL ? "" : name.bytes,
            .name_length = name.length,
            .used = used[m] != 0};
    }
}

/* Text + data files: pairs the undefined methods that were used with definitions that were not. */
static gboolean guess_proxies(af_sink *sink, const guint8 *used, af_tree *const *trees,
                              uint32_t n_trees)
{
    const uint32_t n = sink->method_ids.n;
    uint32_t *named = g_try_new(uint32_t, (size_t)n + 1);
    af_proxy_method *methods = g_try_new(af_proxy_method, (size_t)n + 1);
    uint64_t *adopted = g_try_new(uint64_t, (size_t)n_trees + 1);
    gboolean ok = named != NULL && methods != NULL && adopted != NULL;
    if (ok) {
        list_proxies(sink, used, methods);
        for (uint32_t t = 0; t < n_trees; t++) {
            adopted[t] = af_rebuild_thread(sink->rebuild, t)->exits_on_empty;
        }
        ok = af_proxy_recover(methods, n, trees, adopted, n_trees, named);
    }
    for (uint32_t m = 0; m < n && ok; m++) {
        if (named[m] != AF_NO_LABEL) {
            const af_method_text text = method_state(sink, named[m])->text;
            af_sink_set_proxy(sink, m, &text);
        }
    }
    g_free(adopted);
    g_free(methods);
    g_free(named);
    return ok;
}

/* Puts the methods that any record names into the profile. `method_of` receives their numbers
 * there by their numbers in the sink. */
static gboolean list_methods(af_sink *sink, af_profile *profile, const guint8 *used,
                             uint32_t *method_of)
{
    const uint32_t n = sink->method_ids.n;
    uint64_t unknown = 0;
    for (uint32_t m = 0; m < n; m++) {
        const gboolean defined = method_state(sink, m)->defined;
        profile->facts.methods += defined && method_state(sink, m)->text.nowhere.length == 0;
        unknown += used[m] && !defined;
        method_of[m] = profile->n_methods;
        profile->n_methods += used[m];
    }
    profile->facts.unknown_method_ids = unknown;
    if (unknown > 0) {
        af_sink_warn(sink,
                     sink->undefined_are_proxies ? AF_WARN_PROXY_METHOD : AF_WARN_UNKNOWN_METHOD,
                     unknown, AF_NO_PLACE);
    }
    profile->methods =
        af_arena_alloc(sink->arena, sizeof(af_method) * ((size_t)profile->n_methods + 1));
    for (uint32_t m = 0; m < n && profile->methods != NULL; m++) {
        if (used[m]) {
            describe_method(sink, m, &profile->methods[method_of[m]]);
        }
    }
    return !af_arena_failed(sink->arena);
}

/* The trees' labels, which are numbers of methods, become numbers of labels. There is something to
 * merge only where siblings are methods that share a label. */
static gboolean relabel_tree(const uint32_t *label_of, const guint8 *shared, uint32_t n_labels,
                             af_tree **tree)
{
    if (shared != NULL && af_tree_has_twins(*tree, label_of, shared, n_labels)) {
        af_tree *merged = af_tree_relabel(*tree, label_of);
        if (merged == NULL) {
            return FALSE;
        }
        af_tree_free(*tree);
        *tree = merged;
        return TRUE;
    }
    for (uint32_t i = 1; i < (*tree)->n; i++) {
        (*tree)->label[i] = label_of[(*tree)->label[i]];
    }
    return TRUE;
}

static gboolean relabel_trees(const af_profile *profile, const uint32_t *label_of, af_tree **trees,
                              uint32_t n_trees)
{
    guint8 *shared = NULL;
    gboolean ok = TRUE;
    if (profile->n_labels < profile->n_methods) {
        shared = g_try_malloc0((size_t)profile->n_labels + 1);
        ok = shared != NULL;
        for (uint32_t l = 0; ok && l < profile->n_labels; l++) {
            shared[l] = profile->labels[l].methods > 1;
        }
    }
    for (uint32_t t = 0; ok && t < n_trees; t++) {
        ok = relabel_tree(label_of, shared, profile->n_labels, &trees[t]);
    }
    g_free(shared);
    return ok;
}

/* What a second reading must know. The threads' places in the profile are not known yet. */
static gboolean make_guide(af_sink *sink, af_profile *profile, const guint8 *used,
                          const uint32_t *number_of)
{
    const uint32_t n = sink->method_ids.n;
    af_guide *guide = af_guide_new(sink->arena, sink->rebuild, &sink->ticks, sink->thread_ids.n);
    uint64_t *ids = af_arena_alloc(sink->arena, ((size_t)n + 1) * sizeof *ids);
    uint32_t *label_of = af_arena_alloc(sink->arena, ((size_t)n + 1) * sizeof *label_of);
    if (guide == NULL || ids == NULL || label_of == NULL) {
        return FALSE;
    }
    for (uint32_t m = 0; m < n; m++) {
        ids[m] = sink->method_ids.ids[m];
        label_of[m] = used[m] ? number_of[m] : AF_NO_LABEL;
    }
    for (uint32_t t = 0; t < sink->thread_ids.n; t++) {
        guide->threads[t].id = sink->thread_ids.ids[t];
        guide->threads[t].exited = thread_state_of(sink, t)->exited;
    }
    guide->n_methods = n;
    guide->method_ids = ids;
    guide->label_of = label_of;
    profile->guide = guide;
    return TRUE;
}

static gboolean name_methods(af_sink *sink, af_profile *profile, const af_open_options *options,
                             af_tree **trees, uint32_t n_trees)
{
    const uint32_t n = sink->method_ids.n;
    guint8 *used = find_used(sink, trees, n_trees);
    uint32_t *number_of = g_try_new0(uint32_t, (size_t)n + 1);
    gboolean ok = used != NULL && number_of != NULL &&
                  (!sink->guess_proxies || guess_proxies(sink, used, trees, n_trees)) &&
                  list_methods(sink, profile, used, number_of);
    uint32_t *label_of_method = ok ? g_try_new0(uint32_t, (size_t)profile->n_methods + 1) : NULL;
    ok = label_of_method != NULL && af_labels_make(profile, label_of_method);
    for (uint32_t m = 0; m < n && ok; m++) {
        number_of[m] = label_of_method[number_of[m]];
    }
    ok = ok && (!options->keep_input || make_guide(sink, profile, used, number_of));
    ok = ok && relabel_trees(profile, number_of, trees, n_trees);
    g_free(label_of_method);
    g_free(number_of);
    g_free(used);
    return ok;
}

static uint64_t shown_id(const af_sink *sink, uint32_t thread)
{
    const af_sink_thread_state *state = thread_state_of(sink, thread);
    return state->placed ? state->place.id : sink->thread_ids.ids[thread];
}

static const char *name_thread(af_sink *sink, uint32_t thread)
{
    const af_slice name = thread_state_of(sink, thread)->name;
    if (name.length == 0) {
        char text[40];
        const int n = g_snprintf(text, sizeof text, "Thread %" G_GUINT64_FORMAT,
                                 shown_id(sink, thread));
        return af_arena_copy(sink->arena, text, (size_t)n);
    }
    if (is_replaced(name)) {
        af_sink_warn(sink, AF_WARN_CONTROL_CHARACTERS, 1, AF_NO_PLACE);
    }
    return af_sink_clean(sink, name);
}

static void describe_thread(af_sink *sink, uint32_t number, const uint64_t scale[AF_CLOCKS],
                            af_tree *tree, af_thread *thread)
{
    const af_thread_counts *counts = af_rebuild_thread(sink->rebuild, number);
    const af_sink_thread_state *state = thread_state_of(sink, number);
    *thread = (af_thread){.id = shown_id(sink, number),
                          .name = name_thread(sink, number),
                          .process = state->placed ? state->place.process : AF_NO_PROCESS,
                          .sampled = state->sampled,
                          .records = counts->records,
                          .calls = counts->calls,
                          .open_at_end = counts->open_at_end + state->open,
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

/* The threads with records in the order in which they are listed. NULL if memory is refused. */
static ranked_thread *rank_threads(const af_sink *sink, uint32_t n_threads, uint32_t *n_ranked)
{
    ranked_thread *ranked = g_try_new(ranked_thread, (size_t)n_threads + 1);
    uint32_t n = 0;
    for (uint32_t t = 0; t < n_threads && ranked != NULL; t++) {
        if (af_rebuild_thread(sink->rebuild, t)->records > 0) {
            const af_sink_thread_state *state = thread_state_of(sink, t);
            ranked[n++] = (ranked_thread){
                state->placed ? state->place.rank : sink->thread_ids.ids[t], t};
        }
    }
    if (ranked != NULL) {
        qsort(ranked, n, sizeof *ranked, compare_threads);
    }
    *n_ranked = n;
    return ranked;
}

static void take_processes(af_sink *sink, af_profile *profile)
{
    const uint32_t n = (uint32_t)sink->processes.n;
    af_profile_process *processes = af_arena_alloc(sink->arena, sizeof *processes * ((size_t)n + 1));
    if (processes != NULL && n > 0) {
        memcpy(processes, sink->processes.items, sizeof *processes * n);
        profile->processes = processes;
        profile->n_processes = n;
    }
}

/* Times of samples, which are those of the device, count from the first of them. */
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
        facts->first_sample_ns = first_ns;
        facts->end_ns -= first_ns;
        facts->has_elapsed = TRUE;
        facts->elapsed_ns = facts->end_ns;
    }
}

static gboolean take_threads(af_sink *sink, af_profile *profile, af_tree **trees, uint32_t n_trees)
{
    const af_trace_counts *counts = af_rebuild_trace(sink->rebuild);
    uint32_t n;
    ranked_thread *ranked = rank_threads(sink, n_trees, &n);
    uint32_t *index_of = g_try_new(uint32_t, (size_t)n_trees + 1);
    profile->threads = af_arena_alloc(sink->arena, sizeof(af_thread) * ((size_t)n_trees + 1));
    if (profile->threads == NULL || ranked == NULL || index_of == NULL) {
        g_free(ranked);
        g_free(index_of);
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
        profile->facts.calls += profile->threads[i].sampled ? 0 : profile->threads[i].calls;
        if (profile->guide != NULL) {
            profile->guide->threads[number].index = i;
        }
    }
    profile->n_threads = n;
    g_free(ranked);
    take_processes(sink, profile);
    const gboolean marked = af_sink_take_marks(sink, &profile->marks, index_of);
    g_free(index_of);
    if (!marked || af_arena_failed(sink->arena)) {
        return FALSE;
    }
    if (profile->facts.timed) {
        rebase_samples(&profile->facts, profile->threads, profile->n_threads);
    }
    return af_profile_title_threads(profile);
}

static void take_counts(af_sink *sink, af_facts *facts)
{
    const af_trace_counts *counts = af_rebuild_trace(sink->rebuild);
    const uint64_t wall_scale = counts->scale[AF_WALL];
    facts->records = counts->records;
    facts->odd_actions = counts->odd_actions;
    facts->backward_steps = counts->backward_steps;
    facts->wraps = counts->wraps;
    facts->lifted_threads = counts->lifted_threads;
    facts->time_ordered = counts->time_ordered;
    facts->sampled = counts->sampled;
    facts->interval_ns =
        counts->interval_ticks *
        counts->scale[(sink->clocks >> AF_WALL & 1) != 0 ? AF_WALL : AF_CPU];
    facts->end_ns = counts->end_ticks * wall_scale;
    if (wall_scale != sink->tick_ns) {
        facts->elapsed_ns = facts->elapsed_ns / sink->tick_ns * wall_scale;
    }
    if (counts->thousandfold) {
        af_sink_warn(sink, AF_WARN_SCALE_BUG, 1, AF_NO_PLACE);
    }
    if (facts->overflow == 1) {
        af_sink_warn(sink, AF_WARN_OVERFLOW, 1, AF_NO_PLACE);
    }
    if (facts->records == 0) {
        af_sink_warn(sink, AF_WARN_NO_RECORDS, 1, AF_NO_PLACE);
    }
    facts->n_facts = (unsigned)sink->key_values.n;
    facts->facts = af_arena_alloc(sink->arena, sizeof(af_fact) * (facts->n_facts + 1));
    if (facts->facts != NULL && facts->n_facts > 0) {
        memcpy((void *)facts->facts, sink->key_values.items, sizeof(af_fact) * facts->n_facts);
    }
}

/* A picture of it would be empty, and nobody would know why. */
static void warn_no_total(af_sink *sink, const af_profile *profile)
{
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            if (af_tree_time_ns(profile->threads[t].tree, 0, (af_clock)c) > 0) {
                return;
            }
        }
    }
    if (profile->facts.records > 0) {
        af_sink_warn(sink, AF_WARN_NO_TOTAL, 1, AF_NO_PLACE);
    }
}

gboolean af_sink_was_refused(const af_sink *sink)
{
    return sink->failed || sink->methods.failed || sink->threads.failed ||
           sink->key_values.failed || sink->processes.failed || sink->method_ids.failed || sink->thread_ids.failed ||
           af_arena_failed(sink->arena);
}

/* Ticks are not divided. */
static gboolean check_scale(const af_sink *sink, GError **error)
{
    if (sink->scale > 0 && sink->facts.weighed) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "the input holds samples; only times of calls can be scaled");
    } else if (sink->tick_ns * sink->scale % 1000000 != 0) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "times of this input are in whole %s, which cannot be divided so",
                    sink->tick_ns == 1000 ? "microseconds" : "nanoseconds");
    } else {
        return TRUE;
    }
    return FALSE;
}

af_profile *af_sink_finish(af_sink *sink, const af_open_options *options, GError **error)
{
    if (sink->cancel != NULL && g_cancellable_is_cancelled(sink->cancel)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_CANCELLED, "stopped");
        return NULL;
    }
    if (!check_scale(sink, error)) {
        return NULL;
    }
    const uint32_t n_threads = sink->thread_ids.n;
    gboolean *exited = g_try_new0(gboolean, (size_t)n_threads + 1);
    af_tree **trees = g_try_new0(af_tree *, (size_t)n_threads + 1);
    af_profile *profile = g_new0(af_profile, 1);
    profile->names = options->names;
    profile->clocks = sink->clocks;
    for (uint32_t t = 0; t < n_threads && exited != NULL; t++) {
        exited[t] = thread_state_of(sink, t)->exited;
    }
    gboolean ok = exited != NULL && trees != NULL && !af_sink_was_refused(sink) &&
                  af_rebuild_finish(sink->rebuild, exited, n_threads) &&
                  af_rebuild_trees(sink->rebuild, trees, n_threads, options->jobs);
    for (uint32_t t = 0; t < n_threads && ok; t++) {
        af_tree_keep_clocks(trees[t], ~thread_state_of(sink, t)->lacks);
    }
    if (ok) {
        take_counts(sink, &sink->facts);
        profile->arena = sink->arena;
        profile->facts = sink->facts;
        ok = name_methods(sink, profile, options, trees, n_threads) &&
             take_threads(sink, profile, trees, n_threads);
        if (ok) {
            warn_no_total(sink, profile);
        }
        profile->warnings = sink->warnings;
        sink->arena = NULL;
    }
    for (uint32_t t = 0; t < n_threads && trees != NULL; t++) {
        af_tree_free(trees[t]);
    }
    g_free(trees);
    g_free(exited);
    if (!ok) {
        af_profile_free(profile);
        g_set_error_literal(error, AF_ERROR, AF_ERROR_MEMORY, "not enough memory");
        return NULL;
    }
    return profile;
}
