/* The text part of a trace: versions and facts, threads, methods.
 *
 * It stands at the head of a V1 file, alone in a .key file, in the summary of a stream and in the
 * .sec file beside one. Scanned as bytes: names may hold anything, also line ends and words that
 * look like the headers of sections. */
#ifndef AF_READ_ANDROID_KEYTEXT_H
#define AF_READ_ANDROID_KEYTEXT_H

#include "read/android/thread_names.h"

typedef struct {
    uint64_t id;
    af_span name;
} af_thread_line;

typedef struct {
    gboolean has_end;       /* *end stands where it should */
    size_t end;             /* offset of the byte behind the *end line */
    size_t end_line;        /* offset of the *end line itself */
    af_span facts, methods; /* the lines of these sections */
    unsigned version;       /* 0 = not said */
    af_array threads;       /* of af_thread_line, in file order */
    af_arena *joined;       /* names that had to be put together */
    size_t looked;          /* bytes in which af_keytext_find_end() has found no end */
} af_keytext;

/* Finds the sections. In a file, *end counts where data ("SLOW") or nothing follows; if it does so
 * nowhere, the last *end line is taken and has_end is FALSE with end_line set; without any *end
 * line end_line is SIZE_MAX. Free with af_keytext_clear(). */
void af_keytext_scan(af_keytext *text, const uint8_t *bytes, size_t length);
void af_keytext_clear(af_keytext *text);

/* The same in two steps, for a text of which not all may be in memory yet. FALSE if it takes more
 * bytes than these to find the end: then once more with these and those behind them. When it was
 * found, the sections in what was given. */
void af_keytext_begin(af_keytext *text);
gboolean af_keytext_find_end(af_keytext *text, const uint8_t *bytes, size_t length, gboolean more);
void af_keytext_find_sections(af_keytext *text, const uint8_t *bytes, size_t length);

/* Puts the key=value lines into the sink's facts. `ns` says that the elapsed time may stand in
 * nanoseconds, which V1 does not know. */
void af_keytext_take_facts(const af_keytext *text, gboolean ns, af_sink *sink);

/* Defines the methods; `mask` cuts their ids to the width of those in records. If `override`, they
 * take the place of what was defined before; inside the text the first of an id wins always. */
void af_keytext_take_methods(const af_keytext *text, af_sink *sink, uint64_t mask,
                             gboolean override);

/* One method line: id and columns. FALSE if it has no id. A line without a name leaves class and
 * name empty. */
gboolean af_keytext_parse_method(const char *line, size_t length, uint64_t *id,
                                 af_method_text *text);

/* The columns behind an id, of which there may be none. */
void af_keytext_parse_columns(const char *line, size_t length, af_method_text *text);

/* Gives names to all threads of the sink. `announced` (may be NULL) holds names from packets, for
 * threads that are not listed. `v1` says that ids in records are cut to 16 bits
 * and that exited threads stand before the main one; `dalvik` that they are not listed at all. */
void af_keytext_take_threads(const af_keytext *text, const af_thread_names *announced, gboolean v1,
                             gboolean dalvik, af_sink *sink);

/* Puts a part behind a name, up to where names are cut. */
void af_keytext_append(GString *name, const char *between, af_span part);

/* A plain non-negative decimal number that fits. */
gboolean af_keytext_parse_number(af_span text, uint64_t *value);

#endif
