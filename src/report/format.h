/* The formats of reports: one const struct in a file of its own, listed once in formats.c. The
 * command line, its help, completion and did-you-mean are made from the list.
 *
 * To add a format: write format_NAME.c with a struct af_report_format, declare it below, add it to
 * the list. Most formats write report->tables and nothing else, in the order of the array, whatever
 * they are: a format that knows what a column means is wrong. One that shows something else than
 * tables (other figures of the same profile) takes it in `gather`, while the profile is open, keeps
 * it in report->own with report->free_own, and ignores the tables. */
#ifndef AF_REPORT_FORMAT_H
#define AF_REPORT_FORMAT_H

#include "base/out.h"
#include "report/report.h"

struct af_report_format {
    const char *name;      /* "json": word of --format */
    const char *extension; /* "json" */
    const char *title;     /* "JSON, for programs" */
    /* NULL, or takes from the profile of the request what the tables do not hold. */
    gboolean (*gather)(af_report *report, const af_report_request *request, GError **error);
    /* Writes `n` reports, all of this format, at least one. FALSE only for reasons of its own. */
    gboolean (*write)(const af_report *const *reports, unsigned n, af_out *out, GError **error);
    gboolean complete; /* where nothing is asked for, everything is shown: all tables but trees */
    gboolean alone;    /* the tables are not looked at: none are made */
    gboolean needs_input; /* `gather` reads the input again */
    gboolean one_table; /* of calls only the list: what adds them up would be rows of other kinds */
};

extern const af_report_format af_report_format_text;
extern const af_report_format af_report_format_json;
extern const af_report_format af_report_format_csv;
extern const af_report_format af_report_format_html;
extern const af_report_format af_report_format_dmtracedump;

/* NULL past the end, NULL if no format has the name. */
const af_report_format *af_report_format_at(unsigned number);
const af_report_format *af_report_format_lookup(const char *name);

#endif
