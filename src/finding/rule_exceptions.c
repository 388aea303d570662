#include "finding/groups.h"

#include "base/number.h"

#define LEAST_THROWN 100

/* The calls of each label (c->local) that an exception ended first: its callees returned. NULL if
 * memory is refused. */
static uint64_t *count_thrown(const af_case *c)
{
    uint64_t *left = g_try_new0(uint64_t, c->tree->n);
    uint64_t *thrown = g_try_new0(uint64_t, (gsize)c->n_methods + 1);
    for (uint32_t n = c->tree->n; left != NULL && thrown != NULL && n-- > 1;) {
        const uint64_t unwinds = c->tree->unwinds[n];
        if (unwinds > 0) {
            thrown[c->local[n]] += unwinds > left[n] ? unwinds - left[n] : 0;
            left[c->tree->parent[n]] += unwinds;
        }
    }
    if (left == NULL) {
        g_clear_pointer(&thrown, g_free);
    }
    g_free(left);
    return thrown;
}

/* The label that threw most; AF_NO_LABEL = none threw enough. */
static uint32_t find_worst(const af_case *c, uint64_t *n)
{
    uint64_t *thrown = count_thrown(c);
    uint32_t worst = AF_NO_LABEL;
    *n = LEAST_THROWN - 1;
    for (uint32_t l = 0; thrown != NULL && l < c->n_methods; l++) {
        if (thrown[l] > *n) {
            *n = thrown[l];
            worst = c->methods[l].label;
        }
    }
    g_free(thrown);
    return worst;
}

static void prepare(const af_case *c, af_call_sums *sums)
{
    uint64_t n;
    const uint32_t label = find_worst(c, &n);
    if (label != AF_NO_LABEL) {
        af_call_sums_request(sums, label);
    }
}

static void find(const af_case *c, const af_rule *rule)
{
    uint64_t thrown;
    const uint32_t label = find_worst(c, &thrown);
    const af_call_sums *sums = af_case_sums(c);
    const af_call_here *here =
        sums != NULL && label != AF_NO_LABEL ? af_call_sums_here(sums, c->thread, label) : NULL;
    if (label == AF_NO_LABEL) {
        return;
    }
    uint32_t node = AF_NO_NODE;
    for (uint32_t n = 1; n < c->tree->n; n++) {
        const gboolean ends = c->tree->label[n] == label && c->tree->unwinds[n] > 0;
        node =
            ends && (node == AF_NO_NODE || c->tree->unwinds[n] > c->tree->unwinds[node]) ? n : node;
    }
    char number[AF_NUMBER_SIZE];
    g_autofree char *name = af_case_name(c, label);
    af_candidate *candidate =
        af_candidate_add(c, rule, node, here != NULL ? here->unwound : 0, thrown);
    af_candidate_say(candidate, "%s threw %s exceptions in %s", c->name,
                     af_number_count(number, thrown), name);
    af_candidate_behalf(candidate);
    if (here != NULL && here->unwound > 0) {
        g_autofree char *amount = af_case_amount(c, here->unwound);
        af_candidate_say(candidate, "; the calls that they ended took %s", amount);
    }
}

const af_rule af_rule_exceptions = {
    .id = "exceptions",
    .title = "Exceptions",
    .about = "one method threw at least 100 exceptions",
    .kind = AF_RULE_OVERVIEW,
    .weight = 100,
    .prepare = prepare,
    .find = find,
};
