#include "api/callgraph.h"

#include "base/c_locale.h"
#include "base/memory_error.h"
#include "render/sizes.h"

static gboolean lay_out(af_callgraph *c, const af_picture_options *options, GError **error)
{
    af_graph_layout *layout = &c->map->layout;
    const af_c_locale locale = af_c_locale_begin();
    const char *wrong = layout->n_boxes > 0 ? options->lay_out(layout) : NULL;
    af_c_locale_end(&locale);
    if (wrong != NULL) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE, wrong);
    }
    return wrong == NULL;
}

static gboolean fits_page(const af_callgraph *c)
{
    enum { AROUND_C = 30000 }; /* title, legend and footer */
    const af_graph_layout *layout = &c->map->layout;
    return c->height_c == 0 || (layout->width + 2 * AF_MARGIN_C <= c->width_c &&
                                layout->height + AROUND_C <= c->height_c);
}

gboolean af_callgraph_begin(af_callgraph *c, const af_profile *profile, const GArray *threads,
                            af_clock clock, const af_picture_options *options, GPtrArray *messages,
                            GError **error)
{
    enum { FEWEST = 4 };
    gboolean reduced = FALSE;
    const uint32_t top = options->top == 0 ? AF_CALLGRAPH_METHODS : options->top;
    af_call_graph_options wanted = {.clock = clock,
                                    .threads = (const uint32_t *)(const void *)threads->data,
                                    .n_threads = threads->len,
                                    .least_c = options->min_percent_c,
                                    .top = MIN(top, AF_CALLGRAPH_METHODS),
                                    .most_arcs = AF_CALLGRAPH_ARROWS};
    if (options->lay_out == NULL) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "a call graph needs a layout function");
        return FALSE;
    }
    for (gboolean fits = FALSE; !fits;) {
        af_callgraph_end(c);
        c->graph = af_call_graph_new(profile, &wanted);
        c->map = c->graph != NULL ? af_call_map_new(profile, c->graph, clock) : NULL;
        if (c->map == NULL) {
            return af_memory_error_set(error);
        }
        if (!lay_out(c, options, error)) {
            return FALSE;
        }
        fits = wanted.top <= FEWEST || fits_page(c);
        wanted.top = MIN(wanted.top, c->map->layout.n_boxes) * 7 / 8;
        reduced |= !fits;
    }
    if (reduced) {
        g_ptr_array_add(
            messages, g_strdup_printf("the PNG has the %u methods that fit into %d x %d "
                                      "pixels: --height none draws more",
                                      c->map->layout.n_boxes, c->width_c / 100, c->height_c / 100));
    }
    char *omitted = af_call_graph_describe_left_out(c->graph, &profile->facts.weights.unit);
    if (omitted != NULL) {
        g_ptr_array_add(messages, omitted);
    }
    return TRUE;
}

void af_callgraph_end(af_callgraph *c)
{
    g_clear_pointer(&c->map, af_call_map_free);
    g_clear_pointer(&c->graph, af_call_graph_free);
}

int32_t af_callgraph_width_c(const af_callgraph *c)
{
    return MAX(c->map->layout.width + 2 * AF_MARGIN_C,
               c->height_c > 0 ? c->width_c : AF_MAP_WIDTH_MIN_C);
}
