/* Writes the call graph in Graphviz' language, for dot, xdot and other programs of Graphviz.
 *
 * Each method is a node, each pair of caller and callee an edge; a dashed edge passes over methods
 * that are left out. Besides the attributes that Graphviz draws, nodes and edges have exact numbers
 * in the unit of the graph: self, inclusive, calls and nested_calls of a node, time, calls,
 * nested_time and nested_calls of an edge. Calls are outermost calls, nested calls those inside
 * another call of the same method. Names are quoted, and each \ in them is doubled, because
 * Graphviz reads it as the start of an escape.
 *
 * Tested with Graphviz 2.43.0. */
#include "export/exporter.h"

#include <string.h>

#include "base/memory_error.h"
#include "base/number.h"
#include "model/call_graph.h"
#include "model/category.h"

enum { SMALLEST_FACE = 10, LARGEST_FACE = 30 };

typedef struct {
    const af_profile *profile;
    const af_call_graph *graph;
    const af_unit *unit;
    const af_selection *selection;
    af_out *out;
} writing;

/* Graphviz refuses strings of more than 16,384 bytes. */
#define NAME_MOST 16000

static size_t measure_escaped(char c)
{
    return c == '"' || c == '\\' ? 2 : 1;
}

/* Inside quotes. */
static void write_text(af_out *out, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            af_out_char(out, '\\');
        }
        if (*c == '\n') {
            af_out_char(out, ' ');
        } else {
            af_out_char(out, *c);
        }
    }
}

/* A name inside quotes; the middle of a longer one becomes an ellipsis. */
static void write_name(af_out *out, const char *name)
{
    size_t length = 0;
    const char *head = name, *end = name + strlen(name), *tail = end;
    for (const char *c = name; *c != '\0'; c++) {
        length += measure_escaped(*c);
    }
    if (length <= NAME_MOST) {
        write_text(out, name);
        return;
    }
    for (length = 0; length < NAME_MOST / 2 - 8; head++) {
        length += measure_escaped(*head);
    }
    for (length = 0; length < NAME_MOST / 2 - 8; tail--) {
        length += measure_escaped(tail[-1]);
    }
    while (((guchar)*head & 0xC0) == 0x80) {
        head--;
    }
    while (((guchar)*tail & 0xC0) == 0x80) {
        tail++;
    }
    g_autofree char *begin = g_strndup(name, (gsize)(head - name));
    write_text(out, begin);
    af_out_text(out, "\u2026");
    write_text(out, tail);
}

static void write_number(af_out *out, const char *name, uint64_t number)
{
    af_out_texts(out, " ", name, "=");
    af_out_u64(out, number);
}

static void write_share(const writing *w, uint64_t amount)
{
    char text[AF_NUMBER_SIZE];
    write_text(w->out, af_number_amount(text, amount, w->unit));
    af_out_texts(w->out, " (", af_number_share(text, amount, w->graph->total), ")");
}

static void write_count(const writing *w, uint64_t calls)
{
    char text[AF_NUMBER_SIZE];
    af_out_texts(w->out, af_number_count(text, calls), calls == 1 ? " call" : " calls");
}

/* The larger the self time, the larger the type. */
static uint64_t choose_face(const af_call_node *node, uint64_t largest)
{
    const double share = largest > 0 ? (double)node->self / (double)largest : 0;
    return SMALLEST_FACE + (uint64_t)((LARGEST_FACE - SMALLEST_FACE) * share + 0.5);
}

static void write_node(const writing *w, uint32_t number, uint64_t largest)
{
    const af_call_node *node = &w->graph->nodes[number];
    const af_label *label = &w->profile->labels[node->label];
    const af_category category = af_call_node_is_idle(node) ? AF_CATEGORY_IDLE : label->category;
    af_out *out = w->out;
    af_out_number(out, "  n", number, " [label=\"");
    write_name(out, label->text);
    af_out_text(out, "\\nself ");
    write_share(w, node->self);
    af_out_text(out, "\\nof ");
    write_share(w, node->inclusive);
    if (w->graph->counts_calls) {
        af_out_text(out, "\\n");
        write_count(w, node->calls + node->nested_calls);
    }
    af_out_text(out, "\" tooltip=\"");
    write_name(out, label->text);
    af_out_text(out, "\" fillcolor=\"");
    const uint32_t rgb = w->selection->fill(category, label->shade);
    char text[8];
    g_snprintf(text, sizeof text, "#%06x", rgb);
    af_out_texts(out, text, "\" fontsize=");
    af_out_u64(out, choose_face(node, largest));
    write_number(out, "self", node->self);
    write_number(out, "inclusive", node->inclusive);
    write_number(out, "calls", node->calls);
    write_number(out, "nested_calls", node->nested_calls);
    af_out_text(out, "];\n");
}

/* The label is "12.3 ms\n14 calls", or "nested 12.3 ms\n14 calls" if all its calls are nested. */
static void write_arc(const writing *w, const af_call_arc *arc)
{
    char text[AF_NUMBER_SIZE];
    af_out *out = w->out;
    const gboolean nested = arc->time == 0 && arc->nested_time > 0;
    const uint64_t time = nested ? arc->nested_time : arc->time;
    af_out_number(out, "  n", arc->from, " -> n");
    af_out_u64(out, arc->to);
    af_out_texts(out, " [label=\"", nested ? "nested " : "");
    write_text(out, af_number_amount(text, time, w->unit));
    if (w->graph->counts_calls) {
        af_out_text(out, "\\n");
        write_count(w, arc->calls + arc->nested_calls);
    }
    af_out_texts(out, arc->indirect ? "\" style=dashed" : "\"", " penwidth=");
    af_out_hundredths(out, 100 + (int64_t)(400 * af_call_arc_share(w->graph, arc)));
    write_number(out, "time", arc->time);
    write_number(out, "calls", arc->calls);
    write_number(out, "nested_time", arc->nested_time);
    write_number(out, "nested_calls", arc->nested_calls);
    af_out_text(out, "];\n");
}

static void write_graph(const writing *w)
{
    const af_selection *selection = w->selection;
    const af_call_graph *graph = w->graph;
    af_out *out = w->out;
    uint64_t largest = 0;
    af_out_text(out, "digraph \"");
    write_text(out, selection->input != NULL ? selection->input : "calls");
    af_out_text(out, "\" {\n  graph [unit=\"");
    write_text(out, w->unit->name != NULL ? w->unit->name : "ns");
    af_out_char(out, '"');
    write_number(out, "total", graph->total);
    if (selection->left_out != NULL) {
        af_out_text(out, " left_out=\"");
        write_text(out, selection->left_out);
        af_out_char(out, '"');
    }
    write_number(out, "methods_left_out", graph->nodes_left_out);
    write_number(out, "edges_left_out", graph->arcs_left_out);
    af_out_text(out, "];\n  node [shape=box style=\"filled,rounded\" color=\"#888888\" "
                     "fontname=\"sans-serif\"];\n"
                     "  edge [color=\"#666666\" fontname=\"sans-serif\" fontsize=9];\n");
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        largest = MAX(largest, graph->nodes[i].self);
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        write_node(w, i, largest);
    }
    for (uint32_t i = 0; i < graph->n_arcs; i++) {
        write_arc(w, &graph->arcs[i]);
    }
    af_out_text(out, "}\n");
}

static gboolean write_dot(const af_profile *profile, const af_selection *selection, af_out *out,
                          GError **error)
{
    const af_call_graph_options options = {.clock = selection->clock,
                                           .threads = selection->threads,
                                           .n_threads = selection->n_threads,
                                           .least_c = selection->least_c,
                                           .top = selection->top,
                                           .most_arcs = 0};
    af_call_graph *graph = af_call_graph_new(profile, &options);
    if (graph == NULL) {
        return af_memory_error_set(error);
    }
    const writing w = {profile, graph, &profile->facts.weights.unit, selection, out};
    write_graph(&w);
    char *text =
        selection->messages != NULL ? af_call_graph_describe_left_out(graph, w.unit) : NULL;
    if (text != NULL) {
        g_ptr_array_add(selection->messages, text);
    }
    af_call_graph_free(graph);
    return TRUE;
}

const af_exporter af_exporter_dot = {
    .name = "dot",
    .extensions = "dot gv",
    .title = "call graph, for Graphviz",
    .loses = AF_LOSES_TIMELINE | AF_LOSES_OVERFLOW,
    .write = write_dot,
};
