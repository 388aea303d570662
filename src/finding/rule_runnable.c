#include "finding/rule.h"

#define LEAST_PERCENT 5

static void find(const af_case *c, const af_rule *rule)
{
    const uint64_t *sums = af_tree_runnable(c->tree);
    if (sums == NULL || !af_case_is_share(c, sums[0], LEAST_PERCENT)) {
        return;
    }
    uint32_t worst = AF_NO_NODE;
    for (uint32_t n = 1; n < c->tree->n; n++) {
        const uint64_t own = af_tree_self_runnable_ns(c->tree, n);
        worst = own > 0 && (worst == AF_NO_NODE || own > af_tree_self_runnable_ns(c->tree, worst))
                    ? n
                    : worst;
    }
    af_candidate *candidate = af_candidate_add(c, rule, worst, sums[0], 0);
    af_candidate_begin(candidate, "was ready but had no processor for");
    if (worst != AF_NO_NODE) {
        g_autofree char *name = af_case_name(c, c->tree->label[worst]);
        af_candidate_say(candidate, ", most often in %s", name);
    }
    const af_thread *thread = &c->profile->threads[c->thread];
    const gboolean whole = !c->profile->facts.part.has_range; /* rivals are those of all of it */
    if (whole && thread->rival_ns > 0 && thread->rival < c->profile->n_wakers) {
        af_candidate_say(candidate, "; %s ran longest in its place",
                         c->profile->wakers[thread->rival]);
    }
}

const af_rule af_rule_runnable = {
    .id = "runnable",
    .title = "Ready without a processor",
    .about = "the main thread was ready but had no processor for at least 5 % of its time",
    .kind = AF_RULE_OVERVIEW,
    .weight = 100,
    .main_only = TRUE,
    .needs_main = TRUE,
    .find = find,
};
