/* Methods and calls between two of them, of all threads together. */
#ifndef TESTS_PAIR_ROWS_H
#define TESTS_PAIR_ROWS_H

#include <aflame/aflame.h>
#include "export_rows.h"

/* A row for each method with its own times; one for each pair of caller and callee with the calls
 * and their times, of which those inside calls of the same pair are no more than these, and those
 * of a method by itself nothing. Threads call their outermost methods. */
void pair_rows_add(export_rows *rows, const af_profile *profile);

#endif
