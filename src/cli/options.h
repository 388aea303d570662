/* Options: those that every verb has, and how any verb's are read. */
#ifndef AF_CLI_OPTIONS_H
#define AF_CLI_OPTIONS_H

#include "cli/mappings.h"
#include "cli/settings.h"
#include "cli/verbs.h"

typedef struct {
    gboolean quiet;   /* errors only */
    gboolean verbose; /* notes too */
    gboolean strict;  /* any warning is a failure */
    unsigned jobs;    /* 0 = one for each processor */
    gboolean part;    /* only a part of each trace: as in af_profile_cut() */
    int64_t from_ns, to_ns;
    char *unit, *event, *symfs, *kallsyms; /* as in af_open_options; NULL = not said */
    gboolean show_art;
    uint64_t time_scale;
    gboolean ignore_other_ends, overlap_lanes;
    char **operands; /* never NULL */
    char **mapping_paths;
    af_mappings *mappings;
    af_settings *settings;
} af_common;

typedef enum { AF_OPTIONS_GO_ON, AF_OPTIONS_HELPED, AF_OPTIONS_WRONG } af_options_result;

/* Reads `argv`, and what `.aflame` says, into what `entries` (the verb's own) point to and into
 * `common`. Says what is wrong; prints the help or the options that are asked for. Whatever it
 * returns, the caller frees `common` with af_options_free() and its own values. */
af_options_result af_options_parse(const af_verb *verb, const GOptionEntry *entries, int argc,
                                   char **argv, af_common *common);

/* The same with another group of options, which it takes; `more` is the table behind it. */
af_options_result af_options_parse_with(const af_verb *verb, const GOptionEntry *entries,
                                        GOptionGroup *group, const GOptionEntry *more, int argc,
                                        char **argv, af_common *common);
void af_options_free(af_common *common);

/* ---- values; each says what is wrong and returns FALSE, and leaves *value alone when `text` is
 * NULL ---- */

/* Says what is wrong with the value of "--option", and where in `.aflame` it stands. For those who
 * look at values themselves. */
void af_options_complain(const char *option, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The index of `text` in `words`, which ends with NULL. */
gboolean af_options_word(const char *option, const char *text, const char *const *words,
                         int *value);

/* A number with up to two digits behind the point, as hundredths. */
gboolean af_options_hundredths(const char *option, const char *text, int least, int most,
                               int *value);

/* "wall", "cpu" or "wait". */
gboolean af_options_clock(const char *text, af_clock *clock);

#endif
