#include "base/quantile.h"

#include "base/wide.h"

#define STEP_BITS 6
#define STEPS     (1u << STEP_BITS) /* per octave */

/* Numbers below 2 * STEPS are in octaves 0 and 1, with a step for each number. */
static unsigned find_octave(uint64_t number)
{
    return number < STEPS ? 0 : 64 - (unsigned)__builtin_clzll(number) - STEP_BITS;
}

static unsigned shift_of(unsigned octave)
{
    return octave > 0 ? octave - 1 : 0;
}

void af_quantile_add(af_quantile_sketch *sketch, uint64_t number)
{
    const unsigned octave = find_octave(number);
    if (sketch->steps[octave] == NULL) {
        sketch->steps[octave] = g_try_new0(uint64_t, STEPS);
    }
    if (sketch->steps[octave] == NULL) {
        sketch->failed = TRUE;
        return;
    }
    sketch->steps[octave][number >> shift_of(octave) & (STEPS - 1)]++;
    sketch->n++;
}

void af_quantile_clear(af_quantile_sketch *sketch)
{
    for (unsigned o = 0; o < AF_QUANTILE_OCTAVES; o++) {
        g_clear_pointer(&sketch->steps[o], g_free);
    }
    sketch->n = 0;
}

/* The middle of a step. */
static uint64_t find_middle(unsigned octave, unsigned step)
{
    const unsigned shift = shift_of(octave);
    const uint64_t first = octave == 0 ? step : (uint64_t)(STEPS | step) << shift;
    return first + (((uint64_t)1 << shift) - 1) / 2;
}

uint64_t af_quantile_at(const af_quantile_sketch *sketch, uint64_t rank)
{
    for (unsigned o = 0; o < AF_QUANTILE_OCTAVES; o++) {
        for (unsigned s = 0; sketch->steps[o] != NULL && s < STEPS; s++) {
            if (rank < sketch->steps[o][s]) {
                return find_middle(o, s);
            }
            rank -= sketch->steps[o][s];
        }
    }
    return 0;
}

uint64_t af_quantile_rank(uint64_t n, unsigned percent)
{
    const uint64_t upward = (uint64_t)(((af_u128)n * percent + 99) / 100);
    return upward == 0 ? 0 : upward - 1;
}

uint64_t af_quantile_median(const af_quantile_sketch *sketch)
{
    const uint64_t median = af_quantile_at(sketch, af_quantile_rank(sketch->n, 50));
    uint64_t unit = 1;
    while (median / unit >= 100) {
        unit *= 10;
    }
    const uint64_t over = median % unit;
    return over >= (unit + 1) / 2 ? median - over + unit : median - over;
}
