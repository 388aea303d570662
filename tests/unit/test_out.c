#include "base/out.h"
#include "suite.h"

static GByteArray *bytes;
static af_out *out;

static void set_up(void)
{
    bytes = g_byte_array_new();
    out = g_new(af_out, 1);
    af_out_open(out, af_out_to_array, bytes);
}

static void tear_down(void)
{
    g_byte_array_unref(bytes);
    g_free(out);
}

AROUND_EACH(set_up, tear_down)

static void close_and_compare(const char *expected)
{
    GError *error = NULL;
    ck_assert(af_out_close(out, &error));
    g_byte_array_append(bytes, (const guint8 *)"", 1);
    ck_assert_str_eq((const char *)bytes->data, expected);
}

TEST(numbers)
{
    af_out_u64(out, 0);
    af_out_char(out, ' ');
    af_out_u64(out, UINT64_MAX);
    af_out_char(out, ' ');
    af_out_i64(out, -1);
    af_out_char(out, ' ');
    af_out_i64(out, INT64_MIN);
    close_and_compare("0 18446744073709551615 -1 -9223372036854775808");
}

TEST(hundredths)
{
    static const int64_t values[] = {0, 1, 10, 99, 100, 1250, 1205, -5, -50, -1250, INT64_MIN};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        af_out_hundredths(out, values[i]);
        af_out_char(out, ' ');
    }
    close_and_compare("0 0.01 0.1 0.99 1 12.5 12.05 -0.05 -0.5 -12.5 -92233720368547758.08 ");
}

TEST(decimals)
{
    static const uint64_t values[] = {0, 1, 1000, 1250, 1005, 999, UINT64_MAX};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        af_out_decimal(out, values[i], 3);
        af_out_char(out, ' ');
    }
    af_out_decimal(out, 7, 0);
    af_out_char(out, ' ');
    af_out_decimal(out, UINT64_MAX, 19);
    close_and_compare("0 0.001 1 1.25 1.005 0.999 18446744073709551.615 7 1.8446744073709551615");
}

TEST(pieces_of_all_sizes)
{
    g_autoptr(GString) expected = g_string_new(NULL);
    for (size_t size = 1; size < 100000; size = size * 3 + 1) {
        g_autofree char *piece = g_malloc(size);
        memset(piece, (int)('a' + size % 26), size);
        af_out_bytes(out, piece, size);
        g_string_append_len(expected, piece, (gssize)size);
    }
    af_out_text(out, "");
    GError *error = NULL;
    ck_assert(af_out_close(out, &error));
    ck_assert_uint_eq(bytes->len, expected->len);
    ck_assert_mem_eq(bytes->data, expected->str, bytes->len);
}

typedef struct {
    unsigned calls, allowed;
} limited;

static bool write_limited(void *user, const void *piece, size_t length, GError **error)
{
    limited *l = user;
    l->calls++;
    if (l->calls > l->allowed) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_OUTPUT, "full");
        return FALSE;
    }
    return TRUE;
}

/* A function of the caller that forgets the error. */
static bool fail_silently(void *user, const void *piece, size_t length, GError **error)
{
    return FALSE;
}

TEST(a_failure_without_an_error_gets_one)
{
    af_out_open(out, fail_silently, NULL);
    af_out_text(out, "x");
    ck_assert_error(af_out_close(out, &error), AF_ERROR_OUTPUT);
}

TEST(the_first_error_is_remembered)
{
    limited l = {0, 1};
    char piece[40000] = {0};
    af_out_open(out, write_limited, &l);
    for (int i = 0; i < 5; i++) {
        af_out_bytes(out, piece, sizeof piece);
    }
    ck_assert_error_is(af_out_close(out, &error), AF_ERROR_OUTPUT, "full");
    ck_assert_uint_eq(l.calls, 2); /* not called again after a failure */
}

TEST(an_error_in_the_last_piece_is_reported)
{
    limited l = {0, 0};
    g_autoptr(GError) error = NULL;
    af_out_open(out, write_limited, &l);
    af_out_text(out, "x");
    ck_assert_uint_eq(l.calls, 0);
    ck_assert(!af_out_close(out, &error));
}
