/* The records of a trace, a line each, as `dmtracedump -o` prints them.
 *
 * The input is read twice: once for the names, once for the records. Lines go out as records come
 * in: kept is how deep each thread is and nothing else. */
#ifndef AF_REPORT_DMTRACEDUMP_RECORDS_H
#define AF_REPORT_DMTRACEDUMP_RECORDS_H

#include "report/dmtracedump/dmtrace.h"

/* Of the request counts the scope. FALSE with an error of the reading or AF_ERROR_MEMORY; what
 * goes wrong with `out` is known to `out`. */
gboolean af_records_write(const af_report_request *request, af_out *out, GError **error);

#endif
