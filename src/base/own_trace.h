/* What tells aflame's readers more about traces in other tools' formats that aflame wrote. */
#ifndef AF_BASE_OWN_TRACE_H
#define AF_BASE_OWN_TRACE_H

#include <stdint.h>

/* The upper half of the trace_uuid of Perfetto traces: "aflame" and 1. They hold the chosen threads
 * of one profile, so a reader draws all their processes. */
#define AF_TRACE_UUID_MSB INT64_C(0x61666C616D650001)

/* Perfetto: in front of the unit of samples whose weights have fractions: they count thousandths. */
#define AF_TRACE_THOUSANDTHS "1/1000 "

/* Chrome: keys in `otherData`: the unit of samples; whether one thread represents all of an input
 * that has none. */
#define AF_TRACE_WEIGHT_UNIT "weightUnit"
#define AF_TRACE_THREADLESS  "threadless"

#endif
