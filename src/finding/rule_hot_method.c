#include "finding/groups.h"

#include <string.h>

#define LEAST_PERCENT 10

/* A thread that spends this share in one method, in percent, was made for it. Samples without CPU
 * times do not even tell whether it works or waits. */
#define ONLY_TASK 90

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
        g_autofree char *amount = af_case_amount(c, cpu);
        af_candidate_say(candidate, "; it ran for %s%s", amount,
                         candidate->calls > 1 ? " in all" : "");
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
    g_autofree char *name = af_case_name(c, sum->label);
    af_candidate_begin(candidate, "spent");
    if (n_calls == 1) {
        af_candidate_say(candidate, " in one call of %s itself", name);
    } else if (n_calls > 1) {
        g_autofree char *calls = af_case_calls(n_calls),
                        *mean = af_case_amount(c, sum->self / n_calls);
        af_candidate_say(candidate, " in %s itself, in %s of %s", name, calls, mean);
    } else {
        af_candidate_say(candidate, " in %s itself", name);
    }
    af_candidate_behalf(candidate);
    say_cpu(candidate, cpu);
}

/* Whether it is the loop or the only task of another thread. */
static gboolean is_loop(const af_case *c, const af_method_sum *sum)
{
    const gboolean is_first = c->counted && c->tree->depth[sum->self_node] == 1;
    const gboolean may_wait =
        !c->counted && af_profile_has_clocks(c->profile) && !af_tree_has(c->tree, AF_CPU);
    return !c->is_main && ((is_first && sum->calls == 1) ||
                           ((is_first || may_wait) && af_case_is_share(c, sum->self, ONLY_TASK)));
}

/* Functions that allocate for their callers. */
static const af_name allocators[] = {
    {"", "malloc"},         {"", "calloc"},        {"", "realloc"}, {"", "memalign"},
    {"", "posix_memalign"}, {"", "aligned_alloc"}, {"", "strdup"},  {"", "operator new*"},
    {"", "je_*"},           {"", "scudo_*"},       {NULL, NULL},
};

static void report_bytes(const af_case *c, const af_rule *rule, const af_group_sum *sum,
                         const uint32_t *owner)
{
    const char *event = c->profile->facts.weights.event;
    const gboolean is_graph = event != NULL && strstr(event, "objects") != NULL;
    af_candidate *candidate = af_candidate_add(c, rule, sum->node, sum->time, 0);
    for (uint32_t n = 1; n < c->tree->n; n++) {
        if (c->tree->label[owner[n]] == sum->label) {
            af_candidate_cover(candidate, n, FALSE, c->self[n]);
        }
    }
    g_autofree char *name = af_case_name(c, sum->label);
    af_candidate_begin(candidate, "has");
    af_candidate_say(candidate, is_graph ? " in objects of %s" : " allocated by %s", name);
    af_candidate_behalf(candidate);
}

/* A heap: what allocators allocate belongs to their callers. */
static void find_bytes(const af_case *c, const af_rule *rule)
{
    const guint8 *allocates = af_labels_named(c, allocators);
    uint32_t *owner = g_try_new0(uint32_t, c->tree->n);
    af_group_sums sums;
    af_group_sums_begin(&sums, c);
    for (uint32_t n = 1; allocates != NULL && owner != NULL && n < c->tree->n; n++) {
        const uint32_t parent = c->tree->parent[n];
        owner[n] = parent != 0 && allocates[c->tree->label[n]] != 0 ? owner[parent] : n;
        af_group_sums_add(&sums, owner[n], c->self[n]);
    }
    for (guint i = 0; i < sums.sums->len; i++) {
        const af_group_sum *sum = &g_array_index(sums.sums, af_group_sum, i);
        if (af_case_is_share(c, sum->time, LEAST_PERCENT)) {
            report_bytes(c, rule, sum, owner);
        }
    }
    af_group_sums_free(&sums);
    g_free(owner);
}

static void find(const af_case *c, const af_rule *rule)
{
    if (c->n_methods > 1 && g_strcmp0(c->profile->facts.weights.unit.name, "bytes") == 0) {
        find_bytes(c, rule);
        return;
    }
    for (uint32_t l = 0; c->n_methods > 1 && l < c->n_methods; l++) {
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
    .about = "the self time of one method is at least 10 % of its thread; of a heap, what one "
             "function allocated",
    .weight = 100,
    .find = find,
};
