#include "finding/groups.h"

#define LEAST_PERCENT 10

/* Samples without CPU times do not tell a loop that waits from one that works: a thread that spends
 * this share in one method, in percent, probably waits. */
#define PROBABLY_WAITS 90

/* Waiting, the tracer, dispatchers and frames that stand for several others have rules of their own,
 * or none. */
static gboolean is_work(const af_case *c, uint32_t node)
{
    return c->waits[node] == AF_WAITS_OTHER && af_case_is(c, node, AF_LABEL_WORKS);
}

/* On the main thread: if it waited most of the time, for a monitor, memory or a processor. */
static void say_cpu(af_candidate *candidate, uint64_t cpu)
{
    const af_case *c = candidate->in;
    if (c->is_main && c->counted && af_tree_has(c->tree, AF_WAIT) && cpu < candidate->time / 2) {
        char *amount = af_case_amount(c, cpu);
        af_candidate_say(candidate, ", of which it ran %s", amount);
        g_free(amount);
    }
}

static uint64_t sum_cpu(const af_case *c, uint32_t label)
{
    uint64_t cpu = 0;
    for (uint32_t n = 1; af_tree_has(c->tree, AF_CPU) && n < c->tree->n; n++) {
        cpu += c->tree->label[n] == label && is_work(c, n) ? c->tree->self[AF_CPU][n] : 0;
    }
    return cpu;
}

static void report(const af_case *c, const af_rule *rule, const af_method_sum *sum, uint64_t cpu)
{
    const uint64_t n_calls = c->counted ? sum->calls : 0;
    af_candidate *candidate = af_candidate_add(c, rule, sum->self_node, sum->self, n_calls);
    for (uint32_t n = 1; n < c->tree->n; n++) {
        if (c->tree->label[n] == sum->label && is_work(c, n)) {
            af_candidate_cover(candidate, n, FALSE, c->self[n]);
        }
    }
    char *name = af_case_name(c, sum->label);
    af_candidate_begin(candidate, "spent");
    if (n_calls == 1) {
        af_candidate_say(candidate, " in one call of %s itself", name);
    } else if (n_calls > 1) {
        char *calls = af_case_calls(n_calls), *mean = af_case_amount(c, sum->self / n_calls);
        af_candidate_say(candidate, " in %s itself, in %s of %s", name, calls, mean);
        g_free(mean);
        g_free(calls);
    } else {
        af_candidate_say(candidate, " in %s itself", name);
    }
    say_cpu(candidate, cpu);
    af_candidate_behalf(candidate);
    g_free(name);
}

/* Whether it is the loop of another thread, which lasts as long as the thread. */
static gboolean is_loop(const af_case *c, const af_method_sum *sum)
{
    const gboolean called_once =
        c->counted && c->tree->depth[sum->self_node] == 1 && sum->calls == 1;
    const gboolean may_wait = !c->counted && af_profile_has_clocks(c->profile) &&
                              !af_tree_has(c->tree, AF_CPU) &&
                              af_case_is_share(c, sum->self, PROBABLY_WAITS);
    return !c->is_main && (called_once || may_wait);
}

static void find(const af_case *c, const af_rule *rule)
{
    for (uint32_t l = 0; l < c->n_methods; l++) {
        const af_method_sum *sum = &c->methods[l];
        if ((c->label_facts[sum->label] & AF_LABEL_WORKS) == 0 ||
            !af_case_is_share(c, sum->self, LEAST_PERCENT)) {
            continue;
        }
        const uint64_t cpu = sum_cpu(c, sum->label);
        if (!is_loop(c, sum) && af_case_is_work(c, sum->self, cpu)) {
            report(c, rule, sum, cpu);
        }
    }
}

const af_rule af_rule_hot_method = {
    .id = "hot-method",
    .title = "Self time of one method",
    .about = "the self time of one method is at least 10 % of its thread",
    .weight = 100,
    .find = find,
};
