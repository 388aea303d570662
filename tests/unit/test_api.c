/* The public functions, with the sample trace. */
#include <stdlib.h>
#include <string.h>
#include <aflame/aflame.h>

#include "suite.h"

Suite *af_suite_api(void);

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

static gboolean collect(void *user, const void *bytes, size_t length, GError **error)
{
    (void)error;
    g_byte_array_append(user, bytes, (guint)length);
    return TRUE;
}

/* Takes `*user` bytes, then the disk is full. */
static gboolean fill_disk(void *user, const void *bytes, size_t length, GError **error)
{
    size_t *room = user;
    (void)bytes;
    if (length > *room) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_OUTPUT, "no room");
        *room = 0;
        return FALSE;
    }
    *room -= length;
    return TRUE;
}

START_TEST(trees_add_up)
{
    for (unsigned t = 0; t < af_profile_n_threads(profile); t++) {
        uint32_t n = af_tree_n_nodes(profile, t);
        for (int clock = AF_WALL; clock <= AF_WAIT; clock++) {
            uint64_t *sum = g_new0(uint64_t, n);
            for (uint32_t node = n - 1; node > 0; node--) {
                uint32_t parent = af_node_parent(profile, t, node);
                ck_assert_uint_lt(parent, node);
                ck_assert_uint_eq(af_node_depth(profile, t, node),
                                  af_node_depth(profile, t, parent) + 1);
                ck_assert_uint_eq(af_node_inclusive_ns(profile, t, node, clock),
                                  sum[node] + af_node_self_ns(profile, t, node, clock));
                ck_assert_uint_le(af_node_min_ns(profile, t, node, clock),
                                  af_node_max_ns(profile, t, node, clock));
                sum[parent] += af_node_inclusive_ns(profile, t, node, clock);
            }
            ck_assert_uint_eq(af_node_inclusive_ns(profile, t, 0, clock), sum[0]);
            g_free(sum);
        }
        ck_assert_str_eq(af_node_label(profile, t, 0), af_thread_title(profile, t));
    }
}
END_TEST

START_TEST(labels_have_numbers)
{
    uint32_t n = af_tree_n_nodes(profile, 0);
    ck_assert_uint_gt(n, 1);
    for (uint32_t node = 1; node < n; node++) {
        uint32_t number = af_node_label_number(profile, 0, node);
        ck_assert_uint_lt(number, af_profile_n_labels(profile));
        ck_assert_str_eq(af_profile_label(profile, number), af_node_label(profile, 0, node));
    }
    ck_assert_uint_eq(af_node_label_number(profile, 0, 0), UINT32_MAX);
}
END_TEST

START_TEST(nothing_lies_past_the_end)
{
    const unsigned threads = af_profile_n_threads(profile);
    const uint32_t nodes = af_tree_n_nodes(profile, 0);
    ck_assert_uint_eq(af_thread_id(profile, threads), 0);
    ck_assert_str_eq(af_thread_name(profile, threads), "");
    ck_assert_str_eq(af_thread_title(profile, UINT_MAX), "");
    ck_assert_uint_eq(af_tree_n_nodes(profile, threads), 0);
    ck_assert_uint_eq(af_node_parent(profile, 0, nodes), UINT32_MAX);
    ck_assert_uint_eq(af_node_depth(profile, threads, 0), 0);
    ck_assert_str_eq(af_node_label(profile, 0, UINT32_MAX), "");
    ck_assert_uint_eq(af_node_calls(profile, 0, nodes), 0);
    ck_assert_uint_eq(af_node_unwinds(profile, 0, nodes), 0);
    ck_assert_uint_eq(af_node_self_ns(profile, 0, nodes, AF_WALL), 0);
    ck_assert_uint_eq(af_node_self_ns(profile, 0, 1, (af_clock)9), 0);
    ck_assert_str_eq(af_profile_label(profile, af_profile_n_labels(profile)), "");
    ck_assert_uint_eq(af_profile_warning(profile, af_profile_n_warnings(profile)).count, 0);
    ck_assert_ptr_null(af_picture_format(1000));
    ck_assert_ptr_null(af_picture_format_title(1000));
    ck_assert_ptr_null(af_convert_format(1000));
    ck_assert_ptr_null(af_convert_format_title(1000));
    ck_assert_ptr_null(af_convert_format_extensions(1000));
    ck_assert(!af_convert_format_is_binary(1000));
    ck_assert(!af_convert_format_writes_calls(1000));
    ck_assert_uint_eq(af_convert_format_deepest(1000), 0);
    ck_assert_ptr_null(af_input_format(1000));
    ck_assert_ptr_null(af_input_format_title(1000));
}
END_TEST

static void check_refused(const af_picture_options *options, const char *format)
{
    GError *error = NULL;
    GByteArray *bytes = g_byte_array_new();
    GPtrArray *notes = NULL;
    ck_assert(!af_picture_write(profile, format, options, collect, bytes, &notes, &error));
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_USAGE));
    ck_assert_uint_eq(bytes->len, 0);
    ck_assert_ptr_null(notes);
    g_error_free(error);
    g_byte_array_unref(bytes);
}

START_TEST(pictures_refuse_nonsense)
{
    af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    const char *const nobody[] = {"nobody", NULL};
    check_refused(NULL, "jpeg");
    check_refused(NULL, "svg-outlines"); /* stands behind an option */
    options.width_px = 10;
    check_refused(&options, "svg");
    options.width_px = 0;
    options.scale_percent = -1;
    check_refused(&options, "png");
    options.scale_percent = 0;
    options.min_width_c = -1;
    check_refused(&options, "svg");
    options.min_width_c = 0;
    options.threads = nobody;
    check_refused(&options, "pdf");
    options.threads = NULL;
    options.clock = (af_clock)5;
    check_refused(&options, "svg");
}
END_TEST

START_TEST(pictures_are_drawn_in_every_format)
{
    for (unsigned i = 0; af_picture_format(i) != NULL; i++) {
        GError *error = NULL;
        GPtrArray *notes = NULL;
        GByteArray *bytes = g_byte_array_new();
        ck_assert(
            af_picture_write(profile, af_picture_format(i), NULL, collect, bytes, &notes, &error));
        ck_assert_ptr_nonnull(notes);
        ck_assert_uint_gt(bytes->len, 1000);
        ck_assert(af_picture_format_is_binary(i) == (bytes->data[0] != '<'));
        g_ptr_array_unref(notes);
        g_byte_array_unref(bytes);
    }
}
END_TEST

START_TEST(a_full_disk_is_reported)
{
    const size_t rooms[] = {0, 1, 1000, 60000};
    for (unsigned i = 0; i < G_N_ELEMENTS(rooms); i++) {
        for (unsigned f = 0; af_picture_format(f) != NULL; f++) {
            GError *error = NULL;
            size_t room = rooms[i];
            ck_assert(!af_picture_write(profile, af_picture_format(f), NULL, fill_disk, &room, NULL,
                                        &error));
            ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_OUTPUT));
            ck_assert_str_eq(error->message, "no room");
            g_error_free(error);
        }
        GError *error = NULL;
        size_t room = rooms[i];
        ck_assert(!af_convert_write(profile, "folded", NULL, fill_disk, &room, &error));
        ck_assert_str_eq(error->message, "no room");
        g_error_free(error);
    }
}
END_TEST

/* A caller that was compiled when there were fewer options. */
START_TEST(older_callers_know_less)
{
    af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    options.size = offsetof(af_picture_options, width_px);
    options.width_px = -1; /* behind what the caller claims to know */
    GByteArray *bytes = g_byte_array_new();
    GError *error = NULL;
    ck_assert(af_picture_write(profile, "svg", &options, collect, bytes, NULL, &error));
    g_byte_array_unref(bytes);
}
END_TEST

START_TEST(conversions_refuse_nonsense)
{
    const char *const nobody[] = {"nobody", NULL};
    af_convert_options options = AF_CONVERT_OPTIONS_INIT;
    GByteArray *bytes = g_byte_array_new();
    GError *error = NULL;
    ck_assert(!af_convert_write(profile, "unfolded", NULL, collect, bytes, &error));
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_USAGE));
    g_clear_error(&error);
    options.threads = nobody;
    ck_assert(!af_convert_write(profile, "folded", &options, collect, bytes, &error));
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_USAGE));
    g_clear_error(&error);
    ck_assert_uint_eq(bytes->len, 0);
    g_byte_array_unref(bytes);
}
END_TEST

START_TEST(versions_are_told)
{
    const char *const *versions = af_library_versions();
    ck_assert_ptr_eq(versions, af_library_versions());
    ck_assert_uint_gt(g_strv_length((char **)(void *)versions), 5);
    ck_assert_uint_gt(strlen(af_version()), 2);
}
END_TEST

Suite *af_suite_api(void)
{
    Suite *suite = suite_create("api");
    TCase *cases = tcase_create("api");
    tcase_set_timeout(cases, 60);
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, trees_add_up);
    tcase_add_test(cases, labels_have_numbers);
    tcase_add_test(cases, nothing_lies_past_the_end);
    tcase_add_test(cases, pictures_refuse_nonsense);
    tcase_add_test(cases, pictures_are_drawn_in_every_format);
    tcase_add_test(cases, a_full_disk_is_reported);
    tcase_add_test(cases, older_callers_know_less);
    tcase_add_test(cases, conversions_refuse_nonsense);
    tcase_add_test(cases, versions_are_told);
    suite_add_tcase(suite, cases);
    return suite;
}
