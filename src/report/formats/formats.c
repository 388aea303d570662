#include "report/format.h"

#define ADDRESS(name) &af_report_format_##name,
static const af_report_format *const formats[] = {AF_REPORT_FORMATS(ADDRESS)};

const af_report_format *af_report_format_at(unsigned number)
{
    return number < G_N_ELEMENTS(formats) ? formats[number] : NULL;
}

const af_report_format *af_report_format_lookup(const char *name)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(formats); i++) {
        if (strcmp(formats[i]->name, name) == 0) {
            return formats[i];
        }
    }
    return NULL;
}
