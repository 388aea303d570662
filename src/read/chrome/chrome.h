/* Inside of the reader of Chrome's trace events: chrome.c (the file), chrome_event.c (an event),
 * chrome_async.c (operations beside threads), chrome_samples.c (stacks that were seen) and
 * chrome_profile.c (the same as V8 writes them). */
#ifndef AF_READ_CHROME_CHROME_H
#define AF_READ_CHROME_CHROME_H

#include "base/sorter.h"
#include "read/frames.h"
#include "read/owners.h"
#include "read/pull.h"
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
    AF_FIELD_DEPTH, /* these two are our own, see export/chrome.c */
    AF_FIELD_ORDER,
    AF_FIELDS,
} af_chrome_field;

/* An event as it stands in the text. */
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
    af_owners *places;
    af_frames names;
    af_chrome_async *async;
    af_chrome_samples *samples;
    af_chrome_profiles *profiles;
    GString *room, *other_room; /* for texts with escapes */
    gboolean has_base;
    int64_t base_us;  /* times in ns count from here: ns since 1601 do not fit */
    int64_t least_ns; /* of marks */
} af_chrome;

static inline gboolean af_chrome_has(const af_chrome_event *event, af_chrome_field field)
{
    return (event->has >> field & 1) != 0;
}

/* NULL if the event has no such field. */
static inline const af_pull_value *af_chrome_get(const af_chrome_event *event,
                                                 af_chrome_field field)
{
    return af_chrome_has(event, field) ? &event->field[field] : NULL;
}

/* Takes one event, which begins with a brace. `room` is for keys with escapes. */
af_pull_state af_chrome_parse(af_pull *json, af_chrome_event *event, GString *room);

/* What it says. */
void af_chrome_take(af_chrome *chrome, const af_chrome_event *event);

/* Number or text of a value, which may be NULL: then 0. Numbers in quotes are numbers. */
af_owner_id af_chrome_id(const af_pull_value *value, GString *room);

/* A time in us as ns from the base. FALSE if it is none. */
gboolean af_chrome_ns(af_chrome *chrome, const af_pull_value *value, int64_t *ns);

/* A number of us as ns, from 0. FALSE if it is none. */
gboolean af_chrome_length(const af_pull_value *value, int64_t *ns);

/* The value of a key of an object; FALSE if there is none. */
gboolean af_chrome_member(af_span object, const char *key, af_pull_value *value);

/* ---- asynchronous operations: each gets a lane of its process, so that they lie in each other as
 * calls do; a lane whose operation is over takes the next one of the same name ---- */

typedef enum { AF_ASYNC_BEGIN, AF_ASYNC_END, AF_ASYNC_INSTANT } af_async_kind;

af_chrome_async *af_chrome_async_new(af_chrome *chrome);
void af_chrome_async_free(af_chrome_async *async);
void af_chrome_async_take(af_chrome_async *async, af_async_kind kind, const af_chrome_event *event,
                          gboolean old_form);

/* Hands all of them to the slices. FALSE with AF_ERROR_MEMORY. */
gboolean af_chrome_async_finish(af_chrome_async *async, GError **error);

/* ---- samples: frames know their callers, samples their frame and when it was seen ---- */

#define AF_NO_FRAME UINT32_MAX

af_chrome_samples *af_chrome_samples_new(af_chrome *chrome);
void af_chrome_samples_free(af_chrome_samples *samples);

/* "stackFrames": an object of frames by id. Frames of one process have its id in front. */
void af_chrome_samples_take_frames(af_chrome_samples *samples, af_span object,
                                   const af_owner_id *process);

/* One element of "samples", or an event that has a frame or a stack. */
void af_chrome_samples_take_sample(af_chrome_samples *samples, af_span object);
void af_chrome_samples_take_event(af_chrome_samples *samples, const af_chrome_event *event);

/* For who has frames of his own: a frame below `caller`, or AF_NO_FRAME; the number of who was
 * sampled; and what was seen there: AF_NO_FRAME = nothing ran. */
uint32_t af_chrome_samples_add_frame(af_chrome_samples *samples, uint32_t caller, uint32_t method);
uint32_t af_chrome_samples_of(af_chrome_samples *samples, const af_owner_id *process,
                              const af_owner_id *thread);
void af_chrome_samples_add(af_chrome_samples *samples, uint32_t of, int64_t ns, uint32_t frame);

/* How many there are; and hands them to the slices. FALSE with AF_ERROR_MEMORY. */
uint64_t af_chrome_samples_count(const af_chrome_samples *samples);
gboolean af_chrome_samples_finish(af_chrome_samples *samples, GError **error);

/* ---- V8's profiles: "Profile" and "ProfileChunk" events ---- */

af_chrome_profiles *af_chrome_profiles_new(af_chrome *chrome);
void af_chrome_profiles_free(af_chrome_profiles *profiles);

/* The instant "CpuProfile", a whole profile in one event (Chrome before 67). FALSE if it is not. */
gboolean af_chrome_profiles_take_whole(af_chrome_profiles *profiles, const af_chrome_event *event);

/* FALSE if the event is none of these. */
gboolean af_chrome_profiles_take(af_chrome_profiles *profiles, const af_chrome_event *event);

#endif
