/* Quantiles of numbers that are too many to store.
 *
 * The sketch counts numbers in steps: one step for each number below 128, and 64 steps between a
 * power of two and the next above that. Results are the middle of a step, so they are off by at
 * most 1/128. Memory follows the number of different powers of two, not the number of values. */
#pragma once

#include <stdint.h>
#include <glib.h>

#define AF_QUANTILE_OCTAVES 59

typedef struct {
    uint64_t *steps[AF_QUANTILE_OCTAVES]; /* NULL while empty */
    uint64_t n;
    gboolean failed; /* memory was refused; some numbers are not counted */
} af_quantile_sketch;

/* A sketch whose bytes are all zero is empty. */
void af_quantile_add(af_quantile_sketch *sketch, uint64_t number);
void af_quantile_clear(af_quantile_sketch *sketch);

/* The number with rank `rank`, from 0, in sorted order; 0 if the sketch is empty. */
uint64_t af_quantile_at(const af_quantile_sketch *sketch, uint64_t rank);

/* The median, rounded to two digits. 0 if the sketch is empty. */
uint64_t af_quantile_median(const af_quantile_sketch *sketch);

/* The rank of the quantile `percent` among `n` sorted numbers: the smallest rank whose number is at
 * least as large as `percent` percent of them. 0 if `n` is 0. */
uint64_t af_quantile_rank(uint64_t n, unsigned percent);
