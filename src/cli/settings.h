/* The settings of a run: the options with their values, from `.aflame` and from the command line.
 *
 * Sources by priority, lowest first: the top of the file, the verb's group in it, presets in the
 * order of the --preset options, the command line. A column of the table of options decides which
 * settings count if an option is repeated. --no-OPTION cancels an option that takes no value and
 * that the file may set. */
#pragma once

#include "cli/config.h"
#include "cli/option.h"
#include "cli/verbs.h"

struct af_setting {
    const af_option *option;
    const char *value; /* NULL = the option has none */
    const char *path;  /* the file that the value names, relative to the current directory; NULL =
                          not a file */
    char *origin;      /* ".aflame:3"; NULL = the command line */
    const char *group; /* of the file */
    unsigned priority; /* of the source; the highest wins */
    gboolean off;      /* "= false", --no-OPTION */
    gboolean fits;     /* it has an effect on the format of some input */
};

typedef struct {
    const af_verb *verb;
    af_config *config;   /* NULL if no file was found */
    GArray *list;        /* of af_setting: the effective ones, by priority */
    GPtrArray *operands; /* borrowed from argv; ends with NULL */
} af_settings;

/* argv[0] is the verb. Returns NULL after printing the error. */
af_settings *af_settings_read(const af_verb *verb, int argc, char **argv);
void af_settings_free(af_settings *settings);

/* The last effective setting of an option; NULL = none. */
const af_setting *af_settings_find(const af_settings *settings, const char *name);

/* "--theme=dark", or "--inverted" if the option has no value; `value` is that of the setting, perhaps
 * quoted. Free with g_free(). */
char *af_setting_write(const af_setting *setting, const char *value);

/* Prints "aflame: .aflame:3: --OPTION ..."; a text that starts with ":" follows immediately. */
void af_setting_complain(const af_setting *setting, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The settings in the syntax of `.aflame`, with the source of each. Free with g_free(). */
char *af_settings_print(const af_settings *settings);

/* "options of .aflame: --theme=dark"; NULL if none has an effect. Free with g_free(). */
char *af_settings_describe_file(const af_settings *settings);
