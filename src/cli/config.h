/* The project file `.aflame`: default options, and named sets of options (presets).
 *
 *     # a comment; empty lines are ignored
 *     names = full                  for every verb that has the option
 *     [render]
 *     theme = dark                  for this verb only
 *     [preset startup]              with --preset startup
 *     thread = main
 *     hide = /^kotlinx/             a key may be repeated; steps run in this order
 *     hide = =java.lang.Object.wait
 *     clean = true                  an option without a value
 *
 * A value is the rest of its line, without quoting. GLib's key files do not fit: they report no
 * line number for a mistake and merge repeated keys.
 *
 * The file may be untrusted, so it can only select, reshape and draw. Options that name a file to
 * write or a number of processors are allowed on the command line only, and mapping files must be
 * in the folder of the file or below. */
#pragma once

#include "cli/message.h"

#define AF_CONFIG_NAME ".aflame"

typedef struct {
    const char *group; /* "" = every verb, "render", "preset startup" */
    const char *key, *value;
    unsigned line; /* from 1 */
} af_config_line;

typedef struct {
    const char *name;
    unsigned line;
} af_config_group;

typedef struct {
    char *path;     /* relative to the current directory: "../.aflame" */
    char *folder;   /* "" or "../" */
    char *text;     /* the lines point into it */
    GArray *lines;  /* of af_config_line, in file order */
    GArray *groups; /* of af_config_group, including empty ones */
    GPtrArray *paths;
} af_config;

/* Finds the nearest file in this directory or above, but not above the project (a directory with
 * .git, .hg or .svn) or the home directory; *config is NULL if there is none. If it is invalid,
 * prints why and returns FALSE. */
gboolean af_config_find(af_config **config);
void af_config_free(af_config *config);

/* The path of a file in the folder of the config file, as seen from the current directory. Lives as
 * long as the config. */
const char *af_config_path(af_config *config, const char *name);

/* Prints a message about a line: "aflame: .aflame:3: ...". */
void af_config_report(const af_config *config, unsigned line, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
