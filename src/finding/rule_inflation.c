#include "finding/groups.h"

#define LEAST_PERCENT 5

/* The first one is a slice; a function of that name decompresses. */
static const af_name all_names[] = {
    {"", "inflate"},
    {"android.view.LayoutInflater", "inflate"},
    {"*LayoutInflater", "inflate"},
    {NULL, NULL},
};

static const af_name reflection[] = {
    {"java.lang.reflect.Constructor", "newInstance*"},
    {"java.lang.Class", "getConstructor"},
    {"java.lang.ClassLoader", "loadClass"},
    {NULL, NULL},
};

/* The most calls of inflate() inside each other. */
static unsigned find_depth(const af_case *c, const guint8 *labels)
{
    unsigned *depth = g_try_new0(unsigned, c->tree->n), deepest = 0;
    for (uint32_t n = 1; depth != NULL && n < c->tree->n; n++) {
        const uint32_t parent = c->tree->parent[n];
        /* overloads that call each other are one call */
        const gboolean inside = parent != 0 && labels[c->tree->label[parent]] != 0;
        depth[n] = depth[parent] + (labels[c->tree->label[n]] != 0 && !inside ? 1 : 0);
        deepest = MAX(deepest, depth[n]);
    }
    g_free(depth);
    return deepest;
}

static void find(const af_case *c, const af_rule *rule)
{
    static const af_wording wording = {"inflating layouts", LEAST_PERCENT, TRUE};
    const af_name *names = c->counted ? all_names : all_names + 1;
    const guint8 *labels = af_labels_named(c, names);
    const guint8 *is_reflection = af_labels_named(c, reflection);
    af_candidate *candidate = af_names_find(c, rule, names, &wording);
    if (candidate == NULL || labels == NULL || is_reflection == NULL) {
        return;
    }
    const unsigned depth = find_depth(c, labels);
    uint64_t reflected = 0;
    for (uint32_t n = af_next_outermost(c, labels, 1); n < c->tree->n;
         n = af_next_outermost(c, labels, c->end[n])) {
        for (uint32_t inner = n; inner < c->end[n]; inner++) {
            reflected += is_reflection[c->tree->label[inner]] != 0 ? c->self[inner] : 0;
        }
    }
    if (depth > 2) {
        af_candidate_say(candidate, ", nested %u deep", depth);
    }
    if (reflected * 4 >= candidate->time) {
        g_autofree char *amount = af_case_amount(c, reflected);
        af_candidate_say(candidate, ", %s of it in reflection", amount);
    }
}

const af_rule af_rule_inflation = {
    .id = "inflation",
    .title = "Inflating layouts",
    .about = "inflating layouts takes at least 5 % of the main thread",
    .weight = 140,
    .main_only = TRUE,
    .find = find,
};
