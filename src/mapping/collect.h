/* The lines of a mapping file become a mapping.
 *
 * Takes the file in pieces of any size, so that neither the file nor its lines need to fit into
 * memory: only what the mapping keeps is copied. Nothing in a file makes it fail but that it is no
 * mapping file at all. */
#ifndef AF_MAPPING_COLLECT_H
#define AF_MAPPING_COLLECT_H

#include "mapping/mapping.h"

/* Lines that are longer are passed over. */
#define AF_LONGEST_LINE ((size_t)1 << 20)

typedef struct af_collector af_collector;

/* `path` is what the mapping will be called. */
af_collector *af_collector_new(const char *path);
void af_collector_free(af_collector *collector);

/* FALSE when more would be of no use: no mapping file, or memory is refused. */
gboolean af_collector_take(af_collector *collector, const char *bytes, size_t length);

/* The mapping of what was taken; `cut` is what it is to say of itself. The collector is to be freed
 * as well. NULL with AF_ERROR_UNRECOGNISED or _MEMORY. */
af_mapping *af_collector_finish(af_collector *collector, gboolean cut, GError **error);

#endif
