/* Items by 64-bit id, numbered in order of first use. */
#pragma once

#include "base/idmap.h"

typedef struct {
    af_idmap ids;
    af_array items; /* by number of the id */
} af_idtable;

/* Items of `size` bytes. `meter`: see af_array. */
static inline void af_idtable_init(af_idtable *table, size_t size, af_meter *meter)
{
    af_idmap_init_hashed(&table->ids, meter);
    af_array_init_metered(&table->items, size, meter);
}

static inline void af_idtable_clear(af_idtable *table)
{
    af_idmap_clear(&table->ids);
    af_array_clear(&table->items);
}

/* The item of an id; a new one has all bytes zero. NULL only if memory is refused. */
static inline void *af_idtable_item(af_idtable *table, uint64_t id)
{
    return af_array_slot(&table->items, af_idmap_number(&table->ids, id));
}

/* The number of an id, whose item is a copy of `fresh` if it is new. UINT32_MAX only if memory is
 * refused. */
static inline uint32_t af_idtable_number(af_idtable *table, uint64_t id, const void *fresh)
{
    const uint32_t number = af_idmap_number(&table->ids, id);
    return af_array_entry(&table->items, number, fresh) != NULL ? number : UINT32_MAX;
}

/* NULL if the id has no item. */
static inline void *af_idtable_find(const af_idtable *table, uint64_t id)
{
    const uint32_t number = af_idmap_find(&table->ids, id);
    return number < table->items.n ? af_array_at(&table->items, number) : NULL;
}
