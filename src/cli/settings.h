/* The options of a run and where they come from: the file `.aflame`, its presets, the command line.
 *
 * Later ones win: what the file says for every verb, what it says for this verb, the presets in the
 * order in which they are named, what is typed. Of an option that may stand several times the last
 * of these that has it counts with all its values; steps, which work one after the other, are done
 * in that order, all of them. --no-OPTION takes back an option without a value. */
#ifndef AF_CLI_SETTINGS_H
#define AF_CLI_SETTINGS_H

#include "cli/config.h"
#include "cli/verbs.h"

typedef struct af_settings af_settings;

/* `tables` (ends with NULL) are the options that the verb has; argv[0] is the verb. Says what is
 * wrong and returns NULL. */
af_settings *af_settings_read(const af_verb *verb, const GOptionEntry *const *tables, int argc,
                              char **argv);
void af_settings_free(af_settings *settings);

/* What the command line would be if all options stood on it. Lent; ends with NULL. */
char **af_settings_argv(const af_settings *settings, int *argc);

/* Where the value of an option ("--theme") comes from: ".aflame:3"; NULL = from the command line,
 * or not at all. */
const char *af_settings_origin(const af_settings *settings, const char *name);

/* The file's options whose values are judged by the parser, from 0: the word that stands for one
 * (free with g_free()) and where it comes from. NULL past the end. */
const char *af_settings_step(const af_settings *settings, unsigned number, char **word);

/* The effective options in the words of the file, with where each comes from. Free with g_free().
 */
char *af_settings_print(const af_settings *settings);

/* One line for -v; NULL if the file said nothing. Free with g_free(). */
char *af_settings_report(const af_settings *settings);

#endif
