/* Internals of the reader of Perfetto traces:
 *     perfetto.c           the file: what it holds and what is drawn
 *     perfetto_packet.c    packets, compressed ones, and what each holds
 *     perfetto_clock.c     clocks and their snapshots
 *     perfetto_sequence.c  sequences of packets and their tables of names
 *     perfetto_event.c     track events
 *     perfetto_legacy.c    track events in Chrome's old form
 *     perfetto_track.c     descriptions of tracks, threads and processes
 *     perfetto_ftrace.c    events of the kernel
 *     perfetto_stack.c     mappings, frames and stacks
 *     perfetto_symbol.c    symbols and real names that the file brings
 *     perfetto_symfs.c     names of functions from the libraries of --symfs
 *     perfetto_session.c   what samples count
 *     perfetto_sample.c    stack samples
 *     perfetto_frames.c    frame timelines
 *     perfetto_heap.c      heap profiles
 *     perfetto_javaheap.c  heap graphs of Java: packets
 *     perfetto_javapath.c  their shortest paths from roots
 *     perfetto_content.c   what the file holds, and what of it is drawn
 *     perfetto_loss.c      statistics about lost data
 *
 * Packets of all writers are interleaved in any order. Each is decoded as it comes, with the tables
 * that its sequence has then, into events of a timeline, which puts them in order of time. */
#pragma once

#include "base/idtable.h"
#include "base/spool.h"
#include "read/protobuf.h"
#include "read/timeline.h"

typedef struct af_perfetto af_perfetto;

/* ---- clocks ---- */

enum {
    AF_CLOCK_ID_REALTIME = 1,
    AF_CLOCK_ID_MONOTONIC = 3,
    AF_CLOCK_ID_MONOTONIC_COARSE = 4,
    AF_CLOCK_ID_MONOTONIC_RAW = 5,
    AF_CLOCK_ID_BOOTTIME = 6,
    AF_CLOCK_ID_TRACE_FILE = 11,
};

typedef struct af_perfetto_clocks af_perfetto_clocks;

af_perfetto_clocks *af_perfetto_clocks_new(af_sink *sink);
void af_perfetto_clocks_free(af_perfetto_clocks *clocks);

/* The key of a clock that no file can relate to another one. */
#define AF_CLOCK_UNKNOWN UINT64_MAX

/* The key of a clock; those of a sequence are its own. */
uint64_t af_perfetto_clock_key(uint64_t clock, uint32_t sequence);

void af_perfetto_clocks_take_snapshot(af_perfetto_clocks *clocks, const af_protobuf *field,
                                      uint32_t sequence);

/* Records that two clocks had these values at the same time. */
void af_perfetto_clocks_add_pair(af_perfetto_clocks *clocks, uint64_t key, int64_t value,
                                 uint64_t other, int64_t other_value);

/* The clock of times without one; 0 = they are trace time. */
uint64_t af_perfetto_clocks_default(const af_perfetto_clocks *clocks);

/* For a clock that counts steps: adds the step and returns its value; for others, the time itself. */
int64_t af_perfetto_clocks_step(af_perfetto_clocks *clocks, uint64_t key, int64_t time);

/* Converts to trace time. Returns FALSE if the snapshots so far do not relate the clock to it. */
gboolean af_perfetto_clocks_convert(af_perfetto_clocks *clocks, uint64_t key, int64_t time,
                                    int64_t *ns);

/* The date of the recording in ns since 1970 at *ns of trace time. FALSE if it is not known. */
gboolean af_perfetto_clocks_date(const af_perfetto_clocks *clocks, int64_t *date_ns, int64_t *ns);

/* "BOOTTIME"; NULL = the file's own. */
const char *af_perfetto_clocks_name(const af_perfetto_clocks *clocks);

/* ---- sequences ---- */

/* Tables of names: their field numbers in InternedData. */
enum {
    AF_TABLE_CATEGORY = 1,
    AF_TABLE_EVENT_NAME = 2,
    AF_TABLE_ANNOTATION_NAME = 3,
    AF_TABLE_FUNCTION = 5,
    AF_TABLE_FRAME = 6,
    AF_TABLE_CALLSTACK = 7,
    AF_TABLE_BUILD_ID = 16,
    AF_TABLE_PATH = 17,
    AF_TABLE_SOURCE = 18,
    AF_TABLE_MAPPING = 19,
    AF_TABLE_KERNEL_SYMBOL = 26,
    AF_TABLE_STRING = 29,
    AF_TABLE_TASK = 48,
    AF_TABLE_COUNTER = 50,
    AF_TABLES,
};

/* One table: of texts, or of copies of messages. */
typedef struct {
    af_idmap ids;
    af_array values; /* of uint32_t: a text; for messages, a text that is the message */
    af_array stacks; /* of uint32_t, for callstacks: a stack + 1 once it is known */
} af_perfetto_table;

/* The data that is valid until the state of a sequence is cleared. */
typedef struct {
    af_perfetto_table *tables[AF_TABLES];
    af_array late; /* of af_perfetto_late */
} af_perfetto_interval;

/* An event whose names were not in the tables when it came. */
typedef struct {
    af_timeline_event event;
    uint64_t name, category, stack; /* ids; 0 = none is missing */
} af_perfetto_late;

typedef struct {
    uint64_t clock; /* 0 = none */
    uint64_t track;
    af_array counters[2]; /* of uint64_t: uuids of extra counters, of whole values and doubles */
    uint32_t session;     /* of perf samples, + 1 */
    uint32_t descriptor;  /* of stack samples: a text that is the message */
} af_perfetto_defaults;

typedef struct {
    uint32_t id;
    gboolean valid, begun, lost_packets;
    af_perfetto_interval *interval;
    af_perfetto_interval *own; /* tables of a heap profile's packets */
    af_perfetto_defaults defaults;
    gboolean has_reference;
    int64_t reference_us, thread_us;
    gboolean has_thread;
    int64_t pid, tid;
    af_idtable sums;                     /* of double: of incremental counters, by uuid */
    uint64_t profile_index, graph_index; /* next ones, + 1 */
    uint64_t last_bundle_clock;
} af_perfetto_sequence;

af_perfetto_sequence *af_perfetto_sequence_of(af_perfetto *p, uint32_t id);
void af_perfetto_sequences_free(af_perfetto *p);

/* Begins a new interval and forgets all earlier names. */
void af_perfetto_sequence_clear(af_perfetto *p, af_perfetto_sequence *sequence);

/* Packets were lost: names from them are missing until the next interval. */
void af_perfetto_sequence_forget(af_perfetto_sequence *sequence);

/* The interval of a sequence, which begins with its state; NULL = the state is not valid. Names may
 * come after the events that need them. */
af_perfetto_interval *af_perfetto_sequence_interval(const af_perfetto *p,
                                                    af_perfetto_sequence *sequence);

void af_perfetto_sequence_take_names(af_perfetto *p, af_perfetto_sequence *sequence,
                                     const af_protobuf *field);
void af_perfetto_sequence_take_defaults(af_perfetto *p, af_perfetto_sequence *sequence,
                                        const af_protobuf *field);

/* Looks an id up. Returns AF_NO_TEXT if the table does not have it. */
uint32_t af_perfetto_sequence_find(const af_perfetto_sequence *sequence, unsigned table,
                                   uint64_t id);

/* Android 10 puts the tables of a heap profile into its packets: they live until the end of the
 * chain, next to those of the sequence. */
void af_perfetto_sequence_take_own_names(af_perfetto *p, af_perfetto_sequence *sequence,
                                         const af_protobuf *field);
void af_perfetto_sequence_drop_own_names(af_perfetto_sequence *sequence);

/* The number + 1 that a caller stores for an id, 0 at first. NULL if the tables do not have the id,
 * or memory is refused. */
uint32_t *af_perfetto_sequence_cache(af_perfetto_sequence *sequence, unsigned table, uint64_t id);

/* The running sum of an incremental counter, with `step` added. */
double af_perfetto_sequence_sum(af_perfetto_sequence *sequence, uint64_t uuid, double step);

/* Adds the events that waited for names. */
void af_perfetto_sequences_finish(af_perfetto *p);

/* ---- packets ---- */

typedef struct {
    const uint8_t *bytes;
    size_t length;
    uint64_t offset;
    af_perfetto_sequence *sequence;
    gboolean has_time;
    int64_t ns;     /* in trace time, unless `clock` is set */
    uint64_t clock; /* the key of a clock that cannot be converted yet; 0 = none */
    gboolean has_sequence;
} af_perfetto_packet;

/* Takes a whole packet. */
void af_perfetto_take_packet(af_perfetto *p, const uint8_t *bytes, size_t length, uint64_t offset);

/* Adds an event of a packet; `id`s that are not 0 are looked up later. */
void af_perfetto_add(af_perfetto *p, const af_perfetto_packet *packet,
                     const af_timeline_event *event);
void af_perfetto_add_late(af_perfetto *p, const af_perfetto_packet *packet,
                          const af_perfetto_late *late);

/* ---- track events in Chrome's old form ---- */

/* Fields of the old form of an event, which has no values if the event has none. Process and thread 0
 * = those of the sequence. */
enum {
    AF_LEGACY_NAME_ID = 1,
    AF_LEGACY_PHASE = 2,
    AF_LEGACY_DURATION_US = 3,
    AF_LEGACY_THREAD_DURATION_US = 4,
    AF_LEGACY_ID = 6,
    AF_LEGACY_SCOPE = 7,
    AF_LEGACY_LOCAL_ID = 10,
    AF_LEGACY_GLOBAL_ID = 11,
    AF_LEGACY_PID = 18,
    AF_LEGACY_TID = 19,
    AF_LEGACY_FIELDS,
};

/* Whether the event belongs to an asynchronous operation, and its track: one for each id in its
 * scope. */
gboolean af_perfetto_is_async(uint64_t phase);
uint32_t af_perfetto_async_track(af_perfetto *p, const af_perfetto_sequence *sequence,
                                 const af_protobuf *legacy, uint32_t name, uint32_t category);

/* ---- kinds of packets ---- */

/* Takes the content of a packet. */
typedef void af_perfetto_taker(af_perfetto *p, const af_perfetto_packet *packet,
                               const af_protobuf *field);

/* By field number; the last is for all larger ones. */
#define AF_PERFETTO_KINDS 256u

typedef struct {
    const char *name;        /* NULL = not known */
    af_perfetto_taker *take; /* NULL = not read */
} af_perfetto_kind;

extern const af_perfetto_kind af_perfetto_kinds[AF_PERFETTO_KINDS];

af_perfetto_taker af_perfetto_take_event, af_perfetto_take_track, af_perfetto_take_thread,
    af_perfetto_take_process, af_perfetto_take_process_tree, af_perfetto_take_process_stats,
    af_perfetto_take_translation, af_perfetto_take_ftrace, af_perfetto_take_task_state,
    af_perfetto_take_task_name, af_perfetto_take_system_info, af_perfetto_take_trace_stats,
    af_perfetto_take_ftrace_stats, af_perfetto_take_packages, af_perfetto_take_memory_error,
    af_perfetto_take_perf_sample, af_perfetto_take_stack_sample, af_perfetto_take_streaming_profile,
    af_perfetto_take_heap, af_perfetto_take_graph, af_perfetto_take_frame, af_perfetto_take_symbols,
    af_perfetto_take_real_names;

/* The new name of a slice or a process's track; the same if it has none. */
uint32_t af_perfetto_translate(const af_perfetto *p, gboolean is_track, uint32_t name);

/* Events whose clock became known at the end. */
gboolean af_perfetto_add_waiting(af_perfetto *p, GError **error);

/* Warns about data that the recording lost. */
void af_perfetto_report_loss(af_perfetto *p);

/* A track that is a counter, for events that name it. */
typedef struct {
    gboolean is_thread_time, is_incremental;
    double multiplier;
} af_perfetto_counter;

/* NULL if the track is none. */
const af_perfetto_counter *af_perfetto_find_counter(const af_perfetto *p, uint64_t uuid);

/* ---- stacks ---- */

#define AF_NO_STACK UINT32_MAX

typedef struct af_perfetto_stacks af_perfetto_stacks;

af_perfetto_stacks *af_perfetto_stacks_new(af_perfetto *p);
void af_perfetto_stacks_free(af_perfetto_stacks *stacks);

/* The names of a frame; all are texts. */
typedef struct {
    uint32_t function, path, build_id, source;
    uint32_t line;
    uint64_t rel_pc;
} af_perfetto_frame;

/* `rel_pc` of a frame that is a class of Java. */
#define AF_FRAME_OF_CLASS UINT64_MAX

/* The stack of `caller` (AF_NO_STACK = none) with one more frame inside. */
uint32_t af_perfetto_stacks_push(af_perfetto_stacks *stacks, uint32_t caller,
                                 const af_perfetto_frame *frame);

/* The stack with an id in the tables of a sequence; AF_NO_STACK if a part of it is missing. */
uint32_t af_perfetto_stacks_find(af_perfetto_stacks *stacks, af_perfetto_sequence *sequence,
                                 uint64_t id);

/* The stack that a field holds, {1 frames {1 function, 2 file, 3 line}}, outermost first. */
uint32_t af_perfetto_stacks_take_inline(af_perfetto_stacks *stacks, const af_protobuf *field);

/* Adds a stack of a thread to the sink; the thread belongs to a process. Returns the sink's number
 * of the stack, or AF_SINK_NO_STACK if it is empty, memory is refused, or memory is at its
 * limit. */
uint32_t af_perfetto_stacks_give(af_perfetto_stacks *stacks, uint32_t stack, uint32_t thread,
                                 uint32_t pid);

/* ---- samples and heaps ---- */

/* The event that the samples of a session count. */
typedef struct {
    uint32_t name; /* of the event: a text */
    uint64_t weight;
    gboolean is_cpu_time, is_wall_time;
    uint32_t unit;                 /* of other weights: a text */
    gboolean is_scaled, fractions; /* weights are AF_COUNTS_SCALE times as large; some not whole */
    uint64_t n_samples;
} af_perfetto_session;

/* Returns the number of the session that a PerfSampleDefaults describes. */
uint32_t af_perfetto_take_session(af_perfetto *p, const af_protobuf *field);

/* The session of samples that the file does not describe. */
uint32_t af_perfetto_default_session(af_perfetto *p);

/* The session of samples that count as 1, with this name. */
uint32_t af_perfetto_counted_session(af_perfetto *p, const char *name);

/* The session of the stacks of track events, whose weights have fractions. */
uint32_t af_perfetto_event_stack_session(af_perfetto *p);

/* The session of a counter's description {2 name, 3 unit or 4 in words, 5 multiplier}. */
uint32_t af_perfetto_described_session(af_perfetto *p, af_span message, uint64_t *multiplier);

const af_perfetto_session *af_perfetto_session_at(const af_perfetto *p, uint32_t session);

/* Sets p->session by the options. */
gboolean af_perfetto_choose_session(af_perfetto *p, GError **error);

/* The stack of a track event, a sample of its track. */
void af_perfetto_take_event_stack(af_perfetto *p, const af_perfetto_packet *packet, int64_t ns,
                                  uint32_t track, const af_protobuf *field);

/* A sample whose stack was not in the tables when it came. */
void af_perfetto_finish_stack(af_perfetto *p, af_perfetto_sequence *sequence,
                              af_perfetto_late *late);

gboolean af_perfetto_finish_samples(af_perfetto *p, GError **error);

/* The memory of a stack in a part of a process. */
typedef struct {
    uint32_t pid, part; /* the name of the part: a text */
    uint32_t stack;
    uint64_t weight;
    gboolean drawn; /* set by the following */
} af_perfetto_holding;

/* Draws the holdings (af_perfetto_holding) of the chosen processes; afterwards the caller names the
 * parts. `event` is static or in the arena. */
gboolean af_perfetto_draw_holdings(af_perfetto *p, const af_array *holdings, const char *unit,
                                   const char *event, GError **error);

typedef struct af_perfetto_heaps af_perfetto_heaps;
void af_perfetto_heaps_free(af_perfetto_heaps *heaps);

typedef struct af_perfetto_graphs af_perfetto_graphs;
void af_perfetto_graphs_free(af_perfetto_graphs *graphs);

/* Ends a dump whose last packet is missing. */
void af_perfetto_graphs_end(af_perfetto *p);

/* The number of paths with objects. */
uint64_t af_perfetto_graphs_count(const af_perfetto_graphs *graphs);
gboolean af_perfetto_finish_graphs(af_perfetto *p, GError **error);

/* Ends a dump whose last packet is missing. */
void af_perfetto_heaps_end(af_perfetto *p);

/* The number of heaps, and of stacks with allocations. */
uint64_t af_perfetto_heaps_number(const af_perfetto_heaps *heaps);
uint64_t af_perfetto_heaps_count(const af_perfetto_heaps *heaps);
/* Whether there are dumps, all of them after the chosen time. */
gboolean af_perfetto_heaps_are_later(const af_perfetto_heaps *heaps);
gboolean af_perfetto_finish_heaps(af_perfetto *p, GError **error);

/* ---- frame timelines ---- */

/* Matches begins and ends, and adds the frames to the sink. Call it after the last packet. */
void af_perfetto_finish_frames(af_perfetto *p);

/* ---- content ---- */

/* Draws one kind of the data, and reports the others. */
gboolean af_perfetto_finish_content(af_perfetto *p, GError **error);

void af_perfetto_set_uid(af_perfetto *p, uint32_t pid, uint64_t uid);

/* The package of a process by its user id; AF_NO_TEXT = not known. */
uint32_t af_perfetto_package_of(const af_perfetto *p, uint32_t pid);

/* ---- the whole ---- */

typedef struct {
    gboolean is_known; /* its first bundle was read */
    gboolean has_gap;  /* a bundle reports that events before it were lost */
    uint64_t gap_offset;
    uint64_t lost; /* events that the kernel lost, by its statistics */
    uint64_t overrun_before, dropped_before;
} af_perfetto_cpu;

/* Counters of the service and the kernel; the last statistics replace earlier ones. */
typedef struct {
    uint64_t overwritten_bytes, overwritten_chunks, discarded_chunks, writer_loss, patches_failed;
    gboolean flush_failed;
    gboolean setup_failed;
    uint64_t packet_gaps, losing_writers; /* number of packets that report missing earlier ones */
    uint64_t gap_causes;                  /* their bits */
} af_perfetto_loss;

/* NULL if the number is impossible for a CPU, or if memory is refused. */
af_perfetto_cpu *af_perfetto_cpu_at(af_perfetto *p, uint64_t number);

struct af_perfetto {
    af_sink *sink;
    const af_open_options *options;
    af_timeline *timeline;
    af_texts *texts;
    af_perfetto_clocks *clocks;
    af_idtable sequences; /* of pointers to af_perfetto_sequence */
    af_perfetto_sequence *last;
    af_spool *waiting; /* events whose clock cannot be converted yet; NULL until the first */
    GError *error;     /* storing them failed */
    int64_t latest_ns;
    int64_t first_ns;                    /* the first time of the file; INT64_MIN = none yet */
    unsigned depth;                      /* of compressed packets */
    af_idtable counters;                 /* of af_perfetto_counter */
    af_idtable slice_names, track_names; /* translations: uint32_t, a text, by text */
    af_array cpus;                       /* of af_perfetto_cpu */
    af_array running;                    /* of uint32_t, by CPU, of generic task states: tid + 1 */
    int64_t started_ns;                  /* the service started tracing; INT64_MIN = not stated */
    gboolean keep_early;
    uint64_t n_skipped, n_unresolved;
    af_perfetto_loss loss;
    af_perfetto_stacks *stacks;
    af_array sessions; /* of af_perfetto_session */
    uint32_t session;  /* the drawn one */
    uint64_t n_stackless, n_event_stacks;
    gboolean is_own;            /* written by aflame */
    unsigned n_threads_in_own;  /* of such a file */
    gboolean only_all;          /* its only thread is called "all": the input had no threads */
    af_perfetto_heaps *heaps;   /* NULL until the first */
    af_perfetto_graphs *graphs; /* the same */
    uint64_t n_kinds[AF_PERFETTO_KINDS], kind_bytes[AF_PERFETTO_KINDS];
    af_array frame_events; /* see perfetto_frames.c */
    uint64_t n_frames;     /* added to the sink */
    af_idtable packages;   /* of uint32_t: names of packages, by user id */
    af_idtable users;      /* of uint64_t: user ids, by pid */
};
