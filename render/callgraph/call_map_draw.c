/* Draws a call graph below the header of a sheet. */
#include "model/groups.h"
#include "render/callgraph/call_map.h"
#include "render/page/sheet_parts.h"

typedef struct {
    af_sheet *sheet;
    const af_call_map *map;
    int32_t x, y; /* of the layout on the page */
} drawing;

static void draw_text(const drawing *d, const af_map_text *text, int32_t middle, int32_t top,
                      af_paint paint)
{
    for (unsigned i = 0; i < text->n; i++) {
        const af_map_line *line = &text->lines[i];
        af_scene_text_add(d->sheet->scene,
                          &(af_scene_text){.x = middle - line->advance / 2,
                                           .baseline = top + af_map_text_baseline(text, i),
                                           .size = line->size,
                                           .width_max = line->advance,
                                           .advance = line->advance,
                                           .bold = line->bold,
                                           .simple = line->simple,
                                           .paint = paint,
                                           .text = line->text});
    }
}

static void add_polygon(void *user, const af_graph_point *points, uint32_t n)
{
    const drawing *d = user;
    g_autofree af_scene_point *moved = g_try_new(af_scene_point, (gsize)n + 1);
    for (uint32_t i = 0; moved != NULL && i < n; i++) {
        moved[i] = (af_scene_point){points[i].x + d->x, points[i].y + d->y};
    }
    if (moved != NULL && n >= 3) {
        af_scene_shape_add(d->sheet->scene, &(af_scene_shape){AF_PAINT_MUTED, n, moved});
    }
}

static const char *name_box(const drawing *d, uint32_t node)
{
    char id[32];
    g_snprintf(id, sizeof id, "method-%u", node + 1);
    return af_scene_string(d->sheet->scene, id);
}

static const char *name_of(const drawing *d, uint32_t node)
{
    return af_sheet_label(d->sheet, d->map->graph->nodes[node].label);
}

/* "a.B.run calls a.C.load", then its numbers */
static const char *describe_arc(const drawing *d, const af_call_arc *arc, const char **name)
{
    const af_unit *unit = &d->map->profile->facts.weights.unit;
    char number[AF_NUMBER_SIZE], calls[AF_NUMBER_SIZE];
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_printf(text, "%s %s %s", name_of(d, arc->from),
                    arc->indirect ? "calls through methods that are left out" : "calls",
                    name_of(d, arc->to));
    *name = af_scene_string(d->sheet->scene, text->str);
    g_string_truncate(text, 0);
    if (arc->time > 0 || arc->calls > 0) {
        g_string_append_printf(text, "%s, %s %s", af_number_amount_exact(number, arc->time, unit),
                               af_number_count(calls, arc->calls),
                               arc->calls == 1 ? "call" : "calls");
    }
    if (arc->nested_time > 0 || arc->nested_calls > 0) {
        g_string_append_printf(text, "%snested: %s, %s %s", text->len > 0 ? "\n" : "",
                               af_number_amount_exact(number, arc->nested_time, unit),
                               af_number_count(calls, arc->nested_calls),
                               arc->nested_calls == 1 ? "call" : "calls");
    }
    return af_scene_string(d->sheet->scene, text->str);
}

static void draw_arrow(drawing *d, uint32_t i)
{
    const af_call_arc *arc = &d->map->graph->arcs[i];
    const af_graph_arrow *arrow = &d->map->layout.arrows[i];
    const double share = af_call_arc_share(d->map->graph, arc);
    af_scene_group group = {.kind = AF_GROUP_MARKER};
    group.details = describe_arc(d, arc, &group.name);
    af_scene_push(d->sheet->scene, &group);
    af_map_arrow_outline(arrow, AF_MAP_STROKE_C + share * AF_MAP_STROKE_MORE_C, arc->indirect,
                         add_polygon, d);
    const int32_t top = d->y + arrow->label.y;
    draw_text(d, &d->map->arrows[i], d->x + arrow->label.x + arrow->label.width / 2, top,
              AF_PAINT_INK);
    af_scene_link_add(d->sheet->scene, &(af_scene_link){.x = d->x + arrow->label.x,
                                                        .y = top,
                                                        .width = arrow->label.width,
                                                        .height = arrow->label.height,
                                                        .target = name_box(d, arc->to)});
    af_scene_pop(d->sheet->scene);
}

static const char *describe_node(const drawing *d, const af_call_node *node)
{
    const af_unit *unit = &d->map->profile->facts.weights.unit;
    const uint64_t total = d->map->graph->total;
    char self[AF_NUMBER_SIZE], all[AF_NUMBER_SIZE], part[AF_NUMBER_SIZE], whole[AF_NUMBER_SIZE];
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_printf(text, "self %s, %s\n", af_number_amount_exact(self, node->self, unit),
                    af_number_share(part, node->self, total));
    g_string_append_printf(text, "inclusive %s, %s",
                           af_number_amount_exact(all, node->inclusive, unit),
                           af_number_share(whole, node->inclusive, total));
    if (node->calls > 0) {
        g_string_append_printf(text, "\n%s %s", af_number_count(all, node->calls),
                               node->calls == 1 ? "call" : "calls");
    }
    if (node->nested_calls > 0) {
        g_string_append_printf(text, ", %s nested", af_number_count(all, node->nested_calls));
    }
    return af_scene_string(d->sheet->scene, text->str);
}

static void draw_box(const drawing *d, uint32_t i)
{
    const af_call_map *map = d->map;
    const af_call_node *node = &map->graph->nodes[i];
    const af_label *label = &map->profile->labels[node->label];
    const af_graph_box *box = &map->layout.boxes[i];
    const af_method *method = &map->profile->methods[label->method];
    const gboolean idle = af_call_node_is_idle(node);
    const gboolean muted = idle || label->category == AF_CATEGORY_FOLDED;
    const unsigned hue = idle ? AF_CATEGORY_IDLE : af_label_hue(map->profile, label);
    af_scene_push(d->sheet->scene, &(af_scene_group){.kind = AF_GROUP_MARKER,
                                                     .id = name_box(d, i),
                                                     .name = name_of(d, i),
                                                     .source = method->source,
                                                     .details = describe_node(d, node)});
    af_scene_rect_add(d->sheet->scene,
                      &(af_scene_rect){.x = d->x + box->x,
                                       .y = d->y + box->y,
                                       .width = box->width,
                                       .height = box->height,
                                       .radius = AF_MAP_RADIUS_C,
                                       .paint = af_paint_frame(hue, label->shade)});
    draw_text(d, &map->boxes[i], d->x + box->x + box->width / 2,
              d->y + box->y + (map->compact ? AF_MAP_COMPACT_INSET_C : AF_MAP_INSET_C),
              muted ? AF_PAINT_LABEL_MUTED : AF_PAINT_LABEL);
    af_scene_pop(d->sheet->scene);
}

static void draw_sentence(af_sheet *sheet, const af_call_map *map)
{
    const af_flow flow = {.size = AF_SMALL_C, .line_c = AF_FOOT_LINE_C, .paint = AF_PAINT_MUTED};
    g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func(g_free);
    char *omitted = af_call_graph_describe_left_out(map->graph, &map->profile->facts.weights.unit);
    g_ptr_array_add(pieces, g_strdup(AF_SAY_MAP_BOXES));
    g_ptr_array_add(pieces, g_strdup(AF_SAY_MAP_ARROWS));
    if (omitted != NULL) {
        g_ptr_array_add(pieces, omitted);
        g_ptr_array_add(pieces, g_strdup(AF_SAY_MAP_DASHED));
    }
    sheet->y_c += AF_FOOT_BASELINE_C;
    af_sheet_flow(sheet, &flow, pieces);
    sheet->y_c += AF_FOOT_LINE_C;
}

void af_call_map_draw(af_sheet *sheet, const af_call_map *map)
{
    const af_graph_layout *layout = &map->layout;
    draw_sentence(sheet, map);
    if (layout->n_boxes == 0) {
        af_sheet_muted(sheet, 0, AF_SAY_MAP_NOTHING);
        sheet->y_c += AF_BOTTOM_C;
        return;
    }
    drawing d = {.sheet = sheet, .map = map, .y = sheet->y_c};
    d.x = AF_MARGIN_C + MAX(0, (sheet->graph_c - layout->width) / 2);
    af_scene_push(sheet->scene, &(af_scene_group){.kind = AF_GROUP_PART, .id = "calls"});
    for (uint32_t i = 0; i < layout->n_arrows; i++) {
        draw_arrow(&d, i);
    }
    for (uint32_t i = 0; i < layout->n_boxes; i++) {
        draw_box(&d, i);
    }
    af_scene_pop(sheet->scene);
    sheet->y_c += layout->height + AF_BOTTOM_C;
}
