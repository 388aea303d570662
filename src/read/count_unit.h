/* What counts are that a file writes without a unit. */
#ifndef AF_READ_COUNT_UNIT_H
#define AF_READ_COUNT_UNIT_H

#include "build/sink.h"

/* What a count of 1 weighs where it is no time, so that fractions are not lost. */
#define AF_COUNTS_SCALE 1000

/* `asked` is af_open_options.unit; *weight receives what a count of 1 weighs in the unit: so many
 * ns, or AF_COUNTS_SCALE thousandths. */
af_unit af_count_unit(const char *asked, uint64_t *weight);

#endif
