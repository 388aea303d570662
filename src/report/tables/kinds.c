#include "report/report.h"

#include <string.h>

#define ADDRESS(name) &af_table_kind_##name,
static const af_table_kind *const kinds[] = {AF_TABLE_KINDS(ADDRESS)};

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
