#include "api/callgraph.h"

#include "base/c_locale.h"
#include "base/memory_error.h"
#include "render/sizes.h"

/* ---- parts without arrows between them ---- */

/* Distance between parts. */
enum { BETWEEN_C = 2000 };

static uint32_t find_part(uint32_t *part_of, uint32_t box)
{
    while (part_of[box] != box) {
        part_of[box] = part_of[part_of[box]];
        box = part_of[box];
    }
    return box;
}

/* For each box the first one of its part. */
static uint32_t *find_parts(const af_graph_layout *layout)
{
    uint32_t *part_of = g_new(uint32_t, layout->n_boxes + 1);
    for (uint32_t i = 0; i < layout->n_boxes; i++) {
        part_of[i] = i;
    }
    for (uint32_t i = 0; i < layout->n_arrows; i++) {
        const uint32_t from = find_part(part_of, layout->arrows[i].from);
        const uint32_t to = find_part(part_of, layout->arrows[i].to);
        part_of[MAX(from, to)] = MIN(from, to);
    }
    for (uint32_t i = 0; i < layout->n_boxes; i++) {
        part_of[i] = find_part(part_of, i);
    }
    return part_of;
}

/* The parts flow like words into lines of a width. */
typedef struct {
    af_graph_layout *whole;
    const uint32_t *part_of;
    uint32_t *number_of; /* by box: its number in its part */
    int32_t width_c;
    int32_t x, y, line_height;
} flow;

static void shift(af_graph_box *box, int32_t x, int32_t y)
{
    box->x += x;
    box->y += y;
}

/* Moves a part that is laid out to the next position and into the whole. */
static void take_part(flow *f, uint32_t part, const af_graph_layout *from)
{
    uint32_t arrow = 0;
    if (f->x > 0 && f->x + from->width > f->width_c) {
        f->y += f->line_height + BETWEEN_C;
        f->x = f->line_height = 0;
    }
    for (uint32_t i = 0; i < f->whole->n_boxes; i++) {
        if (f->part_of[i] == part) {
            f->whole->boxes[i] = from->boxes[f->number_of[i]];
            shift(&f->whole->boxes[i], f->x, f->y);
        }
    }
    for (uint32_t i = 0; i < f->whole->n_arrows; i++) {
        af_graph_arrow *to = &f->whole->arrows[i];
        if (f->part_of[to->from] == part) {
            const af_graph_arrow *it = &from->arrows[arrow++];
            to->label = it->label;
            to->points = it->points;
            to->n_points = it->n_points;
            shift(&to->label, f->x, f->y);
            for (uint32_t p = 0; p < to->n_points; p++) {
                to->points[p].x += f->x;
                to->points[p].y += f->y;
            }
        }
    }
    f->whole->width = MAX(f->whole->width, f->x + from->width);
    f->whole->height = MAX(f->whole->height, f->y + from->height);
    f->line_height = MAX(f->line_height, from->height);
    f->x += from->width + BETWEEN_C;
}

static const char *lay_out_part(flow *f, uint32_t part, af_graph_layout_func lay_out)
{
    const af_graph_layout *whole = f->whole;
    af_graph_layout of_part = {.boxes = g_new0(af_graph_box, whole->n_boxes + 1),
                               .arrows = g_new0(af_graph_arrow, whole->n_arrows + 1)};
    for (uint32_t i = 0; i < whole->n_boxes; i++) {
        if (f->part_of[i] == part) {
            f->number_of[i] = of_part.n_boxes;
            of_part.boxes[of_part.n_boxes++] = whole->boxes[i];
        }
    }
    for (uint32_t i = 0; i < whole->n_arrows; i++) {
        if (f->part_of[whole->arrows[i].from] == part) {
            af_graph_arrow *arrow = &of_part.arrows[of_part.n_arrows++];
            *arrow = whole->arrows[i];
            arrow->from = f->number_of[arrow->from];
            arrow->to = f->number_of[arrow->to];
        }
    }
    const char *wrong = lay_out(&of_part);
    if (wrong == NULL) {
        take_part(f, part, &of_part);
    }
    g_free(of_part.boxes);
    g_free(of_part.arrows);
    return wrong;
}

static gboolean lay_out(af_callgraph *c, const af_picture_options *options, GError **error)
{
    af_graph_layout *layout = &c->map->layout;
    g_autofree uint32_t *part_of = find_parts(layout);
    flow f = {.whole = layout,
              .part_of = part_of,
              .number_of = g_new0(uint32_t, layout->n_boxes + 1),
              .width_c = (c->height_c > 0 ? c->width_c : AF_MAP_WIDTH_MIN_C) - 2 * AF_MARGIN_C};
    const char *wrong = NULL;
    const af_c_locale locale = af_c_locale_begin();
    for (uint32_t i = 0; i < layout->n_boxes && wrong == NULL; i++) {
        if (part_of[i] == i) {
            wrong = lay_out_part(&f, i, options->lay_out);
        }
    }
    af_c_locale_end(&locale);
    if (wrong != NULL) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE, wrong);
    }
    g_free(f.number_of);
    return wrong == NULL;
}

static gboolean fits_page(const af_callgraph *c)
{
    enum { AROUND_C = 30000 }; /* title, legend and footer */
    const af_graph_layout *layout = &c->map->layout;
    return c->height_c == 0 || (layout->width + 2 * AF_MARGIN_C <= c->width_c &&
                                layout->height + AROUND_C <= c->height_c);
}

gboolean af_callgraph_begin(af_callgraph *c, const af_profile *profile, const GArray *threads,
                            af_clock clock, const af_picture_options *options, GPtrArray *messages,
                            GError **error)
{
    gboolean reduced = FALSE;
    const uint32_t top = options->top == 0 ? AF_CALLGRAPH_METHODS : options->top;
    af_call_graph_options wanted = {.clock = clock,
                                    .threads = (const uint32_t *)(const void *)threads->data,
                                    .n_threads = threads->len,
                                    .least_c = options->min_percent_c,
                                    .top = MIN(top, AF_CALLGRAPH_METHODS),
                                    .most_arcs = AF_CALLGRAPH_ARROWS};
    if (options->lay_out == NULL) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "a call graph needs a layout function");
        return FALSE;
    }
    for (gboolean fits = FALSE; !fits;) {
        af_callgraph_end(c);
        if (c->height_c > 0) { /* the largest to each method, and few others */
            wanted.most_arcs = MIN(AF_CALLGRAPH_ARROWS, wanted.top / 2 + 1);
        }
        c->graph = af_call_graph_new(profile, &wanted);
        c->map =
            c->graph != NULL ? af_call_map_new(profile, c->graph, clock, c->height_c > 0) : NULL;
        if (c->map == NULL) {
            return af_memory_error_set(error);
        }
        if (!lay_out(c, options, error)) {
            return FALSE;
        }
        fits = c->map->layout.n_boxes <= 1 || fits_page(c);
        wanted.top = MAX(MIN(wanted.top, c->map->layout.n_boxes) * 15 / 16, 1);
        reduced |= !fits;
    }
    if (reduced) {
        g_ptr_array_add(
            messages, g_strdup_printf("the PNG has only %u of the methods, to fit into %d x %d "
                                      "pixels: --height none draws more",
                                      c->map->layout.n_boxes, c->width_c / 100, c->height_c / 100));
    }
    char *omitted = af_call_graph_describe_left_out(c->graph, &profile->facts.weights.unit);
    if (omitted != NULL) {
        g_ptr_array_add(messages, omitted);
    }
    return TRUE;
}

void af_callgraph_end(af_callgraph *c)
{
    g_clear_pointer(&c->map, af_call_map_free);
    g_clear_pointer(&c->graph, af_call_graph_free);
}

int32_t af_callgraph_width_c(const af_callgraph *c)
{
    return MAX(c->map->layout.width + 2 * AF_MARGIN_C,
               c->height_c > 0 ? c->width_c : AF_MAP_WIDTH_MIN_C);
}
