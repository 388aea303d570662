#include <string.h>

#include "base/number.h"
#include "render/face.h"
#include "render/page/sheet_parts.h"

typedef struct {
    uint64_t self_ns[AF_CATEGORY_COUNT];
    gboolean drawn[AF_CATEGORY_COUNT];  /* frames with any time, even if none is their own */
    uint64_t dim_ns[AF_CATEGORY_COUNT]; /* of these */
    uint64_t total_ns, hidden_ns, waiting_ns;
} shares;

static void add_panel(const af_sheet *sheet, const af_panel *panel, shares *sums)
{
    const af_tree *tree = sheet->profile->threads[panel->thread].tree;
    const af_clock clock = sheet->options->clock;
    const uint64_t *widths = af_tree_widths(tree, clock);
    for (uint32_t i = 1; widths && i < tree->n; i++) {
        const uint64_t spent_ns = af_sheet_spent_ns(sheet, tree, i);
        const af_label *label = &sheet->profile->labels[tree->label[i]];
        const unsigned hue = af_hue_of_node(sheet, tree, i, label);
        sums->self_ns[hue] += spent_ns;
        const gboolean grey = hue == AF_WAIT_HUE_OTHER && af_hues_show_greys(sheet);
        sums->drawn[hue] |= spent_ns > 0 || (widths[i] > 0 && !grey);
        sums->dim_ns[hue] += label->shade == AF_CATEGORY_DIM ? spent_ns : 0;
        sums->total_ns += spent_ns;
    }
    if (tree->n > 0) {
        sums->waiting_ns += af_tree_time_ns(tree, 0, AF_WAIT);
    }
    sums->hidden_ns += panel->layout->hidden_ns;
}

void af_legend_wrap(af_sheet *sheet, int32_t *x, int32_t line_c, const char *text)
{
    const int32_t advance = af_face_advance(FALSE, AF_SMALL_C, text, strlen(text));
    if (*x > AF_MARGIN_C && *x + AF_SWATCH_TO_TEXT_C + advance > AF_MARGIN_C + sheet->graph_c) {
        *x = AF_MARGIN_C;
        sheet->y_c += line_c;
    }
}

void af_legend_text(af_sheet *sheet, int32_t *x, int32_t baseline_c, af_paint paint,
                    const char *text)
{
    af_sheet_text(sheet, *x, sheet->y_c + baseline_c, AF_SMALL_C, AF_MARGIN_C + sheet->graph_c - *x,
                  FALSE, paint, text);
    *x += af_face_advance(FALSE, AF_SMALL_C, text, strlen(text)) + AF_ENTRY_GAP_C;
}

int32_t af_legend_entry(af_sheet *sheet, int32_t *x, int32_t line_c, int32_t baseline_c,
                        const af_scene_rect *sample, const char *text)
{
    af_legend_wrap(sheet, x, line_c, text);
    af_scene_rect rect = *sample;
    rect.x = *x;
    rect.y += sheet->y_c;
    rect.width = AF_SWATCH_C;
    af_scene_rect_add(sheet->scene, &rect);
    *x += AF_SWATCH_TO_TEXT_C;
    af_legend_text(sheet, x, baseline_c, AF_PAINT_INK, text);
    return rect.x;
}

/* Draws a colour sample with its text. Returns its position. */
static int32_t draw_entry(af_sheet *sheet, int32_t *x, af_paint paint, gboolean hatched,
                          const char *text)
{
    return af_legend_entry(sheet, x, AF_LEGEND_LINE_C, AF_SWATCH_BASELINE_C,
                           &(af_scene_rect){.height = AF_SWATCH_C,
                                            .paint = paint,
                                            .hatched = hatched,
                                            .radius = AF_SWATCH_RADIUS_C},
                           text);
}

/* Adds a texture to the colour sample at `x`. */
static void add_texture(af_sheet *sheet, int32_t x, af_texture texture)
{
    const af_scene_rect sample = {
        .x = x, .y = sheet->y_c, .width = AF_SWATCH_C, .height = AF_SWATCH_C};
    af_sheet_texture(sheet, &sample, texture);
}

/* "idle 12.1 %"; the title alone if that is nothing. Free with g_free(). */
static char *describe_share(const char *title, uint64_t part_ns, uint64_t total_ns)
{
    char share[AF_NUMBER_SIZE];
    g_autofree char *isolated = af_sheet_isolate(title);
    return part_ns == 0
               ? g_steal_pointer(&isolated)
               : g_strdup_printf("%s %s", isolated, af_number_share(share, part_ns, total_ns));
}

/* Only --clean dims frames. Uses the dim colour of the category with most of them. */
static void draw_dim(af_sheet *sheet, int32_t *x, const shares *sums)
{
    uint64_t sum_ns = 0;
    unsigned most = 0;
    for (unsigned category = 0; category < AF_CATEGORY_COUNT; category++) {
        sum_ns += sums->dim_ns[category];
        most = sums->dim_ns[category] > sums->dim_ns[most] ? category : most;
    }
    if (sum_ns > 0) {
        g_autofree char *text = describe_share(AF_SAY_DIMMED, sum_ns, sums->total_ns);
        draw_entry(sheet, x, af_paint_frame(most, AF_CATEGORY_DIM), FALSE, text);
    }
}

/* "Share of self wall time, 8 of 18 threads drawn:" */
static char *describe_base(const af_sheet *sheet, uint32_t n)
{
    static const char *const selfs[] = {AF_SAY_SELF};
    const af_profile *profile = sheet->profile;
    const af_unit *unit = &profile->facts.weights.unit;
    g_autofree char *isolated = af_sheet_isolate(unit->name && unit->counted ? unit->name : "time");
    g_autofree char *what = unit->name ? g_strdup_printf(AF_SAY_SELF_OF, isolated)
                                       : g_strdup(selfs[sheet->options->clock]);
    char drawn[AF_NUMBER_SIZE];
    g_autofree char *threads = af_sheet_count_threads(profile, profile->n_threads, "");
    return profile->n_threads < 2
               ? g_strdup_printf(AF_SAY_SHARE, what)
               : g_strdup_printf(AF_SAY_SHARE_OF, what, af_number_count(drawn, n), threads);
}

/* Categories have a fixed order; groups are ordered by their share, after these the others. */
static void order_hues(const af_sheet *sheet, const shares *sums, unsigned order[AF_CATEGORY_COUNT])
{
    const gboolean grouped = sheet->profile->n_groups > 0 && !af_hues_show_reasons(sheet);
    for (unsigned hue = 0; hue < AF_CATEGORY_COUNT; hue++) {
        unsigned at = hue;
        while (grouped && at > 0 && hue != AF_CATEGORY_UNKNOWN &&
               (order[at - 1] == AF_CATEGORY_UNKNOWN ||
                sums->self_ns[order[at - 1]] < sums->self_ns[hue])) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = hue;
    }
}

/* A part of the bar of categories. */
typedef struct {
    unsigned hue;
    int32_t x0, x1; /* from the margin */
    char *text;
    gboolean labelled; /* there is room for the text */
} part;

static unsigned list_parts(const af_sheet *sheet, const shares *sums, part parts[AF_CATEGORY_COUNT])
{
    unsigned order[AF_CATEGORY_COUNT], n = 0;
    uint64_t before_ns = 0;
    order_hues(sheet, sums, order);
    for (unsigned i = 0; i < AF_CATEGORY_COUNT; i++) {
        const unsigned hue = order[i];
        const uint64_t self_ns = sums->self_ns[hue], after_ns = before_ns + self_ns;
        if (!sums->drawn[hue]) {
            continue;
        }
        part *it = &parts[n++];
        *it = (part){
            .hue = hue,
            .x0 = af_axis_x(sheet->graph_c, before_ns, sums->total_ns),
            .x1 = af_axis_x(sheet->graph_c, after_ns, sums->total_ns),
            .text = describe_share(af_hue_title(sheet, hue), self_ns, sums->total_ns),
        };
        it->labelled = af_face_advance(FALSE, AF_SMALL_C, it->text, strlen(it->text)) <=
                       it->x1 - it->x0 - AF_GAP_C - 2 * AF_INSET_C;
        before_ns = after_ns;
    }
    return n;
}

static void draw_part(af_sheet *sheet, const part *it)
{
    const int32_t full = it->x1 - it->x0;
    const af_scene_rect bar = {
        .x = AF_MARGIN_C + it->x0,
        .y = sheet->y_c,
        .width = full - MIN(AF_GAP_C, full / 6),
        .height = AF_FRAME_C,
        .paint = af_paint_frame(it->hue, AF_MIDDLE_SHADE),
    };
    af_sheet_rect(sheet, bar.x, bar.y, bar.width, bar.height, bar.paint);
    if (it->hue == AF_CATEGORY_IDLE) {
        af_sheet_texture(sheet, &bar, AF_TEXTURE_DOTS);
    }
    if (it->labelled) {
        af_sheet_text(sheet, bar.x + AF_INSET_C, bar.y + AF_BASELINE_C, AF_SMALL_C,
                      bar.width - 2 * AF_INSET_C, FALSE, AF_PAINT_LABEL, it->text);
    }
}

/* One bar, whose parts have their texts on them; those without room for it are on the line above. */
static void draw_categories(af_sheet *sheet, const shares *sums, uint32_t n)
{
    int32_t x = AF_MARGIN_C;
    part parts[AF_CATEGORY_COUNT];
    g_autofree char *base = describe_base(sheet, n);
    af_legend_text(sheet, &x, AF_SWATCH_BASELINE_C, AF_PAINT_MUTED, base);
    const unsigned n_parts = list_parts(sheet, sums, parts);
    for (unsigned i = 0; i < n_parts; i++) {
        if (!parts[i].labelled) {
            const int32_t left = draw_entry(
                sheet, &x, af_paint_frame(parts[i].hue, AF_MIDDLE_SHADE), FALSE, parts[i].text);
            if (parts[i].hue == AF_CATEGORY_IDLE) {
                add_texture(sheet, left, AF_TEXTURE_DOTS);
            }
        }
    }
    draw_dim(sheet, &x, sums);
    sheet->y_c += AF_LEGEND_LINE_C;
    for (unsigned i = 0; i < n_parts; i++) {
        draw_part(sheet, &parts[i]);
        g_free(parts[i].text);
    }
}

/* Waiting occurs in all categories and is not part of their sum. The samples have the colour of the
 * app; without an app, that of the category with the most time. */
static void draw_waiting(af_sheet *sheet, int32_t *x, const shares *sums)
{
    unsigned hue = AF_CATEGORY_APP;
    for (unsigned other = 0; other < AF_CATEGORY_COUNT && !sums->drawn[AF_CATEGORY_APP]; other++) {
        hue = sums->self_ns[other] > sums->self_ns[hue] ? other : hue;
    }
    const af_paint sample = af_paint_frame(hue, AF_MIDDLE_SHADE);
    draw_entry(sheet, x, sample, TRUE, AF_SAY_WAITS);
    if (sheet->options->chart) {
        return;
    }
    const int32_t left = draw_entry(sheet, x, sample, FALSE, AF_SAY_FOOT);
    af_sheet_rect(sheet, left, sheet->y_c + AF_SWATCH_C - AF_FOOT_C, AF_SWATCH_C / 2, AF_FOOT_C,
                  AF_PAINT_FOOT);
}

static gboolean has_states(const af_sheet *sheet, uint32_t first, uint32_t n)
{
    gboolean any = FALSE;
    for (uint32_t i = first; i < first + n; i++) {
        const af_panel *panel = &sheet->panels[i];
        any = any || (panel->calls != NULL && panel->calls->states.n > 0);
    }
    return any;
}

/* What the heights and colours of the band above a track mean. */
static void draw_states(af_sheet *sheet, int32_t *x)
{
    static const char *const names[] = {AF_SAY_RUN_STATES};
    af_legend_text(sheet, x, AF_SWATCH_BASELINE_C, AF_PAINT_MUTED, AF_SAY_RUNS);
    for (unsigned k = 0; k < AF_RUN_STATES; k++) {
        const int32_t height = af_run_height((af_run_state)k);
        const af_scene_rect sample = {.y = (AF_SWATCH_C + AF_RUN_RUNNING_C) / 2 - height,
                                      .height = height,
                                      .paint = af_run_paint((af_run_state)k)};
        af_legend_entry(sheet, x, AF_LEGEND_LINE_C, AF_SWATCH_BASELINE_C, &sample, names[k]);
    }
}

void af_legend_draw(af_sheet *sheet, uint32_t first, uint32_t n)
{
    shares sums = {.total_ns = 0};
    const gboolean frames = sheet->options->chart == NULL || sheet->options->chart->calls > 0;
    for (uint32_t i = first; i < first + n && frames; i++) {
        add_panel(sheet, &sheet->panels[i], &sums);
    }
    const gboolean waits = af_sheet_shows_waiting(sheet) && sums.waiting_ns > 0;
    const gboolean states = has_states(sheet, first, n);
    int32_t x = AF_MARGIN_C;
    if (sums.total_ns == 0 && !states) { /* a start with its own legend, a thread without time */
        sheet->y_c += AF_LEGEND_BOTTOM_C;
        return;
    }
    sheet->y_c += AF_FACTS_TO_LEGEND_C;
    const gboolean greys = af_hues_show_greys(sheet) && sums.total_ns > 0;
    if (sums.total_ns > 0) {
        draw_categories(sheet, &sums, n);
        sheet->y_c += waits || states || greys || sums.hidden_ns > 0 ? AF_LEGEND_BAR_C
                                                                     : AF_FRAME_C - AF_SWATCH_C;
    }
    if (waits) {
        draw_waiting(sheet, &x, &sums);
    }
    if (greys) {
        draw_entry(sheet, &x, AF_PAINT_RULE, FALSE, AF_SAY_GREYS);
    }
    if (states) {
        draw_states(sheet, &x);
    }
    if (sums.hidden_ns > 0) {
        const int32_t left =
            draw_entry(sheet, &x, AF_PAINT_BLOCK, FALSE,
                       sheet->options->chart ? AF_SAY_TOO_SHORT : AF_SAY_TOO_NARROW);
        add_texture(sheet, left, AF_TEXTURE_DASHES);
    }
    sheet->y_c += AF_SWATCH_C + AF_LEGEND_BOTTOM_C;
}
