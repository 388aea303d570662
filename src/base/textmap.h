/* A map from texts to small consecutive numbers, in order of first use.
 *
 * Texts are arbitrary bytes. They are not copied and must outlive the map. */
#pragma once

#include "base/arena.h"
#include "base/idmap.h"

#define AF_TEXTMAP_NONE UINT32_MAX

typedef struct {
    const char *bytes;
    size_t length;
    uint64_t hash;
} af_textmap_entry;

typedef struct {
    af_idmap hashes;           /* ids of the texts, near their hashes, with the same numbers */
    af_array texts;            /* of af_textmap_entry */
    af_textmap_entry *entries; /* its items */
    uint32_t n;                /* of them */
    gboolean failed;           /* memory was refused */
} af_textmap;

void af_textmap_init(af_textmap *map);
void af_textmap_init_metered(af_textmap *map, af_meter *meter);
void af_textmap_clear(af_textmap *map);

/* The number of a text; AF_TEXTMAP_NONE if it has none. */
uint32_t af_textmap_find(const af_textmap *map, const char *bytes, size_t length);

/* The number of a text, a new one if it has none. AF_TEXTMAP_NONE only if memory is refused. */
uint32_t af_textmap_add(af_textmap *map, const char *bytes, size_t length);

/* The same; a new text is copied into the arena. */
uint32_t af_textmap_keep(af_textmap *map, af_arena *arena, const char *bytes, size_t length);

/* The same for a text whose hash is known, from an entry of another map or from
 * af_textmap_hash(). */
uint32_t af_textmap_add_hashed(af_textmap *map, af_textmap_entry text);
af_textmap_entry af_textmap_hash(const af_textmap *map, const char *bytes, size_t length);
