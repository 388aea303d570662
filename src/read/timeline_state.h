/* Internals of timeline.c (the whole), timeline_kernel.c (marks and the scheduler), timeline_tracks.c
 * (tracks and their rows) and timeline_threads.c (names). */
#pragma once

#include "base/idtable.h"
#include "base/sorter.h"
#include "base/spool.h"
#include "read/timeline.h"

/* Of a thread, by its number in the tasks. */
typedef struct {
    uint32_t nest;         /* + 1; 0 = none yet */
    uint32_t cpu;          /* + 1; 0 = not running */
    gboolean switched_in;  /* ever */
    gboolean has_own_time; /* its events carry the CPU time, from `own_base_ns` on */
    int64_t since_ns, total_ns;
    int64_t last_ns; /* of its own events */
    int64_t own_base_ns;
    uint64_t uuid; /* of the track that describes it */
    af_off_state off;
    int64_t off_since_ns;
    int64_t off_ns[AF_OFF_STATES];
    int64_t slept_ns; /* the longest sleep since its last slice began or ended that ... */
    uint32_t waker;   /* ... this thread ended */
} af_timeline_thread;

typedef struct {
    gboolean known;
    int64_t tid;
    uint32_t thread;
} af_cpu_state;

/* Of the buffer of a CPU. */
typedef struct {
    uint64_t lost;  /* events */
    uint64_t gaps;  /* times that an unknown number was lost */
    uint64_t after; /* the last offset, + 1; 0 = none */
} af_cpu_losses;

/* The owner of a nest, for its name. */
typedef struct {
    uint32_t thread, process; /* AF_NO_TASK = none */
    uint32_t group;           /* of rows; AF_NO_GROUP = the thread's or process's own nest */
    uint32_t row;
    uint32_t extra; /* which extra nest of that one it is; 0 = itself */
} af_nest_owner;

#define AF_NO_GROUP UINT32_MAX

/* Whether the nest holds the calls of a thread. */
static inline gboolean af_nest_owner_is_thread(const af_nest_owner *owner)
{
    return owner->thread != AF_NO_TASK && owner->group == AF_NO_GROUP;
}

/* Rows that are one track. */
typedef struct {
    uint32_t thread, process;
    uint32_t name;
    uint32_t renamed_by; /* the track that may rename it; AF_NO_TRACK = none */
    af_array rows;       /* of af_track_row */
} af_row_group;

typedef struct {
    uint32_t nest;
    uint64_t holder;
} af_track_row;

typedef struct {
    af_track_text text;
    uint64_t uuid;
    gboolean described, resolved, broken;
    uint32_t thread, process; /* once resolved */
    uint32_t nest;            /* AF_NO_NEST: it is in the group */
    uint32_t group;
} af_track;

typedef struct {
    af_timeline_event event;
    uint32_t nest;
} af_stored_sample;

/* A series of markers in the sink. */
typedef struct {
    uint32_t number;     /* + 1; 0 = none yet */
    uint32_t categories; /* of its first marker, a text */
} af_stored_series;

/* The thread is that of the tasks; times are as in events. */
typedef struct {
    uint32_t thread;
    uint16_t state; /* af_run_state */
    uint16_t in_kernel;
    int64_t from_ns, to_ns;
} af_stored_state;

/* States that are written to the spool at once. */
#define AF_TIMELINE_STATES 1024u

struct af_timeline {
    af_sink *sink;
    af_slices *slices;
    af_nests *nests;
    af_texts texts;
    af_tasks *tasks;
    af_sorter *order;
    GError *error;
    int64_t kernel_start_ns, start_ns, latest_ns;
    int64_t least_marker_ns;
    af_timeline_counts counts;
    af_array threads;      /* of af_timeline_thread */
    af_array cpus;         /* of af_cpu_state */
    af_array losses;       /* of af_cpu_losses, by CPU */
    af_array owners;       /* of af_nest_owner, by nest */
    af_idtable tracks;     /* of af_track, by uuid */
    af_idtable groups;     /* of af_row_group, by key */
    af_idtable series;     /* of af_stored_series, by key */
    uint32_t nowhere_nest; /* + 1 */
    af_timeline_sample_func *take_sample;
    void *take_user;
    char *process;   /* which processes are drawn, as in the options; NULL = the default */
    gboolean is_own; /* written by aflame: the default is all processes, not an app */
    uint8_t *drawn;  /* by process, whether it is drawn; the last entry is for events without a
                       process. NULL = all */
    uint32_t n_drawn;
    af_idtable rivals;           /* of int64_t, by thread << 32 | the one that ran before it on its
                                    CPU: how long that one ran while it was runnable */
    af_spool *states;            /* of af_stored_state; NULL = the sink takes none */
    af_stored_state *new_states; /* AF_TIMELINE_STATES of them, not in the spool yet */
    unsigned n_new_states;
    af_spool *samples; /* of af_stored_sample, until it is known which processes are drawn */
};

/* States by number, created when needed; a shared dummy if memory is refused. */
af_timeline_thread *af_timeline_add_thread_state(af_timeline *timeline, uint32_t thread);
static inline af_timeline_thread *af_timeline_thread_state(af_timeline *t, uint32_t thread)
{
    return G_LIKELY(thread < t->threads.n) ? &AF_ARRAY_AT(&t->threads, af_timeline_thread, thread)
                                           : af_timeline_add_thread_state(t, thread);
}

/* Adds a nest. AF_NO_NEST if memory is refused. */
uint32_t af_timeline_add_nest(af_timeline *timeline, const af_nest_owner *owner);

/* The process of a nest. A thread may have joined its process after its first slice. */
uint32_t af_timeline_process_of_owner(const af_timeline *timeline, const af_nest_owner *owner);

/* The name of a process, or that of its main thread if no event names the process; may be empty. */
af_span af_timeline_process_name(const af_timeline *timeline, uint32_t process);

/* The own nest of a thread or of a process, created on first use. */
uint32_t af_timeline_nest_of_thread(af_timeline *timeline, uint32_t thread);
uint32_t af_timeline_nest_of_process(af_timeline *timeline, uint32_t process);

/* The CPU time of a thread at `ns`; AF_NO_CPU without a scheduler. */
int64_t af_timeline_cpu_ns(af_timeline *timeline, uint32_t thread, int64_t ns);

/* The CPU time of an event on a thread's nest. */
void af_timeline_clock(af_timeline *timeline, uint32_t thread, af_nest_event *event);

/* Passes on the scheduler times of a thread since the last event of its nest. */
void af_timeline_pass_waits(af_timeline *timeline, uint32_t thread, uint32_t nest, int64_t ns);

/* Adds the waiting of threads that still wait at the end of the recording. */
void af_timeline_end_scheduling(af_timeline *timeline);

/* Passes on the states of the drawn threads. `origin_ns` becomes 0. */
void af_timeline_give_states(af_timeline *timeline, int64_t origin_ns);

/* Processes an event of a track or of the kernel, in order of time. */
void af_timeline_take_track_event(af_timeline *timeline, const af_timeline_event *event);
void af_timeline_take_kernel_event(af_timeline *timeline, const af_timeline_event *event);

/* The nest for an event of a track. AF_NO_NEST if it has none. */
uint32_t af_timeline_nest_of_track(af_timeline *timeline, const af_timeline_event *event);

/* Determines the owner of tracks that have no events, for their names. */
void af_timeline_resolve_tracks(af_timeline *timeline);

/* What groups of rows belong to: events of the kernel, or tracks and their parents. */
typedef enum {
    AF_ROWS_ASYNC = 1,
    AF_ROWS_OF_NONE,
    AF_ROWS_OF_THREAD,
    AF_ROWS_OF_PROCESS,
    AF_ROWS_OF_GROUP,
    AF_ROWS_APART,
    AF_ROWS_PART,
    AF_ROWS_FUNCTIONS,
} af_rows_kind;

/* The nest for an event of the rows with a name of a thread or, with AF_NO_TASK, of a process; `holder`
 * has one of the rows until its slices have ended. AF_NO_NEST: an end that closes nothing, too many
 * rows, or memory is refused. */
uint32_t af_timeline_row(af_timeline *timeline, af_rows_kind rows, const af_nest_owner *of,
                         uint32_t name, uint64_t holder, af_event_kind kind, int64_t ns);

/* The thread of an event with `a` = tid and `b` = pid or AF_NO_PID. */
static inline uint32_t af_timeline_thread_of(const af_timeline *t, const af_timeline_event *e)
{
    return e->b == AF_NO_PID ? af_tasks_thread(t->tasks, (int32_t)e->a)
                             : af_tasks_thread_of(t->tasks, (int32_t)e->b, (int32_t)e->a);
}

/* Adds a marker of a process, AF_NO_TASK = none. */
void af_timeline_mark(af_timeline *timeline, af_marker_kind kind, uint32_t process, uint32_t name,
                      uint32_t nest, const af_timeline_event *event);

/* Whether not all processes are drawn. */
gboolean af_timeline_chooses(const af_timeline *timeline);
