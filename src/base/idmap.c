#include "base/idmap.h"

#include "base/capacity.h"

/* Ids (without their low zero bits) below this are found without hashing. ART numbers methods
 * upwards from 0: 262,144 methods, more than a trace names in practice; 1 MB at most. */
#define SMALL_IDS   AF_CAPACITY(UINT32_C(1) << 18, 1u << 8)
#define FIRST_SMALL AF_CAPACITY(1024u, 16u)
#define FIRST_SLOTS AF_CAPACITY(64u, 4u)

void af_idmap_init(af_idmap *map, unsigned shift, af_meter *meter)
{
    *map = (af_idmap){
        .secret = af_hash_get_secret(),
        .shift = shift,
        .small_limit = SMALL_IDS,
        .most = AF_IDMAP_NONE,
        .meter = meter,
    };
}

void af_idmap_init_hashed(af_idmap *map, af_meter *meter)
{
    *map = (af_idmap){.secret = af_hash_get_secret(), .most = AF_IDMAP_NONE, .meter = meter};
}

static uint64_t count_bytes(const af_idmap *map)
{
    const uint64_t n_slots = map->slots == NULL ? 0 : (uint64_t)map->mask + 1;
    return n_slots * sizeof *map->slots + map->capacity * (uint64_t)sizeof *map->ids +
           map->small_size * (uint64_t)sizeof *map->small;
}

void af_idmap_clear(af_idmap *map)
{
    if (map->meter != NULL) {
        map->meter->bytes -= count_bytes(map);
    }
    g_free(map->small);
    g_free(map->slots);
    g_free(map->ids);
    *map = (af_idmap){
        .secret = map->secret,
        .shift = map->shift,
        .small_limit = map->small_limit,
        .most = map->most,
        .meter = map->meter,
    };
}

static gboolean is_small(const af_idmap *map, uint64_t id)
{
    return id >> map->shift < map->small_limit && id >> map->shift << map->shift == id;
}

uint32_t af_idmap_find(const af_idmap *map, uint64_t id)
{
    if (is_small(map, id)) {
        const uint64_t at = id >> map->shift;
        return at < map->small_size ? map->small[at] - 1 : AF_IDMAP_NONE;
    }
    if (map->slots == NULL) {
        return AF_IDMAP_NONE;
    }
    for (uint32_t at = af_hash_number(map->secret, id) & map->mask;; at = (at + 1) & map->mask) {
        uint32_t number = map->slots[at] - 1;
        if (map->slots[at] == 0) {
            return AF_IDMAP_NONE;
        }
        if (map->ids[number] == id) {
            return number;
        }
    }
}

static void put(af_idmap *map, uint64_t id, uint32_t number)
{
    uint32_t at = af_hash_number(map->secret, id) & map->mask;
    while (map->slots[at] != 0) {
        at = (at + 1) & map->mask;
    }
    map->slots[at] = number + 1;
}

/* Makes space for one more number and one more hashed id; at most half of the slots are in use. */
static gboolean grow(af_idmap *map)
{
    if (map->n == map->capacity) {
        uint32_t capacity = map->capacity == 0 ? 64 : map->capacity * 2;
        uint64_t *ids =
            capacity <= map->n ? NULL : g_try_realloc_n(map->ids, capacity, sizeof *ids);
        if (ids == NULL) {
            return FALSE;
        }
        map->ids = ids;
        map->capacity = capacity;
    }
    if (map->slots != NULL && map->n < map->mask / 2) {
        return TRUE;
    }
    uint32_t n_slots = map->slots == NULL ? FIRST_SLOTS : (map->mask + 1) * 2;
    uint32_t *slots = n_slots == 0 ? NULL : g_try_malloc0_n(n_slots, sizeof *slots);
    if (slots == NULL) {
        return FALSE;
    }
    g_free(map->slots);
    map->slots = slots;
    map->mask = n_slots - 1;
    for (uint32_t i = 0; i < map->n; i++) {
        if (!is_small(map, map->ids[i])) {
            put(map, map->ids[i], i);
        }
    }
    return TRUE;
}

static gboolean grow_small(af_idmap *map, uint64_t at)
{
    uint32_t size = MAX(map->small_size, FIRST_SMALL);
    while (size <= at) {
        size *= 2;
    }
    if (size == map->small_size) {
        return TRUE;
    }
    uint32_t *small = g_try_realloc_n(map->small, size, sizeof *small);
    if (small == NULL) {
        return FALSE;
    }
    memset(small + map->small_size, 0, (size - map->small_size) * sizeof *small);
    map->small = small;
    map->small_size = size;
    return TRUE;
}

uint32_t af_idmap_add(af_idmap *map, uint64_t id)
{
    const gboolean small = is_small(map, id);
    const uint64_t before = map->meter == NULL ? 0 : count_bytes(map);
    if (map->n == map->most || !grow(map) || (small && !grow_small(map, id >> map->shift))) {
        map->failed = TRUE;
    }
    if (map->meter != NULL) {
        map->meter->bytes += count_bytes(map) - before;
        map->meter->refused |= map->failed;
    }
    if (map->failed) {
        return AF_IDMAP_NONE;
    }
    const uint32_t number = map->n++;
    map->ids[number] = id;
    if (small) {
        map->small[id >> map->shift] = number + 1;
    } else {
        put(map, id, number);
    }
    return number;
}
