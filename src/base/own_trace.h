/* What tells aflame's readers more about traces in other tools' formats that aflame wrote. */
#pragma once

#include <stdint.h>

/* The upper half of the trace_uuid of Perfetto traces: "aflame" and 1. They hold the chosen threads
 * of one profile, so a reader draws all their processes. */
#define AF_TRACE_UUID_MSB INT64_C(0x61666C616D650001)

/* pprof: the first comment. */
#define AF_TRACE_WRITER "exporter: aflame"

/* Perfetto: in front of the unit of samples whose weights have fractions: they count thousandths. */
#define AF_TRACE_THOUSANDTHS "1/1000 "

/* Chrome: keys in `otherData`: the unit of samples; whether one thread represents all of an input
 * that has none. */
#define AF_TRACE_WEIGHT_UNIT "weightUnit"
#define AF_TRACE_THREADLESS  "threadless"

/* Chrome: the `scope` of asynchronous events whose thread is a track of its own. */
#define AF_TRACE_TRACK "aflame track"

/* Chrome, Perfetto: the last category of slices whose categories are aflame's, not the input's. */
#define AF_TRACE_CATEGORY "aflame"

/* Facts about calls that formats of other tools have no words for. Chrome (`otherData`) and
 * speedscope (top level): the members AF_TRACE_FACTS; Perfetto: bits of the trace_uuid. */
enum {
    AF_TRACE_SAMPLED = 1,  /* the calls come from samples */
    AF_TRACE_OVERFLOW = 2, /* the buffer of the recorder overflowed */
    AF_TRACE_CPU = 4,      /* times are CPU time of the thread, not wall time */
};

#define AF_TRACE_UUID_FACTS(msb)  ((unsigned)((uint64_t)(msb) >> 8 & 0xFF))
#define AF_TRACE_UUID_WITH(facts) (AF_TRACE_UUID_MSB | (int64_t)(facts) << 8)

/* clang-format off */
#define AF_TRACE_FACTS(FACT) \
    FACT(AF_TRACE_SAMPLED, "calls", "sampled") \
    FACT(AF_TRACE_OVERFLOW, "buffer", "overflow") \
    FACT(AF_TRACE_CPU, "clock", "cpu")
/* clang-format on */
