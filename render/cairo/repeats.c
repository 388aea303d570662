#include "render/cairo/repeats.h"

#include <string.h>

#include "base/capacity.h"

#define ITEMS_LEAST AF_CAPACITY(4096, 4)

/* Deflate has no shorter repeats of bytes. */
enum { LEAST = 3 };

/* A repeat of the row above or of the pixel before has a short code for its distance; others must
 * be longer to pay. A repeat of FAR pixels is long enough to search no further. */
enum { SEARCHED_LEAST = 5, FAR = 16, HASHED = 4, HASH_BITS = 12 };

#define NOWHERE UINT32_MAX /* places are y << 16 | x */

/* A band while its items are found. */
typedef struct {
    af_repeats *repeats;
    const uint32_t *pixels;
    size_t stride;
    uint32_t width, reach;
} search;

static void add_item(af_repeats *repeats, uint32_t item)
{
    if (repeats->n == repeats->capacity) {
        const size_t capacity = MAX(ITEMS_LEAST, 2 * repeats->capacity);
        uint32_t *items = g_try_renew(uint32_t, repeats->items, capacity);
        if (items == NULL) {
            repeats->refused = TRUE;
            repeats->n = 0; /* nobody reads them */
            return;
        }
        repeats->items = items;
        repeats->capacity = capacity;
    }
    repeats->items[repeats->n++] = item;
}

/* Continues the last item if it has the same distance. */
static void add_repeat(af_repeats *repeats, uint32_t length, uint32_t distance)
{
    if (repeats->n > 0) {
        uint32_t *last = &repeats->items[repeats->n - 1];
        if ((*last & AF_ITEM_REPEAT) != 0 && af_item_distance(*last) == distance &&
            af_item_length(*last) + length <= AF_REPEAT_MOST) {
            *last += length << 15;
            return;
        }
    }
    add_item(repeats, AF_ITEM_REPEAT | (length - 1) << 15 | (distance - 1));
}

/* 16 bytes, which the compiler turns into one register. */
typedef uint32_t vector __attribute__((vector_size(16)));

enum { VECTOR = sizeof(vector) / sizeof(uint32_t), STEP = 4 * VECTOR };

/* cairo leaves anything in the high bytes. */
static gboolean differ(uint32_t a, uint32_t b)
{
    return ((a ^ b) & 0xffffff) != 0;
}

static gboolean differ_somewhere(const uint32_t *a, const uint32_t *b)
{
    vector x[4], y[4];
    uint64_t parts[2];
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    const vector any = ((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3])) & 0xffffff;
    memcpy(parts, &any, sizeof parts);
    return (parts[0] | parts[1]) != 0;
}

static uint32_t count_equal(const uint32_t *a, const uint32_t *b, uint32_t most)
{
    uint32_t n = 0;
    while (n + STEP <= most && !differ_somewhere(a + n, b + n)) {
        n += STEP;
    }
    while (n < most && !differ(a[n], b[n])) {
        n++;
    }
    return n;
}

/* 0 if they are fewer than LEAST: nearly always, where rows differ. */
static inline uint32_t count_repeated(const uint32_t *a, const uint32_t *b, uint32_t most)
{
    return most < LEAST || differ(a[0], b[0]) || differ(a[1], b[1]) || differ(a[2], b[2])
               ? 0
               : count_equal(a, b, most);
}

static uint32_t hash_pixels(const uint32_t *pixels)
{
    const uint64_t low = (pixels[0] & 0xffffff) | (uint64_t)(pixels[1] & 0xffffff) << 32;
    const uint64_t high = (pixels[2] & 0xffffff) | (uint64_t)(pixels[3] & 0xffffff) << 32;
    const uint64_t mixed =
        (low ^ high * UINT64_C(0xd6e8feb86659fd93)) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> (64 - HASH_BITS));
}

/* Looks for the last place where the same HASHED pixels followed, and remembers this one. Returns
 * how many are equal there, and the distance in cells. */
static uint32_t search_pixels(const search *s, uint32_t y, uint32_t x, uint32_t *distance)
{
    const uint32_t *here = s->pixels + y * s->stride + x;
    uint32_t *recent = &s->repeats->recent[hash_pixels(here)];
    const uint32_t before = *recent, before_y = before >> 16, before_x = before & 0xffff;
    *recent = y << 16 | x;
    *distance = (y - before_y) * (s->width + 1) + x - before_x;
    if (before == NOWHERE || *distance > s->reach) {
        return 0;
    }
    const uint32_t *there = s->pixels + before_y * s->stride + before_x;
    return count_repeated(here, there, s->width - MAX(x, before_x));
}

/* Adds the item for the pixels at x. Returns how many these are. */
static uint32_t add_pixels(const search *s, uint32_t y, uint32_t x, gboolean has_above)
{
    const uint32_t *row = s->pixels + y * s->stride, left = s->width - x;
    uint32_t distance = s->width + 1, other;
    uint32_t length = has_above ? count_repeated(row + x, row - s->stride + x, left) : 0;
    if (length < FAR && x > 0) {
        const uint32_t run = count_repeated(row + x, row + x - 1, left);
        distance = run > length ? 1 : distance;
        length = MAX(run, length);
    }
    if (length < FAR && left >= HASHED) {
        const uint32_t found = search_pixels(s, y, x, &other);
        if (found >= SEARCHED_LEAST && found > length + 2) {
            distance = other;
            length = found;
        }
    }
    if (length < LEAST) {
        add_item(s->repeats, row[x] & 0xffffff);
        return 1;
    }
    add_repeat(s->repeats, length, distance);
    return length;
}

static void find_row(const search *s, uint32_t y)
{
    const gboolean has_above = y > 0 && s->width + 1 <= s->reach;
    const uint32_t *row = s->pixels + y * s->stride;
    uint32_t x = has_above ? count_equal(row, row - s->stride, s->width) : 0;
    if (x + 1 >= LEAST) {
        add_repeat(s->repeats, x + 1, s->width + 1); /* with the filter */
    } else {
        x = 0;
        add_item(s->repeats, AF_ITEM_FILTER);
    }
    while (x < s->width && !s->repeats->refused) {
        x += add_pixels(s, y, x, has_above);
    }
}

void af_repeats_find(af_repeats *repeats, const uint32_t *pixels, size_t stride, int width,
                     int rows, uint32_t reach)
{
    const search s = {repeats, pixels, stride, (uint32_t)width, reach};
    repeats->n = 0;
    if (repeats->recent == NULL) {
        repeats->recent = g_try_new(uint32_t, 1 << HASH_BITS);
        repeats->refused = repeats->recent == NULL;
    }
    if (!repeats->refused) {
        memset(repeats->recent, UINT8_MAX, sizeof *repeats->recent << HASH_BITS);
    }
    for (uint32_t y = 0; y < (uint32_t)rows && !repeats->refused; y++) {
        find_row(&s, y);
    }
}

void af_repeats_clear(af_repeats *repeats)
{
    g_free(repeats->items);
    g_free(repeats->recent);
    *repeats = (af_repeats){0};
}
