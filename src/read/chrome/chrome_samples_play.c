#include "read/chrome/chrome_samples_state.h"
#include "base/error_pass.h"
#include "base/own_trace.h"
#include "base/wide.h"
#include "read/count_unit.h"

/* Computes the depths of a frame and its callers, where unknown. An undefined caller, or one in a
 * cycle, counts as none. */
static void find_depth(af_chrome_samples *s, uint32_t number)
{
    const uint32_t visiting = UINT32_MAX; /* a temporary depth for frames on the way up */
    s->path.n = 0;
    while (number != AF_NO_FRAME && af_chrome_samples_frame_at(s, number)->depth == 0) {
        af_chrome_frame *f = af_chrome_samples_frame_at(s, number);
        if (!af_array_append(&s->path, &number)) {
            return;
        }
        f->depth = visiting;
        const af_chrome_frame *caller =
            f->caller == AF_NO_FRAME ? NULL : af_chrome_samples_frame_at(s, f->caller);
        if (caller != NULL && (!caller->defined || caller->depth == visiting)) {
            af_sink_warn(s->chrome->sink, AF_WARN_FRAME_CYCLE, 1, AF_NO_OFFSET);
            f->caller = AF_NO_FRAME;
        }
        number = f->caller;
    }
    while (s->path.n > 0) {
        const uint32_t next = AF_ARRAY_AT(&s->path, uint32_t, --s->path.n);
        af_chrome_frame *f = af_chrome_samples_frame_at(s, next);
        const af_chrome_frame *caller =
            f->caller == AF_NO_FRAME ? NULL : af_chrome_samples_frame_at(s, f->caller);
        f->depth = caller == NULL ? 1 : MIN(caller->depth + 1, AF_CHROME_MOST_DEPTH + 1);
        f->shown = f->depth <= AF_CHROME_MOST_DEPTH ? next : caller->shown;
        f->few = f->depth <= AF_CHROME_FEW_DEPTH ? next : caller->few;
    }
}

static uint32_t track_of(af_chrome_samples *s, uint32_t number)
{
    af_chrome_sampled_thread *who = &AF_ARRAY_AT(&s->sampled, af_chrome_sampled_thread, number);
    if (who->track == AF_NO_THREAD) {
        af_owners *owners = s->chrome->owners;
        uint32_t thread = who->has_process ? af_owners_thread(owners, &who->process, &who->thread)
                                           : af_owners_find_thread(owners, &who->thread);
        if (thread == AF_NO_THREAD) {
            thread = af_owners_thread(owners, &who->thread, &who->thread);
        }
        who->track = af_owners_add_extra_track(owners, thread, 0);
    }
    return who->track;
}

/* Changes from one stack to the next. */
static void change_stack(af_chrome_samples *s, uint32_t track, int64_t ns, uint32_t from,
                         uint32_t to)
{
    af_slices *slices = s->chrome->slices;
    s->path.n = 0;
    for (; from != to && !af_sink_has_failed(s->chrome->sink); s->n_changes++) {
        const uint32_t from_depth =
            from == AF_NO_FRAME ? 0 : af_chrome_samples_frame_at(s, from)->depth;
        const uint32_t to_depth = to == AF_NO_FRAME ? 0 : af_chrome_samples_frame_at(s, to)->depth;
        if (from_depth >= to_depth) {
            af_slices_end(slices, track, AF_NO_METHOD, ns, AF_NO_CPU);
            from = af_chrome_samples_frame_at(s, from)->caller;
        }
        if (to_depth >= from_depth) {
            if (!af_array_append(&s->path,
                                 &(uint32_t){af_chrome_samples_frame_at(s, to)->method})) {
                return;
            }
            to = af_chrome_samples_frame_at(s, to)->caller;
        }
    }
    while (s->path.n > 0) {
        af_slices_begin(slices, track, AF_ARRAY_AT(&s->path, uint32_t, --s->path.n), ns, AF_NO_CPU);
    }
}

/* Returns the frame of a sample; its callers have a depth. */
static uint32_t find_frame(af_chrome_samples *s, uint32_t number)
{
    if (number != AF_NO_FRAME && !af_chrome_samples_frame_at(s, number)->defined) {
        number = af_chrome_samples_frame_at(s, number)->otherwise;
    }
    if (number == AF_NO_FRAME) {
        return AF_NO_FRAME;
    }
    if (!af_chrome_samples_frame_at(s, number)->defined) {
        af_sink_warn(s->chrome->sink, AF_WARN_FRAME_CYCLE, 1, AF_NO_OFFSET);
        return AF_NO_FRAME;
    }
    find_depth(s, number);
    return af_sink_has_failed(s->chrome->sink) ? AF_NO_FRAME : number;
}

/* Returns the frame to draw for a sample's frame. */
static uint32_t find_shown(af_chrome_samples *s, uint32_t number)
{
    const uint32_t found = find_frame(s, number);
    if (found == AF_NO_FRAME) {
        return AF_NO_FRAME;
    }
    const af_chrome_frame *frame = af_chrome_samples_frame_at(s, found);
    const gboolean spent =
        s->n_changes > AF_CHROME_FEWEST_CHANGES + AF_CHROME_CHANGES_PER_SAMPLE * s->n;
    if (frame->depth > (spent ? AF_CHROME_FEW_DEPTH : AF_CHROME_MOST_DEPTH)) {
        af_sink_warn(s->chrome->sink, AF_WARN_DEEP_STACK, 1, AF_NO_OFFSET);
    }
    return spent ? frame->few : frame->shown;
}

/* The samples of one thread so far. */
typedef struct {
    uint64_t n;
    int64_t first_ns, last_ns;
} played;

/* A sample lasts until the next one. The last one of a thread lasts as long as the others do on
 * average. */
static int64_t find_end(const played *p)
{
    return p->n < 2 ? p->last_ns : p->last_ns + (p->last_ns - p->first_ns) / (int64_t)(p->n - 1);
}

static void play_samples(af_chrome_samples *s)
{
    const void *next = NULL;
    uint32_t of = UINT32_MAX, track = AF_NO_THREAD, last = AF_NO_FRAME;
    played p = {0};
    while (af_sorter_next(s->samples, &next, &s->error) && next != NULL &&
           !af_sink_is_stopped(s->chrome->sink)) {
        const af_chrome_sample next_sample = *(const af_chrome_sample *)next;
        if (next_sample.of != of) {
            change_stack(s, track, find_end(&p), last, AF_NO_FRAME);
            p = (played){.first_ns = next_sample.ns};
            of = next_sample.of;
            track = track_of(s, of);
            last = AF_NO_FRAME;
        }
        const uint32_t leaf = find_shown(s, next_sample.frame);
        if (af_sink_has_failed(s->chrome->sink)) {
            return; /* depths are unknown */
        }
        if (p.n > 0) {
            af_quantile_add(&s->intervals, (uint64_t)(next_sample.ns - p.last_ns));
        }
        p.last_ns = next_sample.ns;
        p.n++;
        change_stack(s, track, next_sample.ns, last, leaf);
        last = leaf;
    }
    change_stack(s, track, find_end(&p), last, AF_NO_FRAME);
    if (s->intervals.failed) {
        af_sink_fail(s->chrome->sink);
    }
}

/* Lists the frames of a stack that the sink does not know yet for this thread; returns the stack
 * that precedes them. */
static uint32_t list_frames(af_chrome_samples *s, uint32_t thread, uint32_t leaf)
{
    s->path.n = 0;
    while (leaf != AF_NO_FRAME) {
        const af_chrome_frame *frame = af_chrome_samples_frame_at(s, leaf);
        if (frame->owner == thread + 1) {
            return frame->stack;
        }
        if (!af_array_append(&s->path, &leaf)) {
            return AF_SINK_NO_STACK;
        }
        leaf = frame->caller;
    }
    return AF_SINK_NO_STACK;
}

/* Returns the sink's number of a stack, or AF_SINK_NO_STACK. */
static uint32_t find_stack(af_chrome_samples *s, uint32_t thread, uint32_t leaf)
{
    uint32_t stack = list_frames(s, thread, leaf);
    while (s->path.n > 0 && !af_sink_is_stopped(s->chrome->sink)) {
        const uint32_t number = AF_ARRAY_AT(&s->path, uint32_t, --s->path.n);
        af_chrome_frame *frame = af_chrome_samples_frame_at(s, number);
        stack = af_sink_stack(s->chrome->sink, thread, stack, frame->method);
        if (stack == AF_SINK_NO_STACK) {
            return AF_SINK_NO_STACK;
        }
        frame->stack = stack;
        frame->owner = thread + 1;
    }
    return stack;
}

static void weigh_samples(af_chrome_samples *s, af_clock clock, uint64_t scale)
{
    const void *next = NULL;
    while (af_sorter_next(s->samples, &next, &s->error) && next != NULL &&
           !af_sink_is_stopped(s->chrome->sink)) {
        const af_chrome_sample next_sample = *(const af_chrome_sample *)next;
        const uint32_t leaf = find_frame(s, next_sample.frame);
        const af_chrome_sampled_thread *who =
            &AF_ARRAY_AT(&s->sampled, af_chrome_sampled_thread, next_sample.of);
        const uint32_t thread =
            leaf == AF_NO_FRAME
                ? AF_NO_THREAD
                : af_owners_thread(s->chrome->owners,
                                   who->has_process ? &who->process : &who->thread, &who->thread);
        if (thread == AF_NO_THREAD) {
            continue;
        }
        const uint32_t stack = find_stack(s, thread, leaf);
        if (stack == AF_SINK_NO_STACK) {
            return; /* memory was refused, or is at its limit */
        }
        const af_u128 weight =
            ((af_u128)next_sample.weight * scale + AF_COUNTS_SCALE / 2) / AF_COUNTS_SCALE;
        af_sample sample = {.thread = thread,
                            .stack = stack,
                            .time_ns = (uint64_t)(next_sample.ns - s->least_ns),
                            .offset = AF_NO_OFFSET};
        sample.weight[clock] = (uint64_t)MIN(weight, (af_u128)AF_LARGEST_WEIGHT);
        af_sink_sample(s->chrome->sink, &sample);
    }
}

gboolean af_chrome_samples_are_weighted(const af_chrome_samples *s)
{
    return s->n > 0 && s->n_lasting == 0 && (s->unit != NULL || s->least_weight != s->most_weight);
}

static gboolean finish(af_chrome_samples *s, GError **error)
{
    return af_error_pass(error, &s->error);
}

gboolean af_chrome_samples_finish_weighted(af_chrome_samples *s, const char *asked, GError **error)
{
    af_sink *sink = s->chrome->sink;
    uint64_t scale;
    af_unit unit = af_count_unit(s->unit != NULL ? s->unit : asked, &scale);
    if (unit.counted && !s->fractions) {
        unit.digits = 0;
        scale = 1;
    }
    const gboolean is_cpu = !unit.counted && (s->chrome->facts & AF_TRACE_CPU) != 0;
    const af_clock clock = is_cpu ? AF_CPU : AF_WALL;
    af_sink_start_samples(sink, &unit, 1u << clock, AF_SAMPLES_TIMED);
    af_sink_set_marker_origin(sink, s->least_ns);
    if (s->error == NULL && !af_sink_has_failed(sink) && af_sorter_begin(s->samples, &s->error)) {
        weigh_samples(s, clock, scale);
    }
    return finish(s, error);
}

uint64_t af_chrome_samples_interval_ns(const af_chrome_samples *s)
{
    return af_quantile_median(&s->intervals);
}

gboolean af_chrome_samples_finish(af_chrome_samples *s, GError **error)
{
    if (s->samples == NULL) {
        return TRUE;
    }
    if (s->error == NULL && !af_sink_has_failed(s->chrome->sink) &&
        af_sorter_begin(s->samples, &s->error)) {
        play_samples(s);
    }
    return finish(s, error);
}
