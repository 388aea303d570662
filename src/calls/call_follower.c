#include "calls/call_follower.h"

#include <string.h>

#include "base/changed_error.h"
#include "base/memory_error.h"
#include "base/tally.h"
#include "model/children.h"

/* An open call. */
typedef struct {
    uint32_t walked; /* its label in the walked profile */
    uint32_t node;   /* of the walked tree; this and the next two are set only with steps */
    uint32_t frame;  /* of the shown tree; AF_NO_NODE = removed */
    uint32_t time;   /* of the shown tree: the node that gets its self time; AF_NO_NODE = none */
    uint32_t shadow; /* the previous value of `innermost` for the frame */
    uint32_t label;  /* as shown; AF_NO_LABEL = no frame */
    uint32_t around; /* the enclosing call that has a frame: its index in the stack + 1; 0 = none */
    uint32_t part_of; /* the enclosing forwarder that passed this very call on: its index in
                         the stack + 1; 0 = none. The two count as one call */
    guint8 wanted, nested, begin, forwards;
    uint64_t number;
    uint64_t begin_ns[AF_CLOCKS];
    uint64_t self_ns[AF_CLOCKS], inner_ns[AF_CLOCKS]; /* so far; inner: of direct callees */
    uint64_t self_runnable_ns, inner_runnable_ns;
    uint64_t slept_ns;
    uint32_t waker;
} open_call;

typedef struct {
    af_array stack;           /* of open_call */
    uint64_t last[AF_CLOCKS]; /* of the previous edge */
    uint64_t last_runnable_ns;
    gboolean has_runnable;
    const af_tree *shown; /* NULL without steps */
    uint32_t *innermost;  /* by frame: index of its innermost open call + 1; 0 = none */
    af_tally open;        /* wanted calls that are open, by label */
    af_children children;
    unsigned lacks; /* as in af_call */
    gboolean begun;
} track_thread;

struct af_call_follower {
    const af_profile *profile;
    const af_lens *lens;
    af_call_func callback;
    void *user;
    track_thread *threads; /* of the profile */
    uint64_t begun;
};

af_call_follower *af_call_follower_new(const af_profile *profile, const af_lens *lens,
                                       af_call_func callback, void *user)
{
    af_call_follower *follower = g_new0(af_call_follower, 1);
    follower->profile = profile;
    follower->lens = lens;
    follower->callback = callback;
    follower->user = user;
    follower->threads = g_try_malloc0_n((size_t)profile->n_threads + 1, sizeof *follower->threads);
    if (follower->threads == NULL) {
        g_free(follower);
        return NULL;
    }
    return follower;
}

void af_call_follower_free(af_call_follower *follower)
{
    for (uint32_t t = 0; follower != NULL && t < follower->profile->n_threads; t++) {
        track_thread *thread = &follower->threads[t];
        if (thread->begun) {
            af_array_clear(&thread->stack);
            af_tally_clear(&thread->open);
            af_children_clear(&thread->children);
            g_free(thread->innermost);
        }
    }
    if (follower != NULL) {
        g_free(follower->threads);
        g_free(follower);
    }
}

uint64_t af_call_follower_begun(const af_call_follower *follower)
{
    return follower->begun;
}

static gboolean begin_thread(const af_call_follower *follower, uint32_t number, track_thread *t)
{
    const af_lens *lens = follower->lens;
    const uint32_t index = lens->thread != NULL ? lens->thread[number] : number;
    for (unsigned c = AF_WALL; c <= AF_WAIT; c++) {
        t->lacks |= (af_thread_has(lens->shown, index, (af_clock)c) ? 0u : 1u) << c;
    }
    t->begun = TRUE;
    t->has_runnable = follower->profile->threads[number].tree->runnable != NULL;
    af_array_init(&t->stack, sizeof(open_call));
    af_tally_init(&t->open);
    if (lens->node == NULL) {
        return TRUE;
    }
    t->shown = lens->shown->threads[index].tree;
    t->innermost = g_try_new0(uint32_t, t->shown->n);
    return t->innermost != NULL &&
           af_children_init(&t->children, follower->profile->threads[number].tree);
}

static open_call *call_at(const track_thread *t, size_t index)
{
    return af_array_at(&t->stack, index);
}

uint32_t af_call_follower_n_open(const af_call_follower *follower, uint32_t thread)
{
    return (uint32_t)follower->threads[thread].stack.n;
}

uint32_t af_call_follower_label_at(const af_call_follower *follower, uint32_t thread,
                                   uint32_t index)
{
    return call_at(&follower->threads[thread], index)->walked;
}

/* Returns the innermost open call of a frame of the shown tree; NULL if there is none: frame 0 is
 * the thread. */
static open_call *find_frame(const track_thread *t, uint32_t frame)
{
    return t->innermost[frame] > 0 ? call_at(t, t->innermost[frame] - 1) : NULL;
}

/* Returns the call that gets the self time of the innermost call. */
static open_call *find_owner(const track_thread *t)
{
    open_call *owner = call_at(t, t->stack.n - 1);
    if (t->shown != NULL) {
        owner = owner->time == AF_NO_NODE ? NULL : find_frame(t, owner->time);
    }
    return owner != NULL && owner->part_of > 0 ? call_at(t, owner->part_of - 1) : owner;
}

static void add_sleep(open_call *call, uint64_t slept_ns, uint32_t waker)
{
    if (slept_ns > call->slept_ns) {
        call->slept_ns = slept_ns;
        call->waker = waker;
    }
}

/* Adds the time since the previous edge to the innermost call. */
static void pass_time(track_thread *t, const af_call_event *edge)
{
    open_call *owner = t->stack.n == 0 ? NULL : find_owner(t);
    for (unsigned c = 0; c < AF_CLOCKS && owner != NULL; c++) {
        owner->self_ns[c] += edge->time_ns[c] - t->last[c];
    }
    if (owner != NULL && t->has_runnable) {
        owner->self_runnable_ns += edge->runnable_ns - t->last_runnable_ns;
        add_sleep(owner, edge->slept_ns, edge->waker);
    }
    memcpy(t->last, edge->time_ns, sizeof t->last);
    t->last_runnable_ns = edge->runnable_ns;
}

/* Returns the open call of the parent frame in the shown tree. */
static open_call *find_caller(const track_thread *t, const open_call *call)
{
    if (t->shown != NULL) {
        return find_frame(t, t->shown->parent[call->frame]);
    }
    return call->around > 0 ? call_at(t, call->around - 1) : NULL;
}

/* Determines how the call that an edge enters is shown. */
static gboolean look(const af_call_follower *follower, const af_call_event *edge,
                     const open_call *below, const track_thread *t, open_call *call, GError **error)
{
    const af_lens *lens = follower->lens;
    call->label = call->walked = edge->label;
    if (t->shown == NULL) {
        return TRUE;
    }
    call->node = af_children_find(&t->children, below != NULL ? below->node : 0, edge->label);
    if (call->node == AF_NO_NODE) {
        af_changed_error_set(error);
        return FALSE;
    }
    call->frame = lens->node[edge->thread][call->node];
    call->time = lens->time[edge->thread][call->node];
    call->label = call->frame == AF_NO_NODE ? AF_NO_LABEL : t->shown->label[call->frame];
    return TRUE;
}

/* Numbers a wanted call, and counts the open calls of its label. */
static gboolean begin_wanted(af_call_follower *follower, track_thread *t, const af_call_event *edge,
                             open_call *call)
{
    call->wanted = 1;
    call->number = ++follower->begun;
    call->nested = af_tally_get(&t->open, call->label) > 0;
    call->begin = edge->cut             ? AF_BEGIN_CUT
                  : edge->open_at_begin ? AF_BEGIN_EARLY
                                        : AF_BEGIN_RECORDED;
    memcpy(call->begin_ns, edge->time_ns, sizeof call->begin_ns);
    return af_tally_add(&t->open, call->label, 1);
}

/* Adds a zeroed call to the stack. */
static open_call *push(track_thread *t)
{
    af_array *stack = &t->stack;
    if (stack->n < stack->capacity) {
        open_call *call = call_at(t, stack->n++);
        memset(call, 0, sizeof *call);
        return call;
    }
    return af_array_add(stack, 1);
}

static bool take_enter(void *user, const af_call_event *edge, GError **error)
{
    af_call_follower *follower = user;
    const af_lens *lens = follower->lens;
    track_thread *t = &follower->threads[edge->thread];
    if (lens->thread != NULL && lens->thread[edge->thread] == AF_NO_NODE) {
        return TRUE;
    }
    if (!t->begun && !begin_thread(follower, edge->thread, t)) {
        return af_memory_error_set(error);
    }
    pass_time(t, edge);
    const size_t n = t->stack.n;
    open_call *call = push(t);
    if (call == NULL) {
        return af_memory_error_set(error);
    }
    const open_call *below = n > 0 ? call - 1 : NULL;
    if (!look(follower, edge, below, t, call, error)) {
        return FALSE;
    }
    if (t->shown != NULL && call->frame != AF_NO_NODE) {
        call->shadow = t->innermost[call->frame];
        t->innermost[call->frame] = (uint32_t)n + 1;
    }
    call->forwards = edge->forwards != 0;
    if (below != NULL && below->forwards && below->label == call->label) {
        call->part_of = below->part_of > 0 ? below->part_of : (uint32_t)n;
    }
    if (below != NULL) {
        call->around = below->label != AF_NO_LABEL ? (uint32_t)n : below->around;
    }
    return call->label == AF_NO_LABEL || lens->wanted[call->label] == 0 || call->part_of > 0 ||
           begin_wanted(follower, t, edge, call) || af_memory_error_set(error);
}

static gboolean report(const af_call_follower *follower, const track_thread *t,
                       const open_call *open, const af_call_event *edge, const open_call *caller,
                       GError **error)
{
    const uint32_t *thread = follower->lens->thread;
    af_call call = {.number = open->number,
                    .thread = thread != NULL ? thread[edge->thread] : edge->thread,
                    .label = open->label,
                    .caller = t->shown == NULL ? edge->caller
                              : caller != NULL ? caller->label
                                               : AF_NO_LABEL,
                    .depth = t->shown != NULL ? t->shown->depth[open->frame] : edge->depth + 1,
                    .has_runnable = t->has_runnable,
                    .runnable_ns = open->self_runnable_ns + open->inner_runnable_ns,
                    .self_runnable_ns = open->self_runnable_ns,
                    .slept_ns = open->slept_ns,
                    .waker = open->waker,
                    .lacks = t->lacks,
                    .nested = open->nested,
                    .begin = open->begin,
                    .end = edge->end,
                    .cut = edge->cut};
    memcpy(call.begin_ns, open->begin_ns, sizeof call.begin_ns);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        call.self_ns[c] = open->self_ns[c];
        call.time_ns[c] = open->self_ns[c] + open->inner_ns[c];
    }
    return follower->callback(follower->user, &call, error);
}

static bool take_leave(void *user, const af_call_event *edge, GError **error)
{
    af_call_follower *follower = user;
    track_thread *t = &follower->threads[edge->thread];
    if (follower->lens->thread != NULL && follower->lens->thread[edge->thread] == AF_NO_NODE) {
        return TRUE;
    }
    pass_time(t, edge);
    const open_call *open = call_at(t, t->stack.n - 1);
    open_call *caller = open->label != AF_NO_LABEL ? find_caller(t, open) : NULL;
    for (unsigned c = 0; c < AF_CLOCKS && caller != NULL; c++) {
        caller->inner_ns[c] += open->self_ns[c] + open->inner_ns[c];
    }
    if (caller != NULL) {
        caller->inner_runnable_ns += open->self_runnable_ns + open->inner_runnable_ns;
        add_sleep(caller, open->slept_ns, open->waker);
    }
    gboolean ok = TRUE;
    if (open->wanted != 0) {
        ok = af_tally_add(&t->open, open->label, -1) || af_memory_error_set(error);
        ok = ok && report(follower, t, open, edge, caller, error);
    }
    if (t->shown != NULL && open->frame != AF_NO_NODE) {
        t->innermost[open->frame] = open->shadow;
    }
    t->stack.n--;
    return ok;
}

af_observer af_call_follower_observer(af_call_follower *follower)
{
    return (af_observer){take_enter, take_leave, NULL, follower, NULL};
}
