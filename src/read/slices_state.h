/* Internals of slices.c (stores slices) and slices_order.c (passes them to the sink). */
#pragma once

#include "base/array.h"
#include "base/sorter.h"
#include "base/spool.h"
#include "base/tally.h"
#include "read/slices.h"

#define AF_SLICES_BATCH 1024

/* The buffer for the spool, and the most bytes that one stored entry takes. */
#define AF_SLICES_BUFFER ((size_t)64 * 1024)
#define AF_SLICES_THING  ((size_t)64)

/* A wait has its waker as method, and as lengths the time it was runnable and that it slept. */
typedef enum { AF_STORED_BEGIN, AF_STORED_END, AF_STORED_WHOLE, AF_STORED_WAIT } af_stored_kind;

typedef struct {
    af_stored_kind kind;
    uint32_t thread, method;
    int64_t ns, length_ns, cpu_ns, cpu_length_ns;
    uint64_t nesting; /* order << 31 | depth; 0 = not declared; 1 in the end of an open slice */
} af_stored_slice;

/* Each stored entry is a difference from the previous one. */
typedef struct {
    uint32_t thread;
    int64_t ns, cpu_ns;
} af_stored_previous;

/* An open slice; the last two are unknown if the begin has no end. */
typedef struct {
    uint32_t method;
    gboolean endless;
    uint64_t number;
    int64_t ns, cpu_ns, end_ns, cpu_end_ns;
} af_open_slice;

typedef struct {
    gboolean has_edges, has_wholes; /* kinds of input */
    gboolean edges_unordered, wholes_unordered;
    gboolean omitted;
    int64_t last_edge_ns;
    int64_t last_begin_ns, last_end_ns; /* of whole slices */
    int64_t most_ns;                    /* the latest time */
    int64_t least_cpu_ns;               /* INT64_MAX = none */
    int64_t cpu_ns, out_ns;             /* of the last event passed to the sink */
    uint64_t n_slices, n_with_cpu;
    gboolean has_cpu;    /* most slices have CPU times; known at the end */
    af_array open;       /* of af_open_slice */
    af_tally *names;     /* how often each method is open; NULL until needed */
    uint32_t of;         /* the thread whose extra track this is */
    uint32_t extra;      /* which of its extra tracks; 0 = the thread itself */
    uint32_t next_extra; /* number of the next extra track + 1; 0 = not created */
} af_slice_thread;

struct af_slices {
    af_sink *sink;
    af_slices_rules rules;
    af_spool *spool;
    uint8_t buffer[AF_SLICES_BUFFER];
    size_t used; /* of `buffer` */
    af_stored_previous previous;
    af_array threads; /* of af_slice_thread, by number */
    uint64_t nesting; /* of the next whole slice */
    uint64_t n_stored, n_waits, n_unordered;
    uint64_t scale; /* of the wall times, in millionths; 0 = none */
    int64_t least_ns;
    GError *error; /* the first one */

    unsigned facts;    /* stated by aflame, see base/own_trace.h */
    gboolean cpu_only; /* times are of the CPU clock */
    gboolean has_cpu, stopped;
    af_sorter *edges, *wholes; /* created when needed */
    size_t sorted_size;
    af_event batch[AF_SLICES_BATCH];
    size_t filled;
};

/* Returns a thread by its number, which may be new; pointers to other threads become invalid.
 * Returns NULL if memory is refused. */
af_slice_thread *af_slices_thread(af_slices *slices, uint32_t number);

/* Decodes the stored entry at *at and moves *at past it. */
void af_stored_slice_decode(af_stored_previous *previous, const uint8_t **at,
                            af_stored_slice *stored);
