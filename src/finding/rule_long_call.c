#include "finding/groups.h"

#define LEAST_PERCENT 10
#define LEAST_TIMES   5 /* the median */

/* A call inside another long one is named in its place if it takes this share of it, in percent. */
#define SAME_CALL 80

/* A call that was idle for a larger share is a loop that waits for work, in percent. */
#define MOST_IDLE 20

static gboolean may_be_long(const af_case *c, uint32_t node)
{
    const uint64_t cpu =
        af_tree_has(c->tree, AF_CPU) ? c->tree->inclusive[AF_CPU][node] : c->time[node];
    return af_case_is_share(c, c->longest[node], LEAST_PERCENT) &&
           c->waits[node] == AF_WAITS_OTHER && !af_case_is(c, node, AF_LABEL_DISPATCHES) &&
           af_case_is_work(c, c->time[node], cpu) &&
           c->idle[node] * 100 <= c->time[node] * MOST_IDLE &&
           af_case_label(c, node)->category != AF_CATEGORY_TRACER;
}

static void prepare(const af_case *c, af_call_sums *sums)
{
    for (uint32_t n = 1; c->longest != NULL && n < c->tree->n; n++) {
        if (may_be_long(c, n)) {
            af_call_sums_request(sums, c->tree->label[n]);
        }
    }
}

static gboolean is_long(const af_case *c, uint32_t node)
{
    const af_call_total *total = af_call_sums_of(af_case_sums(c), c->tree->label[node]);
    return total != NULL && total->n > 2 && c->longest[node] / LEAST_TIMES >= total->median &&
           may_be_long(c, node);
}

static gboolean has_same_call(const af_case *c, uint32_t node)
{
    for (uint32_t n = node + 1; n < c->end[node]; n++) {
        if (is_long(c, n) && c->longest[n] * 100 >= c->longest[node] * SAME_CALL) {
            return TRUE;
        }
    }
    return FALSE;
}

static void report(const af_case *c, const af_rule *rule, uint32_t node)
{
    const uint32_t label = c->tree->label[node];
    const af_call_total *total = af_call_sums_of(af_case_sums(c), label);
    const af_call_here *here = af_call_sums_here(af_case_sums(c), c->thread, label);
    af_candidate *candidate = af_candidate_add(c, rule, node, c->longest[node], 1);
    if (here != NULL && here->longest == c->longest[node]) {
        candidate->call = here->longest_number;
    }
    af_candidate_cover(candidate, node, TRUE, c->longest[node]);
    g_autofree char *name = af_case_name(c, label), *calls = af_case_calls(total->n),
                    *median = af_case_amount(c, total->median);
    af_candidate_begin(candidate, "spent");
    af_candidate_say(candidate, " in one call of %s", name);
    af_candidate_behalf(candidate);
    af_candidate_say(candidate, "; the median of its %s is %s", calls, median);
}

static void find(const af_case *c, const af_rule *rule)
{
    const gboolean known = c->longest != NULL && af_case_sums(c) != NULL;
    for (uint32_t n = 1; known && n < c->tree->n; n++) {
        if (is_long(c, n) && !has_same_call(c, n)) {
            report(c, rule, n);
        }
    }
}

const af_rule af_rule_long_call = {
    .id = "long-call",
    .title = "One long call",
    .about = "a single call took at least 10 % of its thread and 5 times the median of its method",
    .weight = 130,
    .prepare = prepare,
    .find = find,
};
