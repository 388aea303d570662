/* The unit of the numbers in the call trees of a profile.
 *
 * A method trace holds times of clocks. Samples hold times, or weights in another unit in place of
 * wall time.
 *
 *     name    counted
 *     NULL    FALSE    ns of the clocks of the profile: wall, CPU
 *     "ns"    FALSE    ns of an unknown clock
 *     other   TRUE     a count, not a time: "cycles", "samples", "bytes" */
#pragma once

#include <glib.h>

#define AF_UNIT_NAME_MAX 40

typedef struct {
    const char *name; /* a plural noun of at most AF_UNIT_NAME_MAX bytes */
    gboolean counted;
    unsigned digits; /* number of trailing decimal digits: 0 or 3 */
} af_unit;
