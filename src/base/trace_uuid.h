/* The upper half of the trace_uuid of Perfetto traces that aflame writes: "aflame" and 1. They hold
 * the chosen threads of one profile, so a reader draws all their processes. */
#ifndef AF_BASE_TRACE_UUID_H
#define AF_BASE_TRACE_UUID_H

#include <stdint.h>

#define AF_TRACE_UUID_MSB INT64_C(0x61666C616D650001)

/* In front of the unit of their samples if the weights have fractions: they count thousandths. */
#define AF_TRACE_THOUSANDTHS "1/1000 "

#endif
