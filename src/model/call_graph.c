#include "model/call_graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/idtable.h"
#include "base/number.h"
#include "model/path.h"
#include "model/waits.h"

#define NO_NODE UINT32_MAX

typedef struct {
    const af_profile *profile;
    const af_call_graph_options *options;
    af_call_graph *graph;
    af_call_node *all; /* by label */
    uint32_t *node_of; /* by label; NO_NODE = left out */
    af_path path;      /* of labels */
    uint32_t *nearest; /* by depth: the node of the nearest method in the graph */
    af_idtable arcs;   /* of af_call_arc */
} building;

/* Calls `visit` for each node of each thread that has the clock; FALSE if memory is refused. */
static gboolean walk(building *b, gboolean (*visit)(building *b, const af_thread *thread,
                                                    uint32_t node, gboolean nested))
{
    gboolean ok = TRUE;
    for (uint32_t i = 0; ok && i < b->options->n_threads; i++) {
        const af_thread *thread = &b->profile->threads[b->options->threads[i]];
        const af_tree *tree = thread->tree;
        if (!af_tree_has(tree, b->options->clock)) {
            continue;
        }
        for (uint32_t n = 1; ok && n < tree->n; n++) {
            ok = visit(b, thread, n, af_path_enter(&b->path, tree->depth[n], tree->label[n]) > 0);
        }
        af_path_restart(&b->path);
    }
    return ok;
}

static gboolean add_to_node(building *b, const af_thread *thread, uint32_t n, gboolean nested)
{
    const af_tree *tree = thread->tree;
    af_call_node *node = &b->all[tree->label[n]];
    const uint64_t self = af_tree_self_term(tree, n, b->options->clock);
    const uint64_t calls = af_thread_counts_calls(b->profile, thread) ? tree->calls[n] : 0;
    node->label = tree->label[n];
    node->self += self;
    node->idle += af_waits_is_idle(b->profile, tree, n) ? self : 0;
    b->graph->total += self;
    b->graph->counts_calls = b->graph->counts_calls || calls > 0;
    if (nested) {
        node->nested_calls += calls;
    } else {
        node->inclusive += af_tree_time_term(tree, n, b->options->clock);
        node->calls += calls;
    }
    return TRUE;
}

static gint compare_names(const building *b, uint32_t one, uint32_t other)
{
    const int names = strcmp(b->profile->labels[one].text, b->profile->labels[other].text);
    return names != 0 ? names : (one > other) - (one < other);
}

static gint compare_inclusive(gconstpointer a, gconstpointer other, gpointer user)
{
    const building *b = user;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)other;
    const uint64_t p = b->all[x].inclusive, q = b->all[y].inclusive;
    return p != q ? (p > q ? -1 : 1) : compare_names(b, x, y);
}

static gint compare_self(gconstpointer a, gconstpointer other, gpointer user)
{
    const building *b = user;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)other;
    const uint64_t p = b->all[x].self, q = b->all[y].self;
    return p != q ? (p > q ? -1 : 1) : compare_inclusive(a, other, user);
}

/* Whether a share of the time is reached; hundredths of a percent without overflow. */
static gboolean is_large(const building *b, uint64_t time, unsigned least_c)
{
    const uint64_t total = b->graph->total;
    const uint64_t least = total / 10000 * least_c + total % 10000 * least_c / 10000;
    return least_c == 0 || (time > 0 && time >= least);
}

/* Marks `top` of the candidates in node_of, in turns from both orders. */
static void mark_top(building *b, const uint32_t *by_inclusive, const uint32_t *by_self, uint32_t n)
{
    const uint32_t top = b->options->top == 0 ? n : MIN(b->options->top, n);
    uint32_t marked = 0, at[2] = {0, 0};
    const uint32_t *orders[2] = {by_self, by_inclusive};
    while (marked < top) {
        const unsigned turn = marked % 2;
        uint32_t *next = &at[turn];
        while (b->node_of[orders[turn][*next]] != NO_NODE) {
            ++*next;
        }
        b->node_of[orders[turn][*next]] = 0;
        marked++;
    }
}

static gboolean choose_nodes(building *b)
{
    const uint32_t n_labels = b->profile->n_labels;
    const af_clock clock = b->options->clock;
    b->graph->total = af_time_of_sum(b->graph->total, clock);
    for (uint32_t l = 0; l < n_labels; l++) {
        b->all[l].self = af_time_of_sum(b->all[l].self, clock);
        b->all[l].idle = af_time_of_sum(b->all[l].idle, clock);
        b->all[l].inclusive = af_time_of_sum(b->all[l].inclusive, clock);
    }
    uint32_t *orders[2] = {g_try_new(uint32_t, (gsize)n_labels + 1),
                           g_try_new(uint32_t, (gsize)n_labels + 1)};
    gboolean ok = orders[0] != NULL && orders[1] != NULL;
    uint32_t n = 0;
    for (uint32_t l = 0; ok && l < n_labels; l++) {
        b->node_of[l] = NO_NODE;
        if (b->all[l].label != AF_NO_LABEL &&
            is_large(b, b->all[l].inclusive, b->options->least_c)) {
            orders[0][n] = orders[1][n] = l;
            n++;
        }
    }
    if (ok) {
        qsort_r(orders[0], n, sizeof(uint32_t), compare_inclusive, b);
        qsort_r(orders[1], n, sizeof(uint32_t), compare_self, b);
        mark_top(b, orders[0], orders[1], n);
        /* Candidates by inclusive time become nodes if they are marked. */
        af_call_graph *graph = b->graph;
        graph->nodes = g_try_new(af_call_node, (gsize)n + 1);
        for (uint32_t i = 0; graph->nodes != NULL && i < n; i++) {
            const uint32_t label = orders[0][i];
            if (b->node_of[label] != NO_NODE) {
                b->node_of[label] = graph->n_nodes;
                graph->nodes[graph->n_nodes++] = b->all[label];
            }
        }
        ok = graph->nodes != NULL;
    }
    for (uint32_t l = 0; ok && l < n_labels; l++) {
        if (b->node_of[l] == NO_NODE && b->all[l].label != AF_NO_LABEL) {
            b->graph->nodes_left_out++;
            b->graph->self_left_out += b->all[l].self;
        }
    }
    g_free(orders[0]);
    g_free(orders[1]);
    return ok;
}

/* NULL if memory is refused. */
static af_call_arc *find_arc(building *b, uint32_t from, uint32_t to, gboolean indirect)
{
    const uint64_t id = ((uint64_t)from << 32 | to) << 1 | (indirect ? 1 : 0);
    const af_call_arc fresh = {.from = from, .to = to, .indirect = indirect};
    const uint32_t number = af_idtable_number(&b->arcs, id, &fresh);
    return number != UINT32_MAX ? &AF_ARRAY_AT(&b->arcs.items, af_call_arc, number) : NULL;
}

static gboolean add_to_arc(building *b, const af_thread *thread, uint32_t n, gboolean nested)
{
    const af_tree *tree = thread->tree;
    const uint32_t depth = tree->depth[n], parent = tree->parent[n];
    const uint32_t from = depth > 1 ? b->nearest[depth - 1] : NO_NODE;
    const uint32_t to = b->node_of[tree->label[n]];
    b->nearest[depth] = to != NO_NODE ? to : from;
    if (to == NO_NODE || from == NO_NODE) {
        return TRUE;
    }
    const gboolean indirect = b->node_of[tree->label[parent]] == NO_NODE;
    if (indirect && nested && from == to) {
        return TRUE; /* a loop through methods that are left out shows nothing */
    }
    af_call_arc *arc = find_arc(b, from, to, indirect);
    if (arc == NULL) {
        return FALSE;
    }
    const uint64_t calls = af_thread_counts_calls(b->profile, thread) ? tree->calls[n] : 0;
    if (nested) {
        arc->nested_time += af_tree_time_term(tree, n, b->options->clock);
        arc->nested_calls += calls;
    } else {
        arc->time += af_tree_time_term(tree, n, b->options->clock);
        arc->calls += calls;
    }
    return TRUE;
}

static uint64_t weigh(const af_call_arc *arc)
{
    return arc->time > UINT64_MAX - arc->nested_time ? UINT64_MAX : arc->time + arc->nested_time;
}

static int compare_ends(const void *a, const void *b)
{
    const af_call_arc *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from ? 1 : -1)
           : x->to != y->to   ? (x->to > y->to ? 1 : -1)
                              : (x->indirect > y->indirect) - (x->indirect < y->indirect);
}

static int compare_weights(const void *a, const void *b)
{
    const uint64_t x = weigh(a), y = weigh(b);
    return x != y ? (x > y ? -1 : 1) : compare_ends(a, b);
}

/* Keeps the arcs that are large enough, and the largest one to each method; the largest come
 * first. */
static void drop_arcs(building *b)
{
    af_call_graph *graph = b->graph;
    uint32_t *reached = b->nearest; /* no longer needed; see af_call_graph_new() for its size */
    const uint32_t n = graph->n_arcs;
    const uint32_t most = b->options->most_arcs == 0 ? n : b->options->most_arcs;
    uint32_t left = 0;
    memset(reached, 0, (gsize)graph->n_nodes * sizeof *reached);
    for (uint32_t i = 0; i < n; i++) {
        const af_call_arc arc = graph->arcs[i];
        const gboolean largest = arc.from != arc.to && reached[arc.to] == 0;
        const gboolean large = is_large(b, weigh(&arc), b->options->least_c / 5);
        reached[arc.to] += largest ? 1 : 0;
        if (largest || (large && left < most)) {
            graph->arcs[left++] = arc;
        }
    }
    graph->n_arcs = left;
    graph->arcs_left_out = n - left;
}

static gboolean make_arcs(building *b)
{
    af_call_graph *graph = b->graph;
    if (!walk(b, add_to_arc)) {
        return FALSE;
    }
    const af_array *arcs = &b->arcs.items;
    for (size_t i = 0; i < arcs->n; i++) {
        af_call_arc *arc = &AF_ARRAY_AT(arcs, af_call_arc, i);
        arc->time = af_time_of_sum(arc->time, b->options->clock);
        arc->nested_time = af_time_of_sum(arc->nested_time, b->options->clock);
    }
    graph->arcs = g_try_new(af_call_arc, arcs->n + 1);
    if (graph->arcs != NULL) {
        graph->n_arcs = (uint32_t)arcs->n;
        if (graph->n_arcs > 0) {
            memcpy(graph->arcs, arcs->items, graph->n_arcs * sizeof *graph->arcs);
        }
        qsort(graph->arcs, graph->n_arcs, sizeof *graph->arcs, compare_weights);
        drop_arcs(b);
        qsort(graph->arcs, graph->n_arcs, sizeof *graph->arcs, compare_ends);
    }
    return graph->arcs != NULL;
}

af_call_graph *af_call_graph_new(const af_profile *profile, const af_call_graph_options *options)
{
    const gsize n = (gsize)profile->n_labels + 1;
    building b = {.profile = profile, .options = options, .graph = g_try_new0(af_call_graph, 1)};
    const uint32_t deepest = af_profile_deepest(profile, options->threads, options->n_threads);
    af_idtable_init(&b.arcs, sizeof(af_call_arc), NULL);
    b.all = g_try_new0(af_call_node, n);
    b.node_of = g_try_new(uint32_t, n);
    b.nearest = g_try_new(uint32_t, MAX((gsize)deepest + 1, n));
    for (gsize l = 0; b.all != NULL && l < n; l++) {
        b.all[l].label = AF_NO_LABEL;
    }
    const gboolean ok = af_path_begin(&b.path, n, deepest) && b.graph != NULL && b.all != NULL &&
                        b.node_of != NULL && b.nearest != NULL && walk(&b, add_to_node) &&
                        choose_nodes(&b) && make_arcs(&b);
    af_idtable_clear(&b.arcs);
    g_free(b.nearest);
    af_path_end(&b.path);
    g_free(b.node_of);
    g_free(b.all);
    if (!ok) {
        g_clear_pointer(&b.graph, af_call_graph_free);
    }
    return b.graph;
}

/* "1 method", "12 methods" */
static void append_count(GString *to, uint32_t n, const char *one)
{
    char number[AF_NUMBER_SIZE];
    g_string_append_printf(to, "%s %s%s", af_number_count(number, n), one, n == 1 ? "" : "s");
}

char *af_call_graph_describe_left_out(const af_call_graph *graph, const af_unit *unit)
{
    char amount[AF_NUMBER_SIZE], share[AF_NUMBER_SIZE];
    if (graph->nodes_left_out == 0 && graph->arcs_left_out == 0) {
        return NULL;
    }
    GString *text = g_string_new(NULL);
    if (graph->nodes_left_out > 0) {
        append_count(text, graph->nodes_left_out, "method");
        g_string_append_printf(text, " with self %s (%s)",
                               af_number_amount(amount, graph->self_left_out, unit),
                               af_number_share(share, graph->self_left_out, graph->total));
    }
    if (graph->arcs_left_out > 0) {
        g_string_append(text, text->len > 0 ? " and " : "");
        append_count(text, graph->arcs_left_out, "arrow");
    }
    g_string_append(text, graph->nodes_left_out + graph->arcs_left_out == 1 ? " is" : " are");
    g_string_append(text, " left out; --min-percent and --top change that");
    return g_string_free(text, FALSE);
}

void af_call_graph_free(af_call_graph *graph)
{
    if (graph != NULL) {
        g_free(graph->nodes);
        g_free(graph->arcs);
        g_free(graph);
    }
}

double af_call_arc_share(const af_call_graph *graph, const af_call_arc *arc)
{
    const uint64_t time = arc->time > 0 ? arc->time : arc->nested_time;
    return graph->total > 0 ? MIN((double)time / (double)graph->total, 1) : 0;
}
