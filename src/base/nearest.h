/* The word somebody meant when they mistyped one. */
#ifndef AF_BASE_NEAREST_H
#define AF_BASE_NEAREST_H

#include <aflame/error.h>

/* How far apart two words are: letters left out, added, changed or swapped with their neighbour,
 * ASCII case ignored. A beginning of the other word is 1 away. UINT_MAX when they have nothing
 * to do with each other. */
unsigned af_nearest_distance(const char *typed, const char *word);

/* af_word_nearest() is declared in aflame/error.h and lives here too. */

#endif
