/* The reports of a run: one of each input for each output. */
#ifndef AF_CLI_REPORTS_H
#define AF_CLI_REPORTS_H

#include "cli/inputs.h"
#include "cli/outputs.h"

typedef struct {
    const GPtrArray *targets; /* borrowed */
    GPtrArray **reports;      /* of af_report, by target */
} af_reports;

void af_reports_init(af_reports *reports, const GPtrArray *targets);
void af_reports_clear(af_reports *reports);

/* Makes a report of `what` in a format. */
typedef af_report *(*af_report_maker)(const void *what, const char *format,
                                      const af_report_options *options, GError **error);

/* Adds a report of an input for each target. Text is made to fit the terminal it goes to; unless
 * `counted`, as many rows as are good to look at are shown. Says what is wrong. */
af_exit af_reports_add(const af_reports *reports, const af_input *input,
                       const af_report_options *options, gboolean counted, af_report_maker make,
                       const void *what);

/* Writes what there is, if there is anything. */
af_exit af_reports_write(const af_reports *reports, const GPtrArray *inputs);

/* Reads the value of --top. Says what is wrong. */
gboolean af_reports_read_top(const char *text, uint32_t *top);

#endif
