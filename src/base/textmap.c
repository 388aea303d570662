#include "base/textmap.h"

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

uint32_t af_textmap_find(const af_textmap *map, const char *bytes, size_t length)
{
    if (map->n == 0) {
        return AF_TEXTMAP_NONE;
    }
    const uint32_t number = af_idmap_find(&map->hashes, af_textmap_hash(map, bytes, length).hash);
    return number < map->n ? number : AF_TEXTMAP_NONE;
}

af_textmap_entry af_textmap_hash(const af_textmap *map, const char *bytes, size_t length)
{
    return (af_textmap_entry){bytes, length, af_hash_text(map->hashes.secret, bytes, length)};
}

uint32_t af_textmap_add_hashed(af_textmap *map, af_textmap_entry text)
{
    const uint32_t number = af_idmap_number(&map->hashes, text.hash);
    const gboolean refused = af_array_entry(&map->texts, number, &text) == NULL;
    map->entries = map->texts.items;
    map->n = (uint32_t)map->texts.n;
    map->failed |= refused;
    return refused ? AF_TEXTMAP_NONE : number;
}

uint32_t af_textmap_add(af_textmap *map, const char *bytes, size_t length)
{
    return af_textmap_add_hashed(map, af_textmap_hash(map, bytes, length));
}

uint32_t af_textmap_keep(af_textmap *map, af_arena *arena, const char *bytes, size_t length)
{
    af_textmap_entry text = af_textmap_hash(map, bytes, length);
    const uint32_t known = af_idmap_find(&map->hashes, text.hash);
    if (known < map->n) {
        return known;
    }
    text.bytes = af_arena_copy(arena, bytes, length);
    if (text.bytes == NULL) {
        if (map->texts.meter != NULL) {
            map->texts.meter->refused = TRUE;
        }
        return AF_TEXTMAP_NONE;
    }
    return af_textmap_add_hashed(map, text);
}
