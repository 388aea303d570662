#include "export/exporter.h"

static const af_exporter *const exporters[] = {
    &af_exporter_folded, &af_exporter_speedscope, &af_exporter_chrome, &af_exporter_perfetto,
    &af_exporter_pprof,  &af_exporter_firefox,    &af_exporter_gecko,  &af_exporter_callgrind,
    &af_exporter_spall,  &af_exporter_aflp,
};

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
