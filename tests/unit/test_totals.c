#include <string.h>

#include "made_profile.h"
#include "report/tables/totals.h"
#include "suite.h"

#define WALL (1u << AF_WALL)
#define CPU  (1u << AF_CPU)

static const uint32_t threads[] = {0, 1, 2, 3};

static uint32_t find(const af_profile *profile, const char *label)
{
    for (uint32_t l = 0; l < profile->n_labels; l++) {
        if (strcmp(profile->labels[l].text, label) == 0) {
            return l;
        }
    }
    ck_abort_msg("no label %s", label);
}

/* Totals by label. */
static af_totals *add_up(const af_profile *profile)
{
    const af_scope scope = {.profile = profile,
                            .clocks = profile->clocks,
                            .first = AF_CLOCK_DEFAULT,
                            .threads = threads,
                            .n_threads = profile->n_threads};
    g_autofree uint32_t *group_of = g_new(uint32_t, profile->n_labels + 1);
    for (uint32_t l = 0; l < profile->n_labels; l++) {
        group_of[l] = l;
    }
    af_totals *totals = af_totals_new(&scope, group_of, profile->n_labels);
    return totals;
}

static void check(const af_totals *t, uint64_t self, uint64_t inclusive, uint64_t nested_time,
                  uint64_t calls, uint64_t nested)
{
    ck_assert_uint_eq(t->self[AF_WALL], self);
    ck_assert_uint_eq(t->inclusive[AF_WALL], inclusive);
    ck_assert_uint_eq(t->nested_time[AF_WALL], nested_time);
    ck_assert_uint_eq(t->calls, calls);
    ck_assert_uint_eq(t->nested, nested);
}

/* a calls itself twice in a row, and once more as a sibling: 10 + (5 + (2) + 1 of b) + 3 */
TEST(direct_recursion_counts_once)
{
    const made_row rows[] = {{1, "a", {10, 0}}, {2, "a", {5, 0}}, {3, "a", {2, 0}},
                             {3, "b", {1, 0}},  {2, "a", {3, 0}}, {1, "b", {4, 0}},
                             {0, NULL, {0, 0}}};
    g_autoptr(af_profile) profile = made_profile_new(WALL);
    made_thread_add(profile, 1, "main", "main", rows);
    g_autofree af_totals *totals = add_up(profile);
    /* nested: 8 of the second (5 + 2 + 1), 2 of the third, 3 of the fourth */
    check(&totals[find(profile, "a")], 20, 21, 13, 1, 3);
    check(&totals[find(profile, "b")], 5, 5, 0, 2, 0);
}

/* a > b > a > b, each with a self time of 1: seen from a the second b is nested, and the other way
 * round. */
TEST(mutual_recursion_counts_once)
{
    const made_row rows[] = {
        {1, "a", {1, 0}}, {2, "b", {1, 0}}, {3, "a", {1, 0}}, {4, "b", {1, 0}}, {0, NULL, {0, 0}}};
    g_autoptr(af_profile) profile = made_profile_new(WALL);
    made_thread_add(profile, 1, "main", "main", rows);
    g_autofree af_totals *totals = add_up(profile);
    check(&totals[find(profile, "a")], 2, 4, 2, 1, 1);
    check(&totals[find(profile, "b")], 2, 3, 1, 1, 1);
}

/* Calls open at the end of one thread are not open in the next. */
TEST(recursion_does_not_cross_threads)
{
    const made_row first[] = {{1, "a", {3, 1}}, {2, "a", {4, 2}}, {0, NULL, {0, 0}}};
    const made_row second[] = {{1, "a", {10, 9}}, {2, "b", {1, 1}}, {0, NULL, {0, 0}}};
    g_autoptr(af_profile) profile = made_profile_new(WALL | CPU);
    made_thread_add(profile, 1, "main", "main", first);
    made_thread_add(profile, 2, "other", "other", second);
    g_autofree af_totals *totals = add_up(profile);
    const af_totals *a = &totals[find(profile, "a")];
    check(a, 17, 7 + 11, 4, 2, 1);
    ck_assert_uint_eq(a->threads, 2);
    ck_assert_uint_eq(a->self[AF_CPU], 12);
    ck_assert_uint_eq(a->inclusive[AF_CPU], 13);
    ck_assert_uint_eq(totals[find(profile, "b")].threads, 1);
}

/* Two labels as one group: b below a is nested, b next to a is not. */
TEST(a_group_counts_once_per_path)
{
    const made_row rows[] = {
        {1, "a", {1, 0}}, {2, "x", {2, 0}}, {3, "b", {4, 0}}, {1, "b", {8, 0}}, {0, NULL, {0, 0}}};
    g_autoptr(af_profile) profile = made_profile_new(WALL);
    made_thread_add(profile, 1, "main", "main", rows);
    const af_scope scope = {.profile = profile,
                            .clocks = WALL,
                            .first = AF_CLOCK_DEFAULT,
                            .threads = threads,
                            .n_threads = 1};
    uint32_t group_of[3];
    group_of[find(profile, "a")] = group_of[find(profile, "b")] = 0;
    group_of[find(profile, "x")] = 1;
    g_autofree af_totals *totals = af_totals_new(&scope, group_of, 2);
    check(&totals[0], 13, 7 + 8, 4, 2, 1);
    check(&totals[1], 2, 6, 0, 1, 0);
    ck_assert_uint_eq(af_scope_time_ns(&scope, AF_WALL), 15);
}

TEST(extremes_cover_all_nodes)
{
    const made_row rows[] = {
        {1, "a", {1, 0}}, {2, "a", {2, 0}}, {1, "b", {0, 0}}, {2, "a", {7, 0}}, {0, NULL, {0, 0}}};
    g_autoptr(af_profile) profile = made_profile_new(WALL);
    af_tree *tree = made_thread_add(profile, 1, "main", "main", rows)->tree;
    const uint64_t times[] = {0, 3, 2, 7, 7};
    for (uint32_t n = 1; n < tree->n; n++) {
        tree->min[AF_WALL][n] = tree->max[AF_WALL][n] = times[n];
    }
    tree->max[AF_WALL][4] = 9;
    tree->unwinds[4] = 1;
    g_autofree af_totals *totals = add_up(profile);
    const af_totals *a = &totals[find(profile, "a")];
    ck_assert_uint_eq(a->min[AF_WALL], 2);
    ck_assert_uint_eq(a->max[AF_WALL], 9);
    ck_assert_uint_eq(a->unwinds, 1);
}

/* Linear and not recursive: 200,000 levels of one method. */
TEST(deep_trees_are_added_up)
{
    enum { LEVELS = 200000 };
    g_autofree made_row *rows = g_new0(made_row, LEVELS + 1);
    for (uint32_t i = 0; i < LEVELS; i++) {
        rows[i] = (made_row){i + 1, i % 2 == 0 ? "a" : "b", {1, 0}};
    }
    g_autoptr(af_profile) profile = made_profile_new(WALL);
    made_thread_add(profile, 1, "main", "main", rows);
    g_autofree af_totals *totals = add_up(profile);
    const af_totals *a = &totals[find(profile, "a")];
    ck_assert_uint_eq(a->inclusive[AF_WALL], LEVELS);
    ck_assert_uint_eq(a->self[AF_WALL], LEVELS / 2);
    ck_assert_uint_eq(a->nested, LEVELS / 2 - 1);
}
