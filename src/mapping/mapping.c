#include "mapping/mapping.h"

#include <string.h>
#include <aflame/mapping.h>

static void clear_index(af_class_index *index)
{
    af_textmap_clear(&index->names);
    af_array_clear(&index->first);
}

void af_mapping_free(af_mapping *mapping)
{
    if (mapping == NULL) {
        return;
    }
    g_free(mapping->path);
    clear_index(&mapping->by_obfuscated);
    clear_index(&mapping->by_original);
    af_array_clear(&mapping->classes);
    af_array_clear(&mapping->methods);
    af_array_clear(&mapping->ids);
    af_arena_free(mapping->arena);
    g_free(mapping);
}

/* Puts a class before the others of its name. Returns the one that was the first. */
static uint32_t put_first(af_class_index *index, const char *name, uint32_t class)
{
    const uint32_t none = AF_NO_CLASS;
    uint32_t *first =
        af_array_entry(&index->first, af_textmap_add(&index->names, name, strlen(name)), &none);
    const uint32_t before = first == NULL ? AF_NO_CLASS : *first;
    if (first != NULL) {
        *first = class;
    }
    return before;
}

gboolean af_mapping_index(af_mapping *mapping)
{
    af_class_index *const indexes[] = {&mapping->by_obfuscated, &mapping->by_original};
    gboolean ok = TRUE;
    for (unsigned i = 0; i < G_N_ELEMENTS(indexes); i++) {
        af_textmap_init(&indexes[i]->names);
        af_array_init(&indexes[i]->first, sizeof(uint32_t));
    }
    for (uint32_t i = (uint32_t)mapping->classes.n; i-- > 0;) {
        af_mapped_class *class = &AF_ARRAY_AT(&mapping->classes, af_mapped_class, i);
        class->next = put_first(&mapping->by_obfuscated, class->obfuscated, i);
        put_first(&mapping->by_original, class->original, i);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(indexes); i++) {
        ok &= !indexes[i]->names.failed && !indexes[i]->first.failed;
    }
    return ok;
}

static const af_mapped_class *look_up(const af_mapping *mapping, const af_class_index *index,
                                      const char *name)
{
    const uint32_t number = af_textmap_find(&index->names, name, strlen(name));
    return number == AF_TEXTMAP_NONE
               ? NULL
               : af_mapping_class(mapping, AF_ARRAY_AT(&index->first, uint32_t, number));
}

const af_mapped_class *af_mapping_lookup_obfuscated(const af_mapping *mapping, const char *name)
{
    return look_up(mapping, &mapping->by_obfuscated, name);
}

const af_mapped_class *af_mapping_lookup_original(const af_mapping *mapping, const char *name)
{
    return look_up(mapping, &mapping->by_original, name);
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
