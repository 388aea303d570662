#include <string.h>

#include "made_profile.h"
#include "report/tables/callers_callees.h"
#include "suite.h"

#define WALL (1u << AF_WALL)

static const uint32_t threads[] = {0, 1};

static uint32_t find(const af_profile *profile, const char *label)
{
    for (uint32_t l = 0; l < profile->n_labels; l++) {
        if (strcmp(profile->labels[l].text, label) == 0) {
            return l;
        }
    }
    ck_abort_msg("no label %s", label);
}

/* The edges of a label as text: "relation name time calls, ..." */
static char *describe(const af_profile *profile, const char *label)
{
    static const char *const relations[] = {"<", "<<", "=", ">", ">>"};
    const af_scope scope = {.profile = profile,
                            .clocks = WALL,
                            .first = AF_CLOCK_DEFAULT,
                            .threads = threads,
                            .n_threads = profile->n_threads};
    g_autofree gboolean *selection = g_new0(gboolean, profile->n_labels);
    selection[find(profile, label)] = TRUE;
    af_callers_callees *pairs = af_callers_callees_new(&scope, selection);
    ck_assert_ptr_nonnull(pairs);
    uint32_t n;
    const af_edge *edges = af_callers_callees_of(pairs, find(profile, label), &n);
    GString *text = g_string_new(NULL);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t r = edges[i].relative;
        const char *name = r == AF_NO_LABEL ? "self"
                           : r < profile->n_labels
                               ? profile->labels[r].text
                               : profile->threads[threads[r - profile->n_labels]].title;
        g_string_append_printf(text, "%s%s%s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                               i > 0 ? ", " : "", relations[edges[i].relation], name,
                               edges[i].totals.inclusive[AF_WALL], edges[i].totals.calls);
    }
    af_callers_callees_free(pairs);
    return g_string_free(text, FALSE);
}

#define CHECK(profile, label, expected)                                                            \
    do {                                                                                           \
        char *text = describe(profile, label);                                                     \
        ck_assert_str_eq(text, expected);                                                          \
        g_free(text);                                                                              \
    } while (0)

/* a 1 { b 2 { c 4 }, c 8 } b 16 { c 32 } */
TEST(each_edge_has_its_own_times)
{
    const made_row rows[] = {{1, "a", {1, 0}}, {2, "b", {2, 0}},  {3, "c", {4, 0}},
                             {2, "c", {8, 0}}, {1, "b", {16, 0}}, {2, "c", {32, 0}},
                             {0, NULL, {0, 0}}};
    g_autoptr(af_profile) profile = made_profile_new(WALL);
    made_thread_add(profile, 1, "main", "main", rows);
    CHECK(profile, "a", "<main 15 1, >self 1 0, >b 6 1, >c 8 1");
    CHECK(profile, "b", "<a 6 1, <main 48 1, >self 18 0, >c 36 2");
    CHECK(profile, "c", "<b 36 2, <a 8 1, >self 44 0");
}

/* a 1 { a 2 { a 4, b 8 }, b 16 { a 32 } }: the outermost a has 63. */
TEST(recursion_is_listed_separately)
{
    const made_row rows[] = {{1, "a", {1, 0}}, {2, "a", {2, 0}},  {3, "a", {4, 0}},
                             {3, "b", {8, 0}}, {2, "b", {16, 0}}, {3, "a", {32, 0}},
                             {0, NULL, {0, 0}}};
    g_autoptr(af_profile) profile = made_profile_new(WALL);
    made_thread_add(profile, 1, "main", "main", rows);
    CHECK(profile, "a",
          "<main 63 1, <<a 18 2, <<b 32 1, >self 1 0, >a 14 1, >b 48 1, "
          ">>self 38 0, >>a 4 1, >>b 8 1");
    /* no call of b is nested in another */
    CHECK(profile, "b", "<a 56 2, >self 24 0, >a 32 1");
}

/* Callers and callees of a pair that calls each other: a 1 { b 2 { a 4 { b 8 } } } */
TEST(mutual_recursion_is_recursion_of_both)
{
    const made_row rows[] = {
        {1, "a", {1, 0}}, {2, "b", {2, 0}}, {3, "a", {4, 0}}, {4, "b", {8, 0}}, {0, NULL, {0, 0}}};
    g_autoptr(af_profile) profile = made_profile_new(WALL);
    made_thread_add(profile, 1, "main", "main", rows);
    CHECK(profile, "a", "<main 15 1, <<b 12 1, >self 1 0, >b 14 1, >>self 4 0, >>b 8 1");
    CHECK(profile, "b", "<a 14 1, <<a 8 1, >self 2 0, >a 12 1, >>self 8 0");
}

TEST(threads_are_separate_callers)
{
    const made_row first[] = {{1, "a", {1, 0}}, {2, "b", {2, 0}}, {0, NULL, {0, 0}}};
    const made_row second[] = {{1, "b", {4, 0}}, {2, "a", {8, 0}}, {0, NULL, {0, 0}}};
    g_autoptr(af_profile) profile = made_profile_new(WALL);
    made_thread_add(profile, 1, "main", "main", first);
    made_thread_add(profile, 2, "other", "other", second);
    CHECK(profile, "a", "<main 3 1, <b 8 1, >self 9 0, >b 2 1");
    CHECK(profile, "b", "<a 2 1, <other 12 1, >self 6 0, >a 8 1");
}
