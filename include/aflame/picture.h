/* Pictures: a profile drawn as interactive SVG, SVG outlines, PNG or PDF.
 *
 * A flame graph shows the call trees: a frame is a node, its width is the inclusive time, and its
 * callees are stacked on it. A chart shows single calls along time instead, a sandwich the callers
 * and callees of one method. The same profile and options give the same picture on every machine,
 * and the same bytes with the same versions of the libraries that compress and draw. Several
 * threads may draw the same profile at once.
 *
 *     af_picture_options options = AF_PICTURE_OPTIONS_INIT;
 *     options.title = "Start of the app";
 *     options.view = AF_VIEW_GRAPH;
 *     if (!af_picture_write(profile, "svg", &options, write, user, NULL, &error)) {
 *         fprintf(stderr, "%s\n", af_error_message(error));
 *     }
 */
#ifndef AFLAME_PICTURE_H
#define AFLAME_PICTURE_H

#include <string.h>
#include <aflame/graph_layout.h>
#include <aflame/profile.h>
#include <aflame/output.h>

AF_BEGIN_DECLS

typedef enum {
    AF_THEME_AUTO = 0, /* an SVG follows the setting of the viewer; PNG and PDF are light */
    AF_THEME_LIGHT,
    AF_THEME_DARK,
} af_theme;

typedef enum {
    AF_VIEW_GRAPH =
        0, /* a flame graph: calls merged along their paths. An interactive SVG also contains the
              chart if the profile meets its requirements (see `view`) and has 100 to 20,000 calls
              or samples */
    AF_VIEW_CHART,     /* single calls or samples along time, a track for each thread, with instants
                          and counters */
    AF_VIEW_SANDWICH,  /* a method: its callers above, its callees below */
    AF_VIEW_CALLGRAPH, /* each method once, with arrows to the methods that it calls */
    AF_VIEW_SHEET, /* one page for a ticket: findings, threads over time, a small graph; no script */
    AF_VIEW_THUMBNAIL, /* a graph of the first thread without text, at most as high as wide */
    AF_VIEW_STARTUP,   /* the phases of the start of an app, as in af_report_new_startup(), which
                          states the requirements */
} af_view;

/* What to draw. Initialise with AF_PICTURE_OPTIONS_INIT. */
typedef struct {
    size_t size;
    af_clock clock;
    const char *const *threads; /* selectors: "main", an id, a name, "/regex/" or "all"; NULL ends
                                   the list; NULL = main unless it has under 1 %, then threads
                                   with at least 1 %, the busiest first, at most 8: of the time
                                   that is drawn, outside idle frames; if no thread has 1 %, the
                                   first 8; a chart: all, at most 24 */
    const char *title;          /* NULL = `input_name` */
    const char *input_name;     /* the name of the input to print, e.g. "app.trace" */
    int width_px;               /* 0 = 1200, a PNG 800; an interactive SVG then adapts to its
                                   window */
    int scale_percent;          /* PNG: pixels for each unit, 100 = 1; 0 = 200 */
    af_theme theme;
    bool inverted;      /* the root on top; only for graphs */
    bool full_depth;    /* also draw rows in which every frame is too narrow for a label */
    int min_width_c;    /* frames narrower than this, in hundredths of a pixel, are grouped into
                              one pale block; 0 = 100, for a chart 50 */
    bool outlines;      /* SVG: letters as outlines, no script */
    bool system_fonts;  /* also use the fonts of the machine; the output then differs between
                              machines */
    int64_t epoch_s;    /* date of a PDF if the trace has none, in seconds since 1970; -1 = none */
    bool no_script;     /* SVG: the drawing only */
    af_data data;       /* how much of the profile the picture carries */
    size_t data_budget; /* AF_DATA_AUTO: bytes that the data may take; 0 = 900,000 */
    unsigned jobs;      /* threads to use; 0 = one for each processor */
    af_view view;       /* AF_VIEW_CHART needs a profile that was opened with `keep_input` and not
                           reshaped; samples need times. `clock` is AF_WALL or AF_CPU. Threads
                           are sorted by the same rule, also those that `threads` selects.
                           The input is read again; memory holds the calls that can be drawn, with
                           AF_DATA_AUTO about 16 MB more, with AF_DATA_FULL all calls */
    const char *const *highlights; /* chart: patterns (reshape.h); matching calls get brackets; NULL
                                      ends the list; NULL = none */
    const char *method; /* sandwich: a pattern (reshape.h) that selects the method; if several
                           match, the one with the most time; NULL = the method with the most self
                           time outside idle frames. Threads that never call it are left out */
    af_graph_layout_func lay_out; /* call graph: required */
    unsigned min_percent_c;       /* call graph: leave out methods below this share of the time of
                                     all drawn threads, in hundredths of a percent; 50 by default */
    uint32_t top;    /* call graph: the maximum number of methods, taken alternately from those
                            with the most self time and those with the most inclusive time; 0 = all,
                            up to AF_CALLGRAPH_METHODS; 40 by default */
    bool no_profile; /* the picture does not carry the saved profile; `data` then applies to the
                            viewer only */
    int height_px;   /* PNG: the height that a graph or chart keeps within by drawing fewer
                            threads and rows; 0 = 1800, -1 = no limit */
    const struct af_explanation *explanation; /* SVG of a graph or chart: findings (explain.h) of
                                                 this profile, a list that an interactive SVG shows
                                                 when asked; NULL = none. A sheet consists of them;
                                                 NULL = it finds them itself */
    const char *command; /* sheet: the command that draws it, for its foot; NULL = unknown */
    const char *medium;  /* where the picture is shown, one of af_picture_medium(): sets the width,
                            height and scale that are 0; NULL = nowhere in particular */
    unsigned colours;    /* PNG: at most this many; 0 = as many as it needs */
    uint64_t max_bytes;  /* PNG: a larger file gets fewer colours, then less height, then a smaller
                            scale; with AF_DATA_AUTO the profile takes half of it at most; 0 = no
                            limit */
} af_picture_options;

/* Limits of a call graph: laying out more takes too long. */
#define AF_CALLGRAPH_METHODS 150
#define AF_CALLGRAPH_ARROWS  300

#define AF_PICTURE_OPTIONS_INIT                                                                    \
    {                                                                                              \
        .size = sizeof(af_picture_options), .clock = AF_CLOCK_DEFAULT, .epoch_s = -1,              \
        .min_percent_c = 50, .top = 40                                                             \
    }

static inline void af_picture_options_init(af_picture_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
    options->clock = AF_CLOCK_DEFAULT;
    options->epoch_s = -1;
    options->min_percent_c = 50;
    options->top = 40;
}

/* The name of format `index`, which is also its file extension: "svg", "png", "pdf". NULL past the
 * end. */
AF_API const char *af_picture_format(unsigned index);
AF_API const char *af_picture_format_title(unsigned index);

/* The name of medium `index`: "github", "jira", ...; NULL past the end. */
AF_API const char *af_picture_medium(unsigned index);

/* Whether the format is binary and must not be written to a terminal. */
AF_API bool af_picture_format_is_binary(unsigned index);

/* Draws `profile` and passes the file to `write`. The format "alt" is the alternative text of
 * the picture: a line in UTF-8, which pictures contain, too. `options` may be NULL. `messages`
 * may be NULL; on success it receives a line for each difference from the request, such as a
 * smaller scale; free them with af_messages_free(). Fails with AF_ERROR_USAGE (selection,
 * clock, format, requirements of a chart, too many bytes), _OUTPUT or _MEMORY; for a chart also
 * with AF_ERROR_NOTHING (a highlight that matches no method) and the errors of
 * af_profile_walk_calls(). */
AF_API bool af_picture_write(const af_profile *profile, const char *format,
                             const af_picture_options *options, af_write_func write, void *user,
                             char ***messages, GError **error);

AF_END_DECLS

#endif
