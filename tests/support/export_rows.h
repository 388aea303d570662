/* The calls in a file of another tool's format, as rows that can be compared. The code that reads
 * them shares nothing with the code that writes them.
 *
 * A row is a stack of names below a thread, with numbers. Its key is a hash of all its names, so a
 * stack of any depth costs no more than its last name. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

/* Times in ns, or the unit of the trace. */
enum { CALLS, WALL, CPU, COLUMNS };

typedef struct {
    GHashTable *rows; /* guint64, the hash -> row */
    gboolean has[COLUMNS];
} export_rows;

export_rows *rows_new(void);

/* The stack of a thread, and a stack with one more name. */
guint64 stack_of_thread(const char *thread);
guint64 stack_of_id(gint64 thread);
guint64 stack_with(guint64 stack, const char *name);

/* Adds to a column of a row; `name` is the last name of the stack, for messages. */
void rows_add(export_rows *rows, guint64 stack, const char *name, int column, gint64 value);

/* The number of rows that are not all 0. */
guint rows_count(const export_rows *rows);

/* Whether both have the same rows, ignoring rows that are all 0. Prints some of the differences. */
gboolean rows_equal(const export_rows *wanted, const export_rows *got);

void rows_free(export_rows *rows);

/* The open calls of a thread, while its events are read in order. */
typedef struct {
    guint64 stack;
    const char *name; /* borrowed; NULL = of the thread itself */
} open_call;

typedef struct {
    export_rows *rows;
    GArray *calls; /* open_call; the lowest is the thread */
    guint64 last;
} open_calls;

open_calls *open_calls_new(export_rows *rows, guint64 thread);
const open_call *open_calls_top(const open_calls *open);

/* Adds the time since the previous event to the innermost call. */
void open_calls_pass(open_calls *open, guint64 now);
void open_calls_begin(open_calls *open, const char *name);
void open_calls_end(open_calls *open);

/* Refuses calls that never end. */
void open_calls_free(gpointer open);

/* The file being read, for refuse() to name; borrowed. */
void refuse_of(const char *path);

/* Ends the program: the receiving tool would reject the file. */
void refuse(const char *format, ...) G_GNUC_PRINTF(1, 2) G_GNUC_NORETURN;

/* Reads a file of a format that `aflame convert --list` names, gzipped or not. Takes `bytes`. */
void read_export(export_rows *rows, const char *format, GByteArray *written);

/* One reader per format; a zero byte follows `bytes` and does not count. */
void read_chrome(export_rows *rows, const char *bytes, gsize length);
void read_chrome_samples(export_rows *rows, JsonObject *top);
void read_gecko(export_rows *rows, const char *bytes, gsize length);
void read_perfetto(export_rows *rows, const char *bytes, gsize length);
void read_pprof(export_rows *rows, const char *bytes, gsize length);
void read_spall(export_rows *rows, const char *bytes, gsize length);
