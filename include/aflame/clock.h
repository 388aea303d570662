/* Clocks: what the times of a trace are times of.
 *
 * A trace has wall times, CPU times or both. Every function that takes an af_clock fails, or
 * returns 0, for a clock that the profile lacks; af_profile_has_clock() tells. */
#ifndef AFLAME_CLOCK_H
#define AFLAME_CLOCK_H

#include <glib.h>

G_BEGIN_DECLS

/* The clocks of records, and the one that is computed from both. */
typedef enum {
    AF_CLOCK_DEFAULT = -1, /* wall if the profile has it, else cpu */
    AF_WALL = 0,           /* real time since the trace began */
    AF_CPU = 1,            /* CPU time of the thread since its first record */
    AF_WAIT = 2, /* of a node itself: wall minus cpu, never below 0; with all it called: the
                    sum of these */
} af_clock;

#define AF_CLOCKS 2 /* those of records */

G_END_DECLS

#endif
