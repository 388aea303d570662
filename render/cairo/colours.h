/* The colours of a picture, and a table of at most 256 of them for a PNG with a palette.
 *
 * Areas have the few colours of the paints; the thousands of others are the edges of letters. The
 * table contains every paint in the picture exactly, and as many of the other colours as bring all
 * colours within AF_COLOURS_LIMIT of an entry, in each channel. If that is impossible, the picture
 * needs all its colours. Only integers are compared, so that the table is the same on every
 * machine.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#define AF_COLOURS_MOST  256
#define AF_COLOURS_LIMIT 16 /* of 255: invisible in a pixel at the edge of a letter */

/* A set of colours: a bit for each of the 2^24. */
typedef uint64_t af_colour_set;

/* NULL if memory is refused; free it with g_free(). */
af_colour_set *af_colour_set_new(void);

/* Adds 0xrrggbb. */
static inline void af_colour_set_add(af_colour_set *set, uint32_t colour)
{
    set[colour >> 6] |= UINT64_C(1) << (colour & 63);
}

/* A slot has a colour in its upper 24 bits and the colour's entry in the others, so that one access
 * finds both. There are only as many as the colours of the picture need: those of most pictures fit
 * into the processor's cache. */
typedef struct {
    uint32_t *slots; /* colours by hash; 0 = none, see find_slot() */
    unsigned shift;  /* keeps the bits of a hash that number a slot */
    unsigned n, most;
    uint32_t colours[AF_COLOURS_MOST]; /* 0xrrggbb */
} af_colour_table;

/* Sets *table, to NULL if the picture needs all its colours. `most` is 0 or the number of
 * entries, at most AF_COLOURS_MOST, however much colours change. FALSE if memory is refused. */
gboolean af_colour_table_choose(const af_colour_set *set, gboolean dark, unsigned most,
                                af_colour_table **table);
void af_colour_table_free(af_colour_table *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_colour_table, af_colour_table_free)

/* The entry for a colour of the set. */
uint8_t af_colour_table_index(const af_colour_table *table, uint32_t colour);
