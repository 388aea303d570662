/* Methods and the calls between pairs of them, of all threads together. */
#pragma once

#include <aflame/aflame.h>
#include "export_rows.h"

/* Adds one row per method with its self times, and one per pair of caller and callee with the calls
 * and their times. A call inside a call of the same pair adds no time, and neither does a recursive
 * call of a method. Threads call their outermost methods. */
void pair_rows_add(export_rows *rows, const af_profile *profile);
