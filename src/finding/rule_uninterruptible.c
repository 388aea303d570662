#include "finding/groups.h"
#include "finding/inquiry.h"

#define LEAST_PERCENT 5

static void prepare(const af_case *c, af_call_sums *sums)
{
    if (c->inquiry->clock == AF_WALL && af_tree_runnable(c->tree) != NULL) {
        af_call_sums_request_sleeps(sums, c->thread, TRUE);
    }
}

static void find(const af_case *c, const af_rule *rule)
{
    const af_sleeps *sleeps = af_case_sums(c) != NULL ? af_call_sums_sleeps(af_case_sums(c)) : NULL;
    af_group_sums own;
    if (sleeps == NULL) {
        return;
    }
    af_group_sums_begin(&own, c);
    for (uint32_t n = 1; n < c->tree->n; n++) {
        if (af_sleeps_in_kernel(sleeps, c->tree->label[n]) > 0) {
            af_group_sums_add(&own, n, c->self[n]);
        }
    }
    uint64_t time = 0, most = 0;
    const af_group_sum *worst = NULL;
    for (guint i = 0; i < own.sums->len; i++) {
        const af_group_sum *sum = &g_array_index(own.sums, af_group_sum, i);
        const uint64_t slept = af_sleeps_in_kernel(sleeps, sum->label);
        time += slept;
        worst = slept > most ? sum : worst;
        most = MAX(most, slept);
    }
    if (worst != NULL && af_case_is_share(c, time, LEAST_PERCENT)) {
        af_candidate *candidate = af_candidate_add(c, rule, worst->node, time, 0);
        for (uint32_t n = 1; n < c->tree->n; n++) { /* in proportion to their self times */
            const uint64_t slept = af_sleeps_in_kernel(sleeps, c->tree->label[n]);
            const uint64_t self = slept > 0 ? af_group_sums_of(&own, n)->time : 0;
            if (self > 0 && c->self[n] > 0) {
                const double share = (double)c->self[n] / (double)self;
                af_candidate_cover(candidate, n, FALSE, (uint64_t)((double)slept * share));
            }
        }
        g_autofree char *name = af_case_name(c, c->tree->label[worst->node]),
                        *amount = af_case_amount(c, most);
        af_candidate_begin(candidate, "slept in the kernel for");
        if (most == time) {
            af_candidate_say(candidate, ", in %s", name);
        } else {
            af_candidate_say(candidate, ", %s of it in %s", amount, name);
        }
        af_candidate_behalf(candidate);
    }
    af_group_sums_free(&own);
}

const af_rule af_rule_uninterruptible = {
    .id = "uninterruptible",
    .title = "Asleep in the kernel, for a disk, memory or a driver",
    .about = "the main thread slept uninterruptibly in the kernel, for a disk, memory or a driver, "
             "for at least 5 % of its time",
    .weight = 145,
    .main_only = TRUE,
    .needs_main = TRUE,
    .prepare = prepare,
    .find = find,
};
