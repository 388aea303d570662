/* The geometry of a call graph: boxes with their texts, arrows as curves.
 *
 * A box is a method; the size of its text shows its self time, except for idle methods. Graphviz
 * decides where boxes and arrows are (aflame/graph_layout.h); it sees only their sizes, never a
 * text. */
#pragma once

#include <aflame/graph_layout.h>
#include "model/call_graph.h"

enum { AF_MAP_LINES = 4 };

typedef struct {
    char *text;
    int32_t size, advance;
    gboolean bold, simple;
} af_map_line;

typedef struct {
    af_map_line lines[AF_MAP_LINES];
    unsigned n;
    int32_t width, height; /* of the lines without a margin */
} af_map_text;

typedef struct af_call_map {
    const af_profile *profile;
    const af_call_graph *graph;
    af_clock clock;
    gboolean compact;
    af_map_text *boxes, *arrows; /* by node and by arc */
    af_graph_layout layout;
} af_call_map;

/* Boxes and arrows with their sizes, not laid out yet; `compact` ones are for a page of limited size.
 * NULL if memory is refused. */
af_call_map *af_call_map_new(const af_profile *profile, const af_call_graph *graph, af_clock clock,
                             gboolean compact);
void af_call_map_free(af_call_map *map); /* may be NULL */

/* The heights of the lines of a text, from its top: the baseline of line `i`. */
int32_t af_map_text_baseline(const af_map_text *text, unsigned i);

/* The curve of an arrow as a polygon: its stroke, `half_c` to each side, and its head. Dashed
 * strokes are several polygons. Calls `add` for each; `points` is valid during the call. */
typedef void (*af_map_polygon_func)(void *user, const af_graph_point *points, uint32_t n);
void af_map_arrow_outline(const af_graph_arrow *arrow, double half_c, gboolean dashed,
                          af_map_polygon_func add, void *user);
