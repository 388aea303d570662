#include "made_profile.h"
#include "suite.h"

#define WALL (1u << AF_WALL)
#define CPU  (1u << AF_CPU)

static af_profile *profile;

static void set_up(void)
{
    profile = made_profile_new(WALL | CPU);
}

static void tear_down(void)
{
    af_profile_free(profile);
}

AROUND_EACH(set_up, tear_down)

/* The output for all threads; the messages, one per line. */
static char *fold(af_selection how, char **said)
{
    g_autofree uint32_t *threads = g_new(uint32_t, profile->n_threads + 1);
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        threads[t] = t;
    }
    how.threads = threads;
    how.n_threads = profile->n_threads;
    how.messages = g_ptr_array_new_with_free_func(g_free);
    GByteArray *bytes = made_export(&af_exporter_folded, profile, &how, NULL);
    ck_assert_ptr_nonnull(bytes);
    g_ptr_array_add(how.messages, NULL);
    *said = g_strjoinv("\n", (char **)how.messages->pdata);
    g_ptr_array_unref(how.messages);
    return (char *)g_byte_array_free(bytes, FALSE);
}

static void check(af_selection how, const char *expected, const char *expected_messages)
{
    g_autofree char *said = NULL, *text = fold(how, &said);
    ck_assert_str_eq(text, expected);
    ck_assert_str_eq(said, expected_messages);
}

static void check_folded(af_clock clock, const char *expected)
{
    g_autofree char *said = NULL, *text = fold((af_selection){.clock = clock}, &said);
    ck_assert_str_eq(text, expected);
}

TEST(writes_self_times_in_tree_order)
{
    const made_row rows[] = {{1, "a.B.c", {1500, 0}},
                             {2, "a.B.d", {2000999, 7000}},
                             {2, "a.B.e", {999, 0}},
                             {1, "z.Z.z", {1000, 1000}},
                             {0, NULL, {0, 0}}};
    made_thread_add(profile, 1, "main", "main", rows);
    check_folded(AF_WALL, "main;a.B.c 1\nmain;a.B.c;a.B.d 2000\nmain;z.Z.z 1\n");
    check_folded(AF_CPU, "main;a.B.c;a.B.d 7\nmain;z.Z.z 1\n");
}

/* A trailing number would be the first of two counts, a trailing blank would be lost, and `#`
 * starts a remark. Thread names never end a line. */
TEST(writes_names_that_readers_cannot_misread)
{
    const made_row rows[] = {{1, "step 2", {1000, 0}},    {2, "took 1.5", {1000, 0}},
                             {2, "line 12:7", {1000, 0}}, {2, "v2", {1000, 0}},
                             {1, "# 7", {1000, 0}},       {1, "7", {1000, 0}},
                             {1, "a ", {1000, 0}},        {1, " ", {1000, 0}},
                             {1, "b\u3000", {1000, 0}},   {0, NULL, {0, 0}}};
    made_thread_add(profile, 1, "Thread 1", "Thread 1", rows);
    check_folded(AF_WALL, "Thread 1;step 2_ 1\nThread 1;step 2_;took 1.5_ 1\n"
                          "Thread 1;step 2_;line 12:7 1\nThread 1;step 2_;v2 1\n"
                          "Thread 1;# 7_ 1\nThread 1;7 1\n"
                          "Thread 1;a _ 1\nThread 1; _ 1\nThread 1;b\u3000_ 1\n");
}

TEST(never_writes_a_remark)
{
    const made_row rows[] = {{1, "x", {1000, 0}}, {0, NULL, {0, 0}}};
    made_thread_add(profile, 1, "# 1", "# 1", rows);
    made_thread_add(profile, 2, "a#", "a#", rows);
    check_folded(AF_WALL, "_# 1;x 1\na#;x 1\n");
}

/* Each level has a self time of one microsecond: the path must grow and shrink again. */
TEST(writes_deep_stacks)
{
    enum { DEPTH = 1000 };
    g_autofree made_row *rows = g_new0(made_row, DEPTH + 2);
    for (uint32_t i = 0; i < DEPTH; i++) {
        rows[i] = (made_row){i + 1, i % 2 == 0 ? "even" : "odd", {1000, 0}};
    }
    rows[DEPTH] = (made_row){1, "last", {4000, 0}};
    made_thread_add(profile, 1, "main", "main", rows);
    g_autofree char *said = NULL, *text = fold((af_selection){.clock = AF_WALL}, &said);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    ck_assert_uint_eq(g_strv_length(lines), DEPTH + 2);
    ck_assert_str_eq(lines[2], "main;even;odd;even 1");
    ck_assert_str_eq(lines[DEPTH], "main;last 4");
    ck_assert_uint_eq(strlen(lines[DEPTH - 1]), strlen("main 1") + DEPTH / 2 * 9);
}

TEST(reports_the_rounding_loss)
{
    const made_row rows[] = {{1, "x", {1500, 0}}, {1, "y", {998500, 0}}, {0, NULL, {0, 0}}};
    made_thread_add(profile, 1, "main", "main", rows);
    check((af_selection){.clock = AF_WALL}, "main;x 1\nmain;y 998\n", ""); /* 0.1 % exactly */
    profile->threads[0].tree->self[AF_WALL][1] = 1999;
    check((af_selection){.clock = AF_WALL}, "main;x 1\nmain;y 998\n",
          "rounding down to whole microseconds loses 0.1 % of the time (1.5 µs)"
          "; --folded-unit ns avoids this");
    check((af_selection){.clock = AF_WALL, .folded_ns = TRUE}, "main;x 1999\nmain;y 998500\n", "");
}

/* Readers do not take lines of any length. The time survives. */
TEST(truncates_lines_that_are_too_long)
{
    const size_t most = (size_t)64 * 1024 * 1024;
    g_autofree char *name = g_strnfill(most, 'x');
    const made_row rows[] = {{1, "a", {1000, 0}},
                             {2, name, {2000, 0}},
                             {3, "b", {3000, 0}},
                             {2, "c", {4000, 0}},
                             {0, NULL, {0, 0}}};
    made_thread_add(profile, 1, "main", "main", rows);
    g_autofree char *said = NULL, *text = fold((af_selection){.clock = AF_WALL}, &said);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    ck_assert_uint_eq(g_strv_length(lines), 5);
    ck_assert_str_eq(lines[0], "main;a 1");
    ck_assert(strlen(lines[1]) < most && g_str_has_suffix(lines[1], "x 2"));
    ck_assert(strlen(lines[2]) < most && g_str_has_suffix(lines[2], "x 3"));
    ck_assert_str_eq(lines[3], "main;a;c 4");
    ck_assert_str_eq(said, "2 lines are longer than 64 MB: truncated");
}

static gboolean fold_up_to(uint64_t most_bytes, GError **error)
{
    const uint32_t threads[] = {0, 1};
    const af_selection selection = {
        .clock = AF_WALL, .threads = threads, .n_threads = 2, .most_bytes = most_bytes};
    g_autoptr(GByteArray) bytes = made_export(&af_exporter_folded, profile, &selection, error);
    return bytes != NULL;
}

/* Stacks with a root name of a million bytes: the measured length matches the written one. */
TEST(refuses_text_that_is_too_long)
{
    enum { LONG = 1000000 };
    g_autofree char *name = g_strnfill(LONG, 'n');
    const made_row one[] = {{1, name, {0, 0}},
                            {2, "x", {1000, 0}},
                            {2, "y", {999, 0}},
                            {3, "z", {5000000, 0}},
                            {0, NULL, {0, 0}}};
    const made_row two[] = {{1, "x", {1000, 0}}, {0, NULL, {0, 0}}};
    g_autoptr(GError) error = NULL;
    made_thread_add(profile, 1, "main", "main", one);
    made_thread_add(profile, 2, "other", "other", two);
    ck_assert(fold_up_to(0, NULL));
    ck_assert(fold_up_to(2 * LONG + 200, NULL));
    ck_assert(!fold_up_to(2 * LONG, &error));
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_USAGE));
    ck_assert_ptr_nonnull(strstr(error->message, "2 MB"));
    ck_assert_ptr_nonnull(strstr(error->message, "nested up to 3 levels deep"));
}
