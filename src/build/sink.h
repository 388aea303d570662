/* The sink: where readers put what they find.
 *
 * A reader fills `facts`, declares methods and threads, says with af_sink_start() which clocks
 * there are, hands over events in batches, names the threads at the end. Ids may be used before
 * they are defined: names are resolved when everything was read. Strings given to the sink are
 * slices of the input and are copied. Readers never see a tree. */
#ifndef AF_BUILD_SINK_H
#define AF_BUILD_SINK_H

#include "base/arena.h"
#include "base/array.h"
#include "base/idmap.h"
#include "base/span.h"
#include "base/textmap.h"
#include "base/utf8.h"
#include "build/event.h"
#include "model/profile.h"
#include "calls/call_walk.h"

/* A method as its line has it; bytes == NULL means that the file has no such column. `whole` is set
 * if the line has a name and nothing else: it is then shown as it stands. */
typedef struct {
    af_span class_name, name, signature, source;
    af_span library; /* with its folder */
    af_span nowhere; /* hex digits of its address, if it lies in no file */
    af_span columns; /* all of them with their tabs; only for a tap */
    int32_t line;    /* -1 = not known */
    gboolean whole;
    gboolean slashed; /* shown with slashes between packages, as the text has them */
    af_annotation note;
} af_method_text;

typedef struct {
    af_method_text text;
    gboolean defined; /* has a name */
    gboolean has_proxy;
    af_method_text proxy; /* what names it if it stays undefined */
} af_sink_method_state;

/* Where a thread of a file with processes belongs. There the ids of threads in events are numbers
 * that the reader gives them, because one process may have the same as another. */
typedef struct {
    uint64_t id;      /* to be shown */
    uint32_t process; /* from af_sink_add_process(), or AF_NO_PROCESS */
    uint64_t rank;    /* threads are listed in ascending order of it */
} af_thread_owner;

typedef struct {
    af_span name; /* empty = Thread <id> */
    gboolean listed, exited;
    uint32_t open; /* calls that the reader closed at the end, beside those that are still open */
    gboolean placed;
    af_thread_owner place; /* if `placed` */
    unsigned lacks;        /* bit 1 << clock of those that others have and it has not */
    gboolean sampled;      /* its calls are stretches between samples */
} af_sink_thread_state;

/* Names of more bytes are cut. A class file holds 65,535 in a name, and the names of threads, which
 * nothing bounds, are not written by people either; but each is held in memory as a whole. */
#define AF_LONGEST_NAME ((size_t)16 * 1024 * 1024)

typedef struct af_raw_listener af_raw_listener;

typedef struct {
    af_arena *arena;
    af_facts facts;
    unsigned clocks;  /* bit 1 << clock; from af_sink_start() */
    unsigned tick_ns; /* 1000 or 1; from af_sink_start() */
    af_warnings warnings;
    gboolean undefined_are_proxies; /* undefined ids of this file belong to dynamic proxies */
    gboolean guess_proxies;         /* and may be paired with unused definitions */
    af_array key_values;            /* of af_fact, from the *version section */

    af_idmap method_ids; /* id -> method number */
    af_array methods;    /* of af_sink_method_state, by number; may be shorter */
    af_idmap thread_ids;
    af_array threads;      /* of af_sink_thread_state, by number; may be shorter */
    af_array processes;    /* of af_profile_process */
    af_textmap mark_names; /* of the series below, see marks.c */
    af_array series;       /* of af_marker_series */
    af_array marks;        /* of af_marker, as they came; threads are the sink's */
    int64_t marks_from_ns; /* what is 0 in the profile */
    uint64_t n_instants, n_values;
    gboolean failed;            /* the machine refused memory to a reader */
    af_rebuild *rebuild;        /* NULL until af_sink_start() */
    af_call_walk *replay;       /* in its place when an input is read again; borrowed */
    const af_raw_listener *tap; /* or this, which takes everything else as well */
    af_ticks ticks;
    uint64_t scale;       /* as in af_open_options; 0 = none, or the reader does it */
    uint64_t marks_scale; /* the same for marks, which the reader leaves alone */
    unsigned jobs;        /* threads to work with; 0 = one for each processor */
    GCancellable *cancel;
    void (*progress)(void *user, uint64_t done, uint64_t total);
    void *progress_user;
    /* gives a method another name than the file's before methods are merged by their names; strings
     * in the arena; may be NULL */
    void (*rename)(void *user, af_arena *arena, af_method *method);
    void *rename_user;
    uint64_t total; /* bytes of the input, for progress; 0 = not known */
    gsize done;     /* of them; atomic */
} af_sink;

af_sink *af_sink_new(const af_open_options *options);
void af_sink_free(af_sink *sink);

/* For a second reading: gives the events to `replay`, or everything to `tap` (see tap.h), under the
 * numbers of the `guide` or, for methods, of the tap, and keeps nothing. One of both is NULL. Not
 * to be finished. */
af_sink *af_sink_new_again(const af_open_options *options, const af_walk_plan *guide,
                           af_call_walk *replay, const af_raw_listener *tap);

/* For readers whose times can be scaled more finely than by whole ns to the tick: by how many
 * millionths they are to do it, 0 = not at all. Before af_sink_start(); whoever asks first does it.
 */
uint64_t af_sink_take_scale(af_sink *sink);

/* A time that was scaled, rounded down. 0 = not at all. */
int64_t af_sink_scaled(int64_t ns, uint64_t millionths);

/* Before the first event. Sets `clocks`. */
void af_sink_start(af_sink *sink, const af_ticks *ticks);

/* Whether samples say when they were seen, and for how long: exactly for the ns they weigh. */
typedef enum { AF_SAMPLES_UNTIMED, AF_SAMPLES_TIMED, AF_SAMPLES_LASTING } af_samples_time;

/* The same for samples. `clocks` are those that weights are times of; AF_WALL alone where the unit
 * is not of clocks. The strings of `unit` are copied. */
void af_sink_start_samples(af_sink *sink, const af_unit *unit, unsigned clocks,
                           af_samples_time time);

/* One sample. Returns FALSE when it is time to stop: cancelled or out of memory. */
gboolean af_sink_sample(af_sink *sink, const af_sample *sample);

/* All weights so far were so many times too large; after the last sample. Only where no weight is
 * rounded by that. */
void af_sink_divide_weights(af_sink *sink, uint64_t by);

/* How long the trace took, of `ticks`, where af_sink_start() was not told; after the last event. */
void af_sink_set_elapsed(af_sink *sink, const af_ticks *ticks);

/* The number of a method or a thread by its id. UINT32_MAX only if memory is refused. */
static inline uint32_t af_sink_method(af_sink *sink, uint64_t id)
{
    return af_idmap_number(&sink->method_ids, id);
}

static inline uint32_t af_sink_thread(af_sink *sink, uint64_t id)
{
    return af_idmap_number(&sink->thread_ids, id);
}

/* What a method is called. A second definition of an id is taken if `replace`. Returns FALSE if
 * there was one with different text. */
gboolean af_sink_define_method(af_sink *sink, uint64_t id, const af_method_text *text,
                               gboolean replace);
gboolean af_sink_is_defined(const af_sink *sink, uint32_t method);

/* What a method was defined as; nothing if it was not. */
const af_method_text *af_sink_method_text(const af_sink *sink, uint32_t method);

/* The undefined method `method`, should it stay so, is the proxy of what `text` describes. */
void af_sink_set_proxy(af_sink *sink, uint32_t method, const af_method_text *text);

/* What the file knows of a thread; an empty name becomes "Thread <id>". */
void af_sink_describe_thread(af_sink *sink, uint32_t thread, const char *name, size_t length,
                             gboolean listed, gboolean exited);

/* A process of which there are threads; its number. `name` may be empty. */
uint32_t af_sink_add_process(af_sink *sink, af_span id, af_span name);
void af_sink_set_thread_owner(af_sink *sink, uint32_t thread, const af_thread_owner *place);

/* The thread has no times of a clock that other threads have, whatever its events say. */
void af_sink_lack_clock(af_sink *sink, uint32_t thread, af_clock clock);

/* Nobody counted the calls of the thread: what its events tell are stretches between samples. */
void af_sink_lack_calls(af_sink *sink, uint32_t thread);

/* The number of the series of a name, for the marks below; AF_NO_SERIES if there are too many.
 * Until `process` is the sink's number, the reader may put its own there. */
uint32_t af_sink_marker_series(af_sink *sink, af_marker_kind kind, uint32_t process, af_span name);

/* A mark of any time from any zero, which the reader says in `marks_from_ns` at the end. */
void af_sink_add_marker(af_sink *sink, af_marker_kind kind, const af_marker *mark);

/* Puts the marks in order; `index_of` says of each thread its place in the profile. FALSE if memory
 * is refused. */
gboolean af_sink_finish_markers(af_sink *sink, af_markers *marks, const uint32_t *index_of);

/* For a tap: a line or packet about a thread as it stands, each of them; and a line about a method
 * that names none, which is no definition. */
void af_sink_raw_thread(af_sink *sink, uint64_t id, af_span name);
void af_sink_raw_method(af_sink *sink, uint64_t id, const af_method_text *text, gboolean replace);

/* A call of the thread is closed at its end though it was still running. */
void af_sink_count_open(af_sink *sink, uint32_t thread);

/* `n` events in file order, the first at `place` in the input, each next `stride` bytes behind.
 * Returns FALSE when it is time to stop: cancelled or out of memory. */
gboolean af_sink_events(af_sink *sink, const af_event *events, size_t n, uint64_t place,
                        uint32_t stride);

/* For a reader that hands over events at the end: it has come `n` bytes further. FALSE as above. */
gboolean af_sink_advance(af_sink *sink, size_t n);

/* Whether there is no sense in giving it more. */
gboolean af_sink_is_stopped(const af_sink *sink);

static inline void af_sink_warn(af_sink *sink, af_warning_kind kind, uint64_t n, uint64_t place)
{
    af_warnings_add(&sink->warnings, kind, n, place);
}

/* A key=value line of the file, cleaned, for those who want to see them all. */
void af_sink_add_fact(af_sink *sink, af_span key, af_span value);

/* A clean copy of a slice, NULL if it has no bytes at all. */
const char *af_sink_clean(af_sink *sink, af_span slice);

/* Whether that replaces anything: the slice is text with control characters or no UTF-8. */
static inline gboolean af_sink_replaces(af_span slice)
{
    return slice.bytes != NULL && !af_utf8_is_clean(slice.bytes, slice.length);
}

/* What is known of a thread by its number; all zero if nothing is. */
const af_sink_thread_state *af_sink_thread_state_of(const af_sink *sink, uint32_t thread);

/* Whether the machine refused memory while the sink was filled. */
gboolean af_sink_was_refused(const af_sink *sink);

/* Makes the profile of what was given. The sink keeps nothing of it and is to be freed as well.
 * NULL with AF_ERROR_MEMORY or _CANCELLED. */
af_profile *af_sink_finish(af_sink *sink, const af_open_options *options, GError **error);

#endif
