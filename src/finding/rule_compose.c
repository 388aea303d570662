#include "finding/groups.h"

#define LEAST_PERCENT 10

static const af_name names[] = {
    {"androidx.compose.runtime.CompositionImpl", "recompose"},
    {"androidx.compose.runtime.CompositionImpl", "composeContent"},
    {"androidx.compose.runtime.CompositionImpl", "applyChanges*"},
    {"androidx.compose.runtime.ComposerImpl", "doCompose*"},
    {"androidx.compose.runtime.ComposerImpl", "recompose*"},
    {"androidx.compose.runtime.Recomposer", "performRecompose"},
    {"androidx.compose.ui.platform.AndroidComposeView", "onMeasure"},
    {"androidx.compose.ui.platform.AndroidComposeView", "onLayout"},
    {"androidx.compose.ui.platform.AndroidComposeView", "measureAndLayout*"},
    {"androidx.compose.ui.platform.AndroidComposeView", "dispatchDraw"},
    {"", "Recomposer:recompose*"},
    {"", "Compose:*"},
    {NULL, NULL},
};

static const af_wording wording = {"spent", "in Compose", LEAST_PERCENT, TRUE};

static void find(const af_case *c, const af_rule *rule)
{
    af_names_find(c, rule, names, &wording);
}

const af_rule af_rule_compose = {
    .id = "compose",
    .title = "Compose",
    .about = "Compose recomposes, measures or draws for at least 10 % of the main thread",
    .weight = 135,
    .main_only = TRUE,
    .find = find,
};
