/* Damaged text copies: what is hurt on purpose is mended to the byte, and any bytes are survived.
 */
#include <string.h>

#include "base/bytes.h"
#include "fuzz.h"
#include "read/mend.h"

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

/* As a text tool does that takes the bytes for Latin 1, which reads like Windows-1252 but for 27
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

static void check_mended(GByteArray *mended, const uint8_t *bytes, size_t size)
{
    FUZZ_CHECK(mended == NULL || mended->len < size);
    FUZZ_CHECK(mended == NULL || af_mend_fits(mended->data, mended->len));
    FUZZ_CHECK(mended == NULL || memcmp(mended->data, bytes, 4) == 0);
}

/* `mend` undoes what `hurt` did to data that fits. */
static void check_both_ways(const uint8_t *bytes, size_t size,
                            GByteArray *(*hurt)(const uint8_t *, size_t),
                            GByteArray *(*mend)(const uint8_t *, size_t))
{
    GByteArray *any = mend(bytes, size);
    check_mended(any, bytes, size);
    g_clear_pointer(&any, g_byte_array_unref);
    if (!af_mend_fits(bytes, size)) {
        return;
    }
    GByteArray *hurt_bytes = hurt(bytes, size);
    GByteArray *mended = mend(hurt_bytes->data, hurt_bytes->len);
    /* what fits also when it is hurt is left alone */
    if (hurt_bytes->len > size && !af_mend_fits(hurt_bytes->data, hurt_bytes->len)) {
        FUZZ_CHECK(mended != NULL && mended->len == size);
        FUZZ_CHECK(memcmp(mended->data, bytes, size) == 0);
    }
    g_clear_pointer(&mended, g_byte_array_unref);
    g_byte_array_unref(hurt_bytes);
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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    check_lossy(bytes, size);
    check_both_ways(bytes, size, hurt_crlf, af_mend_crlf);
    check_both_ways(bytes, size, hurt_1252, af_mend_1252);
    return 0;
}
