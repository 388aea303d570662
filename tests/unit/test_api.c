/* The public functions, with the sample trace. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <aflame/aflame.h>

#include "api/command.h"
#include "base/out.h"
#include "suite.h"

static af_profile *profile;

static void set_up(void)
{
    GError *error = NULL;
    const char *sample = getenv("AFLAME_SAMPLE");
    ck_assert_ptr_nonnull(sample);
    profile = af_profile_open(sample, NULL, &error);
    ck_assert_ptr_nonnull(profile);
}

static void tear_down(void)
{
    af_profile_free(profile);
}

AROUND_EACH(set_up, tear_down)

TEST(indices_past_the_end_return_defaults)
{
    const unsigned threads = af_profile_n_threads(profile);
    const uint32_t nodes = af_tree_n_nodes(profile, 0);
    ck_assert_uint_eq(af_thread_id(profile, threads), 0);
    ck_assert_ptr_null(af_thread_name(profile, threads));
    ck_assert_ptr_null(af_thread_title(profile, UINT_MAX));
    ck_assert_uint_eq(af_tree_n_nodes(profile, threads), 0);
    ck_assert_uint_eq(af_node_parent(profile, 0, nodes), UINT32_MAX);
    ck_assert_uint_eq(af_node_depth(profile, threads, 0), 0);
    ck_assert_ptr_null(af_node_label(profile, 0, UINT32_MAX));
    ck_assert_uint_eq(af_node_label_number(profile, 0, nodes), UINT32_MAX);
    ck_assert_uint_eq(af_node_label_number(profile, 0, 0), UINT32_MAX);
    ck_assert_uint_eq(af_node_parent(profile, 0, 0), UINT32_MAX);
    ck_assert_uint_eq(af_node_calls(profile, 0, nodes), 0);
    ck_assert_uint_eq(af_node_unwinds(profile, 0, nodes), 0);
    ck_assert_uint_eq(af_node_self_ns(profile, 0, nodes, AF_WALL), 0);
    ck_assert_uint_eq(af_node_self_ns(profile, 0, 1, (af_clock)9), 0);
    ck_assert_ptr_null(af_profile_label(profile, af_profile_n_labels(profile)));
    ck_assert_ptr_null(af_label_class(profile, af_profile_n_labels(profile)));
    ck_assert_ptr_null(af_label_source_file(profile, UINT32_MAX));
    ck_assert_int_eq(af_label_source_line(profile, UINT32_MAX), -1);
    ck_assert_ptr_null(af_label_category(profile, UINT32_MAX));
    af_warning_view warning = AF_WARNING_VIEW_INIT;
    ck_assert(!af_profile_warning(profile, af_profile_n_warnings(profile), &warning));
    af_step_view step = AF_STEP_VIEW_INIT;
    ck_assert(!af_profile_step(profile, 0, &step));
}

TEST(invalid_picture_options_are_refused)
{
    static const char *const nobody[] = {"nobody", NULL};
    enum { SIZE = sizeof(af_picture_options) };
    const struct {
        const char *format;
        af_picture_options options;
    } rows[] = {
        {"jpeg", AF_PICTURE_OPTIONS_INIT},
        {"svg-outlines", AF_PICTURE_OPTIONS_INIT}, /* available through an option only */
        {"svg", {.size = SIZE, .clock = AF_CLOCK_DEFAULT, .width_px = 10}},
        {"png", {.size = SIZE, .clock = AF_CLOCK_DEFAULT, .scale_percent = -1}},
        {"svg", {.size = SIZE, .clock = AF_CLOCK_DEFAULT, .min_width_c = -1}},
        {"pdf", {.size = SIZE, .clock = AF_CLOCK_DEFAULT, .threads = nobody}},
        {"svg", {.size = SIZE, .clock = (af_clock)5}},
        /* without a function that lays it out */
        {"svg", {.size = SIZE, .clock = AF_CLOCK_DEFAULT, .view = AF_VIEW_CALLGRAPH}},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GByteArray) bytes = g_byte_array_new();
        char **messages = NULL;
        ck_assert_error(af_picture_write(profile, rows[i].format, &rows[i].options, af_out_to_array,
                                         bytes, &messages, &error),
                        AF_ERROR_USAGE);
        ck_assert_uint_eq(bytes->len, 0);
        ck_assert_ptr_null(messages);
    }
}

TEST(pictures_are_drawn_in_every_format)
{
    for (unsigned i = 0; af_picture_format(i) != NULL; i++) {
        GError *error = NULL;
        g_auto(GStrv) messages = NULL;
        g_autoptr(GByteArray) bytes = g_byte_array_new();
        ck_assert(af_picture_write(profile, af_picture_format(i), NULL, af_out_to_array, bytes,
                                   &messages, &error));
        ck_assert_ptr_nonnull(messages);
        ck_assert_uint_gt(bytes->len, 1000);
        ck_assert(af_picture_format_is_binary(i) == (bytes->data[0] != '<'));
    }
}

static bool fail_silently(void *user, const void *bytes, size_t length, GError **error)
{
    return FALSE;
}

static bool stop_silently(void *user, const af_call_event *event, GError **error)
{
    return FALSE;
}

static af_profile *open_sample(const af_open_options *options, GError **error)
{
    return af_profile_open(getenv("AFLAME_SAMPLE"), options, error);
}

static af_diff *compare_with_itself(const af_diff_options *options, GError **error)
{
    af_runs *sides[AF_SIDES];
    for (unsigned s = 0; s < AF_SIDES; s++) {
        sides[s] = af_runs_new(AF_RUNS_TO_COMPARE);
        ck_assert(af_runs_add(sides[s], profile, "sample", NULL, NULL));
    }
    af_diff *diff = af_diff_new(sides[AF_BEFORE], sides[AF_AFTER], options, error);
    af_runs_free(sides[AF_BEFORE]);
    af_runs_free(sides[AF_AFTER]);
    return diff;
}

TEST(callbacks_that_fail_without_an_error_fail_everything)
{
    for (unsigned f = 0; af_picture_format(f) != NULL; f++) {
        const char *format = af_picture_format(f);
        ck_assert_error(af_picture_write(profile, format, NULL, fail_silently, NULL, NULL, &error),
                        AF_ERROR_OUTPUT);
    }
    af_open_options again = AF_OPEN_OPTIONS_INIT;
    again.keep_input = TRUE;
    g_autoptr(af_profile) rereadable = open_sample(&again, NULL);
    for (unsigned f = 0; af_convert_format(f) != NULL; f++) {
        af_convert_options options = AF_CONVERT_OPTIONS_INIT;
        for (int gzip = FALSE; gzip <= TRUE; gzip++) {
            options.gzip = gzip;
            ck_assert_error(af_convert_write(rereadable, af_convert_format(f), &options,
                                             fail_silently, NULL, &error),
                            AF_ERROR_OUTPUT);
        }
    }
    for (unsigned f = 0; af_report_format_name(f) != NULL; f++) {
        g_autoptr(af_report) report =
            af_report_new(rereadable, af_report_format_name(f), NULL, NULL);
        ck_assert_error(
            af_report_write((const af_report *const *)&report, 1, fail_silently, NULL, &error),
            AF_ERROR_OUTPUT);
    }
    ck_assert_error(af_report_write_records(rereadable, NULL, fail_silently, NULL, &error),
                    AF_ERROR_OUTPUT);
    g_autoptr(af_diff) diff = compare_with_itself(NULL, NULL);
    ck_assert_error(af_diff_write(diff, "text", NULL, fail_silently, NULL, &error),
                    AF_ERROR_OUTPUT);
    ck_assert_error(af_diff_draw(diff, "svg", NULL, fail_silently, NULL, NULL, &error),
                    AF_ERROR_OUTPUT);
    g_autoptr(af_budget) budget = af_budget_new("[a]\nmethod = x\nlimit = 1 ms\n", NULL);
    ck_assert_ptr_nonnull(budget);
    ck_assert_error(af_budget_write(budget, "text", fail_silently, NULL, &error), AF_ERROR_OUTPUT);
    af_call_observer observer = AF_CALL_OBSERVER_INIT;
    observer.enter = stop_silently;
    ck_assert_error(af_profile_walk_calls(rereadable, &observer, NULL, &error), AF_ERROR_CANCELLED);
}

TEST(options_that_nobody_initialised_are_refused)
{
    const af_picture_options picture = {.title = "x"};
    const af_profile *const pair[AF_SIDES] = {profile, profile};
    static const char *const names[AF_SIDES] = {"before", "after"};
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    ck_assert_error(
        af_picture_write(profile, "svg", &picture, af_out_to_array, bytes, NULL, &error),
        AF_ERROR_USAGE);
    af_diff *diff = compare_with_itself(NULL, NULL);
    ck_assert_error(af_diff_draw(diff, "svg", &picture, af_out_to_array, bytes, NULL, &error),
                    AF_ERROR_USAGE);
    ck_assert_error(af_diff_draw_charts(pair, names, NULL, "svg", &picture, af_out_to_array, bytes,
                                        NULL, &error),
                    AF_ERROR_USAGE);
    const af_diff_tables tables = {.top = 1};
    ck_assert_error(af_diff_write(diff, "text", &tables, af_out_to_array, bytes, &error),
                    AF_ERROR_USAGE);
    af_diff_free(diff);
    const af_diff_options compare = {.exact_names = TRUE};
    ck_assert_error(compare_with_itself(&compare, &error), AF_ERROR_USAGE);
    const af_convert_options convert = {.gzip = TRUE};
    ck_assert_error(af_convert_write(profile, "folded", &convert, af_out_to_array, bytes, &error),
                    AF_ERROR_USAGE);
    const af_report_options report = {.top = 1};
    ck_assert_error(af_report_new(profile, "text", &report, &error), AF_ERROR_USAGE);
    ck_assert_error(af_report_write_records(profile, &report, af_out_to_array, bytes, &error),
                    AF_ERROR_USAGE);
    const af_open_options open = {.keep_input = TRUE};
    ck_assert_error(open_sample(&open, &error), AF_ERROR_USAGE);
    const af_open_options again = {.size = sizeof again, .keep_input = TRUE};
    g_autoptr(af_profile) rereadable = open_sample(&again, NULL);
    const af_call_list_options list = {.limit = 1};
    ck_assert_error(af_call_list_new(rereadable, ".", &list, &error), AF_ERROR_USAGE);
    ck_assert_error(af_profile_extract_call(rereadable, ".", 1, &list, &error), AF_ERROR_USAGE);
    const af_call_walk_options walk = {.threads = NULL};
    const af_call_observer observer = AF_CALL_OBSERVER_INIT, unset = {.enter = stop_silently};
    ck_assert_error(af_profile_walk_calls(rereadable, &observer, &walk, &error), AF_ERROR_USAGE);
    ck_assert_error(af_profile_walk_calls(rereadable, &unset, NULL, &error), AF_ERROR_USAGE);
    ck_assert_error(af_profile_extract_part(rereadable, 0, 1, &walk, &error), AF_ERROR_USAGE);
}

/* A caller compiled when the structure had fewer options. */
TEST(older_callers_have_fewer_options)
{
    af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    options.size = offsetof(af_picture_options, width_px);
    options.width_px = -1; /* after the fields that the caller knows */
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    GError *error = NULL;
    ck_assert(af_picture_write(profile, "svg", &options, af_out_to_array, bytes, NULL, &error));
}

/* A view compiled with fewer fields gets these and nothing after them. */
TEST(older_views_are_not_overrun)
{
    const af_step steps[] = {{.kind = AF_STEP_MAX_DEPTH, .number = 3}};
    g_autoptr(af_profile) made = af_profile_reshape(profile, steps, 1, NULL);
    ck_assert_ptr_nonnull(made);
    af_step_view view = AF_STEP_VIEW_INIT;
    view.size = offsetof(af_step_view, matched);
    view.matched = 77;
    ck_assert(af_profile_step(made, 0, &view));
    ck_assert_str_eq(view.option, "--max-depth 3");
    ck_assert_uint_eq(view.matched, 77);
    ck_assert_uint_eq(view.size, offsetof(af_step_view, matched));
    struct {
        af_step_view view;
        uint64_t later;
    } newer = {.view = AF_STEP_VIEW_INIT, .later = 88};
    newer.view.size = sizeof newer;
    ck_assert(af_profile_step(made, 0, &newer.view));
    ck_assert_str_eq(newer.view.option, "--max-depth 3");
    ck_assert_uint_eq(newer.later, 88);
}

TEST(app_and_process_are_recognised)
{
    uint64_t pid = 0;
    ck_assert(af_profile_pid(profile, &pid));
    ck_assert_uint_eq(pid, 9214);
    ck_assert_str_eq(af_profile_app(profile), "com.example.recipes");
}

TEST(labels_have_origins)
{
    unsigned sourced = 0, own = 0;
    for (uint32_t i = 0; i < af_profile_n_labels(profile); i++) {
        const char *class_name = af_label_class(profile, i),
                   *file = af_label_source_file(profile, i);
        if (class_name != NULL) {
            ck_assert(g_str_has_prefix(af_profile_label(profile, i), class_name));
        }
        sourced += file != NULL && g_str_has_suffix(file, ".java") &&
                   af_label_source_line(profile, i) != 0;
        own += class_name != NULL && g_str_has_prefix(class_name, "com.example.recipes.") &&
               strcmp(af_label_category(profile, i), "your app") == 0;
    }
    ck_assert_uint_gt(sourced, 100);
    ck_assert_uint_gt(own, 10);
}

/* Packed and plain bytes, for one reading and for two, become what the file becomes. */
TEST(traces_are_read_from_memory)
{
    static const char *const formats[] = {"folded", "chrome"}, *const files[] = {"basic", "gzip"};
    af_open_options open = AF_OPEN_OPTIONS_INIT;
    open.keep_input = TRUE;
    for (unsigned i = 0; i < 4; i++) {
        g_autofree char *path =
            g_strconcat(getenv("AFLAME_DATA"), "/", files[i / 2], ".trace", NULL);
        g_autofree char *content = NULL;
        gsize length;
        ck_assert(g_file_get_contents(path, &content, &length, NULL));
        g_autoptr(af_profile) filed = af_profile_open(path, &open, NULL);
        g_autoptr(af_profile) held = af_profile_open_bytes(content, length, &open, NULL);
        g_autoptr(GByteArray) one = g_byte_array_new(), other = g_byte_array_new();
        ck_assert(af_convert_write(filed, formats[i % 2], NULL, af_out_to_array, one, NULL));
        ck_assert(af_convert_write(held, formats[i % 2], NULL, af_out_to_array, other, NULL));
        ck_assert_uint_eq(one->len, other->len);
        ck_assert_mem_eq(one->data, other->data, one->len);
    }
}

TEST(memory_without_a_trace_is_refused)
{
    static const char *const texts[] = {"", "no trace at all\n"};
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GBytes) bytes = g_bytes_new_static(texts[i], strlen(texts[i]));
        ck_assert_error(af_profile_open_bytes(g_bytes_get_data(bytes, NULL),
                                              g_bytes_get_size(bytes), NULL, &error),
                        AF_ERROR_UNRECOGNISED);
    }
}

TEST(invalid_conversions_are_refused)
{
    const char *const nobody[] = {"nobody", NULL};
    af_convert_options options = AF_CONVERT_OPTIONS_INIT;
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    ck_assert_error(af_convert_write(profile, "unfolded", NULL, af_out_to_array, bytes, &error),
                    AF_ERROR_USAGE);
    options.threads = nobody;
    ck_assert_error(af_convert_write(profile, "folded", &options, af_out_to_array, bytes, &error),
                    AF_ERROR_USAGE);
    options.threads = NULL;
    options.clock = AF_CPU; /* a saved profile has all */
    ck_assert_error(af_convert_write(profile, "aflp", &options, af_out_to_array, bytes, &error),
                    AF_ERROR_USAGE);
    ck_assert_uint_eq(bytes->len, 0);
}

TEST(several_files_are_refused_if_one_is_missing)
{
    static const char *const none[] = {NULL};
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(
        af_profile_open_pair(getenv("AFLAME_SAMPLE"), "/nothing/here", NULL, &error));
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_MISSING));
    g_clear_error(&error);
    ck_assert_ptr_null(af_profile_open_sum(none, NULL, &error));
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_USAGE));
}

TEST(mappings_count_their_names)
{
    static const char text[] = "com.example.A -> a:\n"
                               "    void run() -> b\n"
                               "    1:2:int size():5:6 -> c\n"
                               "com.example.B -> d:\n";
    g_autoptr(GError) error = NULL;
    const int fd = memfd_create("mapping", MFD_CLOEXEC);
    ck_assert_int_eq(write(fd, text, sizeof text - 1), sizeof text - 1);
    ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
    g_autoptr(af_mapping) mapping = af_mapping_open_fd(fd, "mapping.txt", &error);
    close(fd);
    ck_assert_ptr_nonnull(mapping);
    ck_assert_uint_eq(af_mapping_n_classes(mapping), 2);
    ck_assert_uint_eq(af_mapping_n_methods(mapping), 2);
    ck_assert_ptr_null(af_mapping_open("/nothing/here", &error));
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_MISSING));
}

TEST(errors_are_read_and_set_without_glib)
{
    GError *error = NULL;
    ck_assert_str_eq(af_error_message(error), "");
    ck_assert_int_eq(af_error_reason(error), 0);
    af_error_set(NULL, AF_ERROR_OUTPUT, "lost");
    af_error_set(&error, AF_ERROR_OUTPUT, "no space");
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_OUTPUT));
    ck_assert_str_eq(af_error_message(error), "no space");
    ck_assert_int_eq(af_error_reason(error), AF_ERROR_OUTPUT);
    af_error_clear(&error);
    ck_assert_ptr_null(error);
    af_error_clear(&error);
    af_error_clear(NULL);
    g_set_error_literal(&error, G_CONVERT_ERROR, AF_ERROR_OUTPUT, "of another domain");
    ck_assert_int_eq(af_error_reason(error), 0);
    af_error_clear(&error);
}

TEST(versions_are_reported)
{
    const char *const *versions = af_library_versions();
    ck_assert_ptr_eq(versions, af_library_versions());
    ck_assert_uint_gt(g_strv_length((char **)(void *)versions), 5);
    ck_assert_uint_gt(strlen(af_version()), 2);
}

/* ---- comparisons ---- */

static af_profile *open_folded(const char *text)
{
    GError *error = NULL;
    af_profile *opened = af_profile_open_bytes(text, strlen(text), NULL, &error);
    ck_assert_msg(opened != NULL, "%s", error == NULL ? "" : error->message);
    return opened;
}

static const char *const runs_before[] = {"main;a 10\nmain;b 100\n", "main;a 12\nmain;b 100\n"};
static const char *const runs_after[] = {"main;a 50\nmain;c 100\n", "main;a 54\nmain;c 100\n"};

static af_runs *add_runs(af_runs_use use, const char *const *texts, unsigned n)
{
    af_runs *runs = af_runs_new(use);
    for (unsigned i = 0; i < n; i++) {
        ck_assert(af_runs_take(runs, open_folded(texts[i]), "x.folded", NULL, NULL));
    }
    ck_assert_uint_eq(af_runs_n(runs), n);
    return runs;
}

TEST(comparisons_list_their_methods)
{
    g_autoptr(af_runs) before = add_runs(AF_RUNS_TO_TEST, runs_before, 2);
    g_autoptr(af_runs) after = add_runs(AF_RUNS_TO_TEST, runs_after, 2);
    g_autoptr(af_diff) diff = af_diff_new(before, after, NULL, NULL);
    ck_assert_int_eq(af_diff_clock(diff), AF_WALL);
    ck_assert_uint_eq(af_diff_total_ns(diff, AF_BEFORE), 111);
    ck_assert_uint_eq(af_diff_total_ns(diff, AF_AFTER), 152);
    ck_assert_uint_eq(af_diff_total_ns(diff, AF_SIDES), 0);
    af_diff_method_view view;
    af_diff_method_view_init(&view);
    unsigned found = 0;
    const uint32_t n = af_diff_n_methods(diff);
    for (uint32_t i = 0; i < n; i++) {
        ck_assert(af_diff_method_at(diff, i, &view));
        if (strcmp(view.name, "a") == 0) {
            ck_assert_uint_eq(view.self_ns[AF_BEFORE], 11);
            ck_assert_uint_eq(view.self_ns[AF_AFTER], 52);
            ck_assert(!view.has_split && view.has_shift && view.shift_ns == 41);
            found++;
        } else if (strcmp(view.name, "b") == 0) {
            ck_assert_uint_eq(view.inclusive_ns[AF_BEFORE], 100);
            ck_assert_uint_eq(view.inclusive_ns[AF_AFTER], 0);
            found++;
        }
    }
    ck_assert_uint_eq(found, 2);
    ck_assert(!af_diff_method_at(diff, n, &view));
}

/* One call of m with the given wall and CPU time in us. */
static void add_timed_run(af_runs *runs, unsigned wall_us, unsigned cpu_us)
{
    g_autofree char *text =
        g_strdup_printf("[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"m\",\"ts\":0,\"dur\":%u,"
                        "\"tts\":0,\"tdur\":%u}]",
                        wall_us, cpu_us);
    ck_assert(af_runs_take(runs, open_folded(text), "x.json", NULL, NULL));
}

/* Waits of 6, 8 and 10 us, then of 25, 27 and 29 us. */
TEST(waits_of_several_runs_are_compared)
{
    g_autoptr(af_runs) before = af_runs_new(AF_RUNS_TO_TEST), after = af_runs_new(AF_RUNS_TO_TEST);
    af_diff_options options = AF_DIFF_OPTIONS_INIT;
    for (unsigned i = 0; i < 3; i++) {
        add_timed_run(before, 10 + i, 4 - i);
        add_timed_run(after, 30 + i, 5 - i);
    }
    options.clock = AF_WAIT;
    g_autoptr(af_diff) diff = af_diff_new(before, after, &options, NULL);
    af_diff_method_view view;
    af_diff_method_view_init(&view);
    ck_assert_int_eq(af_diff_clock(diff), AF_WAIT);
    ck_assert_uint_eq(af_diff_n_methods(diff), 1);
    ck_assert(af_diff_method_at(diff, 0, &view));
    ck_assert_uint_eq(view.self_ns[AF_BEFORE], 8000);
    ck_assert_uint_eq(view.self_ns[AF_AFTER], 27000);
    ck_assert_int_eq(view.shift_ns, 19000);
}

TEST(runs_keep_to_their_use)
{
    g_autoptr(af_runs) merged = add_runs(AF_RUNS_TO_MERGE, runs_before, 2);
    g_autoptr(af_runs) one = add_runs(AF_RUNS_TO_COMPARE, runs_before, 1);
    g_autoptr(af_runs) several = add_runs(AF_RUNS_TO_COMPARE, runs_after, 2);
    ck_assert_error(af_runs_merge(one, &error), AF_ERROR_USAGE);
    g_autoptr(af_profile) sum = af_runs_merge(merged, NULL);
    ck_assert_uint_eq(af_profile_n_threads(sum), 1);
    g_autoptr(af_diff) diff = af_diff_new(one, several, NULL, NULL);
    ck_assert_error(af_diff_carry(diff, one, several, &error), AF_ERROR_USAGE);
    /* a profile that lacks the threads that are selected adds nothing, which the comparison tells */
    static const char *const other[] = {"nobody", NULL};
    g_autoptr(af_runs) few = af_runs_new(AF_RUNS_TO_COMPARE);
    af_profile *opened = open_folded(runs_after[0]);
    ck_assert(af_runs_add(few, opened, "x", other, NULL));
    ck_assert(af_runs_take(few, opened, "x", other, NULL));
    ck_assert_error(af_diff_new(one, few, NULL, &error), AF_ERROR_USAGE);
}

/* ---- single calls and parts ---- */

/* Two threads: a from 0 to 10 us with b from 2 to 6 us in it, c from 12 to 20 us; d from 1 to 3 us.
 */
static af_profile *open_calls(void)
{
    static const char text[] =
        "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"a\",\"ts\":0,\"dur\":10},"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"b\",\"ts\":2,\"dur\":4},"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"c\",\"ts\":12,\"dur\":8},"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"name\":\"d\",\"ts\":1,\"dur\":2}]";
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    GError *error = NULL;
    options.keep_input = TRUE;
    char *bytes = g_memdup2(text, sizeof text);
    af_profile *opened = af_profile_open_bytes(bytes, sizeof text - 1, &options, &error);
    ck_assert_msg(opened != NULL, "%s", error == NULL ? "" : error->message);
    memset(bytes, ' ', sizeof text); /* the profile has a copy */
    g_free(bytes);
    return opened;
}

static uint64_t self_of(const af_profile *of, const char *label)
{
    uint64_t sum = 0;
    for (unsigned t = 0; t < af_profile_n_threads(of); t++) {
        for (uint32_t n = 1; n < af_tree_n_nodes(of, t); n++) {
            const char *name = af_node_label(of, t, n);
            sum += strcmp(name, label) == 0 ? af_node_self_ns(of, t, n, AF_WALL) : 0;
        }
    }
    return sum;
}

TEST(a_part_of_a_part_is_clamped_twice)
{
    g_autoptr(af_profile) whole = open_calls();
    uint64_t from_ns = 1, to_ns = 1;
    ck_assert(!af_profile_is_part(whole, NULL, NULL));
    g_autoptr(af_profile) part = af_profile_extract_part(whole, 3000, 14000, NULL, NULL);
    ck_assert(af_profile_is_part(part, &from_ns, &to_ns));
    ck_assert_uint_eq(from_ns, 3000);
    ck_assert_uint_eq(to_ns, 14000);
    ck_assert_uint_eq(self_of(part, "a"), 4000);
    ck_assert_uint_eq(self_of(part, "b"), 3000);
    ck_assert_uint_eq(self_of(part, "c"), 2000);
    ck_assert_uint_eq(self_of(part, "d"), 0);
    g_autoptr(af_profile) inner = af_profile_extract_part(part, 5000, 18000, NULL, NULL);
    ck_assert(af_profile_is_part(inner, &from_ns, &to_ns));
    ck_assert_uint_eq(from_ns, 5000);
    ck_assert_uint_eq(to_ns, 14000);
    ck_assert_uint_eq(self_of(inner, "a"), 4000);
    ck_assert_uint_eq(self_of(inner, "b"), 1000);
    ck_assert_uint_eq(self_of(inner, "c"), 2000);
}

/* A heap graph is measured in bytes or in objects. */
TEST(heap_graphs_have_two_measures)
{
    static const struct {
        const char *event, *message;
    } rows[] = {
        {NULL, ""},
        {"bytes", ""},
        {"objects", ""},
        {"allocations", "this heap graph has no event \"allocations\"; it has bytes, objects"},
    };
    g_autofree char *path =
        g_build_filename(getenv("AFLAME_DATA"), "perfetto_javaheap.trace", NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        af_open_options options = AF_OPEN_OPTIONS_INIT;
        options.event = rows[i].event;
        g_autoptr(af_profile) graph = af_profile_open(path, &options, &error);
        ck_assert_str_eq(error != NULL ? error->message : "", rows[i].message);
        ck_assert_int_eq(graph == NULL, error != NULL);
    }
}

/* Why no part can be cut from a profile of each kind. */
TEST(parts_need_times)
{
    static const struct {
        const char *file, *message;
    } rows[] = {
        {"perfetto_heap.trace", "a heap is recorded only in dumps; render, report and convert show "
                                "its growth between two dumps"},
        {"folded.trace", "the input has no start times, so no part of it can be selected by time"},
        {"basic.trace", ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *path = g_build_filename(getenv("AFLAME_DATA"), rows[i].file, NULL);
        g_autoptr(GError) error = NULL;
        af_open_options options = AF_OPEN_OPTIONS_INIT;
        options.keep_input = TRUE;
        g_autoptr(af_profile) whole = af_profile_open(path, &options, NULL);
        ck_assert_ptr_nonnull(whole);
        g_autoptr(af_profile) part = af_profile_extract_part(whole, 0, 1000, NULL, &error);
        ck_assert_str_eq(error != NULL ? error->message : "", rows[i].message);
        ck_assert_int_eq(part == NULL, error != NULL);
    }
}

TEST(reshaped_profiles_have_no_single_calls)
{
    const af_step step = {.kind = AF_STEP_MAX_DEPTH, .number = 1};
    g_autoptr(af_profile) whole = open_calls(), flat = af_profile_reshape(whole, &step, 1, NULL);
    ck_assert_uint_eq(self_of(flat, "a"), 10000);
    ck_assert_error(af_profile_extract_part(flat, 0, 5000, NULL, &error), AF_ERROR_USAGE);
    ck_assert_error(af_call_list_new(flat, "a", NULL, &error), AF_ERROR_USAGE);
}

static bool pass_begin(void *user, const af_call_event *event, GError **error)
{
    return event->end == AF_CALL_RETURNED;
}

static bool add_end(void *user, const af_call_event *event, GError **error)
{
    *(uint64_t *)user += event->time_ns[AF_WALL];
    return TRUE;
}

TEST(calls_of_some_threads_are_walked)
{
    static const char *const second[] = {"2", NULL}, *const nobody[] = {"nobody", NULL};
    af_call_walk_options options = AF_CALL_WALK_OPTIONS_INIT;
    af_call_observer observer = AF_CALL_OBSERVER_INIT;
    uint64_t ends_ns = 0;
    g_autoptr(af_profile) whole = open_calls();
    observer.enter = pass_begin;
    observer.leave = add_end;
    observer.user = &ends_ns;
    ck_assert(af_profile_walk_calls(whole, &observer, NULL, NULL));
    ck_assert_uint_eq(ends_ns, 10000 + 6000 + 20000 + 3000);
    ends_ns = 0;
    observer.enter = NULL;
    options.threads = second;
    ck_assert(af_profile_walk_calls(whole, &observer, &options, NULL));
    ck_assert_uint_eq(ends_ns, 3000);
    observer.enter = add_end; /* the starts: d at 1 us */
    observer.leave = NULL;
    ck_assert(af_profile_walk_calls(whole, &observer, &options, NULL));
    ck_assert_uint_eq(ends_ns, 3000 + 1000);
    options.threads = nobody;
    ck_assert_error(af_profile_walk_calls(whole, &observer, &options, &error), AF_ERROR_USAGE);
}

/* Every list of formats names them up to its end, and gives each a title. */
TEST(formats_have_titles)
{
    static const struct {
        const char *(*name)(unsigned number), *(*title)(unsigned number);
    } lists[] = {{af_picture_format, af_picture_format_title},
                 {af_convert_format, af_convert_format_title},
                 {af_input_format, af_input_format_title},
                 {af_report_format_name, af_report_format_title},
                 {af_diff_format_name, af_diff_format_title},
                 {af_budget_format_name, af_budget_format_title}};
    for (unsigned i = 0; i < G_N_ELEMENTS(lists); i++) {
        unsigned n = 0;
        for (; lists[i].name(n) != NULL; n++) {
            ck_assert_uint_gt(strlen(lists[i].title(n)), 2);
        }
        ck_assert_uint_gt(n, 2);
        ck_assert_ptr_null(lists[i].title(n));
        ck_assert_ptr_null(lists[i].name(1000));
    }
    ck_assert_ptr_null(af_convert_format_extensions(1000));
    ck_assert_ptr_null(af_input_format_extensions(1000));
    ck_assert(!af_convert_format_is_binary(1000) && !af_convert_format_writes_calls(1000));
    ck_assert_uint_eq(af_convert_format_max_depth(1000), 0);
}

TEST(other_formats_are_refused)
{
    g_autoptr(GByteArray) written = g_byte_array_new();
    g_autoptr(af_budget) budget = af_budget_new("[x]\nmethod = a\nlimit = 1 ms\n", NULL);
    ck_assert_uint_eq(af_budget_n(budget), 1);
    ck_assert_error(af_budget_write(budget, "svg", af_out_to_array, written, &error),
                    AF_ERROR_USAGE);

    g_autoptr(af_runs) before = add_runs(AF_RUNS_TO_TEST, runs_before, 1);
    g_autoptr(af_runs) after = add_runs(AF_RUNS_TO_TEST, runs_after, 1);
    g_autoptr(af_diff) diff = af_diff_new(before, after, NULL, NULL);
    ck_assert_error(af_diff_write(diff, "svg", NULL, af_out_to_array, written, &error),
                    AF_ERROR_USAGE);

    g_autoptr(af_profile) whole = open_calls();
    g_autoptr(af_call_list) list = af_call_list_new(whole, "a", NULL, NULL);
    ck_assert_error(af_report_new_calls(list, "svg", NULL, &error), AF_ERROR_USAGE);
    af_report *reports[] = {af_report_new(whole, "text", NULL, NULL),
                            af_report_new(whole, "json", NULL, NULL)};
    ck_assert_error(
        af_report_write((const af_report *const *)reports, 0, af_out_to_array, written, &error),
        AF_ERROR_USAGE);
    ck_assert_error(
        af_report_write((const af_report *const *)reports, 2, af_out_to_array, written, &error),
        AF_ERROR_USAGE);
    ck_assert_uint_eq(written->len, 0);
    ck_assert(
        af_report_write((const af_report *const *)reports, 1, af_out_to_array, written, NULL));
    ck_assert_uint_gt(written->len, 0);
    af_report_free(reports[0]);
    af_report_free(reports[1]);
}
