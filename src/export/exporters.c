#include "export/exporter.h"

#define ADDRESS(name) &af_exporter_##name,
static const af_exporter *const exporters[] = {AF_EXPORTERS(ADDRESS)};

const af_exporter *af_exporter_at(unsigned number)
{
    return number < G_N_ELEMENTS(exporters) ? exporters[number] : NULL;
}

const af_exporter *af_exporter_lookup(const char *name)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(exporters); i++) {
        if (strcmp(exporters[i]->name, name) == 0) {
            return exporters[i];
        }
    }
    return NULL;
}
