#include "finding/groups.h"

#include <string.h>

#define LEAST_PERCENT 10

/* Fewer calls of a function are no news. */
#define LEAST_CALLS 10

static const af_name recomposing[] = {
    {"androidx.compose.runtime.CompositionImpl", "recompose"},
    {"androidx.compose.runtime.CompositionImpl", "composeContent"},
    {"androidx.compose.runtime.CompositionImpl", "applyChanges*"},
    {"androidx.compose.runtime.ComposerImpl", "doCompose*"},
    {"androidx.compose.runtime.ComposerImpl", "recompose*"},
    {"androidx.compose.runtime.Recomposer", "performRecompose"},
    {"", "Recomposer:recompose*"},
    {"", "Compose:*"},
    {"", "compose:*"},
    {NULL, NULL},
};

static const af_name laying_out[] = {
    {"androidx.compose.ui.platform.AndroidComposeView", "onMeasure"},
    {"androidx.compose.ui.platform.AndroidComposeView", "onLayout"},
    {"androidx.compose.ui.platform.AndroidComposeView", "measureAndLayout*"},
    {"", "AndroidOwner:onMeasure"},
    {"", "AndroidOwner:onLayout"},
    {"", "AndroidOwner:measureAndLayout"},
    {NULL, NULL},
};

static const af_name drawing[] = {
    {"androidx.compose.ui.platform.AndroidComposeView", "dispatchDraw"},
    {"", "AndroidOwner:draw"},
    {NULL, NULL},
};

static const struct {
    const af_name *names;
    const char *title;
} phases[] = {
    {recomposing, "recomposing"}, {laying_out, "measuring and layout"}, {drawing, "drawing"}};

/* A function that Compose calls has a Composer among its parameters; slices name its source. */
static gboolean is_composable(const af_case *c, uint32_t label)
{
    const af_label *of = &c->profile->labels[label];
    const af_method *method =
        of->method < c->profile->n_methods ? &c->profile->methods[of->method] : NULL;
    const char *signature = method != NULL ? method->signature : NULL;
    return (signature != NULL && of->category == AF_CATEGORY_APP &&
            strstr(signature, "androidx/compose/runtime/Composer;") != NULL) ||
           (of->class_length == 0 && strstr(of->text, ".kt:") != NULL);
}

static void say_most_often(af_candidate *candidate)
{
    const af_case *c = candidate->in;
    g_autofree uint64_t *calls = g_try_new0(uint64_t, (gsize)c->profile->n_labels + 1);
    uint32_t most = 0;
    for (uint32_t n = 1; calls != NULL && c->counted && n < c->tree->n; n++) {
        const uint32_t label = c->tree->label[n];
        calls[label] += c->tree->calls[n];
        most = calls[label] > calls[most] && is_composable(c, label) ? label : most;
    }
    if (calls != NULL && calls[most] >= LEAST_CALLS && is_composable(c, most)) {
        g_autofree char *name = af_case_name(c, most), *number = af_case_calls(calls[most]);
        af_candidate_say(candidate, "; most often %s: %s", name, number);
    }
}

/* The phase of each label, + 1. NULL if memory is refused. */
static guint8 *find_phases(const af_case *c)
{
    guint8 *all = g_try_malloc0((gsize)c->profile->n_labels + 1);
    for (guint8 i = 0; all != NULL && i < G_N_ELEMENTS(phases); i++) {
        const guint8 *labels = af_labels_named(c, phases[i].names);
        for (uint32_t l = 0; labels != NULL && l < c->profile->n_labels; l++) {
            all[l] = labels[l] != 0 ? i + 1 : all[l];
        }
    }
    return all;
}

/* Recomposing may happen while Compose measures, and the other way round: the innermost phase has
 * the time. */
static void say_phases(af_candidate *candidate, const guint8 *all)
{
    const af_case *c = candidate->in;
    uint64_t sums[G_N_ELEMENTS(phases) + 1] = {0};
    g_autofree guint8 *of_node = g_try_malloc0(c->tree->n);
    for (uint32_t n = 1; of_node != NULL && n < c->tree->n; n++) {
        const guint8 own = all[c->tree->label[n]];
        of_node[n] = own != 0 ? own : of_node[c->tree->parent[n]];
        sums[of_node[n]] += c->self[n];
    }
    const char *separator = ": ";
    for (unsigned i = 0; i < G_N_ELEMENTS(phases); i++) {
        if (sums[i + 1] > 0) {
            g_autofree char *amount = af_case_amount(c, sums[i + 1]);
            af_candidate_say(candidate, "%s%s %s", separator, amount, phases[i].title);
            separator = ", ";
        }
    }
}

static void report(const af_case *c, const af_rule *rule, const guint8 *all)
{
    af_group_sums sums;
    af_group_sums_begin_labels(&sums, c, all, TRUE);
    const af_group_sum *largest = af_group_sums_largest(&sums);
    if (largest != NULL && af_case_is_share(c, sums.total, LEAST_PERCENT)) {
        af_candidate *candidate = af_candidate_add(c, rule, largest->node, sums.total, 0);
        af_group_sums_cover(candidate, all);
        af_candidate_begin(candidate, "spent");
        af_candidate_say(candidate, " in Compose");
        say_phases(candidate, all);
        say_most_often(candidate);
    }
    af_group_sums_free(&sums);
}

static void find(const af_case *c, const af_rule *rule)
{
    g_autofree guint8 *all = find_phases(c);
    if (all != NULL) {
        report(c, rule, all);
    }
}

const af_rule af_rule_compose = {
    .id = "compose",
    .title = "Compose",
    .about = "Compose recomposes, measures or draws for at least 10 % of the main thread",
    .weight = 135,
    .main_only = TRUE,
    .find = find,
};
