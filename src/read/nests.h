/* Nests: stacks of slices whose begins and ends arrive in order of time.
 *
 * A nest is a thread of the sink: a track of the recording, or one of the rows of a track. Its slices
 * nest by these rules:
 *   - An end closes the innermost open slice that it matches: of its category if it names one, of
 *     its name if both have one. Slices inside that one stay open until the next event after the
 *     end; then they are closed with it and counted.
 *   - A whole slice that starts inside another one and ends after it is truncated at its end, or
 *     moved to an extra nest; see af_nests_set_extra().
 *   - Slices that are open at the end of the recording last until then.
 * The CPU time of a nest is a running clock: begins and ends carry its value, or ends carry the CPU
 * time of their slice. */
#pragma once

#include "read/slices.h"
#include "read/texts.h"

#define AF_NO_NEST UINT32_MAX

/* What the `cpu_ns` of an event means. */
typedef enum {
    AF_NEST_NO_CPU,
    AF_NEST_CPU,          /* `cpu_ns` is the value of the thread's clock */
    AF_NEST_CPU_OF_SLICE, /* `cpu_ns` is that of the slice that ends */
} af_nest_cpu_kind;

typedef struct {
    uint32_t nest;
    uint32_t name;     /* a text; AF_NO_TEXT = none */
    uint32_t category; /* the same */
    int64_t ns;
    af_nest_cpu_kind cpu;
    int64_t cpu_ns;
} af_nest_event;

typedef struct {
    af_array open;
    uint32_t thread;   /* the sink's number */
    int64_t cpu_ns;    /* the clock so far */
    int64_t root_ns;   /* the begin of the outermost open slice */
    uint64_t total_ns; /* of the outermost slices that have ended */
    uint64_t n_slices, n_with_cpu;
    gboolean lacks_cpu; /* the CPU times of its events are ignored */
    gboolean has_waits;
    int64_t runnable_ns; /* so far */
    uint32_t extra;      /* the nest for slices that overlap its own; AF_NO_NEST = none yet */
} af_nest;

typedef struct {
    af_sink *sink;
    af_slices *slices;
    af_texts *texts;
    af_array nests;                                   /* of af_nest */
    uint32_t (*add_extra)(void *user, uint32_t nest); /* NULL = slices are truncated */
    void *extra_user;
} af_nests;

/* All are borrowed. */
af_nests *af_nests_new(af_sink *sink, af_slices *slices, af_texts *texts);
void af_nests_free(af_nests *nests);

/* Adds a nest and returns its number, which is also the id of its thread in the sink. */
uint32_t af_nests_add(af_nests *nests);

/* Moves whole slices that overlap to extra nests, which `add` adds: the nest to which `nest` is
 * extra, AF_NO_NEST if there are too many. */
void af_nests_set_extra(af_nests *nests, uint32_t (*add)(void *user, uint32_t nest), void *user);

static inline af_nest *af_nest_at(const af_nests *nests, uint32_t nest)
{
    return &AF_ARRAY_AT(&nests->nests, af_nest, nest);
}

/* Whether a slice of the nest is open at `ns`. */
gboolean af_nests_is_busy(af_nests *nests, uint32_t nest, int64_t ns);

void af_nests_begin(af_nests *nests, const af_nest_event *event);
void af_nests_end(af_nests *nests, const af_nest_event *event);

/* A slice whose length is known when it begins. `cpu_ns` is the clock at its begin;
 * AF_NEST_CPU_OF_SLICE gives its CPU time instead. */
void af_nests_whole(af_nests *nests, const af_nest_event *event, int64_t length_ns);

/* Sets the scheduler times of the thread of a nest before its next event: the total time in which
 * it was runnable, and its longest sleep since the previous call of this function that another
 * thread ended, with the number of that thread; 0 = none. */
void af_nests_wait(af_nests *nests, uint32_t nest, int64_t runnable_ns, int64_t slept_ns,
                   uint32_t waker);

/* Closes the slices that ended at or before the event's time; the event carries the CPU time. */
void af_nests_pass(af_nests *nests, const af_nest_event *event);

/* Closes everything at the end of the recording. `cpu_at` (may be NULL) tells the CPU time of a
 * nest at that time; AF_NO_CPU = not known. */
void af_nests_finish(af_nests *nests, int64_t end_ns,
                     int64_t (*cpu_at)(void *user, uint32_t nest, int64_t ns), void *user);
