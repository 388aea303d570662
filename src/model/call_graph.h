/* The call graph of some threads: each method once, with arcs to the methods that it calls.
 *
 * A node adds up all calls of a label; inclusive time counts calls outside another call of the same
 * label, so recursion counts once. An arc adds up the calls of one method by another. Calls of a
 * method that is open further out are nested and counted apart, as in the tables of callers and
 * callees: the times of the arcs to a method, and of its outermost calls from no other method of
 * the graph, add up to its inclusive time.
 *
 * Methods that are left out are passed over: an indirect arc leads from the nearest caller in the
 * graph. */
#pragma once

#include "model/profile.h"

typedef struct {
    uint32_t label;
    uint64_t self, inclusive;
    uint64_t idle;                /* the part of `self` that waits for work */
    uint64_t calls, nested_calls; /* calls: outermost */
} af_call_node;

typedef struct {
    uint32_t from, to; /* nodes */
    gboolean indirect; /* through methods that are left out */
    uint64_t time, calls;
    uint64_t nested_time, nested_calls;
} af_call_arc;

/* What to leave out. */
typedef struct {
    af_clock clock;          /* not AF_CLOCK_DEFAULT */
    const uint32_t *threads; /* those without the clock are skipped */
    uint32_t n_threads;
    unsigned least_c; /* methods below this share of the time of all threads, and arcs below a fifth
                           of it; hundredths of a percent. The largest arc to a method stays */
    uint32_t top; /* methods besides those with the most self and the most inclusive time, taken in
                           turns; 0 = none */
    uint32_t most_arcs; /* arcs besides those with the most time and the largest to each method;
                           0 = none */
} af_call_graph_options;

typedef struct {
    uint64_t total; /* time of the threads */
    gboolean counts_calls;
    uint32_t n_nodes, n_arcs;
    af_call_node *nodes; /* by inclusive time, largest first; equal ones by name */
    af_call_arc *arcs;   /* by from, to, indirect */
    uint32_t nodes_left_out, arcs_left_out;
    uint64_t self_left_out; /* of these methods */
} af_call_graph;

/* NULL if memory is refused. */
af_call_graph *af_call_graph_new(const af_profile *profile, const af_call_graph_options *options);
void af_call_graph_free(af_call_graph *graph); /* may be NULL */

/* Whether a method mostly waits for work. */
static inline gboolean af_call_node_is_idle(const af_call_node *node)
{
    return node->idle > node->self / 2;
}

/* "12 methods left out, self 1.20 ms (0.4 %), and 3 arrows; ...", NULL if nothing is. Free with
 * g_free(). */
char *af_call_graph_describe_left_out(const af_call_graph *graph, const af_unit *unit);

/* The time of the calls out of the total; of nested calls, which may add up to more, at most 1. */
double af_call_arc_share(const af_call_graph *graph, const af_call_arc *arc);
