/* Sampled or instrumented?
 *
 * Both kinds of recording look the same in the file. A sampler stops everything now and then and
 * writes the changes of all stacks with one time stamp; an instrumented run enters and leaves
 * methods at one time stamp only where its clock is coarse. The counts that tell them apart are
 * kept by groups: consecutive records of one thread with equal times. */
#ifndef AF_MODEL_RHYTHM_H
#define AF_MODEL_RHYTHM_H

#include <stdint.h>
#include <glib.h>

/* Steps below this many ticks are counted in a plain array. */
#define AF_SHORT_STEPS 8192

typedef struct {
    uint64_t groups, large_groups, enter_exit_groups; /* finished groups */
    gboolean ruled_out;                               /* known to be instrumented */
    uint64_t n_steps;
    uint32_t short_steps[AF_SHORT_STEPS];
    GHashTable *long_steps; /* uint64_t * -> count; NULL until needed */
} af_rhythm;

/* The open group of one thread. */
typedef struct {
    uint32_t size;
    uint8_t entered, left, enter_exit; /* an entry, an exit, an entry followed by an exit */
} af_group;

void af_rhythm_clear(af_rhythm *rhythm);

/* Counts the finished group. */
void af_rhythm_add_group(af_rhythm *rhythm, const af_group *group);

/* Counts everything that `other` counted. */
void af_rhythm_add(af_rhythm *rhythm, const af_rhythm *other);

/* Counts a step forward of `ticks` between two groups of a thread. */
void af_rhythm_add_step(af_rhythm *rhythm, uint64_t ticks);

/* Whether `records` records in these groups come from a sampler. */
gboolean af_rhythm_is_sampled(const af_rhythm *rhythm, uint64_t records);

/* The 10th percentile of the steps, in ticks; 0 without steps. */
uint64_t af_rhythm_interval(const af_rhythm *rhythm);

#endif
