/* Mappings: original names for obfuscated ones.
 *
 * A trace of a release build contains names such as a.b.c.d. The mapping.txt that ProGuard or R8
 * wrote for the same build knows the original names. Open the mapping, pass it in af_open_options,
 * and labels, app, categories and merging all use the original names.
 *
 *     af_mapping *mapping = af_mapping_open("mapping.txt", &error);
 *     const af_mapping *const mappings[] = {mapping, NULL};
 *     af_open_options options = AF_OPEN_OPTIONS_INIT;
 *     options.mappings = mappings;
 *     af_profile *opened = af_profile_open("app.trace", &options, &error);
 *     af_profile_free(opened);
 *     af_mapping_free(mapping);
 */
#ifndef AFLAME_MAPPING_H
#define AFLAME_MAPPING_H

#include <string.h>
#include <aflame/profile.h>

G_BEGIN_DECLS

/* Reads a mapping file of ProGuard or R8 (map version 2.2 or older), compressed by gzip or not.
 * Lines that it cannot parse are counted and skipped. The mapping is independent of the file, never
 * changes, and serves any number of profiles and threads at once. The caller frees it with
 * af_mapping_free(). NULL with AF_ERROR_MISSING, _UNRECOGNISED, _DAMAGED or _MEMORY. */
AF_API af_mapping *af_mapping_open(const char *path, GError **error);

/* `mapping` may be NULL. */
AF_API void af_mapping_free(af_mapping *mapping);

/* The number of classes and methods in the mapping. */
AF_API uint64_t af_mapping_n_classes(const af_mapping *mapping);
AF_API uint64_t af_mapping_n_methods(const af_mapping *mapping);

/* ---- the effect of the mappings of a profile, in the order of af_open_options ---- */

/* What one mapping did. Initialise with AF_MAPPING_VIEW_INIT. Strings live as long as the profile.
 * Of the numbers each counts a part of the one before it, unless noted. */
typedef struct {
    size_t size;
    const char *path;     /* as given to af_mapping_open() */
    const char *compiler; /* "R8 8.2.33"; NULL = missing in the file */
    const char *version;  /* of the map format, "2.2"; NULL = missing in the file */
    const char *id;       /* pg_map_id of the build; NULL = missing in the file */
    uint64_t methods;     /* methods of the profile that occur in a record */
    uint64_t known;       /* their class is in the mapping */
    uint64_t named;       /* the mapping changed their name */
    uint64_t ambiguous;   /* their new name is one of several: "a|b" */
    uint64_t synthetic;   /* of `known`: made by the compiler */
    gboolean other_build; /* the mapping seems to belong to another build than the trace */
} af_mapping_view;

#define AF_MAPPING_VIEW_INIT                                                                       \
    {                                                                                              \
        .size = sizeof(af_mapping_view)                                                            \
    }

static inline void af_mapping_view_init(af_mapping_view *view)
{
    memset(view, 0, sizeof *view);
    view->size = sizeof *view;
}

AF_API unsigned af_profile_n_mappings(const af_profile *profile);

/* Fills in *view. FALSE if there is no such mapping. */
AF_API gboolean af_profile_mapping(const af_profile *profile, unsigned index,
                                   af_mapping_view *view);

/* Whether most classes of the app have names that look obfuscated, and no mapping was used. */
AF_API gboolean af_profile_looks_obfuscated(const af_profile *profile);

G_END_DECLS

#endif
