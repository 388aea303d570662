/* Finds the word that is closest to a mistyped one. */
#ifndef AF_BASE_NEAREST_H
#define AF_BASE_NEAREST_H

#include <aflame/error.h>

/* The edit distance of two words: letters omitted, added, changed or swapped with their neighbour,
 * ignoring ASCII case. A prefix of the other word has distance 1. UINT_MAX if the words are
 * unrelated. */
unsigned af_nearest_distance(const char *typed, const char *word);

/* nearest.c also defines af_word_nearest() of aflame/error.h. */

#endif
