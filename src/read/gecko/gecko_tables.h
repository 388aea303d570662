/* The tables of a thread: samples refer to stacks, stacks to their callers and frames, frames to
 * functions or names. Reads them from both formats of the Firefox Profiler. */
#pragma once

#include "base/array.h"
#include "base/pull.h"
#include "build/sink.h"

/* Instead of an index or a number: null, missing or invalid. */
#define AF_GECKO_NONE INT64_MIN

typedef struct {
    int64_t prefix, frame;
    uint32_t owner; /* number of the thread that `stack` belongs to, from 1; 0 = none yet */
    uint32_t stack; /* of the sink */
} af_gecko_stack;

/* Tables that all threads of a processed profile may share. */
enum {
    AF_GECKO_STRINGS,   /* of af_pull_value */
    AF_GECKO_STACKS,    /* of af_gecko_stack */
    AF_GECKO_FRAMES,    /* of int64_t, as all others: function; in a Gecko profile: string */
    AF_GECKO_FUNCTIONS, /* string, and resource */
    AF_GECKO_RESOURCES, /* string */
    AF_GECKO_TABLES
};

typedef struct {
    gboolean parsed;
    af_array items;  /* may be empty */
    af_array others; /* the second column of AF_GECKO_FUNCTIONS */
} af_gecko_table;

typedef struct {
    af_pull_value values[AF_GECKO_TABLES];  /* without bytes: not shared */
    af_gecko_table tables[AF_GECKO_TABLES]; /* those that a thread has needed so far are parsed */
    af_array methods;                       /* of frames whose names all threads share */
} af_gecko_shared;

/* The tables of a thread. */
typedef struct {
    af_sink *sink;
    af_gecko_table own[AF_GECKO_TABLES];
    const af_gecko_table *tables[AF_GECKO_TABLES]; /* its own or shared ones */
    af_array own_methods, *methods; /* of uint32_t, by frame: method + 1, 0 = not known yet */
    af_array sample_stacks, times, weights; /* of int64_t */
} af_gecko_tables;

typedef enum {
    AF_GECKO_UNIT_NOT_KNOWN,
    AF_GECKO_UNIT_SAMPLES,
    AF_GECKO_UNIT_TIME,
    AF_GECKO_UNIT_BYTES
} af_gecko_unit;

/* Empty tables, whose memory and failures count for the sink. */
void af_gecko_tables_init(af_gecko_tables *t, af_sink *sink);
void af_gecko_tables_clear(af_gecko_tables *t);

/* All tables of a thread of a Gecko profile. */
void af_gecko_tables_take(af_gecko_tables *t, af_span thread);

/* The samples of a thread of a processed profile, then its other tables. The unit is that of the
 * weights. */
af_gecko_unit af_gecko_tables_take_samples(af_gecko_tables *t, af_span thread);
void af_gecko_tables_take_processed(af_gecko_tables *t, af_span thread, af_gecko_shared *shared);

/* The shared tables of a profile; `object` may be empty. They are parsed when a thread needs them. */
void af_gecko_shared_init(af_gecko_shared *shared, af_sink *sink, af_span object);
void af_gecko_shared_clear(af_gecko_shared *shared);

/* The element of a column of numbers; AF_GECKO_NONE outside of it. */
int64_t af_gecko_number_at(const af_array *column, int64_t index);

/* A string of the table; empty outside of it. */
af_span af_gecko_text_at(const af_array *strings, int64_t index, GString *buffer);

/* Whether a value was found and is of this kind. */
gboolean af_gecko_is(const af_pull_value *value, af_pull_kind kind);
