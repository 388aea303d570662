/* speedscope's own format: a JSON object with one profile for each thread.
 *
 * With single calls, a profile is a list of starts ("O") and ends ("C") in whole ns in their
 * original order: speedscope's "Time Order". With trees, it is a list of stacks with the self time
 * of each. With threads whose calls come from samples, it is a list of stacks in time order, with
 * an empty stack in gaps. speedscope rejects a file unless every end is that of the innermost call,
 * times never decrease and nothing stays open; calls of a profile meet these rules.
 *
 * Frames are identified by their index in `shared.frames` and not by name, so every label is listed
 * once. An input without threads uses the name of the whole file.
 *
 * Tested: speedscope 1.25.0 opens calls, trees and samples without a warning and saves the same
 * times; aflame reads the same trees from both. */
#include "export/exporter.h"

#include "base/json.h"
#include "base/memory_error.h"
#include "base/own_trace.h"
#include "export/calls.h"
#include "export/paths.h"
#include "export/slices.h"
#include "export/label_numbers.h"

/* Estimated size of a frame in a stack. */
#define FRAME_BYTES 4

typedef struct {
    const af_profile *profile;
    const af_selection *selection;
    af_label_numbers used;
    af_out *out;
    uint32_t n_profiles;        /* profiles begun so far */
    gboolean any;               /* items of the current list */
    uint64_t start_ns;          /* of the trace, in the written clock */
    uint64_t first_ns, last_ns; /* of the thread, since then */
    uint32_t *path;             /* capacity for the deepest stack */
    uint64_t stack_bytes;       /* estimated size of stacks in time order */
    const af_tree *tree;        /* the thread whose samples are being written */
    unsigned round;
} writer;

static void put_frames(const writer *w)
{
    for (uint32_t i = 0; i < w->used.n; i++) {
        const af_label *label = &w->profile->labels[w->used.labels[i]];
        int32_t line;
        const char *source = af_label_source(w->profile, w->used.labels[i], &line);
        af_out_text(w->out, i > 0 ? ",\n{\"name\":" : "\n{\"name\":");
        af_json_text(w->out, label->text, label->length);
        if (source != NULL) {
            af_json_string_after(w->out, ",\"file\":", source);
        }
        if (source != NULL && line > 0) {
            af_out_text(w->out, ",\"line\":");
            af_out_i64(w->out, line);
        }
        af_out_char(w->out, '}');
    }
}

/* A unit name that speedscope knows; for other units it shows plain numbers. */
static const char *name_unit(const af_unit *unit)
{
    return !unit->counted                                          ? "nanoseconds"
           : unit->digits == 0 && strcmp(unit->name, "bytes") == 0 ? "bytes"
                                                                   : "none";
}

/* The title of the whole file, with the unit of samples, which speedscope's format lacks. */
static void put_title(const writer *w)
{
    const af_unit *unit = &w->profile->facts.weights.unit;
    const char *app = w->profile->app != NULL ? w->profile->app : "trace";
    const char *measure = unit->counted                   ? unit->name
                          : w->selection->clock == AF_CPU ? "CPU time"
                                                          : NULL;
    g_autofree char *title =
        measure != NULL ? g_strdup_printf("%s (%s)", app, measure) : g_strdup(app);
    af_json_string(w->out, title);
}

static void begin_profile(writer *w, const char *type, const char *unit, uint32_t thread)
{
    af_json_string_after(w->out, w->n_profiles++ > 0 ? ",\n{\"type\":" : "\n{\"type\":", type);
    af_out_text(w->out, ",\"name\":");
    if (w->profile->facts.threadless) {
        put_title(w);
    } else {
        af_json_string(w->out, w->profile->threads[thread].title);
    }
    af_json_string_after(w->out, ",\"unit\":", unit);
    w->any = FALSE;
}

static void end_profile(writer *w)
{
    const unsigned digits = w->profile->facts.weights.unit.digits;
    af_out_text(w->out, "],\"startValue\":");
    af_out_decimal(w->out, w->first_ns, digits);
    af_out_text(w->out, ",\"endValue\":");
    af_out_decimal(w->out, w->last_ns, digits);
    af_out_char(w->out, '}');
}

static gboolean begin_thread(void *user, uint32_t thread, unsigned round, GError **error)
{
    writer *w = user;
    begin_profile(w, "evented", "nanoseconds", thread);
    af_out_text(w->out, ",\"events\":[");
    w->first_ns = w->last_ns = 0;
    return TRUE;
}

static gboolean put_edge(writer *w, const char *kind, const af_call_event *edge, GError **error)
{
    w->last_ns = edge->time_ns[w->selection->clock] - w->start_ns;
    if (!w->any) {
        w->first_ns = w->last_ns;
    }
    af_out_text(w->out, w->any ? ",\n" : "\n");
    af_out_number(w->out, kind, w->used.number_of[edge->label], ",\"at\":");
    af_out_number(w->out, "", w->last_ns, "}");
    w->any = TRUE;
    return w->out->error == NULL || af_export_stop(error);
}

static bool enter_call(void *user, const af_call_event *edge, GError **error)
{
    return put_edge(user, "{\"type\":\"O\",\"frame\":", edge, error);
}

static bool leave_call(void *user, const af_call_event *edge, GError **error)
{
    return put_edge(user, "{\"type\":\"C\",\"frame\":", edge, error);
}

static gboolean end_thread(void *user, uint32_t thread, unsigned round, GError **error)
{
    end_profile(user);
    return TRUE;
}

/* The frames of a node, outermost first; none for the thread itself. */
static void put_path(writer *w, const af_tree *tree, uint32_t node)
{
    uint32_t depth = tree->depth[node];
    for (uint32_t n = node; n != 0; n = tree->parent[n]) {
        w->path[--depth] = w->used.number_of[tree->label[n]];
    }
    af_out_text(w->out, w->any ? ",\n[" : "\n[");
    for (uint32_t d = 0; d < tree->depth[node]; d++) {
        if (d > 0) {
            af_out_char(w->out, ',');
        }
        af_out_u64(w->out, w->path[d]);
    }
    af_out_char(w->out, ']');
    w->any = TRUE;
}

static void begin_weights(writer *w)
{
    af_out_text(w->out, "],\"weights\":[");
    w->any = FALSE;
}

static void put_weight(writer *w, uint64_t weight)
{
    af_out_text(w->out, w->any ? ",\n" : "\n");
    af_out_decimal(w->out, weight, w->profile->facts.weights.unit.digits);
    w->any = TRUE;
}

/* ---- samples in order of time, or the nodes of a tree: first all stacks, then all weights ---- */

enum { STACKS, WEIGHTS, ROUNDS };

static gboolean begin_samples(void *user, uint32_t thread, unsigned round, GError **error)
{
    writer *w = user;
    if (round == STACKS) {
        begin_profile(w, "sampled", name_unit(&w->profile->facts.weights.unit), thread);
        af_out_text(w->out, ",\"samples\":[");
        w->first_ns = w->last_ns = 0;
    } else {
        begin_weights(w);
    }
    w->round = round;
    w->tree = w->profile->threads[thread].tree;
    return TRUE;
}

/* Writes a stack or its weight, depending on the pass. */
static void put_sample(writer *w, uint32_t node, uint64_t length_ns)
{
    if (w->round == WEIGHTS) {
        put_weight(w, length_ns);
        return;
    }
    put_path(w, w->tree, node);
}

static gboolean put_slice(void *user, const af_export_slice *slice, GError **error)
{
    writer *w = user;
    if (!w->any) {
        w->first_ns = slice->begin_ns;
    } else if (slice->begin_ns > w->last_ns) {
        put_sample(w, 0, slice->begin_ns - w->last_ns);
    }
    w->last_ns = slice->end_ns;
    put_sample(w, slice->node, slice->end_ns - slice->begin_ns);
    return w->out->error == NULL || af_export_stop(error);
}

static gboolean end_samples(void *user, uint32_t thread, unsigned round, GError **error)
{
    if (round == WEIGHTS) {
        end_profile(user);
    }
    return TRUE;
}

static gboolean counts_calls(const writer *w, uint32_t index)
{
    const uint32_t thread = w->selection->threads[index];
    return af_thread_counts_calls(w->profile, &w->profile->threads[thread]);
}

static gboolean set_thread(void *user, uint32_t thread, unsigned round, GError **error)
{
    writer *w = user;
    w->tree = w->profile->threads[thread].tree;
    return TRUE;
}

static gboolean count_slice(void *user, const af_export_slice *slice, GError **error)
{
    writer *w = user;
    w->stack_bytes += (uint64_t)w->tree->depth[slice->node] * FRAME_BYTES;
    w->stack_bytes = MIN(w->stack_bytes, AF_PATHS_MOST_COUNTED);
    return TRUE;
}

/* Whether the stacks of samples fit into the limit. They are counted only if the estimate of all
 * records at the largest depth exceeds it. */
static gboolean check_samples(writer *w, GError **error)
{
    const af_export_slice_observer observer = {1, set_thread, count_slice, set_thread, w};
    const af_selection *all = w->selection;
    g_autofree uint32_t *sampled = g_new(uint32_t, (gsize)all->n_threads + 1);
    af_selection some = *all;
    uint64_t bound = 0;
    some.threads = sampled;
    some.n_threads = 0;
    for (uint32_t i = 0; i < all->n_threads; i++) {
        const af_thread *thread = &w->profile->threads[all->threads[i]];
        if (!counts_calls(w, i)) {
            sampled[some.n_threads++] = all->threads[i];
            bound +=
                MIN(thread->records, UINT32_MAX / FRAME_BYTES) * thread->max_depth * FRAME_BYTES;
            bound = MIN(bound, AF_PATHS_MOST_COUNTED);
        }
    }
    gboolean ok = TRUE;
    if (all->most_bytes > 0 && bound > all->most_bytes) {
        ok = af_export_slices_walk(w->profile, &some, &observer, error);
        if (ok && w->stack_bytes > all->most_bytes) {
            af_paths_refuse(w->profile, &some, "stacks", w->stack_bytes, error);
            ok = FALSE;
        }
    }
    return ok;
}

static gboolean put_stacks(writer *w, const af_selection *selection, GError **error)
{
    const af_export_slice_observer samples = {ROUNDS, begin_samples, put_slice, end_samples, w};
    return af_export_slices_walk(w->profile, selection, &samples, error);
}

/* Writes consecutive threads of one kind together. */
static gboolean put_calls(writer *w, GError **error)
{
    const af_thread_observer calls = {1, begin_thread, enter_call, leave_call, end_thread, w};
    const af_selection *all = w->selection;
    gboolean ok = TRUE;
    for (uint32_t i = 0, end = 0; i < all->n_threads && ok; i = end) {
        const gboolean counted = counts_calls(w, i);
        for (end = i; end < all->n_threads && counts_calls(w, end) == counted; end++) {
        }
        af_selection some = *all;
        some.threads += i;
        some.n_threads = end - i;
        ok = counted ? af_export_walk_threads(w->profile, &some, &calls, error)
                     : put_stacks(w, &some, error);
    }
    return ok;
}

static void put_top(const writer *w)
{
    af_out_text(w->out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
                        "\"exporter\":\"aflame\",\n\"name\":");
    put_title(w);
    const unsigned facts = af_exporter_facts(w->profile, w->selection);
#define PUT(fact, key, value)                                                                      \
    af_out_text(w->out, (facts & (fact)) != 0 ? ",\n\"" key "\":\"" value "\"" : "");
    AF_TRACE_FACTS(PUT)
    if (w->selection->left_out != NULL) {
        af_json_string_after(w->out, ",\n\"leftOut\":", w->selection->left_out);
    }
}

static gboolean write_speedscope(const af_profile *profile, const af_selection *selection,
                                 af_out *out, GError **error)
{
    writer w = {.profile = profile, .selection = selection, .out = out};
    if (selection->calls == NULL ? !af_paths_check(profile, selection, FRAME_BYTES, "stacks", error)
                                 : !check_samples(&w, error)) {
        return FALSE;
    }
    w.path = g_try_new(
        uint32_t,
        (size_t)af_profile_deepest(profile, selection->threads, selection->n_threads) + 1);
    if (w.path == NULL ||
        !af_label_numbers_init(&w.used, profile, selection->threads, selection->n_threads)) {
        g_free(w.path);
        return af_memory_error_set(error);
    }
    w.start_ns = selection->clock == AF_WALL ? af_profile_start_ns(profile) : 0;
    put_top(&w);
    af_out_text(out, ",\n\"shared\":{\"frames\":[");
    put_frames(&w);
    af_out_text(out, "]},\n\"profiles\":[");
    const gboolean ok =
        selection->calls != NULL ? put_calls(&w, error) : put_stacks(&w, selection, error);
    af_out_text(out, "]}\n");
    af_label_numbers_clear(&w.used);
    g_free(w.path);
    return ok;
}

const af_exporter af_exporter_speedscope = {
    .name = "speedscope",
    .extensions = "speedscope.json speedscope",
    .title = "speedscope: calls in order of time, or stacks",
    .calls = AF_CALLS_IF_ANY,
    .loses = AF_LOSES_TIMELINE,
    .write = write_speedscope,
};
