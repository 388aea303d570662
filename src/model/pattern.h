/* Patterns select labels. Every option that takes a PATTERN uses this grammar.
 *
 *   text      labels that contain the text, ignoring case
 *   /re/      labels in which the regular expression (PCRE) matches anywhere; /re/i: any case
 *   =text     the one label that is exactly this
 *   a.*.b.**  a glob (any other text with a star), which must match the whole label: `*` is any run
 *             of characters without a dot, `**` any run of characters
 *   !PATTERN  every label that PATTERN does not match
 *
 * A name that a table or a picture shortened with an ellipsis, as text or after "=", matches the
 * labels that contain its pieces in this order, ignoring case.
 *
 * A label is compared as it is displayed, so the names style of the profile matters. A regular
 * expression that takes too long on a label (nested repeats) does not match it. */
#pragma once

#include <glib.h>

typedef struct af_pattern af_pattern;

/* Returns NULL with AF_ERROR_USAGE if the pattern is invalid: empty, not UTF-8, a slash without a
 * second one, or an invalid regular expression. */
af_pattern *af_pattern_new(const char *text, GError **error);
void af_pattern_free(af_pattern *pattern);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_pattern, af_pattern_free)

/* Thread-safe. `label` is UTF-8. */
gboolean af_pattern_matches(const af_pattern *pattern, const char *label);

/* The pattern as it was typed. */
const char *af_pattern_text(const af_pattern *pattern);

/* Returns the text without "!" and "=" if it is plain text or an exact label, which may be
 * misspelt. NULL for regular expressions and globs. */
const char *af_pattern_word(const af_pattern *pattern);
