/* Parses the lines of a mapping file into a mapping.
 *
 * Takes the file in pieces of any size, so that neither the file nor its lines need to fit into
 * memory: the collector copies only what the mapping stores. It fails only for a file that is not a
 * mapping file. */
#pragma once

#include "mapping/mapping.h"

/* Longer lines are skipped. */
#define AF_LONGEST_MAPPING_LINE ((size_t)1 << 20)

typedef struct af_collector af_collector;

/* `path` names the mapping in outputs. */
af_collector *af_collector_new(const char *path);
void af_collector_free(af_collector *collector);

/* FALSE if the rest of the input is useless: not a mapping file, or memory was refused. */
gboolean af_collector_take(af_collector *collector, const char *bytes, size_t length);

/* The mapping made of the pieces; `cut` becomes its member of that name. The caller frees the
 * collector, too. NULL with AF_ERROR_UNRECOGNISED or _MEMORY. */
af_mapping *af_collector_finish(af_collector *collector, gboolean cut, GError **error);
