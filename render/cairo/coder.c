#include "render/cairo/coder.h"

#include <string.h>
#include "render/cairo/huffman.h"

/* Each block has codes of its own, which take about 80 bytes. */
#define BLOCK_ITEMS ((size_t)16384)

enum { WINDOW = 32768, LONGEST_REPEAT = 258, LEAST_REPEAT = 3 };
enum { FILTER_NONE = 0, FILTER_UP = 2 };
enum { END_OF_BLOCK = 256, FIRST_LENGTH = 257, LITERALS = 286, DISTANCES = 30, LENGTH_CODES = 19 };
enum { LONGEST_CODE = 15, LONGEST_LENGTH_CODE = 7 };

/* A number as deflate writes it: a symbol and the bits that it leaves open. */
typedef struct {
    unsigned symbol, n_bits, bits;
} part;

/* The codes of a block: literals and lengths, then distances. */
typedef struct {
    uint32_t counts[LITERALS + DISTANCES];
    uint8_t lengths[LITERALS + DISTANCES];
    uint16_t codes[LITERALS + DISTANCES];
} block_codes;

static unsigned count_bits(uint32_t number)
{
    return 31 - (unsigned)__builtin_clz(number);
}

static part split_length(uint32_t length)
{
    const uint32_t over = length - LEAST_REPEAT;
    if (over < 8 || length == LONGEST_REPEAT) {
        return (part){FIRST_LENGTH + (over < 8 ? over : 28), 0, 0};
    }
    const unsigned n = count_bits(over) - 2;
    return (part){FIRST_LENGTH + 4 * (n + 1) + (over >> n & 3), n, over & ((1u << n) - 1)};
}

static part split_distance(uint32_t distance)
{
    const uint32_t over = distance - 1;
    if (over < 4) {
        return (part){over, 0, 0};
    }
    const unsigned n = count_bits(over) - 1;
    return (part){2 * (n + 1) + (over >> n & 1), n, over & ((1u << n) - 1)};
}

/* The length of the next piece of a repeat, so that none is left that is too short. */
static uint32_t cut_repeat(uint32_t left)
{
    const uint32_t length = MIN(left, LONGEST_REPEAT);
    return left > length && left - length < LEAST_REPEAT ? length - LEAST_REPEAT : length;
}

/* ---- bits ---- */

/* Where bits go. A copy is faster than the coder, whose fields could be changed by any byte that is
 * written. */
typedef struct {
    unsigned char *to;
    uint64_t bits; /* not yet written, the first one is the lowest */
    unsigned n;
} bit_writer;

/* The caller has reserved the space, and eight bytes more. */
static inline void put_bits(bit_writer *out, uint64_t bits, unsigned n)
{
    out->bits |= bits << out->n;
    out->n += n;
    const uint64_t word = GUINT64_TO_LE(out->bits);
    memcpy(out->to, &word, sizeof word);
    out->to += out->n / 8;
    out->bits >>= out->n & ~7u;
    out->n &= 7;
}

static bit_writer begin_bits(const af_coder *coder)
{
    return (bit_writer){coder->bytes + coder->length, coder->bits, coder->n_bits};
}

static void end_bits(af_coder *coder, const bit_writer *out)
{
    coder->length = (size_t)(out->to - coder->bytes);
    coder->bits = out->bits;
    coder->n_bits = out->n;
}

static gboolean reserve(unsigned char **bytes, size_t *capacity, size_t needed)
{
    if (needed > *capacity) {
        const size_t larger = MAX(needed, 2 * *capacity);
        unsigned char *moved = g_try_realloc(*bytes, larger);
        if (moved == NULL) {
            return FALSE;
        }
        *bytes = moved;
        *capacity = larger;
    }
    return TRUE;
}

/* ---- items as bytes ---- */

typedef struct {
    const af_coding *coding;
    size_t cell; /* number of cells before the next item */
} cursor;

/* The size of the cells from `first` on. */
static size_t measure_cells(const af_coding *coding, size_t first, size_t n)
{
    if (coding->colours != NULL) {
        return n;
    }
    const size_t row = (size_t)coding->width + 1;
    const size_t n_filters = (first + n + row - 1) / row - (first + row - 1) / row;
    return n_filters + 3 * (n - n_filters);
}

static uint32_t find_distance(const cursor *at, uint32_t item)
{
    const size_t distance = af_item_distance(item);
    return (uint32_t)measure_cells(at->coding, at->cell - distance, distance);
}

static uint32_t find_length(const cursor *at, uint32_t item)
{
    return (uint32_t)measure_cells(at->coding, at->cell, af_item_length(item));
}

static void copy_repeat(af_coder *coder, uint32_t length, uint32_t distance)
{
    unsigned char *to = coder->plain + coder->plain_length;
    coder->plain_length += length;
    if (distance == 1) {
        memset(to, to[-1], length);
        return;
    }
    while (length > 0) {
        const uint32_t n = MIN(length, distance);
        memcpy(to, to - distance, n);
        to += n;
        length -= n;
    }
}

static void count_literal(af_coder *coder, block_codes *codes, unsigned byte)
{
    coder->plain[coder->plain_length++] = (unsigned char)byte;
    codes->counts[byte]++;
}

static void count_repeat(af_coder *coder, block_codes *codes, const cursor *at, uint32_t item)
{
    const uint32_t length = find_length(at, item), distance = find_distance(at, item);
    uint32_t *distances = codes->counts + LITERALS;
    const unsigned symbol = split_distance(distance).symbol;
    copy_repeat(coder, length, distance);
    for (uint32_t left = length, n; left > 0; left -= n) {
        n = cut_repeat(left);
        codes->counts[split_length(n).symbol]++;
        distances[symbol]++;
    }
}

/* Expands the items of a block and counts its symbols. Pixels of a palette become indices. */
static void count_items(af_coder *coder, block_codes *codes, cursor at, uint32_t *items, size_t n)
{
    const af_colour_table *colours = at.coding->colours;
    for (size_t i = 0; i < n; i++) {
        const uint32_t item = items[i];
        if ((item & AF_ITEM_REPEAT) != 0) {
            count_repeat(coder, codes, &at, item);
            at.cell += af_item_length(item);
            continue;
        }
        if ((item & AF_ITEM_FILTER) != 0) {
            const gboolean up = at.coding->subtracted && at.cell > 0;
            items[i] |= up ? FILTER_UP : FILTER_NONE;
            count_literal(coder, codes, up ? FILTER_UP : FILTER_NONE);
        } else if (colours != NULL) {
            items[i] = af_colour_table_index(colours, item);
            count_literal(coder, codes, items[i]);
        } else {
            for (unsigned shift = 24; shift > 0; shift -= 8) {
                count_literal(coder, codes, item >> (shift - 8) & 0xff);
            }
        }
        at.cell++;
    }
    codes->counts[END_OF_BLOCK]++;
}

/* ---- blocks ---- */

/* The lengths of all codes are written as a code themselves, with signs for repeated ones. */
typedef struct {
    unsigned n;
    struct {
        uint8_t symbol, n_bits, bits;
    } signs[LITERALS + DISTANCES];
    uint32_t counts[LENGTH_CODES];
} length_signs;

static void add_sign(length_signs *to, unsigned symbol, unsigned n_bits, unsigned bits)
{
    to->signs[to->n].symbol = (uint8_t)symbol;
    to->signs[to->n].n_bits = (uint8_t)n_bits;
    to->signs[to->n++].bits = (uint8_t)bits;
    to->counts[symbol]++;
}

static void add_lengths(length_signs *to, const uint8_t *lengths, unsigned n)
{
    enum { SAME = 16, ZEROS = 17, MANY_ZEROS = 18 };
    for (unsigned i = 0, same; i < n; i += same) {
        same = 1;
        while (i + same < n && lengths[i + same] == lengths[i]) {
            same++;
        }
        if (lengths[i] == 0 && same >= 11) {
            same = MIN(same, 138);
            add_sign(to, MANY_ZEROS, 7, same - 11);
        } else if (lengths[i] == 0 && same >= 3) {
            add_sign(to, ZEROS, 3, same - 3);
        } else if (i > 0 && lengths[i] == lengths[i - 1] && same >= 3) {
            same = MIN(same, 6);
            add_sign(to, SAME, 2, same - 3);
        } else {
            same = 1;
            add_sign(to, lengths[i], 0, 0);
        }
    }
}

static void put_codes(bit_writer *out, const block_codes *codes, gboolean last)
{
    static const uint8_t order[LENGTH_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                11, 4,  12, 3, 13, 2, 14, 1, 15};
    enum { DYNAMIC = 2 };
    length_signs signs = {0};
    uint8_t lengths[LENGTH_CODES];
    uint16_t length_codes[LENGTH_CODES];
    unsigned n = LENGTH_CODES;
    add_lengths(&signs, codes->lengths, LITERALS + DISTANCES);
    af_huffman_lengths(signs.counts, LENGTH_CODES, LONGEST_LENGTH_CODE, lengths);
    af_huffman_codes(lengths, LENGTH_CODES, length_codes);
    while (n > 4 && lengths[order[n - 1]] == 0) {
        n--;
    }
    put_bits(out, (last ? 1 : 0) | DYNAMIC << 1, 3);
    put_bits(out, LITERALS - 257, 5);
    put_bits(out, DISTANCES - 1, 5);
    put_bits(out, n - 4, 4);
    for (unsigned i = 0; i < n; i++) {
        put_bits(out, lengths[order[i]], 3);
    }
    for (unsigned i = 0; i < signs.n; i++) {
        const unsigned symbol = signs.signs[i].symbol;
        put_bits(out, length_codes[symbol], lengths[symbol]);
        put_bits(out, signs.signs[i].bits, signs.signs[i].n_bits);
    }
}

/* A code that has only one symbol, or none, is a special case of deflate that not every reader knows. */
static void choose_codes(block_codes *codes)
{
    uint32_t *distances = codes->counts + LITERALS;
    for (unsigned i = 0, n = 0; i < DISTANCES && n < 2; i++) {
        n += distances[i] > 0;
        if (i + 1 == DISTANCES && n < 2) {
            distances[0]++;
            distances[1]++;
        }
    }
    af_huffman_lengths(codes->counts, LITERALS, LONGEST_CODE, codes->lengths);
    af_huffman_codes(codes->lengths, LITERALS, codes->codes);
    af_huffman_lengths(distances, DISTANCES, LONGEST_CODE, codes->lengths + LITERALS);
    af_huffman_codes(codes->lengths + LITERALS, DISTANCES, codes->codes + LITERALS);
}

/* At most as many bytes as a block takes, and what put_bits() needs. */
static size_t measure_block(const block_codes *codes)
{
    enum { HEAD = 1024, OPEN_BITS = 13 };
    uint64_t bits = 0;
    for (unsigned i = 0; i < LITERALS + DISTANCES; i++) {
        const unsigned open = i < FIRST_LENGTH ? 0 : OPEN_BITS;
        bits += (uint64_t)codes->counts[i] * (codes->lengths[i] + open);
    }
    return HEAD + (size_t)(bits / 8);
}

static inline void put_symbol(bit_writer *out, const block_codes *codes, unsigned symbol)
{
    put_bits(out, codes->codes[symbol], codes->lengths[symbol]);
}

static uint64_t join_part(const block_codes *codes, unsigned first, part p, unsigned *n_bits)
{
    const unsigned symbol = first + p.symbol, length = codes->lengths[symbol];
    *n_bits = length + p.n_bits;
    return codes->codes[symbol] | (uint64_t)p.bits << length;
}

static inline void put_repeat(bit_writer *out, const block_codes *codes, const cursor *at,
                              uint32_t item)
{
    unsigned n_distance, n_length;
    const uint64_t distance =
        join_part(codes, LITERALS, split_distance(find_distance(at, item)), &n_distance);
    for (uint32_t left = find_length(at, item), n; left > 0; left -= n) {
        n = cut_repeat(left);
        const uint64_t length = join_part(codes, 0, split_length(n), &n_length);
        put_bits(out, length | distance << n_length, n_length + n_distance);
    }
}

static void put_block(af_coder *coder, const block_codes *codes, cursor at, const uint32_t *items,
                      size_t n, gboolean last)
{
    bit_writer writer = begin_bits(coder), *out = &writer;
    const gboolean rgb = at.coding->colours == NULL;
    put_codes(out, codes, last);
    for (size_t i = 0; i < n; i++) {
        const uint32_t item = items[i];
        if ((item & AF_ITEM_REPEAT) != 0) {
            put_repeat(out, codes, &at, item);
            at.cell += af_item_length(item);
            continue;
        }
        if (rgb && (item & AF_ITEM_FILTER) == 0) {
            put_symbol(out, codes, item >> 16 & 0xff);
            put_symbol(out, codes, item >> 8 & 0xff);
        }
        put_symbol(out, codes, item & 0xff);
        at.cell++;
    }
    put_symbol(out, codes, END_OF_BLOCK);
    end_bits(coder, out);
}

static size_t count_cells(const uint32_t *items, size_t n)
{
    size_t cells = 0;
    for (size_t i = 0; i < n; i++) {
        cells += (items[i] & AF_ITEM_REPEAT) != 0 ? af_item_length(items[i]) : 1;
    }
    return cells;
}

/* Ends on a whole byte: with an empty stored block, unless the stream ends. */
static void end_band(af_coder *coder, gboolean last)
{
    bit_writer out = begin_bits(coder);
    if (!last) {
        put_bits(&out, 0, 3);
    }
    put_bits(&out, 0, (8 - out.n) % 8);
    if (!last) {
        put_bits(&out, UINT64_C(0xffff0000), 32);
    }
    end_bits(coder, &out);
}

uint32_t af_coding_reach(const af_coding *coding)
{
    return coding->colours != NULL ? WINDOW : WINDOW / 3;
}

gboolean af_coder_code(af_coder *coder, const af_coding *coding, uint32_t *items, size_t n,
                       int rows, gboolean last)
{
    const size_t plain = measure_cells(coding, 0, (size_t)rows * ((size_t)coding->width + 1));
    cursor at = {.coding = coding};
    coder->plain_length = coder->length = 0;
    if (!reserve(&coder->plain, &coder->plain_capacity, plain)) {
        return FALSE;
    }
    for (size_t first = 0; first < n; first += BLOCK_ITEMS) {
        const size_t n_items = MIN(n - first, BLOCK_ITEMS);
        block_codes codes = {0};
        count_items(coder, &codes, at, items + first, n_items);
        choose_codes(&codes);
        if (!reserve(&coder->bytes, &coder->capacity, coder->length + measure_block(&codes))) {
            return FALSE;
        }
        put_block(coder, &codes, at, items + first, n_items, last && first + n_items == n);
        at.cell += count_cells(items + first, n_items);
    }
    end_band(coder, last);
    return TRUE;
}

void af_coder_clear(af_coder *coder)
{
    g_free(coder->plain);
    g_free(coder->bytes);
    *coder = (af_coder){0};
}
