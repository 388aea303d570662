#include "finding/groups.h"

#define LEAST_PERCENT 50

static void find(const af_case *c, const af_rule *rule)
{
    if (!af_case_is_share(c, c->idle[0], LEAST_PERCENT)) {
        return;
    }
    uint64_t rest_time = c->total - c->idle[0];
    for (uint32_t n = 1; n < c->tree->n; n++) {
        const gboolean idle = af_waits_is_idle(c->profile, c->tree, n);
        rest_time -= c->waits[n] != AF_WAITS_OTHER && !idle ? c->self[n] : 0;
    }
    af_candidate *candidate = af_candidate_add(c, rule, AF_NO_NODE, c->idle[0], 0);
    g_autofree char *rest = af_case_amount(c, rest_time);
    af_candidate_begin(candidate, "was idle for");
    af_candidate_say(candidate, " and worked for %s: look at another thread, or record less", rest);
}

const af_rule af_rule_idle = {
    .id = "idle",
    .title = "Mostly idle",
    .about = "the main thread had nothing to do for at least 50 % of its time",
    .kind = AF_RULE_OVERVIEW,
    .weight = 100,
    .main_only = TRUE,
    .needs_main = TRUE,
    .find = find,
};
