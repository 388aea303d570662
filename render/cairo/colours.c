#include "render/cairo/colours.h"

#include <string.h>

#include "render/palette.h"

#define ALL_COLOURS  (1u << 24)
#define SET_WORDS    (ALL_COLOURS / 64)
#define COLOURS_MOST ((size_t)32768) /* more than any graph has; only a photograph has more */
#define SLOTS_MOST   (4 * COLOURS_MOST)
#define SLOTS_LEAST  1024

af_colour_set *af_colour_set_new(void)
{
    return g_try_new0(af_colour_set, SET_WORDS);
}

static gboolean has_colour(const af_colour_set *set, uint32_t colour)
{
    return (set[colour >> 6] & UINT64_C(1) << (colour & 63)) != 0;
}

/* The colours in ascending order. Returns their number, COLOURS_MOST if there are as many or more. */
static uint32_t list_colours(const af_colour_set *set, uint32_t *colours)
{
    uint32_t n = 0;
    for (uint32_t word = 0; word < SET_WORDS; word++) {
        for (uint64_t bits = set[word]; bits != 0; bits &= bits - 1) {
            if (n == COLOURS_MOST) {
                return n;
            }
            colours[n++] = word * 64 + (uint32_t)__builtin_ctzll(bits);
        }
    }
    return n;
}

/* 16 bytes, which the compiler turns into one register. */
typedef uint8_t vector __attribute__((vector_size(16)));

#define VECTOR       sizeof(vector)
#define VECTORS_MOST (COLOURS_MOST / VECTOR)

/* The colours of a picture while the table is chosen. Distances beyond the last colour are 0. */
typedef struct {
    uint32_t *colours;
    vector *channels[3];
    vector *distances; /* from the nearest entry of the table */
    vector *indices;   /* that entry */
    uint32_t n;
} candidates;

static vector choose_bytes(vector mask, vector yes, vector no)
{
    return (yes & mask) | (no & ~mask);
}

static vector subtract(vector a, vector b)
{
    return choose_bytes((vector)(a > b), a - b, b - a);
}

/* The distance of two colours is the largest difference of a channel. */
static void add_entry(af_colour_table *table, candidates *all, uint32_t colour)
{
    const unsigned index = table->n++;
    vector channels[3];
    table->colours[index] = colour;
    for (unsigned c = 0; c < 3; c++) {
        channels[c] = (vector){0} + (uint8_t)(colour >> 8 * c);
    }
    for (size_t i = 0; i < (all->n + VECTOR - 1) / VECTOR; i++) {
        vector distance = subtract(all->channels[0][i], channels[0]);
        for (unsigned c = 1; c < 3; c++) {
            const vector other = subtract(all->channels[c][i], channels[c]);
            distance = choose_bytes((vector)(other > distance), other, distance);
        }
        const vector nearer = (vector)(distance < all->distances[i]);
        all->distances[i] = choose_bytes(nearer, distance, all->distances[i]);
        all->indices[i] = choose_bytes(nearer, (vector){0} + (uint8_t)index, all->indices[i]);
    }
}

/* The first of the colours with the largest distance from the table. */
static uint32_t find_furthest(const candidates *all)
{
    vector most = {0};
    unsigned largest = 0;
    for (size_t i = 0; i < (all->n + VECTOR - 1) / VECTOR; i++) {
        most = choose_bytes((vector)(all->distances[i] > most), all->distances[i], most);
    }
    for (size_t i = 0; i < VECTOR; i++) {
        largest = MAX(largest, most[i]);
    }
    const uint8_t *distances = (const uint8_t *)all->distances;
    const uint8_t *found = memchr(distances, (int)largest, all->n);
    return found ? (uint32_t)(found - distances) : 0;
}

static void add_paint(af_colour_table *table, candidates *all, const af_colour_set *set,
                      af_colour paint)
{
    const uint32_t colour = (uint32_t)paint.red << 16 | (uint32_t)paint.green << 8 | paint.blue;
    for (unsigned i = 0; i < table->n; i++) {
        if (table->colours[i] == colour) {
            return;
        }
    }
    if (has_colour(set, colour) && table->n < table->most / 4 * 3) {
        add_entry(table, all, colour);
    }
}

/* Always adds the colour furthest from all entries: the largest distance ends within twice the
 * least possible. Returns it. */
static unsigned add_furthest(af_colour_table *table, candidates *all)
{
    for (;;) {
        const uint32_t furthest = find_furthest(all);
        const unsigned distance = ((const uint8_t *)all->distances)[furthest];
        if (distance == 0 || table->n == table->most) {
            return distance;
        }
        add_entry(table, all, all->colours[furthest]);
    }
}

/* The slot of a colour, or the free one where it belongs. Black with entry 0 looks like a free slot
 * and may be overwritten; its search then ends at a free one, whose entry is 0, too. */
static uint32_t *find_slot(const af_colour_table *table, uint32_t colour)
{
    const uint32_t mask = UINT32_MAX >> table->shift;
    uint32_t at = colour * UINT32_C(0x9e3779b1) >> table->shift;
    while (table->slots[at] >> 8 != colour && table->slots[at] != 0) {
        at = (at + 1) & mask;
    }
    return &table->slots[at];
}

/* FALSE if the picture needs all its colours. */
static gboolean fill_table(af_colour_table *table, candidates *all, const af_colour_set *set,
                           gboolean dark, unsigned most)
{
    table->most = most > 0 ? MIN(most, AF_COLOURS_MOST) : AF_COLOURS_MOST;
    all->n = list_colours(set, all->colours);
    if (all->n == COLOURS_MOST) {
        return FALSE;
    }
    for (uint32_t i = 0; i < all->n; i++) {
        for (unsigned c = 0; c < 3; c++) {
            ((uint8_t *)all->channels[c])[i] = (uint8_t)(all->colours[i] >> 8 * c);
        }
    }
    memset(all->distances, UINT8_MAX, all->n);
    for (unsigned paint = 0; paint < AF_PAINT_COUNT; paint++) {
        add_paint(table, all, set, af_palette_colour((af_paint)paint, dark));
    }
    for (unsigned paint = AF_PAINT_FRAME; paint < AF_PAINT_COUNT; paint++) {
        add_paint(table, all, set, af_palette_hatch_ground((af_paint)paint, dark));
        add_paint(table, all, set, af_palette_hatch_stroke((af_paint)paint, dark));
    }
    if (add_furthest(table, all) > AF_COLOURS_LIMIT && most == 0) {
        return FALSE;
    }
    uint32_t n = SLOTS_LEAST;
    while (n < 4 * all->n) {
        n *= 2;
    }
    table->shift = 32 - (unsigned)__builtin_ctz(n);
    memset(table->slots, 0, n * sizeof *table->slots);
    for (uint32_t i = 0; i < all->n; i++) {
        *find_slot(table, all->colours[i]) =
            all->colours[i] << 8 | ((const uint8_t *)all->indices)[i];
    }
    return TRUE;
}

static af_colour_table *new_table(void)
{
    af_colour_table *table = g_try_new0(af_colour_table, 1);
    if (table != NULL) {
        table->slots = g_try_new(uint32_t, SLOTS_MOST); /* only the used ones are touched */
        if (table->slots == NULL) {
            g_clear_pointer(&table, af_colour_table_free);
        }
    }
    return table;
}

gboolean af_colour_table_choose(const af_colour_set *set, gboolean dark, unsigned most,
                                af_colour_table **chosen)
{
    g_autofree vector *bytes = g_try_new0(vector, 5 * VECTORS_MOST);
    candidates all = {.colours = g_try_new(uint32_t, COLOURS_MOST)};
    if (bytes != NULL) {
        for (unsigned i = 0; i < 3; i++) {
            all.channels[i] = bytes + i * VECTORS_MOST;
        }
        all.distances = bytes + 3 * VECTORS_MOST;
        all.indices = bytes + 4 * VECTORS_MOST;
    }
    af_colour_table *table = new_table();
    const gboolean ok = table != NULL && all.colours != NULL && bytes != NULL;
    *chosen = ok && fill_table(table, &all, set, dark, most) ? g_steal_pointer(&table) : NULL;
    af_colour_table_free(table);
    g_free(all.colours);
    return ok;
}

void af_colour_table_free(af_colour_table *table)
{
    if (table != NULL) {
        g_free(table->slots);
        g_free(table);
    }
}

uint8_t af_colour_table_index(const af_colour_table *table, uint32_t colour)
{
    return (uint8_t)*find_slot(table, colour);
}
