#include "profile_text.h"

#include <inttypes.h>

static void add_node(GString *text, const af_profile *p, unsigned thread, uint32_t node)
{
    g_string_append_printf(text, "%" PRIu32 " %s x%" PRIu64 " thrown %" PRIu64,
                           af_node_depth(p, thread, node), af_node_label(p, thread, node),
                           af_node_calls(p, thread, node), af_node_unwinds(p, thread, node));
    for (af_clock clock = AF_WALL; clock <= AF_CPU; clock++) {
        g_string_append_printf(
            text, " %" PRIu64 "/%" PRIu64 " %" PRIu64 "..%" PRIu64,
            af_node_self_ns(p, thread, node, clock), af_node_inclusive_ns(p, thread, node, clock),
            af_node_min_ns(p, thread, node, clock), af_node_max_ns(p, thread, node, clock));
    }
    g_string_append_c(text, '\n');
}

char *profile_text(af_profile *p, GError *error)
{
    if (p == NULL) {
        char *failure = g_strdup_printf("error %d: %s", error->code, error->message);
        g_error_free(error);
        return failure;
    }
    g_autofree char *json = af_info_json(p, "input");
    GString *text = g_string_new(json);
    for (unsigned i = 0; i < af_profile_n_warnings(p); i++) {
        g_autofree char *line = af_info_warning(p, i);
        g_string_append_printf(text, "\n%s", line);
    }
    for (unsigned thread = 0; thread < af_profile_n_threads(p); thread++) {
        g_string_append_printf(text, "\nthread %" PRIu64 "\n", af_thread_id(p, thread));
        for (uint32_t node = 0; node < af_tree_n_nodes(p, thread); node++) {
            add_node(text, p, thread, node);
        }
    }
    af_profile_free(p);
    return g_string_free(text, FALSE);
}
