/* Streams of a PDF document, without a parser: each begins after the word "stream" and a line end. */
#include <string.h>
#include <zlib.h>

#include "base/aflp.h"
#include "base/array.h"
#include "base/memory_error.h"
#include "read/unwrap.h"

/* A saved profile is packed already, so deflating it again gains next to nothing. */
#define MOST_RATIO 4u

/* How much of a stream is searched for the name of the program, which may stand in a packed
 * object. */
#define SEARCHED ((size_t)64 * 1024)

#define MARK "(aflame "

/* The next stream; where its bytes end is not known. NULL past the last. */
static const uint8_t *next_stream(const uint8_t *at, const uint8_t *end)
{
    at = memmem(at, (size_t)(end - at), "stream", 6);
    if (at == NULL) {
        return NULL;
    }
    at += 6;
    if (at < end && *at == '\r') {
        at++;
    }
    return at < end && *at == '\n' ? at + 1 : at;
}

static gboolean is_profile(const uint8_t *at, size_t length)
{
    return length >= AF_AFLP_MAGIC_SIZE && memcmp(at, AF_AFLP_MAGIC, AF_AFLP_MAGIC_SIZE) == 0;
}

/* Whether a zlib stream may begin so. */
static gboolean is_zlib(const uint8_t *at, const uint8_t *end)
{
    return end - at > 2 && (at[0] & 0x0F) == Z_DEFLATED && (at[0] << 8 | at[1]) % 31 == 0;
}

/* Inflates to at most `capacity` bytes. Returns how many. */
static size_t inflate_some(const uint8_t *at, const uint8_t *end, uint8_t *to, size_t capacity)
{
    z_stream z = {.next_in = (Bytef *)at, .avail_in = (uInt)MIN((size_t)(end - at), UINT32_MAX)};
    if (inflateInit(&z) != Z_OK) {
        return 0;
    }
    z.next_out = to;
    z.avail_out = (uInt)capacity;
    inflate(&z, Z_SYNC_FLUSH);
    inflateEnd(&z);
    return capacity - z.avail_out;
}

/* All of a deflated profile. NULL if memory is refused. */
static GBytes *inflate_profile(const uint8_t *at, const uint8_t *end)
{
    const size_t packed = (size_t)(end - at);
    const size_t most = MIN(packed * MOST_RATIO + 64, UINT32_MAX);
    for (size_t capacity = MIN(packed + packed / 8 + 64, most);;
         capacity = MIN(capacity * 2, most)) {
        uint8_t *bytes = g_try_malloc(capacity);
        if (bytes == NULL) {
            return NULL;
        }
        const size_t n = inflate_some(at, end, bytes, capacity);
        if (n < capacity || capacity == most) {
            return g_bytes_new_take(bytes, n);
        }
        g_free(bytes);
    }
}

static GBytes *take_profile(const uint8_t *at, const uint8_t *end, gboolean *refused)
{
    uint8_t head[AF_AFLP_MAGIC_SIZE];
    if (is_profile(at, (size_t)(end - at))) {
        return g_bytes_new(at, (size_t)(end - at));
    }
    if (!is_zlib(at, end) || !is_profile(head, inflate_some(at, end, head, sizeof head))) {
        return NULL;
    }
    GBytes *bytes = inflate_profile(at, end);
    *refused = bytes == NULL;
    return bytes;
}

static gboolean has_mark(const uint8_t *bytes, const uint8_t *end)
{
    if (memmem(bytes, (size_t)(end - bytes), MARK, sizeof MARK - 1) != NULL) {
        return TRUE;
    }
    g_autofree uint8_t *text = g_try_malloc(SEARCHED);
    gboolean found = FALSE;
    size_t left = SEARCHED + (size_t)(end - bytes) * MOST_RATIO; /* work follows the size */
    const uint8_t *at = bytes;
    while (text != NULL && !found && left > 0 && (at = next_stream(at, end)) != NULL) {
        if (is_zlib(at, end)) {
            const size_t n = inflate_some(at, end, text, MIN(left, SEARCHED));
            left -= n;
            found = memmem(text, n, MARK, sizeof MARK - 1) != NULL;
        }
    }
    return found;
}

GBytes *af_carrier_search_pdf(const uint8_t *bytes, size_t length, gboolean *drawn, GError **error)
{
    const uint8_t *const end = bytes + length;
    GBytes *profile = NULL;
    gboolean refused = FALSE;
    for (const uint8_t *at = bytes;
         profile == NULL && !refused && (at = next_stream(at, end)) != NULL;) {
        profile = take_profile(at, end, &refused);
    }
    if (refused) {
        af_memory_error_set(error);
    }
    *drawn = profile != NULL || has_mark(bytes, end);
    return profile;
}
