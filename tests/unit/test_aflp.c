/* Saved profiles: any damage is noticed. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <aflame/aflame.h>
#include "base/aflp.h"
#include "base/out.h"
#include "export/aflp.h"
#include "suite.h"

Suite *af_suite_aflp(void);

static GByteArray *save(const char *path)
{
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.keep_methods = TRUE;
    af_profile *profile = af_profile_open(path, &options, NULL);
    ck_assert_ptr_nonnull(profile);
    GByteArray *bytes = g_byte_array_new();
    af_convert_options convert = AF_CONVERT_OPTIONS_INIT;
    convert.input_name = "sample.trace";
    ck_assert(af_convert_write(profile, "aflp", &convert, af_out_to_array, bytes, NULL));
    af_profile_free(profile);
    return bytes;
}

static af_profile *open_bytes(const guint8 *bytes, size_t n, af_names names, GError **error)
{
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.names = names;
    const int fd = memfd_create("saved", 0);
    ck_assert_int_eq(write(fd, bytes, n), (ssize_t)n);
    ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
    af_profile *profile = af_profile_open_fd(fd, &options, error);
    close(fd);
    return profile;
}

START_TEST(the_name_and_times_of_the_recording_survive)
{
    GByteArray *bytes = save(getenv("AFLAME_SAMPLE"));
    af_profile *profile = open_bytes(bytes->data, bytes->len, AF_NAMES_FULL, NULL);
    af_profile *trace = af_profile_open(getenv("AFLAME_SAMPLE"), NULL, NULL);
    ck_assert_ptr_nonnull(profile);
    ck_assert_str_eq(af_profile_saved_name(profile), "sample.trace");
    ck_assert_ptr_null(af_profile_saved_name(trace));
    ck_assert_uint_eq(af_profile_n_threads(profile), af_profile_n_threads(trace));
    for (unsigned t = 0; t < af_profile_n_threads(trace); t++) {
        ck_assert_uint_eq(af_node_inclusive_ns(profile, t, 0, AF_WALL),
                          af_node_inclusive_ns(trace, t, 0, AF_WALL));
    }
    af_profile_free(profile);
    af_profile_free(trace);
    g_byte_array_free(bytes, TRUE);
}
END_TEST

START_TEST(a_truncated_profile_is_refused)
{
    GByteArray *bytes = save(getenv("AFLAME_SAMPLE"));
    for (size_t n = AF_AFLP_MAGIC_SIZE; n < bytes->len; n += n < 100 ? 1 : 97) {
        GError *error = NULL;
        ck_assert_ptr_null(open_bytes(bytes->data, n, AF_NAMES_CLASS, &error));
        ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_DAMAGED));
        g_error_free(error);
    }
    g_byte_array_free(bytes, TRUE);
}
END_TEST

START_TEST(a_changed_bit_is_noticed)
{
    GByteArray *bytes = save(getenv("AFLAME_SAMPLE"));
    for (size_t at = AF_AFLP_MAGIC_SIZE; at < bytes->len; at += at < 100 ? 1 : 61) {
        GError *error = NULL;
        bytes->data[at] ^= (guint8)(1u << at % 8);
        ck_assert_ptr_null(open_bytes(bytes->data, bytes->len, AF_NAMES_CLASS, &error));
        ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_DAMAGED));
        g_error_free(error);
        bytes->data[at] ^= (guint8)(1u << at % 8);
    }
    g_byte_array_free(bytes, TRUE);
}
END_TEST

START_TEST(a_false_length_allocates_no_memory)
{
    /* 2^40 bytes declared */
    static const guint8 lie[] = "\x89"
                                "AFLP\r\n\x1A\x01\x80\x80\x80\x80\x80\x20\x01\x00\x00\x00\x00";
    GError *error = NULL;
    ck_assert_ptr_null(open_bytes(lie, sizeof lie - 1, AF_NAMES_CLASS, &error));
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_DAMAGED));
    g_error_free(error);
}
END_TEST

/* What is left out is time of its own, so that nothing else changes. */
START_TEST(a_limit_leaves_out_paths_and_no_time)
{
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    for (unsigned i = 0; i < 2; i++) {
        options.keep_methods = i == 0;
        af_profile *trace = af_profile_open(getenv("AFLAME_SAMPLE"), &options, NULL);
        uint32_t threads[64];
        const uint32_t n = af_profile_n_threads(trace);
        ck_assert_uint_le(n, G_N_ELEMENTS(threads));
        for (uint32_t t = 0; t < n; t++) {
            threads[t] = t;
        }
        for (size_t most = 12000; most >= 3000; most -= 3000) {
            const af_aflp_options limited = {
                .threads = threads, .n_threads = n, .most_bytes = most};
            uint64_t left_out = 0;
            GBytes *bytes = af_aflp_save(trace, &limited, &left_out, NULL);
            ck_assert_uint_le(g_bytes_get_size(bytes), most);
            ck_assert_uint_gt(left_out, 0);
            af_profile *part = open_bytes(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes),
                                          AF_NAMES_CLASS, NULL);
            ck_assert_ptr_nonnull(part);
            ck_assert_uint_eq(part->warnings.count[AF_WARN_LEFT_OUT], left_out);
            for (uint32_t t = 0; t < n; t++) {
                const af_tree *tree = part->threads[t].tree;
                ck_assert_ptr_null(af_tree_check(tree));
                ck_assert_uint_eq(tree->inclusive[AF_WALL][0],
                                  trace->threads[t].tree->inclusive[AF_WALL][0]);
                ck_assert_uint_eq(tree->inclusive[AF_CPU][0],
                                  trace->threads[t].tree->inclusive[AF_CPU][0]);
            }
            af_profile_free(part);
            g_bytes_unref(bytes);
        }
        af_profile_free(trace);
    }
}
END_TEST

START_TEST(single_calls_are_refused_with_the_reason)
{
    GByteArray *bytes = save(getenv("AFLAME_SAMPLE"));
    af_profile *profile = open_bytes(bytes->data, bytes->len, AF_NAMES_CLASS, NULL);
    GError *error = NULL;
    ck_assert_ptr_null(af_call_list_new(profile, "onBind", NULL, &error));
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_USAGE));
    ck_assert_ptr_nonnull(strstr(error->message, "saved profile"));
    g_error_free(error);
    af_profile_free(profile);
    g_byte_array_free(bytes, TRUE);
}
END_TEST

Suite *af_suite_aflp(void)
{
    Suite *suite = suite_create("aflp");
    TCase *test = tcase_create("aflp");
    tcase_set_timeout(test, 120);
    tcase_add_test(test, the_name_and_times_of_the_recording_survive);
    tcase_add_test(test, a_truncated_profile_is_refused);
    tcase_add_test(test, a_changed_bit_is_noticed);
    tcase_add_test(test, a_false_length_allocates_no_memory);
    tcase_add_test(test, a_limit_leaves_out_paths_and_no_time);
    tcase_add_test(test, single_calls_are_refused_with_the_reason);
    suite_add_tcase(suite, test);
    return suite;
}
