/* Inside of the rebuilder, shared by rebuild.c (events), join.c (lanes), harvest.c (trees) and
 * replay.c (the same clocks once more). */
#ifndef AF_BUILD_REBUILD_STATE_H
#define AF_BUILD_REBUILD_STATE_H

#include "build/rebuild.h"
#include "build/rhythm.h"
#include "build/rows.h"

/* Times above this are no times: 213 days in nanoseconds, with room for the thousandfold. What
 * lies above counts as a step backward. */
#define AF_LARGEST_TIME_NS (UINT64_MAX / 1000)

/* Times up to this are certainly below, whatever the tick is. */
#define AF_PLAIN_TIME ((UINT64_C(1) << 43) - 1)

typedef struct {
    uint32_t row;  /* which knows the method */
    uint32_t last; /* row of the call that it entered last, AF_NO_ROW = none yet */
    uint64_t start[AF_CLOCKS];
} af_open_call;

/* A level of calls that began before the lane; its row stands for whichever call that is. */
typedef struct {
    uint32_t row;
    uint32_t method; /* of the exit that ends it; not yet for the last level */
    uint32_t action;
    uint32_t most_open; /* most calls open at once above it */
    uint64_t end[AF_CLOCKS];
} af_level;

/* The outermost level of a thread belongs to no call: the root stands for it, and its self time is
 * what lies between outermost calls. When a call turns out to have been open since before the
 * trace, the root becomes that call and a new root takes its place, so that adopting costs nothing
 * however much is adopted. */
typedef struct {
    af_open_call *stack;
    uint32_t depth, capacity;
    uint32_t root;              /* the outermost level; AF_NO_ROW before the first record */
    uint32_t last_outermost;    /* row of the outermost call entered last below it, or AF_NO_ROW */
    uint32_t first_root;        /* innermost of the roots that became calls, or the root */
    uint64_t last[AF_CLOCKS];   /* repaired time of the last record */
    uint64_t raw[AF_CLOCKS];    /* the same as the file has it */
    uint64_t offset[AF_CLOCKS]; /* added to raw times: 2^32 for each wrap */
    uint64_t start[AF_CLOCKS];  /* when a call began that was open before the trace */
    uint8_t group;              /* af_group_flags of the open group */
    gboolean first_group;       /* of a lane: `group` may go on from before it */
    uint8_t before;             /* of a lane: that group, once it is over */
    uint64_t first_raw[AF_CLOCKS];
    af_tally *open;    /* how often each method is open; NULL until an exit misses */
    af_array levels;   /* of af_level; only in a lane */
    uint32_t *earlier; /* af_rebuild_earlier(), once the rows are gone */
    af_thread_counts counts;
} af_thread_state;

struct af_rebuild {
    af_ticks ticks;
    uint64_t largest_time;
    gboolean lane;
    gboolean given_up; /* a lane that met what it cannot decide */
    af_warnings *warnings;
    af_rows rows;
    af_thread_state *threads;
    uint32_t n_threads;
    af_rhythm rhythm;
    af_trace_counts counts;
    uint64_t most_bytes;  /* for rows, stacks and threads; 0 = unlimited */
    uint64_t other_bytes; /* of them, for stacks and threads */
    gboolean full;        /* an event was not taken because it needed more */
    gboolean ended_early;
    gboolean has_wall;
    gboolean any;               /* there was a record */
    uint64_t first_wall;        /* raw wall time of the first record, any thread */
    uint64_t wall_before;       /* raw wall time of the record before, any thread */
    uint64_t last_wall;         /* the same, repaired */
    uint64_t weight[AF_CLOCKS]; /* of all samples */
    af_tally missed;            /* exits without a call, by method */
    gboolean failed;
};

/* What a node takes at most: 64 bytes in the row, 4 for its parent and 11 to 32 in the index; then 92
 * in a tree with two clocks, at first next to the row (see ROWS_BESIDE), and some 60 in an SVG that
 * is being written. */
#define AF_NODE_BYTES UINT64_C(200)

/* What a thread takes besides its rows and its stack: its state here and in the profile. */
#define AF_THREAD_BYTES 1024u

/* Takes `bytes` for a thread or a stack. FALSE if the rebuilder is full. */
gboolean af_rebuild_reserve(af_rebuild *rebuild, uint64_t bytes);

/* A row was refused: the rebuilder is full, or has failed. */
void af_rebuild_lack_row(af_rebuild *rebuild);

gboolean af_rebuild_grow_threads(af_rebuild *rebuild, uint32_t n);
gboolean af_rebuild_grow_stack(af_rebuild *rebuild, af_thread_state *t);

/* Makes the next exit that misses count the open calls anew. */
void af_rebuild_forget_open(af_thread_state *t);

static inline uint32_t af_rebuild_top(const af_thread_state *t)
{
    return t->depth > 0 ? t->stack[t->depth - 1].row : t->root;
}

/* Where the row stands that the innermost call, or the outermost level, entered last. */
static inline uint32_t *af_rebuild_last(af_thread_state *t)
{
    return t->depth > 0 ? &t->stack[t->depth - 1].last : &t->last_outermost;
}

/* A thread's first record has these raw times: its root and its clocks. Without a root if the
 * rebuilder is full. */
void af_rebuild_begin_thread(af_rebuild *rebuild, af_thread_state *t,
                             const uint64_t raw[AF_CLOCKS]);

/* The time of a record whose clock seems to run backward. */
uint64_t af_rebuild_repair_time(af_rebuild *rebuild, af_thread_state *t, unsigned clock,
                                uint64_t raw, uint64_t place);

/* The innermost call is over at t->last. */
void af_rebuild_pop(af_rebuild *rebuild, af_thread_state *t);

/* An exit on an empty stack: the outermost level becomes the call that ends at t->last. */
void af_rebuild_adopt(af_rebuild *rebuild, af_thread_state *t, uint32_t method, unsigned action);

/* The open group of a thread is over: its next record, with these raw times, is another's. */
void af_rebuild_end_group(af_rebuild *rebuild, af_thread_state *t, const uint64_t raw[AF_CLOCKS]);

/* Watches the raw wall times of consecutive records: a step back by over a second means that the
 * file is not in order of time. */
void af_rebuild_watch_order(af_rebuild *rebuild, uint64_t before, uint64_t raw);

/* The raw wall time of the next record in the file. */
static inline void af_rebuild_record_wall(af_rebuild *rebuild, uint64_t raw)
{
    if (G_UNLIKELY(raw < rebuild->wall_before)) {
        af_rebuild_watch_order(rebuild, rebuild->wall_before, raw);
    }
    rebuild->wall_before = raw;
}

#endif
