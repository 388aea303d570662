#include "finding/inquiry.h"

#include "model/overhead.h"

#define LEAST_PERCENT 10
#define LEAST_NS      1000000

static void find(const af_case *c, const af_rule *rule)
{
    const uint64_t reading = c->profile->facts.android.call_overhead_ns;
    g_autofree uint64_t *own = g_try_new0(uint64_t, c->tree->n);
    if (own == NULL || !af_overhead_check(c->profile, NULL)) {
        return;
    }
    af_overhead_compute(c->tree, reading, c->inquiry->clock, own);
    uint64_t sum = 0;
    uint32_t worst = 1;
    for (uint32_t n = 1; n < c->tree->n; n++) {
        sum += own[n];
        worst = own[n] > own[worst] ? n : worst;
    }
    if (sum >= LEAST_NS && af_case_is_share(c, sum, LEAST_PERCENT)) {
        af_candidate *candidate = af_candidate_add(c, rule, AF_NO_NODE, sum, 0);
        g_autofree char *name = af_case_name(c, c->tree->label[worst]);
        af_candidate_begin(candidate, "spent at least");
        af_candidate_say(candidate,
                         " being traced, most in %s: the times of short methods mean little", name);
    }
}

const af_rule af_rule_tracer = {
    .id = "tracer",
    .title = "The cost of tracing",
    .about = "recording itself cost at least 10 % of the time of the main thread, as far as the "
             "trace tells",
    .kind = AF_RULE_REMARK,
    .weight = 100,
    .main_only = TRUE,
    .find = find,
};
