/* Internals of the reader of Chrome's trace events: chrome.c (the file), chrome_event.c (an event),
 * chrome_async.c (operations on their own tracks), chrome_samples.c and chrome_samples_play.c
 * (sampled stacks), chrome_profile.c (sampled stacks in V8's format). */
#pragma once

#include "base/sorter.h"
#include "read/frames.h"
#include "read/owners.h"
#include "read/jsonfile.h"
#include "read/slices.h"

typedef enum {
    AF_FIELD_NAME,
    AF_FIELD_CATEGORY,
    AF_FIELD_PHASE,
    AF_FIELD_TIME,
    AF_FIELD_LENGTH,
    AF_FIELD_CPU,
    AF_FIELD_CPU_LENGTH,
    AF_FIELD_PROCESS,
    AF_FIELD_THREAD,
    AF_FIELD_ID,
    AF_FIELD_ID2,
    AF_FIELD_SCOPE,
    AF_FIELD_SCOPE_OF, /* of an instant: g, p, t */
    AF_FIELD_ARGUMENTS,
    AF_FIELD_FRAME,
    AF_FIELD_STACK,
    AF_FIELD_WEIGHT,
    AF_FIELD_DEPTH, /* this and the next are aflame's own, see export/chrome.c */
    AF_FIELD_ORDER,
    AF_FIELDS,
} af_chrome_field;

/* An event as the text has it. */
typedef struct {
    unsigned has; /* bit 1 << field */
    af_pull_value field[AF_FIELDS];
} af_chrome_event;

typedef struct af_chrome_async af_chrome_async;
typedef struct af_chrome_samples af_chrome_samples;
typedef struct af_chrome_profiles af_chrome_profiles;

typedef struct {
    af_sink *sink;
    af_slices *slices;
    af_owners *owners;
    af_frames names;
    af_chrome_async *async;
    af_chrome_samples *samples;
    af_chrome_profiles *profiles;
    GString *buffer, *other_buffer; /* for texts with escapes */
    gboolean has_base;
    int64_t base_us;  /* ns count from here: ns since 1601 do not fit */
    int64_t least_ns; /* of markers */
    unsigned facts;   /* stated by aflame, see base/own_trace.h */
} af_chrome;

static inline gboolean af_chrome_has(const af_chrome_event *event, af_chrome_field field)
{
    return (event->has >> field & 1) != 0;
}

/* Returns NULL if the event lacks the field. */
static inline const af_pull_value *af_chrome_get(const af_chrome_event *event,
                                                 af_chrome_field field)
{
    return af_chrome_has(event, field) ? &event->field[field] : NULL;
}

/* Parses one event, which starts with a brace. `buffer` is for keys with escapes. */
af_pull_state af_chrome_parse(af_pull *json, af_chrome_event *event, GString *buffer);

/* Processes the event. */
void af_chrome_take(af_chrome *chrome, const af_chrome_event *event);

/* Returns the method of an event with this name and category; either may be NULL. */
uint32_t af_chrome_method(af_chrome *chrome, const af_pull_value *name,
                          const af_pull_value *category);

/* Returns the number or text of a value, 0 if it is NULL. Numbers in quotes are numbers. */
af_owner_id af_chrome_id(const af_pull_value *value, GString *buffer);

/* The ids of the process and the thread of an event, in `buffer` and `other_buffer`. */
af_owner_id af_chrome_process_id(const af_chrome *chrome, const af_chrome_event *event);
af_owner_id af_chrome_thread_id(const af_chrome *chrome, const af_chrome_event *event);

/* The sink's number of the thread of an event. */
uint32_t af_chrome_thread_of(af_chrome *chrome, const af_chrome_event *event);

/* Returns the method of an event. */
uint32_t af_chrome_method_of(af_chrome *chrome, const af_chrome_event *event);

/* Converts the time of an event. Returns FALSE with a warning if it has none. */
gboolean af_chrome_time(af_chrome *chrome, const af_chrome_event *event, int64_t *ns);

/* Adds a marker. */
void af_chrome_mark(af_chrome *chrome, af_marker_kind kind, const af_marker *mark);

/* Converts a time in us to ns from the base. Returns FALSE if it is not a number. */
gboolean af_chrome_ns(af_chrome *chrome, const af_pull_value *value, int64_t *ns);

/* Converts a duration in us to ns. Returns FALSE if it is not a number. */
gboolean af_chrome_length(const af_pull_value *value, int64_t *ns);

/* ---- asynchronous operations: each gets a track of its process, so that they nest as calls do;
 * after an operation has ended, the next one of the same name reuses its track ---- */

typedef enum { AF_ASYNC_BEGIN, AF_ASYNC_END, AF_ASYNC_INSTANT } af_async_kind;

af_chrome_async *af_chrome_async_new(af_chrome *chrome);
void af_chrome_async_free(af_chrome_async *async);
void af_chrome_async_take(af_chrome_async *async, af_async_kind kind, const af_chrome_event *event,
                          gboolean old_form);

/* Passes all operations to the slices. Returns FALSE with AF_ERROR_MEMORY. */
gboolean af_chrome_async_finish(af_chrome_async *async, GError **error);

/* ---- samples: frames refer to their callers, samples to their frame and time ---- */

#define AF_NO_FRAME UINT32_MAX

af_chrome_samples *af_chrome_samples_new(af_chrome *chrome);
void af_chrome_samples_free(af_chrome_samples *samples);

/* Reads "stackFrames": an object of frames by id. The frames of a process have its id as a
 * prefix. */
void af_chrome_samples_take_frames(af_chrome_samples *samples, af_span object,
                                   const af_owner_id *process);

/* Takes one element of "samples", or an event that has a frame or a stack. */
void af_chrome_samples_take_sample(af_chrome_samples *samples, af_span object);
void af_chrome_samples_take_event(af_chrome_samples *samples, const af_chrome_event *event);

/* For callers that hold frames themselves: adds a frame below `caller`, or AF_NO_FRAME; returns the
 * number of a sampled thread; adds a sample of it, AF_NO_FRAME = nothing ran. */
uint32_t af_chrome_samples_add_frame(af_chrome_samples *samples, uint32_t caller, uint32_t method);
uint32_t af_chrome_samples_of(af_chrome_samples *samples, const af_owner_id *process,
                              const af_owner_id *thread);
void af_chrome_samples_add(af_chrome_samples *samples, uint32_t of, int64_t ns, uint32_t frame);

uint64_t af_chrome_samples_count(const af_chrome_samples *samples);

/* The median time between two samples of a thread, after they are finished; 0 = no thread has two. */
uint64_t af_chrome_samples_interval_ns(const af_chrome_samples *samples);

/* Stores the unit of the weights, if the value is a string. */
void af_chrome_samples_take_unit(af_chrome_samples *samples, const af_pull_value *unit);

/* Whether weights of samples count instead of the times between samples: they differ, or the file
 * has their unit. */
gboolean af_chrome_samples_are_weighted(const af_chrome_samples *samples);

/* Passes the samples to the slices; returns FALSE with AF_ERROR_MEMORY. */
gboolean af_chrome_samples_finish(af_chrome_samples *samples, GError **error);

/* The same, but passes them to the sink with their weights, instead of slices. `unit` as in
 * af_open_options; one that the file states has priority. */
gboolean af_chrome_samples_finish_weighted(af_chrome_samples *samples, const char *unit,
                                           GError **error);

/* ---- V8's profiles: "Profile" and "ProfileChunk" events ---- */

af_chrome_profiles *af_chrome_profiles_new(af_chrome *chrome);
void af_chrome_profiles_free(af_chrome_profiles *profiles);

/* Takes a .cpuprofile file: one object, which may be cut short, with the nodes and samples of a
 * thread. Returns whether there are samples. */
gboolean af_chrome_profiles_take_file(af_chrome_profiles *p, const af_pull_value *tree,
                                      gboolean cut);

/* Takes the instant "CpuProfile", a whole profile in one event (Chrome before 67). Returns FALSE
 * for any other event. */
gboolean af_chrome_profiles_take_whole(af_chrome_profiles *profiles, const af_chrome_event *event);

/* Returns FALSE if the event is neither of these. */
gboolean af_chrome_profiles_take(af_chrome_profiles *profiles, const af_chrome_event *event);
