/* Findings as a list, each a link to its frame. The script draws the list again; a line of its facts
 * is the link, a space, the sentence. The line of the summary has no link. */
#include "finding/finding.h"
#include "render/face.h"
#include "render/page/sheet_parts.h"

/* A frame that is part of deep recursion has another path in the picture, so the link leads to its
 * thread. Free with g_free(). */
static char *make_link(const af_sheet *sheet, const af_finding *f)
{
    const af_thread *thread = &sheet->profile->threads[f->thread];
    const gboolean compacted =
        sheet->recursion != NULL && sheet->recursion->trees[f->thread] != NULL;
    if (f->node != AF_NO_NODE && f->node > 0 && !compacted) {
        return g_strdup_printf("#z=%08x", af_profile_hash_path(sheet->profile, f->thread, f->node));
    }
    g_autofree char *title = g_uri_escape_string(thread->title, NULL, FALSE);
    return g_strdup_printf("#t=%s", title);
}

static const char *find_panel(af_sheet *sheet, uint32_t thread)
{
    for (uint32_t i = 0; i < sheet->n_panels; i++) {
        if (sheet->panels[i].thread == thread) {
            return af_panel_id(sheet, &sheet->panels[i], "");
        }
    }
    return NULL;
}

static void draw_line(af_sheet *sheet, const char *text, af_paint paint, const char *target)
{
    const af_flow flow = {
        .size = AF_FACTS_C, .line_c = AF_FINDINGS_LINE_C, .paint = paint, .separator = " "};
    g_autoptr(GPtrArray) pieces = g_ptr_array_new();
    g_ptr_array_add(pieces, (gpointer)text);
    const int32_t top = sheet->y_c;
    sheet->y_c += AF_FINDINGS_LINE_C;
    af_sheet_flow(sheet, &flow, pieces);
    if (target != NULL) {
        af_scene_link_add(sheet->scene, &(af_scene_link){.x = AF_MARGIN_C,
                                                         .y = top + AF_FINDING_DESCENT_C,
                                                         .width = sheet->graph_c,
                                                         .height = sheet->y_c - top,
                                                         .target = target});
    }
}

/* The sentences, isolated, with their links; ends with the summary, if there is one. */
static GPtrArray *list_lines(const af_sheet *sheet, const af_explanation *e)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    for (unsigned i = 0; i < e->n; i++) {
        g_autofree char *link = make_link(sheet, &e->findings[i]);
        g_autofree char *text = af_sheet_isolate(e->findings[i].text);
        g_ptr_array_add(lines, g_strdup_printf("%s %u. %s", link, i + 1, text));
    }
    if (e->n == 0) {
        g_ptr_array_add(lines, g_strdup(" " AF_SAY_NO_FINDINGS));
    }
    return lines;
}

int32_t af_findings_draw(af_sheet *sheet)
{
    const af_explanation *e = sheet->options->explanation;
    if (e == NULL || e->thread == AF_NO_NODE) {
        return 0;
    }
    const int32_t top = sheet->y_c;
    GPtrArray *lines = list_lines(sheet, e);
    af_scene_group group = {.id = "findings"};
    if (sheet->options->packed) {
        group.facts = af_sheet_lines(sheet, lines);
    }
    af_sheet_push_part(sheet, &group);
    for (guint i = 0; i < lines->len; i++) {
        const char *line = lines->pdata[i];
        draw_line(sheet, strchr(line, ' ') + 1, e->n > 0 ? AF_PAINT_INK : AF_PAINT_MUTED,
                  i < e->n ? find_panel(sheet, e->findings[i].thread) : NULL);
    }
    sheet->y_c += AF_FINDINGS_BOTTOM_C;
    af_sheet_rule(sheet);
    af_scene_pop(sheet->scene);
    g_ptr_array_unref(lines);
    const int32_t height = sheet->y_c - top;
    if (!sheet->options->packed) {
        return 0;
    }
    sheet->y_c = top;
    af_sheet_push_part(sheet, &(af_scene_group){.id = "below", .lower_c = height});
    return height;
}

void af_sheet_badge(af_sheet *sheet, unsigned number, int32_t x, int32_t y)
{
    char text[4];
    g_snprintf(text, sizeof text, "%u", number);
    const int32_t advance = af_face_advance(TRUE, AF_BADGE_FACE_C, text, strlen(text));
    const int32_t ring_c = AF_BADGE_C + AF_PX; /* separates the badge from the frame below it */
    af_scene_rect_add(sheet->scene, &(af_scene_rect){.x = x - ring_c / 2,
                                                     .y = y - ring_c / 2,
                                                     .width = ring_c,
                                                     .height = ring_c,
                                                     .radius = ring_c / 2,
                                                     .paint = AF_PAINT_PAGE});
    af_scene_rect_add(sheet->scene, &(af_scene_rect){.x = x - AF_BADGE_C / 2,
                                                     .y = y - AF_BADGE_C / 2,
                                                     .width = AF_BADGE_C,
                                                     .height = AF_BADGE_C,
                                                     .radius = AF_BADGE_C / 2,
                                                     .paint = AF_PAINT_INK});
    af_sheet_text(sheet, x - advance / 2, y + AF_BADGE_FACE_C * 36 / 100, AF_BADGE_FACE_C, advance,
                  TRUE, AF_PAINT_PAGE, text);
}
