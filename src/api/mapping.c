#include <aflame/mapping.h>

#include "api/view.h"
#include "mapping/collect.h"
#include "model/profile.h"
#include "read/lines.h"

static gboolean take_line(void *user, af_span line, uint64_t offset, GError **error)
{
    return af_collector_take(user, line);
}

/* Frees the source. */
static af_mapping *read_mapping(af_source *source, const char *name, GError **error)
{
    if (source == NULL) {
        return NULL;
    }
    af_collector *collector = af_collector_new(name);
    af_mapping *mapping = NULL;
    af_lines lines;
    if (af_lines_each(&lines, source, NULL, take_line, collector, error)) {
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
