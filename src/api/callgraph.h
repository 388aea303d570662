/* The call graph of a picture, laid out by the program's function. */
#pragma once

#include <aflame/picture.h>
#include "render/callgraph/call_map.h"

typedef struct {
    af_call_graph *graph;
    af_call_map *map;
    int32_t width_c, height_c; /* the page that it must fit; height 0 = any */
} af_callgraph;

/* Makes and lays out the graph of some threads; `messages` receives what it leaves out. FALSE with
 * AF_ERROR_USAGE (the options have no function) or _MEMORY; end it in any case. */
gboolean af_callgraph_begin(af_callgraph *callgraph, const af_profile *profile,
                            const GArray *threads, af_clock clock,
                            const af_picture_options *options, GPtrArray *messages, GError **error);
void af_callgraph_end(af_callgraph *callgraph);

/* The width of a page for it. */
int32_t af_callgraph_width_c(const af_callgraph *callgraph);
