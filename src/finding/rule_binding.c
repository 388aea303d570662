#include "finding/rule.h"

#define LEAST_PERCENT 5

static const af_name names[] = {
    {"*", "onCreateViewHolder"},
    {"*", "onBindViewHolder"},
    {"", "RV OnBindView*"},
    {"", "RV CreateView*"},
    {NULL, NULL},
};

const af_rule af_rule_binding = {
    .id = "binding",
    .title = "Binding rows of a list",
    .about = "creating and binding view holders takes at least 5 % of the main thread",
    .weight = 120,
    .main_only = TRUE,
    .names = names,
    .wording = {"creating or binding rows of lists", LEAST_PERCENT, TRUE},
};
