/* Which labels are meant: the one grammar of every option that takes a PATTERN.
 *
 *   text      labels that contain it, whatever the case of the letters
 *   /re/      labels in which the regular expression (PCRE) matches anywhere; /re/i: any case
 *   =text     the one label that is exactly this
 *   a.*.b.**  a glob, that is anything else with a star, which must fit the whole label: `*` is any
 *             run of characters without a dot, `**` any run of characters
 *   !PATTERN  every label that PATTERN does not match
 *
 * A label is compared as it is displayed, so the names style of the profile matters. A regular
 * expression that takes too long on a label (nested repeats) does not match it. */
#ifndef AF_MODEL_PATTERN_H
#define AF_MODEL_PATTERN_H

#include <glib.h>

typedef struct af_pattern af_pattern;

/* NULL with AF_ERROR_USAGE, in words, for what is no pattern: nothing at all, bytes that are no
 * UTF-8, a slash without its other half, a bad regular expression. */
af_pattern *af_pattern_new(const char *text, GError **error);
void af_pattern_free(af_pattern *pattern);

/* May be called from several threads. `label` is UTF-8. */
gboolean af_pattern_matches(const af_pattern *pattern, const char *label);

/* The pattern as it was typed. */
const char *af_pattern_text(const af_pattern *pattern);

/* Whether it begins with "!". */
gboolean af_pattern_is_negated(const af_pattern *pattern);

/* What was typed without "!" and "=", if it is plain text or an exact label: something that may be
 * misspelt. NULL for expressions and globs. */
const char *af_pattern_word(const af_pattern *pattern);

#endif
