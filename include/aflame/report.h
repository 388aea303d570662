/* Reports: tables of methods, threads, classes and more, as text, JSON, CSV and HTML.
 *
 * A report is made from one profile and does not depend on it afterwards. Several reports of the
 * same format can be written as one document. Several threads may report on the same profile at
 * once.
 *
 *     static const char *const tables[] = {"methods", "threads", NULL};
 *     af_report_options options = AF_REPORT_OPTIONS_INIT;
 *     options.tables = tables;
 *     af_report *report = af_report_new(profile, "text", &options, &error);
 *     const af_report *const reports[] = {report};
 *     if (report != NULL && !af_report_write(reports, 1, write, user, &error)) {
 *         fprintf(stderr, "%s\n", af_error_message(error));
 *     }
 *     af_report_free(report);
 */
#ifndef AFLAME_REPORT_H
#define AFLAME_REPORT_H

#include <string.h>
#include <aflame/calls.h>
#include <aflame/output.h>
#include <aflame/profile.h>

AF_BEGIN_DECLS

typedef struct af_report af_report;

/* What to report. Initialise with AF_REPORT_OPTIONS_INIT. */
typedef struct {
    size_t size;
    const char *input_name;     /* the name of the input to print; NULL = none */
    af_clock clock;             /* AF_CLOCK_DEFAULT: all clocks of the profile, and AF_WAIT */
    const char *const *threads; /* selectors as in af_picture_options; NULL = all */
    const char *const *tables;  /* "methods", "threads", ...; NULL ends the list; NULL = methods */
    const char *sort;           /* a column: "self", "inclusive-cpu", "calls", ...; NULL = self */
    uint32_t top;               /* rows of each table; 0 = all */
    const char *const *methods; /* patterns (reshape.h): adds tables of the callers and callees of
                                    these methods; `tables` = NULL then adds no other tables; NULL =
                                    none */
    unsigned min_percent_c;     /* trees: omits branches below this share, in hundredths of a
                                    percent */
    unsigned width;             /* page width of a text report, in columns; 0 = 100, but names are
                                    not shortened */
    bool dmtracedump_quirks;    /* "dmtracedump" and records: names byte for byte as in the file,
                                    and the source file after the signature where dmtracedump prints
                                    it */
    const void *picture; /* HTML: an interactive SVG (picture.h) for the top of the page; copied;
                            NULL = none */
    size_t picture_size;
    af_data data;           /* HTML: how much of the profile the page carries */
    bool raw_csv;           /* CSV: no apostrophe before texts that a spreadsheet would interpret as
                         formulas */
    uint64_t frame_time_ns; /* frames: the time for a frame, if the input does not tell it; 0 =
                               16.7 ms */
    const struct af_explanation *explanation; /* HTML: findings (explain.h) for the top of the page;
                                                 copied; NULL = none */
} af_report_options;

#define AF_REPORT_OPTIONS_INIT                                                                     \
    {                                                                                              \
        .size = sizeof(af_report_options), .clock = AF_CLOCK_DEFAULT, .min_percent_c = 50          \
    }

static inline void af_report_options_init(af_report_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
    options->clock = AF_CLOCK_DEFAULT;
    options->min_percent_c = 50;
}

/* The name ("text", "json", "csv", ...), title and file extension of format `index`; NULL past the
 * end. */
AF_API const char *af_report_format_name(unsigned index);
AF_API const char *af_report_format_title(unsigned index);
AF_API const char *af_report_format_extension(unsigned index);

/* Whether the format is made from the records, so that the profile must be opened with
 * `keep_input`. */
AF_API bool af_report_format_needs_input(unsigned index);

/* The name of table `index`: "methods", ...; NULL past the end. */
AF_API const char *af_report_table_name(unsigned index);

/* Makes a report in `format`. `options` may be NULL. Free the report with af_report_free(); you may
 * free the profile first. Returns NULL with AF_ERROR_USAGE (selection, clock, format, column) or
 * _MEMORY. */
AF_API af_report *af_report_new(const af_profile *profile, const char *format,
                                const af_report_options *options, GError **error);

/* `report` may be NULL. */
AF_API void af_report_free(af_report *report);

/* Makes a report of single calls: the methods, a histogram, and the first `top` calls in the order
 * of `sort`, a column of calls. Uses the options input_name, sort, top and width. Rejects formats
 * that need the input. Errors as af_report_new(). */
AF_API af_report *af_report_new_calls(const af_call_list *list, const char *format,
                                      const af_report_options *options, GError **error);

/* Makes a report of the frames of an app, a row for each, the most late first: how long and how late
 * it was, whose fault that was, and which calls filled it. Frames come from the frame timelines of
 * the input, otherwise from the calls of Choreographer.doFrame that take longer than the option
 * frame_time_ns. The profile must have been opened with `keep_input`, or be a part of such a
 * profile, and must not be reshaped. Uses the options input_name, frame_time_ns, sort, top and
 * width. Rejects formats that need the input. Errors as af_report_new(), AF_ERROR_NOTHING if there
 * are no frames, and errors of af_profile_walk_calls(). */
AF_API af_report *af_report_new_frames(const af_profile *profile, const char *format,
                                       const af_report_options *options, GError **error);

/* Makes a report of the start of an app, a row for each phase that was recorded: bindApplication with
 * its content providers and Application.onCreate, the first activity, the first frame. The profile
 * must have been opened with `keep_input`, or be a part of such a profile, and must not be reshaped.
 * Uses the options input_name, top and width. Rejects formats that need the input. Errors as
 * af_report_new(), AF_ERROR_NOTHING if no app starts in the trace, and errors of
 * af_profile_walk_calls(). */
AF_API af_report *af_report_new_startup(const af_profile *profile, const char *format,
                                        const af_report_options *options, GError **error);

/* Writes `n` reports of the same format to `write` as one document. Fails with AF_ERROR_USAGE (no
 * report, different formats), _OUTPUT or _MEMORY. */
AF_API bool af_report_write(const af_report *const *reports, unsigned n, af_write_func write,
                            void *user, GError **error);

/* Writes the records of a profile that was opened with `keep_input`, one line each, as `dmtracedump
 * -o` does: raw times of one clock (by default CPU if the file has both). Uses the options clock,
 * threads and dmtracedump_quirks. Memory follows the number of names. Fails with AF_ERROR_USAGE,
 * _MISSING (the file changed), _OUTPUT or _MEMORY. */
AF_API bool af_report_write_records(const af_profile *profile, const af_report_options *options,
                                    af_write_func write, void *user, GError **error);

AF_END_DECLS

#endif
