/* A neutral table: the form of every report before a format writes it.
 *
 * A table has columns and rows of cells. Column 0 names the subject of the row; text shows it last,
 * because it is as wide as the page allows. Times are nanoseconds. A share is stored as its part,
 * and `whole` of the table is 100 %, so formats compute percentages from exact numbers. If the
 * input lacks a figure, the table lacks the column; if a single row lacks it, its cell is absent.
 * Neither is ever written as zero.
 *
 * Texts are any UTF-8; each format escapes them. */
#pragma once

#include <stdint.h>
#include <glib.h>
#include "base/unit.h"
#include <aflame/profile.h>
#include "base/out.h"

typedef enum {
    AF_CELL_TEXT,
    AF_CELL_TIME,      /* ns */
    AF_CELL_AMOUNT,    /* not a time: an amount in the column's unit */
    AF_CELL_TIMESTAMP, /* ns since the trace began, may be negative; text shows microseconds */
    AF_CELL_COUNT,
    AF_CELL_SHARE, /* the part; the table has the whole */
    AF_CELL_BAR,   /* a count as a bar; only in text */
    AF_CELL_LIST,  /* texts, or names with a time; people see them in one line */
} af_cell_kind;

/* An item of a list. */
typedef struct {
    const char *name;
    const char *thread; /* NULL = none */
    gboolean is_main;   /* people need not read the name of the thread */
    uint64_t self_ns;   /* AF_ABSENT = only a text */
} af_cell_item;

typedef struct {
    const af_cell_item *items;
    unsigned n;
} af_cell_list;

typedef union {
    const char *text;         /* NULL = absent */
    uint64_t number;          /* AF_ABSENT = absent */
    const af_cell_list *list; /* the same as text */
} af_cell;

#define AF_ABSENT UINT64_MAX

/* Texts and units outlive the table. Initialisers name the first members by their order. */
typedef struct {
    const char *id;    /* in JSON and CSV: "self_wall_ns" */
    const char *word;  /* for --sort: "self-wall"; NULL = the id */
    const char *title; /* in text and HTML: "self wall"; NULL = the word */
    const char *about; /* a sentence about its meaning; NULL = the title is enough */
    af_cell_kind kind;
    unsigned rank;       /* narrow pages leave out the highest first; 0 = always shown */
    af_clock clock;      /* AF_CELL_SHARE: the clock of the share */
    const af_unit *unit; /* AF_CELL_AMOUNT */
    gboolean quiet;      /* text leaves it out if it is 0 or absent in all rows */
    gboolean plain; /* a number that is not a quantity: an id, a depth; no commas, sorted upward */
    gboolean below; /* a text that text pages show on its own line, below the row */
    gboolean right; /* a text that is a number: aligned to the right */
    gboolean implied; /* for programs: people find it in titles, headings, other columns */
    const char *stem; /* the title under a heading that names `clock`; NULL = belongs to no clock */
    gboolean minor;   /* a narrow HTML page leaves it out */
} af_column;

/* How rows relate to each other. */
typedef enum {
    AF_ROWS_EQUAL,
    AF_ROWS_GROUPED, /* rows with the same text in column 1 form a group with that heading */
    AF_ROWS_NESTED,  /* column 1 is the depth of the row in a tree, written from the top */
} af_row_order;

typedef struct {
    const char *id; /* "methods": key in JSON, where consecutive tables with one id form an array */
    const char *title;    /* "methods" */
    const char *subtitle; /* a line for people below the title; NULL = none */
    const char *closing;  /* a line for people below the rows; NULL = none */
    const char *subject;  /* the method that all rows are about; NULL = all methods */
    af_row_order order;
    /* the columns that CSV has whatever the input is; ends with NULL; NULL = those of the table */
    const char *const *fixed_ids;
    GArray *columns;      /* af_column */
    uint64_t whole_ns[3]; /* 100 %, by af_clock */
    af_cell *cells;       /* row after row */
    uint32_t n_rows, capacity;
    uint64_t n_left_out;    /* rows that were cut off */
    gboolean left_out_more; /* there may be more: they were not counted */
    uint64_t n_more_tables; /* tables left out after this one */
    int sorted_by;          /* column; -1 = its own order */
    unsigned
        last_column; /* rows with last_text in this column come last when the table is sorted by
                               a number */
    const char *last_text; /* NULL = there are no such rows */
    unsigned name; /* text: the column that stands for the name; the others carry no information */
    unsigned name_most; /* text: names come first, at most this wide; 0 = last, as wide as the page
                           allows */
} af_table;

/* A table without columns. Texts of the table and its cells must outlive it. */
af_table *af_table_new(const char *id, const char *title);

/* A table with the columns of another one, for another subject of the same kind. */
af_table *af_table_new_like(const af_table *other, const char *title);
void af_table_free(af_table *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_table, af_table_free)

/* Add all columns before the first row. The first function returns the column's number. */
unsigned af_table_add_column(af_table *table, const af_column *column);
void af_table_add_columns(af_table *table, const af_column *columns, unsigned n);

/* Reserves capacity for `n` rows. FALSE if out of memory. */
gboolean af_table_reserve(af_table *table, uint32_t n);

/* A new row in the reserved capacity, with all cells absent. */
af_cell *af_table_add_row(af_table *table);

static inline const af_column *af_table_column(const af_table *table, unsigned number)
{
    return &g_array_index(table->columns, af_column, number);
}

/* 100 % of a column of shares. */
static inline uint64_t af_table_whole(const af_table *table, const af_column *column)
{
    return table->whole_ns[column->clock];
}

static inline af_cell *af_table_row(const af_table *table, uint32_t row)
{
    return table->cells + (size_t)row * table->columns->len;
}

/* Whether the cell is absent, or 0 in a quiet column. */
gboolean af_table_is_absent(const af_table *table, uint32_t row, unsigned column);

/* Whether people need the column: it is not implied, and some row has a value (in a quiet column:
 * other than 0). */
gboolean af_table_has_text(const af_table *table, unsigned column);

/* The column with the id, -1 if none. */
int af_table_find(const af_table *table, const char *id);

/* The column that a value of --sort means: its id; its word; the word or title without the clock,
 * for the first clock of the table ("self" for "self-cpu"); or the clock alone, for the first
 * column of that clock ("wait" for "self-wait"). -1 if none. */
int af_table_find_word(const af_table *table, const char *word);

/* Sorts by the column: texts and plain numbers upward, quantities downward, absent cells last.
 * Equal rows are sorted by column `next` (-1 = none), then by name, then in the order of insertion.
 * Groups stay together. FALSE, with nothing changed, if out of memory. */
gboolean af_table_sort(af_table *table, unsigned column, int next);

/* The same, and keeps the first `most` rows of each group, or of the table without groups; 0 =
 * all. */
gboolean af_table_sort_first(af_table *table, unsigned column, int next, uint32_t most);

/* Whether the row is the first of its group. */
gboolean af_table_begins_group(const af_table *table, uint32_t row);

/* Drops all rows after the first `most` (0 = all) of each group, or of the table without groups. */
void af_table_limit(af_table *table, uint32_t most);

/* A time stamp, which is negative before the trace began; AF_ABSENT, which is -1, becomes -2. */
static inline uint64_t af_cell_timestamp(int64_t ns)
{
    return ns == -1 ? (uint64_t)-2 : (uint64_t)ns;
}

/* The first `most` items in one line: "measure 3.1 ms, RenderThread: draw 2.2 ms". Free with
 * g_free(). */
char *af_cell_list_text(const af_cell_list *list, unsigned most);

/* For programs: `part` of `whole` in percent with four decimals, rounded to nearest; 0 if the whole
 * is 0. */
void af_cell_put_percent(af_out *out, uint64_t part, uint64_t whole);

/* A cell for programs, with texts written by `text`; absent cells write nothing. */
void af_cell_put_plain(af_out *out, const af_table *table, uint32_t row, unsigned column,
                       void (*text)(af_out *out, const char *text));
