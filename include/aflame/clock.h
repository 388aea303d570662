/* Clocks: what the times of a trace measure.
 *
 * A trace has wall times, CPU times or both; with both, a third clock is the time spent waiting.
 * A function that takes an af_clock fails, or returns 0, if the profile lacks that clock.
 *
 *     if (af_profile_has_clock(profile, AF_WAIT)) {
 *         const uint64_t wait_ns = af_node_inclusive_ns(profile, 0, 0, AF_WAIT);
 *         printf("waited for %llu ns\n", (unsigned long long)wait_ns);
 *     }
 */
#ifndef AFLAME_CLOCK_H
#define AFLAME_CLOCK_H

#include <aflame/visibility.h>

AF_BEGIN_DECLS

/* The clocks of a record, and the difference between them. */
typedef enum {
    AF_CLOCK_DEFAULT = -1, /* wall if the profile has it, otherwise CPU */
    AF_WALL = 0,           /* real time since the trace began */
    AF_CPU = 1,            /* CPU time of the thread since its first record */
    AF_WAIT = 2,           /* wall minus CPU, never below 0: of self times, and of inclusive times;
                              these do not add up where the CPU clock is coarse */
} af_clock;

#define AF_CLOCKS 2 /* clocks of records */

AF_END_DECLS

#endif
