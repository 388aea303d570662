/* The module that lays out call graphs with Graphviz. Boxes have fixed sizes and there is no text
 * to measure, so the machine's fonts do not matter. The command loads it for `--view callgraph`. */
#include "graphviz/graphviz.h"

#include <graphviz/gvc.h>
#include <glib.h>
#include <math.h>

#ifdef AFLAME_SANITIZED
#include <sanitizer/lsan_interface.h>
#endif

/* Graphviz measures in points and inches: a pixel is a point here. */
#define C_PER_POINT    100.0
#define POINTS_AN_INCH 72.0

/* Graphviz 2.43 never frees some kilobytes of each context. Leaks of aflame are still found. */
static void ignore_leaks(gboolean ignored)
{
#ifdef AFLAME_SANITIZED
    (ignored ? __lsan_disable : __lsan_enable)();
#else
#endif
}

static void set(void *object, const char *name, const char *value)
{
    static char none[] = "";
    agsafeset(object, (char *)name, (char *)value, none);
}

static void set_number(void *object, const char *name, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    set(object, name, g_ascii_formatd(text, sizeof text, "%.4f", value));
}

static int32_t to_c(double points)
{
    return (int32_t)lrint(CLAMP(points, -1e7, 1e7) * C_PER_POINT);
}

static Agnode_t **add_boxes(Agraph_t *graph, const af_graph_layout *layout)
{
    Agnode_t **nodes = g_new(Agnode_t *, layout->n_boxes + 1);
    for (uint32_t i = 0; i < layout->n_boxes; i++) {
        char name[16];
        g_snprintf(name, sizeof name, "n%u", i);
        nodes[i] = agnode(graph, name, TRUE);
        set(nodes[i], "shape", "box");
        set(nodes[i], "fixedsize", "true");
        set(nodes[i], "label", "");
        set_number(nodes[i], "width", layout->boxes[i].width / C_PER_POINT / POINTS_AN_INCH);
        set_number(nodes[i], "height", layout->boxes[i].height / C_PER_POINT / POINTS_AN_INCH);
    }
    return nodes;
}

/* An empty table of fixed size stands for the text of an arrow. */
static void reserve_label(Agraph_t *graph, Agedge_t *edge, const af_graph_box *label)
{
    char text[160];
    g_snprintf(text, sizeof text,
               "<TABLE BORDER=\"0\" FIXEDSIZE=\"TRUE\" WIDTH=\"%d\" HEIGHT=\"%d\"><TR><TD></TD>"
               "</TR></TABLE>",
               (int)(label->width / C_PER_POINT) + 1, (int)(label->height / C_PER_POINT) + 1);
    char *html = agstrdup_html(graph, text);
    set(edge, "label", html);
    agstrfree(graph, html);
}

static Agedge_t **add_arrows(Agraph_t *graph, const af_graph_layout *layout, Agnode_t **nodes)
{
    Agedge_t **edges = g_new(Agedge_t *, layout->n_arrows + 1);
    for (uint32_t i = 0; i < layout->n_arrows; i++) {
        const af_graph_arrow *arrow = &layout->arrows[i];
        char name[16];
        g_snprintf(name, sizeof name, "e%u", i);
        edges[i] = agedge(graph, nodes[arrow->from], nodes[arrow->to], name, TRUE);
        set_number(edges[i], "weight", arrow->weight);
        set_number(edges[i], "minlen", arrow->rows);
        if (arrow->label.width > 0) {
            reserve_label(graph, edges[i], &arrow->label);
        }
    }
    return edges;
}

static void take_boxes(af_graph_layout *layout, Agnode_t **nodes, double height)
{
    for (uint32_t i = 0; i < layout->n_boxes; i++) {
        af_graph_box *box = &layout->boxes[i];
        const pointf at = ND_coord(nodes[i]);
        box->x = to_c(at.x) - box->width / 2;
        box->y = to_c(height - at.y) - box->height / 2;
    }
}

static af_graph_point turn(pointf p, double height)
{
    return (af_graph_point){to_c(p.x), to_c(height - p.y)};
}

/* Graphviz ends the curve at the base of the head and keeps the tip apart. */
static void take_curve(af_graph_arrow *arrow, const bezier *curve, double height)
{
    const uint32_t n = (uint32_t)curve->size;
    arrow->points = g_new(af_graph_point, n + 3);
    for (uint32_t i = 0; i < n; i++) {
        arrow->points[i] = turn(curve->list[i], height);
    }
    arrow->n_points = n;
    if (curve->eflag != 0) {
        const af_graph_point tip = turn(curve->ep, height), base = arrow->points[n - 1];
        arrow->points[n] =
            (af_graph_point){base.x + (tip.x - base.x) / 3, base.y + (tip.y - base.y) / 3};
        arrow->points[n + 1] =
            (af_graph_point){tip.x - (tip.x - base.x) / 3, tip.y - (tip.y - base.y) / 3};
        arrow->points[n + 2] = tip;
        arrow->n_points = n + 3;
    }
}

static void take_arrows(af_graph_layout *layout, Agedge_t **edges, double height)
{
    for (uint32_t i = 0; i < layout->n_arrows; i++) {
        af_graph_arrow *arrow = &layout->arrows[i];
        const splines *curves = ED_spl(edges[i]);
        const textlabel_t *label = ED_label(edges[i]);
        if (curves != NULL && curves->size > 0) {
            take_curve(arrow, &curves->list[0], height);
        }
        if (label != NULL) {
            arrow->label.x = to_c(label->pos.x) - arrow->label.width / 2;
            arrow->label.y = to_c(height - label->pos.y) - arrow->label.height / 2;
        }
    }
}

static void take_layout(af_graph_layout *layout, Agraph_t *graph, Agnode_t **nodes,
                        Agedge_t **edges)
{
    const boxf bounds = GD_bb(graph);
    layout->width = to_c(bounds.UR.x);
    layout->height = to_c(bounds.UR.y);
    take_boxes(layout, nodes, bounds.UR.y);
    take_arrows(layout, edges, bounds.UR.y);
}

static Agraph_t *open_graph(void)
{
    char name[] = "calls";
    Agraph_t *graph = agopen(name, Agdirected, NULL);
    set(graph, "ranksep", "0.35");
    set(graph, "nodesep", "0.25");
    /* bounds the time of the two slow phases */
    set(graph, "nslimit", "2");
    set(graph, "nslimit1", "2");
    set(graph, "mclimit", "0.5");
    return graph;
}

const char *af_graphviz_lay_out(af_graph_layout *layout)
{
    ignore_leaks(TRUE);
    GVC_t *context = gvContext();
    ignore_leaks(FALSE);
    if (context == NULL) {
        return "cannot start Graphviz";
    }
    agseterr(AGMAX);
    Agraph_t *graph = open_graph();
    g_autofree Agnode_t **nodes = add_boxes(graph, layout);
    g_autofree Agedge_t **edges = add_arrows(graph, layout, nodes);
    const gboolean ok = gvLayout(context, graph, "dot") == 0;
    if (ok) {
        take_layout(layout, graph, nodes, edges);
        gvFreeLayout(context, graph);
    }
    agclose(graph);
    gvFreeContext(context);
    return ok ? NULL : "Graphviz cannot lay out this graph; --top draws fewer methods";
}
