#include "model/tree_rewrite.h"

#include <string.h>

#include "model/tree.h"
#include "suite.h"

#define WALL (1u << AF_WALL)
#define CPU  (1u << AF_CPU)

/* (parent, label, calls, wall self) of the nodes from 1 on. */
typedef struct {
    uint32_t parent, label;
    uint64_t calls, self;
} row;

/* Every call of a node takes the same time: this determines the shortest and longest. */
static af_tree *make_tree(const row *rows, uint32_t n, unsigned clocks)
{
    af_tree *tree = af_tree_new(n + 1, clocks);
    for (uint32_t i = 0; i < n; i++) {
        tree->parent[i + 1] = rows[i].parent;
        tree->label[i + 1] = rows[i].label;
        tree->calls[i + 1] = rows[i].calls;
        tree->self[AF_WALL][i + 1] = rows[i].self;
    }
    af_tree_sum(tree);
    for (uint32_t i = 1; i <= n; i++) {
        tree->min[AF_WALL][i] = tree->inclusive[AF_WALL][i] / tree->calls[i];
        tree->max[AF_WALL][i] = tree->min[AF_WALL][i];
    }
    return tree;
}

TEST(a_tree_may_lose_a_clock)
{
    static const row rows[] = {{0, 7, 1, 5}, {1, 8, 1, 3}};
    g_autoptr(af_tree) tree = make_tree(rows, 2, WALL | CPU);
    ck_assert_uint_eq(af_tree_clocks(tree), WALL | CPU);
    af_tree_keep_clocks(tree, ~CPU);
    ck_assert_uint_eq(af_tree_clocks(tree), WALL);
    ck_assert(!af_tree_has(tree, AF_CPU) && !af_tree_has(tree, AF_WAIT));
    ck_assert_ptr_null(af_tree_widths(tree, AF_CPU));
    ck_assert_ptr_null(af_tree_widths(tree, AF_WAIT));
    ck_assert_uint_eq(af_tree_time_ns(tree, 0, AF_WAIT), 0);
    ck_assert_uint_eq(af_tree_time_ns(tree, 0, AF_WALL), 8);
    ck_assert_ptr_null(af_tree_check(tree));
    static const uint32_t same[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    g_autoptr(af_tree) merged = af_tree_relabel(tree, same);
    ck_assert_uint_eq(af_tree_clocks(merged), WALL);
}

/* The parent has more CPU than wall time; its callees shrink by 15 / 55. The script's test has the same
 * numbers. */
TEST(waiting_is_wall_minus_cpu)
{
    static const row rows[] = {{0, 7, 1, 0}, {1, 9, 1, 50}, {1, 8, 1, 30}, {1, 9, 1, 10}};
    static const uint64_t cpu[] = {0, 40, 0, 30, 5};
    static const uint64_t self[] = {0, 0, 50, 0, 5}, time[] = {15, 15, 50, 0, 5};
    static const uint64_t own[] = {0, 1, 13, 0, 1}, whole[] = {15, 15, 13, 0, 1};
    af_tree *tree = make_tree(rows, 4, WALL | CPU);
    memcpy(tree->self[AF_CPU], cpu, sizeof cpu);
    af_tree_sum(tree);
    ck_assert(af_tree_has(tree, AF_WAIT));
    const uint64_t *widths = af_tree_widths(tree, AF_WAIT);
    for (uint32_t i = 0; i < 5; i++) {
        ck_assert_uint_eq(af_tree_self_ns(tree, i, AF_WAIT), self[i]);
        ck_assert_uint_eq(af_tree_time_ns(tree, i, AF_WAIT), time[i]);
        ck_assert_uint_eq(af_tree_self_widths(tree, AF_WAIT)[i], own[i]);
        ck_assert_uint_eq(widths[i], whole[i]);
    }
    ck_assert_ptr_eq(af_tree_widths(tree, AF_WAIT), widths);
    ck_assert_ptr_eq(af_tree_widths(tree, AF_CPU), tree->inclusive[AF_CPU]);
    ck_assert_ptr_eq(af_tree_self_widths(tree, AF_CPU), tree->self[AF_CPU]);
    af_tree_free(tree);
    tree = af_tree_new(2, WALL);
    ck_assert(!af_tree_has(tree, AF_WAIT));
    ck_assert_ptr_null(af_tree_widths(tree, AF_WAIT));
    ck_assert_ptr_null(af_tree_self_widths(tree, AF_WAIT));
    af_tree_free(tree);
}

TEST(broken_trees_are_detected)
{
    static const row rows[] = {{0, 7, 1, 5}, {1, 8, 2, 20}, {1, 9, 1, 3}};
    for (int broken = 0; broken < 7; broken++) {
        g_autoptr(af_tree) tree = make_tree(rows, 3, WALL);
        ck_assert_ptr_null(af_tree_check(tree));
        switch (broken) {
        case 0:
            tree->parent[2] = 2;
            break;
        case 1:
            tree->depth[3] = 1;
            break;
        case 2:
            tree->self[AF_WALL][0] = 1;
            break;
        case 3:
            tree->inclusive[AF_WALL][1]++;
            break;
        case 4:
            tree->calls[2] = 0;
            break;
        case 5:
            tree->max[AF_WALL][2] = 21;
            break;
        default:
            tree->min[AF_WALL][1] = 99;
        }
        ck_assert_msg(af_tree_check(tree) != NULL, "not found: %d", broken);
    }
}

/* Node 3 is below node 1 again although node 2 is not below node 1. */
TEST(nodes_must_be_in_tree_order)
{
    static const row rows[] = {{0, 7, 1, 5}, {0, 8, 1, 6}, {1, 9, 1, 3}};
    g_autoptr(af_tree) tree = make_tree(rows, 3, WALL);
    ck_assert_ptr_nonnull(af_tree_check(tree));
}

TEST(equal_labels_merge)
{
    /* a(b(d) c b'(d e)), with b and b' getting the same label */
    static const row rows[] = {{0, 0, 1, 1},  {1, 1, 1, 10}, {2, 3, 1, 2}, {1, 2, 1, 5},
                               {1, 4, 1, 20}, {5, 3, 3, 9},  {5, 5, 1, 7}};
    static const uint32_t label_of[] = {0, 1, 2, 3, 1, 5};
    g_autoptr(af_tree) tree = make_tree(rows, 7, WALL);
    g_autoptr(af_tree) merged = af_tree_relabel(tree, label_of);
    ck_assert_ptr_nonnull(merged);
    ck_assert_ptr_null(af_tree_check(merged));
    static const uint32_t label[] = {AF_NO_LABEL, 0, 1, 3, 5, 2};
    static const uint32_t parent[] = {AF_NO_NODE, 0, 1, 2, 2, 1};
    static const uint64_t calls[] = {0, 1, 2, 4, 1, 1};
    static const uint64_t self[] = {0, 1, 30, 11, 7, 5};
    static const uint64_t shortest[] = {0, 54, 12, 2, 7, 5}, longest[] = {0, 54, 36, 3, 7, 5};
    ck_assert_uint_eq(merged->n, 6);
    for (uint32_t i = 0; i < 6; i++) {
        ck_assert_uint_eq(merged->label[i], label[i]);
        ck_assert_uint_eq(merged->parent[i], parent[i]);
        ck_assert_uint_eq(merged->calls[i], calls[i]);
        ck_assert_uint_eq(merged->self[AF_WALL][i], self[i]);
        ck_assert_uint_eq(merged->min[AF_WALL][i], shortest[i]);
        ck_assert_uint_eq(merged->max[AF_WALL][i], longest[i]);
    }
    ck_assert_uint_eq(merged->inclusive[AF_WALL][0], tree->inclusive[AF_WALL][0]);
}

TEST(twins_are_siblings_with_one_label)
{
    /* a(b(d) c b'(d' e)): the d lie below different parents */
    static const row rows[] = {{0, 0, 1, 1},  {1, 1, 1, 10}, {2, 3, 1, 2}, {1, 2, 1, 5},
                               {1, 4, 1, 20}, {5, 6, 3, 9},  {5, 5, 1, 7}};
    static const struct {
        uint32_t label_of[7];
        guint8 shared[7];
        gboolean expected;
    } cases[] = {
        {{0, 1, 2, 3, 4, 5, 6}, {0, 0, 0, 0, 0, 0, 0}, FALSE},
        {{0, 1, 2, 3, 4, 5, 3}, {0, 0, 0, 1, 0, 0, 0}, FALSE}, /* the two d */
        {{0, 1, 2, 0, 4, 5, 6}, {1, 0, 0, 0, 0, 0, 0}, FALSE}, /* a recursive call */
        {{0, 1, 2, 3, 1, 5, 6}, {0, 1, 0, 0, 0, 0, 0}, TRUE},  /* b and b' */
        {{0, 1, 2, 3, 4, 6, 6}, {0, 0, 0, 0, 0, 0, 1}, TRUE},  /* the last two */
    };
    g_autoptr(af_tree) tree = make_tree(rows, 7, WALL);
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        ck_assert_msg(af_tree_has_twins(tree, cases[i].label_of, cases[i].shared) ==
                          cases[i].expected,
                      "case %u", i);
    }
}
