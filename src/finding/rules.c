#include "finding/rule.h"

static const af_rule *const rules[] = {
#define RULE(name) &af_rule_##name,
    AF_RULES(RULE)
#undef RULE
};

const af_rule *af_rule_at(unsigned number)
{
    return number < G_N_ELEMENTS(rules) ? rules[number] : NULL;
}
