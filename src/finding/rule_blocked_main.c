#include "finding/groups.h"
#include "finding/inquiry.h"

#include <string.h>

#define LEAST_PERCENT 5

/* A call counts as waiting if it waited for this share of its time, in percent. */
#define MOSTLY 50

/* Calls that wait, by their purpose; what they call to do so is part of them. */
static const af_name purposes[] = {
    {"android.app.QueuedWork", "waitToFinish"},
    {"android.app.SharedPreferencesImpl*", "awaitLoaded*"},
    {"java.util.concurrent.FutureTask", "get*"},
    {"java.util.concurrent.CompletableFuture", "get*"},
    {"java.util.concurrent.CompletableFuture", "join"},
    {"com.google.common.util.concurrent.AbstractFuture*", "get*"},
    {"com.google.android.gms.tasks.Tasks", "await*"},
    {"java.util.concurrent.CountDownLatch", "await*"},
    {"java.util.concurrent.CyclicBarrier", "await*"},
    {"java.util.concurrent.Semaphore", "acquire*"},
    {"java.util.concurrent.*BlockingQueue", "take*"},
    {"java.lang.Thread", "join*"},
    {"kotlinx.coroutines.BuildersKt*", "runBlocking*"},
    {"android.os.BinderProxy", "transact*"},
    {NULL, NULL},
};

/* Slices of the runtime and of the kernel, which are waiting as a whole. */
static const af_name slices[] = {
    {"", "monitor contention with*"}, {"", "Lock contention on*"}, {"", "Contending for*"},
    {"", "binder transaction"},       {"", "GC: Wait For*"},       {NULL, NULL},
};

/* They end the waiting of another thread. */
static const af_name signals[] = {
    {"java.lang.Object", "notify*"},
    {"sun.misc.Unsafe", "unpark"},
    {"jdk.internal.misc.Unsafe", "unpark"},
    {"java.util.concurrent.locks.LockSupport", "unpark"},
    {NULL, NULL},
};

static gboolean waits(const af_case *c, uint32_t node)
{
    switch (c->waits[node]) {
    case AF_WAITS_MONITOR:
    case AF_WAITS_LOCK:
    case AF_WAITS_SLEEP:
    case AF_WAITS_BINDER:
    case AF_WAITS_GC:
        return TRUE;
    default:
        return FALSE;
    }
}

/* The time of the waiting in each subtree. NULL if memory is refused. */
static uint64_t *sum_waits(const af_case *c, const guint8 *is_slice)
{
    uint64_t *waited = g_try_new0(uint64_t, c->tree->n);
    for (uint32_t n = c->tree->n; waited != NULL && n-- > 1;) {
        const gboolean all = is_slice[c->tree->label[n]] != 0;
        waited[n] = all ? c->time[n] : waited[n] + (waits(c, n) ? c->self[n] : 0);
        waited[c->tree->parent[n]] += waited[n];
    }
    return waited;
}

/* The thread that a slice of ART names as the owner of the monitor; NULL = none. */
static char *find_owner(const char *text)
{
    static const char before[] = "with owner ";
    const char *owner = strstr(text, before);
    const char *end = owner != NULL ? strstr(owner, " (") : NULL;
    owner = owner != NULL ? owner + strlen(before) : NULL;
    return end != NULL && end > owner ? g_strndup(owner, (gsize)(end - owner)) : NULL;
}

/* Whether the node is a call that waits as a whole. */
static gboolean may_wait(const af_case *c, const guint8 *is_purpose, const guint8 *is_slice,
                         uint32_t node)
{
    const uint32_t label = c->tree->label[node];
    return is_slice[label] != 0 || waits(c, node) || (is_purpose[label] != 0 && c->idle[node] == 0);
}

static void prepare(const af_case *c, af_call_sums *sums)
{
    const guint8 *is_purpose = af_labels_named(c, purposes), *is_slice = af_labels_named(c, slices);
    const guint8 *wakes = af_labels_named(c, signals);
    if (is_purpose == NULL || is_slice == NULL || wakes == NULL || c->inquiry->clock != AF_WALL) {
        return;
    }
    for (uint32_t n = 1; n < c->tree->n; n++) {
        af_sleeps *sleeps = NULL;
        if (af_case_is_share(c, c->time[n], LEAST_PERCENT) &&
            may_wait(c, is_purpose, is_slice, n) &&
            (sleeps = af_call_sums_request_sleeps(sums, c->thread, FALSE)) != NULL) {
            af_sleeps_set_signals(sleeps, wakes);
            af_sleeps_request(sleeps, c->tree->label[n]);
            af_call_sums_request(sums, c->tree->label[n]);
        }
    }
}

/* ", until worker-1 woke it" */
static void say_waker(af_candidate *candidate, const af_group_sum *sum)
{
    const af_call_sums *sums = af_case_sums(candidate->in);
    const af_sleeps *sleeps = sums != NULL ? af_call_sums_sleeps(sums) : NULL;
    uint64_t time = 0;
    const char *waker = sleeps != NULL ? af_sleeps_waker(sleeps, sum->label, &time) : NULL;
    if (waker != NULL && time >= sum->time / 2) {
        af_candidate_say(candidate, ", %suntil %s woke it", sum->calls > 1 ? "mostly " : "", waker);
    }
}

static void report(const af_case *c, const af_rule *rule, const af_group_sum *sum,
                   const GArray *nodes)
{
    const af_label *label = &c->profile->labels[sum->label];
    af_candidate *candidate = af_candidate_add(c, rule, sum->node, sum->time, sum->calls);
    for (guint i = 0; i < nodes->len; i++) {
        const uint32_t n = g_array_index(nodes, uint32_t, i);
        if (c->tree->label[n] == sum->label) {
            af_candidate_cover(candidate, n, TRUE, c->time[n]);
        }
    }
    g_autofree char *name = af_case_name(c, sum->label), *owner = find_owner(label->text);
    af_candidate_begin(candidate, "waited");
    if (owner != NULL) {
        af_candidate_say(candidate, " for a monitor that thread %s held", owner);
    } else if (sum->calls > 0) {
        g_autofree char *calls = af_case_calls(sum->calls);
        af_candidate_say(candidate, " in %s of %s", calls, name);
    } else {
        af_candidate_say(candidate, " in %s", name);
    }
    if (owner == NULL) {
        say_waker(candidate, sum);
    }
    af_candidate_behalf(candidate);
}

static void find_in(const af_case *c, const af_rule *rule, const guint8 *is_purpose,
                    const guint8 *is_slice, const uint64_t *waited)
{
    af_group_sums sums;
    af_group_sums_begin(&sums, c);
    GArray *nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t n = 1; n < c->tree->n;) {
        if (may_wait(c, is_purpose, is_slice, n) && waited[n] * 100 >= c->time[n] * MOSTLY &&
            waited[n] > 0) {
            af_group_sums_add(&sums, n, c->time[n]);
            g_array_append_val(nodes, n);
            n = c->end[n];
        } else {
            n++;
        }
    }
    for (guint i = 0; i < sums.sums->len; i++) {
        const af_group_sum *sum = &g_array_index(sums.sums, af_group_sum, i);
        if (af_case_is_share(c, sum->time, LEAST_PERCENT)) {
            report(c, rule, sum, nodes);
        }
    }
    g_array_unref(nodes);
    af_group_sums_free(&sums);
}

static void find(const af_case *c, const af_rule *rule)
{
    const guint8 *is_purpose = af_labels_named(c, purposes);
    const guint8 *is_slice = af_labels_named(c, slices);
    if (is_purpose == NULL || is_slice == NULL) {
        return;
    }
    uint64_t *waited = sum_waits(c, is_slice);
    if (waited != NULL) {
        find_in(c, rule, is_purpose, is_slice, waited);
    }
    g_free(waited);
}

const af_rule af_rule_blocked_main = {
    .id = "blocked-main",
    .title = "The main thread waited",
    .about = "the main thread waited at least 5 % of its time in one method: for a lock, another "
             "thread, another process, or asleep",
    .weight = 140,
    .main_only = TRUE,
    .needs_main = TRUE,
    .prepare = prepare,
    .find = find,
};
