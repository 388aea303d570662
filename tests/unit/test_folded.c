#include "cases.h"
#include "suite.h"
#include "text_profile.h"

static af_profile *profile;

static void set_up(void)
{
    profile = text_profile_new();
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

/* "NAME: TREE | NAME: TREE", the trees as in text_profile.h => the lines, and the messages */
static char *show(const char *input, af_selection how)
{
    g_auto(GStrv) threads = g_strsplit(input, " | ", -1);
    for (unsigned i = 0; threads[i] != NULL; i++) {
        g_auto(GStrv) parts = g_strsplit(threads[i], ": ", 2);
        text_profile_add_thread(profile, profile->n_threads + 1, parts[0], parts[1]);
    }
    g_autofree char *said = NULL, *text = fold(how, &said);
    tear_down();
    set_up();
    return g_strconcat(text, *said != '\0' ? "! " : "", said, NULL);
}

static char *show_wall(const char *input)
{
    return show(input, (af_selection){.clock = AF_WALL});
}

static char *show_cpu(const char *input)
{
    return show(input, (af_selection){.clock = AF_CPU});
}

static char *show_ns(const char *input)
{
    return show(input, (af_selection){.clock = AF_WALL, .folded_ns = TRUE});
}

TEST(stacks_are_lines)
{
    cases_map("folded stacks", show_wall);
    cases_map("folded stacks of CPU time", show_cpu);
    cases_map("folded stacks in ns", show_ns);
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
