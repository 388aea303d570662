/* A map from 64-bit ids to small consecutive numbers, in order of first use.
 *
 * Ids of methods are multiples of four: small ones (ART: index << 2) or pointers (Dalvik, V2).
 * Small ones are found in a plain array, others by hashing. */
#pragma once

#include "base/array.h"
#include "base/hash.h"

#define AF_IDMAP_NONE UINT32_MAX

typedef struct {
    const af_hash_secret *secret;
    unsigned shift;       /* low bits that are 0 in all small ids */
    uint32_t small_limit; /* ids >> shift from here on are hashed */
    uint32_t *small;      /* number + 1 by id >> shift, 0 = none */
    uint32_t small_size;
    uint32_t *slots; /* number + 1, 0 = free; linear probing */
    uint32_t mask;   /* number of slots - 1 */
    uint64_t *ids;   /* by number */
    uint32_t n, capacity;
    uint32_t most;   /* limit for the number of ids; above it, adding fails as if memory were
                        refused */
    af_meter *meter; /* see af_array */
    gboolean failed; /* memory was refused; numbers may be AF_IDMAP_NONE */
} af_idmap;

void af_idmap_init(af_idmap *map, unsigned shift, af_meter *meter);

/* Initialises a map that hashes all its ids: for many maps with a few ids of any size each. */
void af_idmap_init_hashed(af_idmap *map, af_meter *meter);
void af_idmap_clear(af_idmap *map);

/* The number of `id`, AF_IDMAP_NONE if it has none. */
uint32_t af_idmap_find(const af_idmap *map, uint64_t id);

/* The id with a number; UINT64_MAX if no id has it. */
static inline uint64_t af_idmap_id(const af_idmap *map, uint32_t number)
{
    return number < map->n ? map->ids[number] : UINT64_MAX;
}

/* Gives `id`, which has no number yet, the next one. AF_IDMAP_NONE only if memory is refused. */
uint32_t af_idmap_add(af_idmap *map, uint64_t id);

/* The array of small ids, for loops that do not change the map. */
typedef struct {
    const uint32_t *numbers; /* + 1 */
    uint32_t size;
} af_idmap_small;

static inline af_idmap_small af_idmap_get_small(const af_idmap *map)
{
    return (af_idmap_small){map->small, map->small_size};
}

/* The number of the id `at` << shift, plus 1; 0 if it is not in the array. */
static inline uint32_t af_idmap_look_small(const af_idmap_small *map, uint64_t at)
{
    return at < map->size ? map->numbers[at] : 0;
}

/* af_idmap_find() with the frequent case inline. */
static inline uint32_t af_idmap_look(const af_idmap *map, uint64_t id)
{
    const uint64_t at = id >> map->shift;
    if (at < map->small_size && at << map->shift == id) {
        return map->small[at] - 1; /* AF_IDMAP_NONE if the entry is 0 */
    }
    return af_idmap_find(map, id);
}

/* The number of `id`, a new one if it has none. AF_IDMAP_NONE only if memory is refused. */
static inline uint32_t af_idmap_number(af_idmap *map, uint64_t id)
{
    const uint32_t number = af_idmap_look(map, id);
    return number != AF_IDMAP_NONE ? number : af_idmap_add(map, id);
}
