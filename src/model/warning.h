/* Problems of an input: each kind has a count and the offset of its first occurrence, so that a
 * million damaged records are one line. */
#pragma once

#include <stdint.h>
#include <glib.h>

/* X(name, id, whether it is only information, "the problem", "; the reaction of aflame" or "").
 * Both suit one occurrence and many. */
/* clang-format off: one entry per line */
#define AF_WARNINGS(X)                                                                             \
    X(OVERFLOW, "overflow", FALSE,                                                                 \
      "the recording buffer overflowed: the end of the run is missing",                            \
      "; record with a larger buffer or with streaming")                                           \
    X(MEMORY_LIMIT, "memory-limit", FALSE,                                                         \
      "the call trees reached the limit of --max-memory: reading stopped, the rest is missing",    \
      "")                                                                                          \
    X(TRUNCATED, "truncated", FALSE, "the file is truncated: its end is missing",                  \
      "; the rest is shown (was the app killed, or the file pulled before tracing stopped?)")      \
    X(PARTIAL_RECORD, "partial-record", FALSE, "the last record is incomplete", "; dropped")       \
    X(NO_SUMMARY, "no-summary", FALSE,                                                             \
      "the stream has no summary: tracing was not stopped or the app died",                        \
      "; everything before is shown")                                                              \
    X(OTHER_ENTRIES, "other-entries", FALSE, "the archive holds other traces",                     \
      "; not read: aflame info lists them, --entry chooses one")                                   \
    X(REPEATED_INPUT, "repeated-input", FALSE, "an input has the content of an earlier one",       \
      "; skipped")                                                                                 \
    X(OTHER_SIDE, "other-side", FALSE, "the file holds both sides of a comparison",                \
      "; after is read, --side before reads the other")                                            \
    X(GZIP_DAMAGED, "gzip-damaged", FALSE, "the compressed data is truncated or damaged",          \
      "; only the intact part is read")                                                            \
    X(UNKNOWN_PACKET, "unknown-packet", FALSE, "a packet has an unknown type",                     \
      "; everything after it is dropped")                                                          \
    X(CORRUPT_BLOCK, "corrupt-block", FALSE, "a block of records is damaged",                      \
      "; the rest of the block is dropped")                                                        \
    X(AFTER_SUMMARY, "after-summary", FALSE, "there are bytes after the summary", "; ignored")     \
    X(REPAIRED_CRLF, "repaired-crlf", FALSE,                                                       \
      "every line feed had become CR LF during the transfer (adb shell cat?)",                     \
      "; repaired; use adb pull")                                                                  \
    X(REPAIRED_1252, "repaired-windows-1252", FALSE,                                               \
      "the file was saved again as text (Windows-1252 as UTF-8)", "; the records were repaired")   \
    X(BAD_OFFSET, "bad-offset", FALSE, "the header's offset to the records is invalid",            \
      "; 32 is used")                                                                              \
    X(BAD_RECORD_SIZE, "bad-record-size", FALSE, "the header's record size is invalid",            \
      "; 14 is used")                                                                              \
    X(MAGIC_MOVED, "magic-moved", FALSE, "the records do not begin directly after *end",           \
      "; was the text edited?")                                                                    \
    X(VERSION_DIFFERS, "version-differs", FALSE,                                                   \
      "the text and the data header name different versions", "; the data header counts")          \
    X(STRIDE_BUG, "stride-bug", TRUE,                                                              \
      "Android 6 to 13 wrote 14 bytes for each record of 10 bytes", "; read accordingly")          \
    X(SCALE_BUG, "scale-bug", FALSE,                                                               \
      "wall times are 1000 times too small (an Android 16 bug of 2025)", "; multiplied by 1000")   \
    X(ZERO_THREAD, "zero-thread", FALSE, "records belong to thread 0", "; dropped")                \
    X(FILL_RECORD, "fill-record", TRUE, "record slots were reserved but never written",            \
      "; skipped")                                                                                 \
    X(ODD_ACTION, "odd-action", FALSE, "records have the undefined action 3",                      \
      "; treated as exits")                                                                        \
    X(UNKNOWN_METHOD, "unknown-method", FALSE,                                                     \
      "records name methods that the file does not define", "; shown by their id")                 \
    X(PROXY_METHOD, "proxy-method", TRUE,                                                          \
      "the file does not define methods of dynamic proxies (Android up to 13)",                    \
      "; named by their interface where that is certain")                                          \
    X(UNKNOWN_THREAD, "unknown-thread", TRUE, "threads with records are not listed in the file",   \
      "; shown by their id")                                                                       \
    X(DUPLICATE_THREAD, "duplicate-thread", TRUE, "thread ids are listed more than once (reused)", \
      "; their names are joined")                                                                  \
    X(DUPLICATE_METHOD, "duplicate-method", FALSE,                                                 \
      "method ids are defined more than once with different text",                                 \
      "; the first definition counts")                                                             \
    X(BACKWARD_STEP, "backward-step", FALSE, "the clock of a thread steps backward",               \
      "; treated as no time passing")                                                              \
    X(WRAP, "wrap", TRUE, "32-bit times wrapped around (71.6 minutes)", "; continued")             \
    X(MISSING_EXIT, "missing-exit", FALSE, "calls have no exit of their own",                      \
      "; closed by the exit of their caller")                                                      \
    X(UNMATCHED_EXIT, "unmatched-exit", FALSE, "exits name a method that is not open",             \
      "; ignored")                                                                                 \
    X(LONE_END, "lone-end", FALSE, "slices began before the recording", "; left out")              \
    X(OTHER_END, "other-end", FALSE, "ends name a slice that is not open",                         \
      "; treated as the end of the innermost one")                                                 \
    X(OPEN_OPERATION, "open-operation", TRUE, "asynchronous operations have no end",               \
      "; they last until the last event of their id")                                              \
    X(OVERLAP, "overlap", FALSE, "slices of a thread overlap without nesting",                     \
      "; the later ones are clamped to the end of the earlier")                                    \
    X(OUT_OF_ORDER, "out-of-order", FALSE, "records of a thread are not in time order",            \
      "; sorted")                                                                                  \
    X(BAD_TIME, "bad-time", FALSE, "records have no time, or one out of range", "; dropped")       \
    X(NEGATIVE_LENGTH, "negative-length", FALSE, "slices have a negative duration",                \
      "; treated as 0")                                                                            \
    X(CPU_MISSING, "cpu-missing", TRUE, "calls have no CPU time",                                  \
      "; the thread's CPU clock is assumed to stand still until its next CPU time")                \
    X(ADDRESSES, "addresses", TRUE, "the file holds the addresses of functions, not their names",  \
      "")                                                                                          \
    X(BROKEN_TEXT, "broken-text", FALSE, "parts of the text are not valid JSON", "; skipped")      \
    X(DEEP_TEXT, "deep-text", FALSE, "records hold values nested more than 512 deep", "; dropped") \
    X(UNKNOWN_RECORD, "unknown-record", TRUE, "records have undocumented types", "; ignored")      \
    X(MIXED_CATEGORIES, "mixed-categories", TRUE,                                                  \
      "slices or instants have other categories than the first of their name",                     \
      "; those of the first count")                                                                \
    X(DETAILS, "details", TRUE,                                                                    \
      "events have details that aflame does not read: arguments, flows, objects, markers", "")     \
    X(MANY_MARKERS, "many-markers", TRUE,                                                          \
      "there are more instants and counter values than aflame stores",                             \
      "; the rest is only counted")                                                                \
    X(MANY_TRACKS, "many-tracks", FALSE,                                                           \
      "more asynchronous operations run at once than there are tracks", "; the rest is dropped")   \
    X(MANY_MAPS, "many-maps", FALSE, "more libraries are mapped than aflame stores",               \
      "; addresses in the others have no names")                                                   \
    X(FRAME_CYCLE, "frame-cycle", FALSE,                                                           \
      "callers of a sample's frames form a cycle or are missing",                                  \
      "; the stacks are truncated there")                                                          \
    X(DEEP_STACK, "deep-stack", FALSE, "stacks are deeper than 4,096 frames",                      \
      "; the innermost frames are dropped, and their weight counts for the last frame shown")      \
    X(CONTROL_CHARACTERS, "control-characters", TRUE,                                              \
      "names hold control characters or invalid UTF-8", "; replaced")                              \
    X(LONG_NAME, "long-name", FALSE, "names are longer than 16 MB", "; truncated")                 \
    X(CLOCK_GUESSED, "clock-guessed", TRUE, "the file does not name the clock it recorded",        \
      "; guessed from the times")                                                                  \
    X(UNIT_GUESSED, "unit-guessed", TRUE, "the file does not name the unit of its times",          \
      "; guessed from their steps")                                                                \
    X(NO_COUNT, "no-count", FALSE, "lines do not end with a count", "; ignored")                   \
    X(ODD_LINE, "odd-line", FALSE, "lines have an unknown form", "; ignored")                      \
    X(LONG_LINE, "long-line", FALSE, "lines are longer than 64 MB", "; truncated")                 \
    X(TWO_COUNTS, "two-counts", TRUE,                                                              \
      "the stacks have two counts, from recordings before and after a change",                     \
      "; the second is shown")                                                                     \
    X(BAD_RECORDS, "bad-records", FALSE, "a record is invalid",                                    \
      "; everything after it is dropped")                                                          \
    X(PACKED_RECORDS, "packed-records", FALSE, "compressed parts of the file are damaged",         \
      "; only the intact part is read")                                                            \
    X(SHORT_SAMPLE, "short-sample", FALSE, "samples are shorter than their fields", "; ignored")   \
    X(TRUNCATED_PERF, "recording-cut", FALSE,                                                      \
      "the recording was killed or the file is truncated: its end and its symbols are missing",    \
      "")                                                                                          \
    X(LOST_SAMPLES, "lost-samples", TRUE,                                                          \
      "samples were lost while recording, because the disk or the reader was too slow", "")        \
    X(RAW_STACKS, "raw-stacks", FALSE, "user stacks were copied but not unwound",                  \
      "; only the kernel part is shown (record with --call-graph fp, or convert with perf "        \
      "script)")                                                                                   \
    X(SYMFS_OTHER, "symfs-other-build", FALSE,                                                     \
      "libraries in --symfs do not belong to the recorded build", "; not used")                    \
    X(NO_WEIGHT, "no-weight", FALSE, "stacks have no weight, or weights no stack", "; dropped")    \
    X(OTHER_WEIGHTS, "other-weights", FALSE, "samples have weights, but the file has slices too",  \
      "; each sample lasts until the next one of its thread, whatever its weight")                 \
    X(SHARED_COSTS, "shared-costs", FALSE,                                                         \
      "functions have several callers, and callgrind does not store stacks",                       \
      "; their costs are divided in proportion to the calls")                                      \
    X(LIGHT_PATHS, "light-paths", FALSE, "paths take less than 1/100,000 of the total",            \
      "; shown as [left out]")                                                                     \
    X(NEGATIVE_WEIGHT, "negative-weight", FALSE,                                                   \
      "samples have a negative weight, as in a difference of two profiles", "; dropped")           \
    X(MANY_FRAMES, "many-frames", FALSE,                                                           \
      "stacks expand to far more frames than the file has bytes", "; the rest is dropped")         \
    X(MANY_CHANGES, "many-changes", FALSE, "samples change between deep stacks too often",         \
      "; their times are not used")                                                                \
    X(OTHER_UNIT, "other-unit", FALSE, "profiles have a different unit from the first one",        \
      "; dropped")                                                                                 \
    X(CLOCK_DROPPED, "clock-dropped", FALSE,                                                       \
      "some of the merged recordings have no wall times, or no CPU times",                         \
      "; the times of that clock are dropped from all of them")                                    \
    X(SEVERAL_APPS, "several-apps", FALSE, "the merged recordings seem to be of different apps",   \
      "; none is named as the app, and the code of all of them counts as the app's")               \
    X(WEIGHT_CUT, "weight-cut", FALSE, "the weights of samples exceed the largest number",         \
      "; clamped")                                                                                 \
    X(UNRECORDED, "unrecorded", FALSE, "the recording ended before the trace did",                 \
      "; the time after the last record is not counted")                                           \
    X(NO_RECORDS, "no-records", FALSE, "the file holds no calls, slices or samples to draw", "")   \
    X(NO_TOTAL, "no-total", FALSE, "everything recorded adds up to 0: there is nothing to draw",   \
      "")                                                                                          \
    X(RECORD_COUNT, "record-count", TRUE,                                                          \
      "the number of records differs from the number that the file declares", "")                  \
    X(LEFT_OUT, "left-out", FALSE,                                                                 \
      "the profile was saved without the call paths that took the least time",                     \
      "; their time is shown as [left out]")                                                       \
    X(THREADS_LEFT_OUT, "threads-left-out", FALSE, "threads of the recording were not saved",      \
      "; open the recording for them")                                                             \
    X(BAD_PACKETS, "bad-packets", FALSE, "packets are invalid", "; dropped")                       \
    X(BAD_FRAMES, "bad-frames", FALSE,                                                             \
      "events of frame timelines lack a field or have an impossible time", "; dropped")            \
    X(ENDED_FRAMES, "ended-frames", TRUE, "frames ended that have no begin", "; dropped")          \
    X(OPEN_FRAMES, "open-frames", TRUE, "frames have no end",                                      \
      "; they last until the end of the trace")                                                    \
    X(LOST_PACKETS, "lost-packets", FALSE,                                                         \
      "packets of the recording were lost: their contents are missing", "")                        \
    X(LOST_NAMES, "lost-names", TRUE, "names follow lost packets of the same writer", "; ignored") \
    X(UNNAMED_EVENTS, "unnamed-events", FALSE,                                                     \
      "events were recorded, but their names were overwritten or lost", "; dropped")               \
    X(UNRESOLVED_NAMES, "unresolved-names", FALSE,                                                 \
      "events refer to names that are missing from the file", "; shown without")                   \
    X(LOST_CLOCK, "lost-clock", FALSE,                                                             \
      "events use a clock that the file does not relate to the clock of the recording",            \
      "; dropped")                                                                                 \
    X(OTHER_MACHINE, "other-machine", TRUE, "packets come from another machine", "; ignored")      \
    X(TRACK_CONFLICT, "track-conflict", FALSE,                                                     \
      "tracks are described more than once and differently", "; the first description counts")     \
    X(TRACK_LOST, "track-lost", FALSE,                                                             \
      "events belong to tracks whose parents are not described, or form a loop", "; dropped")      \
    X(DOUBLE_BEGIN, "double-begin", TRUE, "asynchronous slices begin again while they are open",   \
      "; counted as one")                                                                          \
    X(DEEP_SLICES, "deep-slices", TRUE, "slices are below the 512 levels at which Perfetto stops", \
      "; drawn")                                                                                   \
    X(BAD_MARKS, "bad-marks", TRUE, "marks of programs have an unknown form", "; ignored")         \
    X(IDLE_MARKS, "idle-marks", TRUE,                                                              \
      "marks were written by interrupts while a processor was idle", "; not drawn")                \
    X(NAMELESS_COUNTER, "nameless-counter", TRUE, "values of counters have no name", "; ignored")  \
    X(OTHER_KINDS, "other-kinds", TRUE, "the file holds other kinds of data",                      \
      "; not drawn: aflame info lists them, --source chooses one")                                 \
    X(OTHER_PROCESSES, "other-processes", TRUE, "other processes have data in the file",           \
      "; not drawn: --process all draws them")                                                     \
    X(EMPTY_HEAPS, "empty-heaps", FALSE,                                                           \
      "heaps were profiled, but no allocation in them was recorded", "")                           \
    X(ALL_RELEASED, "all-released", FALSE,                                                         \
      "everything in these stacks was released before the dump", "; --event allocated draws it")   \
    X(NO_FREES, "no-frees", TRUE, "stacks of the heap com.android.art do not record releases",     \
      "; shown with all that they allocated")                                                      \
    X(EARLY_EVENTS, "early-events", TRUE,                                                          \
      "events come from before the recording was complete on all processors", "; left out")        \
    X(LOST_SWITCHES, "lost-switches", FALSE,                                                       \
      "events of the scheduler are missing: CPU times are too short there", "")                    \
    X(LOST_KERNEL, "lost-kernel-events", FALSE,                                                    \
      "the kernel lost events: its buffer was full (record with a larger buffer)", "")             \
    X(RING_OVERRUN, "ring-overrun", TRUE,                                                          \
      "the ring buffer ran over: bytes from the start of the recording are gone", "")              \
    X(BUFFER_FULL, "buffer-full", FALSE,                                                           \
      "the buffer of the recording was full: parts of its data are missing", "")                   \
    X(FLUSH_FAILED, "flush-failed", TRUE,                                                          \
      "writers did not deliver their last data: the end of the recording may be missing", "")      \
    X(STACKLESS, "stackless", FALSE, "samples have no stack", "; not drawn")                       \
    X(SAMPLING_STOPPED, "sampling-stopped", FALSE,                                                 \
      "sampling was stopped because it used too much CPU time or memory", "")                      \
    X(SHARD, "shard", TRUE, "only a part of the processes was sampled", "")                        \
    X(HEAP_GAP, "heap-gap", FALSE, "packets of heap dumps are missing: the dumps are incomplete",  \
      "")                                                                                          \
    X(GARBAGE, "garbage", TRUE, "no root reaches these objects: garbage", "; not drawn")           \
    X(HEAP_FELL, "heap-fell", FALSE, "totals of allocations fell", "; ignored")                    \
    X(HEAP_REFUSED, "heap-refused", FALSE,                                                         \
      "another session was already profiling a process: nothing was recorded from it", "")         \
    X(HEAP_OVERRAN, "heap-overran", FALSE,                                                         \
      "the buffer of a process ran over or was damaged: its numbers end before the recording", "") \
    X(SETUP_FAILED, "setup-failed", TRUE,                                                          \
      "not all events that the recording asked for could be turned on", "")                        \
    X(MAPPING_OTHER, "mapping-other-build", FALSE,                                                 \
      "the mapping file does not belong to the build of the trace: names may be wrong",            \
      "; use the mapping.txt of the recorded build")                                               \
    X(MAPPING_UNUSED, "mapping-unused", FALSE,                                                     \
      "the mapping file contains no class of the trace: it belongs to another app, or the "        \
      "recorded build was not obfuscated",                                                         \
      "")                                                                                          \
    X(MAPPING_DAMAGED, "mapping-damaged", FALSE,                                                   \
      "lines of the mapping file are truncated or invalid", "; skipped")                           \
    X(MAPPING_AMBIGUOUS, "mapping-ambiguous", TRUE,                                                \
      "the mapping file gives several names for a method", "; shown with all of them, as a|b")
/* clang-format on */

typedef enum {
#define X(name, id, info, problem, reaction) AF_WARN_##name,
    AF_WARNINGS(X)
#undef X
        AF_WARNING_COUNT,
} af_warning_kind;

#define AF_NO_OFFSET UINT64_MAX

/* Counts and first offsets of all kinds. Initialise with af_warnings_init(). */
typedef struct {
    uint64_t count[AF_WARNING_COUNT];
    uint64_t offset[AF_WARNING_COUNT]; /* offset in the decompressed input; AF_NO_OFFSET = none */
} af_warnings;

void af_warnings_init(af_warnings *warnings);

/* Adds `n` to the count of `kind`; stores `offset` if it is the first. */
void af_warnings_add(af_warnings *warnings, af_warning_kind kind, uint64_t n, uint64_t offset);

/* Returns the kind of the warning with index `number` among the kinds that occurred; -1 past the
 * last. */
int af_warnings_kind_at(const af_warnings *warnings, unsigned number);

/* Returns the kind with an id, or -1. */
int af_warning_find(const char *id, size_t length);

const char *af_warning_id(af_warning_kind kind);
const char *af_warning_text(af_warning_kind kind);

/* The first part of the text: the problem without the reaction. */
const char *af_warning_problem(af_warning_kind kind);
gboolean af_warning_is_info(af_warning_kind kind);
