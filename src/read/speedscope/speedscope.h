/* Internals of the reader of speedscope's files: speedscope.c (parses and stores the text) and
 * speedscope_events.c (turns it into events).
 *
 * Keys may be in any order: calls before their unit, stacks before their weights, and frames after
 * everything else. */
#pragma once

#include "base/array.h"
#include "base/spool.h"
#include "build/sink.h"

/* An index that no call and no stack uses. */
#define AF_SPEEDSCOPE_NO_FRAME UINT32_MAX

typedef enum { AF_MEASURE_NONE, AF_MEASURE_BYTES, AF_MEASURE_TIME } af_measure;

/* A profile of the file, and the position of its content in the spools. */
typedef struct {
    gboolean has_type, sampled;
    af_measure measure;
    unsigned digits;   /* a number of the file times ten to this power is in ns, or thousandths */
    char *name;        /* NULL = none */
    char *start, *end; /* the numbers of its range ends; NULL = none */
    uint64_t n_edges, edges_at;     /* O or C, frame, number */
    uint64_t n_stacks, stacks_at;   /* frame + 1 from the outermost in, then 0 */
    uint64_t n_weights, weights_at; /* numbers */
} af_speedscope_profile;

/* Small numbers take few bytes; numbers of the text are stored as text after their length. */
typedef struct {
    af_spool *spool;
    uint8_t *buffer; /* data that is not in the spool yet */
    size_t used;
    GError *error; /* the first error */
} af_speedscope_store;

enum { AF_SPEEDSCOPE_STORE_BYTES = 1 << 16, AF_LONGEST_FIGURE = 100 };

typedef struct {
    af_sink *sink;
    const char *unit;  /* the unit of numbers without one, as in af_open_options; may be NULL */
    char *title;       /* of all profiles; NULL = none */
    unsigned facts;    /* stated by aflame, see base/own_trace.h */
    af_array profiles; /* of af_speedscope_profile */
    uint32_t n_frames; /* the sink knows each as the method with id index << AF_ACTION_BITS */
    af_speedscope_store edges, stacks, weights;
} af_speedscope;

/* Passes everything to the sink. Returns FALSE with an error. */
gboolean af_speedscope_play(af_speedscope *speedscope, GError **error);
