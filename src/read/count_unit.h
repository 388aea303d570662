/* The unit of counts in files that declare none. */
#pragma once

#include "build/sink.h"

/* The weight of a count of 1 if the unit is not a time, so that fractions survive. */
#define AF_COUNTS_SCALE 1000

/* `asked` is af_open_options.unit. Sets *weight to the weight of a count of 1 in that unit: its ns,
 * or AF_COUNTS_SCALE thousandths. */
af_unit af_count_unit(const char *asked, uint64_t *weight);
