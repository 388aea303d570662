/* The names of the events that the kernel counts, as perf and simpleperf spell them. */
#pragma once

#include <stdint.h>

/* Values of perf_event_attr.type. */
enum { AF_PERF_HARDWARE = 0, AF_PERF_SOFTWARE = 1, AF_PERF_TRACEPOINT = 2 };

/* Returns the name of an event by the type and config of its perf_event_attr; NULL = unknown. */
const char *af_perf_event_name(uint32_t type, uint64_t config);
