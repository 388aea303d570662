/* Chooses which numbers to read from formats with several numbers per stack, such as pprof and
 * callgrind, and determines their unit.
 *
 * Wall and CPU times are read together; otherwise a single column is read. */
#pragma once

#include "build/sink.h"

#define AF_NO_COLUMN UINT32_MAX

/* A column of the file: "cpu" in "nanoseconds". */
typedef struct {
    af_span name, unit;
} af_measured;

typedef struct {
    af_unit unit; /* its name lies in `text` or is static */
    unsigned clocks;
    uint32_t column[AF_CLOCKS]; /* the column of each weight, or AF_NO_COLUMN */
    uint64_t scale[AF_CLOCKS];  /* the weight of 1 */
    char text[AF_UNIT_NAME_MAX + 1];
} af_measures;

/* Chooses the column named `wanted` (NULL = column `otherwise`), and stores its name in the facts.
 * Fails with AF_ERROR_USAGE if no column has that name; the message lists the columns. `n` is at
 * least 1. */
gboolean af_measures_choose(af_measures *measures, af_sink *sink, const af_measured *columns,
                            uint32_t n, uint32_t otherwise, const char *wanted, GError **error);

/* Starts the samples of the sink. */
void af_measures_start(const af_measures *measures, af_sink *sink, af_samples_time time);

/* Converts the number of a column, which must not be negative. */
uint64_t af_measures_weigh(const af_measures *measures, unsigned clock, uint64_t number);
