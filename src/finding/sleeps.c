#include "finding/sleeps.h"

/* A signal ended a call if the call ended at most this long after it: in ns, or in percent of the
 * call. */
#define MOST_DELAY_NS      2000000
#define MOST_DELAY_PERCENT 10

/* More signals and calls are left out. */
#define MOST_STORED 1000000

typedef struct {
    uint32_t label;
    uint64_t begin_ns, end_ns;
} sleep_call;

typedef struct {
    uint32_t thread;
    uint64_t ns;
} wake_signal;

/* What a thread, by its name, ended of a label. */
typedef struct {
    uint32_t label;
    const char *name;
    uint64_t time;
} ended_time;

struct af_sleeps {
    const af_profile *profile;
    uint32_t thread;
    guint8 *wanted;        /* by label */
    const guint8 *signals; /* by label; NULL = none */
    GArray *kernel;        /* of af_run_interval, in order of time */
    guint next;            /* the first that has not ended */
    uint64_t last_ns;      /* of the thread's last event */
    uint64_t *in_kernel;   /* by label */
    GArray *open;          /* of sleep_call */
    GArray *calls;         /* of sleep_call */
    GArray *woken;         /* of wake_signal */
    GArray *ended;         /* of ended_time */
};

af_sleeps *af_sleeps_new(const af_profile *profile, uint32_t thread)
{
    af_sleeps *s = g_new0(af_sleeps, 1);
    s->profile = profile;
    s->thread = thread;
    s->wanted = g_try_malloc0((gsize)profile->n_labels + 1);
    s->in_kernel = g_try_new0(uint64_t, (gsize)profile->n_labels + 1);
    s->kernel = g_array_new(FALSE, FALSE, sizeof(af_run_interval));
    s->open = g_array_new(FALSE, FALSE, sizeof(sleep_call));
    s->calls = g_array_new(FALSE, FALSE, sizeof(sleep_call));
    s->woken = g_array_new(FALSE, FALSE, sizeof(wake_signal));
    s->ended = g_array_new(FALSE, FALSE, sizeof(ended_time));
    if (s->wanted == NULL || s->in_kernel == NULL) {
        g_clear_pointer(&s, af_sleeps_free);
    }
    return s;
}

void af_sleeps_free(af_sleeps *s)
{
    if (s != NULL) {
        g_array_unref(s->ended);
        g_array_unref(s->woken);
        g_array_unref(s->calls);
        g_array_unref(s->open);
        g_array_unref(s->kernel);
        g_free(s->in_kernel);
        g_free(s->wanted);
        g_free(s);
    }
}

void af_sleeps_request(af_sleeps *s, uint32_t label)
{
    s->wanted[label] = 1;
}

void af_sleeps_set_signals(af_sleeps *s, const guint8 *signals)
{
    s->signals = signals;
}

gboolean af_sleeps_is_signal(const af_sleeps *s, uint32_t label)
{
    return s->signals != NULL && s->signals[label] != 0;
}

void af_sleeps_add_state(af_sleeps *s, const af_run_interval *interval)
{
    if (interval->thread == s->thread && interval->in_kernel) {
        g_array_append_val(s->kernel, *interval);
    }
}

static void add_ended(af_sleeps *s, uint32_t label, const char *name, uint64_t time)
{
    for (guint i = 0; i < s->ended->len; i++) {
        ended_time *ended = &g_array_index(s->ended, ended_time, i);
        if (ended->label == label && ended->name == name) {
            ended->time += time;
            return;
        }
    }
    const ended_time ended = {label, name, time};
    g_array_append_val(s->ended, ended);
}

/* The time up to now belongs to the innermost open call. */
static void pass_time(af_sleeps *s, const af_call_event *event)
{
    const uint64_t now_ns = event->time_ns[AF_WALL];
    const sleep_call *top =
        s->open->len > 0 ? &g_array_index(s->open, sleep_call, s->open->len - 1) : NULL;
    while (s->next < s->kernel->len) {
        const af_run_interval *slept = &g_array_index(s->kernel, af_run_interval, s->next);
        const uint64_t from = MAX(slept->from_ns, s->last_ns), to = MIN(slept->to_ns, now_ns);
        if (top != NULL && to > from) {
            s->in_kernel[top->label] += to - from;
        }
        if (slept->to_ns > now_ns) {
            break;
        }
        s->next++;
    }
    if (top != NULL && s->wanted[top->label] != 0 && event->slept_ns > 0 &&
        event->waker < s->profile->n_wakers && s->profile->wakers[event->waker] != NULL) {
        add_ended(s, top->label, s->profile->wakers[event->waker], event->slept_ns);
    }
    s->last_ns = now_ns;
}

void af_sleeps_enter(af_sleeps *s, const af_call_event *event)
{
    if (event->thread == s->thread) {
        const sleep_call call = {event->label, event->time_ns[AF_WALL], 0};
        pass_time(s, event);
        g_array_append_val(s->open, call);
    } else if (af_sleeps_is_signal(s, event->label) && s->woken->len < MOST_STORED) {
        const wake_signal signal = {event->thread, event->time_ns[AF_WALL]};
        g_array_append_val(s->woken, signal);
    }
}

void af_sleeps_leave(af_sleeps *s, const af_call_event *event)
{
    if (event->thread != s->thread || s->open->len == 0) {
        return;
    }
    pass_time(s, event);
    sleep_call call = g_array_index(s->open, sleep_call, s->open->len - 1);
    g_array_set_size(s->open, s->open->len - 1);
    if (s->wanted[call.label] != 0 && s->calls->len < MOST_STORED) {
        call.end_ns = event->time_ns[AF_WALL];
        g_array_append_val(s->calls, call);
    }
}

static gint compare_signals(gconstpointer a, gconstpointer b)
{
    const wake_signal *one = a, *other = b;
    return one->ns != other->ns ? (one->ns > other->ns) - (one->ns < other->ns)
                                : (one->thread > other->thread) - (one->thread < other->thread);
}

/* The number of signals before a time. */
static guint count_before(const GArray *signals, uint64_t ns)
{
    guint low = 0, high = signals->len;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (g_array_index(signals, wake_signal, middle).ns <= ns) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void af_sleeps_end(af_sleeps *s)
{
    g_array_sort(s->woken, compare_signals);
    for (guint i = 0; i < s->calls->len; i++) {
        const sleep_call *call = &g_array_index(s->calls, sleep_call, i);
        const uint64_t length = call->end_ns - call->begin_ns;
        const uint64_t most = MAX(MOST_DELAY_NS, length / 100 * MOST_DELAY_PERCENT);
        const guint before = count_before(s->woken, call->end_ns);
        const wake_signal *last =
            before > 0 ? &g_array_index(s->woken, wake_signal, before - 1) : NULL;
        if (last != NULL && last->ns >= call->begin_ns && call->end_ns - last->ns <= most) {
            add_ended(s, call->label, s->profile->threads[last->thread].name, length);
        }
    }
}

const char *af_sleeps_waker(const af_sleeps *s, uint32_t label, uint64_t *time)
{
    const char *name = NULL;
    *time = 0;
    for (guint i = 0; i < s->ended->len; i++) {
        const ended_time *ended = &g_array_index(s->ended, ended_time, i);
        if (ended->label == label && ended->time > *time) {
            name = ended->name;
            *time = ended->time;
        }
    }
    return name;
}

uint64_t af_sleeps_in_kernel(const af_sleeps *s, uint32_t label)
{
    return s->in_kernel[label];
}
