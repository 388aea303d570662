/* What can be wrong with an input: kinds with a count and the first place, never a line for each
 * record. */
#ifndef AF_MODEL_WARNING_H
#define AF_MODEL_WARNING_H

#include <stdint.h>
#include <glib.h>

/* X(name, id, is only a note, what is wrong and what was done) */
/* clang-format off: one entry a line */
#define AF_WARNINGS(X)                                                                             \
    X(OVERFLOW, "overflow", FALSE,                                                                 \
      "the recording buffer overflowed: the end of the run is missing; record with a larger "      \
      "buffer or with streaming")                                                                  \
    X(TRUNCATED, "truncated", FALSE,                                                               \
      "the file is cut off: the end is missing; drawn as far as it goes (was the app killed, or "  \
      "the file pulled before tracing stopped?)")                                                  \
    X(PARTIAL_RECORD, "partial-record", FALSE, "the last record is cut and was dropped")           \
    X(NO_SUMMARY, "no-summary", FALSE,                                                             \
      "the stream has no summary: tracing was not stopped or the app died; drawn as far as it "    \
      "goes")                                                                                      \
    X(GZIP_DAMAGED, "gzip-damaged", FALSE,                                                         \
      "the gzip data is cut or damaged; read as far as it unpacks")                                \
    X(UNKNOWN_PACKET, "unknown-packet", FALSE, "unknown packet: read up to there")                 \
    X(CORRUPT_BLOCK, "corrupt-block", FALSE,                                                       \
      "a block of records is damaged; its rest was dropped and reading went on behind it")         \
    X(AFTER_SUMMARY, "after-summary", FALSE, "bytes behind the summary were ignored")              \
    X(REPAIRED_CRLF, "repaired-crlf", FALSE,                                                       \
      "every line feed had become CR LF on the way (adb shell cat?) and was put right; use adb "   \
      "pull")                                                                                      \
    X(REPAIRED_1252, "repaired-windows-1252", FALSE,                                               \
      "the file was saved again as text (Windows-1252 as UTF-8); the records were put right")      \
    X(BAD_OFFSET, "bad-offset", FALSE,                                                             \
      "the header's offset to the records makes no sense; 32 was taken")                           \
    X(BAD_RECORD_SIZE, "bad-record-size", FALSE,                                                   \
      "the header's record size makes no sense; 14 was taken")                                     \
    X(MAGIC_MOVED, "magic-moved", FALSE,                                                           \
      "the records do not begin right behind *end; the text was changed by hand?")                 \
    X(VERSION_DIFFERS, "version-differs", FALSE,                                                   \
      "the text and the data header name different versions; the data header was believed")        \
    X(STRIDE_BUG, "stride-bug", TRUE,                                                              \
      "written by Android 6 to 13 with 14 bytes for each record of 10; read so")                   \
    X(SCALE_BUG, "scale-bug", FALSE,                                                               \
      "wall times are 1000 times too small (an Android 16 bug of 2025); multiplied by 1000")       \
    X(ZERO_THREAD, "zero-thread", FALSE, "records of thread 0 were dropped")                       \
    X(FILL_RECORD, "fill-record", TRUE, "slots that were reserved but never written were skipped") \
    X(ODD_ACTION, "odd-action", FALSE, "records with action 3 were taken for exits")               \
    X(UNKNOWN_METHOD, "unknown-method", FALSE,                                                     \
      "records name methods that the file does not define; shown by their id")                     \
    X(PROXY_METHOD, "proxy-method", TRUE,                                                          \
      "methods of dynamic proxies were not defined in the file (Android up to 13); named by "      \
      "their interface where that is certain")                                                     \
    X(UNKNOWN_THREAD, "unknown-thread", TRUE,                                                      \
      "threads with records are not listed in the file; shown by their id")                        \
    X(DUPLICATE_THREAD, "duplicate-thread", TRUE,                                                  \
      "thread ids are listed more than once (reused); their names were joined")                    \
    X(DUPLICATE_METHOD, "duplicate-method", FALSE,                                                 \
      "method ids are defined more than once with different text; the first was taken")            \
    X(BACKWARD_STEP, "backward-step", FALSE,                                                       \
      "the clock of a thread steps backward; taken as no time passing")                            \
    X(WRAP, "wrap", TRUE, "32-bit times ran over (71.6 minutes) and were carried on")              \
    X(MISSING_EXIT, "missing-exit", FALSE,                                                         \
      "calls have no exit of their own; closed by the exit of their caller")                       \
    X(UNMATCHED_EXIT, "unmatched-exit", FALSE, "exits name a method that is not open; ignored")    \
    X(LONE_END, "lone-end", FALSE, "ends without a begin; ignored")                                \
    X(OTHER_END, "other-end", FALSE,                                                               \
      "ends name what is not running; taken for the end of the innermost call")                    \
    X(OVERLAP, "overlap", FALSE,                                                                   \
      "calls of a thread overlap without lying in each other; the later ones were cut at the end " \
      "of the earlier")                                                                            \
    X(OUT_OF_ORDER, "out-of-order", FALSE,                                                         \
      "records of a thread are not in order of time; they were sorted")                            \
    X(BAD_TIME, "bad-time", FALSE,                                                                 \
      "records have no time, or one beyond all measure; they were left out")                       \
    X(NEGATIVE_LENGTH, "negative-length", FALSE, "calls last less than nothing; taken as 0")       \
    X(CPU_MISSING, "cpu-missing", TRUE,                                                            \
      "calls have no CPU time; taken as none passing before their thread's next that has")         \
    X(ADDRESSES, "addresses", TRUE, "the file holds addresses of functions and not their names")   \
    X(BROKEN_TEXT, "broken-text", FALSE, "the text is no JSON in places; read on behind them")     \
    X(DEEP_TEXT, "deep-text", FALSE,                                                               \
      "records hold values nested more than 512 deep; they were left out")                         \
    X(UNKNOWN_RECORD, "unknown-record", TRUE,                                                      \
      "records of kinds that nobody has described; ignored")                                       \
    X(MANY_MARKERS, "many-marks", TRUE,                                                            \
      "there are more instants and values of counters than are kept; the rest is only counted")    \
    X(MANY_TRACKS, "many-lanes", FALSE,                                                            \
      "more asynchronous operations run at once than there are lanes for; the rest was left out")  \
    X(FRAME_CYCLE, "frame-cycle", FALSE,                                                           \
      "frames of samples have no end of callers or name one that is not there; cut there")         \
    X(CONTROL_CHARACTERS, "control-characters", TRUE,                                              \
      "names hold control characters or bytes that are no UTF-8; replaced")                        \
    X(LONG_NAME, "long-name", FALSE, "names of more than 16 MB were cut")                          \
    X(CLOCK_GUESSED, "clock-guessed", TRUE,                                                        \
      "the file does not say which clock it recorded; guessed from the times")                     \
    X(UNIT_GUESSED, "unit-guessed", TRUE,                                                          \
      "the file does not say the unit of its times; guessed from their steps")                     \
    X(NO_COUNT, "no-count", FALSE, "lines without a count at their end were ignored")              \
    X(ODD_LINE, "odd-line", FALSE, "lines that are neither a sample nor a frame were ignored")     \
    X(LONG_LINE, "long-line", FALSE, "lines of more than 64 MB were cut")                          \
    X(TWO_COUNTS, "two-counts", TRUE,                                                              \
      "the stacks have two counts, of a recording before and one after: the second is shown")      \
    X(BAD_RECORDS, "bad-records", FALSE, "a record makes no sense; what follows it is left out")   \
    X(PACKED_RECORDS, "packed-records", FALSE,                                                     \
      "records that are packed with zstd are damaged; read as far as they unpack")                 \
    X(SHORT_SAMPLE, "short-sample", FALSE,                                                         \
      "samples are shorter than what they must hold; ignored")                                     \
    X(TRUNCATED_PERF, "recording-cut", FALSE,                                                      \
      "the recording was killed or the file is cut off: its end and its symbols are missing")      \
    X(LOST_SAMPLES, "lost-samples", TRUE,                                                          \
      "samples were lost while recording, because the disk or the reader was too slow")            \
    X(RAW_STACKS, "raw-stacks", FALSE,                                                             \
      "the stacks of the processes were copied and never unwound; only what the kernel saw is "    \
      "shown (record with --call-graph fp, or convert with perf script)")                          \
    X(SYMFS_OTHER, "symfs-other-build", FALSE,                                                     \
      "libraries of --symfs are of another build than those that were recorded; not used")         \
    X(NO_WEIGHT, "no-weight", FALSE,                                                               \
      "stacks without a weight, or weights without a stack, were left out")                        \
    X(OTHER_UNIT, "other-unit", FALSE,                                                             \
      "profiles are measured in another unit than the first; they were left out")                  \
    X(WEIGHT_CUT, "weight-cut", FALSE,                                                             \
      "the weights of samples run over; what is more than any number holds was left out")          \
    X(UNRECORDED, "unrecorded", FALSE,                                                             \
      "the recording ended before the trace did; the time after the last record is not counted")   \
    X(NO_RECORDS, "no-records", FALSE, "the file is whole but holds no records")                   \
    X(NO_TOTAL, "no-total", FALSE, "all that was recorded adds up to 0: there is nothing to draw") \
    X(RECORD_COUNT, "record-count", TRUE,                                                          \
      "the file announces another number of records than it holds")                                \
    X(MAPPING_OTHER, "mapping-other-build", FALSE,                                                 \
      "the mapping file belongs to another build than the trace: names may be wrong; take the "    \
      "mapping.txt of the very build that was recorded")                                           \
    X(MAPPING_UNUSED, "mapping-unused", FALSE,                                                     \
      "no class of the trace is in the mapping file: it is of another app, or the build that was " \
      "recorded was not obfuscated")                                                               \
    X(MAPPING_DAMAGED, "mapping-damaged", FALSE,                                                   \
      "lines of the mapping file are cut or cannot be understood; they were passed over")          \
    X(MAPPING_AMBIGUOUS, "mapping-ambiguous", TRUE,                                                \
      "methods may be one of several by the mapping file; shown with all their names, as a|b")
/* clang-format on */

typedef enum {
#define X(name, id, note, text) AF_WARN_##name,
    AF_WARNINGS(X)
#undef X
        AF_WARNING_COUNT,
} af_warning_kind;

#define AF_NO_OFFSET UINT64_MAX

/* Counts and first places of all kinds. All zero is empty but for `place`: use the init. */
typedef struct {
    uint64_t count[AF_WARNING_COUNT];
    uint64_t place[AF_WARNING_COUNT]; /* offset in the unpacked input; AF_NO_OFFSET = none */
} af_warnings;

void af_warnings_init(af_warnings *warnings);

/* Counts `n` more of `kind`; `place` is kept if it is the first. */
void af_warnings_add(af_warnings *warnings, af_warning_kind kind, uint64_t n, uint64_t place);

/* The kind of the warning `number`, counted from 0 among the kinds that occurred; -1 past the
 * last. */
int af_warnings_kind_at(const af_warnings *warnings, unsigned number);

const char *af_warning_id(af_warning_kind kind);
const char *af_warning_text(af_warning_kind kind);
gboolean af_warning_is_info(af_warning_kind kind);

#endif
