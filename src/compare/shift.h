/* The Hodges-Lehmann shift: an estimate of how much the runs of after differ from those of
 * before. */
#pragma once

#include <stdint.h>
#include <glib.h>

typedef struct {
    int64_t shift;     /* the median of all differences between a run of after and one of before */
    int64_t low, high; /* its 95 % interval, by the exact distribution of the rank sum */
} af_shift;

/* Both sides have at least one run and at most AF_SHIFT_RUNS. FALSE if memory is refused. */
#define AF_SHIFT_RUNS 64
gboolean af_shift_compute(const uint64_t *before, uint32_t n, const uint64_t *after, uint32_t m,
                          af_shift *shift);

/* The median of values: for an even number of them the mean of the middle two, rounded up; 0 for
 * none. */
uint64_t af_shift_median(const uint64_t *values, uint32_t n);

/* The distance between the ranges of the values of both sides; 0 = they overlap. *wider is the width
 * of the wider one. */
uint64_t af_shift_gap(const uint64_t *before, uint32_t n, const uint64_t *after, uint32_t m,
                      uint64_t *wider);
