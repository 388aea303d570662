/* The text part of a trace: versions and facts, threads, methods.
 *
 * It is the head of a V1 file, the whole of a .key file, the summary of a stream, or the .sec file
 * next to one. The scan works on bytes: names may hold anything, even line ends and words that
 * look like section headers. */
#pragma once

#include "read/android/thread_names.h"

typedef struct {
    uint64_t id;
    af_span name;
} af_thread_line;

typedef struct {
    gboolean has_end;       /* *end is where it should be */
    size_t end;             /* offset of the byte after the *end line */
    size_t end_line;        /* offset of the *end line */
    af_span facts, methods; /* the lines of these sections */
    unsigned version;       /* 0 = not declared */
    af_array threads;       /* of af_thread_line, in file order */
    af_arena *names;        /* of threads, which are needed after the records */
    size_t looked; /* bytes that af_keytext_find_end() has searched without finding an end */
} af_keytext;

/* Finds the sections. In a file, an *end line counts if data ("SLOW") or nothing follows it. If
 * none does, the last *end line counts, and has_end is FALSE with end_line set. Without any *end
 * line, end_line is SIZE_MAX. Free with af_keytext_clear(). */
void af_keytext_scan(af_keytext *text, const uint8_t *bytes, size_t length);
void af_keytext_clear(af_keytext *text);

/* The same in two steps, for a text that may not be in memory completely. af_keytext_find_end()
 * returns FALSE if it needs more bytes; call it again with the same bytes and those that follow.
 * After it has found the end, af_keytext_find_sections() finds the sections in the same bytes. */
void af_keytext_begin(af_keytext *text);
gboolean af_keytext_find_end(af_keytext *text, const uint8_t *bytes, size_t length, gboolean more);
void af_keytext_find_sections(af_keytext *text, const uint8_t *bytes, size_t length);

/* Puts the key=value lines into the sink's facts. `ns`: the elapsed time may be in nanoseconds,
 * which V1 does not support. */
void af_keytext_take_facts(const af_keytext *text, gboolean ns, af_sink *sink);

/* Defines the methods; `mask` truncates their ids to the width of those in records. With
 * `override`, they replace earlier definitions; within the text, the first definition of an id
 * always wins. */
void af_keytext_take_methods(const af_keytext *text, af_sink *sink, uint64_t mask,
                             gboolean override);

/* Parses one method line: id and columns. Returns FALSE if it has no id. A line without a name
 * leaves class and name empty. */
gboolean af_keytext_parse_method(const char *line, size_t length, uint64_t *id,
                                 af_method_text *text);

/* Parses the columns after an id, which may be absent. */
void af_keytext_parse_columns(const char *line, size_t length, af_method_text *text);

/* Names all threads of the sink. `announced` (may be NULL) holds names from packets, for unlisted
 * threads. `v1`: ids in records are truncated to 16 bits, and exited threads are listed before the
 * main thread; `dalvik`: exited threads are not listed. */
void af_keytext_take_threads(const af_keytext *text, const af_thread_names *announced, gboolean v1,
                             gboolean dalvik, af_sink *sink);

/* Appends a part to a name, up to the length where names are truncated. */
void af_keytext_append(GString *name, const char *between, af_span part);

/* Parses a plain non-negative decimal number. Returns FALSE if it does not fit. */
gboolean af_keytext_parse_number(af_span text, uint64_t *value);
