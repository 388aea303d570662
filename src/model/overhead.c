#include "model/overhead.h"

#include "base/wide.h"

gboolean af_overhead_check(const af_profile *profile, GError **error)
{
    const af_facts *facts = &profile->facts;
    const char *why = NULL;
    if (profile->compensated) {
        why = "the tracer's own time was already removed";
    } else if (af_content_is_sampled(facts->content)) {
        why = "this recording holds samples, not calls, so the cost of the tracer is unknown";
    } else if (!facts->android.has_call_overhead || facts->android.call_overhead_ns == 0) {
        why = "the trace does not record the cost of reading the clock (clock-call-overhead-nsec)";
    } else if (profile->callers_above) {
        why = "inverted trees do not show which calls a method made";
    }
    if (why != NULL) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE, why);
    }
    return why == NULL;
}

static uint64_t add_capped(uint64_t a, uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

void af_overhead_compute(const af_tree *tree, uint64_t reading_ns, af_clock clock, uint64_t *own)
{
    /* first, the number of clock readings */
    own[0] = 0;
    for (uint32_t n = 1; n < tree->n; n++) {
        own[n] = tree->calls[n];
        own[tree->parent[n]] = add_capped(own[tree->parent[n]], tree->calls[n]);
    }
    own[0] = 0; /* the time between outermost calls belongs to no method */
    for (uint32_t n = 1; n < tree->n; n++) {
        const af_u128 cost = (af_u128)own[n] * reading_ns;
        own[n] = (uint64_t)MIN(cost, (af_u128)tree->self[clock][n]);
    }
}

uint64_t af_overhead_of_thread_ns(const af_profile *profile, uint32_t thread, af_clock clock)
{
    const af_tree *tree = profile->threads[thread].tree;
    uint64_t sum = 0;
    if (clock == AF_WAIT || !af_tree_has(tree, clock) || !af_overhead_check(profile, NULL)) {
        return 0;
    }
    g_autofree uint64_t *own = g_try_new(uint64_t, tree->n);
    if (own != NULL) {
        af_overhead_compute(tree, profile->facts.android.call_overhead_ns, clock, own);
        for (uint32_t n = 1; n < tree->n; n++) {
            sum += own[n];
        }
    }
    return sum;
}
