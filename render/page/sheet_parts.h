/* The parts of a sheet, and the data that they share during drawing. Private to render/.
 *
 * A sheet is drawn from top to bottom. Every part starts at `y_c` and moves it down by its height;
 * the page is cut to its length at the end. */
#pragma once

#include "base/capacity.h"
#include "base/number.h"
#include "base/workers.h"
#include "render/label.h"
#include "render/chart/chart_layout.h"
#include "render/graph/recursion.h"
#include "render/packed/pack.h"
#include "model/busy.h"
#include "render/page/sheet.h"
#include "render/sizes.h"
#include "render/thread_rank.h"
#include "render/words.h"

#define AF_PX 100 /* in hundredths of a pixel */

enum {
    AF_WIDTH_MIN_C = 160 * AF_PX,
    /* Well below the limit of coordinates: 20 million pixels. */
    AF_EXTENT_MAX_C = 2000000000,
};

/* The maximum number of panels on one page: their heads and one row each fill half of the range of
 * coordinates. Later threads are omitted. */
#define AF_PANELS_MAX ((uint32_t)AF_WORK(100000, 5000))

typedef struct {
    uint32_t thread; /* index into the profile's threads */
    af_layout *layout;
    uint32_t rows;                /* the end of the rows drawn; a line counts the others */
    uint32_t first_row;           /* the first row drawn; another line names those before it */
    int32_t height_c;             /* once it is drawn */
    const af_tree *tree;          /* the tree of the frames: that of the thread, */
    const af_chart_thread *calls; /* or that of its single calls; NULL in a flame graph */
    af_tree *own_tree;    /* the tree of the single calls or a sandwich; freed with the panel */
    uint32_t turn;        /* of a sandwich: its first callee */
    const uint8_t *marks; /* of a ticket, by node: the number of a finding, AF_MARK_PALE or
                             AF_MARK_INSIDE; NULL = none; borrowed */
    uint32_t *size;       /* of a comparison, by node: nodes of its subtree */
} af_panel;

/* Frames of a ticket: pale, or part of what a finding is about. */
enum { AF_MARK_INSIDE = 254, AF_MARK_PALE = 255 };

/* The chart that is drawn, or packed for the script only; NULL = none. */
#define af_sheet_chart(sheet)                                                                      \
    ((sheet)->options->chart ? (sheet)->options->chart : (sheet)->options->packed_chart)

/* Threads without a panel, for the footer of every page. */
typedef struct {
    uint32_t n;
    af_thread_rank first[AF_NAMED_THREADS]; /* those with the most time */
} af_left_out;

typedef struct {
    const af_profile *profile;
    const af_sheet_options *options;
    af_scene *scene;
    af_panel *panels;
    uint32_t n_panels;
    af_left_out left_out;
    af_recursion *recursion; /* the profile with compacted trees; NULL = nothing is compacted */
    af_busy *busy;
    int32_t width_c;        /* of the page */
    int32_t graph_c;        /* width of a graph: the page without its margins */
    int32_t y_c;            /* top of the next part */
    uint32_t page, n_pages; /* of the page being drawn, from 1; 0 = a single page */
    gboolean fitted;        /* rows or panels are omitted to limit the height */
    gboolean terse;         /* that was not enough: fewer rows, and fewer names in the footer */
    uint32_t counters_max;  /* 0 = no limit */
    uint32_t first_rows;    /* most rows of a panel; 0 = AF_FIRST_ROWS */
    const char **names;     /* by label: its full name; NULL = not yet made */
    uint32_t n_names;
    af_work packer; /* makes `pack` in the background */
    af_pack *pack;  /* data for the script; NULL = none, or not yet made */
    gboolean pack_failed;
} af_sheet;

/* A run of text: pieces with `separator` between them, broken into lines between pieces. */
typedef struct {
    int32_t indent_c;     /* of all lines, from the margin */
    int32_t first_c;      /* of the first line, further to the right */
    int32_t size, line_c; /* of the face; from baseline to baseline */
    gboolean bold;
    af_paint paint;
    const char *separator; /* NULL = a middle dot */
    unsigned lines_max;    /* 0 = no limit; text that does not fit is cut with an ellipsis */
} af_flow;

/* Writes one line at `baseline`, cut to `width_max`. Returns its width. */
int32_t af_sheet_text(af_sheet *sheet, int32_t x, int32_t baseline, int32_t size, int32_t width_max,
                      gboolean bold, af_paint paint, const char *text);

/* The same for a text that is fitted already and freed here. */
int32_t af_sheet_form(af_sheet *sheet, int32_t x, int32_t baseline, int32_t size, int32_t width_max,
                      gboolean bold, af_paint paint, af_label_form fitted);

/* Draws a rectangle, unless its width is 0 or less. */
void af_sheet_rect(const af_sheet *sheet, int32_t x, int32_t y, int32_t width, int32_t height,
                   af_paint paint);

/* A line in small muted type, with its baseline below the current position. */
void af_sheet_muted(af_sheet *sheet, int32_t below_c, const char *text);

/* The same as af_sheet_text() for the name of a thread, which is cut in its middle. */
int32_t af_sheet_name(af_sheet *sheet, int32_t x, int32_t baseline, int32_t size, int32_t width_max,
                      gboolean bold, af_paint paint, const char *name);

/* Writes the pieces (char *), starting at the baseline `y_c`; sets `y_c` to the last baseline. */
void af_sheet_flow(af_sheet *sheet, const af_flow *flow, const GPtrArray *pieces);

/* Writes the facts after the name of a panel or counter, which starts at the margin and is
 * `advance` wide. */
void af_sheet_flow_facts(af_sheet *sheet, int32_t advance, const GPtrArray *facts);

/* The app, or the only process of a profile without one, if it has a name; NULL = neither. */
const char *af_sheet_owner(const af_profile *profile);

/* A name from the file as part of a sentence: right-to-left letters and bidi controls in it cannot
 * affect the text around it. Free with g_free(). */
char *af_sheet_isolate(const char *name);

/* Starts the head, the footer or another part at `y_c`: a group with the id and the facts of
 * `part`. */
void af_sheet_push_part(af_sheet *sheet, const af_scene_group *part);

/* Draws a thin line across the page at `y_c`. */
void af_sheet_rule(af_sheet *sheet);

/* The facts below the title, and the problems of the input; free with g_ptr_array_unref(). */
GPtrArray *af_header_list_facts(const af_sheet *sheet);
GPtrArray *af_header_list_problems(const af_profile *profile);

/* The number of a finding in a circle around (x, y). */
void af_sheet_badge(af_sheet *sheet, unsigned number, int32_t x, int32_t y);

/* Draws title, facts, health and legend for panels `first` ... `first + n - 1`. */
void af_header_draw(af_sheet *sheet, uint32_t first, uint32_t n);
void af_legend_draw(af_sheet *sheet, uint32_t first, uint32_t n);

/* Entries of legends at `*x`, which moves after them. Starts a line `line_c` lower if this one is too
 * short for a sample with `text`. */
void af_legend_wrap(af_sheet *sheet, int32_t *x, int32_t line_c, const char *text);
/* Writes a text whose baseline is `baseline_c` below `y_c`. */
void af_legend_text(af_sheet *sheet, int32_t *x, int32_t baseline_c, af_paint paint,
                    const char *text);
/* All of it; the sample is `y` below `y_c`, its width and position are set. Returns its position. */
int32_t af_legend_entry(af_sheet *sheet, int32_t *x, int32_t line_c, int32_t baseline_c,
                        const af_scene_rect *sample, const char *text);

/* Suggests options for panels `first` ... `first + n - 1` that show little of their content. */
void af_advice_add(const af_sheet *sheet, uint32_t first, uint32_t n, GPtrArray *pieces);

/* Lists findings. The script shows the list only if asked, so for a picture with a script `y_c`
 * stays where it is: the rest of the page is a group that a style sheet moves down where scripts
 * cannot run. Returns by how much; if it is not 0, the caller ends the group. */
int32_t af_findings_draw(af_sheet *sheet);

/* The strip of all threads above the panels. `current` is the panel of the page, NULL = all. */
void af_overview_draw(af_sheet *sheet, const af_panel *current);

/* The tones of bars that compare threads. */
enum { AF_TONE_CPU, AF_TONE_BLOCKED, AF_TONE_IDLE, AF_TONES };
af_paint af_tone_paint(unsigned tone);
/* An entry of a legend whose baseline is `y_c`. */
void af_tone_entry(af_sheet *sheet, int32_t *x, unsigned tone, const char *text);

/* Whether the user chose the threads. */
gboolean af_sheet_is_chosen(const af_sheet *sheet);

/* "23.7 % of all threads", NULL if there is nothing to compare. The caller frees it with g_free().
 */
char *af_overview_share(const af_sheet *sheet, const af_panel *panel);

/* The label of a frame, without its numbers; no text if none fits. */
typedef af_label_form (*af_panel_fit_func)(const af_sheet *sheet, const af_panel *panel,
                                           const af_frame *frame);
af_label_form af_panel_fit_label(const af_sheet *sheet, const af_panel *panel,
                                 const af_frame *frame);

/* The number of rows worth drawing: up to the last one with a frame wide enough for a label, at
 * most `rows_max`. */
uint32_t af_panel_count_rows(const af_sheet *sheet, const af_panel *panel, uint32_t rows_max,
                             af_panel_fit_func fit);
void af_panel_draw(af_sheet *sheet, af_panel *panel);

/* In place of all parts; needs a panel. */
void af_thumbnail_draw(af_sheet *sheet);

void af_panel_clear(af_panel *panel);

/* The id of a panel's group or, with "-rows", of the line below it; lives as long as the scene. */
const char *af_panel_id(af_sheet *sheet, const af_panel *panel, const char *part);

/* ---- colours ---- */

enum { AF_MIDDLE_SHADE = 2 };

/* Whether the reasons of waiting are coloured, not the categories. */
gboolean af_hues_show_reasons(const af_sheet *sheet);

/* The category whose colours a frame has, and the meaning of these colours. */
unsigned af_hue_of_node(const af_sheet *sheet, const af_tree *tree, uint32_t node,
                        const af_label *label);
/* Whether it is grey instead: reasons are coloured, and it waits only in methods that it calls. */
gboolean af_hues_show_greys(const af_sheet *sheet);
gboolean af_hue_is_grey(const af_sheet *sheet, const af_panel *panel, uint32_t node,
                        const af_label *label);
const char *af_hue_title(const af_sheet *sheet, unsigned hue);

/* The script may show the reasons of waiting. */
void af_hues_need(const af_sheet *sheet);

/* ---- call graphs ---- */

void af_call_map_draw(af_sheet *sheet, const struct af_call_map *map);

/* ---- the start of an app ---- */

struct af_startup;
void af_waterfall_draw(af_sheet *sheet, const struct af_startup *startup);

/* ---- the height of the page ---- */

/* Draws on trial. Returns the height of the page. */
int32_t af_fit_measure(af_sheet *sheet, void (*draw)(void *user), void *user);

/* Draws on trial until the page is as high as its limit: other panels than the first have few rows,
 * the last ones are dropped, and finally the first loses rows. Returns whether anything was left
 * out. */
gboolean af_fit_run(af_sheet *sheet, int32_t limit_c, void (*draw)(void *user), void *user);

/* The same for a sheet, if its options limit the height. */
void af_sheet_fit(af_sheet *sheet, void (*draw)(void *sheet));

/* ---- rulers ---- */

/* The smallest step between ticks at least `step_min_c` apart: 1, 2 or 5 times a power of ten. */
uint64_t af_ruler_step(uint64_t extent, int32_t width_c, int32_t step_min_c);

/* What the ruler of a graph measures. */
typedef struct {
    uint64_t extent; /* of the width of the graph */
    uint64_t whole;  /* 100 % */
    const af_unit *unit;
} af_graph_scale;

/* Draws the ruler of a graph at `y_c`, which moves below it: amounts and their shares. */
void af_scale_draw(af_sheet *sheet, const af_graph_scale *scale);

/* ---- charts ---- */

/* Draws the ruler, and a text where records end before the trace. */
void af_ruler_draw(af_sheet *sheet);

/* Draws the lines of the ruler through a panel, starting at `top`, and over its calls a line where
 * records end before the trace. */
void af_ruler_extend(af_sheet *sheet, int32_t top, int32_t height);
void af_ruler_extend_end(af_sheet *sheet, int32_t top, int32_t height);

/* The zero of times on the axis: the start of the trace. */
uint64_t af_chart_zero_ns(const af_sheet *sheet);

/* The position of the axis on the page. */
af_chart_layout_options af_chart_axis(const af_sheet *sheet);

/* Draws the background of a track: lines of the ruler, and the lifetime of the thread. */
void af_track_ground_draw(af_sheet *sheet, const af_panel *panel, int32_t top, int32_t height);

/* Draws the scheduler states of a thread as a band at `y_c`, which moves below it; nothing if they
 * are unknown. */
void af_run_band_draw(af_sheet *sheet, const af_panel *panel);

/* The height and the colour of a state in the band. */
int32_t af_run_height(af_run_state state);
af_paint af_run_paint(af_run_state state);

/* Draws the instants of a thread (UINT32_MAX = those without a thread) as dots at `y_c`, which
 * moves below them; nothing if there are none. */
void af_instants_draw(af_sheet *sheet, uint32_t thread);

/* Draws the tracks of frame timelines at `y_c`; nothing if there are none. */
void af_frame_tracks_draw(af_sheet *sheet);

/* The script may draw them. */
void af_frame_tracks_need(const af_sheet *sheet);

/* Draws a track for each counter, starting at `y_c`. */
void af_counters_draw(af_sheet *sheet);

/* Reports omitted and merged instants and counters; a piece for each. */
void af_chart_markers_describe(const af_sheet *sheet, GPtrArray *pieces);

/* Draws brackets over the highlighted calls at `y_c`, which moves below them. */
void af_track_highlights_draw(af_sheet *sheet, const af_panel *panel);

/* "3 calls of onBind highlighted: 12.3 ms", NULL without highlights. Free with g_free(). */
char *af_track_highlights_text(const af_sheet *sheet, const af_panel *panel);

/* ---- */

/* Finds the threads without a panel. Call it once, when the panels are known. FALSE if memory is
 * refused. */
gboolean af_footer_prepare(af_sheet *sheet);

/* Draws the omissions and the name of the program. */
void af_footer_draw(af_sheet *sheet, uint32_t first, uint32_t n);

/* The parts of any footer. The first line names threads without a panel and counts the others. The
 * last line says what is hidden and which height the page was fitted into, then come the pieces, the
 * program and the command. Takes `hidden`; it and `command` may be NULL. */
void af_footer_begin(af_sheet *sheet, const af_scene_group *part);
void af_footer_write_threads(af_sheet *sheet, GPtrArray *pieces, uint64_t unnamed);
void af_footer_end(af_sheet *sheet, char *hidden, GPtrArray *pieces, const char *command);

/* What any picture of the profile is about. */
af_scene_about af_sheet_about(const af_sheet *sheet, const char *description);

/* One paragraph for screen readers. NULL if memory is refused. Free with g_free(). */
char *af_sheet_describe(const af_sheet *sheet);

/* The full name of a label: with arguments if it means one method and the file has them; cut to the
 * limit of names. Lives as long as the scene. */
const char *af_sheet_label(af_sheet *sheet, uint32_t label);

/* Appends a name in running text: only the start of a name that would fill a page. */
void af_sheet_append_name(GString *to, const char *name);

/* Appends "CartActivity.onResume": a name without its package. */
void af_sheet_append_short(GString *to, const af_label *label);

/* The name of a thread on its own, cut like names of methods. Lives as long as the scene. */
const char *af_sheet_thread_name(af_sheet *sheet, const af_thread *thread);

/* The entries of a chart: calls, slices between samples, or both. */
typedef struct {
    const char *one, *many;
} af_entry_words;

/* The entries of the threads `first` ... `first + n - 1` of `threads`; NULL = of the profile. */
af_entry_words af_sheet_name_entries(const af_sheet *sheet, const uint32_t *threads, uint32_t first,
                                     uint32_t n);

/* "12 frames", "1 frame". Free with g_free(). */
char *af_sheet_count(uint64_t n, const char *one, const char *many);

/* "12 threads", "1 heap", "3 other threads" with `before` "other ". Free with g_free(). */
char *af_sheet_count_threads(const af_profile *profile, uint64_t n, const char *before);

/* Whether the thread has neither calls nor markers; the head gives the reason. */
gboolean af_sheet_is_empty(const af_sheet *sheet);

/* "thread", "heap". */
const char *af_sheet_thread_word(const af_profile *profile);

/* "main (3.10 ms),": an entry of a list of threads; without a time `time` is NULL. Free with
 * g_free(). */
char *af_sheet_list_thread(const char *name, const char *time, gboolean last);

/* Adds dots to an idle frame or a dashed edge to a block, unless it is too narrow. */
void af_sheet_texture(af_sheet *sheet, const af_scene_rect *bar, af_texture texture);

/* An amount in the unit of the profile: "320.9 ms", "12,345 cycles". Returns `text`. */
char *af_sheet_amount(const af_sheet *sheet, char text[AF_NUMBER_SIZE], uint64_t amount);

/* The same, followed by the name of its clock if it is a clock time. */
char *af_sheet_clocked(const af_sheet *sheet, uint64_t amount, af_clock clock);

/* Facts, one line each, for a viewer that lays out the sheet again. They live as long as the scene.
 * NULL if there are none. */
const char *af_sheet_lines(af_sheet *sheet, const GPtrArray *facts);

/* The time of a panel in the clock of the sheet. */
uint64_t af_panel_time_ns(const af_sheet *sheet, const af_panel *panel);

/* Adds the data that the script needs to draw other frames than the sheet: colours, letters and the
 * call trees, which another thread packs in the background. */
void af_sheet_equip(af_sheet *sheet);

/* Adds the settings for the script; the panels exist. */
void af_sheet_set_grid(const af_sheet *sheet);

/* "the file omits the 12 call paths with the least time: 3 µs (<0.1 %)", NULL if it omits none.
 * Free with g_free(). */
char *af_sheet_left_out(const af_sheet *sheet);

/* "calls shorter than 12.2 µs are merged in the file: 1,200 of 3,000", NULL if none are. Free with
 * g_free(). */
char *af_sheet_joined(const af_sheet *sheet);

/* Waits for the call trees and attaches them. FALSE if memory was refused. */
gboolean af_sheet_finish_pack(af_sheet *sheet);

/* Whether steps changed the profile; and how much time they removed or moved to callers, a piece
 * each. */
gboolean af_sheet_is_reshaped(const af_sheet *sheet);
void af_sheet_add_accounts(const af_sheet *sheet, GPtrArray *pieces);

/* Time spent in the method of a node itself: self time, or in inverted trees the time of the
 * roots. */
uint64_t af_sheet_spent_ns(const af_sheet *sheet, const af_tree *tree, uint32_t node);

/* Whether frames show how much of their time was waiting. */
gboolean af_sheet_shows_waiting(const af_sheet *sheet);
