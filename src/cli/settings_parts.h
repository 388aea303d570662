/* What the parts of settings.c share. */
#ifndef AF_CLI_SETTINGS_PARTS_H
#define AF_CLI_SETTINGS_PARTS_H

#include "cli/settings.h"

/* What an option is like, whoever sets it. */
typedef struct {
    const char *name; /* "theme" */
    gboolean valued;  /* it takes a value */
    gboolean list;    /* it may stand several times */
    gboolean called;  /* its value is judged where it is met */
    gboolean step;    /* all of them work, one after the other */
} af_option;

typedef struct {
    af_option option;
    const char *value; /* NULL = it takes none */
    char *origin;      /* ".aflame:3"; NULL = the command line */
    const char *group; /* of the file */
    unsigned level;    /* the higher wins */
} af_setting;

struct af_settings {
    const af_verb *verb;
    const GOptionEntry *const *tables; /* only while reading */
    af_config *config;                 /* NULL = there is none */
    GPtrArray *presets;                /* names that were asked for; lent */
    GArray *settings;                  /* of af_setting, in order of their levels */
    GPtrArray *taken_back;             /* names of options by --no-OPTION; of the tables */
    GPtrArray *argv;
};

/* The level of what is typed. */
#define AF_TYPED UINT_MAX

gboolean af_option_takes_value(const GOptionEntry *entry);
af_option af_option_describe(const GOptionEntry *entry);

/* The verb's option of that name; NULL if it has none. */
const GOptionEntry *af_settings_find(const af_settings *s, const char *name, size_t length);
gboolean af_settings_is_typed(const af_settings *s, const char *name);

/* ---- the file ---- */

/* Whether an option may stand in it. */
gboolean af_settings_knows(const char *name);

/* "startup" of "preset startup"; NULL for other groups. */
const char *af_settings_preset(const char *group);

/* Each says what is wrong and returns FALSE. */
gboolean af_settings_check_presets(const af_settings *s);
gboolean af_settings_read_file(af_settings *s);

#endif
