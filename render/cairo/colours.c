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

/* The colours of a picture while the table is chosen. */
typedef struct {
    uint32_t *colours;
    uint8_t *distances; /* from the nearest entry of the table */
    uint8_t *indices;   /* that entry */
    uint32_t n;
    uint32_t furthest; /* the first of those with the largest distance */
} candidates;

/* The largest difference of a channel. */
static unsigned find_distance(uint32_t a, uint32_t b)
{
    int most = 0;
    for (unsigned shift = 0; shift < 24; shift += 8) {
        const int difference = (int)(a >> shift & 255) - (int)(b >> shift & 255);
        most = MAX(most, ABS(difference));
    }
    return (unsigned)most;
}

static void add_entry(af_colour_table *table, candidates *all, uint32_t colour)
{
    const unsigned index = table->n++;
    unsigned most = 0;
    table->colours[index] = colour;
    for (uint32_t i = 0; i < all->n; i++) {
        const unsigned distance = find_distance(all->colours[i], colour);
        if (distance < all->distances[i]) {
            all->distances[i] = (uint8_t)distance;
            all->indices[i] = (uint8_t)index;
        }
        if (all->distances[i] > most) {
            most = all->distances[i];
            all->furthest = i;
        }
    }
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
    while (all->distances[all->furthest] > 0 && table->n < table->most) {
        add_entry(table, all, all->colours[all->furthest]);
    }
    return all->distances[all->furthest];
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
    memset(all->distances, UINT8_MAX, all->n);
    for (unsigned paint = 0; paint < AF_PAINT_COUNT; paint++) {
        add_paint(table, all, set, af_palette_colour((af_paint)paint, dark));
    }
    for (unsigned paint = AF_PAINT_FRAME; paint < AF_PAINT_COUNT; paint++) {
        add_paint(table, all, set, af_palette_hatch_ground((af_paint)paint, dark));
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
        *find_slot(table, all->colours[i]) = all->colours[i] << 8 | all->indices[i];
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
    g_autofree uint8_t *bytes = g_try_malloc0(2 * COLOURS_MOST);
    candidates all = {.colours = g_try_new(uint32_t, COLOURS_MOST),
                      .distances = bytes,
                      .indices = bytes != NULL ? bytes + COLOURS_MOST : NULL};
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
