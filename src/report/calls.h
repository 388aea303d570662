/* A report about single calls: statistics for each method, a histogram, and the list of calls. */
#pragma once

#include "calls/call_store.h"
#include "report/report.h"

typedef struct {
    af_scope scope; /* the profile after all steps; its first clock is that of the call store */
    const af_call_store *store; /* closed */
    const char *pattern;        /* the pattern that selected the calls */
    const char *sort;           /* column of the list; NULL = longest first */
    uint32_t top;               /* rows; 0 = all */
} af_calls_request;

/* NULL with AF_ERROR_USAGE (unknown column) or _MEMORY. */
af_report *af_report_make_calls(const af_calls_request *request, const af_report_format *format,
                                GError **error);

/* ---- the tables; NULL if out of memory ---- */

/* The clocks in display order. */
typedef struct {
    const af_calls_request *request;
    af_arena *arena; /* of the report, for texts */
    af_clock clocks[AF_MEASURES];
    unsigned n_clocks;
    gboolean sampled; /* some thread was sampled: rows are slices between samples, not calls */
} af_calls_context;

/* A row for each method with selected calls. */
af_table *af_table_of_called(const af_calls_context *making);

/* The histogram. */
af_table *af_table_of_durations(const af_calls_context *making);

/* The longest of the selected calls. */
af_table *af_table_of_calls(const af_calls_context *making);
