/* Tables of a comparison: rows with the numbers of both sides.
 *
 * Rows come sorted: by size of the difference, or as branches of a tree. Every format prints them
 * in its own way. */
#pragma once

#include "compare/diff.h"

/* Times are inclusive, in the clock of the comparison. */
typedef struct {
    const char *name;
    af_diff_status status;
    uint64_t time[AF_SIDES], self[AF_SIDES], calls[AF_SIDES];
    gboolean present[AF_SIDES];
    gboolean counted;             /* calls are known */
    double p;                     /* as in af_diff_method */
    uint32_t depth;               /* in a tree, from 0 */
    const af_diff_method *method; /* what a method has in addition; NULL = another row */
    const af_diff_thread *thread; /* the same for a thread */
} af_diff_row;

typedef struct {
    const char *id;      /* "methods": key in JSON, where tables with one id form an array */
    const char *title;   /* "methods" */
    const char *name;    /* heading of the first column: "method" */
    const char *subject; /* the method that the rows are about; NULL = none */
    gboolean nested;     /* a tree, written from the top */
    GArray *rows;        /* of af_diff_row */
    uint64_t n_left_out; /* rows that were cut off */
    af_arena *texts;     /* of its own names */
} af_diff_table;

af_diff_table *af_diff_table_new(const char *id, const char *title, const char *name);
void af_diff_table_free(gpointer table);

/* Sorts by the difference of inclusive, then of self times, then by name, and keeps the first `top`
 * rows (0 = all). */
void af_diff_table_sort(af_diff_table *table, uint32_t top);

/* Adds the numbers of a path; those of a nested one only to its self times. */
void af_diff_row_add(af_diff_row *row, const af_diff *diff, const af_diff_tree *tree, uint32_t node,
                     gboolean nested);

/* The status of a row that no test decides, from that of the method to which its time belongs;
 * AF_DIFF_UNSURE if it belongs to several methods. */
af_diff_status af_diff_row_judge(const af_diff *diff, const af_diff_row *row,
                                 af_diff_status of_method);

typedef struct af_diff_grouping af_diff_grouping;

typedef struct {
    const char *word; /* of --by */
    af_diff_table *(*make)(const af_diff *diff, const af_diff_tables *wanted);
    const af_diff_grouping *groups; /* in place of `make`, for tables of groups of methods */
    gboolean is_tree;
} af_diff_table_kind;

/* Table `number`; NULL past the end. Trees are the last ones. */
const af_diff_table_kind *af_diff_table_kind_at(unsigned number);

/* Its word; NULL for trees, too. */
const char *af_diff_table_word(unsigned number);

/* Makers; NULL if memory is refused. */
af_diff_table *af_diff_table_methods(const af_diff *diff, const af_diff_tables *wanted);
af_diff_table *af_diff_table_threads(const af_diff *diff, const af_diff_tables *wanted);
af_diff_table *af_diff_table_waits(const af_diff *diff, const af_diff_tables *wanted);
af_diff_table *af_diff_table_tree_down(const af_diff *diff, const af_diff_tables *wanted);
af_diff_table *af_diff_table_tree_up(const af_diff *diff, const af_diff_tables *wanted);

/* The table of a kind that has groups. Recursion within a group counts once. */
af_diff_table *af_diff_table_groups(const af_diff *diff, const af_diff_tables *wanted,
                                    const af_diff_table_kind *kind);

extern const af_diff_grouping af_diff_by_class, af_diff_by_package, af_diff_by_category,
    af_diff_by_file;

/* All paths, "thread;a;b". */
af_diff_table *af_diff_table_paths(const af_diff *diff, const af_diff_tables *wanted);

/* Adds the callers and callees of the methods that changed most. FALSE if memory is refused. */
gboolean af_diff_table_add_changed(const af_diff *diff, const af_diff_tables *wanted,
                                   GPtrArray *tables);

/* Appends the callers and callees of each method that a pattern matches. FALSE with AF_ERROR_USAGE,
 * _NOTHING or _MEMORY. */
gboolean af_diff_table_add_relatives(const af_diff *diff, const af_diff_tables *wanted,
                                     GPtrArray *tables, GError **error);
