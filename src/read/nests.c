#include "read/nests.h"

/* Perfetto keeps no more slices open. */
#define MOST_OPEN 512u

/* How far up its stack an end looks for its begin. */
#define MOST_SEARCHED MOST_OPEN

#define NOT_YET INT64_MAX

typedef struct {
    uint32_t name, category;
    int64_t end_ns;     /* NOT_YET = open */
    int64_t limit_ns;   /* the least end of this and the enclosing ones */
    int64_t cpu_ns;     /* at its begin */
    int64_t cpu_end_ns; /* AF_NO_CPU = not known */
} open_slice;

af_nests *af_nests_new(af_sink *sink, af_slices *slices, af_texts *texts)
{
    af_nests *l = g_new0(af_nests, 1);
    l->sink = sink;
    l->slices = slices;
    l->texts = texts;
    af_array_init_metered(&l->nests, sizeof(af_nest), af_sink_meter(sink));
    return l;
}

void af_nests_free(af_nests *l)
{
    if (l != NULL) {
        for (size_t i = 0; i < l->nests.n; i++) {
            af_array_clear(&AF_ARRAY_AT(&l->nests, af_nest, i).open);
        }
        af_array_clear(&l->nests);
        g_free(l);
    }
}

uint32_t af_nests_add(af_nests *l)
{
    const uint32_t number = (uint32_t)l->nests.n;
    af_nest *added = af_array_add(&l->nests, 1);
    const uint32_t thread = added == NULL ? UINT32_MAX : af_sink_thread(l->sink, number);
    if (added == NULL || thread == UINT32_MAX) {
        l->nests.n = number;
        af_sink_fail(l->sink);
        return AF_NO_NEST;
    }
    *added = (af_nest){.thread = thread, .extra = AF_NO_NEST};
    af_array_init_metered(&added->open, sizeof(open_slice), af_sink_meter(l->sink));
    return number;
}

void af_nests_set_extra(af_nests *l, uint32_t (*add)(void *user, uint32_t nest), void *user)
{
    l->add_extra = add;
    l->extra_user = user;
}

void af_nests_wait(af_nests *l, uint32_t number, int64_t runnable_ns, int64_t slept_ns,
                   uint32_t waker)
{
    af_nest *of = af_nest_at(l, number);
    const int64_t added_ns = of->open.n > 0 ? MAX(runnable_ns - of->runnable_ns, 0) : 0;
    if (!of->has_waits || added_ns > 0 || slept_ns > 0) {
        af_slices_wait(l->slices, of->thread, added_ns, of->open.n > 0 ? slept_ns : 0, waker);
    }
    of->has_waits = TRUE;
    of->runnable_ns = MAX(runnable_ns, of->runnable_ns);
}

static open_slice *open_at(const af_nest *of, size_t i)
{
    return &AF_ARRAY_AT(&of->open, open_slice, i);
}

static void advance_cpu(af_nest *of, int64_t cpu_ns)
{
    if (cpu_ns != AF_NO_CPU && cpu_ns > of->cpu_ns) {
        of->cpu_ns = cpu_ns;
    }
}

/* The clock at the end of a slice. A sum of slices that no recording has stays within its range. */
static int64_t add_cpu(int64_t begin_ns, int64_t slice_ns)
{
    return MIN(begin_ns, AF_SLICES_MOST_NS) + slice_ns;
}

static void drop(af_nest *of, int64_t ns)
{
    of->open.n--;
    of->total_ns += of->open.n == 0 ? (uint64_t)MAX(ns - of->root_ns, 0) : 0;
}

static void pop(af_nests *l, af_nest *of, int64_t ns, int64_t cpu_ns)
{
    advance_cpu(of, cpu_ns);
    af_slices_end(l->slices, of->thread, AF_NO_METHOD, ns, of->cpu_ns);
    drop(of, ns);
}

static void leave_open(af_nests *l, af_nest *of, int64_t ns, int64_t cpu_ns)
{
    advance_cpu(of, cpu_ns);
    af_slices_leave_open(l->slices, of->thread, ns, of->cpu_ns);
    drop(of, ns);
}

/* Whether a slice ended before or at `ns`. */
static inline gboolean has_ended(const af_nest *of, int64_t ns)
{
    return of->open.n > 0 && open_at(of, of->open.n - 1)->limit_ns <= ns;
}

/* Closes the slices that ended before or at `ns`, and with them the open ones inside, but these
 * only after that time: until then their own ends may follow. `cpu_ns` is the clock at `ns`. */
static void close_ended(af_nests *l, af_nest *of, int64_t ns, int64_t cpu_ns)
{
    while (has_ended(of, ns)) {
        size_t ended = of->open.n - 1;
        while (open_at(of, ended)->end_ns == NOT_YET) {
            ended--;
        }
        const open_slice slice = *open_at(of, ended);
        const size_t n_inside = of->open.n - 1 - ended;
        if (slice.limit_ns > ns || (n_inside > 0 && slice.limit_ns == ns)) {
            return;
        }
        const int64_t at_end = slice.cpu_end_ns != AF_NO_CPU ? slice.cpu_end_ns : cpu_ns;
        if (n_inside > 0) {
            af_sink_warn(l->sink, AF_WARN_MISSING_EXIT, n_inside, AF_NO_OFFSET);
        }
        for (size_t i = 0; i <= n_inside; i++) {
            pop(l, of, slice.limit_ns, at_end);
        }
    }
}

static inline void settle(af_nests *l, af_nest *of, int64_t ns, int64_t cpu_ns)
{
    if (has_ended(of, ns)) {
        close_ended(l, of, ns, cpu_ns);
    }
}

gboolean af_nests_is_busy(af_nests *l, uint32_t number, int64_t ns)
{
    af_nest *of = af_nest_at(l, number);
    settle(l, of, ns, AF_NO_CPU);
    return of->open.n > 0;
}

void af_nests_pass(af_nests *l, const af_nest_event *event)
{
    for (uint32_t n = event->nest; n != AF_NO_NEST; n = af_nest_at(l, n)->extra) {
        settle(l, af_nest_at(l, n), event->ns,
               event->cpu == AF_NEST_CPU ? event->cpu_ns : AF_NO_CPU);
    }
}

static void push(af_nests *l, const af_nest_event *event, int64_t end_ns)
{
    af_nest *of = af_nest_at(l, event->nest);
    if (event->cpu == AF_NEST_CPU) {
        advance_cpu(of, event->cpu_ns);
    }
    const int64_t outer_ns = of->open.n == 0 ? NOT_YET : open_at(of, of->open.n - 1)->limit_ns;
    if (end_ns != NOT_YET && end_ns > outer_ns) {
        af_sink_warn(l->sink, AF_WARN_OVERLAP, 1, AF_NO_OFFSET);
        end_ns = MAX(outer_ns, event->ns);
    }
    const open_slice slice = {.name = event->name,
                              .category = event->category,
                              .end_ns = end_ns,
                              .limit_ns = MIN(end_ns, outer_ns),
                              .cpu_ns = of->cpu_ns,
                              .cpu_end_ns = event->cpu == AF_NEST_CPU_OF_SLICE
                                                ? add_cpu(of->cpu_ns, event->cpu_ns)
                                                : AF_NO_CPU};
    if (!af_array_append(&of->open, &slice)) {
        return;
    }
    if (of->open.n > MOST_OPEN) {
        af_sink_warn(l->sink, AF_WARN_DEEP_SLICES, 1, AF_NO_OFFSET);
    }
    of->root_ns = of->open.n == 1 ? event->ns : of->root_ns;
    of->n_slices++;
    of->n_with_cpu += event->cpu != AF_NEST_NO_CPU;
    af_slices_begin(l->slices, of->thread, af_texts_method(l->texts, event->name, event->category),
                    event->ns, of->cpu_ns);
}

static int64_t clock_of(const af_nest_event *event)
{
    return event->cpu == AF_NEST_CPU ? event->cpu_ns : AF_NO_CPU;
}

void af_nests_begin(af_nests *l, const af_nest_event *event)
{
    settle(l, af_nest_at(l, event->nest), event->ns, clock_of(event));
    push(l, event, NOT_YET);
}

/* Whether a slice that ends then would be truncated. */
static gboolean overlaps(const af_nest *of, int64_t end_ns)
{
    return of->open.n > 0 && end_ns > open_at(of, of->open.n - 1)->limit_ns;
}

/* The first extra nest in which the slice fits; the last one if there can be no more. */
static uint32_t choose_extra(af_nests *l, const af_nest_event *event, int64_t end_ns)
{
    uint32_t number = event->nest;
    while (l->add_extra != NULL && overlaps(af_nest_at(l, number), end_ns)) {
        if (af_nest_at(l, number)->extra == AF_NO_NEST) {
            const uint32_t extra = l->add_extra(l->extra_user, number);
            af_nest_at(l, number)->extra = extra;
        }
        if (af_nest_at(l, number)->extra == AF_NO_NEST) {
            break;
        }
        number = af_nest_at(l, number)->extra;
        settle(l, af_nest_at(l, number), event->ns, clock_of(event));
    }
    return number;
}

void af_nests_whole(af_nests *l, const af_nest_event *event, int64_t length_ns)
{
    const int64_t end_ns = event->ns + MAX(length_ns, 0);
    af_nest_event moved = *event;
    settle(l, af_nest_at(l, event->nest), event->ns, clock_of(event));
    moved.nest = choose_extra(l, event, end_ns);
    push(l, &moved, end_ns);
}

static gboolean matches(const open_slice *slice, const af_nest_event *event)
{
    return slice->end_ns == NOT_YET &&
           (event->category == AF_NO_TEXT || event->category == slice->category) &&
           (event->name == AF_NO_TEXT || slice->name == AF_NO_TEXT || event->name == slice->name);
}

void af_nests_end(af_nests *l, const af_nest_event *event)
{
    af_nest *of = af_nest_at(l, event->nest);
    settle(l, of, event->ns, clock_of(event));
    const size_t n = of->open.n;
    size_t searched = 0;
    while (searched < n && searched < MOST_SEARCHED &&
           !matches(open_at(of, n - 1 - searched), event)) {
        searched++;
    }
    if (searched == n || searched == MOST_SEARCHED) {
        af_sink_warn(l->sink, AF_WARN_LONE_END, 1, AF_NO_OFFSET);
        return;
    }
    open_slice *slice = open_at(of, n - 1 - searched);
    int64_t cpu_ns = clock_of(event);
    if (event->cpu == AF_NEST_CPU_OF_SLICE) {
        cpu_ns = add_cpu(slice->cpu_ns, event->cpu_ns);
        of->n_with_cpu++;
    }
    if (searched == 0) {
        pop(l, of, event->ns, cpu_ns);
        return;
    }
    slice->end_ns = event->ns;
    slice->cpu_end_ns = cpu_ns;
    for (size_t i = n - 1 - searched; i < n; i++) {
        open_at(of, i)->limit_ns = MIN(open_at(of, i)->limit_ns, event->ns);
    }
}

static void finish_nest(af_nests *l, af_nest *of, int64_t end_ns, int64_t cpu_ns)
{
    settle(l, of, end_ns, cpu_ns);
    while (of->open.n > 0) {
        const open_slice *slice = open_at(of, of->open.n - 1);
        const int64_t at_ns = MIN(slice->limit_ns, end_ns);
        const int64_t at_cpu_ns = slice->cpu_end_ns != AF_NO_CPU ? slice->cpu_end_ns : cpu_ns;
        if (slice->end_ns == NOT_YET) {
            leave_open(l, of, at_ns, at_cpu_ns);
        } else {
            pop(l, of, at_ns, at_cpu_ns);
        }
    }
}

void af_nests_finish(af_nests *l, int64_t end_ns,
                     int64_t (*cpu_at)(void *user, uint32_t nest, int64_t ns), void *user)
{
    uint64_t n_missing = 0;
    for (uint32_t i = 0; i < l->nests.n; i++) {
        af_nest *of = af_nest_at(l, i);
        const int64_t cpu_ns = cpu_at == NULL ? AF_NO_CPU : cpu_at(user, i, end_ns);
        finish_nest(l, of, end_ns, cpu_ns);
        const uint64_t n_without = of->n_slices - MIN(of->n_slices, of->n_with_cpu);
        const gboolean has = !of->lacks_cpu && of->n_with_cpu > 0 && of->n_with_cpu >= n_without;
        n_missing += has ? n_without : 0;
        af_slices_declare_cpu(l->slices, of->thread, has);
    }
    if (n_missing > 0) {
        af_sink_warn(l->sink, AF_WARN_CPU_MISSING, n_missing, AF_NO_OFFSET);
    }
}
