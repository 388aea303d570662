#include <string.h>
#include <zlib.h>

#include "base/gzip.h"
#include "base/out.h"
#include "suite.h"

/* Compresses `n` bytes in pieces of `piece`. */
static GByteArray *pack(const guint8 *bytes, size_t n, size_t piece)
{
    GByteArray *packed = g_byte_array_new();
    af_gzip *gzip = af_gzip_new(af_out_to_array, packed, AF_GZIP_QUICK);
    for (size_t at = 0; at < n; at += piece) {
        ck_assert(af_gzip_write(gzip, bytes + at, MIN(piece, n - at), NULL));
    }
    ck_assert(af_gzip_finish(gzip, NULL));
    af_gzip_free(gzip);
    return packed;
}

static void check_unpacks(const GByteArray *packed, const guint8 *bytes, size_t n)
{
    g_autofree guint8 *plain = g_malloc(n + 1);
    z_stream stream = {.next_in = packed->data,
                       .avail_in = packed->len,
                       .next_out = plain,
                       .avail_out = (uInt)n + 1};
    ck_assert_int_eq(inflateInit2(&stream, 15 + 16), Z_OK);
    ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
    ck_assert_uint_eq(stream.total_out, n);
    ck_assert_uint_eq(stream.avail_in, 0);
    ck_assert(memcmp(plain, bytes, n) == 0);
    inflateEnd(&stream);
}

TEST(output_unpacks_to_the_input)
{
    enum { N = 400000 };
    g_autofree guint8 *bytes = g_malloc(N);
    guint32 noise = 1;
    for (size_t i = 0; i < N; i++) {
        noise = noise * 1664525 + 1013904223;
        bytes[i] = i < N / 2 ? (guint8)(noise >> 24) : (guint8)(i / 1000);
    }
    const size_t pieces[] = {N, 1000, 65536, 7};
    for (unsigned i = 0; i < G_N_ELEMENTS(pieces); i++) {
        g_autoptr(GByteArray) packed = pack(bytes, i == 3 ? 700 : N, pieces[i]);
        check_unpacks(packed, bytes, i == 3 ? 700 : N);
    }
    g_autoptr(GByteArray) nothing = pack(bytes, 0, 1);
    check_unpacks(nothing, bytes, 0);
}

TEST(the_header_has_no_time_and_no_name)
{
    g_autoptr(GByteArray) packed = pack((const guint8 *)"x", 1, 1);
    static const guint8 header[] = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0};
    ck_assert(memcmp(packed->data, header, sizeof header) == 0);
}

static bool refuse_bytes(void *user, const void *bytes, size_t length, GError **error)
{
    g_set_error_literal(error, AF_ERROR, AF_ERROR_OUTPUT, "full");
    return FALSE;
}

TEST(a_failing_writer_is_reported)
{
    af_gzip *gzip = af_gzip_new(refuse_bytes, NULL, AF_GZIP_SMALL);
    g_autoptr(GError) error = NULL;
    ck_assert(!(af_gzip_write(gzip, "x", 1, &error) && af_gzip_finish(gzip, &error)));
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_OUTPUT));
    af_gzip_free(gzip);
}
