/* A report about single calls: how long those of each method took, a histogram, and the calls. */
#ifndef AF_REPORT_CALLS_H
#define AF_REPORT_CALLS_H

#include "calls/call_store.h"
#include "report/report.h"

typedef struct {
    af_scope scope;            /* the profile as it is shown; its first clock is the book's */
    const af_call_store *book; /* closed */
    const char *pattern;       /* whose calls they are */
    const char *sort;          /* column of the calls; NULL = the longest first */
    uint32_t top;              /* rows; 0 = all */
} af_calls_request;

/* NULL with AF_ERROR_USAGE (a column that is not there) or _MEMORY. */
af_report *af_report_make_calls(const af_calls_request *request, const af_report_format *format,
                                GError **error);

/* ---- the tables; NULL if the machine refuses the memory ---- */

/* The clocks in the order in which they are shown. */
typedef struct {
    const af_calls_request *request;
    af_arena *arena; /* of the report, for texts */
    af_clock clocks[AF_MEASURES];
    unsigned n_clocks;
    gboolean sampled; /* some thread was sampled: the rows are slices between samples, and their
                         number is not a number of calls */
} af_calls_making;

/* The methods whose calls they are, a row for each. */
af_table *af_table_of_called(const af_calls_making *making);

/* The histogram. */
af_table *af_table_of_durations(const af_calls_making *making);

/* The calls that are kept. */
af_table *af_table_of_calls(const af_calls_making *making);

#endif
