/* Pictures of a profile: interactive SVG, SVG outlines, PNG, PDF. */
#ifndef AFLAME_PICTURE_H
#define AFLAME_PICTURE_H

#include <aflame/profile.h>
#include <aflame/output.h>

G_BEGIN_DECLS

typedef enum {
    AF_THEME_AUTO = 0, /* SVG follows the reader's setting; PNG and PDF are light */
    AF_THEME_LIGHT,
    AF_THEME_DARK,
} af_theme;

/* How much of the call trees, and of a chart's calls, an interactive SVG carries beside the
 * drawing, to zoom into. */
typedef enum {
    AF_DATA_AUTO = 0, /* all, or what fits into 0.9 MB */
    AF_DATA_FULL,
    AF_DATA_NONE,
} af_data;

typedef enum {
    AF_VIEW_GRAPH = 0, /* a flame graph: calls merged along their paths */
    AF_VIEW_CHART,     /* single calls or samples in order of time, a lane for each thread; beside
                          them instants and counters */
} af_view;

/* What to draw. Fill with AF_PICTURE_OPTIONS_INIT. Strings are the caller's. */
typedef struct {
    size_t size;
    af_clock clock;
    const char *const *threads; /* selectors, ends with NULL: "main", an id, a name, "/regex/" or
                                   "all"; NULL = those that matter (main, then 1 % of
                                   the time, at most 8) */
    const char *title;          /* NULL = `input_name` */
    const char *input_name;     /* shown as provenance, e.g. "app.trace" */
    int width_px;      /* 0 = 1200; an interactive SVG then becomes as wide as its window */
    int scale_percent; /* PNG pixels for each unit, 100 = 1; 0 = 200 */
    af_theme theme;
    gboolean inverted;        /* icicle: the root on top */
    gboolean full_depth;      /* draw also the rows in which nothing has room for a label */
    int min_width_c;          /* frames narrower than this many hundredths of a pixel are
                                 grouped into one pale block; 0 = 100 */
    gboolean outlines;        /* SVG: letters as outlines, drawn by cairo, no script */
    gboolean system_fonts;    /* use the machine's fonts too; gives up equal bytes everywhere */
    int64_t epoch_s;          /* date to write into a PDF if the trace has none; -1 = none */
    gboolean no_script;       /* SVG: the drawing alone */
    af_data packed;           /* SVG with a script: what it can draw */
    unsigned jobs;            /* threads to work with; 0 = one for each processor */
    af_view view;             /* a chart needs a profile that was opened with `keep_input` and not
                                 reshaped, and of samples their times; its clock is AF_WALL or AF_CPU,
                                 of samples what they weigh, along wall time; the threads stand in
                                 the order main, then by activity, 24 of them unless `threads`
                                 chooses; min_width_c 0 = 50. Its calls are read once more; in
                                 memory are those that can be drawn, with AF_DATA_AUTO some 16 MB
                                 more, with AF_DATA_FULL all */
    const char *const *marks; /* of a chart: the calls of methods that match any of these patterns
                                 get brackets; ends with NULL; NULL = none */
} af_picture_options;

#define AF_PICTURE_OPTIONS_INIT                                                                    \
    {                                                                                              \
        sizeof(af_picture_options), AF_CLOCK_DEFAULT, NULL, NULL, NULL, 0, 0, AF_THEME_AUTO,       \
            FALSE, FALSE, 0, FALSE, FALSE, -1, FALSE, AF_DATA_AUTO, 0, AF_VIEW_GRAPH, NULL         \
    }

/* The formats, from the table of canvases: name and extension are the same word ("svg", "png",
 * "pdf"). NULL past the end. */
AF_API const char *af_picture_format(unsigned number);
AF_API const char *af_picture_format_title(unsigned number);

/* Whether the format is no text: bytes that a terminal must not get. */
AF_API gboolean af_picture_format_is_binary(unsigned number);

/* What a content policy calls the script of interactive SVGs by: "sha256-...". It is the same for
 * every file that this version of the library writes. The caller frees it with g_free(). */
AF_API char *af_picture_script_hash(void);

/* Draws `profile` and hands the file to `write` in pieces. `options` may be NULL. `notes`, which
 * may be NULL, receives one line for each thing that could not be drawn as asked (a smaller
 * scale, a cut); the caller frees the array with g_ptr_array_unref().
 * Fails with AF_ERROR_USAGE (selection, clock, format, what a chart needs), _OUTPUT or _MEMORY; of
 * a chart also with AF_ERROR_NOTHING (a mark that matches no method) and as af_calls_walk(). */
AF_API gboolean af_picture_write(const af_profile *profile, const char *format,
                                 const af_picture_options *options, af_write_func write, void *user,
                                 GPtrArray **notes, GError **error);

G_END_DECLS

#endif
