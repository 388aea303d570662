/* The unit of an event's samples, by the event's name. */
#pragma once

#include "build/sink.h"

/* Starts the samples of an event; returns the clock that weighs them. Their unit is time on the CPU
 * for cpu-clock and task-clock; otherwise a count of cycles, instructions, cache-misses, or of
 * "events" if the name is missing or is one of tracing. `each`: every sample weighs 1. `offcpu`:
 * time on and off the CPU, from one recording; never with `each`. */
unsigned af_perf_start_samples(af_sink *sink, const char *event, gboolean each, gboolean offcpu,
                               af_samples_time time);

gboolean af_perf_is_cpu_time(const char *event);

/* The stack of a thread when it left the CPU, kept until the thread's next sample shows how long it
 * was off the CPU. Initialise to zero. */
typedef struct {
    uint32_t *methods; /* root first */
    size_t n;          /* 0 = the thread is on the CPU */
    uint64_t time_ns, offset;
} af_perf_away;

/* A thread leaves the CPU with the stack and time of `sample`. Returns FALSE when it is time to stop. */
gboolean af_perf_leave(af_sink *sink, af_perf_away *away, const af_sample *sample);

/* Call it when a thread appears at `time_ns`, before its sample: adds its time off the CPU, at least 1
 * ns, if it was off the CPU. Returns FALSE when it is time to stop. */
gboolean af_perf_return(af_sink *sink, af_perf_away *away, uint32_t thread, uint64_t time_ns);

void af_perf_away_clear(af_perf_away *away);

/* Returns whether a name matches the event: "cycles" matches "cycles:u", "sched_switch" matches
 * "sched:sched_switch". */
gboolean af_perf_is_event(const char *event, const char *wanted);

/* Finds the event that is wanted among the names (const char *); the first if `wanted` is NULL. FALSE
 * with AF_ERROR_USAGE, which lists them. */
gboolean af_perf_find_event(const af_array *names, const char *wanted, uint32_t *event,
                            GError **error);

/* For a line of facts: "cpu-cycles:u", or "cpu-cycles:u (1 of 2 events)" if there are several. */
void af_perf_report_event(af_sink *sink, const char *event, unsigned number, unsigned of);
