/* The shortest and the longest call of nodes that have several calls: one table for all trees of an
 * input.
 *
 * Most nodes of a large tree have a single call, which takes all of the node's time, so columns of
 * these durations would mostly repeat the inclusive times. The nodes of all trees are numbered one
 * after the other. A bit of each number tells whether it has an item; the items are in the order of
 * the numbers. */
#ifndef AF_MODEL_EXTREMES_H
#define AF_MODEL_EXTREMES_H

#include <stdint.h>
#include <glib.h>
#include <aflame/profile.h>

/* In ticks. */
typedef struct {
    uint64_t min[AF_CLOCKS], max[AF_CLOCKS];
} af_extremes;

#define AF_EXTREMES_ARE_WIDE UINT32_MAX

/* The same in 32 bits. If min[AF_WALL] is AF_EXTREMES_ARE_WIDE, max[AF_WALL] is the index in
 * `wide`. */
typedef struct {
    uint32_t min[AF_CLOCKS], max[AF_CLOCKS];
} af_short_extremes;

typedef struct {
    gint refs;        /* atomic */
    uint64_t *marks;  /* a bit for each number */
    uint32_t *before; /* for each 64 numbers: the number of items of all earlier ones */
    uint32_t n;       /* of numbers */
    uint32_t n_items;
    af_short_extremes *items;
    struct af_page_pool *pool; /* of the items; NULL = they have their own memory */
    af_extremes *wide;         /* a block of pages */
    size_t wide_size;          /* its bytes */
    uint64_t scale[AF_CLOCKS]; /* ns in a tick */
} af_extremes_table;

/* Returns a table for numbers below `n`, with one reference; NULL if memory is refused. */
af_extremes_table *af_extremes_table_new(uint32_t n);
af_extremes_table *af_extremes_table_ref(af_extremes_table *table);
void af_extremes_table_unref(af_extremes_table *table);

/* The number will have an item. */
static inline void af_extremes_table_mark(af_extremes_table *table, uint32_t number)
{
    table->marks[number / 64] |= UINT64_C(1) << number % 64;
}

/* After all marks: counts the items. Returns their bytes in a pool. */
size_t af_extremes_table_count(af_extremes_table *table);

/* Allocates them, in a pool if it is not NULL. FALSE if memory is refused. */
gboolean af_extremes_table_allocate(af_extremes_table *table, struct af_page_pool *pool);

static inline gboolean af_extremes_table_has(const af_extremes_table *table, uint32_t number)
{
    return table != NULL && (table->marks[number / 64] >> number % 64 & 1) != 0;
}

/* The item of a number that has one, or of the next number that has one. */
af_short_extremes *af_extremes_table_at(const af_extremes_table *table, uint32_t number);

/* Returns the duration of the shortest or the longest call of an item, in ns. */
static inline uint64_t af_extremes_table_item_ns(const af_extremes_table *table,
                                                 const af_short_extremes *item, unsigned clock,
                                                 gboolean longest)
{
    if (item->min[AF_WALL] == AF_EXTREMES_ARE_WIDE) {
        const af_extremes *wide = &table->wide[item->max[AF_WALL]];
        return (longest ? wide->max : wide->min)[clock] * table->scale[clock];
    }
    return (longest ? item->max : item->min)[clock] * table->scale[clock];
}

/* The item of any number; NULL = it has none. */
static inline const af_short_extremes *af_extremes_table_find(const af_extremes_table *table,
                                                              uint32_t number)
{
    return af_extremes_table_has(table, number) ? af_extremes_table_at(table, number) : NULL;
}

#endif
