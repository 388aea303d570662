#include "render/deflater.h"

#include <zlib.h>

/* Level 6 makes a block 1 % smaller and takes half as long again. */
enum { LEVEL = 3, MEMORY = 9 };

/* What is longer than this gets tables of codes and a method of its own. */
#define PART_FROM 512

/* zlib counts in unsigned int. */
#define PIECE_MAX ((size_t)1 << 28)

struct af_deflater {
    z_stream z;
    unsigned char *out;
    size_t room;
    size_t plain_length;
    int strategy;
    gboolean failed;
};

af_deflater *af_deflater_new(void)
{
    af_deflater *deflater = g_try_new0(af_deflater, 1);
    if (deflater && deflateInit2(&deflater->z, LEVEL, Z_DEFLATED, MAX_WBITS, MEMORY,
                                 Z_DEFAULT_STRATEGY) != Z_OK) {
        g_free(deflater);
        return NULL;
    }
    if (deflater) {
        deflater->strategy = Z_DEFAULT_STRATEGY;
    }
    return deflater;
}

void af_deflater_free(af_deflater *deflater)
{
    if (deflater) {
        deflateEnd(&deflater->z);
        g_free(deflater->out);
        g_free(deflater);
    }
}

/* Room for all that the next call can write, so that it never stops on the way. */
static gboolean make_room(af_deflater *deflater, size_t length)
{
    const size_t used = deflater->z.total_out;
    /* what was taken in before and not yet written is at most this */
    const size_t held = (size_t)1 << 18;
    const size_t needed = used + deflateBound(&deflater->z, length) + held;
    if (deflater->failed) {
        return FALSE;
    }
    if (needed > deflater->room) {
        const size_t room = MAX(needed, 2 * deflater->room);
        unsigned char *out = g_try_realloc(deflater->out, room);
        if (!out) {
            deflater->failed = TRUE;
            return FALSE;
        }
        deflater->out = out;
        deflater->room = room;
    }
    deflater->z.next_out = deflater->out + used;
    deflater->z.avail_out = (uInt)MIN(deflater->room - used, UINT_MAX);
    return TRUE;
}

static void check(af_deflater *deflater, int status, int wanted)
{
    if (status != wanted && status != Z_BUF_ERROR) {
        deflater->failed = TRUE;
    }
}

static void choose_strategy(af_deflater *deflater, size_t length, af_repetition repetition)
{
    const int strategy = repetition == AF_REPEATS ? Z_DEFAULT_STRATEGY : Z_HUFFMAN_ONLY;
    if (strategy != deflater->strategy && length >= PART_FROM && make_room(deflater, 0)) {
        check(deflater, deflateParams(&deflater->z, LEVEL, strategy), Z_OK);
        deflater->strategy = strategy;
    }
}

void af_deflater_append(af_deflater *deflater, const void *bytes, size_t length,
                        af_repetition repetition)
{
    choose_strategy(deflater, length, repetition);
    for (size_t at = 0; at < length; at += PIECE_MAX) {
        const size_t piece = MIN(length - at, PIECE_MAX);
        if (make_room(deflater, piece)) {
            deflater->z.next_in = (unsigned char *)bytes + at;
            deflater->z.avail_in = (uInt)piece;
            check(deflater, deflate(&deflater->z, length >= PART_FROM ? Z_BLOCK : Z_NO_FLUSH),
                  Z_OK);
        }
    }
    deflater->plain_length += length;
}

size_t af_deflater_plain_length(const af_deflater *deflater)
{
    return deflater->plain_length;
}

GBytes *af_deflater_finish(af_deflater *deflater)
{
    if (make_room(deflater, 0)) {
        check(deflater, deflate(&deflater->z, Z_FINISH), Z_STREAM_END);
    }
    return deflater->failed ? NULL : g_bytes_new(deflater->out, deflater->z.total_out);
}
