/* The state of the stack rebuilder, shared by rebuild.c (events), rebuild_join.c (chunks),
 * rebuild_samples.c, rebuild_trees.c and calls/call_walk.c, which repairs clocks by the same rules.
 */
#pragma once

#include "build/rebuild.h"
#include "build/rhythm.h"
#include "build/row_path.h"
#include "build/rows.h"

/* Larger times are invalid and count as a step backward: 213 days in nanoseconds, which can still
 * be multiplied by 1000. */
#define AF_LARGEST_TIME_NS (UINT64_MAX / 1000)

typedef struct {
    uint32_t row;  /* has the method */
    uint32_t last; /* row of its latest child, AF_NO_ROW = none yet */
    uint64_t start[AF_CLOCKS];
} af_open_call;

/* A call that began before the chunk. A row represents it until the chunk is joined. */
typedef struct {
    uint32_t row;
    uint32_t method; /* of the exit that ends it; unset for the last level */
    uint32_t action;
    uint32_t most_open; /* the most calls open above it at once */
    uint64_t end[AF_CLOCKS];
} af_level;

/* The root of a thread stands for its outermost level, which belongs to no call; its self time is
 * the time between outermost calls. When an exit shows that a call began before the trace, the root
 * becomes that call and a new root replaces it: adoption takes constant time. */
typedef struct {
    af_open_call *stack; /* NULL, or stack[-1] can be written: see take_plain() */
    uint32_t depth, capacity;
    uint32_t root;             /* the outermost level; AF_NO_ROW before the first record */
    uint32_t last_outermost;   /* row of the latest outermost call, or AF_NO_ROW */
    uint32_t first_root;       /* innermost of the roots that became calls, otherwise the root */
    uint64_t last[AF_CLOCKS];  /* repaired time of the last record */
    uint64_t raw[AF_CLOCKS];   /* the same time, as in the file */
    uint64_t carry[AF_CLOCKS]; /* added to raw times: 2^32 for each wrap */
    uint64_t start[AF_CLOCKS]; /* begin of the calls that were open before the trace */
    uint8_t group;             /* af_group_flags of the open group */
    gboolean first_group;      /* in a chunk: `group` may have begun before it */
    uint8_t before;            /* in a chunk: that group, once it has ended */
    uint64_t first_raw[AF_CLOCKS];
    af_tally *open;    /* open calls of each method; NULL until an exit does not match */
    af_array levels;   /* of af_level; only in a chunk */
    uint32_t *earlier; /* for af_rebuild_earlier(), which outlives the rows */
    gboolean has_runnable;
    af_thread_counts counts;
} af_thread_state;

struct af_rebuild {
    af_ticks ticks;
    uint64_t largest_time;
    gboolean is_chunk; /* any chunk but the first */
    gboolean given_up; /* a chunk that cannot continue without its predecessors */
    af_warnings *warnings;
    af_rows rows;
    af_thread_state *threads;
    uint32_t n_threads;
    af_rhythm rhythm;
    af_trace_counts counts;
    uint64_t most_bytes;  /* for rows, stacks and threads; 0 = unlimited */
    uint64_t other_bytes; /* taken by stacks and threads */
    gboolean full;        /* an event was not taken because it needed more */
    gboolean ended_early;
    gboolean has_wall;
    gboolean any;               /* at least one record */
    uint64_t first_wall;        /* raw wall time of the first record, any thread */
    uint64_t wall_before;       /* raw wall time of the previous record, any thread */
    uint64_t last_wall;         /* the same, repaired */
    uint64_t weight[AF_CLOCKS]; /* of all samples */
    af_row_path sampled;        /* the last sample's */
    af_tally missed;            /* ignored exits, by method */
    gboolean failed;
};

/* The most memory of a node. While reading: 88 bytes in the row, 6 to 12 in the index, and as much in
 * a chunk. Then 93 in a tree with two clocks, and some 60 in an SVG that is being written. */
#define AF_NODE_BYTES UINT64_C(208)

/* The memory of a thread except its rows and its stack: its state here and in the profile. */
#define AF_THREAD_BYTES 1024u

/* Reserves `bytes` for a thread or a stack. Returns FALSE if the rebuilder is full. */
gboolean af_rebuild_reserve(af_rebuild *rebuild, uint64_t bytes);

/* Handles a refused row: the rebuilder is full, or has failed. */
void af_rebuild_lack_row(af_rebuild *rebuild);

gboolean af_rebuild_grow_threads(af_rebuild *rebuild, uint32_t n);
gboolean af_rebuild_grow_stack(af_rebuild *rebuild, af_thread_state *t);
void af_rebuild_free_stack(af_thread_state *t);

/* Drops the counts of open calls; the next unmatched exit counts them again. */
void af_rebuild_forget_open(af_thread_state *t);

static inline uint32_t af_rebuild_top(const af_thread_state *t)
{
    return t->depth > 0 ? t->stack[t->depth - 1].row : t->root;
}

/* Returns the field that holds the row of the latest child of the innermost call, or of the
 * outermost level. */
static inline uint32_t *af_rebuild_last(af_thread_state *t)
{
    return t->depth > 0 ? &t->stack[t->depth - 1].last : &t->last_outermost;
}

/* Sets up the root and the clocks of a thread from the raw times of its first record. Adds no root
 * if the rebuilder is full. */
void af_rebuild_begin_thread(af_rebuild *rebuild, af_thread_state *t,
                             const uint64_t raw[AF_CLOCKS]);

/* In a chunk: begins a level with the thread's root. */
void af_rebuild_begin_level(af_rebuild *rebuild, af_thread_state *t);

/* Returns the repaired time of a record whose clock seems to run backward. */
uint64_t af_rebuild_repair_time(af_rebuild *rebuild, af_thread_state *t, unsigned clock,
                                uint64_t raw, uint64_t offset);

/* Ends the innermost call at t->last. */
void af_rebuild_pop(af_rebuild *rebuild, af_thread_state *t);

/* An exit on an empty stack: the outermost level becomes the call that ends at t->last. */
void af_rebuild_adopt(af_rebuild *rebuild, af_thread_state *t, uint32_t method, unsigned action);

/* Ends the open group of a thread: its next record has these different raw times. */
void af_rebuild_end_group(af_rebuild *rebuild, af_thread_state *t, const uint64_t raw[AF_CLOCKS]);

/* Compares the raw wall times of two consecutive records: a step back of more than a second means
 * that the file is not ordered by time. */
void af_rebuild_watch_order(af_rebuild *rebuild, uint64_t before, uint64_t raw);

/* Adds the raw wall time of the next record in the file. */
static inline void af_rebuild_record_wall(af_rebuild *rebuild, uint64_t raw)
{
    if (G_UNLIKELY(raw < rebuild->wall_before)) {
        af_rebuild_watch_order(rebuild, rebuild->wall_before, raw);
    }
    rebuild->wall_before = raw;
}
