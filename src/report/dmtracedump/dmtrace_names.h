/* Methods and threads as dmtracedump has them: every line of the text for itself.
 *
 * Methods stand in ascending order of their ids, lines of one id in the order of the file. In front
 * of them are two that no line describes: what every thread runs in, and what all undefined ids
 * are taken for. */
#ifndef AF_REPORT_DMTRACEDUMP_DMTRACE_NAMES_H
#define AF_REPORT_DMTRACEDUMP_DMTRACE_NAMES_H

#include "base/arena.h"
#include "base/array.h"
#include "base/idmap.h"
#include "build/consumer.h"

#define AF_DMTRACE_TOPLEVEL 0u
#define AF_DMTRACE_UNKNOWN  1u

typedef struct {
    uint64_t id;
    size_t line;            /* its place among all */
    const char *class_name; /* or all there is, if `name` is NULL */
    const char *name;
    const char *signature; /* NULL if `name` is */
} af_dmtrace_method;

typedef struct {
    uint64_t id;
    size_t line;
    const char *name;
} af_dmtrace_thread;

typedef struct {
    af_arena *arena;
    gboolean quirks;  /* bytes as they stand, signatures with the file behind them */
    af_array methods; /* of af_dmtrace_method */
    af_array threads; /* of af_dmtrace_thread, ascending id */
    af_array ids;     /* uint64_t: of all methods that records name, by the reader's numbers */
    af_idmap by_id;   /* where no id has two lines: those of `methods`, from the third on */
} af_dmtrace_names;

void af_dmtrace_names_init(af_dmtrace_names *names, gboolean quirks);
void af_dmtrace_names_clear(af_dmtrace_names *names);

/* Collects them from a first reading. */
af_event_consumer af_dmtrace_names_listener(af_dmtrace_names *names);

/* For the second: hands events on. */
af_event_consumer af_dmtrace_names_listener_events(
    const af_dmtrace_names *names,
    gboolean (*events)(void *user, const af_sink *sink, const af_event *events, size_t n),
    void *user);

/* When that is over. FALSE if the machine refused memory. */
gboolean af_dmtrace_names_sort(af_dmtrace_names *names);

/* The number of the method with this id, AF_DMTRACE_UNKNOWN if there is none. Which of several
 * lines of an id it is, is what a search by halves meets first. */
uint32_t af_dmtrace_names_find(const af_dmtrace_names *names, uint64_t id);

static inline const af_dmtrace_method *af_dmtrace_names_at(const af_dmtrace_names *names,
                                                           uint32_t number)
{
    return &AF_ARRAY_AT(&names->methods, af_dmtrace_method, number);
}

#endif
