/* The files of --mapping: opened once, used for every input. */
#pragma once

#include "cli/message.h"

typedef struct af_mappings af_mappings;

/* `paths` ends with NULL and is borrowed; NULL = none. */
af_mappings *af_mappings_new(const char *const *paths, gboolean keep_synthetic);
void af_mappings_free(af_mappings *mappings);

/* Opens the files on the first call and adds them to the options. If one of them cannot be used,
 * prints why and returns FALSE with *status set. */
gboolean af_mappings_fill(af_mappings *mappings, af_open_options *options, af_exit *status);

/* Prints a line for each mapping: how many methods of the profile it renamed. */
void af_mappings_report(const af_profile *profile, const char *name);

/* If the names of a trace are obfuscated, or `verbose`, prints which mapping file could restore
 * them. Prints nothing if mappings were used. */
void af_mappings_offer(const af_profile *profile, const char *path, gboolean verbose);
