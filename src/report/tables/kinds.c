#include "report/report.h"

#include <string.h>

static const af_table_kind *const kinds[] = {
    &af_table_kind_methods,  &af_table_kind_threads,    &af_table_kind_classes,
    &af_table_kind_packages, &af_table_kind_categories, &af_table_kind_sources,
    &af_table_kind_waits,    &af_table_kind_tree_down,  &af_table_kind_tree_up,
};

const af_table_kind *af_table_kind_at(unsigned number)
{
    return number < G_N_ELEMENTS(kinds) ? kinds[number] : NULL;
}

const af_table_kind *af_table_kind_lookup(const char *name)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (strcmp(kinds[i]->name, name) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}
