#include "read/reader.h"

#include <string.h>
#include "base/nearest.h"

#define ADDRESS(name) &af_reader_##name,
static const af_reader *const readers[] = {AF_READERS(ADDRESS)};

const af_reader *af_reader_at(unsigned number)
{
    return number < G_N_ELEMENTS(readers) ? readers[number] : NULL;
}

gboolean af_reader_is_named(const af_reader *reader, const char *path)
{
    if (path == NULL) {
        return FALSE;
    }
    g_autofree char *name = g_path_get_basename(path);
    g_autofree char *folded = g_ascii_strdown(name, -1);
    g_auto(GStrv) extensions = g_strsplit(reader->extensions, " ", 0);
    gboolean named = FALSE;
    for (unsigned i = 0; !named && extensions[i] != NULL; i++) {
        g_autofree char *pattern = g_strdup_printf("*.%s", extensions[i]);
        named = g_pattern_match_simple(pattern, folded);
    }
    return named;
}

/* Returns the most confident reader, or NULL; sets *how_sure to its confidence, and *unsure if a
 * reader may accept the input given more bytes. */
static const af_reader *find_surest(const af_source *source, int *how_sure, gboolean *unsure)
{
    const af_reader *best = NULL;
    int surest = 0;
    *unsure = FALSE;
    for (unsigned i = 0; i < G_N_ELEMENTS(readers) && surest < AF_SURE; i++) {
        const int sure = readers[i]->detect(source->bytes, source->length, source->more,
                                            af_reader_is_named(readers[i], source->path));
        *unsure |= sure == AF_UNSURE;
        if (sure > surest) {
            best = readers[i];
            surest = sure;
        }
    }
    *how_sure = surest;
    return best;
}

/* If the first bytes do not decide, this many do, regardless of the size of each read. */
#define LOOK ((size_t)64 * 1024)

static const af_reader *look_up(const char *format, GError **error)
{
    const char *names[G_N_ELEMENTS(readers) + 1];
    for (unsigned i = 0; i < G_N_ELEMENTS(readers); i++) {
        if (strcmp(readers[i]->name, format) == 0) {
            return readers[i];
        }
        names[i] = readers[i]->name;
    }
    names[G_N_ELEMENTS(readers)] = NULL;
    const char *nearest = af_word_nearest(format, names);
    g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "unknown input format \"%s\"%s%s%s", format,
                nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "",
                nearest != NULL ? "?" : "");
    return NULL;
}

/* Extends the window as far as detection would. */
static const af_reader *force(af_source *source, const af_reader *reader, GError **error)
{
    while (source->more && (source->length < LOOK || reader->detect(source->bytes, source->length,
                                                                    TRUE, TRUE) == AF_UNSURE)) {
        if (!af_source_reach(source, MAX(source->length * 2, LOOK), error)) {
            return NULL;
        }
    }
    return reader;
}

const af_reader *af_reader_find(af_source *source, const char *format, GError **error)
{
    if (format != NULL) {
        const af_reader *reader = look_up(format, error);
        return reader != NULL ? force(source, reader, error) : NULL;
    }
    for (;;) {
        int sure;
        gboolean unsure;
        const af_reader *best = find_surest(source, &sure, &unsure);
        const gboolean looked = !source->more || source->length >= LOOK;
        if (sure == AF_SURE || (looked && best != NULL)) {
            return best;
        }
        if (looked && !unsure) {
            af_refuse(source, error);
            return NULL;
        }
        if (!af_source_reach(source, MAX(source->length * 2, LOOK), error)) {
            return NULL;
        }
    }
}
