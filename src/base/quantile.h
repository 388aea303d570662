/* Quantiles of more numbers than are worth keeping.
 *
 * Numbers are counted in steps: those below 128 each for itself, above that 64 steps between a
 * power of two and the next. What it gives back is the middle of a step, so it is at most 1/128
 * off. Memory follows the powers of two that are met, not the numbers. */
#ifndef AF_BASE_QUANTILE_H
#define AF_BASE_QUANTILE_H

#include <stdint.h>
#include <glib.h>

#define AF_QUANTILE_OCTAVES 59

typedef struct {
    uint64_t *steps[AF_QUANTILE_OCTAVES]; /* NULL until one of them is met */
    uint64_t n;
    gboolean failed; /* the machine refused memory; some numbers are not counted */
} af_quantile_sketch;

/* A sketch whose bytes are zero is empty. */
void af_quantile_add(af_quantile_sketch *sketch, uint64_t number);
void af_quantile_clear(af_quantile_sketch *sketch);

/* The number that stands at place `rank`, from 0, when all are sorted; 0 if there is none. */
uint64_t af_quantile_at(const af_quantile_sketch *sketch, uint64_t rank);

/* The median in two digits: what is usual. 0 if there is nothing. */
uint64_t af_quantile_median(const af_quantile_sketch *sketch);

/* The place of the quantile `percent` among `n` sorted numbers: the least of which so many percent
 * are not larger. 0 if there are none. */
uint64_t af_quantile_rank(uint64_t n, unsigned percent);

#endif
