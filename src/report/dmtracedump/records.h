/* The records of a trace, one line each, as `dmtracedump -o` prints them.
 *
 * The input is read twice: for the names, then for the records. Each line is printed when its
 * record arrives; only the depth of each thread stays in memory. */
#pragma once

#include "report/dmtracedump/dmtrace.h"

/* Uses only the scope of the request. FALSE with a read error or AF_ERROR_MEMORY; `out` holds its
 * own write errors. */
gboolean af_records_write(const af_report_request *request, af_out *out, GError **error);
