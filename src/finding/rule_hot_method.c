#include "finding/groups.h"

#include <string.h>

#define LEAST_PERCENT 10

/* Samples without CPU times do not tell a loop that waits from one that works: a thread that spends
 * this share in one method, in percent, probably waits. */
#define PROBABLY_WAITS 90

/* Waiting, the tracer, dispatchers and frames that stand for several others have rules of their own,
 * or none. */
static gboolean is_work(const af_case *c, const guint8 *is_dispatcher, uint32_t node)
{
    const af_label *label = af_case_label(c, node);
    return is_dispatcher[c->tree->label[node]] == 0 && c->waits[node] == AF_WAITS_OTHER &&
           label->category != AF_CATEGORY_IDLE && label->category != AF_CATEGORY_BLOCKED &&
           label->category != AF_CATEGORY_FOLDED && label->category != AF_CATEGORY_TRACER &&
           label->text[0] != '[' && label->text[0] != '(' && strstr(label->text, "[+") == NULL;
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

static uint64_t sum_cpu(const af_case *c, const guint8 *is_dispatcher, uint32_t label)
{
    uint64_t cpu = 0;
    for (uint32_t n = 1; af_tree_has(c->tree, AF_CPU) && n < c->tree->n; n++) {
        cpu += c->tree->label[n] == label && is_work(c, is_dispatcher, n) ? c->tree->self[AF_CPU][n]
                                                                          : 0;
    }
    return cpu;
}

static void report(const af_case *c, const af_rule *rule, const guint8 *is_dispatcher,
                   const af_group_sum *sum, uint64_t cpu)
{
    af_candidate *candidate = af_candidate_add(c, rule, sum->node, sum->time, sum->calls);
    for (uint32_t n = 1; n < c->tree->n; n++) {
        if (c->tree->label[n] == sum->label && is_work(c, is_dispatcher, n)) {
            af_candidate_cover(candidate, n, FALSE, c->self[n]);
        }
    }
    char *name = af_case_name(c, sum->label);
    af_candidate_begin(candidate, "spent");
    if (sum->calls == 1) {
        af_candidate_say(candidate, " in one call of %s itself", name);
    } else if (sum->calls > 1) {
        char *calls = af_case_calls(sum->calls), *mean = af_case_amount(c, sum->time / sum->calls);
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
static gboolean is_loop(const af_case *c, const af_group_sum *sum)
{
    const gboolean called_once = c->tree->depth[sum->node] == 1 && sum->calls == 1;
    const gboolean may_wait = !c->counted && af_profile_has_clocks(c->profile) &&
                              !af_tree_has(c->tree, AF_CPU) &&
                              af_case_is_share(c, sum->time, PROBABLY_WAITS);
    return !c->is_main && (called_once || may_wait);
}

static void find(const af_case *c, const af_rule *rule)
{
    const guint8 *is_dispatcher = af_labels_named(c, af_dispatchers);
    af_group_sums sums;
    if (is_dispatcher == NULL) {
        return;
    }
    af_group_sums_begin(&sums);
    for (uint32_t n = 1; n < c->tree->n; n++) {
        if (is_work(c, is_dispatcher, n)) {
            af_group_sums_add(&sums, c, n, c->self[n]);
        }
    }
    for (guint i = 0; i < sums.sums->len; i++) {
        const af_group_sum *sum = &g_array_index(sums.sums, af_group_sum, i);
        if (!af_case_is_share(c, sum->time, LEAST_PERCENT)) {
            continue;
        }
        const uint64_t cpu = sum_cpu(c, is_dispatcher, sum->label);
        if (!is_loop(c, sum) && af_case_is_work(c, sum->time, cpu)) {
            report(c, rule, is_dispatcher, sum, cpu);
        }
    }
    af_group_sums_free(&sums);
}

const af_rule af_rule_hot_method = {
    .id = "hot-method",
    .title = "Self time of one method",
    .about = "the self time of one method is at least 10 % of its thread",
    .weight = 100,
    .find = find,
};
