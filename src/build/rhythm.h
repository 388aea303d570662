/* Sampled or instrumented?
 *
 * Both kinds of recording look the same in the file. A sampler stops everything now and then and
 * writes the changes of all stacks with one time stamp; an instrumented run enters and leaves
 * methods at one time stamp only where its clock is coarse. The counts that tell them apart are
 * kept by groups: consecutive records of one thread with equal times. */
#ifndef AF_BUILD_RHYTHM_H
#define AF_BUILD_RHYTHM_H

#include "base/tally.h"
#include "build/event.h"

/* Steps below this many ticks are counted in a plain array. */
#define AF_SHORT_STEPS 8192

/* Different long steps that are counted one by one. Intervals cluster, so a sampler makes a few
 * thousand; what has more is counted by the first bits of each step. Which of the two it is depends
 * on all steps of a trace, never on their order or on how it is cut. */
#define AF_MOST_LONG_STEPS 200000u

/* Bits of a long step that count then: half a percent. */
#define AF_ROUGH_BITS 8u

typedef struct {
    uint64_t groups, large_groups, enter_exit_groups; /* finished groups */
    gboolean ruled_out; /* known to be instrumented: the rest need not be counted */
    uint32_t short_steps[AF_SHORT_STEPS]; /* that of 0 means nothing */
    af_tally *long_steps;                 /* NULL until needed, and when there are too many: */
    uint64_t *rough_steps; /* by the place of the highest bit and the bits behind it */
    gboolean failed;       /* the machine refused memory */
} af_rhythm;

/* What a group holds. */
typedef enum {
    AF_GROUP_ENTRY = 1,
    AF_GROUP_EXIT = 2,
    AF_GROUP_ENTRY_EXIT = 4, /* an entry and, after it, an exit */
    AF_GROUP_RECORD = 8,
    AF_GROUP_LARGE = 16, /* more than one record */
} af_group_flags;

/* The group with one more record. */
static inline unsigned af_group_add(unsigned group, unsigned action)
{
    group |= (group & AF_GROUP_RECORD) << 1 | AF_GROUP_RECORD;
    return action == AF_ENTER ? group | AF_GROUP_ENTRY
                              : group | AF_GROUP_EXIT | (group & AF_GROUP_ENTRY) << 2;
}

/* A group and the one right behind it as one. */
static inline unsigned af_group_join(unsigned group, unsigned behind)
{
    if ((group & AF_GROUP_ENTRY) != 0 && (behind & AF_GROUP_EXIT) != 0) {
        group |= AF_GROUP_ENTRY_EXIT;
    }
    if ((group & behind & AF_GROUP_RECORD) != 0) {
        group |= AF_GROUP_LARGE;
    }
    return group | behind;
}

/* Finished groups in one number, for a loop that counts many: groups, large ones, those with an
 * entry and then an exit, in 21 bits each. */
#define AF_MOST_PACKED_GROUPS ((1u << 21) - 1)

static inline uint64_t af_group_packed(unsigned group)
{
    return 1 | (uint64_t)(group & AF_GROUP_LARGE) << 17 |
           (uint64_t)(group & AF_GROUP_ENTRY_EXIT) << 40;
}

static inline void af_rhythm_add_packed(af_rhythm *rhythm, uint64_t groups)
{
    rhythm->groups += groups & AF_MOST_PACKED_GROUPS;
    rhythm->large_groups += groups >> 21 & AF_MOST_PACKED_GROUPS;
    rhythm->enter_exit_groups += groups >> 42;
}

void af_rhythm_clear(af_rhythm *rhythm);

/* Counts the finished group. */
static inline void af_rhythm_add_group(af_rhythm *rhythm, unsigned group)
{
    rhythm->groups++;
    rhythm->large_groups += (group & AF_GROUP_LARGE) != 0;
    rhythm->enter_exit_groups += (group & AF_GROUP_ENTRY_EXIT) != 0;
}

/* Counts everything that `other` counted. */
void af_rhythm_add(af_rhythm *rhythm, const af_rhythm *other);

/* Counts a step of `ticks` between two groups of a thread; 0 is no step. */
void af_rhythm_add_long_step(af_rhythm *rhythm, uint64_t ticks);

static inline void af_rhythm_add_step(af_rhythm *rhythm, uint64_t ticks)
{
    if (G_LIKELY(ticks < AF_SHORT_STEPS)) {
        rhythm->short_steps[ticks]++;
    } else {
        af_rhythm_add_long_step(rhythm, ticks);
    }
}

/* Rules out what cannot be a sampler's any more, whatever else a trace of at most `most_records`
 * holds. */
void af_rhythm_look_ahead(af_rhythm *rhythm, uint64_t most_records);

/* Whether `records` records in these groups come from a sampler. */
gboolean af_rhythm_is_sampled(const af_rhythm *rhythm, uint64_t records);

/* The 10th percentile of the steps, in ticks; 0 without steps. */
uint64_t af_rhythm_interval(af_rhythm *rhythm);

#endif
