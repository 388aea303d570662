#include <string.h>

#include "base/number.h"
#include "render/face.h"
#include "render/page/sheet_parts.h"

enum { MIDDLE_SHADE = 2 };

typedef struct {
    uint64_t self_ns[AF_CATEGORY_COUNT];
    uint64_t dim_ns[AF_CATEGORY_COUNT]; /* of these */
    uint64_t total_ns, hidden_ns;
    uint64_t waiting_ns, clocked_ns; /* of those that have both clocks: waiting, and all */
} shares;

static void add_panel(const af_sheet *sheet, const af_panel *panel, shares *sums)
{
    const af_tree *tree = sheet->profile->threads[panel->thread].tree;
    const af_clock clock = sheet->options->clock;
    for (uint32_t i = 1; af_tree_has(tree, clock) && i < tree->n; i++) {
        const uint64_t spent_ns = af_sheet_spent_ns(sheet, tree, i);
        const af_label *label = &sheet->profile->labels[tree->label[i]];
        sums->self_ns[label->category] += spent_ns;
        sums->dim_ns[label->category] += label->shade == AF_CATEGORY_DIM ? spent_ns : 0;
        sums->total_ns += spent_ns;
        sums->clocked_ns += af_tree_has(tree, AF_WAIT) ? spent_ns : 0;
    }
    if (tree->n > 0) {
        sums->waiting_ns += af_tree_wait_ns(tree, 0);
    }
    sums->hidden_ns += panel->layout->hidden_ns;
}

/* One sample with its text, on the next line if this one is full. */
static void draw_entry(af_sheet *sheet, int32_t *x, af_paint paint, gboolean hatched,
                       const char *text)
{
    const int32_t end = AF_MARGIN_C + sheet->graph_c;
    const int32_t advance = af_face_advance(FALSE, AF_SMALL_C, text, strlen(text));
    if (*x > AF_MARGIN_C && *x + AF_SWATCH_TO_TEXT_C + advance > end) {
        *x = AF_MARGIN_C;
        sheet->y_c += AF_LEGEND_LINE_C;
    }
    af_scene_rect_add(sheet->scene, &(af_scene_rect){.x = *x,
                                                     .y = sheet->y_c,
                                                     .width = AF_SWATCH_C,
                                                     .height = AF_SWATCH_C,
                                                     .paint = paint,
                                                     .hatched = hatched,
                                                     .radius = AF_SWATCH_RADIUS_C});
    const int32_t text_x = *x + AF_SWATCH_TO_TEXT_C;
    af_sheet_text(sheet, text_x, sheet->y_c + AF_SWATCH_BASELINE_C, AF_SMALL_C, end - text_x, FALSE,
                  AF_PAINT_INK, text);
    *x = text_x + advance + AF_ENTRY_GAP_C;
}

static void draw_share(af_sheet *sheet, int32_t *x, af_paint paint, gboolean hatched,
                       const char *title, uint64_t part_ns, uint64_t total_ns)
{
    char share[AF_NUMBER_SIZE];
    char *text = g_strdup_printf("%s %s", title, af_number_share(share, part_ns, total_ns));
    draw_entry(sheet, x, paint, hatched, text);
    g_free(text);
}

/* Frames are only dimmed by --clean. Its sample is that of most of them. */
static void draw_dim(af_sheet *sheet, int32_t *x, const shares *sums)
{
    uint64_t sum_ns = 0;
    unsigned most = 0;
    for (unsigned category = 0; category < AF_CATEGORY_COUNT; category++) {
        sum_ns += sums->dim_ns[category];
        most = sums->dim_ns[category] > sums->dim_ns[most] ? category : most;
    }
    if (sum_ns > 0) {
        draw_share(sheet, x, af_paint_frame(most, AF_CATEGORY_DIM), FALSE, AF_SAY_DIMMED, sum_ns,
                   sums->total_ns);
    }
}

void af_legend_draw(af_sheet *sheet, uint32_t first, uint32_t n)
{
    shares sums = {.total_ns = 0};
    for (uint32_t i = first; i < first + n; i++) {
        add_panel(sheet, &sheet->panels[i], &sums);
    }
    int32_t x = AF_MARGIN_C;
    sheet->y_c += AF_FACTS_TO_LEGEND_C;
    for (unsigned category = 0; category < AF_CATEGORY_COUNT; category++) {
        if (sums.self_ns[category] > 0) {
            draw_share(sheet, &x, af_paint_frame(category, MIDDLE_SHADE), FALSE,
                       af_category_title(category), sums.self_ns[category], sums.total_ns);
        }
    }
    draw_dim(sheet, &x, &sums);
    if (af_sheet_shows_waiting(sheet) && sums.waiting_ns > 0) {
        draw_share(sheet, &x, af_paint_frame(AF_CATEGORY_APP, MIDDLE_SHADE), TRUE,
                   af_sheet_clock_time(AF_WAIT), sums.waiting_ns, sums.clocked_ns);
    }
    if (sums.hidden_ns > 0) {
        draw_entry(sheet, &x, AF_PAINT_BLOCK, FALSE,
                   sheet->options->chart ? AF_SAY_TOO_SHORT : AF_SAY_TOO_NARROW);
    }
    sheet->y_c += AF_SWATCH_C + AF_LEGEND_BOTTOM_C;
}
