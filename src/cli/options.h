/* Options: those that every verb has, and how any verb's are read. */
#ifndef AF_CLI_OPTIONS_H
#define AF_CLI_OPTIONS_H

#include "cli/verbs.h"

typedef struct {
    gboolean quiet;   /* errors only */
    gboolean verbose; /* notes too */
    gboolean strict;  /* any warning is a failure */
    unsigned jobs;    /* 0 = one for each processor */
    char **operands;  /* never NULL */
} af_common;

typedef enum { AF_OPTIONS_GO_ON, AF_OPTIONS_HELPED, AF_OPTIONS_WRONG } af_options_result;

/* Reads `argv` into what `entries` (the verb's own) point to and into `common`. Says what is
 * wrong; prints the help that is asked for. Whatever it returns, the caller frees `common` with
 * af_options_free() and its own values. */
af_options_result af_options_parse(const af_verb *verb, const GOptionEntry *entries, int argc,
                                   char **argv, af_common *common);
void af_options_free(af_common *common);

/* ---- values; each says what is wrong and returns FALSE, and leaves *value alone when `text` is
 * NULL ---- */

/* The index of `text` in `words`, which ends with NULL. */
gboolean af_options_word(const char *option, const char *text, const char *const *words,
                         int *value);

/* A number with up to two digits behind the point, as hundredths. */
gboolean af_options_hundredths(const char *option, const char *text, int least, int most,
                               int *value);

/* "wall" or "cpu". */
gboolean af_options_clock(const char *text, af_clock *clock);

#endif
