/* What a file of another tool's format says about calls, as rows that can be compared: read by code
 * that has nothing in common with the code that writes them.
 *
 * A row is a stack of names below a thread, with numbers. It is known by a hash of all its names,
 * so that stacks of any depth cost no more than their last name. */
#ifndef TESTS_EXPORT_ROWS_H
#define TESTS_EXPORT_ROWS_H

#include <glib.h>
#include <json-glib/json-glib.h>

/* Times in ns, or whatever the trace's numbers are. */
enum { CALLS, WALL, CPU, COLUMNS };

typedef struct {
    GHashTable *rows; /* of guint64, the hash -> row */
    gboolean has[COLUMNS];
} export_rows;

export_rows *rows_new(void);

/* The stack of a thread, and the one with a name more. */
guint64 stack_of_thread(const char *thread);
guint64 stack_of_id(gint64 thread);
guint64 stack_with(guint64 stack, const char *name);

/* Adds to a column of a row; `name` is the last name of the stack, for people. */
void rows_add(export_rows *rows, guint64 stack, const char *name, int column, gint64 value);

/* How many are not all 0. */
guint rows_count(const export_rows *rows);

/* Whether the rows that are not all 0 are the same in both. Prints some of those that are not. */
gboolean rows_equal(const export_rows *wanted, const export_rows *got);

void rows_free(export_rows *rows);

/* What is read from here on, for refuse() to name; lent. */
void refuse_of(const char *path);

/* Ends the program: the file is not what its receiver would take. */
void refuse(const char *format, ...) G_GNUC_PRINTF(1, 2) G_GNUC_NORETURN;

/* Reads a file of a format that `aflame convert --list` names, in gzip or not. Takes it. */
void read_export(export_rows *rows, const char *format, GByteArray *written);

/* The categories of the Firefox Profiler, in both of its formats. */
void check_categories(JsonObject *meta);

/* One reader for each format; `bytes` end with a zero byte that is not counted. */
void read_callgrind(export_rows *rows, const char *bytes, gsize length);
void read_chrome(export_rows *rows, const char *bytes, gsize length);
void read_firefox(export_rows *rows, const char *bytes, gsize length);
void read_gecko(export_rows *rows, const char *bytes, gsize length);
void read_perfetto(export_rows *rows, const char *bytes, gsize length);
void read_pprof(export_rows *rows, const char *bytes, gsize length);
void read_spall(export_rows *rows, const char *bytes, gsize length);
void read_speedscope(export_rows *rows, const char *bytes, gsize length);

#endif
