#include "mapping/mapping.h"

#include <string.h>
#include <aflame/mapping.h>

void af_mapping_free(af_mapping *mapping)
{
    if (mapping == NULL) {
        return;
    }
    g_free(mapping->path);
    g_free(mapping->by_obfuscated);
    g_free(mapping->by_original);
    af_array_clear(&mapping->classes);
    af_array_clear(&mapping->methods);
    af_array_clear(&mapping->ids);
    af_arena_free(mapping->arena);
    g_free(mapping);
}

typedef const char *(*name_of_class)(const af_mapped_class *);

static const char *get_obfuscated(const af_mapped_class *of)
{
    return of->obfuscated;
}

static const char *get_original(const af_mapped_class *of)
{
    return of->original;
}

/* The first index in `order` of a class with the name, AF_NO_CLASS if none. */
static uint32_t find_position(const af_mapping *mapping, const uint32_t *order, name_of_class get,
                              const char *name)
{
    uint32_t low = 0, high = (uint32_t)mapping->classes.n;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (strcmp(get(af_mapping_class(mapping, order[middle])), name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const gboolean found =
        low < mapping->classes.n && strcmp(get(af_mapping_class(mapping, order[low])), name) == 0;
    return found ? low : AF_NO_CLASS;
}

uint32_t af_mapping_find_obfuscated(const af_mapping *mapping, const char *name)
{
    return find_position(mapping, mapping->by_obfuscated, get_obfuscated, name);
}

const af_mapped_class *af_mapping_lookup_obfuscated(const af_mapping *mapping, const char *name)
{
    const uint32_t position = af_mapping_find_obfuscated(mapping, name);
    return position == AF_NO_CLASS ? NULL
                                   : af_mapping_class(mapping, mapping->by_obfuscated[position]);
}

const af_mapped_class *af_mapping_lookup_original(const af_mapping *mapping, const char *name)
{
    const uint32_t position = find_position(mapping, mapping->by_original, get_original, name);
    return position == AF_NO_CLASS ? NULL
                                   : af_mapping_class(mapping, mapping->by_original[position]);
}

/* The index of the first of the class's methods whose name is not less than `name`; with `after`,
 * the first whose name is greater. */
static uint32_t find_bound(const af_mapping *mapping, const af_mapped_class *in, const char *name,
                           gboolean after)
{
    uint32_t low = in->first, high = in->first + in->n;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = strcmp(af_mapping_method(mapping, middle)->obfuscated, name);
        if (order < 0 || (after && order == 0)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t af_mapping_find_methods(const af_mapping *mapping, const af_mapped_class *in,
                                 const char *name, uint32_t *first)
{
    *first = find_bound(mapping, in, name, FALSE);
    return find_bound(mapping, in, name, TRUE) - *first;
}

af_mapped_parts af_mapped_text_split(af_mapped_text text)
{
    af_mapped_parts parts = {.type = text};
    parts.owner = parts.type + strlen(parts.type) + 1;
    parts.name = parts.owner + strlen(parts.owner) + 1;
    parts.arguments = parts.name + strlen(parts.name) + 1;
    return parts;
}
