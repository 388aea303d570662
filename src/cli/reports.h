/* The reports of a run: one for each input and output. */
#pragma once

#include "cli/inputs.h"
#include "cli/outputs.h"

typedef struct {
    const af_options *options; /* borrowed */
    const GPtrArray *targets;  /* borrowed */
    GPtrArray **reports;       /* of af_report, by target */
} af_reports;

void af_reports_init(af_reports *reports, const af_options *options, const GPtrArray *targets);
void af_reports_clear(af_reports *reports);

/* The width of text on standard output: --width, or on a terminal COLUMNS or its own; 0 = none. */
unsigned af_reports_width(const af_options *options);

/* Sets width and rows for a target: text has the width of --width or of the terminal it goes to, and
 * without --top the rows of its screen. */
void af_reports_fit_page(const af_options *options, af_report_options *page,
                         const af_target *target);

/* Makes a report of `what` in a format. */
typedef af_report *(*af_report_maker)(const void *what, const char *format,
                                      const af_report_options *options, GError **error);

/* Adds a report of an input for each target, under the name `shown`. Text has the width of its
 * terminal; without --top it has as many rows as a reader can use. Prints errors. */
af_exit af_reports_add(const af_reports *reports, const af_input *input, af_report_maker make,
                       const void *what, const char *shown);

/* Writes the reports, if any. */
af_exit af_reports_write(const af_reports *reports, const GPtrArray *inputs);

/* The requested tables, trees last. Ends with NULL. */
GPtrArray *af_reports_list_tables(const af_options *o);
