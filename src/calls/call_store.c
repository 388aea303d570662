#include "calls/call_store.h"

#include <stdlib.h>

#include "base/memory_error.h"
#include "base/order.h"
#include "base/quantile.h"

typedef struct {
    af_quantile_sketch of[AF_CALL_CLOCKS];
} label_sketches;

struct af_call_store {
    uint32_t n_labels, most;
    unsigned clocks;
    af_clock clock;
    uint64_t n;
    af_array calls;           /* of af_call; beyond the limit, a heap with the shortest first */
    af_call_sum *sums;        /* by label */
    label_sketches *sketches; /* by label; NULL while all calls are stored */
    af_spread spread;
};

static uint64_t wait_ns(const uint64_t ns[AF_CLOCKS])
{
    return ns[AF_WALL] > ns[AF_CPU] ? ns[AF_WALL] - ns[AF_CPU] : 0;
}

uint64_t af_call_time_ns(const af_call *call, af_clock clock)
{
    return clock == AF_WAIT ? wait_ns(call->time_ns) : call->time_ns[clock];
}

uint64_t af_call_self_ns(const af_call *call, af_clock clock)
{
    return clock == AF_WAIT ? wait_ns(call->self_ns) : call->self_ns[clock];
}

af_call_store *af_call_store_new(uint32_t n_labels, unsigned clocks, af_clock clock, uint32_t most)
{
    af_call_store *store = g_new0(af_call_store, 1);
    store->n_labels = n_labels;
    store->clocks = clocks;
    store->clock = clock;
    store->most = most;
    af_array_init(&store->calls, sizeof(af_call));
    store->sums = g_try_new0(af_call_sum, (gsize)n_labels + 1);
    if (store->sums == NULL) {
        g_free(store);
        return NULL;
    }
    return store;
}

void af_call_store_free(af_call_store *store)
{
    for (uint32_t l = 0; store != NULL && store->sketches != NULL && l < store->n_labels; l++) {
        for (unsigned c = 0; c < AF_CALL_CLOCKS; c++) {
            af_quantile_clear(&store->sketches[l].of[c]);
        }
    }
    if (store != NULL) {
        g_free(store->sketches);
        g_free(store->sums);
        af_array_clear(&store->calls);
        g_free(store);
    }
}

static gboolean has_clock(const af_call_store *store, unsigned clock)
{
    return (store->clocks >> clock & 1) != 0;
}

gboolean af_call_has(const af_call *call, af_clock clock)
{
    return (call->lacks >> (unsigned)clock & 1) == 0;
}

static af_call *call_at(const af_call_store *store, size_t i)
{
    return af_array_at(&store->calls, i);
}

/* Whether `a` is dropped before `b`; of equal calls, the later one is dropped. */
static gboolean is_shorter(const af_call_store *store, const af_call *a, const af_call *b)
{
    const uint64_t x = af_call_time_ns(a, store->clock), y = af_call_time_ns(b, store->clock);
    return x != y ? x < y : a->number > b->number;
}

static void swap_calls(af_call *a, af_call *b)
{
    const af_call between = *a;
    *a = *b;
    *b = between;
}

static void sift_down(const af_call_store *store, size_t at)
{
    for (size_t child; (child = at * 2 + 1) < store->calls.n; at = child) {
        if (child + 1 < store->calls.n &&
            is_shorter(store, call_at(store, child + 1), call_at(store, child))) {
            child++;
        }
        if (!is_shorter(store, call_at(store, child), call_at(store, at))) {
            return;
        }
        swap_calls(call_at(store, child), call_at(store, at));
    }
}

static void sketch_call(const af_call_store *store, const af_call *call)
{
    for (unsigned c = 0; c < AF_CALL_CLOCKS; c++) {
        if (has_clock(store, c) && af_call_has(call, (af_clock)c)) {
            af_quantile_add(&store->sketches[call->label].of[c],
                            af_call_time_ns(call, (af_clock)c));
        }
    }
}

/* Called when the limit is reached: starts the sketches, and orders the stored calls as a heap. */
static gboolean begin_sketches(af_call_store *store)
{
    store->sketches = g_try_new0(label_sketches, (gsize)store->n_labels + 1);
    for (size_t i = 0; store->sketches != NULL && i < store->calls.n; i++) {
        sketch_call(store, call_at(store, i));
    }
    for (size_t i = store->calls.n / 2; i-- > 0;) {
        sift_down(store, i);
    }
    return store->sketches != NULL;
}

static gboolean keep_call(af_call_store *store, const af_call *call)
{
    if (store->calls.n < store->most) {
        af_call *index = af_array_add(&store->calls, 1);
        if (index != NULL) {
            *index = *call;
        }
        return index != NULL;
    }
    if (store->sketches == NULL && !begin_sketches(store)) {
        return FALSE;
    }
    sketch_call(store, call);
    if (store->most > 0 && is_shorter(store, call_at(store, 0), call)) {
        *call_at(store, 0) = *call;
        sift_down(store, 0);
    }
    return TRUE;
}

gboolean af_call_store_add(void *user, const af_call *call, GError **error)
{
    af_call_store *store = user;
    af_call_sum *sum = &store->sums[call->label];
    for (unsigned c = 0; c < AF_CALL_CLOCKS; c++) {
        if (!has_clock(store, c) || !af_call_has(call, (af_clock)c)) {
            continue;
        }
        const uint64_t ns = af_call_time_ns(call, (af_clock)c);
        sum->min_ns[c] = sum->known[c] == 0 ? ns : MIN(sum->min_ns[c], ns);
        sum->known[c]++;
        sum->max_ns[c] = MAX(sum->max_ns[c], ns);
        sum->total_ns[c] += call->nested ? 0 : ns;
    }
    sum->calls++;
    sum->nested += call->nested;
    sum->unwinds += call->end == AF_CALL_UNWOUND && !call->cut;
    store->n++;
    if (af_call_has(call, store->clock)) {
        af_spread_add(&store->spread, af_call_time_ns(call, store->clock));
    }
    if (!keep_call(store, call)) {
        return af_memory_error_set(error);
    }
    return TRUE;
}

static int compare_numbers(gconstpointer a, gconstpointer b)
{
    const uint64_t one = ((const af_call *)a)->number, other = ((const af_call *)b)->number;
    return (one > other) - (one < other);
}

/* Computes exact ranks while all calls are stored. `ns` has one element per call, `end` one per
 * label. */
static void rank_stored(af_call_store *store, af_clock clock, uint64_t *ns, size_t *end)
{
    size_t sum = 0;
    for (uint32_t l = 0; l < store->n_labels; l++) {
        end[l] = sum;
        sum += store->sums[l].known[clock];
    }
    for (size_t i = 0; i < store->calls.n; i++) {
        const af_call *call = call_at(store, i);
        if (af_call_has(call, clock)) {
            ns[end[call->label]++] = af_call_time_ns(call, clock);
        }
    }
    for (uint32_t l = 0; l < store->n_labels; l++) {
        af_call_sum *s = &store->sums[l];
        const uint64_t n = s->known[clock];
        uint64_t *first = ns + end[l] - n;
        if (n > 0) {
            qsort(first, n, sizeof *first, af_order_u64);
            s->median_ns[clock] = first[af_quantile_rank(n, 50)];
            s->p95_ns[clock] = first[af_quantile_rank(n, 95)];
        }
    }
}

/* A sketch returns the middle of a step, which may exceed the longest call. */
static uint64_t ask_sketch(const af_quantile_sketch *sketch, unsigned percent,
                           const af_call_sum *sum, af_clock clock)
{
    const uint64_t ns = af_quantile_at(sketch, af_quantile_rank(sketch->n, percent));
    return CLAMP(ns, sum->min_ns[clock], sum->max_ns[clock]);
}

static gboolean rank_sketched(af_call_store *store, af_clock clock)
{
    gboolean ok = TRUE;
    for (uint32_t l = 0; l < store->n_labels; l++) {
        const af_quantile_sketch *sketch = &store->sketches[l].of[clock];
        af_call_sum *sum = &store->sums[l];
        sum->median_ns[clock] = ask_sketch(sketch, 50, sum, clock);
        sum->p95_ns[clock] = ask_sketch(sketch, 95, sum, clock);
        ok = ok && !sketch->failed;
    }
    return ok;
}

gboolean af_call_store_close(af_call_store *store)
{
    const gboolean n_stored = store->sketches == NULL;
    uint64_t *ns = n_stored ? g_try_new(uint64_t, store->calls.n + 1) : NULL;
    size_t *end = n_stored ? g_try_new(size_t, (gsize)store->n_labels + 1) : NULL;
    gboolean ok = !n_stored || (ns != NULL && end != NULL);
    for (unsigned c = 0; ok && c < AF_CALL_CLOCKS; c++) {
        if (has_clock(store, c) && n_stored) {
            rank_stored(store, (af_clock)c, ns, end);
        } else if (has_clock(store, c)) {
            ok = rank_sketched(store, (af_clock)c);
        }
    }
    g_free(ns);
    g_free(end);
    if (store->calls.n > 0) {
        qsort(store->calls.items, store->calls.n, sizeof(af_call), compare_numbers);
    }
    return ok;
}

uint64_t af_call_store_n(const af_call_store *store)
{
    return store->n;
}

const af_call *af_call_store_calls(const af_call_store *store, uint32_t *n)
{
    *n = (uint32_t)store->calls.n;
    return store->calls.items;
}

const af_call *af_call_store_longest(const af_call_store *store)
{
    const af_call *longest = NULL;
    uint32_t n;
    const af_call *calls = af_call_store_calls(store, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (longest == NULL ||
            af_call_time_ns(&calls[i], store->clock) > af_call_time_ns(longest, store->clock)) {
            longest = &calls[i];
        }
    }
    return longest;
}

const af_call_sum *af_call_store_sum(const af_call_store *store, uint32_t label)
{
    return &store->sums[label];
}

GArray *af_call_store_spread(const af_call_store *store)
{
    g_autofree uint64_t *ns = NULL;
    size_t n = 0;
    if (af_spread_is_narrow(&store->spread) && store->sketches == NULL) {
        ns = g_try_new(uint64_t, store->calls.n + 1);
    }
    for (size_t i = 0; ns != NULL && i < store->calls.n; i++) {
        if (af_call_has(call_at(store, i), store->clock)) {
            ns[n++] = af_call_time_ns(call_at(store, i), store->clock);
        }
    }
    return ns != NULL ? af_spread_even_rows(ns, n) : af_spread_rows(&store->spread);
}
