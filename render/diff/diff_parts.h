/* The parts of the picture of a comparison, and the data that they share. Private to render/diff. */
#pragma once

#include "render/diff/diff_sheet.h"
#include "render/label.h"
#include "render/packed/diff_pack.h"
#include "render/page/sheet_parts.h"

typedef struct {
    af_sheet page; /* position, width, panels and scene; it has no profile. The first member */
    const af_diff *diff;
    const af_diff_sheet_options *options;
    char *omissions; /* the omissions of the data for the script, in words; NULL = none */
} af_diff_sheet;

/* How a bar is divided, in the unit of the profiles; they add up to its width. */
typedef struct {
    uint64_t common, grown, shrunk;
} af_diff_parts;

/* Lays out the union of a thread. FALSE if memory is refused; clear the panel in any case. */
gboolean af_diff_panel_lay_out(af_panel *panel, const af_diff *diff, uint32_t thread,
                               int32_t width_c, int32_t min_width_c);

/* The parts of a frame, or of all siblings of a block. */
af_diff_parts af_diff_panel_parts(const af_panel *panel, const af_diff_tree *tree,
                                  const af_frame *frame);

void af_diff_panel_draw(af_diff_sheet *sheet, af_panel *panel);

/* The label of a frame with its change, as long as fits: "onCreate +12.3 ms (3.1x)". `page` is that
 * of an af_diff_sheet. */
af_label_form af_diff_label_fit(const af_sheet *page, const af_panel *panel, const af_frame *frame);

/* "+20.1 ms (+1.8 %)"; without a ratio if a side has no time. */
void af_diff_append_change(GString *to, uint64_t before, uint64_t after, const af_unit *unit);

/* The numbers of both sides, one line each. Lives as long as the scene. */
const char *af_diff_details(const af_diff_sheet *sheet, const af_panel *panel,
                            const af_frame *frame);

/* Draws a bar that is `width` wide on the page, `ends` are the ends of its common and grown part
 * from its left edge. */
void af_diff_bar_draw(af_diff_sheet *sheet, const af_scene_rect *bar, const int32_t ends[2],
                      gboolean pale);

/* Draws the dashed edge of a moved frame: along its top and its bottom. */
void af_diff_bar_dash(af_diff_sheet *sheet, const af_scene_rect *bar);

/* Draws title, sentences and legend for panels `first` ... `first + n - 1`. */
void af_diff_header_draw(af_diff_sheet *sheet, uint32_t first, uint32_t n);

/* Draws what colours mean. */
void af_diff_meanings_draw(af_diff_sheet *sheet);

/* Draws the page for a bug report instead. FALSE if memory is refused. */
gboolean af_diff_ticket_draw(af_diff_sheet *sheet);

/* Draws the threads without a panel and the name of the program. */
void af_diff_footer_draw(af_diff_sheet *sheet, uint32_t first, uint32_t n);

/* Prepares the scene for a viewer: settings, colours, letters and the packed union. FALSE if memory
 * is refused. */
gboolean af_diff_equip(af_diff_sheet *sheet);

static inline gboolean af_diff_is_pale(uint8_t status)
{
    return status == AF_DIFF_NOISE || status == AF_DIFF_SAME;
}
