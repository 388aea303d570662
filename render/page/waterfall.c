/* Draws the start of an app: a bar for each phase, along time. */
#include "calls/startup.h"
#include "model/labels.h"
#include "render/face.h"
#include "render/page/sheet_parts.h"

enum {
    BAR_C = 12 * AF_PX,
    TEXT_C = 19 * AF_PX, /* the line above a bar */
    TEXT_TO_BAR_C = 5 * AF_PX,
    GAP_C = 8 * AF_PX,
    INDENT_C = 2 * AF_PX, /* a part of bindApplication is as much thinner */
    LEAST_C = 2 * AF_PX,
};

static int32_t position(const af_sheet *sheet, const af_startup *startup, uint64_t ns)
{
    return af_axis_x(sheet->graph_c, MIN(ns, startup->to_ns) - startup->from_ns,
                     startup->to_ns - startup->from_ns);
}

static uint64_t measure(const af_startup_phase *phase)
{
    return phase->end_ns - phase->begin_ns;
}

static void add_bar(af_sheet *sheet, int32_t x0, int32_t x1, int32_t inset, unsigned category)
{
    af_sheet_rect(sheet, AF_MARGIN_C + x0, sheet->y_c + inset, x1 - x0, BAR_C - 2 * inset,
                  af_paint_frame(category, 1));
}

/* "RecipesApp.onCreate, of which 12.3 ms in methods of the app" */
static const char *describe(const af_sheet *sheet, const af_startup_phase *phase)
{
    char time[AF_NUMBER_SIZE];
    g_autoptr(GString) text = g_string_new(NULL);
    af_sheet_append_name(text, sheet->profile->labels[phase->label].text);
    if (phase->app_ns > 0) {
        g_string_append_printf(text, "\n" AF_SAY_OWN_CODE, af_number_exact(time, phase->app_ns));
    }
    return af_scene_string(sheet->scene, text->str);
}

/* "Application.onCreate  131.5 ms · 27.1 %": above the bar, but within the page. */
static void draw_text(af_sheet *sheet, const af_startup *startup, const af_startup_phase *phase,
                      int32_t x)
{
    char time[AF_NUMBER_SIZE], share[AF_NUMBER_SIZE];
    const char *title = af_startup_title(phase->kind);
    const gboolean bold = !af_startup_is_inside(phase->kind);
    g_autoptr(GString) numbers = g_string_new(NULL);
    if (phase->kind == AF_STARTUP_PROVIDER) {
        af_sheet_append_short(numbers, &sheet->profile->labels[phase->label]);
        g_string_append(numbers, " \xc2\xb7 ");
    }
    g_string_append_printf(
        numbers, "%s \xc2\xb7 %s", af_number_time(time, measure(phase)),
        af_number_share(share, measure(phase), startup->to_ns - startup->from_ns));
    const int32_t head = af_face_advance(bold, AF_SMALL_C, title, strlen(title)) + AF_INSET_C;
    const int32_t width =
        head + af_face_advance(FALSE, AF_SMALL_C, numbers->str, numbers->len) + AF_PX;
    x = MAX(MIN(x, sheet->graph_c - width), 0);
    sheet->y_c += TEXT_C - TEXT_TO_BAR_C;
    af_sheet_text(sheet, AF_MARGIN_C + x, sheet->y_c, AF_SMALL_C, sheet->graph_c - x, bold,
                  AF_PAINT_INK, title);
    af_sheet_text(sheet, AF_MARGIN_C + x + head, sheet->y_c, AF_SMALL_C,
                  MAX(sheet->graph_c - x - head, AF_PX), FALSE, AF_PAINT_MUTED, numbers->str);
    sheet->y_c += TEXT_TO_BAR_C;
}

/* The app's part of a bar is as long as its time, wherever that was. */
static void draw_phase(af_sheet *sheet, const af_startup *startup, const af_startup_phase *phase)
{
    const int32_t inset = af_startup_is_inside(phase->kind) ? INDENT_C : 0;
    const int32_t x0 = MIN(position(sheet, startup, phase->begin_ns), sheet->graph_c - LEAST_C);
    const int32_t x1 = MAX(position(sheet, startup, phase->end_ns), x0 + LEAST_C);
    const uint64_t all = measure(phase);
    const int32_t app = af_axis_x(x1 - x0, MIN(phase->app_ns, all), all);
    af_scene_push(sheet->scene, &(af_scene_group){.kind = AF_GROUP_MARKER,
                                                  .name = af_startup_title(phase->kind),
                                                  .details = describe(sheet, phase)});
    draw_text(sheet, startup, phase, x0);
    add_bar(sheet, x0, x0 + app, inset, AF_CATEGORY_APP);
    add_bar(sheet, x0 + app, x1, inset, AF_CATEGORY_ANDROID);
    af_scene_pop(sheet->scene);
    sheet->y_c += BAR_C + GAP_C;
}

static void draw_entry(af_sheet *sheet, int32_t *x, unsigned category, const char *text)
{
    af_legend_entry(sheet, x, AF_LEGEND_LINE_C, AF_SWATCH_BASELINE_C,
                    &(af_scene_rect){.height = AF_SWATCH_C, .paint = af_paint_frame(category, 1)},
                    text);
}

/* The time of the app's methods in all phases, those within another one once. */
static void draw_legend(af_sheet *sheet, const af_startup *startup)
{
    char time[AF_NUMBER_SIZE];
    uint64_t app_ns = 0;
    int32_t x = AF_MARGIN_C;
    for (unsigned i = 0; i < startup->n; i++) {
        app_ns += af_startup_is_inside(startup->phases[i].kind) ? 0 : startup->phases[i].app_ns;
    }
    g_autofree char *text = g_strdup_printf(AF_SAY_OWN_CODE, af_number_time(time, app_ns));
    draw_entry(sheet, &x, AF_CATEGORY_APP, text);
    draw_entry(sheet, &x, AF_CATEGORY_ANDROID, AF_SAY_OTHER_CODE);
    sheet->y_c += AF_SWATCH_C + GAP_C;
}

void af_waterfall_draw(af_sheet *sheet, const af_startup *startup)
{
    const uint64_t all = startup->to_ns - startup->from_ns;
    const af_unit ns = {0};
    const af_graph_scale scale = {.extent = all, .whole = all, .unit = &ns};
    af_scene_push(sheet->scene, &(af_scene_group){.kind = AF_GROUP_PART, .id = "startup"});
    sheet->y_c += GAP_C;
    if (startup->has_app) {
        draw_legend(sheet, startup);
    }
    af_scale_draw(sheet, &scale);
    for (unsigned i = 0; i < startup->n; i++) {
        draw_phase(sheet, startup, &startup->phases[i]);
    }
    sheet->y_c += AF_BOTTOM_C;
    af_scene_pop(sheet->scene);
}
