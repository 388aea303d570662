#include "calls/clip.h"

#include <string.h>

#include "base/array.h"
#include "base/memory_error.h"
#include "base/wide.h"

typedef enum { BEFORE, INSIDE, AFTER } clip_position;

typedef struct {
    clip_position position;
    const af_clip_part *part; /* the current one, */
    size_t n_parts;           /* and how many there are from it on */
    af_array stack;           /* of uint32_t: labels of the open calls */
    uint64_t last[AF_CLOCKS]; /* of the previous edge */
    uint64_t last_runnable_ns;
} clip_thread;

struct af_clip {
    af_clip_part whole; /* of all threads, if they have the same one */
    af_observer inner;  /* its own */
    clip_thread *threads;
    uint32_t n_threads;
};

static af_clip *make_clip(uint32_t n_threads)
{
    af_clip *clip = g_new0(af_clip, 1);
    clip->n_threads = n_threads;
    clip->threads = g_try_malloc0_n((size_t)n_threads + 1, sizeof *clip->threads);
    if (clip->threads == NULL) {
        g_free(clip);
        return NULL;
    }
    for (uint32_t t = 0; t < n_threads; t++) {
        clip->threads[t].stack.size = sizeof(uint32_t);
    }
    return clip;
}

af_clip *af_clip_new(const af_time_range *span, uint32_t n_threads, const af_observer *inner)
{
    af_clip *clip = make_clip(n_threads);
    if (clip != NULL) {
        clip->inner = *inner;
        clip->whole = (af_clip_part){*span, &clip->inner};
    }
    for (uint32_t t = 0; clip != NULL && t < n_threads; t++) {
        clip->threads[t].part = &clip->whole;
        clip->threads[t].n_parts = 1;
    }
    return clip;
}

af_clip *af_clip_new_parts(const af_clip_part *const *parts_of, const size_t *n_of,
                           uint32_t n_threads)
{
    af_clip *clip = make_clip(n_threads);
    for (uint32_t t = 0; clip != NULL && t < n_threads; t++) {
        clip->threads[t].part = parts_of[t];
        clip->threads[t].n_parts = n_of[t];
        clip->threads[t].position = n_of[t] > 0 ? BEFORE : AFTER;
    }
    return clip;
}

void af_clip_free(af_clip *clip)
{
    if (clip == NULL) {
        return;
    }
    for (uint32_t t = 0; t < clip->n_threads; t++) {
        af_array_clear(&clip->threads[t].stack);
    }
    g_free(clip->threads);
    g_free(clip);
}

/* Returns the edge moved back to `wall_ns`, which is between the previous edge and its own time.
 * CPU time is spread evenly over wall time, and runnable time evenly over waiting. So runnable time
 * never exceeds waiting, although all of them are rounded. */
static af_call_event move_back(const clip_thread *t, const af_call_event *edge, uint64_t wall_ns)
{
    af_call_event moved = *edge;
    const uint64_t wall = edge->time_ns[AF_WALL] - t->last[AF_WALL];
    const uint64_t cpu = edge->time_ns[AF_CPU] - t->last[AF_CPU];
    const uint64_t waits = wall > cpu ? wall - cpu : 0;
    const uint64_t runnable = edge->runnable_ns - t->last_runnable_ns;
    memcpy(moved.time_ns, t->last, sizeof moved.time_ns);
    moved.runnable_ns = t->last_runnable_ns;
    if (wall_ns > t->last[AF_WALL]) {
        const uint64_t step = wall_ns - t->last[AF_WALL];
        moved.time_ns[AF_WALL] = wall_ns;
        const uint64_t on_cpu = (uint64_t)((af_u128)cpu * step / wall);
        moved.time_ns[AF_CPU] += on_cpu;
        if (waits > 0) {
            moved.runnable_ns += (uint64_t)((af_u128)runnable * (step - on_cpu) / waits);
        }
    }
    moved.cut = TRUE;
    return moved;
}

/* Returns the edge as one of an open call. */
static void point_at(const clip_thread *t, size_t position, af_call_event *edge)
{
    edge->label = AF_ARRAY_AT(&t->stack, uint32_t, position);
    edge->caller = position > 0 ? AF_ARRAY_AT(&t->stack, uint32_t, position - 1) : UINT32_MAX;
    edge->depth = (uint32_t)position;
    edge->open_at_begin = FALSE;
}

static gboolean enter_open(const clip_thread *t, af_call_event *edge, GError **error)
{
    const af_observer *inner = t->part->inner;
    gboolean ok = TRUE;
    for (uint32_t i = 0; i < t->stack.n && ok; i++) {
        point_at(t, i, edge);
        ok = inner->enter(inner->user, edge, error);
    }
    return ok;
}

static gboolean leave_open(const clip_thread *t, af_call_event *edge, GError **error)
{
    const af_observer *inner = t->part->inner;
    gboolean ok = TRUE;
    edge->end = AF_CALL_OPEN;
    for (size_t i = t->stack.n; i-- > 0 && ok;) {
        point_at(t, i, edge);
        ok = inner->leave(inner->user, edge, error);
    }
    return ok;
}

/* Passes the ends of the current range on the way to the time of `edge`. */
static gboolean pass_part(clip_thread *t, const af_call_event *edge, gboolean leaves,
                          GError **error)
{
    gboolean ok = TRUE;
    const uint64_t wall_ns = edge->time_ns[AF_WALL];
    const af_time_range span = t->part->range;
    if (t->position == BEFORE && wall_ns >= span.from_ns) {
        af_call_event begin = move_back(t, edge, span.from_ns);
        if (!leaves || memcmp(begin.time_ns, edge->time_ns, sizeof begin.time_ns) != 0) {
            t->position = INSIDE;
            ok = enter_open(t, &begin, error);
        }
    }
    if (ok && t->position == INSIDE && wall_ns >= span.to_ns && span.to_ns != UINT64_MAX) {
        af_call_event end = move_back(t, edge, span.to_ns);
        t->position = AFTER;
        ok = leave_open(t, &end, error);
    }
    return ok;
}

/* Advances to the time of `edge` and splits open calls at the ends of ranges on the way. With
 * `leaves`, a range that starts at this time starts after the edge. */
static gboolean advance(clip_thread *t, const af_call_event *edge, gboolean leaves, GError **error)
{
    gboolean ok = t->n_parts == 0 || pass_part(t, edge, leaves, error);
    while (ok && t->position == AFTER && t->n_parts > 1) {
        t->part++;
        t->n_parts--;
        t->position = BEFORE;
        ok = pass_part(t, edge, leaves, error);
    }
    memcpy(t->last, edge->time_ns, sizeof t->last);
    t->last_runnable_ns = edge->runnable_ns;
    return ok;
}

static bool take_enter(void *user, const af_call_event *edge, GError **error)
{
    af_clip *clip = user;
    clip_thread *t = &clip->threads[edge->thread];
    if (!advance(t, edge, FALSE, error)) {
        return FALSE;
    }
    if (!af_array_append(&t->stack, &edge->label)) {
        return af_memory_error_set(error);
    }
    return t->position != INSIDE || t->part->inner->enter(t->part->inner->user, edge, error);
}

static bool take_leave(void *user, const af_call_event *edge, GError **error)
{
    af_clip *clip = user;
    clip_thread *t = &clip->threads[edge->thread];
    if (!advance(t, edge, TRUE, error)) {
        return FALSE;
    }
    t->stack.n--;
    return t->position != INSIDE || t->part->inner->leave(t->part->inner->user, edge, error);
}

static bool take_pass(void *user, const af_call_event *edge, GError **error)
{
    af_clip *clip = user;
    clip_thread *t = &clip->threads[edge->thread];
    if (!advance(t, edge, TRUE, error)) {
        return FALSE;
    }
    return t->position != INSIDE || t->part->inner->pass == NULL ||
           t->part->inner->pass(t->part->inner->user, edge, error);
}

static gboolean take_state(void *user, const af_run_interval *interval, GError **error)
{
    const af_clip *clip = user;
    af_run_interval cut = *interval;
    cut.from_ns = MAX(cut.from_ns, clip->whole.range.from_ns);
    cut.to_ns = MIN(cut.to_ns, clip->whole.range.to_ns);
    return cut.from_ns >= cut.to_ns || clip->inner.state(clip->inner.user, &cut, error);
}

af_observer af_clip_observer(af_clip *clip)
{
    return (af_observer){take_enter, take_leave, take_pass, clip,
                         clip->inner.state != NULL ? take_state : NULL};
}
