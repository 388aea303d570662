/* Damaged text copies: intentional damage is repaired to the byte, and any bytes are handled. */
#include <string.h>

#include "base/bytes.h"
#include "fuzz.h"
#include "read/android/text_repair.h"

static GByteArray *hurt_crlf(const uint8_t *bytes, size_t size)
{
    GByteArray *hurt = g_byte_array_new();
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\n') {
            g_byte_array_append(hurt, (const guint8 *)"\r", 1);
        }
        g_byte_array_append(hurt, bytes + i, 1);
    }
    return hurt;
}

/* As a text tool that reads the bytes as Latin 1, which equals Windows-1252 except for 27
 * characters. */
static GByteArray *hurt_1252(const uint8_t *bytes, size_t size)
{
    GByteArray *hurt = g_byte_array_new();
    for (size_t i = 0; i < size; i++) {
        char text[6];
        const gint n = g_unichar_to_utf8(bytes[i], text);
        g_byte_array_append(hurt, (const guint8 *)text, (guint)n);
    }
    return hurt;
}

typedef gboolean (*mend_function)(const uint8_t *, size_t, af_spool **, GError **);

static af_spool *mend(mend_function function, const uint8_t *bytes, size_t size)
{
    af_spool *mended;
    FUZZ_CHECK(function(bytes, size, &mended, NULL));
    return mended;
}

static void check_mended(const af_spool *mended, const uint8_t *bytes, size_t size)
{
    FUZZ_CHECK(mended == NULL || mended->length < size);
    FUZZ_CHECK(mended == NULL || af_mend_fits(mended->bytes, mended->length));
    FUZZ_CHECK(mended == NULL || memcmp(mended->bytes, bytes, 4) == 0);
}

/* `function` reverses `hurt` on data that fits. */
static void check_both_ways(const uint8_t *bytes, size_t size,
                            GByteArray *(*hurt)(const uint8_t *, size_t), mend_function function)
{
    af_spool *any = mend(function, bytes, size);
    check_mended(any, bytes, size);
    af_spool_free(any);
    if (!af_mend_fits(bytes, size)) {
        return;
    }
    g_autoptr(GByteArray) hurt_bytes = hurt(bytes, size);
    g_autoptr(af_spool) mended = mend(function, hurt_bytes->data, hurt_bytes->len);
    /* data that fits even when damaged is unchanged */
    if (hurt_bytes->len > size && !af_mend_fits(hurt_bytes->data, hurt_bytes->len)) {
        FUZZ_CHECK(mended != NULL && mended->length == size);
        FUZZ_CHECK(memcmp(mended->bytes, bytes, size) == 0);
    }
}

static void check_lossy(const uint8_t *bytes, size_t size)
{
    size_t suspects = 0;
    for (size_t i = 0; i < size; i++) {
        suspects += bytes[i] == 0xEF;
    }
    FUZZ_CHECK(af_mend_count_suspects(bytes, size) == suspects);
    FUZZ_CHECK(!af_mend_is_lossy(bytes, size) || af_mend_is_suspect(suspects, size));
}

/* Two pieces give the same count and verdict as one. */
static void check_pieces(const uint8_t *bytes, size_t size)
{
    const size_t first = size == 0 ? 0 : bytes[0] % (size + 1);
    af_mend_count whole = {0}, pieces = {0};
    af_mend_count_add(&whole, bytes, size);
    af_mend_count_add(&pieces, bytes, first);
    af_mend_count_add(&pieces, bytes + first, size - first);
    FUZZ_CHECK(whole.replaced == pieces.replaced && whole.length == size);
    FUZZ_CHECK(af_mend_count_is_lossy(&whole) == af_mend_is_lossy(bytes, size));

    const uint8_t *at = bytes;
    const gboolean one = af_mend_is_binary(&at, bytes + size, FALSE);
    FUZZ_CHECK(one || at == bytes + size);
    at = bytes;
    gboolean two = af_mend_is_binary(&at, bytes + first, TRUE);
    FUZZ_CHECK(two || bytes + first - at < 6);
    two = two || af_mend_is_binary(&at, bytes + size, FALSE);
    FUZZ_CHECK(one == two);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    check_lossy(bytes, size);
    check_pieces(bytes, size);
    check_both_ways(bytes, size, hurt_crlf, af_mend_crlf);
    check_both_ways(bytes, size, hurt_1252, af_mend_1252);
    return 0;
}
