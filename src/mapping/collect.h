/* Parses the lines of a mapping file into a mapping.
 *
 * Copies only what the mapping stores, so the file need not fit into memory. It fails only for a file
 * that is not a mapping file. */
#pragma once

#include "base/span.h"
#include "mapping/mapping.h"

/* Longer lines are skipped. */
#define AF_LONGEST_MAPPING_LINE ((size_t)1 << 20)

typedef struct af_collector af_collector;

/* `path` names the mapping in outputs. */
af_collector *af_collector_new(const char *path);
void af_collector_free(af_collector *collector);

/* Takes a line, without its end. FALSE if the rest of the input is useless: not a mapping file, or
 * memory was refused. */
gboolean af_collector_take(af_collector *collector, af_span line);

/* The mapping made of the lines; `cut` becomes its member of that name. The caller frees the
 * collector, too. NULL with AF_ERROR_UNRECOGNISED or _MEMORY. */
af_mapping *af_collector_finish(af_collector *collector, gboolean cut, GError **error);
