/* Comparing: what became slower, by how much, and whether it is more than noise.
 *
 * Each side is an af_runs, which adds up one or several runs. A comparison is made from two of them
 * and does not depend on them afterwards. Use each from one thread at a time.
 *
 *     af_runs *before = af_runs_new(AF_RUNS_TO_TEST), *after = af_runs_new(AF_RUNS_TO_TEST);
 *     af_diff *diff = NULL;
 *     if (af_runs_add(before, profile, "old.trace", NULL, &error) &&
 *         af_runs_add(after, profile, "new.trace", NULL, &error)) {
 *         diff = af_diff_new(before, after, NULL, &error);
 *     }
 *     if (diff == NULL || !af_diff_write(diff, "text", NULL, write, user, &error)) {
 *         fprintf(stderr, "%s\n", af_error_message(error));
 *     }
 *     af_diff_free(diff);
 *     af_runs_free(before);
 *     af_runs_free(after);
 */
#ifndef AFLAME_DIFF_H
#define AFLAME_DIFF_H

#include <string.h>
#include <aflame/output.h>
#include <aflame/picture.h>
#include <aflame/profile.h>

AF_BEGIN_DECLS

/* ---- runs ---- */

typedef struct af_runs af_runs;

/* The purpose of adding up runs. */
typedef enum {
    AF_RUNS_TO_MERGE,   /* af_runs_merge(); a comparison tests methods for noise, but no paths */
    AF_RUNS_TO_COMPARE, /* the same without af_runs_merge(), in less memory */
    AF_RUNS_TO_TEST,    /* a comparison that tests paths, too; memory grows with each run */
} af_runs_use;

/* Returns an empty af_runs. Free it with af_runs_free(). */
AF_API af_runs *af_runs_new(af_runs_use use);

/* `runs` may be NULL. */
AF_API void af_runs_free(af_runs *runs);

/* Adds a profile: one run, or all runs of a merged profile. `input_name` may be NULL. `threads` are
 * selectors as in af_picture_options (NULL = all); a profile may lack the threads that they select.
 * You may free the profile afterwards. Fails with AF_ERROR_USAGE if the profile differs from the
 * first one in unit or kind or has no clock in common with it, with AF_ERROR_DAMAGED if the times of
 * all profiles add up to more than 292 years, or with AF_ERROR_MEMORY. */
AF_API bool af_runs_add(af_runs *runs, const af_profile *profile, const char *input_name,
                        const char *const *threads, GError **error);

/* The same, but takes ownership of the profile, even if it fails. A comparison of single runs then
 * copies nothing. */
AF_API bool af_runs_take(af_runs *runs, af_profile *profile, const char *input_name,
                         const char *const *threads, GError **error);

/* Merges all runs into one profile, which also stores their number and, for at most 64 of them, the
 * sums of each method. The result depends neither on the order in which the runs were added nor on
 * earlier merges. Requires AF_RUNS_TO_MERGE. Free the profile with af_profile_free(). Fails
 * with AF_ERROR_USAGE if no run was added or `runs` was not created for merging, and with
 * AF_ERROR_MEMORY. */
AF_API af_profile *af_runs_merge(af_runs *runs, GError **error);

/* The number of runs added. */
AF_API uint32_t af_runs_n(const af_runs *runs);

/* ---- comparisons ---- */

typedef struct af_diff af_diff;

typedef enum { AF_BEFORE, AF_AFTER, AF_SIDES } af_side;

typedef enum {
    AF_DIFF_SAME,    /* equal numbers */
    AF_DIFF_NOISE,   /* a difference that may be due to chance, or below the least difference */
    AF_DIFF_UNSURE,  /* a difference that may be due to chance: the runs are too few to tell */
    AF_DIFF_CHANGED, /* beyond noise */
    AF_DIFF_MOVED,   /* about the same time, on another path */
    AF_DIFF_NEW,     /* changed, and occurs only in after */
    AF_DIFF_GONE,    /* changed, and occurs only in before */
    AF_DIFF_STATUSES,
} af_diff_status;

/* How to compare. Initialise with AF_DIFF_OPTIONS_INIT. */
typedef struct {
    size_t size;
    af_clock clock;         /* AF_CLOCK_DEFAULT: wall time if both sides have it */
    bool exact_names;       /* pair only equal names, without masking numbers */
    bool normalize;         /* scale both sides to one total */
    uint64_t min_delta_ns;  /* the least difference; 0 = min_delta_ppm */
    unsigned min_delta_ppm; /* the same in millionths of the larger side; 0 = any difference */
    unsigned jobs;          /* threads to use; 0 = one for each processor */
} af_diff_options;

#define AF_DIFF_OPTIONS_INIT                                                                       \
    {                                                                                              \
        .size = sizeof(af_diff_options), .clock = AF_CLOCK_DEFAULT, .min_delta_ppm = 5000          \
    }

static inline void af_diff_options_init(af_diff_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
    options->clock = AF_CLOCK_DEFAULT;
    options->min_delta_ppm = 5000;
}

/* Compares two sides. `options` may be NULL. Free the result with af_diff_free(); you may free the
 * sides first. Returns NULL with AF_ERROR_USAGE if the sides differ in unit or kind or have no
 * clock or thread in common, or _MEMORY. */
AF_API af_diff *af_diff_new(const af_runs *before, const af_runs *after,
                            const af_diff_options *options, GError **error);

/* Compares the good frames of a recording, as before, with its late ones, as after: the calls on
 * the main thread and RenderThread within each, as times of a mean frame. Frames and
 * `frame_time_ns` as in report.h; `threads` are selectors as in af_picture_options, NULL = both;
 * `options` may be NULL. The profile must have been opened with `keep_input` and must not be
 * reshaped. Free the result with af_diff_free(). Returns NULL with AF_ERROR_NOTHING (no late
 * frames, or no good ones) and the errors of af_report_new_frames() and af_diff_new(). */
AF_API af_diff *af_diff_new_frames(const af_profile *profile, uint64_t frame_time_ns,
                                   const char *const *threads, const af_diff_options *options,
                                   GError **error);

/* `diff` may be NULL. */
AF_API void af_diff_free(af_diff *diff);

/* Makes the pictures and HTML pages of the comparison carry both sides as saved profiles, so that
 * these files open like recordings (af_open_options.side). `before` and `after` must be those of
 * the comparison and must live until everything is written. With AF_RUNS_TO_COMPARE a side must be
 * a single run that was added with af_runs_take(). Fails with AF_ERROR_USAGE if a side cannot be
 * carried. */
AF_API bool af_diff_carry(af_diff *diff, af_runs *before, af_runs *after, GError **error);

/* Makes sheets of the comparison show both sides along time. The profiles are those of its
 * sides, opened with `keep_input` and not reshaped, and must live until everything is drawn.
 * Without single calls a sheet shows sums. */
AF_API void af_diff_show_timelines(af_diff *diff, const af_profile *before,
                                   const af_profile *after);

/* The clock that was compared, and the total time of a side in it: the mean of its runs. */
AF_API af_clock af_diff_clock(const af_diff *diff);
AF_API uint64_t af_diff_total_ns(const af_diff *diff, af_side side);

/* A method. Times are in the clock of the comparison; with several runs they are medians.
 * Initialise with AF_DIFF_METHOD_VIEW_INIT. */
typedef struct {
    size_t size;
    const char *name; /* with # for the numbers if it stands for several names; lives as long as the
                         comparison */
    af_diff_status status;
    uint64_t self_ns[AF_SIDES], inclusive_ns[AF_SIDES], calls[AF_SIDES];
    bool has_split;                    /* the input has call counts */
    int64_t by_calls_ns, by_mean_ns;   /* add up to the difference of inclusive times */
    double p;                          /* below 0 = not tested */
    bool has_shift;                    /* there are several runs */
    int64_t shift_ns, low_ns, high_ns; /* Hodges-Lehmann shift and its 95 % interval */
    bool is_fact;                      /* the change is in the calls, and needs no test */
} af_diff_method_view;

#define AF_DIFF_METHOD_VIEW_INIT                                                                   \
    {                                                                                              \
        .size = sizeof(af_diff_method_view)                                                        \
    }

static inline void af_diff_method_view_init(af_diff_method_view *view)
{
    memset(view, 0, sizeof *view);
    view->size = sizeof *view;
}

/* The methods, sorted by the size of the difference of inclusive times. false past the end. */
AF_API uint32_t af_diff_n_methods(const af_diff *diff);
AF_API bool af_diff_method_at(const af_diff *diff, uint32_t index, af_diff_method_view *view);

/* ---- tables ---- */

/* What to write. Initialise with AF_DIFF_TABLES_INIT. */
typedef struct {
    size_t size;
    const char *const *tables;  /* "methods", "threads", ...; NULL ends the list; NULL = methods */
    const char *const *methods; /* patterns (reshape.h): adds tables of the callers and callees of
                                   these methods; `tables` = NULL then adds no other tables; NULL =
                                   none */
    bool paths;                 /* JSON, CSV: all paths */
    uint32_t top;               /* rows of each table; 0 = all */
    unsigned min_percent_c;     /* trees: omits branches that changed less, in hundredths of a
                                   percent of the larger side */
    unsigned width;             /* columns of a page of text; 0 = 100, but names are not
                                   shortened */
    bool raw_csv;               /* as in af_report_options */
    af_data data;               /* HTML: how much of both sides the page carries; needs
                                   af_diff_carry() */
    const void *picture;        /* HTML: an interactive SVG for the top of the page; NULL = none */
    size_t picture_size;
} af_diff_tables;

#define AF_DIFF_TABLES_INIT                                                                        \
    {                                                                                              \
        .size = sizeof(af_diff_tables), .min_percent_c = 50                                        \
    }

static inline void af_diff_tables_init(af_diff_tables *tables)
{
    memset(tables, 0, sizeof *tables);
    tables->size = sizeof *tables;
    tables->min_percent_c = 50;
}

/* The name ("text", "json", ...), title and file extension of format `index`; NULL past the end. */
AF_API const char *af_diff_format_name(unsigned index);
AF_API const char *af_diff_format_title(unsigned index);
AF_API const char *af_diff_format_extension(unsigned index);

/* The name of table `index`; NULL past the end. */
AF_API const char *af_diff_table_name(unsigned index);

/* Writes the comparison in `format`. `tables` may be NULL. Fails with AF_ERROR_USAGE (format,
 * table, pattern), _NOTHING (a pattern matches no method), _OUTPUT or _MEMORY. */
AF_API bool af_diff_write(const af_diff *diff, const char *format, const af_diff_tables *tables,
                          af_write_func write, void *user, GError **error);

/* ---- pictures ---- */

/* Draws the comparison as one graph of the union of both sides and passes the file to `write`.
 * `format` is one of af_picture_format(), or "alt" as in af_picture_write(). `options` may be
 * NULL; only those for the size, theme, title, shape of the graph and data apply. AF_VIEW_SHEET
 * draws a page for a bug report instead. If `threads` is not NULL, all compared threads are
 * drawn. `messages` as in af_picture_write(). Fails with AF_ERROR_USAGE, _OUTPUT or _MEMORY. */
AF_API bool af_diff_draw(const af_diff *diff, const char *format, const af_picture_options *options,
                         af_write_func write, void *user, char ***messages, GError **error);

/* Draws the charts of two profiles below each other on one axis, before first; in a PDF each has
 * its own pages. Time 0 of each profile is its first call of a method that matches the pattern
 * `align` (reshape.h), or the start of the recording if `align` is NULL. The requirements of
 * AF_VIEW_CHART apply, and either both profiles hold calls or both hold samples. `names` are the
 * names of the inputs. `options` as for a chart; `threads` = NULL selects main and the threads with
 * at least 1 % of the time, at most 8. Instants and counters are not drawn. Fails with
 * AF_ERROR_USAGE, _NOTHING (no such call), _OUTPUT, _MEMORY, and the errors of
 * af_profile_walk_calls(). */
AF_API bool af_diff_draw_charts(const af_profile *const profiles[AF_SIDES],
                                const char *const names[AF_SIDES], const char *align,
                                const char *format, const af_picture_options *options,
                                af_write_func write, void *user, char ***messages, GError **error);

AF_END_DECLS

#endif
