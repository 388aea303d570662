/* Methods and threads as dmtracedump defines them: each line of the text is a row of its own.
 *
 * Methods are in ascending order of id, lines with the same id in file order. Two methods without a
 * line come first: the root of every thread, and the one for all undefined ids. */
#pragma once

#include "base/arena.h"
#include "base/array.h"
#include "base/idmap.h"
#include "build/consumer.h"

#define AF_DMTRACE_TOPLEVEL 0u
#define AF_DMTRACE_UNKNOWN  1u

typedef struct {
    uint64_t id;
    size_t line;            /* its position in the whole list */
    const char *class_name; /* the whole line if `name` is NULL */
    const char *name;
    const char *signature; /* NULL if `name` is NULL */
} af_dmtrace_method;

typedef struct {
    uint64_t id;
    size_t line;
    const char *name;
} af_dmtrace_thread;

typedef struct {
    af_arena *arena;
    gboolean quirks;  /* unchanged bytes; a signature includes the source file after it */
    af_array methods; /* of af_dmtrace_method */
    af_array threads; /* of af_dmtrace_thread, ascending id */
    af_array ids;     /* uint64_t: ids of all methods in records, by the numbers of the reader */
    af_idmap by_id;   /* if no id has two lines: those of `methods`, from the third on */
} af_dmtrace_names;

void af_dmtrace_names_init(af_dmtrace_names *names, gboolean quirks);
void af_dmtrace_names_clear(af_dmtrace_names *names);

/* Collects the names during the first pass. */
af_event_consumer af_dmtrace_names_listener(af_dmtrace_names *names);

/* Passes events on during the second pass. */
af_event_consumer af_dmtrace_names_listener_events(
    const af_dmtrace_names *names,
    gboolean (*events)(void *user, const af_sink *sink, const af_event *events, size_t n),
    void *user);

/* For inputs whose readers pass no lines about threads. */
void af_dmtrace_names_add_thread(af_dmtrace_names *names, uint64_t id, af_span name);

/* Ends the first pass. FALSE if out of memory. */
gboolean af_dmtrace_names_sort(af_dmtrace_names *names);

/* The number of the method with this id, AF_DMTRACE_UNKNOWN if none. If several lines have the id,
 * returns the one that a binary search meets first. */
uint32_t af_dmtrace_names_find(const af_dmtrace_names *names, uint64_t id);

static inline const af_dmtrace_method *af_dmtrace_names_at(const af_dmtrace_names *names,
                                                           uint32_t number)
{
    return &AF_ARRAY_AT(&names->methods, af_dmtrace_method, number);
}
