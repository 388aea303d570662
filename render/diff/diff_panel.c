/* The graph of one thread of a comparison. */
#include <string.h>

#include "render/diff/diff_parts.h"
#include "render/face.h"

/* A block is pale if all of its siblings are. */
static gboolean is_pale(const af_panel *panel, const af_diff_tree *tree, const af_frame *frame)
{
    uint32_t node = frame->node;
    gboolean pale = TRUE;
    for (uint32_t i = 0; pale && i < MAX(frame->nodes, 1); i++) {
        pale = af_diff_is_pale(tree->status[node]);
        node += panel->size[node];
    }
    return pale;
}

static void draw_bars(af_diff_sheet *sheet, const af_panel *panel, const af_frame *frame, int32_t y)
{
    const af_diff_tree *tree = &sheet->diff->threads[panel->thread].tree;
    const af_diff_parts parts = af_diff_panel_parts(panel, tree, frame);
    const uint64_t offset = frame->offset_ns, whole = tree->width[0];
    const int32_t graph_c = sheet->page.graph_c;
    const int32_t full = frame->x1 - frame->x0;
    const int32_t ends[2] = {
        af_axis_x(graph_c, offset + parts.common, whole) - frame->x0,
        af_axis_x(graph_c, offset + parts.common + parts.grown, whole) - frame->x0,
    };
    const uint8_t category = tree->category[frame->node];
    const af_scene_rect bar = {
        .x = AF_MARGIN_C + frame->x0,
        .y = y,
        /* a gap between neighbours, but at most a sixth of a narrow frame */
        .width = full - MIN(AF_GAP_C, full / 6),
        .height = AF_FRAME_C,
        .paint = frame->nodes > 0 ? AF_PAINT_BLOCK : af_paint_frame(category, AF_CATEGORY_DIM),
    };
    af_diff_bar_draw(sheet, &bar, ends, is_pale(panel, tree, frame));
    if (frame->nodes == 0 && category == AF_CATEGORY_IDLE) {
        af_sheet_texture(&sheet->page, &bar, AF_TEXTURE_DOTS);
    }
    if (frame->nodes == 0 && tree->status[frame->node] == AF_DIFF_MOVED) {
        af_diff_bar_dash(sheet, &bar);
    }
}

/* The name of a label in full; names of thousands of frames must not produce gigabytes. */
static const char *keep_name(af_diff_sheet *sheet, uint32_t label)
{
    const af_diff_label *l = &sheet->diff->labels[label];
    const char **name = &sheet->page.names[label];
    if (*name == NULL && l->length <= AF_NAME_MAX) {
        *name = l->text;
    } else if (*name == NULL) {
        g_autoptr(GString) cut = g_string_new(NULL);
        af_sheet_append_name(cut, l->text);
        *name = af_scene_string(sheet->page.scene, cut->str);
    }
    return *name;
}

static void push_frame(af_diff_sheet *sheet, const af_panel *panel, const af_frame *frame)
{
    const af_diff_tree *tree = &sheet->diff->threads[panel->thread].tree;
    af_scene_group group = {
        .kind = frame->nodes > 0 ? AF_GROUP_BLOCK : AF_GROUP_FRAME,
        .details = af_diff_details(sheet, panel, frame),
        .frames = frame->nodes,
    };
    if (frame->nodes == 0) {
        const af_diff_label *label = &sheet->diff->labels[tree->label[frame->node]];
        group.name = keep_name(sheet, tree->label[frame->node]);
        group.source = label->source && strnlen(label->source, AF_NAME_MAX + 1) <= AF_NAME_MAX
                           ? label->source
                           : NULL;
    }
    af_scene_push(sheet->page.scene, &group);
}

/* The number of the cause that the frame of a ticket shows; 0 = none. */
static unsigned find_cause(const af_diff_sheet *sheet, const af_panel *panel, const af_frame *frame)
{
    const af_diff *diff = sheet->diff;
    const gboolean is_ticket = sheet->options->verdict != NULL && frame->nodes == 0;
    for (uint32_t i = 0; is_ticket && i < diff->n_causes; i++) {
        if (diff->causes[i].thread == panel->thread && diff->causes[i].node == frame->node) {
            return i + 1;
        }
    }
    return 0;
}

static void draw_frame(af_diff_sheet *sheet, const af_panel *panel, const af_frame *frame,
                       int32_t y)
{
    push_frame(sheet, panel, frame);
    draw_bars(sheet, panel, frame, y);
    const unsigned cause = find_cause(sheet, panel, frame);
    af_frame shown = *frame;
    shown.x1 = cause > 0 ? MAX(shown.x0, shown.x1 - AF_BADGE_C - AF_PX) : shown.x1;
    const af_label_form fitted = af_diff_label_fit(&sheet->page, panel, &shown);
    af_sheet_form(&sheet->page, AF_MARGIN_C + frame->x0 + AF_INSET_C, y + AF_BASELINE_C, AF_LABEL_C,
                  shown.x1 - shown.x0 - AF_GAP_C - 2 * AF_INSET_C, FALSE, AF_PAINT_LABEL, fitted);
    if (cause > 0) {
        af_sheet_badge(&sheet->page, cause,
                       AF_MARGIN_C + MAX(frame->x0, frame->x1 - AF_BADGE_C / 2 - AF_PX),
                       y + AF_FRAME_C / 2);
    }
    af_scene_pop(sheet->page.scene);
}

/* Draws where frames continue in the omitted rows, and how much changed there. */
static void draw_more_rows(af_diff_sheet *sheet, const af_panel *panel, int32_t top)
{
    const af_layout *layout = panel->layout;
    const af_diff_tree *tree = &sheet->diff->threads[panel->thread].tree;
    const gboolean inverted = sheet->options->inverted;
    af_diff_parts sum = {0, 0, 0};
    const int32_t y = inverted ? top + AF_PX : top + AF_MORE_ROWS_C - AF_MORE_ROWS_STRIP_C - AF_PX;
    g_autofree char *count = af_sheet_count(layout->rows_in_tree - panel->rows, AF_SAY_ROWS);
    af_scene_push(sheet->page.scene, &(af_scene_group){.kind = AF_GROUP_PART});
    for (uint32_t i = 0; i < layout->n && layout->frames[i].row <= panel->rows; i++) {
        const af_frame *frame = &layout->frames[i];
        if (frame->row == panel->rows) {
            const af_diff_parts parts = af_diff_panel_parts(panel, tree, frame);
            sum.grown += parts.grown;
            sum.shrunk += parts.shrunk;
            af_sheet_rect(&sheet->page, AF_MARGIN_C + frame->x0, y, frame->x1 - frame->x0,
                          AF_MORE_ROWS_STRIP_C, AF_PAINT_RULE);
        }
    }
    char grown[AF_NUMBER_SIZE], shrunk[AF_NUMBER_SIZE];
    g_autofree char *text =
        g_strdup_printf("%s %s: grown %s, shrunk %s", count, inverted ? "below" : "above",
                        af_number_amount(grown, sum.grown, &sheet->diff->unit),
                        af_number_amount(shrunk, sum.shrunk, &sheet->diff->unit));
    af_sheet_muted(&sheet->page,
                   top - sheet->page.y_c +
                       (inverted ? AF_MORE_ROWS_BASELINE_BELOW_C : AF_MORE_ROWS_BASELINE_ABOVE_C),
                   text);
    af_scene_pop(sheet->page.scene);
}

static void draw_rows_below(af_diff_sheet *sheet, const af_panel *panel)
{
    if (panel->first_row > 0) {
        g_autofree char *count = af_sheet_count(panel->first_row, AF_SAY_ROWS);
        g_autofree char *text = g_strdup_printf("%s below", count);
        af_sheet_muted(&sheet->page, AF_MORE_ROWS_BASELINE_BELOW_C, text);
        sheet->page.y_c += AF_MORE_ROWS_C;
    }
}

static void draw_rows(af_diff_sheet *sheet, const af_panel *panel)
{
    const af_layout *layout = panel->layout;
    const gboolean inverted = sheet->options->inverted;
    const int32_t more_rows_c = panel->rows < layout->rows ? AF_MORE_ROWS_C : 0;
    const int32_t rows_c = (int32_t)(panel->rows - panel->first_row) * AF_ROW_C;
    const int32_t top = sheet->page.y_c + (inverted ? 0 : more_rows_c);
    if (more_rows_c > 0) {
        draw_more_rows(sheet, panel, inverted ? top + rows_c : sheet->page.y_c);
    }
    for (uint32_t i = 0; i < layout->n && layout->frames[i].row < panel->rows; i++) {
        if (layout->frames[i].row >= panel->first_row) {
            const int32_t row_c = (int32_t)(layout->frames[i].row - panel->first_row) * AF_ROW_C;
            draw_frame(sheet, panel, &layout->frames[i],
                       inverted ? top + row_c : top + rows_c - AF_ROW_C - row_c);
        }
    }
    sheet->page.y_c += rows_c + more_rows_c;
    draw_rows_below(sheet, panel);
}

/* "1,104 ms → 1,124 ms", "+20.1 ms (+1.8 %)", "grown 128.7 ms, shrunk 107.3 ms" */
static GPtrArray *list_facts(const af_diff *diff, const af_diff_thread *thread)
{
    const af_diff_tree *tree = &thread->tree;
    const uint64_t before = af_diff_path_time(tree, AF_BEFORE, 0);
    const uint64_t after = af_diff_path_time(tree, AF_AFTER, 0);
    GPtrArray *facts = g_ptr_array_new_with_free_func(g_free);
    char one[AF_NUMBER_SIZE], other[AF_NUMBER_SIZE];
    if (thread->status == AF_DIFF_NOISE) {
        g_ptr_array_add(facts, g_strdup("within noise"));
    }
    for (unsigned s = 0; s < AF_SIDES; s++) {
        if (thread->name[s] == NULL) {
            g_ptr_array_add(facts, g_strdup(s == AF_BEFORE ? "only in after" : "only in before"));
        }
    }
    g_autoptr(GString) change = g_string_new(NULL);
    af_diff_append_change(change, before, after, &diff->unit);
    g_ptr_array_add(facts, g_strdup(change->str));
    g_ptr_array_add(facts, g_strdup_printf("%s → %s", af_number_amount(one, before, &diff->unit),
                                           af_number_amount(other, after, &diff->unit)));
    g_ptr_array_add(facts, g_strdup_printf("grown %s, shrunk %s",
                                           af_number_amount(one, tree->grown[0], &diff->unit),
                                           af_number_amount(other, tree->shrunk[0], &diff->unit)));
    return facts;
}

static void draw_head(af_diff_sheet *sheet, const af_panel *panel)
{
    const af_diff_thread *thread = &sheet->diff->threads[panel->thread];
    g_autoptr(GPtrArray) facts = list_facts(sheet->diff, thread);
    sheet->page.y_c += AF_HEAD_BASELINE_C;
    const int32_t advance = af_sheet_name(
        &sheet->page, AF_MARGIN_C, sheet->page.y_c, AF_HEAD_FACE_C, sheet->page.graph_c / 2, TRUE,
        AF_PAINT_INK, thread->title[0] != '\0' ? thread->title : AF_SAY_NO_NAME);
    af_sheet_flow_facts(&sheet->page, advance, facts);
    sheet->page.y_c += AF_HEAD_TO_GRAPH_C;
}

/* The three parts of the whole thread. */
static void draw_whole(af_diff_sheet *sheet, const af_panel *panel)
{
    const af_diff_thread *thread = &sheet->diff->threads[panel->thread];
    const af_diff_tree *tree = &thread->tree;
    const int32_t ends[2] = {
        af_axis_x(sheet->page.graph_c, af_diff_path_common(tree, 0), tree->width[0]),
        af_axis_x(sheet->page.graph_c, tree->width[0] - tree->shrunk[0], tree->width[0]),
    };
    const af_scene_rect bar = {.x = AF_MARGIN_C,
                               .y = sheet->page.y_c,
                               .width = sheet->page.graph_c,
                               .height = AF_DIFF_WHOLE_C,
                               .paint = AF_PAINT_BLOCK};
    af_diff_bar_draw(sheet, &bar, ends, af_diff_is_pale((uint8_t)thread->status));
    sheet->page.y_c += AF_DIFF_WHOLE_C + AF_DIFF_WHOLE_TO_GRAPH_C;
}

void af_diff_panel_draw(af_diff_sheet *sheet, af_panel *panel)
{
    const int32_t top = sheet->page.y_c;
    const af_diff_thread *thread = &sheet->diff->threads[panel->thread];
    g_autofree char *id = g_strdup_printf("thread-%u", panel->thread + 1);
    af_scene_push(sheet->page.scene, &(af_scene_group){.kind = AF_GROUP_PANEL,
                                                       .id = af_scene_string(sheet->page.scene, id),
                                                       .name = thread->title,
                                                       .thread = panel->thread + 1,
                                                       .y = sheet->page.y_c});
    draw_head(sheet, panel);
    if (panel->layout->n > 0) {
        const uint64_t width = panel->tree->inclusive[AF_WALL][0];
        draw_whole(sheet, panel);
        af_scale_draw(&sheet->page, &(af_graph_scale){width, width, &sheet->diff->unit});
        draw_rows(sheet, panel);
    } else {
        sheet->page.y_c += AF_NOTHING_C;
        af_sheet_muted(&sheet->page, 0, AF_SAY_DIFF_NOTHING);
        sheet->page.y_c += AF_NOTHING_BOTTOM_C;
    }
    af_scene_pop(sheet->page.scene);
    sheet->page.y_c += AF_BOTTOM_C;
    panel->height_c = sheet->page.y_c - top;
}
