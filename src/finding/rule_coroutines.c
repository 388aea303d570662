#include "finding/groups.h"

#define LEAST_PERCENT 5

static const af_name names[] = {
    {"kotlinx.coroutines.BuildersKt*", "runBlocking*"},
    {NULL, NULL},
};

static const af_wording wording = {"spent", "in runBlocking", LEAST_PERCENT, TRUE};

static void find(const af_case *c, const af_rule *rule)
{
    af_names_find(c, rule, names, &wording);
}

const af_rule af_rule_coroutines = {
    .id = "coroutines",
    .title = "runBlocking on the main thread",
    .about = "runBlocking takes at least 5 % of the main thread",
    .weight = 120,
    .main_only = TRUE,
    .find = find,
};
