/* A neutral table: what every report is before a format writes it.
 *
 * A table has columns and rows of cells. Column 0 is the name of the row's thing; text shows it
 * last, because it is as wide as the page allows. Times are nanoseconds, and a share is kept as its
 * part: 100 % is `whole` of the table, so percentages are reckoned from exact numbers by whoever
 * shows them. What an input does not have is a column that is not there; what a single row does not
 * have is an absent cell. Neither is ever written as a zero.
 *
 * Texts are any UTF-8: each format makes them fit for where they go. */
#ifndef AF_REPORT_TABLE_H
#define AF_REPORT_TABLE_H

#include <stdint.h>
#include <glib.h>
#include "base/unit.h"
#include <aflame/profile.h>
#include "base/out.h"

typedef enum {
    AF_CELL_TEXT,
    AF_CELL_TIME,      /* ns */
    AF_CELL_AMOUNT,    /* no time: so many of the column's unit */
    AF_CELL_TIMESTAMP, /* ns since the trace began: text shows microseconds */
    AF_CELL_COUNT,
    AF_CELL_SHARE, /* the part; the whole stands in the table */
    AF_CELL_BAR,   /* a count as a bar; only in text */
} af_cell_kind;

typedef union {
    const char *text; /* NULL = absent */
    uint64_t number;  /* AF_ABSENT = absent */
} af_cell;

#define AF_ABSENT UINT64_MAX

/* Texts and units outlive the table. */
typedef struct {
    const char *id;    /* in JSON and CSV: "self_wall_ns" */
    const char *word;  /* for --sort: "self-wall" */
    const char *title; /* in text and HTML: "self wall" */
    const char *about; /* what it means, a sentence; NULL = the title says it */
    af_cell_kind kind;
    unsigned rank;       /* a narrow page leaves out the highest first; 0 = stays */
    af_clock clock;      /* AF_CELL_SHARE: of which time */
    const af_unit *unit; /* AF_CELL_AMOUNT */
    gboolean quiet;      /* text leaves it out where it is 0 or absent in all rows */
    gboolean plain;   /* a number that is no quantity: an id, a depth; no commas, sorted upward */
    gboolean below;   /* a text that text shows on a line of its own, below the row */
    gboolean implied; /* for programs: people see it in titles, headings, other columns */
} af_column;

/* What the rows are to each other. */
typedef enum {
    AF_ROWS_EQUAL,
    AF_ROWS_GROUPED, /* those with the same text in column 1 belong together, under that heading */
    AF_ROWS_NESTED,  /* column 1 is the depth of the row in a tree that is written from the top */
} af_row_order;

typedef struct {
    const char *id;    /* "methods": key in JSON, where tables in a row with one id are one array */
    const char *title; /* "methods" */
    const char *remark;  /* a line for people below the title; NULL = none */
    const char *subject; /* the method that all its rows are about; NULL = it is about all */
    af_row_order order;
    GArray *columns;      /* af_column */
    uint64_t whole_ns[3]; /* 100 %, by af_clock */
    af_cell *cells;       /* row after row */
    uint32_t n_rows, room;
    uint64_t n_left_out;    /* rows that were cut off */
    gboolean left_out_more; /* there may be more than these: nobody has counted */
    uint64_t n_more_tables; /* that were left out behind this one */
    int sorted_by;          /* column; -1 = an order of its own */
    unsigned name;      /* text: the column that stands for the name; others have nothing to say */
    unsigned name_most; /* text: names stand in front and are at most so wide; 0 = last, as wide as
                           the page allows */
} af_table;

/* A table without columns. Texts of the table and of its cells must outlive it. */
af_table *af_table_new(const char *id, const char *title);

/* A table with the columns of another, which is about something else of the same kind. */
af_table *af_table_new_like(const af_table *other, const char *title);
void af_table_free(af_table *table);

/* All columns come before the first row. Returns the column's number. */
unsigned af_table_add_column(af_table *table, const af_column *column);

/* Room for `n` rows. FALSE if the machine refuses the memory. */
gboolean af_table_reserve(af_table *table, uint32_t n);

/* A further row, in the room that was reserved, with all cells absent. */
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

/* Whether the cell of the row says nothing. */
gboolean af_table_is_absent(const af_table *table, uint32_t row, unsigned column);

/* Whether the column says something to people: it is not implied, and some row has it, and if it is
 * quiet, another value than 0. */
gboolean af_table_has_text(const af_table *table, unsigned column);

/* The column with the id, -1 if there is none. */
int af_table_find(const af_table *table, const char *id);

/* The column that a word of --sort means: its id, its word, the word or title without the clock,
 * which is then the first clock of the table ("self" for "self-cpu"), or the clock alone, which is
 * then the first column of it ("wait" for "self-wait"). -1 if there is none. */
int af_table_find_word(const af_table *table, const char *word);

/* Sorts by the column: texts and plain numbers upward, quantities downward, absent cells last.
 * Equal rows stand by column `next` (-1 = none), then by name, and where that is equal too in the
 * order in which they were added. Rows that belong together stay together. FALSE, with nothing
 * changed, if memory is refused. */
gboolean af_table_sort(af_table *table, unsigned column, int next);

/* The same, and then only the first `most` rows, of each group if there are groups; 0 = all. */
gboolean af_table_sort_first(af_table *table, unsigned column, int next, uint32_t most);

/* Whether the row is the first of its group. */
gboolean af_table_begins_group(const af_table *table, uint32_t row);

/* Leaves out all rows behind the first `most`, of each group if there are groups. */
void af_table_cut(af_table *table, uint32_t most);

/* For programs: `part` of `whole` in percent with four digits behind the point, rounded to the
 * nearest; 0 of nothing. */
void af_cell_put_percent(af_out *out, uint64_t part, uint64_t whole);

/* A cell for programs, a text as `text` writes it; absent ones are nothing. */
void af_cell_put_plain(af_out *out, const af_table *table, uint32_t row, unsigned column,
                       void (*text)(af_out *out, const char *text));

#endif
