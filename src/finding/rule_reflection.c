#include "finding/rule.h"

#define LEAST_PERCENT 5

static const af_name names[] = {
    {"java.lang.reflect.*", "*"},
    {"java.lang.Class", "forName*"},
    {"java.lang.Class", "classForName"},
    {"java.lang.Class", "get*Method*"},
    {"java.lang.Class", "getDeclared*"},
    {"java.lang.Class", "getField*"},
    {"java.lang.Class", "getConstructor*"},
    {"java.lang.Class", "getMethod*"},
    {"java.lang.Class", "getPublic*"},
    {"java.lang.Class", "newInstance"},
    {"libcore.reflect.*", "*"},
    {"sun.reflect.*", "*"},
    {"kotlin.reflect.*", "*"},
    {NULL, NULL},
};

const af_rule af_rule_reflection = {
    .id = "reflection",
    .title = "Reflection",
    .about = "methods of reflection themselves take at least 5 % of the main thread",
    .weight = 135,
    .main_only = TRUE,
    .names = names,
    .wording = {"in reflection itself", LEAST_PERCENT, FALSE},
};
