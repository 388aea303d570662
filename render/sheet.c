#include <string.h>

#include "base/number.h"
#include "model/labels.h"
#include "render/face.h"
#include "render/label.h"
#include "render/sheet_parts.h"

G_STATIC_ASSERT(AF_CATEGORIES == AF_CATEGORY_COUNT);
G_STATIC_ASSERT(AF_SHADES == AF_CATEGORY_SHADES);

/* ---- what the parts share ---- */

int32_t af_sheet_text(af_sheet *sheet, int32_t x, int32_t baseline, int32_t size, int32_t room,
                      gboolean bold, af_paint paint, const char *text)
{
    const af_fitted fitted = af_text_fit(text, bold, size, room);
    if (!fitted.text) {
        return 0;
    }
    af_scene_text_add(sheet->scene, &(af_scene_text){
                                        .x = x,
                                        .baseline = baseline,
                                        .size = size,
                                        .room = room,
                                        .advance = fitted.advance,
                                        .bold = bold,
                                        .simple = fitted.simple,
                                        .paint = paint,
                                        .text = af_scene_string(sheet->scene, fitted.text),
                                    });
    g_free(fitted.text);
    return fitted.advance;
}

static gboolean has_room(const GString *line, const af_flow *flow, int32_t room)
{
    return af_face_advance(FALSE, flow->size, line->str, line->len) <= room;
}

void af_sheet_flow(af_sheet *sheet, const af_flow *flow, const GPtrArray *pieces)
{
    const int32_t end = AF_MARGIN_C + sheet->graph_c;
    int32_t x = flow->first_x;
    unsigned lines = 1;
    GString *line = g_string_new(NULL);
    for (guint i = 0; i < pieces->len; i++) {
        const gsize before = line->len;
        if (before > 0) {
            g_string_append(line, flow->separator);
        }
        g_string_append(line, pieces->pdata[i]);
        const gboolean may_break = flow->lines_max == 0 || lines < flow->lines_max;
        if ((before > 0 || x > AF_MARGIN_C) && may_break && !has_room(line, flow, end - x)) {
            g_string_truncate(line, before);
            af_sheet_text(sheet, x, sheet->y_c, flow->size, end - x, FALSE, flow->paint, line->str);
            g_string_assign(line, pieces->pdata[i]);
            sheet->y_c += flow->line_c;
            x = AF_MARGIN_C;
            lines++;
        }
    }
    af_sheet_text(sheet, x, sheet->y_c, flow->size, end - x, FALSE, flow->paint, line->str);
    g_string_free(line, TRUE);
}

static gboolean runs_from_right(gunichar c)
{
    return (c >= 0x0590 && c <= 0x08FF) || c == 0x200F || (c >= 0xFB1D && c <= 0xFDFF) ||
           (c >= 0xFE70 && c <= 0xFEFE) || (c >= 0x10800 && c <= 0x10FFF) ||
           (c >= 0x1E800 && c <= 0x1EFFF);
}

char *af_sheet_isolate(const char *name)
{
    GString *text = g_string_new(NULL);
    gboolean turns = FALSE;
    for (const char *at = name; *at; at = g_utf8_next_char(at)) {
        const gunichar c = g_utf8_get_char(at);
        const gboolean is_control = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
        turns = turns || runs_from_right(c);
        g_string_append_unichar(text, is_control ? 0xFFFD : c);
    }
    if (turns) {
        g_string_prepend(text, "\xe2\x81\xa8"); /* U+2068 first strong isolate */
        g_string_append(text, "\xe2\x81\xa9");  /* U+2069 pop it */
    }
    return g_string_free(text, FALSE);
}

void af_sheet_rule(af_sheet *sheet)
{
    af_scene_rect_add(sheet->scene, &(af_scene_rect){.x = AF_MARGIN_C,
                                                     .y = sheet->y_c,
                                                     .width = sheet->graph_c,
                                                     .height = AF_PX,
                                                     .paint = AF_PAINT_RULE});
    sheet->y_c += AF_PX;
}

const char *af_sheet_name(af_sheet *sheet, uint32_t label)
{
    const af_label *l = &sheet->profile->labels[label];
    if (!sheet->names[label]) {
        if (l->methods == 1) {
            GString *name = g_string_new(NULL);
            af_method_append_full(name, &sheet->profile->methods[l->method]);
            sheet->names[label] = af_scene_string(sheet->scene, name->str);
            g_string_free(name, TRUE);
        } else {
            sheet->names[label] = l->text;
        }
    }
    return sheet->names[label];
}

char *af_sheet_count(uint64_t n, const char *one, const char *many)
{
    char text[AF_NUMBER_SIZE];
    return g_strdup_printf("%s %s", af_number_count(text, n), n == 1 ? one : many);
}

uint64_t af_panel_time_ns(const af_sheet *sheet, const af_panel *panel)
{
    return af_thread_time_ns(sheet->profile, panel->thread, sheet->options->clock);
}

gboolean af_sheet_shows_waiting(const af_sheet *sheet)
{
    return sheet->options->clock == AF_WALL && af_profile_has(sheet->profile, AF_WALL) &&
           af_profile_has(sheet->profile, AF_CPU);
}

/* ---- which threads ---- */

typedef struct {
    uint32_t thread;
    uint64_t time_ns;
} ranked;

static gint compare_ranks(gconstpointer a, gconstpointer b)
{
    const ranked *x = a, *y = b;
    if (x->time_ns != y->time_ns) {
        return x->time_ns > y->time_ns ? -1 : 1;
    }
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}

GArray *af_sheet_default_threads(const af_profile *profile)
{
    enum { PANELS_MAX = 8 };
    GArray *threads = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    if (profile->n_threads == 0) {
        return threads;
    }
    const af_clock clock = af_profile_has(profile, AF_CPU) ? AF_CPU : AF_WALL;
    const uint32_t first = af_profile_main_thread(profile);
    GArray *ranks = g_array_new(FALSE, FALSE, sizeof(ranked));
    uint64_t total_ns = 0;
    for (uint32_t i = 0; i < profile->n_threads; i++) {
        const ranked rank = {i, af_thread_time_ns(profile, i, clock)};
        total_ns += rank.time_ns;
        if (i != first) {
            g_array_append_val(ranks, rank);
        }
    }
    g_array_sort(ranks, compare_ranks);
    g_array_append_val(threads, first);
    for (guint i = 0; i < ranks->len && threads->len < PANELS_MAX; i++) {
        const ranked *rank = &g_array_index(ranks, ranked, i);
        if (rank->time_ns > 0 && rank->time_ns >= total_ns / 100) {
            g_array_append_val(threads, rank->thread);
        }
    }
    g_array_unref(ranks);
    return threads;
}

/* ---- the sheet ---- */

static gboolean make_panels(af_sheet *sheet)
{
    const af_sheet_options *options = sheet->options;
    const af_layout_options layout = {
        .clock = options->clock,
        .width_c = sheet->graph_c,
        .min_width_c = options->min_width_c,
    };
    /* heads, marks and margins: about 60 pixels each */
    const int64_t fixed_c = ((int64_t)options->n_threads + 100) * 100 * AF_PX;
    int64_t left_c = AF_EXTENT_MAX_C - MIN(fixed_c, AF_EXTENT_MAX_C / 2);
    for (uint32_t i = 0; i < options->n_threads; i++) {
        af_panel *panel = &sheet->panels[i];
        panel->thread = options->threads[i];
        panel->layout = af_layout_new(sheet->profile->threads[panel->thread].tree, &layout);
        if (!panel->layout) {
            return FALSE;
        }
        sheet->n_panels = i + 1;
        const int64_t held = options->paged ? AF_EXTENT_MAX_C / 2 / AF_ROW_C : left_c / AF_ROW_C;
        panel->rows = af_panel_count_rows(sheet, panel, (uint32_t)held);
        left_c -= (int64_t)panel->rows * AF_ROW_C;
    }
    return TRUE;
}

static char *list_threads(const af_sheet *sheet)
{
    enum { NAMES_MAX = 20 };
    GString *list = g_string_new(NULL);
    for (uint32_t i = 0; i < sheet->n_panels && i < NAMES_MAX; i++) {
        g_string_append_printf(list, "%s%s", i ? ", " : "",
                               sheet->profile->threads[sheet->panels[i].thread].title);
    }
    if (sheet->n_panels > NAMES_MAX) {
        g_string_append_printf(list, " and %u more", sheet->n_panels - NAMES_MAX);
    }
    return g_string_free(list, FALSE);
}

static void set_about(af_sheet *sheet)
{
    const af_sheet_options *options = sheet->options;
    char *selection = list_threads(sheet);
    char *description = af_sheet_describe(sheet);
    af_scene_set_about(sheet->scene, &(af_scene_about){
                                         .title = options->title ? options->title : options->input,
                                         .input = options->input,
                                         .clock = options->clock == AF_CPU ? "cpu" : "wall",
                                         .selection = selection,
                                         .description = description,
                                         .app = sheet->profile->app,
                                         .date_s = af_profile_date_s(sheet->profile),
                                     });
    g_free(selection);
    g_free(description);
}

static void push_part(af_sheet *sheet, const char *id)
{
    /* with several pages there are several */
    af_scene_push(sheet->scene, &(af_scene_group){
                                    .kind = AF_GROUP_PART,
                                    .id = sheet->options->paged ? NULL : id,
                                    .y = sheet->y_c,
                                });
}

/* Panels `first` ... `first + n - 1` on a page of their own. */
static void draw_page(af_sheet *sheet, uint32_t first, uint32_t n, const char *title)
{
    af_scene_page_add(sheet->scene, sheet->width_c, AF_PX, title, title);
    sheet->y_c = 0;
    push_part(sheet, "head");
    af_header_draw(sheet, first, n);
    af_scene_pop(sheet->scene);
    for (uint32_t i = first; i < first + n; i++) {
        af_panel_draw(sheet, &sheet->panels[i]);
    }
    af_sheet_finish_pack(sheet);
    push_part(sheet, "foot");
    af_footer_draw(sheet, first, n);
    af_scene_pop(sheet->scene);
    af_scene_page_resize(sheet->scene, sheet->width_c, sheet->y_c);
}

static void draw_pages(af_sheet *sheet)
{
    if (!sheet->options->paged || sheet->n_panels == 0) {
        draw_page(sheet, 0, sheet->n_panels, NULL);
        return;
    }
    for (uint32_t i = 0; i < sheet->n_panels; i++) {
        draw_page(sheet, i, 1, sheet->profile->threads[sheet->panels[i].thread].title);
    }
}

af_scene *af_sheet_new(const af_profile *profile, const af_sheet_options *options)
{
    af_sheet sheet = {
        .profile = profile,
        .options = options,
        .scene = af_scene_new(),
        .panels = g_try_new0(af_panel, (gsize)options->n_threads + 1),
        .names = g_try_new0(const char *, (gsize)profile->n_labels + 1),
        .width_c = CLAMP(options->width_c, AF_WIDTH_MIN_C, AF_EXTENT_MAX_C),
    };
    sheet.graph_c = sheet.width_c - 2 * AF_MARGIN_C;
    gboolean done = sheet.scene && sheet.panels && sheet.names;
    if (done && options->interactive) {
        af_sheet_equip(&sheet);
    }
    done = done && make_panels(&sheet);
    if (done) {
        set_about(&sheet);
        draw_pages(&sheet);
    }
    done = af_sheet_finish_pack(&sheet) && done && af_scene_ok(sheet.scene);
    af_pack_free(sheet.pack);
    for (uint32_t i = 0; i < sheet.n_panels; i++) {
        af_layout_free(sheet.panels[i].layout);
    }
    g_free(sheet.panels);
    g_free(sheet.names);
    if (!done) {
        af_scene_free(sheet.scene);
        return NULL;
    }
    return sheet.scene;
}
