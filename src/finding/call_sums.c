#include "finding/call_sums.h"

#include <string.h>

#include "base/idtable.h"
#include "base/memory_error.h"
#include "base/order.h"
#include "calls/profile_walk.h"

/* More calls of a method have a median that is accurate to 1 %. */
#define MOST_TIMES 1000000

/* Requests for a label: the sums of its calls; it is the caller of a requested pair. */
enum { CALLS = 1, CALLERS = 2 };

/* An open call that was requested. */
typedef struct {
    uint32_t label;
    uint64_t begin, number;
} open_call;

/* A requested pair. */
typedef struct pair {
    af_call_pair result;
    af_array counts;   /* of uint64_t: calls of `callee` in each open call of `caller` */
    struct pair *next; /* of the same caller */
} pair;

typedef struct {
    af_call_total total;
    af_quantile_sketch sketch; /* of all calls; empty up to MOST_TIMES */
    GArray *times;             /* uint64_t; of the first MOST_TIMES calls */
} label_sums;

struct af_call_sums {
    const af_profile *profile;
    af_clock clock;
    uint64_t frame_ns;
    guint8 *wanted;    /* by label: CALLS, CALLERS */
    label_sums *sums;  /* by label */
    af_idtable here;   /* of af_call_here, by thread << 32 | label */
    pair **pairs;      /* by label: those of a caller */
    af_array *open;    /* by thread, of open_call: those that were requested */
    af_sleeps *sleeps; /* NULL = not requested */
    gboolean in_kernel;
    gboolean any;
    const af_observer *also; /* of the walk; NULL = none */
};

af_call_sums *af_call_sums_new(const af_profile *profile, af_clock clock, uint64_t frame_ns)
{
    af_call_sums *s = g_new0(af_call_sums, 1);
    s->profile = profile;
    s->clock = clock;
    s->frame_ns = frame_ns;
    s->wanted = g_try_malloc0((gsize)profile->n_labels + 1);
    s->sums = g_try_new0(label_sums, (gsize)profile->n_labels + 1);
    s->open = g_try_new0(af_array, (gsize)profile->n_threads + 1);
    af_idtable_init(&s->here, sizeof(af_call_here), NULL);
    s->pairs = g_try_new0(pair *, (gsize)profile->n_labels + 1);
    for (uint32_t t = 0; s->open != NULL && t < profile->n_threads; t++) {
        af_array_init(&s->open[t], sizeof(open_call));
    }
    if (s->wanted == NULL || s->sums == NULL || s->open == NULL || s->pairs == NULL) {
        g_clear_pointer(&s, af_call_sums_free);
    }
    return s;
}

void af_call_sums_free(af_call_sums *s)
{
    if (s == NULL) {
        return;
    }
    for (uint32_t l = 0; s->sums != NULL && l < s->profile->n_labels; l++) {
        af_quantile_clear(&s->sums[l].sketch);
        g_clear_pointer(&s->sums[l].times, g_array_unref);
    }
    for (uint32_t l = 0; s->pairs != NULL && l < s->profile->n_labels; l++) {
        while (s->pairs[l] != NULL) {
            g_autofree pair *p = s->pairs[l];
            s->pairs[l] = p->next;
            af_array_clear(&p->counts);
        }
    }
    for (uint32_t t = 0; s->open != NULL && t < s->profile->n_threads; t++) {
        af_array_clear(&s->open[t]);
    }
    af_sleeps_free(s->sleeps);
    af_idtable_clear(&s->here);
    g_free(s->pairs);
    g_free(s->open);
    g_free(s->sums);
    g_free(s->wanted);
    g_free(s);
}

void af_call_sums_request(af_call_sums *s, uint32_t label)
{
    s->wanted[label] |= CALLS;
    s->any = TRUE;
}

static pair *find_pair(const af_call_sums *s, uint32_t thread, uint32_t caller, uint32_t callee)
{
    pair *p = s->pairs[caller];
    while (p != NULL && (p->result.callee != callee || p->result.thread != thread)) {
        p = p->next;
    }
    return p;
}

void af_call_sums_request_pair(af_call_sums *s, uint32_t thread, uint32_t caller, uint32_t callee)
{
    if (find_pair(s, thread, caller, callee) == NULL) {
        pair *p = g_new0(pair, 1);
        p->result.caller = caller;
        p->result.callee = callee;
        p->result.thread = thread;
        af_array_init(&p->counts, sizeof(uint64_t));
        p->next = s->pairs[caller];
        s->pairs[caller] = p;
        s->wanted[caller] |= CALLERS;
        s->any = TRUE;
    }
}

af_sleeps *af_call_sums_request_sleeps(af_call_sums *s, uint32_t thread, gboolean in_kernel)
{
    s->sleeps = s->sleeps != NULL ? s->sleeps : af_sleeps_new(s->profile, thread);
    s->in_kernel = s->in_kernel || in_kernel;
    s->any = TRUE;
    return s->sleeps;
}

const af_sleeps *af_call_sums_sleeps(const af_call_sums *s)
{
    return s->sleeps;
}

static uint64_t make_key(uint32_t thread, uint32_t label)
{
    return (uint64_t)thread << 32 | label;
}

/* FALSE if memory is refused. */
static gboolean add_here(af_call_sums *s, uint32_t thread, uint32_t label, uint64_t time,
                         uint64_t number, gboolean unwound)
{
    af_call_here *here = af_idtable_item(&s->here, make_key(thread, label));
    if (here == NULL) {
        return FALSE;
    }
    here->n++;
    if (time > here->longest || here->n == 1) {
        here->longest = time;
        here->longest_number = number;
    }
    here->unwinds += unwound ? 1 : 0;
    here->unwound += unwound ? time : 0;
    if (time > s->frame_ns) {
        here->late++;
        here->late_time += time;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(here->worst); i++) {
        const uint64_t worst = here->worst[i];
        here->worst[i] = MAX(worst, time);
        time = MIN(worst, time);
    }
    return TRUE;
}

/* FALSE if memory is refused. */
static gboolean open_pairs(af_call_sums *s, uint32_t thread, uint32_t label)
{
    for (pair *p = s->pairs[label]; p != NULL; p = p->next) {
        uint64_t *n = p->result.thread == thread ? af_array_push(&p->counts) : NULL;
        if (n != NULL) {
            *n = 0;
        } else if (p->result.thread == thread) {
            return FALSE;
        }
    }
    return TRUE;
}

static void close_pairs(af_call_sums *s, uint32_t thread, const open_call *call)
{
    for (pair *p = s->pairs[call->label]; p != NULL; p = p->next) {
        if (p->result.thread == thread && p->counts.n > 0) {
            const uint64_t n = AF_ARRAY_AT(&p->counts, uint64_t, --p->counts.n);
            p->result.number = n > p->result.most ? call->number : p->result.number;
            p->result.most = MAX(p->result.most, n);
        }
    }
}

static bool enter(void *user, const af_call_event *event, GError **error)
{
    af_call_sums *s = user;
    if (s->also != NULL && !s->also->enter(s->also->user, event, error)) {
        return FALSE;
    }
    if (s->sleeps != NULL) {
        af_sleeps_enter(s->sleeps, event);
    }
    const uint32_t label = event->label, caller = event->caller;
    if (caller != AF_NO_LABEL && (s->wanted[caller] & CALLERS) != 0) {
        pair *p = find_pair(s, event->thread, caller, label);
        if (p != NULL && p->counts.n > 0) {
            AF_ARRAY_AT(&p->counts, uint64_t, p->counts.n - 1)++;
        }
    }
    if (s->wanted[label] == 0) {
        return TRUE;
    }
    const gboolean calls = (s->wanted[label] & CALLERS) != 0;
    open_call *call = af_array_push(&s->open[event->thread]);
    if (call == NULL || (calls && !open_pairs(s, event->thread, label))) {
        return af_memory_error_set(error);
    }
    *call = (open_call){label, event->time_ns[s->clock], ++s->sums[label].total.n};
    return TRUE;
}

static uint64_t compute_median(label_sums *sums)
{
    if (sums->times == NULL || sums->sketch.n > 0) {
        return af_quantile_median(&sums->sketch);
    }
    g_array_sort(sums->times, af_order_u64);
    return g_array_index(sums->times, uint64_t, af_quantile_rank(sums->times->len, 50));
}

static void add_time(label_sums *sums, uint64_t time)
{
    if (sums->times == NULL) {
        sums->times = g_array_new(FALSE, FALSE, sizeof time);
    }
    if (sums->times->len < MOST_TIMES) {
        g_array_append_val(sums->times, time);
        return;
    }
    for (guint i = 0; sums->sketch.n == 0 && i < MOST_TIMES; i++) {
        af_quantile_add(&sums->sketch, g_array_index(sums->times, uint64_t, i));
    }
    af_quantile_add(&sums->sketch, time);
}

static bool leave(void *user, const af_call_event *event, GError **error)
{
    af_call_sums *s = user;
    af_array *open = &s->open[event->thread];
    if (s->also != NULL && !s->also->leave(s->also->user, event, error)) {
        return FALSE;
    }
    if (s->sleeps != NULL) {
        af_sleeps_leave(s->sleeps, event);
    }
    if (s->wanted[event->label] == 0 || open->n == 0) {
        return TRUE;
    }
    const open_call call = AF_ARRAY_AT(open, open_call, --open->n);
    const uint64_t end = event->time_ns[s->clock];
    const uint64_t time = end > call.begin ? end - call.begin : 0;
    const gboolean unwound = event->end == AF_CALL_UNWOUND;
    label_sums *sums = &s->sums[call.label];
    if ((s->wanted[call.label] & CALLS) != 0) {
        add_time(sums, time);
    }
    sums->total.unwinds += unwound ? 1 : 0;
    if ((s->wanted[call.label] & CALLERS) != 0) {
        close_pairs(s, event->thread, &call);
    }
    return add_here(s, event->thread, call.label, time, call.number, unwound) ||
           af_memory_error_set(error);
}

static gboolean take_state(void *user, const af_run_interval *interval, GError **error)
{
    const af_call_sums *s = user;
    if (s->in_kernel) {
        af_sleeps_add_state(s->sleeps, interval);
    }
    return s->also == NULL || s->also->state(s->also->user, interval, error);
}

gboolean af_call_sums_read(af_call_sums *s, const af_observer *also,
                           const af_call_walk_options *options, GError **error)
{
    if (!s->any && also == NULL) {
        return TRUE;
    }
    s->also = also;
    s->in_kernel = s->in_kernel && s->sleeps != NULL;
    const gboolean all = s->in_kernel || also != NULL;
    const af_observer observer = {
        .enter = enter, .leave = leave, .user = s, .state = all ? take_state : NULL};
    g_autofree guint8 *labels = g_try_malloc((gsize)s->profile->n_labels + 1);
    gboolean ok = labels != NULL;
    for (uint32_t l = 0; ok && l < s->profile->n_labels; l++) {
        labels[l] =
            all || s->wanted[l] != 0 || (s->sleeps != NULL && af_sleeps_is_signal(s->sleeps, l));
    }
    ok = ok && af_profile_walk(s->profile, &observer, labels, options, error);
    if (ok && s->sleeps != NULL) {
        af_sleeps_end(s->sleeps);
    }
    for (uint32_t l = 0; ok && l < s->profile->n_labels; l++) {
        if ((s->wanted[l] & CALLS) != 0) {
            s->sums[l].total.median = compute_median(&s->sums[l]);
        }
    }
    return ok;
}

const af_call_total *af_call_sums_of(const af_call_sums *s, uint32_t label)
{
    return (s->wanted[label] & CALLS) != 0 && s->sums[label].total.n > 0 ? &s->sums[label].total
                                                                         : NULL;
}

const af_call_here *af_call_sums_here(const af_call_sums *s, uint32_t thread, uint32_t label)
{
    return af_idtable_find(&s->here, make_key(thread, label));
}

const af_call_pair *af_call_sums_pair(const af_call_sums *s, uint32_t thread, uint32_t caller,
                                      uint32_t callee)
{
    const pair *p = find_pair(s, thread, caller, callee);
    return p != NULL ? &p->result : NULL;
}
