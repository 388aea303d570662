#include "report/format.h"

static const af_report_format *const formats[] = {
    &af_report_format_text, &af_report_format_json,        &af_report_format_csv,
    &af_report_format_html, &af_report_format_dmtracedump,
};

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
