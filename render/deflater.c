#include "render/deflater.h"

#include <string.h>
#include <zlib.h>

/* Level 6 makes a block 1 % smaller and takes half as long again. */
enum { LEVEL = 3, MEMORY = 9 };

/* What is longer than this gets tables of codes and a method of its own. */
#define SECTION_FROM 512

/* zlib counts in unsigned int. */
#define PIECE_MAX ((size_t)1 << 28)

struct af_deflater {
    z_stream z;
    unsigned char *out;
    size_t room;
    size_t plain_length;
    uLong sum; /* Adler-32 */
    int strategy;
    gboolean failed;
};

af_deflater *af_deflater_new(void)
{
    af_deflater *part = g_try_new0(af_deflater, 1);
    /* negative: without the head and the tail of a stream */
    if (part &&
        deflateInit2(&part->z, LEVEL, Z_DEFLATED, -MAX_WBITS, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK) {
        g_free(part);
        return NULL;
    }
    if (part) {
        part->sum = adler32(0, NULL, 0);
        part->strategy = Z_DEFAULT_STRATEGY;
    }
    return part;
}

void af_deflater_free(af_deflater *part)
{
    if (part) {
        deflateEnd(&part->z);
        g_free(part->out);
        g_free(part);
    }
}

/* Room for all that the next call can write, so that it never stops on the way. */
static gboolean make_room(af_deflater *part, size_t length)
{
    const size_t used = part->z.total_out;
    /* what was taken in before and is not yet written makes no more than this */
    const size_t held = (size_t)1 << 18;
    const size_t needed = used + deflateBound(&part->z, length) + held;
    if (part->failed) {
        return FALSE;
    }
    if (needed > part->room) {
        const size_t room = MAX(needed, 2 * part->room);
        unsigned char *out = g_try_realloc(part->out, room);
        if (!out) {
            part->failed = TRUE;
            return FALSE;
        }
        part->out = out;
        part->room = room;
    }
    part->z.next_out = part->out + used;
    part->z.avail_out = (uInt)MIN(part->room - used, UINT_MAX);
    return TRUE;
}

static void check(af_deflater *part, int status, int wanted)
{
    if (status != wanted && status != Z_BUF_ERROR) {
        part->failed = TRUE;
    }
}

static void choose_strategy(af_deflater *part, size_t length, af_repetition repetition)
{
    const int strategy = repetition == AF_REPEATS ? Z_DEFAULT_STRATEGY : Z_HUFFMAN_ONLY;
    if (strategy != part->strategy && length >= SECTION_FROM && make_room(part, 0)) {
        check(part, deflateParams(&part->z, LEVEL, strategy), Z_OK);
        part->strategy = strategy;
    }
}

void af_deflater_append(af_deflater *part, const void *bytes, size_t length,
                        af_repetition repetition)
{
    choose_strategy(part, length, repetition);
    for (size_t at = 0; at < length; at += PIECE_MAX) {
        const size_t piece = MIN(length - at, PIECE_MAX);
        if (make_room(part, piece)) {
            part->z.next_in = (unsigned char *)bytes + at;
            part->z.avail_in = (uInt)piece;
            part->sum = adler32(part->sum, part->z.next_in, part->z.avail_in);
            check(part, deflate(&part->z, length >= SECTION_FROM ? Z_BLOCK : Z_NO_FLUSH), Z_OK);
        }
    }
    part->plain_length += length;
}

static gboolean end_part(af_deflater *part, gboolean is_last)
{
    if (make_room(part, 0)) {
        part->z.next_in = NULL;
        part->z.avail_in = 0;
        check(part, deflate(&part->z, is_last ? Z_FINISH : Z_SYNC_FLUSH),
              is_last ? Z_STREAM_END : Z_OK);
    }
    return !part->failed;
}

GBytes *af_deflater_join(af_deflater *const *parts, unsigned n, size_t *plain_length)
{
    /* RFC 1950: deflate with a window of 32 KB, a fast level */
    static const unsigned char head[2] = {0x78, 0x5E};
    size_t length = sizeof head + 4;
    uLong sum = adler32(0, NULL, 0);
    *plain_length = 0;
    for (unsigned i = 0; i < n; i++) {
        if (!end_part(parts[i], i + 1 == n)) {
            return NULL;
        }
        length += parts[i]->z.total_out;
        sum = adler32_combine(sum, parts[i]->sum, (z_off_t)parts[i]->plain_length);
        *plain_length += parts[i]->plain_length;
    }
    unsigned char *stream = g_try_malloc(length), *at = stream;
    if (!stream) {
        return NULL;
    }
    memcpy(at, head, sizeof head);
    at += sizeof head;
    for (unsigned i = 0; i < n; i++) {
        memcpy(at, parts[i]->out, parts[i]->z.total_out);
        at += parts[i]->z.total_out;
    }
    const guint32 tail = GUINT32_TO_BE((guint32)sum);
    memcpy(at, &tail, sizeof tail);
    return g_bytes_new_take(stream, length);
}
