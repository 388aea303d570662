/* What a mapping file says: the real names of classes, and of the methods that the program has.
 *
 * Complete for the whole file, so that one mapping serves any number of traces; never changes once
 * it was read. Lines that say the same are one, and of a group of lines that stand for inlined
 * calls only the outermost method is kept, because a trace knows methods and no lines. An entry
 * takes 40 bytes and its text. */
#ifndef AF_MAPPING_MAPPING_H
#define AF_MAPPING_MAPPING_H

#include <aflame/mapping.h>
#include "base/arena.h"
#include "base/array.h"

/* A method of the source, as "type\0owner\0name\0arguments\0" in Java's writing; an empty owner is
 * the class it stands in. */
typedef const char *af_mapped_text;

enum {
    AF_MAPPED_SYNTHETIC = 1, /* made by the compiler */
    AF_MAPPED_OUTLINE = 2,   /* code that many methods share, put into one of its own */
    AF_MAPPED_INLINED = 4,   /* only ever inside another method; a method of its own all the
                                same where overloads were taken for one group */
};

typedef struct {
    const char *obfuscated; /* its name in the program */
    af_mapped_text text;
    const char *residual;    /* its descriptor in the program; NULL = follows from `text` */
    af_mapped_text forwards; /* of a synthetic one: what all its lines call; else NULL */
    unsigned flags;
} af_mapped_method;

typedef struct {
    const char *original, *obfuscated; /* with dots */
    const char *source;                /* file; NULL = not said */
    uint32_t first, n;                 /* its methods: by obfuscated name, then in file order */
    gboolean synthetic;
} af_mapped_class;

struct af_mapping {
    char *path; /* as it was named */
    af_arena *arena;
    af_array classes;        /* of af_mapped_class, in file order */
    af_array methods;        /* of af_mapped_method */
    uint32_t *by_obfuscated; /* numbers of classes in order of the name, then of the file */
    uint32_t *by_original;
    const char *compiler;   /* "R8 8.2.33"; NULL = not said */
    const char *version;    /* of the map; NULL = not said */
    af_array ids;           /* of const char *: pg_map_id and pg_map_hash */
    uint64_t lines, broken; /* read, and of them those that cannot be understood */
    gboolean cut;           /* the file is cut or damaged as gzip */
};

#define AF_NO_CLASS UINT32_MAX

static inline const af_mapped_class *af_mapping_class(const af_mapping *mapping, uint32_t number)
{
    return &AF_ARRAY_AT(&mapping->classes, af_mapped_class, number);
}

static inline const af_mapped_method *af_mapping_method(const af_mapping *mapping, uint32_t number)
{
    return &AF_ARRAY_AT(&mapping->methods, af_mapped_method, number);
}

/* The classes that have the name in the program: the first of them and, while the name is the same,
 * those behind it in `by_obfuscated`. Returns a place in by_obfuscated, AF_NO_CLASS if there is
 * none. */
uint32_t af_mapping_find_obfuscated(const af_mapping *mapping, const char *name);

/* The first class in the file with the name; NULL if there is none. */
const af_mapped_class *af_mapping_lookup_obfuscated(const af_mapping *mapping, const char *name);
const af_mapped_class *af_mapping_lookup_original(const af_mapping *mapping, const char *name);

/* The methods of the class with the obfuscated name, in file order. Returns how many. */
uint32_t af_mapping_find_methods(const af_mapping *mapping, const af_mapped_class *in,
                                 const char *name, uint32_t *first);

/* ---- parts of a text ---- */

typedef struct {
    const char *type, *owner, *name, *arguments;
} af_mapped_parts;

af_mapped_parts af_mapped_text_cut(af_mapped_text text);

#endif
