#include "read/count_unit.h"

#include <string.h>

af_unit af_count_unit(const char *asked, uint64_t *weight)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } times[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
    const char *name = asked != NULL ? asked : "samples";
    for (unsigned i = 0; i < G_N_ELEMENTS(times); i++) {
        if (strcmp(name, times[i].name) == 0) {
            *weight = times[i].ns;
            return (af_unit){.name = "ns"};
        }
    }
    *weight = AF_COUNTS_SCALE;
    return (af_unit){.name = name, .counted = TRUE, .digits = 3};
}
