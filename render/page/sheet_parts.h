/* The parts a sheet is made of, and what they share while it is drawn. Private to render/.
 *
 * A sheet is drawn from top to bottom. Every part begins at `y_c`, moves it down by what it needs
 * and leaves the rest to the next; the page is cut to its length at the end. */
#ifndef AF_RENDER_PAGE_SHEET_PARTS_H
#define AF_RENDER_PAGE_SHEET_PARTS_H

#include "base/number.h"
#include "render/chart/chart_layout.h"
#include "render/packed/pack.h"
#include "render/page/sheet.h"

#define AF_PX 100 /* hundredths */

/* Sizes, hundredths of a pixel. */
enum {
    AF_MARGIN_C = 16 * AF_PX,
    AF_ROW_C = 18 * AF_PX,   /* from row to row */
    AF_SLIM_C = 2 * AF_PX,   /* what a slim frame lacks on either side */
    AF_FRAME_C = 17 * AF_PX, /* height of a frame: a row without its gap */
    AF_LABEL_C = 1150,       /* size of the face on frames */
    AF_INSET_C = 4 * AF_PX,  /* from the edge of a frame to its label */
    AF_BASELINE_C = 1260,    /* from the top of a frame to the baseline of its label */
    AF_GAP_C = 60,           /* between neighbours, where both are wide enough */
    AF_FACTS_C = 1250,       /* of the lines under the title */
    AF_SMALL_C = 1150,       /* of legend, marks and footer */
    AF_TITLE_C = 1900,
    AF_WIDTH_MIN_C = 160 * AF_PX,
    /* What coordinates can hold with room to spare: 20 million pixels. */
    AF_EXTENT_MAX_C = 2000000000,
};

/* Panels on one page: with their heads and a row each they fill half of what coordinates can hold,
 * which is a picture some kilometres high. The threads behind them are left out. */
#define AF_PANELS_MAX 100000u

/* Bytes of a name that is drawn, said or pointed at in a picture: some hundred of them fit beside
 * each other, and one that is repeated in thousands of frames must not make gigabytes. */
#define AF_NAME_MAX 4096u

/* Rows of a panel that are drawn without being asked for: some ten screens. A recursion thousands
 * of calls deep would push everything else out of sight. */
#define AF_FIRST_LOOK_ROWS 160u

/* The same of a chart's rows in which nothing has room for a label. */
#define AF_FIRST_FILLED_ROWS 40u

typedef struct {
    uint32_t thread; /* index into the profile's threads */
    af_layout *layout;
    uint32_t rows;                /* rows drawn; the others stand behind the mark */
    const af_tree *tree;          /* what the frames are nodes of: the thread's tree, */
    const af_chart_thread *calls; /* or that of its single calls; NULL in a flame graph */
    af_tree *own_tree;            /* the same; freed with the panel */
} af_panel;

/* Threads that the footer names one by one. */
#define AF_LEFT_OUT_NAMED 12u

/* Threads without a panel, which stand in the footer of every page. */
typedef struct {
    uint32_t n;
    uint32_t n_first;
    struct {
        uint32_t thread;
        uint64_t time_ns;
    } first[AF_LEFT_OUT_NAMED]; /* those with most time */
} af_left_out;

typedef struct {
    const af_profile *profile;
    const af_sheet_options *options;
    af_scene *scene;
    af_panel *panels;
    uint32_t n_panels;
    af_left_out left_out;
    int32_t width_c;    /* of the page */
    int32_t graph_c;    /* of a graph: the page without its margins */
    int32_t y_c;        /* where the next part begins */
    const char **names; /* by label: its whole name; NULL = not yet made */
    GThread *packer;    /* makes `pack` meanwhile; NULL = nobody does */
    af_pack *pack;      /* what a script can draw; NULL = nothing, or not yet known */
    gboolean pack_failed;
} af_sheet;

/* A run of text: pieces with `separator` between them, broken into lines between pieces. */
typedef struct {
    int32_t first_x;      /* of the first line, from the page's left edge; others begin at the
                             margin */
    int32_t size, line_c; /* of the face; from baseline to baseline */
    af_paint paint;
    const char *separator;
    unsigned lines_max; /* 0 = no limit; what does not fit is cut with an ellipsis */
} af_flow;

/* One line at `baseline`, cut to `room`. Returns how wide it became. */
int32_t af_sheet_text(af_sheet *sheet, int32_t x, int32_t baseline, int32_t size, int32_t width_max,
                      gboolean bold, af_paint paint, const char *text);

/* The pieces (char *) from the baseline `y_c` on; `y_c` becomes the last baseline. */
void af_sheet_flow(af_sheet *sheet, const af_flow *flow, const GPtrArray *pieces);

/* The facts behind the name of a panel or lane, which begins at the margin and is `advance` wide.
 */
void af_sheet_flow_facts(af_sheet *sheet, int32_t advance, const GPtrArray *facts);

/* A name from the file as a part of a sentence: letters that run from right to left, and controls
 * that turn text around, cannot reach what stands beside it. The caller frees it with g_free(). */
char *af_sheet_isolate(const char *name);

/* A thin line across the page at `y_c`. */
void af_sheet_rule(af_sheet *sheet);

/* Title, facts, health and legend for panels `first` ... `first + n - 1`. */
void af_header_draw(af_sheet *sheet, uint32_t first, uint32_t n);
void af_legend_draw(af_sheet *sheet, uint32_t first, uint32_t n);

/* How many rows there is reason to draw: those up to the last in which a frame has room for a
 * label, at most `rows_max`. */
uint32_t af_panel_count_rows(const af_sheet *sheet, const af_panel *panel, uint32_t rows_max);
void af_panel_draw(af_sheet *sheet, const af_panel *panel);

/* ---- charts ---- */

/* The ruler, and words on it where records end before the trace does. */
void af_ruler_draw(af_sheet *sheet);

/* Lines from the ruler through a panel from `top` on; and, over its calls, where records end before
 * the trace does. */
void af_ruler_extend(af_sheet *sheet, int32_t top, int32_t height);
void af_ruler_extend_end(af_sheet *sheet, int32_t top, int32_t height);

/* What times on the axis are told since: the begin of the trace. */
uint64_t af_chart_zero_ns(const af_sheet *sheet);

/* How the axis lies on the page. */
af_chart_layout_options af_chart_axis(const af_sheet *sheet);

/* What stands behind a lane's calls: the ruler's lines, and from when to when the thread ran. */
void af_track_ground_draw(af_sheet *sheet, const af_panel *panel, int32_t top, int32_t height);

/* Instants of a thread, UINT32_MAX = of none, as dots from `y_c` on, which moves below them;
 * nothing if there are none. */
void af_instants_draw(af_sheet *sheet, uint32_t thread);

/* A lane for each counter, from `y_c` on. */
void af_counters_draw(af_sheet *sheet);

/* What of instants and counters is not drawn, and what is joined; a piece for each. */
void af_chart_markers_describe(const af_sheet *sheet, GPtrArray *pieces);

/* Brackets over the marked calls, from `y_c` on, which moves below them. */
void af_track_highlights_draw(af_sheet *sheet, const af_panel *panel);

/* "3 calls of onBind: 12.3 ms", NULL if nothing is marked. The caller frees it with g_free(). */
char *af_track_highlights_text(const af_sheet *sheet, const af_panel *panel);

/* ---- */

/* Which threads are not shown; once, when the panels are known. FALSE if memory is refused. */
gboolean af_footer_prepare(af_sheet *sheet);

/* What is not shown, and the program. */
void af_footer_draw(af_sheet *sheet, uint32_t first, uint32_t n);

/* One paragraph for those who cannot see the picture. NULL if memory is refused. The caller frees
 * it with g_free(). */
char *af_sheet_describe(const af_sheet *sheet);

/* The whole name of a label: with the arguments where it means one method and the file knows
 * them; cut where names may be no longer. Lives as long as the scene. */
const char *af_sheet_name(af_sheet *sheet, uint32_t label);

/* A name in running text: of one that would fill a page only the begin. */
void af_sheet_append_name(GString *to, const char *name);

/* What stands in a chart, and how it is called: calls; stretches of samples where nobody counted
 * any; or both. */
typedef struct {
    const char *one, *many;
} af_entry_words;

/* Of the threads `first` ... `first + n - 1` of `threads`; NULL = of the profile. */
af_entry_words af_sheet_name_entries(const af_sheet *sheet, const uint32_t *threads, uint32_t first,
                                     uint32_t n);

/* "12 threads", "1 thread". The caller frees it with g_free(). */
char *af_sheet_count(uint64_t n, const char *one, const char *many);

/* An amount in the unit of the profile: "320.9 ms", "12,345 cycles". Returns `text`. */
char *af_sheet_amount(const af_sheet *sheet, char text[AF_NUMBER_SIZE], uint64_t amount);

/* The same with the word for its clock behind it, where it is a time of a clock. */
char *af_sheet_clocked(const af_sheet *sheet, uint64_t amount, const char *clock);

/* Time of a panel in the clock of the sheet. */
uint64_t af_panel_time_ns(const af_sheet *sheet, const af_panel *panel);

/* What a script needs that draws other frames than those of the sheet: how they lie, colours,
 * letters and, packed by another thread meanwhile, the call trees. */
void af_sheet_equip(af_sheet *sheet);

/* "the 12 call paths with least time not in the file: 3 µs (<0.1 %)", NULL if all are in it. The
 * caller frees it with g_free(). */
char *af_sheet_left_out(const af_sheet *sheet);

/* "calls shorter than 12.2 µs are joined in the file: 1,200 of 3,000", NULL if none are. The same.
 */
char *af_sheet_joined(const af_sheet *sheet);

/* Waits for the call trees and attaches them. FALSE if the machine refused the memory. */
gboolean af_sheet_finish_pack(af_sheet *sheet);

/* Whether steps were done on the profile; which, a piece for each as it is typed; and what they
 * took out or gave to callers. */
gboolean af_sheet_is_reshaped(const af_sheet *sheet);
void af_sheet_add_steps(const af_sheet *sheet, GPtrArray *pieces);
void af_sheet_add_accounts(const af_sheet *sheet, GPtrArray *pieces);

/* Time that was spent in the method of a node itself: self time, or all of the roots' where the
 * callers stand above. */
uint64_t af_sheet_spent_ns(const af_sheet *sheet, const af_tree *tree, uint32_t node);

/* Whether frames show how much of their time was waiting. */
gboolean af_sheet_shows_waiting(const af_sheet *sheet);

#endif
