/* What the reports of the library have in common. */
#pragma once

#include <aflame/report.h>
#include "report/report.h"

/* Copies `options` to `known`. Returns the format of a report that needs no input; NULL with
 * AF_ERROR_USAGE, which says that the format is unknown for `what`, or for invalid options. */
const af_report_format *af_report_take_options(const af_report_options *options, const char *format,
                                               const char *what, af_report_options *known,
                                               GError **error);

/* Sets what the options say about the page. Returns the report; NULL stays NULL. */
af_report *af_report_set_page(af_report *report, const af_report_options *options);
