#include "base/nearest.h"
#include "cases.h"
#include "made_profile.h"
#include "model/select.h"
#include "suite.h"

#define WALL (1u << AF_WALL)
#define CPU  (1u << AF_CPU)

static af_profile *profile;

static void set_up(void)
{
    const made_row rows[] = {{1, "x", {1000, 0}}, {0, NULL, {0, 0}}};
    profile = made_profile_new(WALL);
    profile->facts.has_pid = TRUE;
    profile->facts.pid = 20;
    made_thread_add(profile, 7, "Binder:1", "Binder:1 [7]", rows);
    made_thread_add(profile, 9, "Binder:1", "Binder:1 [9]", rows);
    made_thread_add(profile, 20, "main", "main", rows);
    made_thread_add(profile, 31, "RenderThread", "RenderThread", rows);
    made_thread_add(profile, 32, "42", "42", rows);
}

static void tear_down(void)
{
    af_profile_free(profile);
}

AROUND_EACH(set_up, tear_down)

static char *show_picked(const char *selector)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) picked =
        af_select_threads(profile, (const char *const[]){selector, NULL}, &error);
    if (picked == NULL) {
        ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_USAGE));
        return g_strdup(error->message);
    }
    GString *ids = g_string_new(NULL);
    for (guint i = 0; i < picked->len; i++) {
        const af_thread *thread = &profile->threads[g_array_index(picked, uint32_t, i)];
        g_string_append_printf(ids, "%s%u", i > 0 ? " " : "", (unsigned)thread->id);
    }
    return g_string_free(ids, FALSE);
}

TEST(a_selector_is_an_id_a_name_or_a_pattern)
{
    const made_row rows[] = {{1, "x", {1000, 0}}, {0, NULL, {0, 0}}};
    cases_map("selectors of threads", show_picked);
    made_thread_add(profile, 50, "B*", "B*", rows);
    made_thread_add(profile, 51, "!main", "!main", rows);
    made_thread_add(profile, 52, "Render", "Render", rows);
    cases_map("selectors of threads with odd names", show_picked);
}

TEST(returns_each_thread_once_in_order)
{
    static const uint64_t ids[] = {31, 20, 7, 9, 32};
    g_autoptr(GArray) picked = af_select_threads(
        profile, (const char *const[]){"RenderThread", "main", "all", NULL}, NULL);
    ck_assert_uint_eq(picked->len, G_N_ELEMENTS(ids));
    for (guint i = 0; i < picked->len; i++) {
        ck_assert_uint_eq(profile->threads[g_array_index(picked, uint32_t, i)].id, ids[i]);
    }
}

TEST(one_bad_selector_fails_the_selection)
{
    const char *const selectors[] = {"main", "nobody", NULL};
    ck_assert_error(af_select_threads(profile, selectors, &error), AF_ERROR_USAGE);
}

TEST(resolves_the_default_clock)
{
    enum { NONE = -2 }; /* refused */
    static const struct {
        unsigned has;
        int asked, expected;
    } rows[] = {{WALL, AF_CLOCK_DEFAULT, AF_WALL},
                {WALL, AF_CPU, NONE},
                {CPU, AF_CLOCK_DEFAULT, AF_CPU},
                {CPU, AF_WALL, NONE},
                {CPU, AF_WAIT, NONE},
                {WALL | CPU, AF_CLOCK_DEFAULT, AF_WALL},
                {WALL | CPU, AF_CPU, AF_CPU},
                {WALL | CPU, 7, NONE}};
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        af_clock clock;
        profile->clocks = rows[i].has;
        if (rows[i].expected == NONE) {
            ck_assert_error(af_select_clock(profile, (af_clock)rows[i].asked, &clock, &error),
                            AF_ERROR_USAGE);
        } else {
            ck_assert(af_select_clock(profile, (af_clock)rows[i].asked, &clock, NULL));
            ck_assert_int_eq(clock, rows[i].expected);
        }
    }
}

static GArray *pick_all(void)
{
    return af_select_threads(profile, (const char *const[]){"all", NULL}, NULL);
}

/* Thread 42 has both clocks, the others wall times only. */
TEST(drops_threads_without_the_clock)
{
    const made_row rows[] = {{1, "x", {1000, 400}}, {0, NULL, {0, 0}}};
    g_autoptr(GError) error = NULL;
    uint32_t n_without = 7;
    profile->clocks = WALL | CPU;
    made_thread_add(profile, 42, "dual", "dual", rows);
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        af_tree_keep_clocks(profile->threads[t].tree,
                            profile->threads[t].id == 42 ? WALL | CPU : WALL);
    }
    GArray *picked = pick_all();
    ck_assert_uint_eq(af_select_clocks(profile, picked), WALL | CPU | 1u << AF_WAIT);
    ck_assert(af_select_clocked(profile, AF_WALL, picked, &n_without, NULL));
    ck_assert_uint_eq(picked->len, 6);
    ck_assert_uint_eq(n_without, 0);
    af_clock clock;
    ck_assert(af_select_clock(profile, AF_WAIT, &clock, NULL));
    ck_assert(af_select_clocked(profile, AF_WAIT, picked, &n_without, NULL));
    ck_assert_uint_eq(picked->len, 1);
    ck_assert_uint_eq(n_without, 5);
    ck_assert_uint_eq(profile->threads[g_array_index(picked, uint32_t, 0)].id, 42);
    g_array_unref(picked);

    picked = pick_all();
    g_array_set_size(picked, 2); /* the Binders */
    ck_assert_uint_eq(af_select_clocks(profile, picked), WALL);
    ck_assert(!af_select_clocked(profile, AF_CPU, picked, NULL, &error));
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_USAGE));
    ck_assert_str_eq(error->message,
                     "the selected threads have no CPU times; other threads have them");
    g_clear_error(&error);
    g_array_set_size(picked, 1);
    ck_assert(!af_select_clocked(profile, AF_CPU, picked, NULL, &error));
    ck_assert_str_eq(error->message, "Binder:1 [7] has no CPU times; other threads have them");
    g_array_set_size(picked, 0); /* an empty selection is valid here */
    ck_assert(af_select_clocked(profile, AF_CPU, picked, NULL, NULL));
    g_array_unref(picked);

    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    af_select_report_without(0, AF_CPU, messages);
    af_select_report_without(2, AF_CPU, NULL);
    ck_assert_uint_eq(messages->len, 0);
    af_select_report_without(1, AF_CPU, messages);
    af_select_report_without(2, AF_WAIT, messages);
    ck_assert_str_eq(messages->pdata[0], "1 thread without CPU times is left out");
    ck_assert_str_eq(messages->pdata[1], "2 threads without CPU times are left out");
}

static char *show_nearest(const char *word)
{
    const char *const words[] = {"render", "info", "convert", "--thread", "--theme", NULL};
    const char *nearest = af_word_nearest(word, words);
    return g_strdup(nearest != NULL ? nearest : "none");
}

TEST(finds_the_nearest_word)
{
    cases_map("nearest words", show_nearest);
}

TEST(measures_words_of_any_length)
{
    g_autofree char *long_word = g_strnfill(70000, 'x');
    ck_assert_uint_eq(af_nearest_distance("xx", long_word), 1);
    ck_assert_uint_eq(af_nearest_distance(long_word, "xx"), UINT_MAX);
    ck_assert_uint_eq(af_nearest_distance(long_word, long_word), 0);
    ck_assert_uint_eq(af_nearest_distance("main", "mian"), 1);
}

/* The labels that a pattern finds. */
static char *show_labels(const char *pattern)
{
    g_autoptr(GError) error = NULL;
    g_autofree guint8 *matches = af_select_labels(profile, pattern, &error);
    if (matches == NULL) {
        return g_strdup_printf("%s: %s", error->code == AF_ERROR_USAGE ? "usage" : "nothing",
                               error->message);
    }
    GString *text = g_string_new(NULL);
    for (uint32_t l = 0; l < profile->n_labels; l++) {
        g_string_append(text, matches[l] ? profile->labels[l].text : "");
    }
    return g_string_free(text, FALSE);
}

TEST(patterns_find_labels)
{
    const made_row rows[] = {{1, "com.me.Main.run", {1000, 0}},
                             {2, "com.me.Adapter.onBind", {1000, 0}},
                             {0, NULL, {0, 0}}};
    made_thread_add(profile, 60, "more", "more", rows);
    for (uint32_t l = 0; l < profile->n_labels; l++) {
        const char *dot = strrchr(profile->labels[l].text, '.');
        profile->labels[l].class_length =
            dot != NULL ? (uint32_t)(dot - profile->labels[l].text) : 0;
    }
    cases_map("labels found by patterns", show_labels);
}
