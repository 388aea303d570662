#include <string.h>

#include "drawn_profile.h"
#include "render/callgraph/call_map.h"
#include "render/page/sheet.h"
#include "suite.h"

/* main calls run three times, which calls itself and, through a small method, wait. */
static const made_row rows[] = {
    {1, "com.shop.Main.main", {1000, 500}},
    {2, "com.shop.Work.run", {30000, 20000}},
    {3, "com.shop.Work.run", {10000, 9000}},
    {3, "com.shop.Tiny.pass", {10, 10}},
    {4, "java.lang.Object.wait", {50000, 0}},
    {2, "com.shop.Work.draw", {9000, 9000}},
    {0, NULL, {0, 0}},
};

static af_profile *make_profile(void)
{
    af_profile *profile = made_profile_new(1u << AF_WALL | 1u << AF_CPU);
    made_thread_add(profile, 1, "main", "main", rows);
    drawn_profile_finish(profile);
    return profile;
}

static const uint32_t threads[] = {0};

static af_call_graph *make_graph(const af_profile *profile, unsigned least_c, uint32_t top)
{
    const af_call_graph_options options = {
        .clock = AF_WALL, .threads = threads, .n_threads = 1, .least_c = least_c, .top = top};
    af_call_graph *graph = af_call_graph_new(profile, &options);
    ck_assert_ptr_nonnull(graph);
    return graph;
}

/* Boxes below each other; arrows straight down on their right. */
static void lay_out(af_graph_layout *layout)
{
    for (uint32_t i = 0; i < layout->n_boxes; i++) {
        layout->boxes[i].y = layout->height;
        layout->height += layout->boxes[i].height + 3000;
        layout->width = MAX(layout->width, layout->boxes[i].width);
    }
    for (uint32_t i = 0; i < layout->n_arrows; i++) {
        af_graph_arrow *arrow = &layout->arrows[i];
        const int32_t from = layout->boxes[arrow->from].y, to = layout->boxes[arrow->to].y;
        arrow->points = g_new(af_graph_point, 7);
        arrow->n_points = 7;
        for (int p = 0; p < 7; p++) {
            arrow->points[p] = (af_graph_point){layout->width, from + (to + 100 - from) * p / 6};
        }
        arrow->label.x = layout->width + 100;
        arrow->label.y = (from + to) / 2;
    }
}

TEST(is_drawn)
{
    g_autoptr(af_profile) profile = make_profile();
    af_call_graph *graph = make_graph(profile, 0, 3);
    af_call_map *map = af_call_map_new(profile, graph, AF_WALL, FALSE);
    ck_assert_ptr_nonnull(map);
    lay_out(&map->layout);
    const af_sheet_options options = {.clock = AF_WALL,
                                      .threads = threads,
                                      .n_threads = 1,
                                      .input = "app.trace",
                                      .program = "aflame test",
                                      .width_c = 100000,
                                      .min_width_c = 100,
                                      .map = map};
    g_autoptr(af_scene) scene = af_sheet_new(profile, &options);
    ck_assert_ptr_nonnull(scene);
    g_autofree char *text = drawn_print(scene);
    drawn_compare_golden("scene/callgraph.txt", text);
    af_call_map_free(map);
    af_call_graph_free(graph);
}
