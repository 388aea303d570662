/* Chrome trace events: a JSON object whose `traceEvents` holds one complete event ("X") for each
 * call, for ui.perfetto.dev, chrome://tracing, speedscope and Spall. Without single calls: stacks,
 * see chrome_samples.c.
 *
 * Times are µs since the trace began, exact to the ns. An event is written when its call ends, so
 * memory holds only the stacks. Readers sort by start time; of events with the same start, the
 * longer or the earlier in the file is the outer one. So calls that start together with their
 * caller are delayed until after it. The format cannot place a call of zero length at the end of
 * its caller or between two siblings: a viewer may show it next to one or inside the other. For
 * readers that check, such as aflame's, these calls and those that start in the same instant after
 * them carry their depth ("depth", 1 = outermost) and their rank in the instant ("order").
 *
 * `ts` and `dur` are of the selected clock; if that is wall time and the thread has CPU time too,
 * `tts` and `tdur` have it. `args` holds only constants, because speedscope adds it to the name. A
 * file name that ends in ".chrome.json" makes speedscope expect another format.
 *
 * Tested: speedscope 1.25.0 opens the files without a warning and saves the same times to the ns;
 * aflame reads the same trees from them.
 *
 * Slices on a track that is not a thread become asynchronous events ("b", "e", and "n" for an instant) with
 * the `scope` and `id` of the track, so that viewers nest them. */
#include "export/chrome_form.h"

#include "base/array.h"
#include "base/json.h"
#include "base/memory_error.h"
#include "export/calls.h"

#define NO_SLOT UINT32_MAX

#define NO_ORDER (UINT32_C(1) << 31)

/* A thread on which this many calls start in one instant has a stopped clock. From there on events
 * are written when they end. */
#define MOST_WAITING (UINT32_C(1) << 20)

typedef struct {
    uint64_t begin_ns[AF_CLOCKS];
    uint32_t slot;    /* of the waiting calls; NO_SLOT = written at once */
    uint32_t order;   /* among the starts in one instant; NO_ORDER = too many */
    gboolean follows; /* a call of zero length in the same instant */
} frame;

/* A call that starts together with its caller, or that caller. */
typedef struct {
    uint64_t begin_ns[AF_CLOCKS], end_ns[AF_CLOCKS];
    uint32_t label;
    uint32_t depth, order; /* depth 0: the position is unambiguous */
} waiting;

typedef struct {
    af_array stack;      /* of frame */
    af_array waiting;    /* of waiting, in the order of their starts */
    uint64_t instant_ns; /* of the last start */
    uint32_t begun;      /* in that instant */
    gboolean any_short;  /* one of them had zero length */
} track;

typedef struct {
    af_chrome_form form;
    track *tracks;     /* by thread */
    uint64_t start_ns; /* of the trace, in the clock of `ts` */
    af_clock clock;    /* of `ts` */
    gboolean both;     /* also write CPU times, for threads that have them */
} writer;

/* Begins an event with the name and the category of a label. */
static void begin_event(writer *w, uint32_t number)
{
    const af_chrome_form *form = &w->form;
    const af_label *label = &form->profile->labels[number];
    af_chrome_form_begin_event(&w->form);
    af_json_text(form->out, label->text, label->length);
    af_out_text(form->out, ",\"cat\":");
    af_chrome_form_put_categories(form, label, label->category);
}

static void put_call(writer *w, uint32_t thread, const waiting *call)
{
    const af_chrome_form *form = &w->form;
    const uint64_t begin_ns = call->begin_ns[w->clock];
    begin_event(w, call->label);
    af_chrome_form_put_us(form, ",\"ph\":\"X\",\"ts\":", begin_ns - w->start_ns);
    af_chrome_form_put_us(form, ",\"dur\":", call->end_ns[w->clock] - begin_ns);
    if (w->both && af_thread_has(form->profile, thread, AF_CPU)) {
        af_chrome_form_put_us(form, ",\"tts\":", call->begin_ns[AF_CPU]);
        af_chrome_form_put_us(form, ",\"tdur\":", call->end_ns[AF_CPU] - call->begin_ns[AF_CPU]);
    }
    af_chrome_form_put_ids(form, thread);
    if (call->depth > 0) {
        af_out_number(form->out, ",\"depth\":", call->depth, ",\"order\":");
        af_out_u64(form->out, call->order);
    }
    af_out_char(form->out, '}');
}

/* The begin or the end of an asynchronous slice. */
static gboolean put_async(writer *w, const af_call_event *edge, const char *kind, GError **error)
{
    begin_event(w, edge->label);
    af_chrome_form_put_us(&w->form, kind, edge->time_ns[w->clock] - w->start_ns);
    af_chrome_form_put_track(&w->form, edge->thread);
    af_out_char(w->form.out, '}');
    return w->form.out->error == NULL || af_export_stop(error);
}

/* ---- calls ---- */

/* A free slot among the waiting calls; NO_SLOT if there are too many. */
static uint32_t add_waiting(track *t, const frame *f)
{
    waiting *call = t->waiting.n < MOST_WAITING ? af_array_add(&t->waiting, 1) : NULL;
    if (call == NULL) {
        return NO_SLOT;
    }
    memcpy(call->begin_ns, f->begin_ns, sizeof call->begin_ns);
    return (uint32_t)t->waiting.n - 1;
}

static gboolean begins_with_caller(const writer *w, const frame *f, const frame *outermost)
{
    return f != outermost && f[-1].begin_ns[w->clock] == f->begin_ns[w->clock];
}

static bool enter_call(void *user, const af_call_event *edge, GError **error)
{
    writer *w = user;
    if (af_chrome_form_is_track(&w->form, edge->thread)) {
        return put_async(w, edge, ",\"ph\":\"b\",\"ts\":", error);
    }
    track *t = &w->tracks[edge->thread];
    frame *f = af_array_add(&t->stack, 1);
    if (f == NULL) {
        return af_memory_error_set(error);
    }
    memcpy(f->begin_ns, edge->time_ns, sizeof f->begin_ns);
    f->slot = NO_SLOT;
    if (t->begun == 0 || t->instant_ns != edge->time_ns[w->clock]) {
        t->instant_ns = edge->time_ns[w->clock];
        t->begun = 0;
        t->any_short = FALSE;
    }
    f->order = t->begun;
    f->follows = t->any_short;
    t->begun += t->begun < NO_ORDER;
    if (begins_with_caller(w, f, t->stack.items)) {
        frame *caller = f - 1;
        caller->slot = caller->slot == NO_SLOT ? add_waiting(t, caller) : caller->slot;
        f->slot = caller->slot == NO_SLOT ? NO_SLOT : add_waiting(t, f);
    }
    return !t->waiting.failed || af_memory_error_set(error);
}

static void end_call(const writer *w, track *t, waiting *call, const af_call_event *edge)
{
    const frame *f = &AF_ARRAY_AT(&t->stack, frame, t->stack.n - 1);
    const gboolean is_short = f->begin_ns[w->clock] == edge->time_ns[w->clock];
    const gboolean doubtful = (is_short || f->follows) && f->order < NO_ORDER;
    memcpy(call->end_ns, edge->time_ns, sizeof call->end_ns);
    call->label = edge->label;
    call->depth = doubtful ? (uint32_t)MIN(t->stack.n, NO_ORDER - 1) : 0;
    call->order = f->order;
    t->any_short |= is_short;
}

static bool leave_call(void *user, const af_call_event *edge, GError **error)
{
    writer *w = user;
    if (af_chrome_form_is_track(&w->form, edge->thread)) {
        return put_async(w, edge, ",\"ph\":\"e\",\"ts\":", error);
    }
    track *t = &w->tracks[edge->thread];
    const frame *f = &AF_ARRAY_AT(&t->stack, frame, t->stack.n - 1);
    if (f->slot == NO_SLOT) {
        waiting call;
        memcpy(call.begin_ns, f->begin_ns, sizeof call.begin_ns);
        end_call(w, t, &call, edge);
        put_call(w, edge->thread, &call);
    } else {
        end_call(w, t, &AF_ARRAY_AT(&t->waiting, waiting, f->slot), edge);
    }
    if (f->slot != NO_SLOT && !begins_with_caller(w, f, t->stack.items)) {
        for (size_t i = f->slot; i < t->waiting.n; i++) {
            put_call(w, edge->thread, &AF_ARRAY_AT(&t->waiting, waiting, i));
        }
        t->waiting.n = f->slot;
    }
    t->stack.n--;
    return w->form.out->error == NULL || af_export_stop(error);
}

/* ---- the file ---- */

static gboolean walk_calls(writer *w, GError **error)
{
    const af_selection *selection = w->form.selection;
    const af_observer observer = {enter_call, leave_call, NULL, w, NULL};
    const af_profile *profile = w->form.profile;
    w->clock = selection->clock;
    w->both = selection->clock == AF_WALL && af_profile_has(profile, AF_CPU);
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        af_array_init(&w->tracks[t].stack, sizeof(frame));
        af_array_init(&w->tracks[t].waiting, sizeof(waiting));
    }
    const gboolean ok = af_export_walk(profile, selection, &observer, error);
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        af_array_clear(&w->tracks[t].stack);
        af_array_clear(&w->tracks[t].waiting);
    }
    return ok;
}

static gboolean write_calls(writer *w, GError **error)
{
    w->tracks = g_try_new0(track, (size_t)w->form.profile->n_threads + 1);
    if (w->tracks == NULL) {
        return af_memory_error_set(error);
    }
    af_chrome_form_begin(&w->form);
    af_out_text(w->form.out, "},\"traceEvents\":[");
    af_chrome_form_put_names(&w->form);
    w->start_ns = w->form.selection->clock == AF_WALL ? af_profile_start_ns(w->form.profile) : 0;
    const gboolean ok = af_chrome_markers_put(&w->form, w->start_ns) ? walk_calls(w, error)
                                                                     : af_memory_error_set(error);
    af_out_text(w->form.out, "\n]}\n");
    g_free(w->tracks);
    return ok;
}

static gboolean write_chrome(const af_profile *profile, const af_selection *selection, af_out *out,
                             GError **error)
{
    writer w = {.form = {.profile = profile, .selection = selection, .out = out}};
    return selection->calls != NULL ? write_calls(&w, error)
                                    : af_chrome_samples_put(&w.form, error);
}

const af_exporter af_exporter_chrome = {
    .name = "chrome",
    .extensions = "json trace.json",
    .title = "Chrome trace events, for ui.perfetto.dev, chrome://tracing and speedscope",
    .calls = AF_CALLS_IF_ANY,
    .write = write_chrome,
};
