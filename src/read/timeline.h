/* The timeline: events of the kernel and of programs, put in order of time and turned into slices,
 * samples and markers.
 *
 * A reader adds events in any order; those at the same time keep the order in which they came. At
 * the end the timeline sorts them, tracks processes, threads and the thread on each CPU, and passes
 * everything to the sink. Strings are texts (read/texts.h); threads and processes are ids of the
 * kernel.
 *
 * CPU time comes from the events of the scheduler: from the switch to a thread until the next
 * switch on the same CPU. If that switch names another outgoing thread, events are missing: the
 * thread then counts as running only until the last event that it wrote itself. */
#pragma once

#include "read/nests.h"
#include "read/tasks.h"

typedef struct af_timeline af_timeline;

/* No process, in `b` of an event. */
#define AF_NO_PID UINT32_MAX

#define AF_NO_TRACK UINT32_MAX

/* `a`, `b`, `name`, `extra` and `value` of each kind; unnamed ones are unused. */
typedef enum {
    /* a = track, name, extra = category, cpu by cpu_kind */
    AF_EVENT_BEGIN,
    AF_EVENT_END,
    AF_EVENT_WHOLE, /* value = its length */
    AF_EVENT_PASS,  /* where a whole slice ends */
    AF_EVENT_STATE, /* ends the slice of the state before and begins one, unless name = AF_NO_TEXT */
    AF_EVENT_INSTANT,
    AF_EVENT_COUNTER, /* value = thousandths */
    /* a = tid, b = pid or AF_NO_PID */
    AF_EVENT_THREAD,  /* name, extra = its rank */
    AF_EVENT_PROCESS, /* b = pid; name, extra = its rank, value = user id + 1 or 0 */
    AF_EVENT_SAMPLE,  /* name and extra are the caller's, value = the weight */
    /* from here on of the kernel; marks have a = tid, b = pid or AF_NO_PID */
    AF_EVENT_MARK_BEGIN, /* name */
    AF_EVENT_MARK_END,
    AF_EVENT_MARK_INSTANT,       /* name */
    AF_EVENT_MARK_COUNTER,       /* name, value = thousandths; b = AF_NO_PID: of no process */
    AF_EVENT_MARK_ASYNC_BEGIN,   /* name, extra = name of the track, value = cookie */
    AF_EVENT_MARK_ASYNC_END,     /* extra = name of the track, value = cookie */
    AF_EVENT_MARK_ASYNC_INSTANT, /* name, extra = name of the track */
    AF_EVENT_FUNCTION_BEGIN,     /* of the kernel: name */
    AF_EVENT_FUNCTION_END,
    AF_EVENT_SWITCH,   /* a = tid out, b = tid in, name and extra their comms, value = CPU | the
                          af_off_state of `a` << 32; cpu_ns = 1: `a` is whoever ran before */
    AF_EVENT_NEW_TASK, /* a = tid of the caller, b = new tid, name, value = clone flags */
    AF_EVENT_RENAME,   /* a = tid, name */
    AF_EVENT_END_TASK, /* a = tid, name */
    AF_EVENT_MENTION,  /* a = tid, name: the thread exists */
    AF_EVENT_WAKE,     /* a = tid, name: the thread no longer sleeps; b = tid of the waker, or
                          AF_NO_PID: whoever runs on the CPU that is value - 1 (0 = not known) */
} af_event_kind;

#define AF_EVENT_FIRST_OF_KERNEL AF_EVENT_MARK_BEGIN

typedef struct {
    int64_t ns;
    int64_t value, cpu_ns;
    uint32_t a, b, name, extra;
    uint8_t kind, cpu_kind; /* af_event_kind, af_nest_cpu_kind */
} af_timeline_event;

/* Why a thread does not run. */
typedef enum {
    AF_OFF_UNKNOWN,
    AF_OFF_RUNNABLE, /* no processor is free for it */
    AF_OFF_SLEEPING,
    AF_OFF_BLOCKED, /* uninterruptible: a disk, a page fault, a driver */
    AF_OFF_OTHER,   /* stopped, traced, parked, dead */
    AF_OFF_STATES,
} af_off_state;

/* The state as the kernel numbers it; flags above the known ones mean that it was pre-empted. */
af_off_state af_off_state_of(uint64_t prev_state);

/* `cpu_kind` of a sample: its `a` is a track. */
#define AF_SAMPLE_OF_TRACK 1

/* How tracks with the same parent and name are merged: they are shown as one track, and each of its
 * rows shows one of them at a time. */
typedef enum { AF_TRACKS_BY_NAME, AF_TRACKS_APART, AF_TRACKS_BY_KEY } af_track_merge;

typedef enum {
    AF_TRACK_GLOBAL,     /* undescribed, or under a parent */
    AF_TRACK_IN_PROCESS, /* one of many in a process */
    AF_TRACK_PROCESS,
    AF_TRACK_THREAD,
} af_track_kind;

/* The description of a track; 0 and AF_NO_TEXT = not stated. */
typedef struct {
    af_track_kind kind;
    int64_t pid, tid;
    uint64_t parent; /* the uuid of another track; 0 = none */
    uint32_t name, key;
    af_track_merge merge;
    gboolean own_nest;  /* a thread's track that is apart from its other slices */
    gboolean local_tid; /* the tid is unique within its process only */
} af_track_text;

/* A sample in order of time. `thread` is the sink's number. */
typedef void af_timeline_sample_func(void *user, uint32_t thread, const af_timeline_event *event);

/* `sink` is borrowed. */
af_timeline *af_timeline_new(af_sink *sink, const af_open_options *options);
void af_timeline_free(af_timeline *timeline);

af_texts *af_timeline_texts(af_timeline *timeline);

void af_timeline_add(af_timeline *timeline, const af_timeline_event *event);

/* Events of the kernel before `ns` are left out and counted; the latest such time counts. */
void af_timeline_set_kernel_start(af_timeline *timeline, int64_t ns);

/* The kernel's buffer of a CPU lost events, 0 = not known how many; `offset` as in warnings. */
void af_timeline_lose(af_timeline *timeline, uint64_t cpu, uint64_t n_events, uint64_t offset);

/* Counts what the kernel lost and lists it by CPU. Call it once, before an end. */
void af_timeline_report_losses(af_timeline *timeline);

/* Events of tracks before `ns` are left out. */
void af_timeline_set_start(af_timeline *timeline, int64_t ns);

/* The number of a track, given by its uuid: a new one, undescribed, if it has none. AF_NO_TRACK
 * only if memory is refused. */
uint32_t af_timeline_track(af_timeline *timeline, uint64_t uuid);

/* The track of a thread's own slices, without a uuid. */
uint32_t af_timeline_thread_track(af_timeline *timeline, int64_t pid, int64_t tid);

/* Describes a track. A second description that contradicts the first is ignored and counted, except
 * that it may add a name, and rename a track that is apart. */
void af_timeline_describe_track(af_timeline *timeline, uint64_t uuid, const af_track_text *text);
gboolean af_timeline_has_name(const af_timeline *timeline, uint32_t track);

/* The numbers of slices, and events of the scheduler and of tracks and marks added so far. */
typedef struct {
    uint64_t slices, samples, switches, wakes, instants, counters;
    uint64_t early; /* events left out */
} af_timeline_counts;
af_timeline_counts af_timeline_get_counts(const af_timeline *timeline);

/* Passes slices, instants and counters to the sink. Returns FALSE with an error. */
gboolean af_timeline_finish_slices(af_timeline *timeline, GError **error);

/* Passes samples to `take`, and the threads to the sink. The caller has started the sink. */
gboolean af_timeline_finish_samples(af_timeline *timeline, af_timeline_sample_func *take,
                                    void *user, GError **error);

/* aflame wrote the input: all processes are drawn by default, not only an app, and names of threads
 * are final. It stated `facts` (base/own_trace.h). */
void af_timeline_set_own(af_timeline *timeline, unsigned facts);

/* Zeros for each process so far and for samples without a process. NULL if memory is refused. */
uint64_t *af_timeline_new_weights(af_timeline *timeline);

/* Chooses the processes to draw by the options, once all are known, and all if `weights` is NULL.
 * FALSE with AF_ERROR_USAGE if none has the name. */
gboolean af_timeline_choose_processes(af_timeline *timeline, const uint64_t *weights,
                                      GError **error);
gboolean af_timeline_draws(const af_timeline *timeline, uint32_t process);

/* The number of a process, and of processes so far. */
uint32_t af_timeline_process(af_timeline *timeline, int64_t pid);
uint32_t af_timeline_n_processes(const af_timeline *timeline);

/* For samples that belong to a process and not to a thread. These functions take the events that
 * name processes, return the sink's number of a part of a process, which is created on first use,
 * and name all threads and processes at the end. */
gboolean af_timeline_finish_names(af_timeline *timeline, GError **error);
uint32_t af_timeline_process_part(af_timeline *timeline, int64_t pid, uint32_t name);
void af_timeline_name_threads(af_timeline *timeline);
