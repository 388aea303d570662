#include "model/lineage.h"

#include <glib.h>

void af_lineage_free(af_lineage *lineage)
{
    if (lineage == NULL) {
        return;
    }
    for (uint32_t t = 0; t < lineage->n_threads && lineage->node != NULL; t++) {
        g_free(lineage->node[t]);
    }
    for (uint32_t t = 0; t < lineage->n_threads && lineage->time != NULL; t++) {
        g_free(lineage->time[t]);
    }
    g_free(lineage->node);
    g_free(lineage->time);
    g_free(lineage->thread);
    g_free(lineage->first);
    g_free(lineage->next);
    g_free(lineage);
}
