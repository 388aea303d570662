/* Readers of values, for the table of options. Each prints why a value is invalid and returns
 * FALSE. The comment gives the type of `target`. Strings are borrowed from the settings. */
#pragma once

#include "cli/settings.h"

gboolean af_read_flag(const af_setting *setting, void *target);     /* bool */
gboolean af_read_sheet(const af_setting *setting, void *target);    /* int: AF_VIEW_SHEET */
gboolean af_read_json(const af_setting *setting, void *target);     /* const char *: "json" */
gboolean af_read_markdown(const af_setting *setting, void *target); /* the same: "markdown" */
gboolean af_read_text(const af_setting *setting, void *target);     /* const char *, not empty */
gboolean af_read_folder(const af_setting *setting, void *target);   /* const char *, exists */
gboolean af_read_title(const af_setting *setting, void *target);    /* const char * */
gboolean af_read_list(const af_setting *setting, void *target); /* const char **, ends with NULL */

/* One of the option's `words`, as its index. */
gboolean af_read_word(const af_setting *setting, void *target); /* int */

/* One of the option's `words`, or a name that `choice` returns. */
gboolean af_read_choice(const af_setting *setting, void *target); /* const char * */

/* A list of names, each one of the option's `words` or one that `choice` returns. */
gboolean af_read_choices(const af_setting *setting, void *target); /* const char ** */

/* A whole number, or one with up to two decimals as hundredths, from `least` to `most`. */
gboolean af_read_number(const af_setting *setting, void *target);     /* uint32_t */
gboolean af_read_height(const af_setting *setting, void *target);     /* int, -1 for "none" */
gboolean af_read_hundredths(const af_setting *setting, void *target); /* int */

/* Bytes: 500M, 2G; `least` counts kilobytes. */
gboolean af_read_size(const af_setting *setting, void *target); /* uint64_t */

/* A factor with up to six decimals, as millionths. */
gboolean af_read_millionths(const af_setting *setting, void *target); /* uint64_t */

gboolean af_read_age(const af_setting *setting, void *target);    /* uint64_t, s */
gboolean af_read_time(const af_setting *setting, void *target);   /* int64_t, ns */
gboolean af_read_step(const af_setting *setting, void *target);   /* GArray * of af_step */
gboolean af_read_dump(const af_setting *setting, void *target);   /* af_dump */
gboolean af_read_around(const af_setting *setting, void *target); /* af_around */
gboolean af_read_least(const af_setting *setting, void *target);  /* af_least */

/* The least difference: an amount, or a share of the larger side. */
typedef struct {
    uint64_t amount; /* 0 = `ppm` counts */
    unsigned ppm;    /* millionths of the larger side */
} af_least;

/* A dump of a heap; all zero = the last one. */
typedef struct {
    uint32_t number; /* counted from 1 */
    gboolean by_time;
    int64_t ns;
} af_dump;

/* A single call. */
typedef struct {
    const char *text; /* as typed; NULL = none */
    gboolean longest;
    uint64_t number; /* from 1, unless `longest` */
} af_around;
