#include "render/callgraph/call_map.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "render/face.h"
#include "render/label.h"
#include "render/sizes.h"

static void add_line(af_map_text *text, af_label_form form, int32_t size, gboolean bold)
{
    if (form.text != NULL) {
        text->lines[text->n++] = (af_map_line){form.text, size, form.advance, bold, form.simple};
        text->width = MAX(text->width, form.advance);
        text->height += size * AF_MAP_LINE_PERCENT / 100;
    }
}

/* Numbers; frees them. */
static void add_numbers_line(af_map_text *text, char *words)
{
    add_line(text, af_text_fit(words, FALSE, AF_MAP_NUMBERS_C, AF_MAP_TEXT_MAX_C), AF_MAP_NUMBERS_C,
             FALSE);
    g_free(words);
}

int32_t af_map_text_baseline(const af_map_text *text, unsigned i)
{
    int32_t y = 0;
    for (unsigned l = 0; l < i; l++) {
        y += text->lines[l].size * AF_MAP_LINE_PERCENT / 100;
    }
    return y + text->lines[i].size * AF_MAP_BASELINE_PERCENT / 100;
}

/* "Cart" of "com.shop.Cart"; "" without a class. Free with g_free(). */
static char *shorten_class(const af_label *label)
{
    g_autofree char *class_name = g_strndup(label->text, label->class_length);
    const char *cut = strrchr(class_name, '.');
    const char *slash = strrchr(class_name, '/');
    cut = slash > cut ? slash : cut;
    return g_strdup(cut != NULL ? cut + 1 : class_name);
}

/* The type of the largest is AF_MAP_LARGEST_C; areas grow with the time. */
static int32_t choose_size(const af_call_map *map, const af_call_node *node, uint64_t largest)
{
    const gboolean idle = af_call_node_is_idle(node);
    const int32_t most = map->compact ? AF_MAP_COMPACT_LARGEST_C : AF_MAP_LARGEST_C;
    const double share = idle || largest == 0 ? 0 : sqrt((double)node->self / (double)largest);
    return AF_MAP_SMALLEST_C + (int32_t)lrint(share * (most - AF_MAP_SMALLEST_C));
}

static void add_name(const af_call_map *map, af_map_text *text, const af_label *label, int32_t size)
{
    const int32_t width_max = map->compact ? AF_MAP_COMPACT_TEXT_C : AF_MAP_NAME_MAX_C;
    g_autofree char *class_name = shorten_class(label);
    g_autofree char *method =
        g_strndup(label->text + label->method_at, label->length - label->method_at);
    if (class_name[0] != '\0' && method[0] != '\0') {
        add_line(
            text,
            af_text_fit(class_name, FALSE, AF_MAP_SMALLEST_C, MIN(width_max, AF_MAP_TEXT_MAX_C)),
            AF_MAP_SMALLEST_C, FALSE);
    }
    const char *name = method[0] != '\0' ? method : class_name;
    add_line(text, af_name_fit(name, TRUE, size, width_max), size, TRUE);
}

/* "12.3 of 45.1 ms" of a compact box, whose other numbers are in the SVG */
static void add_both(const af_call_map *map, af_map_text *text, const af_call_node *node)
{
    const af_unit *unit = &map->profile->facts.weights.unit;
    char self[AF_NUMBER_SIZE], all[AF_NUMBER_SIZE], part[AF_NUMBER_SIZE];
    af_number_amount(self, node->self, unit);
    add_numbers_line(
        text,
        node->self == node->inclusive
            ? g_strdup_printf("self %s (%s)", self,
                              af_number_share(part, node->self, map->graph->total))
            : g_strdup_printf("self %s of %s", self, af_number_amount(all, node->inclusive, unit)));
}

/* "self 12.3 ms (4 %)", "of 45.1 ms (12 %), 14 calls" */
static void add_numbers(const af_call_map *map, af_map_text *text, const af_call_node *node)
{
    const af_unit *unit = &map->profile->facts.weights.unit;
    char self[AF_NUMBER_SIZE], all[AF_NUMBER_SIZE], part[AF_NUMBER_SIZE], whole[AF_NUMBER_SIZE];
    char calls[AF_NUMBER_SIZE];
    add_numbers_line(text, g_strdup_printf("self %s (%s)", af_number_amount(self, node->self, unit),
                                           af_number_share(part, node->self, map->graph->total)));
    const uint64_t n = node->calls + node->nested_calls;
    add_numbers_line(
        text, g_strdup_printf("of %s (%s)%s%s%s", af_number_amount(all, node->inclusive, unit),
                              af_number_share(whole, node->inclusive, map->graph->total),
                              n > 0 ? ", " : "", n > 0 ? af_number_count(calls, n) : "",
                              n > 1   ? " calls"
                              : n > 0 ? " call"
                                      : ""));
}

/* "12.3 ms" and "14 calls"; of an arrow with nested calls alone "nested 3 ms". */
static void add_arc(const af_call_map *map, af_map_text *text, const af_call_arc *arc)
{
    const af_unit *unit = &map->profile->facts.weights.unit;
    const gboolean nested = arc->time == 0 && arc->nested_time > 0;
    char amount[AF_NUMBER_SIZE], calls[AF_NUMBER_SIZE];
    add_numbers_line(
        text,
        g_strdup_printf("%s%s", nested ? "nested " : "",
                        af_number_amount(amount, nested ? arc->nested_time : arc->time, unit)));
    const uint64_t n = arc->calls + arc->nested_calls;
    if (n > 0) {
        add_numbers_line(
            text, g_strdup_printf("%s call%s", af_number_count(calls, n), n == 1 ? "" : "s"));
    }
}

static void fill_boxes(af_call_map *map)
{
    const af_call_graph *graph = map->graph;
    uint64_t largest = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const af_call_node *node = &graph->nodes[i];
        largest = af_call_node_is_idle(node) ? largest : MAX(largest, node->self);
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const af_call_node *node = &graph->nodes[i];
        af_map_text *text = &map->boxes[i];
        add_name(map, text, &map->profile->labels[node->label], choose_size(map, node, largest));
        (map->compact ? add_both : add_numbers)(map, text, node);
        const int32_t inset = map->compact ? AF_MAP_COMPACT_INSET_C : AF_MAP_INSET_C;
        map->layout.boxes[i].width = text->width + 2 * inset;
        map->layout.boxes[i].height = text->height + 2 * inset;
    }
}

static void fill_arrows(af_call_map *map)
{
    const af_call_graph *graph = map->graph;
    for (uint32_t i = 0; i < graph->n_arcs; i++) {
        const af_call_arc *arc = &graph->arcs[i];
        af_graph_arrow *arrow = &map->layout.arrows[i];
        if (!map->compact) { /* the width of an arrow and the times of its boxes show it */
            add_arc(map, &map->arrows[i], arc);
        }
        arrow->from = arc->from;
        arrow->to = arc->to;
        arrow->rows = 1;
        arrow->weight = 1 + (uint32_t)(99 * af_call_arc_share(graph, arc));
        arrow->label.width = map->compact ? 0 : map->arrows[i].width + AF_MAP_INSET_C;
        arrow->label.height = map->arrows[i].height;
    }
}

/* Boxes without arrows of their own stand in a few rows below their caller instead of one, which would
 * be too wide for a page. */
static void stagger_leaves(af_call_map *map)
{
    enum { ROWS = 4 };
    af_graph_layout *layout = &map->layout;
    g_autofree gboolean *calls = g_new0(gboolean, layout->n_boxes + 1);
    uint32_t *leaves = g_new0(uint32_t, layout->n_boxes + 1); /* by caller */
    for (uint32_t i = 0; i < layout->n_arrows; i++) {
        const af_graph_arrow *arrow = &layout->arrows[i];
        calls[arrow->from] |= arrow->from != arrow->to;
    }
    for (uint32_t i = 0; i < layout->n_arrows; i++) {
        af_graph_arrow *arrow = &layout->arrows[i];
        if (!calls[arrow->to]) {
            arrow->rows = 1 + leaves[arrow->from]++ % ROWS;
        }
    }
    g_free(leaves);
}

af_call_map *af_call_map_new(const af_profile *profile, const af_call_graph *graph, af_clock clock,
                             gboolean compact)
{
    af_call_map *map = g_try_new0(af_call_map, 1);
    if (map == NULL) {
        return NULL;
    }
    *map = (af_call_map){
        .profile = profile,
        .graph = graph,
        .clock = clock,
        .compact = compact,
        .boxes = g_try_new0(af_map_text, (gsize)graph->n_nodes + 1),
        .arrows = g_try_new0(af_map_text, (gsize)graph->n_arcs + 1),
        .layout = {.n_boxes = graph->n_nodes,
                   .n_arrows = graph->n_arcs,
                   .boxes = g_try_new0(af_graph_box, (gsize)graph->n_nodes + 1),
                   .arrows = g_try_new0(af_graph_arrow, (gsize)graph->n_arcs + 1)},
    };
    if (map->boxes == NULL || map->arrows == NULL || map->layout.boxes == NULL ||
        map->layout.arrows == NULL) {
        af_call_map_free(map);
        return NULL;
    }
    fill_boxes(map);
    fill_arrows(map);
    if (compact) {
        stagger_leaves(map);
    }
    return map;
}

static void free_texts(af_map_text *texts, uint32_t n)
{
    for (uint32_t i = 0; texts != NULL && i < n; i++) {
        for (unsigned l = 0; l < texts[i].n; l++) {
            g_free(texts[i].lines[l].text);
        }
    }
    g_free(texts);
}

void af_call_map_free(af_call_map *map)
{
    if (map == NULL) {
        return;
    }
    for (uint32_t i = 0; map->layout.arrows != NULL && i < map->layout.n_arrows; i++) {
        g_free(map->layout.arrows[i].points);
    }
    g_free(map->layout.arrows);
    g_free(map->layout.boxes);
    free_texts(map->boxes, map->layout.n_boxes);
    free_texts(map->arrows, map->layout.n_arrows);
    g_free(map);
}
