/* The parts a sheet is made of, and what they share while it is drawn. Private to render/.
 *
 * A sheet is drawn from top to bottom. Every part begins at `y_c`, moves it down by what it needs
 * and leaves the rest to the next; the page is cut to its length at the end. */
#ifndef AF_RENDER_SHEET_PARTS_H
#define AF_RENDER_SHEET_PARTS_H

#include "render/layout.h"
#include "render/pack.h"
#include "render/sheet.h"

#define AF_PX 100 /* hundredths */

/* Sizes, hundredths of a pixel. */
enum {
    AF_MARGIN_C = 16 * AF_PX,
    AF_ROW_C = 18 * AF_PX,    /* from row to row */
    AF_FRAME_C = 17 * AF_PX,  /* height of a frame: a row without its gap */
    AF_LABEL_C = 1150,        /* size of the face on frames */
    AF_INSET_C = 4 * AF_PX,   /* from the edge of a frame to its label */
    AF_BASELINE_C = 1260,     /* from the top of a frame to the baseline of its label */
    AF_GAP_C = 60,            /* between neighbours, where both are wide enough */
    AF_FACTS_C = 1250,        /* of the lines under the title */
    AF_SMALL_C = 1150,        /* of legend, marks and footer */
    AF_TITLE_C = 1900,
    AF_WIDTH_MIN_C = 160 * AF_PX,
    /* What coordinates can hold with room to spare: 20 million pixels. */
    AF_EXTENT_MAX_C = 2000000000,
};

/* Rows of a panel that are drawn without being asked for: some ten screens. A recursion thousands
 * of calls deep would push everything else out of sight. */
#define AF_FIRST_LOOK_ROWS 160u

typedef struct {
    uint32_t thread;   /* index into the profile's threads */
    af_layout *layout;
    uint32_t rows;     /* rows drawn; the others stand behind the mark */
} af_panel;

typedef struct {
    const af_profile *profile;
    const af_sheet_options *options;
    af_scene *scene;
    af_panel *panels;
    uint32_t n_panels;
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
    int32_t first_x;       /* of the first line, from the page's left edge; others begin at the
                              margin */
    int32_t size, line_c;  /* of the face; from baseline to baseline */
    af_paint paint;
    const char *separator;
    unsigned lines_max;    /* 0 = no limit; what does not fit is cut with an ellipsis */
} af_flow;

/* One line at `baseline`, cut to `room`. Returns how wide it became. */
int32_t af_sheet_text(af_sheet *sheet, int32_t x, int32_t baseline, int32_t size, int32_t room,
                      gboolean bold, af_paint paint, const char *text);

/* The pieces (char *) from the baseline `y_c` on; `y_c` becomes the last baseline. */
void af_sheet_flow(af_sheet *sheet, const af_flow *flow, const GPtrArray *pieces);

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

/* What is not shown, and the program. */
void af_footer_draw(af_sheet *sheet, uint32_t first, uint32_t n);

/* One paragraph for those who cannot see the picture. The caller frees it with g_free(). */
char *af_sheet_describe(const af_sheet *sheet);

/* The whole name of a label: with the arguments where it means one method and the file knows
 * them. Lives as long as the scene. */
const char *af_sheet_name(af_sheet *sheet, uint32_t label);

/* A name in running text: of one that would fill a page only the begin. */
void af_sheet_append_name(GString *to, const char *name);

/* "12 threads", "1 thread". The caller frees it with g_free(). */
char *af_sheet_count(uint64_t n, const char *one, const char *many);

/* Time of a panel in the clock of the sheet. */
uint64_t af_panel_time_ns(const af_sheet *sheet, const af_panel *panel);

/* What a script needs that draws other frames than those of the sheet: how they lie, colours,
 * letters and, packed by another thread meanwhile, the call trees. */
void af_sheet_equip(af_sheet *sheet);

/* "the 12 call paths with least time not in the file: 3 µs (<0.1 %)", NULL if all are in it. The
 * caller frees it with g_free(). */
char *af_sheet_left_out(const af_sheet *sheet);

/* Waits for the call trees and attaches them. FALSE if the machine refused the memory. */
gboolean af_sheet_finish_pack(af_sheet *sheet);

/* Whether frames show how much of their time was waiting. */
gboolean af_sheet_shows_waiting(const af_sheet *sheet);

#endif
