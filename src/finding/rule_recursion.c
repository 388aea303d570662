#include "base/number.h"
#include "finding/rule.h"
#include "model/path.h"

#define LEAST_DEPTH  200
#define LEAST_NESTED 20

/* Ignores recursion that takes less, however deep it is: in ns, or in percent of other amounts. */
#define LEAST_NS      100000
#define LEAST_PERCENT 1

typedef struct {
    uint32_t worst, most; /* the node with the most calls of its label on its path, and how many */
    uint32_t deepest;     /* the node with the longest path */
} extremes;

static extremes find_extremes(const af_case *c, af_path *path)
{
    const af_tree *tree = c->tree;
    extremes found = {0};
    for (uint32_t n = 1; n < tree->n; n++) {
        const uint32_t nested = af_path_enter(path, tree->depth[n], c->local[n]) + 1;
        if (nested > found.most) {
            found.most = nested;
            found.worst = n;
        }
        found.deepest = tree->depth[n] > tree->depth[found.deepest] ? n : found.deepest;
    }
    return found;
}

/* The outermost call of the node's method on its path, and the inclusive time of all such nodes. */
static uint32_t find_outermost(const af_case *c, uint32_t node)
{
    uint32_t outermost = node;
    for (uint32_t n = node; n != 0; n = c->tree->parent[n]) {
        outermost = c->tree->label[n] == c->tree->label[node] ? n : outermost;
    }
    return outermost;
}

static void report(const af_case *c, const af_rule *rule, const extremes *s)
{
    const uint32_t depth = c->tree->depth[s->deepest];
    const gboolean nests = s->most >= LEAST_NESTED;
    const uint32_t node = nests ? find_outermost(c, s->worst) : s->deepest;
    const gboolean matters = af_profile_has_clocks(c->profile)
                                 ? c->time[node] >= LEAST_NS
                                 : af_case_is_share(c, c->time[node], LEAST_PERCENT);
    if (nests && depth <= LEAST_DEPTH && !matters) {
        return;
    }
    af_candidate *candidate =
        af_candidate_add(c, rule, node, c->time[node], c->counted ? c->tree->calls[node] : 0);
    g_autofree char *name = af_case_name(c, c->tree->label[node]),
                    *time = af_case_amount(c, c->time[node]);
    char number[AF_NUMBER_SIZE];
    if (nests) {
        af_candidate_say(candidate, "%s calls %s inside itself, %s calls deep, which took %s",
                         c->name, name, af_number_count(number, s->most), time);
    } else {
        af_candidate_say(candidate, "%s has stacks of %s frames, the deepest in %s", c->name,
                         af_number_count(number, depth), name);
    }
    af_candidate_behalf(candidate);
}

static void find(const af_case *c, const af_rule *rule)
{
    uint32_t depth = 0, inner = 0;
    for (uint32_t n = 0; n < c->tree->n; n++) {
        depth = MAX(depth, c->tree->depth[n]);
    }
    for (uint32_t l = 0; l < c->n_methods; l++) {
        inner = MAX(inner, c->methods[l].inner);
    }
    if (inner < LEAST_NESTED - 1 && depth <= LEAST_DEPTH) {
        return;
    }
    af_path path;
    if (af_path_begin(&path, c->n_methods, depth) && depth > 0) {
        const extremes found = find_extremes(c, &path);
        if (found.most >= LEAST_NESTED || depth > LEAST_DEPTH) {
            report(c, rule, &found);
        }
    }
    af_path_end(&path);
}

const af_rule af_rule_recursion = {
    .id = "recursion",
    .title = "Deep recursion",
    .about = "20 nested calls of one method, or stacks of more than 200 frames",
    .kind = AF_RULE_OVERVIEW,
    .weight = 100,
    .find = find,
};
