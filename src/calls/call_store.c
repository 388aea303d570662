#include "calls/call_store.h"

#include <stdlib.h>

#include "base/memory_error.h"
#include "base/quantile.h"

typedef struct {
    af_quantile_sketch of[AF_CALL_CLOCKS];
} label_sketches;

struct af_call_store {
    uint32_t n_labels, most;
    unsigned clocks;
    af_clock clock;
    uint64_t n;
    af_array calls;           /* of af_call; a heap with the shortest first, once there are more */
    af_call_sum *sums;        /* by label */
    label_sketches *sketches; /* by label; NULL while all calls are kept */
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
    af_call_store *book = g_new0(af_call_store, 1);
    book->n_labels = n_labels;
    book->clocks = clocks;
    book->clock = clock;
    book->most = most;
    af_array_init(&book->calls, sizeof(af_call));
    book->sums = g_try_new0(af_call_sum, (gsize)n_labels + 1);
    if (book->sums == NULL) {
        g_free(book);
        return NULL;
    }
    return book;
}

void af_call_store_free(af_call_store *book)
{
    for (uint32_t l = 0; book != NULL && book->sketches != NULL && l < book->n_labels; l++) {
        for (unsigned c = 0; c < AF_CALL_CLOCKS; c++) {
            af_quantile_clear(&book->sketches[l].of[c]);
        }
    }
    if (book != NULL) {
        g_free(book->sketches);
        g_free(book->sums);
        af_array_clear(&book->calls);
        g_free(book);
    }
}

static gboolean has_clock(const af_call_store *book, unsigned clock)
{
    return (book->clocks >> clock & 1) != 0;
}

gboolean af_call_has(const af_call *call, af_clock clock)
{
    return (call->lacks >> (unsigned)clock & 1) == 0;
}

/* ---- the longest ---- */

static af_call *call_at(const af_call_store *book, size_t i)
{
    return af_array_at(&book->calls, i);
}

/* Whether `a` goes before `b` does; of equals the later. */
static gboolean is_shorter(const af_call_store *book, const af_call *a, const af_call *b)
{
    const uint64_t x = af_call_time_ns(a, book->clock), y = af_call_time_ns(b, book->clock);
    return x != y ? x < y : a->number > b->number;
}

static void swap_calls(af_call *a, af_call *b)
{
    const af_call between = *a;
    *a = *b;
    *b = between;
}

static void sift_down(const af_call_store *book, size_t at)
{
    for (size_t child; (child = at * 2 + 1) < book->calls.n; at = child) {
        if (child + 1 < book->calls.n &&
            is_shorter(book, call_at(book, child + 1), call_at(book, child))) {
            child++;
        }
        if (!is_shorter(book, call_at(book, child), call_at(book, at))) {
            return;
        }
        swap_calls(call_at(book, child), call_at(book, at));
    }
}

static void sketch_call(const af_call_store *book, const af_call *call)
{
    for (unsigned c = 0; c < AF_CALL_CLOCKS; c++) {
        if (has_clock(book, c) && af_call_has(call, (af_clock)c)) {
            af_quantile_add(&book->sketches[call->label].of[c], af_call_time_ns(call, (af_clock)c));
        }
    }
}

/* There are more than can be kept. */
static gboolean begin_sketches(af_call_store *book)
{
    book->sketches = g_try_new0(label_sketches, (gsize)book->n_labels + 1);
    for (size_t i = 0; book->sketches != NULL && i < book->calls.n; i++) {
        sketch_call(book, call_at(book, i));
    }
    for (size_t i = book->calls.n / 2; i-- > 0;) {
        sift_down(book, i);
    }
    return book->sketches != NULL;
}

static gboolean keep_call(af_call_store *book, const af_call *call)
{
    if (book->calls.n < book->most) {
        af_call *place = af_array_add(&book->calls, 1);
        if (place != NULL) {
            *place = *call;
        }
        return place != NULL;
    }
    if (book->sketches == NULL && !begin_sketches(book)) {
        return FALSE;
    }
    sketch_call(book, call);
    if (book->most > 0 && is_shorter(book, call_at(book, 0), call)) {
        *call_at(book, 0) = *call;
        sift_down(book, 0);
    }
    return TRUE;
}

gboolean af_call_store_add(void *user, const af_call *call, GError **error)
{
    af_call_store *book = user;
    af_call_sum *sum = &book->sums[call->label];
    for (unsigned c = 0; c < AF_CALL_CLOCKS; c++) {
        if (!has_clock(book, c) || !af_call_has(call, (af_clock)c)) {
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
    book->n++;
    if (af_call_has(call, book->clock)) {
        af_spread_add(&book->spread, af_call_time_ns(call, book->clock));
    }
    if (!keep_call(book, call)) {
        return af_memory_error_set(error);
    }
    return TRUE;
}

/* ---- the end ---- */

static int compare_numbers(gconstpointer a, gconstpointer b)
{
    const uint64_t one = ((const af_call *)a)->number, other = ((const af_call *)b)->number;
    return (one > other) - (one < other);
}

/* The number at place `rank` if the `n` were sorted, digit by digit from the highest: those with
 * the digit that is meant come to the front, the others are done with. Linear for any numbers. */
static uint64_t pick(uint64_t *numbers, size_t n, size_t rank)
{
    for (unsigned shift = 64; n > 1 && shift > 0;) {
        size_t counts[256] = {0};
        shift -= 8;
        for (size_t i = 0; i < n; i++) {
            counts[numbers[i] >> shift & 0xFF]++;
        }
        unsigned digit = 0;
        while (rank >= counts[digit]) {
            rank -= counts[digit++];
        }
        for (size_t i = 0, front = 0; front < counts[digit]; i++) {
            const uint64_t number = numbers[i];
            if ((number >> shift & 0xFF) == digit) {
                numbers[i] = numbers[front];
                numbers[front++] = number;
            }
        }
        n = counts[digit];
    }
    return numbers[0];
}

/* Of calls that are all kept. `ns` has room for them, `end` for a place for each label. */
static void rank_kept(af_call_store *book, af_clock clock, uint64_t *ns, size_t *end)
{
    size_t sum = 0;
    for (uint32_t l = 0; l < book->n_labels; l++) {
        end[l] = sum;
        sum += book->sums[l].known[clock];
    }
    for (size_t i = 0; i < book->calls.n; i++) {
        const af_call *call = call_at(book, i);
        if (af_call_has(call, clock)) {
            ns[end[call->label]++] = af_call_time_ns(call, clock);
        }
    }
    for (uint32_t l = 0; l < book->n_labels; l++) {
        af_call_sum *s = &book->sums[l];
        const uint64_t n = s->known[clock];
        uint64_t *first = ns + end[l] - n;
        if (n > 0) {
            s->median_ns[clock] = pick(first, n, af_quantile_rank(n, 50));
            s->p95_ns[clock] = pick(first, n, af_quantile_rank(n, 95));
        }
    }
}

/* A sketch knows the middle of a step; no call was longer than the longest. */
static uint64_t ask_sketch(const af_quantile_sketch *sketch, unsigned percent,
                           const af_call_sum *sum, af_clock clock)
{
    const uint64_t ns = af_quantile_at(sketch, af_quantile_rank(sketch->n, percent));
    return CLAMP(ns, sum->min_ns[clock], sum->max_ns[clock]);
}

static gboolean rank_sketched(af_call_store *book, af_clock clock)
{
    gboolean ok = TRUE;
    for (uint32_t l = 0; l < book->n_labels; l++) {
        const af_quantile_sketch *sketch = &book->sketches[l].of[clock];
        af_call_sum *sum = &book->sums[l];
        sum->median_ns[clock] = ask_sketch(sketch, 50, sum, clock);
        sum->p95_ns[clock] = ask_sketch(sketch, 95, sum, clock);
        ok = ok && !sketch->failed;
    }
    return ok;
}

gboolean af_call_store_close(af_call_store *book)
{
    const gboolean kept = book->sketches == NULL;
    uint64_t *ns = kept ? g_try_new(uint64_t, book->calls.n + 1) : NULL;
    size_t *end = kept ? g_try_new(size_t, (gsize)book->n_labels + 1) : NULL;
    gboolean ok = !kept || (ns != NULL && end != NULL);
    for (unsigned c = 0; ok && c < AF_CALL_CLOCKS; c++) {
        if (has_clock(book, c) && kept) {
            rank_kept(book, (af_clock)c, ns, end);
        } else if (has_clock(book, c)) {
            ok = rank_sketched(book, (af_clock)c);
        }
    }
    g_free(ns);
    g_free(end);
    if (book->calls.n > 0) {
        qsort(book->calls.items, book->calls.n, sizeof(af_call), compare_numbers);
    }
    return ok;
}

uint64_t af_call_store_n(const af_call_store *book)
{
    return book->n;
}

const af_call *af_call_store_calls(const af_call_store *book, uint32_t *n)
{
    *n = (uint32_t)book->calls.n;
    return book->calls.items;
}

const af_call_sum *af_call_store_sum(const af_call_store *book, uint32_t label)
{
    return &book->sums[label];
}

GArray *af_call_store_spread(const af_call_store *book)
{
    uint64_t *ns = NULL;
    size_t n = 0;
    if (af_spread_is_narrow(&book->spread) && book->sketches == NULL) {
        ns = g_try_new(uint64_t, book->calls.n + 1);
    }
    for (size_t i = 0; ns != NULL && i < book->calls.n; i++) {
        if (af_call_has(call_at(book, i), book->clock)) {
            ns[n++] = af_call_time_ns(call_at(book, i), book->clock);
        }
    }
    GArray *rows = ns != NULL ? af_spread_even_rows(ns, n) : af_spread_rows(&book->spread);
    g_free(ns);
    return rows;
}
