#include "cli/inputs.h"

#include <string.h>

struct af_mappings {
    const char *const *paths;
    gboolean keep_synthetic;
    GPtrArray *opened; /* of af_mapping, ends with NULL; NULL = not opened yet */
    af_exit status;    /* of the first mapping that failed */
};

af_mappings *af_mappings_new(const char *const *paths, gboolean keep_synthetic)
{
    af_mappings *mappings = g_new0(af_mappings, 1);
    mappings->paths = paths;
    mappings->keep_synthetic = keep_synthetic;
    return mappings;
}

static void free_mapping(gpointer mapping)
{
    af_mapping_free(mapping);
}

void af_mappings_free(af_mappings *mappings)
{
    if (mappings != NULL && mappings->opened != NULL) {
        g_ptr_array_unref(mappings->opened);
    }
    g_free(mappings);
}

static void open_all(af_mappings *mappings)
{
    mappings->opened = g_ptr_array_new_with_free_func(free_mapping);
    mappings->status = AF_EXIT_DONE;
    for (const char *const *path = mappings->paths; path != NULL && *path != NULL; path++) {
        GError *error = NULL;
        const int descriptor = strcmp(*path, "-") == 0 ? -1 : af_input_descriptor(*path);
        af_mapping *mapping = descriptor >= 0 ? af_mapping_open_fd(descriptor, *path, &error)
                                              : af_mapping_open(*path, &error);
        if (mapping != NULL) {
            g_ptr_array_add(mappings->opened, mapping);
        } else {
            const af_exit status = af_message_fail(*path, error);
            mappings->status = MAX(mappings->status, status);
        }
    }
    g_ptr_array_add(mappings->opened, NULL);
}

gboolean af_mappings_fill(af_mappings *mappings, af_open_options *options, af_exit *status)
{
    if (mappings->opened == NULL) {
        open_all(mappings);
    }
    options->mappings = (const af_mapping *const *)(void *)mappings->opened->pdata;
    options->keep_synthetic = mappings->keep_synthetic;
    if (mappings->status != AF_EXIT_DONE) {
        *status = mappings->status;
        return FALSE;
    }
    return TRUE;
}

void af_mappings_report(const af_profile *profile, const char *name)
{
    for (unsigned i = 0; i < af_profile_n_mappings(profile); i++) {
        af_mapping_view view = AF_MAPPING_VIEW_INIT;
        af_profile_mapping(profile, i, &view);
        g_autoptr(GString) line = g_string_new(NULL);
        g_string_append_printf(line,
                               "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                               " methods have their real names from %s",
                               view.named, view.methods, view.path);
        if (view.ambiguous > 0) {
            g_string_append_printf(line, "; %" G_GUINT64_FORMAT " %s ambiguous", view.ambiguous,
                                   view.ambiguous == 1 ? "is" : "are");
        }
        af_message_print(name, "%s", line->str);
    }
}

/* Returns `path` if such a file exists; otherwise frees it and returns NULL. */
static char *keep_existing(char *path)
{
    return g_file_test(path, G_FILE_TEST_IS_REGULAR) ? path : (g_free(path), NULL);
}

/* The mapping file next to a trace: app.trace.mapping.txt, app.mapping.txt or mapping.txt for
 * app.trace, possibly compressed. NULL if none exists. Free with g_free(). */
static char *find_neighbour(const char *path)
{
    const char *base = strrchr(path, '/'), *dot = strrchr(path, '.');
    const size_t folder = base != NULL ? (size_t)(base + 1 - path) : 0;
    const size_t whole = strlen(path),
                 stem = dot != NULL && dot > base ? (size_t)(dot - path) : whole;
    const struct {
        size_t length; /* length of the part that both paths share */
        const char *rest;
    } candidates[] = {{whole, ".mapping.txt"}, {stem, ".mapping.txt"}, {folder, "mapping.txt"}};
    char *found = NULL;
    for (unsigned i = 0; i < G_N_ELEMENTS(candidates) && found == NULL; i++) {
        const int length = (int)MIN(candidates[i].length, 1 << 20);
        found = keep_existing(g_strdup_printf("%.*s%s", length, path, candidates[i].rest));
        if (found == NULL) {
            found = keep_existing(g_strdup_printf("%.*s%s.gz", length, path, candidates[i].rest));
        }
    }
    return found;
}

void af_mappings_offer(const af_profile *profile, const char *path, gboolean verbose)
{
    const gboolean obfuscated = af_profile_looks_obfuscated(profile);
    if (af_profile_n_mappings(profile) > 0 || (!obfuscated && !verbose)) {
        return;
    }
    g_autofree char *neighbour = strcmp(path, "-") == 0 ? NULL : find_neighbour(path);
    if (neighbour != NULL) {
        af_message_print(
            path, "%s; to restore the original names, try --mapping %s, which is next to the trace",
            obfuscated ? "its names are obfuscated" : "its names do not look obfuscated",
            neighbour);
    } else if (obfuscated && verbose) {
        af_message_print(path, "its names are obfuscated; --mapping with the mapping.txt of the "
                               "build restores the original names");
    }
}
