/* Real names: what ProGuard, R8 and their like have written down about the names they replaced.
 *
 * A trace of a release build names a.b.c.d; the mapping.txt of that very build says what it was.
 * Give open mappings to af_open_options and the profile has real names from the start: its labels,
 * its app, its colours, and what merges with what. */
#ifndef AFLAME_MAPPING_H
#define AFLAME_MAPPING_H

#include <aflame/profile.h>

G_BEGIN_DECLS

/* Reads a mapping file, packed by gzip or not: ProGuard's, or R8's up to map version 2.2. Lines
 * that cannot be understood are counted, never fatal. The mapping does not need the file any more,
 * never changes, and may be used for any number of profiles and by several threads at once.
 * Returns NULL with AF_ERROR_MISSING, _UNRECOGNISED, _DAMAGED or _MEMORY. */
AF_API af_mapping *af_mapping_open(const char *path, GError **error);
AF_API void af_mapping_free(af_mapping *mapping);

/* How many classes and methods it knows. */
AF_API uint64_t af_mapping_n_classes(const af_mapping *mapping);
AF_API uint64_t af_mapping_n_methods(const af_mapping *mapping);

/* ---- what a profile's mappings gave it, in the order of af_open_options ---- */

typedef struct {
    const char *path;     /* as it was opened */
    const char *compiler; /* "R8 8.2.33"; NULL = the file does not say */
    const char *version;  /* of the map, "2.2"; NULL = the file does not say */
    const char *id;       /* pg_map_id of the build; NULL = the file does not say */
    uint64_t methods;     /* of the profile: those that a record names */
    uint64_t known;       /* of these, those whose class is in the mapping */
    uint64_t named;       /* of these, those that have another name now */
    uint64_t ambiguous;   /* of these, those whose name is one of several: "a|b" */
    uint64_t synthetic;   /* of those known, made by the compiler */
    gboolean other_build; /* it seems to belong to another build than the trace */
} af_mapping_view;

AF_API unsigned af_profile_n_mappings(const af_profile *profile);
AF_API af_mapping_view af_profile_mapping(const af_profile *profile, unsigned number);

/* Whether most of the app's classes have names as a shrinker gives them and no mapping was used. */
AF_API gboolean af_profile_looks_obfuscated(const af_profile *profile);

G_END_DECLS

#endif
