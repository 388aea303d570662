#include "made_profile.h"
#include "render/graph/sandwich.h"
#include "suite.h"

static af_layout *lay_out(const af_tree *tree, int32_t width_c, int32_t min_width_c)
{
    af_layout *layout = af_layout_new(
        tree,
        &(af_layout_options){.clock = AF_WALL, .width_c = width_c, .min_width_c = min_width_c});
    ck_assert_ptr_nonnull(layout);
    return layout;
}

static void check_frame(const af_layout *layout, uint32_t i, uint32_t node, uint32_t row,
                        int32_t x0, int32_t x1, uint32_t nodes)
{
    const af_frame *frame = &layout->frames[i];
    ck_assert_uint_eq(frame->node, node);
    ck_assert_uint_eq(frame->row, row);
    ck_assert_int_eq(frame->x0, x0);
    ck_assert_int_eq(frame->x1, x1);
    ck_assert_uint_eq(frame->nodes, nodes);
}

TEST(narrow_neighbours_merge_into_one_block)
{
    static const made_row rows[] = {{1, "wide", {40, 0}},  {1, "n1", {3, 0}}, {1, "n2", {2, 0}},
                                    {2, "inside", {1, 0}}, {1, "n3", {4, 0}}, {1, "big", {45, 0}},
                                    {1, "n4", {5, 0}},     {0, 0, {0, 0}}};
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL);
    const af_tree *tree = made_thread_add(profile, 1, "t", "t", rows)->tree;
    g_autoptr(af_layout) layout = lay_out(tree, 1000, 100);
    ck_assert_uint_eq(layout->n, 4);
    check_frame(layout, 0, 1, 0, 0, 400, 0);
    check_frame(layout, 1, 2, 0, 400, 500, 3);
    check_frame(layout, 2, 6, 0, 500, 950, 0);
    check_frame(layout, 3, 7, 0, 950, 1000, 1); /* alone between others: narrow but present */
    ck_assert_uint_eq(layout->frames[1].time_ns, 10);
    ck_assert_uint_eq(layout->frames[3].time_ns, 5);
    ck_assert_uint_eq(layout->hidden_nodes, 5);
    ck_assert_uint_eq(layout->hidden_ns, 15);
    ck_assert_uint_eq(layout->rows, 1); /* blocks have no children */
    ck_assert_uint_eq(layout->rows_in_tree, 2);
}

/* a calls x (twice), b calls x, which calls itself through c; x calls b. */
static const made_row recursive[] = {
    {1, "a", {10, 0}}, {2, "x", {20, 5}},  {3, "b", {5, 5}}, {2, "y", {5, 0}}, {1, "b", {5, 0}},
    {2, "x", {10, 0}}, {3, "c", {10, 10}}, {4, "x", {5, 0}}, {1, "x", {5, 5}}, {0, 0, {0, 0}}};

TEST(a_sandwich_has_callers_and_callees)
{
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL | 1u << AF_CPU);
    const af_tree *tree = made_thread_add(profile, 1, "t", "t", recursive)->tree;
    uint32_t turn;
    af_tree *x = af_sandwich_new(tree, tree->label[2], &turn);
    ck_assert_ptr_nonnull(x);
    ck_assert_uint_eq(x->n, 7);
    ck_assert_uint_eq(turn, 4);
    /* the method, its callers a and b, its callees b and c with x: its 55 ns count once */
    static const uint32_t depth[] = {0, 1, 2, 2, 2, 2, 3};
    static const uint64_t times[] = {55, 55, 25, 25, 5, 15, 5};
    static const uint64_t selfs[] = {0, 35, 0, 0, 5, 10, 5};
    static const uint64_t waits[] = {30, 30, 15, 15, 0, 5, 5};
    for (uint32_t i = 0; i < x->n; i++) {
        ck_assert_uint_eq(x->depth[i], depth[i]);
        ck_assert_uint_eq(x->inclusive[AF_WALL][i], times[i]);
        ck_assert_uint_eq(x->self[AF_WALL][i], selfs[i]);
        ck_assert_uint_eq(af_tree_time_ns(x, i, AF_WAIT), waits[i]);
    }
    ck_assert_uint_eq(x->label[2], tree->label[1]);
    ck_assert_uint_eq(x->label[4], tree->label[3]);
    af_tree_free(x);
    x = af_sandwich_new(tree, 1000, &turn);
    ck_assert_uint_eq(x->n, 1);
    af_tree_free(x);
}

TEST(callers_are_above_the_method_and_callees_below_it)
{
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL | 1u << AF_CPU);
    const af_tree *tree = made_thread_add(profile, 1, "t", "t", recursive)->tree;
    const af_layout_options options = {.clock = AF_WALL, .width_c = 5500, .min_width_c = 1};
    uint32_t turn;
    g_autoptr(af_tree) x = af_sandwich_new(tree, tree->label[2], &turn);
    af_layout *layout = af_sandwich_layout_new(x, turn, &options, UINT32_MAX, 0);
    ck_assert_ptr_nonnull(layout);
    ck_assert_uint_eq(layout->above, 1);
    ck_assert_uint_eq(layout->rows, 4);
    ck_assert_uint_eq(layout->rows_in_tree, 4);
    ck_assert_uint_eq(layout->n, 6);
    check_frame(layout, 0, 2, 0, 0, 2500, 0);
    check_frame(layout, 1, 3, 0, 2500, 5000, 0);
    check_frame(layout, 2, 1, 1, 0, 5500, 0);
    check_frame(layout, 3, 4, 2, 0, 500, 0);
    check_frame(layout, 4, 5, 2, 500, 2000, 0);
    check_frame(layout, 5, 6, 3, 500, 1000, 0);
    af_layout_free(layout);
    layout = af_sandwich_layout_new(x, turn, &options, 0, 0);
    ck_assert_uint_eq(layout->above, 0);
    ck_assert_uint_eq(layout->rows_above, 1);
    check_frame(layout, 0, 1, 0, 0, 5500, 0);
    af_layout_free(layout);
}

TEST(a_deep_recursion_has_a_sandwich)
{
    enum { DEPTH = 200000 };
    g_autoptr(af_tree) tree = af_tree_new(DEPTH + 1, 1u << AF_WALL);
    for (uint32_t i = 1; i <= DEPTH; i++) {
        tree->parent[i] = i - 1;
        tree->label[i] = i == DEPTH;
        tree->self[AF_WALL][i] = 1;
        tree->calls[i] = 1;
    }
    af_tree_sum(tree);
    for (uint32_t label = 0; label < 2; label++) {
        uint32_t turn;
        g_autoptr(af_tree) x = af_sandwich_new(tree, label, &turn);
        ck_assert_ptr_nonnull(x);
        ck_assert_uint_eq(x->n, DEPTH + 1);
        ck_assert_uint_eq(turn, label == 0 ? 2 : DEPTH + 1);
    }
}

TEST(a_tree_without_time_has_no_frames)
{
    static const made_row rows[] = {{1, "a", {0, 7}}, {0, 0, {0, 0}}};
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL);
    const af_tree *tree = made_thread_add(profile, 1, "t", "t", rows)->tree;
    af_layout *layout = lay_out(tree, 1000, 10);
    ck_assert_uint_eq(layout->n, 0);
    ck_assert_uint_eq(layout->rows, 0);
    ck_assert_uint_eq(layout->rows_in_tree, 1);
    af_layout_free(layout);
    /* a clock that the profile lacks */
    layout = af_layout_new(tree, &(af_layout_options){.clock = AF_CPU, .width_c = 10});
    ck_assert_uint_eq(layout->n, 0);
    af_layout_free(layout);
}

TEST(times_of_centuries_do_not_overflow)
{
    g_autoptr(af_tree) tree = af_tree_new(4, 1u << AF_WALL);
    tree->parent[0] = AF_NO_NODE;
    for (uint32_t i = 1; i < 4; i++) {
        tree->self[AF_WALL][i] = UINT64_MAX / 3;
    }
    af_tree_sum(tree);
    g_autoptr(af_layout) layout = lay_out(tree, 2000000000, 1);
    ck_assert_uint_eq(layout->n, 3);
    ck_assert_int_eq(layout->frames[0].x1, 666666666);
    ck_assert_int_eq(layout->frames[2].x1, 2000000000);
}

/* ---- arbitrary trees ---- */

static af_tree *grow_random(uint32_t seed)
{
    const uint32_t n = 2 + made_random(&seed) % 400;
    af_tree *tree = af_tree_new(n, 1u << AF_WALL);
    uint32_t above = 0;
    tree->parent[0] = AF_NO_NODE;
    tree->label[0] = AF_NO_LABEL;
    for (uint32_t i = 1; i < n; i++) {
        /* below the previous node or below one of its ancestors */
        for (uint32_t up = made_random(&seed) % 4; above > 0 && up > 1; up--) {
            above = tree->parent[above];
        }
        tree->parent[i] = above;
        tree->label[i] = i;
        tree->calls[i] = 1;
        tree->self[AF_WALL][i] = made_random(&seed) % 1000 * (made_random(&seed) % 3);
        above = i;
    }
    tree->self[AF_WALL][n - 1] += 1;
    af_tree_sum(tree);
    return tree;
}

static int32_t expect_x(const af_tree *tree, uint64_t offset, int32_t width_c)
{
    return (int32_t)((uint64_t)width_c * offset / tree->inclusive[AF_WALL][0]);
}

/* Time to the left of a node: that of its earlier siblings and of its parent's. */
static uint64_t find_offset(const af_tree *tree, uint32_t node)
{
    uint64_t offset = 0;
    for (; node > 0; node = tree->parent[node]) {
        for (uint32_t i = 1; i < node; i++) {
            offset += tree->parent[i] == tree->parent[node] ? tree->inclusive[AF_WALL][i] : 0;
        }
    }
    return offset;
}

TEST_EACH(the_frames_of_any_tree_tile, 60)
{
    enum { WIDTH = 100000 };
    g_autoptr(af_tree) tree = grow_random((uint32_t)_i * 7919u + 1);
    ck_assert_ptr_null(af_tree_check(tree));
    const int32_t min_width = 1 + _i % 5 * 300;
    g_autoptr(af_layout) layout = lay_out(tree, WIDTH, min_width);
    uint64_t drawn_ns = 0, drawn = 0;
    for (uint32_t i = 0; i < layout->n; i++) {
        const af_frame *frame = &layout->frames[i];
        const uint64_t offset = find_offset(tree, frame->node);
        ck_assert_uint_eq(frame->row + 1, tree->depth[frame->node]);
        ck_assert_int_eq(frame->x0, expect_x(tree, offset, WIDTH));
        const uint64_t time = frame->nodes ? frame->time_ns : tree->inclusive[AF_WALL][frame->node];
        ck_assert_int_eq(frame->x1, expect_x(tree, offset + time, WIDTH));
        if (i > 0 && layout->frames[i - 1].row == frame->row) {
            ck_assert_int_le(layout->frames[i - 1].x1, frame->x0);
        }
        if (frame->nodes == 0) {
            ck_assert_int_ge(frame->x1 - frame->x0, min_width);
            drawn_ns += tree->self[AF_WALL][frame->node];
            drawn++;
        }
    }
    ck_assert_uint_eq(drawn + layout->hidden_nodes, tree->n - 1);
    ck_assert_uint_eq(drawn_ns + layout->hidden_ns, tree->inclusive[AF_WALL][0]);
}
