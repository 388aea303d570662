#include "finding/groups.h"

#define LEAST_PERCENT 5

static const af_name names[] = {
    {"*", "onCreateViewHolder"},
    {"*", "onBindViewHolder"},
    {"", "RV OnBindView*"},
    {"", "RV CreateView*"},
    {NULL, NULL},
};

static const af_wording wording = {"spent", "creating or binding rows of lists", LEAST_PERCENT,
                                   TRUE};

static void find(const af_case *c, const af_rule *rule)
{
    af_names_find(c, rule, names, &wording);
}

const af_rule af_rule_binding = {
    .id = "binding",
    .title = "Binding rows of a list",
    .about = "creating and binding view holders takes at least 5 % of the main thread",
    .weight = 120,
    .main_only = TRUE,
    .find = find,
};
