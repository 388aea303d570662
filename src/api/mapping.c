#include <aflame/mapping.h>

#include "api/view.h"
#include "mapping/collect.h"
#include "model/profile.h"
#include "read/source.h"

/* The number of bytes read at once. */
#define PIECE ((size_t)256 * 1024)

static gboolean feed(af_collector *collector, af_source *source, GError **error)
{
    gboolean wanted = TRUE;
    while (wanted) {
        if (!af_source_reach(source, PIECE, error)) {
            return FALSE;
        }
        const size_t length = MIN(source->length, PIECE);
        if (length == 0) {
            break;
        }
        wanted = af_collector_take(collector, (const char *)source->bytes, length);
        af_source_skip(source, length);
    }
    return TRUE;
}

/* Frees the source. */
static af_mapping *read_mapping(af_source *source, const char *name, GError **error)
{
    if (source == NULL) {
        return NULL;
    }
    af_collector *collector = af_collector_new(name);
    af_mapping *mapping = NULL;
    if (feed(collector, source, error)) {
        mapping = af_collector_finish(collector, source->cut, error);
    }
    af_collector_free(collector);
    af_source_free(source);
    return mapping;
}

af_mapping *af_mapping_open(const char *path, GError **error)
{
    return read_mapping(af_source_open(path, NULL, error), path, error);
}

af_mapping *af_mapping_open_fd(int fd, const char *name, GError **error)
{
    return read_mapping(af_source_open_fd(fd, NULL, error), name, error);
}

uint64_t af_mapping_n_classes(const af_mapping *mapping)
{
    return mapping->classes.n;
}

uint64_t af_mapping_n_methods(const af_mapping *mapping)
{
    return mapping->methods.n;
}

unsigned af_profile_n_mappings(const af_profile *profile)
{
    return profile->n_mapped;
}

bool af_profile_mapping(const af_profile *profile, unsigned index, af_mapping_view *view)
{
    if (index >= profile->n_mapped) {
        return FALSE;
    }
    const af_mapped_facts *facts = &profile->mapped[index];
    const af_mapping_view full = {.path = facts->path,
                                  .compiler = facts->compiler,
                                  .version = facts->version,
                                  .id = facts->id,
                                  .methods = facts->methods,
                                  .known = facts->known,
                                  .named = facts->named,
                                  .ambiguous = facts->ambiguous,
                                  .synthetic = facts->synthetic,
                                  .other_build = facts->other_build};
    af_view_fill(view, view->size, &full, sizeof full);
    return TRUE;
}
