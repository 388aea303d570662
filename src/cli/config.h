/* The project file `.aflame`: options that would else be typed again and again, and named sets of
 * them.
 *
 *     # comments and empty lines say nothing
 *     names = full                  of every verb that has the option
 *     [render]
 *     theme = dark                  of this verb only
 *     [preset startup]              with --preset startup
 *     thread = main
 *     hide = /^kotlinx/             a key may stand more than once; steps work in this order
 *     hide = =java.lang.Object.wait
 *     clean = true                  an option without a value
 *
 * A value is the rest of its line, as it would reach the program from a shell. Not read by GLib's
 * key files: these know neither the line of a mistake nor a key that stands twice.
 *
 * The file may come from people one does not know. It can say what is looked at and how it is
 * drawn, and nothing else: what names files to write, programs or numbers of threads stands on the
 * command line only, and mapping files lie in the file's own folder or below. */
#ifndef AF_CLI_CONFIG_H
#define AF_CLI_CONFIG_H

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
    char *path;     /* as it is shown: "../.aflame" */
    char *folder;   /* "" or "../" */
    char *text;     /* what the lines point into */
    GArray *lines;  /* of af_config_line, in file order */
    GArray *groups; /* of af_config_group, also of empty ones */
    GPtrArray *paths;
} af_config;

/* The nearest file in this directory or above it, but not above the project (a directory with
 * .git, .hg or .svn) or the home directory. *config is NULL if there is none. Says what is wrong
 * with it and returns FALSE. */
gboolean af_config_find(af_config **config);
void af_config_free(af_config *config);

/* The path of a file in the folder of the config file, as seen from the current directory. Lives as
 * long as the config. */
const char *af_config_path(af_config *config, const char *name);

/* Says what is wrong with a line: "aflame: .aflame:3: ...". */
void af_config_report(const af_config *config, unsigned line, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

#endif
