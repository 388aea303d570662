/* What the numbers in the call trees of a profile are. */
#ifndef AFLAME_UNIT_H
#define AFLAME_UNIT_H

#include <glib.h>

G_BEGIN_DECLS

/* Traces of methods hold times of clocks. Samples hold whatever they are weighed by; that is one
 * column, which stands where wall time stands elsewhere (AF_WALL), or times as well.
 *
 *     name    counted
 *     NULL    FALSE    ns of the clocks that the profile has: wall, CPU
 *     "ns"    FALSE    ns, nobody says of which clock
 *     other   TRUE     no time, but so many of these: "cycles", "samples", "bytes" */
typedef struct {
    const char
        *name; /* in the plural, at most AF_UNIT_LONGEST bytes; lives as long as the profile */
    gboolean counted;
    unsigned digits; /* so many of the number's last digits stand behind the point: 0 or 3 */
} af_unit;

#define AF_UNIT_LONGEST 40

G_END_DECLS

#endif
