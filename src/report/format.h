/* A report format: one const struct in its own file, format_NAME.c, and one row of
 * AF_REPORT_FORMATS. The command line, its help, completion and suggestions come from the list.
 *
 * Most formats write report->tables in array order and treat every table alike: a
 * format must not depend on the meaning of a column. A format that shows something other than
 * tables computes it in `gather`, while the profile is open, stores it in report->own with
 * report->free_own, and ignores the tables. */
#pragma once

#include "base/out.h"
#include "report/report.h"

struct af_report_format {
    const char *name;      /* "json": word of --format */
    const char *extension; /* "json" */
    const char *title;     /* "JSON, for programs" */
    /* Computes from the profile whatever the tables lack; may be NULL. */
    gboolean (*gather)(af_report *report, const af_report_request *request, GError **error);
    /* Writes `n` reports of this format, at least one. FALSE only for errors other than those of
     * `out`. */
    gboolean (*write)(const af_report *const *reports, unsigned n, af_out *out, GError **error);
    gboolean carries;     /* the profile, in a block of its own */
    gboolean complete;    /* without --by it shows all tables except trees */
    gboolean overview;    /* for people: without --by and --thread it begins with main */
    gboolean alone;       /* ignores the tables, so none are made */
    gboolean needs_input; /* `gather` reads the input again */
    gboolean one_table;   /* single calls: only the list, because statistics would be rows of
                             another kind */
};

/* The formats, in the order of the help. */
/* clang-format off */
#define AF_REPORT_FORMATS(FORMAT) \
    FORMAT(text) \
    FORMAT(json) \
    FORMAT(csv) \
    FORMAT(html) \
    FORMAT(dmtracedump)
/* clang-format on */

#define AF_DECLARE_REPORT_FORMAT(name) extern const af_report_format af_report_format_##name;
AF_REPORT_FORMATS(AF_DECLARE_REPORT_FORMAT)

/* NULL past the end; NULL if no format has the name. */
const af_report_format *af_report_format_at(unsigned number);
const af_report_format *af_report_format_lookup(const char *name);
