#include "model/cpu_step.h"

/* Measured on the recordings of every call among 22 real files: where the clock is coarse, a third of
 * the nodes have one step of 30 µs; elsewhere the smallest time is below 5 µs, or there are few
 * nodes. */
#define LEAST_STEP_NS UINT64_C(10000)
#define LEAST_NODES   100u
#define LEAST_PERCENT 10u

/* The nodes with CPU time, and those with at most `most_ns` of it. */
typedef struct {
    uint64_t nodes, few, least_ns;
} counted;

static void count_nodes(const af_profile *profile, uint64_t most_ns, counted *c)
{
    *c = (counted){.least_ns = UINT64_MAX};
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        const af_tree *tree = profile->threads[t].tree;
        for (uint32_t n = 1; tree->self[AF_CPU] != NULL && n < tree->n; n++) {
            const uint64_t ns = tree->self[AF_CPU][n];
            c->nodes += ns > 0;
            c->few += ns > 0 && ns <= most_ns;
            c->least_ns = ns > 0 ? MIN(c->least_ns, ns) : c->least_ns;
        }
    }
}

uint64_t af_cpu_step_ns(const af_profile *profile)
{
    counted c;
    if (af_content_is_sampled(profile->facts.content)) {
        return 0;
    }
    count_nodes(profile, 0, &c);
    const uint64_t step_ns = c.least_ns;
    if (c.nodes < LEAST_NODES || step_ns < LEAST_STEP_NS) {
        return 0;
    }
    count_nodes(profile, step_ns + step_ns / 10, &c);
    return 100 * c.few >= LEAST_PERCENT * c.nodes ? step_ns : 0;
}
