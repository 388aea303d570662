/* Any bytes as a Perfetto trace. The first byte selects a kind of packet, which then holds the
 * rest: mutations of a whole file rarely reach the depth of a message. */
#include "reading.h"

#include <stdlib.h>
#include <string.h>

/* Fields of a packet, and what comes before each: a sequence, its state, a time. */
static const uint8_t kinds[] = {0,  1,  2,  6,  9,  11,  12,  33,  34,  35,  37,
                                43, 44, 45, 47, 50, 54,  56,  59,  60,  61,  64,
                                66, 69, 82, 89, 90, 117, 120, 122, 131, 133, 135};

static uint8_t *put_varint(uint8_t *to, uint64_t value)
{
    for (; value >= 0x80; value >>= 7) {
        *to++ = (uint8_t)(value | 0x80);
    }
    *to++ = (uint8_t)value;
    return to;
}

static void read_as_packet(unsigned field, const uint8_t *bytes, size_t size)
{
    static const uint8_t head[] = {0x08 << 3, 100, 10 << 3, 1, 13 << 3, 3};
    uint8_t *file = malloc(size + 64), *packet = file + 16, *at = packet;
    if (file == NULL) {
        return;
    }
    memcpy(at, head, sizeof head);
    at = put_varint(put_varint(at + sizeof head, (uint64_t)field << 3 | 2), size);
    memcpy(at, bytes, size);
    const size_t length = (size_t)(at + size - packet);
    uint8_t *start = packet - 11;
    size_t n = length;
    /* the length of the packet, in as many bytes as fit in front of it */
    *start = 0x0A;
    for (unsigned i = 1; i < 10; i++, n >>= 7) {
        start[i] = (uint8_t)((n & 0x7F) | 0x80);
    }
    start[10] = 0;
    const af_source source = {.bytes = start, .length = (size_t)(packet + length - start)};
    fuzz_read(&af_reader_perfetto, source, NULL);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const af_source source = {.bytes = bytes, .length = size};
    if (af_reader_perfetto.detect(bytes, size, FALSE, FALSE) > 0) {
        fuzz_read(&af_reader_perfetto, source, NULL);
    } else if (size > 1 && kinds[bytes[0] % sizeof kinds] != 0) {
        read_as_packet(kinds[bytes[0] % sizeof kinds], bytes + 1, size - 1);
    }
    return 0;
}
