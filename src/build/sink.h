/* The sink: the reader's side of the profile builder.
 *
 * A reader fills in af_sink_facts(), declares methods and threads, announces the clocks with
 * af_sink_start(), passes events in batches, and names the threads at the end. Methods and threads
 * have an id, which comes from the file, and a number, which the sink assigns in order of first
 * use. Ids may be used before they are defined: they are resolved at the end. The sink copies every
 * string that it receives.
 *
 * The sink is opaque: readers see neither trees nor a profile. When memory is refused, the sink
 * records the failure and ignores further calls, so readers need not check each call. */
#pragma once

#include <aflame/open.h>
#include "base/arena.h"
#include "base/capacity.h"
#include "base/idmap.h"
#include "base/span.h"
#include "base/utf8.h"
#include "build/event.h"
#include "model/annotation.h"
#include "model/facts.h"
#include "model/frame_timeline.h"
#include "model/markers.h"
#include "model/warning.h"

typedef struct af_sink af_sink;

/* A method as its line describes it; bytes == NULL means that the file lacks the column. `whole` is
 * set if the line has only a name: the name is then shown unchanged. */
typedef struct {
    af_span class_name, name, signature, source;
    af_span library; /* with its folder */
    af_span nowhere; /* hex digits of its address, if it lies in no file */
    af_span group;   /* its category as the file names it */
    af_span columns; /* all of them with their tabs; only for raw consumers */
    int32_t line;    /* -1 = not known */
    gboolean whole;
    gboolean slashed; /* shown with slashes between packages, as the text has them */
    af_annotation annotation;
} af_method_text;

/* The owner of a thread, in a file with processes. There the reader numbers the threads itself,
 * because two processes may use one thread id. */
typedef struct {
    uint64_t id;       /* to be shown */
    uint32_t process;  /* from af_sink_add_process(), or AF_NO_PROCESS */
    uint64_t rank;     /* threads are listed in ascending order of it */
    gboolean is_track; /* belongs to no thread, as asynchronous slices do */
    uint32_t rival;    /* as in af_thread */
    uint64_t rival_ns;
} af_thread_owner;

/* Longer names are truncated. A class file limits names to 65,535 bytes; nothing limits the names
 * of threads, and each is in memory as a whole. */
#define AF_LONGEST_NAME ((size_t)AF_WORK(16, 2) * 1024 * 1024)

/* ---- the input ---- */

/* What the input declares; the reader fills it in. */
af_facts *af_sink_facts(af_sink *sink);
af_container af_sink_container(const af_sink *sink);

/* Declares a format that is not Android's, and what its records are called; NULL = records. */
void af_sink_set_format(af_sink *sink, const char *name, const char *title, const char *record);

/* A key=value line of the file, and all of them so far, cleaned. */
void af_sink_add_fact(af_sink *sink, af_span key, af_span value);
const af_fact *af_sink_key_values(const af_sink *sink, size_t *n);

/* The size of the input in bytes, for progress; 0 = not known. */
void af_sink_set_total(af_sink *sink, uint64_t bytes);

/* The meaning of an id that is never defined. */
typedef enum {
    AF_UNDEFINED_UNKNOWN = 0,
    AF_UNDEFINED_PROXY,         /* a method of a dynamic proxy */
    AF_UNDEFINED_PROXY_GUESSED, /* the same; the builder may pair it with an unused
                                   definition: ART lists the proxied method but records the
                                   proxy's id */
} af_undefined_kind;
void af_sink_set_undefined(af_sink *sink, af_undefined_kind undefined);

/* The number of threads that the reader may use. */
unsigned af_sink_jobs(const af_sink *sink);

/* Whether the consumer needs every record and line exactly as in the file. */
gboolean af_sink_is_raw(const af_sink *sink);

void af_sink_warn(af_sink *sink, af_warning_kind kind, uint64_t n, uint64_t offset);

/* How often the warning was counted so far. */
uint64_t af_sink_warned(const af_sink *sink, af_warning_kind kind);

/* ---- memory and cancellation ---- */

/* Declares that memory was refused to the reader: no profile can be made. */
void af_sink_fail(af_sink *sink);
void af_sink_fail_if(af_sink *sink, gboolean refused);
gboolean af_sink_has_failed(const af_sink *sink);

/* Whether to stop reading: cancelled, or memory was refused. */
gboolean af_sink_is_stopped(const af_sink *sink);

/* For a reader that passes events at the end: reports `n` more bytes as read. Returns FALSE when it
 * is time to stop. */
gboolean af_sink_advance(af_sink *sink, size_t n);

/* Counts the memory that the reader itself uses for names, frames, threads and tables: the arrays
 * and maps of readers add to it. It counts together with the memory of the sink. */
af_meter *af_sink_meter(af_sink *sink);

/* The limit of memory; 0 = none. */
uint64_t af_sink_max_memory(const af_sink *sink);

/* Whether `bytes` more are within the limit of memory; otherwise the reading ends. */
gboolean af_sink_fits(af_sink *sink, uint64_t bytes);

/* Whether the limit of memory ended the reading. */
gboolean af_sink_is_full(const af_sink *sink);

/* Holds what lives as long as the profile. */
af_arena *af_sink_arena(af_sink *sink);

/* Returns a zero-terminated copy that lives as long as the profile; NULL if memory is refused. */
const char *af_sink_copy(af_sink *sink, const char *bytes, size_t length);

/* Truncates a name to AF_LONGEST_NAME bytes, with a warning. */
af_span af_sink_truncate(af_sink *sink, af_span name);

/* Returns a clean copy of a span; NULL if its bytes are NULL. */
const char *af_sink_clean(af_sink *sink, af_span text);

/* Whether cleaning changes the span: it has control characters or invalid UTF-8. */
static inline gboolean af_sink_replaces(af_span text)
{
    return text.bytes != NULL && !af_utf8_is_clean(text.bytes, text.length);
}

/* ---- clocks ---- */

/* For readers that scale times more precisely than in whole ticks: takes the factor from the sink,
 * in millionths, 0 = no scaling. Call it before af_sink_start(); only the first call returns it. */
uint64_t af_sink_take_scale(af_sink *sink);

/* Returns a time multiplied by `millionths` and rounded down; 0 = unchanged. */
int64_t af_sink_scaled(int64_t ns, uint64_t millionths);

/* Call it before the first event. */
void af_sink_start(af_sink *sink, const af_ticks *ticks);

/* The clocks of af_sink_start(), as bits 1 << clock. */
unsigned af_sink_clocks(const af_sink *sink);
unsigned af_sink_tick_ns(const af_sink *sink);

/* Sets the duration of the trace from `ticks`, if it was unknown at af_sink_start(). Call it after
 * the last event. */
void af_sink_set_elapsed(af_sink *sink, const af_ticks *ticks);

/* ---- events ---- */

/* Adds `n` events in file order. The first is at `offset` in the input, each next one `stride`
 * bytes later. Returns FALSE when it is time to stop. */
gboolean af_sink_events(af_sink *sink, const af_event *events, size_t n, uint64_t offset,
                        uint32_t stride);

/* Adds the scheduler times of a thread since its previous event; call it before the next event.
 * Call it at least once for each thread with known scheduler times, even if they are 0. */
void af_sink_wait(af_sink *sink, const af_wait *wait);

/* Whether the consumer takes states of threads; no other reading stores them. */
gboolean af_sink_takes_states(const af_sink *sink);
void af_sink_state(af_sink *sink, const af_run_interval *interval);

/* Returns the number of a thread that ends sleeps of others, by the number that the reader has for
 * it; AF_NO_WAKER if memory is refused. Name it at the end. */
uint32_t af_sink_waker(af_sink *sink, uint32_t number);
void af_sink_name_waker(af_sink *sink, uint32_t waker, af_span name);
uint32_t af_sink_n_wakers(const af_sink *sink);
uint32_t af_sink_waker_number(const af_sink *sink, uint32_t waker);

/* ---- samples ---- */

/* Whether samples have a time, and a duration that equals their weight. */
typedef enum { AF_SAMPLES_UNTIMED, AF_SAMPLES_TIMED, AF_SAMPLES_LASTING } af_samples_time;

/* Call it instead of af_sink_start(). `clocks` are the clocks of weights that are times; only
 * AF_WALL if the unit is not a time. Copies the strings of `unit`. */
void af_sink_start_samples(af_sink *sink, const af_unit *unit, unsigned clocks,
                           af_samples_time time);

/* A stack as its caller's stack with one more method, for inputs that have a table of stacks. The
 * time of a sample that names its stack does not depend on the depth. A stack belongs to a thread;
 * `caller` is AF_SINK_NO_STACK for its outermost method. Returns AF_SINK_NO_STACK if memory is
 * refused or at its limit. */
#define AF_SINK_NO_STACK UINT32_MAX

uint32_t af_sink_stack(af_sink *sink, uint32_t thread, uint32_t caller, uint32_t method);

/* Adds a sample. Returns FALSE when it is time to stop. */
gboolean af_sink_sample(af_sink *sink, const af_sample *sample);

/* Divides all weights so far. Call it after the last sample, and only if every weight is
 * divisible. */
void af_sink_divide_weights(af_sink *sink, uint64_t by);

/* ---- methods ---- */

/* Returns the number of an id, assigning one on first use; UINT32_MAX only if memory is refused. */
uint32_t af_sink_method(af_sink *sink, uint64_t id);

/* The numbers of all ids so far. */
const af_idmap *af_sink_methods(const af_sink *sink);

/* Defines a method. `replace` overwrites an earlier definition. Returns FALSE if there was one with
 * different text. */
gboolean af_sink_define_method(af_sink *sink, uint64_t id, const af_method_text *text,
                               gboolean replace);
gboolean af_sink_is_defined(const af_sink *sink, uint32_t method);

/* Returns the definition of a method, empty if it has none. */
const af_method_text *af_sink_method_text(const af_sink *sink, uint32_t method);

/* If `method` remains undefined, it is the proxy of the method that `text` describes. */
void af_sink_set_proxy(af_sink *sink, uint32_t method, const af_method_text *text);

/* For raw consumers: a line about a method without a name, which is not a definition. */
void af_sink_raw_method(af_sink *sink, uint64_t id, const af_method_text *text, gboolean replace);

/* ---- threads ---- */

/* As the functions for methods. */
uint32_t af_sink_thread(af_sink *sink, uint64_t id);
const af_idmap *af_sink_threads(const af_sink *sink);

/* Describes a thread; an empty name becomes "Thread <id>". */
void af_sink_describe_thread(af_sink *sink, uint32_t thread, const char *name, size_t length,
                             gboolean listed, gboolean exited);

/* Adds a process that owns threads; returns its number. `name` may be empty. */
uint32_t af_sink_add_process(af_sink *sink, af_span id, af_span name);
void af_sink_set_thread_owner(af_sink *sink, uint32_t thread, const af_thread_owner *owner);

/* Declares that the thread lacks a clock that other threads have; times of that clock in its events
 * are ignored. */
void af_sink_lack_clock(af_sink *sink, uint32_t thread, af_clock clock);

/* Declares that the thread was sampled among threads with calls: its events are changes between
 * samples. */
void af_sink_lack_calls(af_sink *sink, uint32_t thread);

/* For raw consumers: each line or packet about a thread. */
void af_sink_raw_thread(af_sink *sink, uint64_t id, af_span name);

/* ---- a look-up for each record ---- */

/* The sink's maps, borrowed by a loop that looks up each record: they do not move while the sink
 * grows. Only the sink adds to them. */
typedef struct {
    af_sink *sink;
    const af_idmap *methods, *threads;
} af_sink_ids;

af_sink_ids af_sink_borrow_ids(af_sink *sink);

/* af_sink_method() and af_sink_thread() with the frequent case inline. */
static inline uint32_t af_sink_ids_method(const af_sink_ids *ids, uint64_t id)
{
    const uint32_t number = af_idmap_look(ids->methods, id);
    return number != AF_IDMAP_NONE ? number : af_sink_method(ids->sink, id);
}

static inline uint32_t af_sink_ids_thread(const af_sink_ids *ids, uint64_t id)
{
    const uint32_t number = af_idmap_look(ids->threads, id);
    return number != AF_IDMAP_NONE ? number : af_sink_thread(ids->sink, id);
}

/* ---- instants and counters ---- */

/* Returns the number of the series with a name; AF_NO_SERIES if there are too many. `process` may
 * be the reader's own number until the end, see af_sink_set_series_process(). */
uint32_t af_sink_marker_series(af_sink *sink, af_marker_kind kind, uint32_t process, af_span name,
                               af_span categories);
uint32_t af_sink_n_marker_series(const af_sink *sink);
uint32_t af_sink_series_process(const af_sink *sink, uint32_t series);
void af_sink_set_series_process(af_sink *sink, uint32_t series, uint32_t process);

/* Adds a marker. Its time counts from any zero, which af_sink_set_marker_origin() sets at the
 * end. */
void af_sink_add_marker(af_sink *sink, af_marker_kind kind, const af_marker *marker);
void af_sink_set_marker_origin(af_sink *sink, int64_t ns);

/* Adds a frame of a frame timeline; its times have the zero of markers. `layer` is from
 * af_sink_clean(). */
void af_sink_add_frame(af_sink *sink, const af_timeline_frame *frame);
