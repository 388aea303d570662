#include "base/textmap.h"

#include <string.h>

void af_textmap_init(af_textmap *map)
{
    af_textmap_init_metered(map, NULL);
}

void af_textmap_init_metered(af_textmap *map, af_meter *meter)
{
    *map = (af_textmap){.n = 0};
    af_idmap_init_hashed(&map->hashes, meter);
    af_array_init_metered(&map->texts, sizeof(af_textmap_entry), meter);
}

void af_textmap_clear(af_textmap *map)
{
    af_idmap_clear(&map->hashes);
    af_array_clear(&map->texts);
    af_textmap_init_metered(map, map->texts.meter);
}

/* The number of the text, AF_TEXTMAP_NONE if it has none; *id = its id, or a free one for it. Texts
 * with one hash have consecutive ids. */
static uint32_t find(const af_textmap *map, const af_textmap_entry *text, uint64_t *id)
{
    for (*id = text->hash;; (*id)++) {
        const uint32_t number = af_idmap_find(&map->hashes, *id);
        if (number >= map->n) {
            return AF_TEXTMAP_NONE;
        }
        const af_textmap_entry *known = &map->entries[number];
        if (known->length == text->length &&
            (text->length == 0 || memcmp(known->bytes, text->bytes, text->length) == 0)) {
            return number;
        }
    }
}

uint32_t af_textmap_find(const af_textmap *map, const char *bytes, size_t length)
{
    if (map->n == 0) {
        return AF_TEXTMAP_NONE;
    }
    const af_textmap_entry text = af_textmap_hash(map, bytes, length);
    uint64_t id;
    return find(map, &text, &id);
}

af_textmap_entry af_textmap_hash(const af_textmap *map, const char *bytes, size_t length)
{
    return (af_textmap_entry){bytes, length, af_hash_text(map->hashes.secret, bytes, length)};
}

/* Adds a text that the map lacks, with a free id. */
static uint32_t add(af_textmap *map, uint64_t id, const af_textmap_entry *text)
{
    const uint32_t number = af_idmap_number(&map->hashes, id);
    const gboolean refused =
        number == AF_IDMAP_NONE || af_array_entry(&map->texts, number, text) == NULL;
    map->entries = map->texts.items;
    map->n = (uint32_t)map->texts.n;
    map->failed |= refused;
    return refused ? AF_TEXTMAP_NONE : number;
}

uint32_t af_textmap_add_hashed(af_textmap *map, af_textmap_entry text)
{
    uint64_t id;
    const uint32_t known = find(map, &text, &id);
    return known != AF_TEXTMAP_NONE ? known : add(map, id, &text);
}

uint32_t af_textmap_add(af_textmap *map, const char *bytes, size_t length)
{
    return af_textmap_add_hashed(map, af_textmap_hash(map, bytes, length));
}

uint32_t af_textmap_keep(af_textmap *map, af_arena *arena, const char *bytes, size_t length)
{
    af_textmap_entry text = af_textmap_hash(map, bytes, length);
    uint64_t id;
    const uint32_t known = find(map, &text, &id);
    if (known != AF_TEXTMAP_NONE) {
        return known;
    }
    text.bytes = af_arena_copy(arena, bytes, length);
    if (text.bytes == NULL) {
        if (map->texts.meter != NULL) {
            map->texts.meter->refused = TRUE;
        }
        return AF_TEXTMAP_NONE;
    }
    return add(map, id, &text);
}
