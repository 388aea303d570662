/* Reports of a profile: tables of methods, threads, classes and more, as text, JSON, CSV and HTML.
 */
#ifndef AFLAME_REPORT_H
#define AFLAME_REPORT_H

#include <aflame/calls.h>
#include <aflame/profile.h>
#include <aflame/output.h>

G_BEGIN_DECLS

/* Tables about one profile. Stands alone: the profile may be freed before it. */
typedef struct af_report af_report;

/* What to report. Fill with AF_REPORT_OPTIONS_INIT. Strings are the caller's. */
typedef struct {
    size_t size;
    const char *input_name; /* how the input is called in it; NULL = not at all */
    af_clock clock;         /* AF_CLOCK_DEFAULT: every clock that the profile has, and AF_WAIT */
    const char *const *threads; /* as in af_picture_options; NULL = all */
    const char *const
        *tables;      /* which, ends with NULL: "methods", "threads", ...; NULL = methods */
    const char *sort; /* a column: "self", "inclusive-cpu", "calls", ...; NULL = self */
    uint32_t top;     /* rows of each table; 0 = all */
    const char *const *methods; /* patterns: callers and callees of these methods; NULL = none. If
                                   there are any, `tables` means none where it is NULL */
    unsigned min_percent_c;     /* trees: without branches of less, hundredths of a percent */
    unsigned width;             /* columns of a page of text; 0 = 100 */
    gboolean
        dmtracedump_quirks; /* "dmtracedump" and records: names byte for byte as they stand, and
                               the source file behind the signature, where that tool has it */
    gboolean spreadsheet; /* CSV: an apostrophe before each text that a spreadsheet would take for a
                             formula */
} af_report_options;

#define AF_REPORT_OPTIONS_INIT                                                                     \
    {                                                                                              \
        sizeof(af_report_options), NULL, AF_CLOCK_DEFAULT, NULL, NULL, NULL, 0, NULL, 50, 0,       \
            FALSE, FALSE                                                                           \
    }

/* The formats: "text", "json", "csv", ...; NULL past the end. */
AF_API const char *af_report_format_name(unsigned number);
AF_API const char *af_report_format_title(unsigned number);
AF_API const char *af_report_format_extension(unsigned number);

/* Whether the format is made from the records: the profile must have been opened with
 * `keep_input`. */
AF_API gboolean af_report_format_needs_input(unsigned number);

/* The tables there are: "methods", ...; NULL past the end. */
AF_API const char *af_report_table_name(unsigned number);

/* Makes a report to be written in `format`. `options` may be NULL. The caller frees it with
 * af_report_free(). NULL with AF_ERROR_USAGE (selection, clock, format, column) or _MEMORY. */
AF_API af_report *af_report_new(const af_profile *profile, const char *format,
                                const af_report_options *options, GError **error);
AF_API void af_report_free(af_report *report);

/* The same about single calls: the methods, a histogram, and the calls, of which `top` are shown;
 * `sort` is a column of theirs. Of the options count: input_name, sort, top, width. Formats that
 * need the input cannot show calls. Errors as af_report_new(). */
AF_API af_report *af_report_new_calls(const af_call_list *list, const char *format,
                                      const af_report_options *options, GError **error);

/* Hands `n` reports, all made for the same format, to `write` in pieces, as one text or document.
 * Fails with AF_ERROR_USAGE (no report, different formats), _OUTPUT or _MEMORY. */
AF_API gboolean af_report_write(const af_report *const *reports, unsigned n, af_write_func write,
                                void *user, GError **error);

/* Hands the records of a profile that was opened with `keep_input` to `write`, a line each, as
 * `dmtracedump -o` prints them: the raw time of one clock (CPU if there are both and none is asked
 * for). Of the options counts: clock, threads, dmtracedump_quirks. Memory follows the number of
 * names.
 * Fails with AF_ERROR_USAGE, _MISSING (the file has changed in the meantime), _OUTPUT or _MEMORY.
 */
AF_API gboolean af_report_write_records(const af_profile *profile, const af_report_options *options,
                                        af_write_func write, void *user, GError **error);

G_END_DECLS

#endif
