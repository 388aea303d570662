/* The settings of a run: the options with their values, from `.aflame` and from the command line.
 *
 * Sources by priority, lowest first: the top of the file, the verb's group in it, presets in the
 * order in which they are named, the command line. Which settings count if an option stands several
 * times is a column of the table of options. --no-OPTION cancels an option that takes no value and
 * that the file may set. */
#ifndef AF_CLI_SETTINGS_H
#define AF_CLI_SETTINGS_H

#include "cli/config.h"
#include "cli/option.h"
#include "cli/verbs.h"

struct af_setting {
    const af_option *option;
    const char *value; /* NULL = it takes none */
    const char *path;  /* the file that the value names, seen from here; NULL = it names none */
    char *origin;      /* ".aflame:3"; NULL = the command line */
    const char *group; /* of the file */
    unsigned priority; /* of its source; the higher wins */
    gboolean off;      /* "= false", --no-OPTION */
};

typedef struct {
    const af_verb *verb;
    af_config *config;   /* NULL = there is none */
    GArray *list;        /* of af_setting: those that count, by priority */
    GPtrArray *operands; /* lent by argv; ends with NULL */
} af_settings;

/* argv[0] is the verb. Prints what is wrong and returns NULL. */
af_settings *af_settings_read(const af_verb *verb, int argc, char **argv);
void af_settings_free(af_settings *settings);

/* The last setting of an option that counts; NULL = it has none. */
const af_setting *af_settings_find(const af_settings *settings, const char *name);

/* Prints "aflame: .aflame:3: --OPTION ..."; a text that begins with ":" follows immediately. */
void af_setting_complain(const af_setting *setting, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The settings as a file `.aflame`, with the source of each. Free with g_free(). */
char *af_settings_print(const af_settings *settings);

/* "options of .aflame: --theme=dark"; NULL if none of them counts. Free with g_free(). */
char *af_settings_describe_file(const af_settings *settings);

#endif
