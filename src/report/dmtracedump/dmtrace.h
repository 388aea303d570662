/* The four tables of dmtracedump, byte for byte as that tool prints them.
 *
 * dmtracedump has rules of its own. All times are those of one clock: CPU where the trace has two.
 * An exit on an empty stack is a call since time 0 without children. Calls open at the end are
 * closed at the last record of their thread and get no time of their own. All undefined methods are
 * one. Backward clock steps are not detected. Where dmtracedump gives up (an exit that does not
 * match, a stack of 10,000 calls, thread numbers from 32,768 on) the rules of rebuild.h apply and
 * the tables are complete.
 *
 * The input is read twice: for the names, then for the records. Memory holds the sums of methods
 * and of pairs of methods, and the stacks. */
#pragma once

#include "base/idmap.h"
#include "base/out.h"
#include "report/dmtracedump/dmtrace_names.h"
#include "report/report.h"

typedef struct {
    af_clock clock;  /* AF_CLOCK_DEFAULT: CPU if the trace has it, otherwise wall */
    gboolean quirks; /* see af_dmtrace_names; text that is not a number is printed unchanged */
    gboolean all;    /* selected threads; NULL = those in the map */
    af_idmap threads;
    uint64_t tick_ns; /* of the clock if the times were scaled, otherwise 0 */
} af_dmtrace_options;

/* Sets the options of a request and reads the names into `names`, which the caller has initialised;
 * sorts them. AF_ERROR_USAGE for a profile that differs from its file, because records cannot be
 * matched to it. The caller clears the options in any case. */
gboolean af_dmtrace_begin(af_dmtrace_names *names, af_dmtrace_options *options,
                          const af_report_request *request, GError **error);
void af_dmtrace_options_clear(af_dmtrace_options *options);

/* The id of a thread, by its number in a reading, as other reports show it. */
uint64_t af_dmtrace_thread_id(const af_profile *profile, const af_sink *sink, uint32_t thread);

/* Totals of a method in us: [0] while it was open once, [1] while it was already open. */
typedef struct {
    uint64_t exclusive, inclusive;
    uint64_t top_exclusive; /* part of the exclusive time, when the method was open once */
    uint64_t calls[2];
    uint32_t rank; /* for the tables */
} af_dmtrace_sums;

/* The lists of related methods of each method. */
enum {
    AF_DMTRACE_PARENTS,
    AF_DMTRACE_PARENTS_AGAIN, /* when the method itself was open already */
    AF_DMTRACE_CHILDREN,
    AF_DMTRACE_CHILDREN_AGAIN, /* when the method was open more than once */
    AF_DMTRACE_LISTS,
};

/* An entry of such a list; its key in `edge_keys` names the two methods. */
typedef struct {
    uint64_t time, calls;
} af_dmtrace_edge;

typedef struct {
    const af_dmtrace_names *names;
    const af_dmtrace_options *options;
    af_dmtrace_sums *sums; /* by method */
    af_idmap edge_keys;    /* in order of first use */
    af_array edges;        /* of af_dmtrace_edge */
    af_array method_of;    /* uint32_t by the reader's number, + 1; 0 = not yet looked up */
    af_array stacks;       /* of af_dmtrace_stack by the reader's number of the thread */
    af_idmap open_keys;    /* thread and method */
    af_array open;         /* uint32_t: how often the method is open in the thread */
    uint64_t total;
    gboolean failed; /* out of memory */
} af_dmtrace;

/* `names`, sorted, and `options` are borrowed. */
void af_dmtrace_init(af_dmtrace *d, const af_dmtrace_names *names,
                     const af_dmtrace_options *options);
void af_dmtrace_clear(af_dmtrace *d);

/* Counts the records of the second pass. */
af_event_consumer af_dmtrace_listener(af_dmtrace *d);

/* Closes all open calls. FALSE if memory ran out at any time. */
gboolean af_dmtrace_finish(af_dmtrace *d);

/* Prints the tables. FALSE if out of memory. */
gboolean af_dmtrace_write(af_dmtrace *d, af_out *out);

/* ---- shared with the tables and with records.c ---- */

static inline uint64_t af_dmtrace_edge_key(uint32_t owner, unsigned list, uint32_t relative)
{
    return (uint64_t)owner << 32 | (uint64_t)relative << 2 | list;
}

/* The time of a record in us. */
static inline uint64_t af_dmtrace_time_us(const af_dmtrace_options *options, const af_sink *sink,
                                          const af_event *event)
{
    const uint64_t ticks = event->time[options->clock];
    if (options->tick_ns > 0) {
        return ticks * options->tick_ns / 1000;
    }
    return af_sink_tick_ns(sink) == 1 ? ticks / 1000 : ticks;
}

static inline gboolean af_dmtrace_wants(const af_dmtrace_options *options, const af_sink *sink,
                                        uint32_t thread)
{
    return options->all || af_idmap_look(&options->threads, af_idmap_id(af_sink_threads(sink),
                                                                        thread)) != AF_IDMAP_NONE;
}
