/* The entry point of the module that lays out call graphs; the command looks it up by name. */
#pragma once

#include <aflame/graph_layout.h>

__attribute__((visibility("default"))) const char *af_graphviz_lay_out(af_graph_layout *layout);
