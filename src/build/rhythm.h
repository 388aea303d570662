/* Decides whether a trace was sampled or instrumented. The file format is the same for both.
 *
 * A sampler wakes up at intervals and writes the changes of all stacks with one time stamp. An
 * instrumented run gives several records the same time stamp only if its clock is coarse. So the
 * decision uses groups, which are consecutive records of one thread with equal times, and the time
 * steps between them. */
#pragma once

#include "base/capacity.h"
#include "base/tally.h"
#include "build/event.h"

/* Steps below this many ticks are counted in a plain array. */
#define AF_SHORT_STEPS 8192

/* The most distinct long steps that are counted exactly. The intervals of a sampler cluster in a
 * few thousand values. In traces with more distinct steps, steps are counted by their highest bits.
 * The choice depends on all steps of the trace, not on their order or on how the trace is split. */
#define AF_MOST_LONG_STEPS AF_WORK(200000u, 14000u)

/* The bits of a long step that count in that case: a precision of half a percent. */
#define AF_ROUGH_BITS 8u

typedef struct {
    uint64_t groups, large_groups, enter_exit_groups; /* finished groups */
    gboolean ruled_out;                   /* certainly instrumented: counting can stop */
    uint32_t short_steps[AF_SHORT_STEPS]; /* by length; that of 0 is unused */
    af_tally *long_steps;  /* by length; NULL until needed, or if there are too many */
    uint64_t *rough_steps; /* used instead, by position of the highest bit and the bits after it */
    gboolean failed;       /* the machine refused memory */
} af_rhythm;

/* The contents of a group. */
typedef enum {
    AF_GROUP_ENTRY = 1,
    AF_GROUP_EXIT = 2,
    AF_GROUP_ENTRY_EXIT = 4, /* an entry and, after it, an exit */
    AF_GROUP_RECORD = 8,
    AF_GROUP_LARGE = 16, /* more than one record */
} af_group_flags;

/* Returns the group with one more record. */
static inline unsigned af_group_add(unsigned group, unsigned action)
{
    group |= (group & AF_GROUP_RECORD) << 1 | AF_GROUP_RECORD;
    return action == AF_ENTER ? group | AF_GROUP_ENTRY
                              : group | AF_GROUP_EXIT | (group & AF_GROUP_ENTRY) << 2;
}

/* Joins two consecutive groups. */
static inline unsigned af_group_join(unsigned group, unsigned next)
{
    if ((group & AF_GROUP_ENTRY) != 0 && (next & AF_GROUP_EXIT) != 0) {
        group |= AF_GROUP_ENTRY_EXIT;
    }
    if ((group & next & AF_GROUP_RECORD) != 0) {
        group |= AF_GROUP_LARGE;
    }
    return group | next;
}

/* Counts of finished groups packed in one number, for fast loops: all groups, large ones, and those
 * with an entry and then an exit, in 21 bits each. */
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

/* Counts a finished group. */
static inline void af_rhythm_add_group(af_rhythm *rhythm, unsigned group)
{
    rhythm->groups++;
    rhythm->large_groups += (group & AF_GROUP_LARGE) != 0;
    rhythm->enter_exit_groups += (group & AF_GROUP_ENTRY_EXIT) != 0;
}

/* Adds all counts of `other`. */
void af_rhythm_add(af_rhythm *rhythm, const af_rhythm *other);

/* Counts a step of `ticks` between two groups of a thread; ignores 0. */
void af_rhythm_add_long_step(af_rhythm *rhythm, uint64_t ticks);

static inline void af_rhythm_add_step(af_rhythm *rhythm, uint64_t ticks)
{
    if (G_LIKELY(ticks < AF_SHORT_STEPS)) {
        rhythm->short_steps[ticks]++;
    } else {
        af_rhythm_add_long_step(rhythm, ticks);
    }
}

/* Sets `ruled_out` if the trace cannot come from a sampler, whatever follows, given that it has at
 * most `most_records` records. */
void af_rhythm_look_ahead(af_rhythm *rhythm, uint64_t most_records);

/* Whether a trace of `records` records in these groups was sampled. */
gboolean af_rhythm_is_sampled(const af_rhythm *rhythm, uint64_t records);

/* The 10th percentile of the steps, in ticks; 0 without steps. */
uint64_t af_rhythm_interval(af_rhythm *rhythm);
