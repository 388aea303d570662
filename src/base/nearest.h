/* Finds the word that is closest to a mistyped one. */
#pragma once

#include <glib.h>

/* The edit distance of two words: letters omitted, added, changed or swapped with their neighbour,
 * ignoring ASCII case. A prefix of the other word has distance 1. UINT_MAX if the words are
 * unrelated. */
unsigned af_nearest_distance(const char *typed, const char *word);

/* Finds a suggestion for "did you mean": the entry of `words`, which ends with NULL, that is
 * closest to `typed`; NULL if none is close. */
const char *af_word_nearest(const char *typed, const char *const *words);
