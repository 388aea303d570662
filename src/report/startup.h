/* A report about the start of an app: one table, a row for each phase. */
#pragma once

#include "calls/startup.h"
#include "report/report.h"

/* `top`: rows; 0 = all. NULL with AF_ERROR_MEMORY. */
af_report *af_report_make_startup(af_scope *scope, const af_startup *startup, uint32_t top,
                                  const af_report_format *format, GError **error);
