/* The entry point of the module that lays out call graphs; the command looks it up by name. */
#ifndef AF_GRAPHVIZ_GRAPHVIZ_H
#define AF_GRAPHVIZ_GRAPHVIZ_H

#include <aflame/graph_layout.h>

__attribute__((visibility("default"))) const char *af_graphviz_lay_out(af_graph_layout *layout);

#endif
