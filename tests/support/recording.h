/* The trace file that a fixture description builds, in one of Android's containers.
 *
 * A container gets threads, methods and records in the order of the description and turns them into
 * bytes. It shares no code with the readers in src/read: these files are the proof that the readers
 * are right. All integers are little endian. */
#pragma once

#include <stdint.h>
#include <glib.h>

#include "script.h"

typedef struct recording recording;

typedef enum { ACTION_ENTER = 0, ACTION_EXIT = 1, ACTION_UNWIND = 2, ACTION_ODD = 3 } record_action;

/* One record. `time` is in the unit of the file; a file with one clock has only time[0]. */
enum { CPU = 0, WALL = 1, CLOCKS = 2 };

typedef struct {
    uint64_t thread;
    uint64_t method;
    record_action action;
    uint64_t time[CLOCKS];
} trace_record;

/* A text part: `*version`, `*threads`, `*methods`, `*end`. */
typedef struct {
    GPtrArray *keys, *threads, *methods; /* GString: a line without its line break */
    GString *verbatim;                   /* if not empty, replaces all of the above */
    gboolean short_form;                 /* V2: no threads, no methods */
} key_text;

typedef struct {
    const char *name;
    void (*begin)(recording *r);
    void (*thread)(recording *r, uint64_t id, const GString *name);
    void (*method)(recording *r, uint64_t id, const GString *columns); /* joined by tabs */
    void (*put)(recording *r, const trace_record *record);
    void (*raw)(recording *r, const guint8 *bytes, gsize length);
    void (*summary)(recording *r, const key_text *text);
    void (*finish)(recording *r);
    void (*end_block)(recording *r); /* NULL: as V2 */
} container;

/* V2 and dumps: the entry block being filled. */
typedef struct {
    gboolean open;
    uint64_t thread;
    uint64_t count;
    GByteArray *bytes;
    uint64_t last_id, last[CLOCKS]; /* running values */
    gboolean after_entry;           /* all-methods dumps */
    gboolean keep;                  /* the next block continues with the running values */
    gboolean has_header_count, has_header_size; /* the header declares these instead */
    uint64_t header_count, header_size;
} entry_block;

typedef struct {
    uint64_t time[CLOCKS];
} thread_clock;

typedef struct {
    char *suffix;
    GByteArray *bytes;
    gsize data_at; /* offset of the binary part */
} output;

struct recording {
    const char *path; /* of the description */
    int line;
    const container *container;
    unsigned version;
    gsize header, record_size;
    gboolean split, dual;
    uint64_t start, offset_field, record_field, frequency;
    uint64_t process; /* Spall: for all threads */
    double unit;      /* Spall: of a tick */
    char layout;      /* V2: 'c', 'd', 'e'; dumps: 'l' (long-running), 'a' (all methods) */
    gboolean in_text; /* dumps: base64 inside an ANR text */
    char *suffix;
    key_text text;        /* V1: the text part; otherwise the one being described */
    gboolean in_key_text; /* threads and methods are lines of `text`, not packets */
    GByteArray *bytes;    /* V1: header and records; otherwise the whole file */
    entry_block block;
    uint64_t n_records;
    GHashTable *methods; /* "pkg.Class.method" -> its id (uint64_t) */
    GHashTable *names;   /* Spall: id -> GString, the method's columns */
    GHashTable *clocks;  /* thread id -> thread_clock, the time of its last record */
    GArray *outputs;     /* output */
};

extern const container container_v1, container_stream, container_v2, container_dump, container_raw,
    container_spall;

void recording_fail(const recording *r, const char *format, ...)
    G_GNUC_PRINTF(2, 3) G_GNUC_NORETURN;

void bytes_le(GByteArray *bytes, uint64_t value, unsigned width);
void bytes_zero(GByteArray *bytes, gsize length);
void bytes_uleb(GByteArray *bytes, uint64_t value);
void bytes_sleb(GByteArray *bytes, int64_t value);
void bytes_string(GByteArray *bytes, const GString *string);
void bytes_double(GByteArray *bytes, double value);

void key_text_init(key_text *text);
void key_text_clear(key_text *text);
void key_text_write(const key_text *text, const recording *r, GByteArray *out);

void recording_output(recording *r, const char *suffix, GByteArray *bytes, gsize data_at);

/* Hex pairs, quoted bytes, VALUE:WIDTH for integers and VALUE:f64 for doubles. The caller frees the
 * array. */
GByteArray *recording_bytes(const recording *r, const script_word *words, guint n);

/* One `damage` statement, done to every output. */
void recording_damage(recording *r, const script_word *words, guint n_words);

/* Adds a line to the text part. */
void key_text_thread(recording *r, uint64_t id, const GString *name);
void key_text_method(recording *r, uint64_t id, const GString *columns);
GString *key_text_method_line(uint64_t id, const GString *columns);

/* Adds a thread or method to the text part or as a packet, whichever the container needs. */
void recording_thread(recording *r, uint64_t id, const GString *name);
void recording_method(recording *r, uint64_t id, const GString *columns);

/* Ends the entry block. The next one continues with its running values if `keep`. */
void entry_block_end(recording *r, gboolean keep);
void entry_block_open(recording *r, uint64_t thread);

/* Replaces `%i` and `%(i*4+1)`; `i` is the round of the innermost `repeat`, from 1. */
GString *expand_word(const recording *r, uint64_t i, const script_word *word);
uint64_t read_number(const recording *r, const char *text);

/* Performs the whole description. */
void recording_run(recording *r, const GPtrArray *script);
