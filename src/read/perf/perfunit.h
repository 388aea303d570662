/* What samples of an event of perf weigh, by the event's name. */
#ifndef AF_READ_PERF_PERFUNIT_H
#define AF_READ_PERF_PERFUNIT_H

#include "build/sink.h"

/* Where an event's weights stand. */
typedef struct {
    af_unit unit; /* its name lies in `text` or is static */
    unsigned clocks, clock;
    char text[AF_UNIT_NAME_MAX + 1];
} af_perf_weights;

/* Time on the CPU for cpu-clock and task-clock, else so many cycles, instructions, cache-misses.
 * "events" of those without a name or traced by theirs. */
void af_perf_weigh(const char *event, af_perf_weights *weights);

/* Every sample weighs 1. */
void af_perf_weigh_each(af_perf_weights *weights);

/* Time on and off the CPU, from one recording. */
void af_perf_weigh_both(af_perf_weights *weights);

gboolean af_perf_is_cpu_time(const char *event);

/* The stack of a thread that the CPU has left, until the thread is seen again: then it is known for
 * how long. Begins as zeros. */
typedef struct {
    uint32_t *methods; /* root first */
    size_t n;          /* 0 = the thread is not away */
    uint64_t time_ns, place;
} af_perf_away;

/* Keeps what `sample` says. FALSE if the machine refuses memory. */
gboolean af_perf_leave(af_perf_away *away, const af_sample *sample);

/* The thread is seen at `time_ns`: `sample` becomes that of its time away, of 1 ns at least. FALSE
 * if it was not away. The methods are lent until it leaves again. */
gboolean af_perf_return(af_perf_away *away, uint64_t time_ns, af_sample *sample);

void af_perf_away_clear(af_perf_away *away);

/* Whether the event is the one that a name means: "cycles" for "cycles:u", "sched_switch" for
 * "sched:sched_switch". */
gboolean af_perf_is_event(const char *event, const char *wanted);

/* AF_ERROR_USAGE: the events that there are. */
void af_perf_refuse_event(const char *wanted, const char *const *events, GError **error);

/* For a line of facts: "cpu-cycles:u", of several "cpu-cycles:u (1 of 2 events)". */
void af_perf_report_event(af_sink *sink, const char *event, unsigned number, unsigned of);

#endif
