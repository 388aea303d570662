#include "base/textmap.h"

#include <string.h>

#define FIRST_SLOTS 64u

void af_textmap_init(af_textmap *map)
{
    *map = (af_textmap){.secret = af_hash_get_secret()};
}

void af_textmap_init_metered(af_textmap *map, af_meter *meter)
{
    af_textmap_init(map);
    map->meter = meter;
}

static uint64_t count_bytes(const af_textmap *map)
{
    const uint64_t n_slots = map->slots == NULL ? 0 : (uint64_t)map->mask + 1;
    return n_slots * sizeof *map->slots + map->capacity * (uint64_t)sizeof *map->entries;
}

void af_textmap_clear(af_textmap *map)
{
    if (map->meter != NULL) {
        map->meter->bytes -= count_bytes(map);
    }
    g_free(map->slots);
    g_free(map->entries);
    af_textmap_init_metered(map, map->meter);
}

/* The slot of the text, or the free slot for it. There is always one. */
static uint32_t find_slot(const af_textmap *map, uint32_t hash, const char *bytes, size_t length)
{
    uint32_t at = hash & map->mask;
    for (; map->slots[at] != 0; at = (at + 1) & map->mask) {
        const af_textmap_entry *entry = &map->entries[map->slots[at] - 1];
        if (entry->hash == hash && entry->length == length &&
            (length == 0 || memcmp(entry->bytes, bytes, length) == 0)) {
            break;
        }
    }
    return at;
}

uint32_t af_textmap_find(const af_textmap *map, const char *bytes, size_t length)
{
    if (map->n == 0) {
        return AF_TEXTMAP_NONE;
    }
    const uint32_t hash = af_hash_text(map->secret, bytes, length);
    return map->slots[find_slot(map, hash, bytes, length)] - 1; /* AF_TEXTMAP_NONE if the slot is
                                                                   0 */
}

static gboolean grow_entries(af_textmap *map)
{
    if (map->n < map->capacity) {
        return TRUE;
    }
    const uint32_t capacity = map->capacity == 0 ? FIRST_SLOTS / 2 : map->capacity * 2;
    af_textmap_entry *entries =
        capacity <= map->n ? NULL : g_try_realloc_n(map->entries, capacity, sizeof *entries);
    if (entries == NULL) {
        return FALSE;
    }
    map->entries = entries;
    map->capacity = capacity;
    return TRUE;
}

/* Makes space for one more text; at most half of the slots are in use. */
static gboolean grow(af_textmap *map)
{
    if (!grow_entries(map)) {
        return FALSE;
    }
    if (map->slots != NULL && map->n < map->mask / 2) {
        return TRUE;
    }
    const uint32_t n_slots = map->slots == NULL ? FIRST_SLOTS : (map->mask + 1) * 2;
    uint32_t *slots = n_slots == 0 ? NULL : g_try_malloc0_n(n_slots, sizeof *slots);
    if (slots == NULL) {
        return FALSE;
    }
    g_free(map->slots);
    map->slots = slots;
    map->mask = n_slots - 1;
    for (uint32_t i = 0; i < map->n; i++) {
        uint32_t at = map->entries[i].hash & map->mask;
        while (slots[at] != 0) {
            at = (at + 1) & map->mask;
        }
        slots[at] = i + 1;
    }
    return TRUE;
}

af_textmap_entry af_textmap_hash(const af_textmap *map, const char *bytes, size_t length)
{
    return (af_textmap_entry){bytes, length, af_hash_text(map->secret, bytes, length)};
}

uint32_t af_textmap_add_hashed(af_textmap *map, af_textmap_entry text)
{
    const uint64_t before = map->meter == NULL ? 0 : count_bytes(map);
    map->failed = map->failed || !grow(map);
    if (map->meter != NULL) {
        map->meter->bytes += count_bytes(map) - before;
        map->meter->refused |= map->failed;
    }
    if (map->failed) {
        return AF_TEXTMAP_NONE;
    }
    const uint32_t slot = find_slot(map, text.hash, text.bytes, text.length);
    if (map->slots[slot] == 0) {
        map->entries[map->n] = text;
        map->slots[slot] = ++map->n;
    }
    return map->slots[slot] - 1;
}

uint32_t af_textmap_add(af_textmap *map, const char *bytes, size_t length)
{
    return af_textmap_add_hashed(map, af_textmap_hash(map, bytes, length));
}

uint32_t af_textmap_keep(af_textmap *map, af_arena *arena, const char *bytes, size_t length)
{
    const uint32_t known = af_textmap_find(map, bytes, length);
    const char *copy = known == AF_TEXTMAP_NONE ? af_arena_copy(arena, bytes, length) : NULL;
    if (known == AF_TEXTMAP_NONE && copy == NULL && map->meter != NULL) {
        map->meter->refused = TRUE;
    }
    return copy != NULL ? af_textmap_add(map, copy, length) : known;
}
