/* A report: tables about one profile, and a description of their scope.
 *
 * A report is made while the profile is open and is independent of it afterwards, so that several
 * inputs can be written into one output. A table of figures comes from an af_table_kind: one const
 * struct in a file of its own and one row of AF_TABLE_KINDS; the values of --by and the help come
 * from the list. */
#pragma once

#include <aflame/report.h>
#include "base/json.h"
#include "build/consumer.h"
#include "report/tables/figures.h"
#include "report/table.h"

typedef struct af_report_format af_report_format;

/* The request. */
typedef struct {
    af_scope scope;
    af_arena *arena;          /* of the report, for the texts of tables */
    const char *const *kinds; /* names, ends with NULL; NULL or empty = methods */
    const char *sort;         /* column; NULL = self time of the first clock */
    uint32_t top;             /* rows of each table; 0 = all */
    gboolean quirks;          /* as in af_report_options */
    gboolean all_threads;     /* no threads are selected */
    gboolean folds_idle;      /* tables of groups: idle methods are one line below the table */
    /* Reads the input of the profile once more and passes everything to the consumer. */
    gboolean (*read)(const af_profile *profile, const af_event_consumer *consumer, GError **error);
    unsigned least_c; /* trees: omit branches below this; hundredths of a percent */
    const char *const
        *methods; /* patterns of the methods whose callers and callees to list; NULL = none */
} af_report_request;

struct af_report {
    const af_report_format *format;
    gboolean in_parts;            /* an overview: each table has a 100 % of its own */
    char *input;                  /* clean; NULL = no name */
    char *part;                   /* of the trace, in words; NULL = all of it */
    unsigned width;               /* of a text page in columns; 0 = as in af_table_put_text() */
    gboolean raw_csv;             /* as in af_report_options */
    GBytes *picture;              /* an SVG for a page; NULL = none */
    char **findings;              /* for a page: a sentence and its command (empty: none) in turn,
                                     then the summary; ends with NULL; NULL = no findings */
    af_clock clocks[AF_MEASURES]; /* in display order */
    unsigned n_clocks;
    uint64_t time_ns[AF_MEASURES]; /* of the selected threads: 100 % */
    uint32_t n_threads, all_threads;
    uint32_t n_left_out;           /* as in af_scope */
    uint32_t n_without[AF_CLOCKS]; /* threads without a clock that is shown */
    gboolean sampled, threadless;
    const char *thread_word, *threads_word; /* as in af_scope */
    af_unit unit;                           /* unit of all times; all zero = ns */
    af_step_record *steps;                  /* the steps that made the profile */
    unsigned n_steps;
    af_warnings warnings;   /* of the input */
    uint64_t unrecorded_ns; /* of the input: after its last record, part of no total */
    GBytes *profile;        /* the saved profile that a page carries; NULL = none */
    GPtrArray *tables;      /* af_table */
    af_arena *arena;        /* their texts */
    /* data of the format, from `gather`; see format.h */
    gpointer own;
    GDestroyNotify free_own;
};

/* NULL with AF_ERROR_USAGE or _MEMORY. */
af_report *af_report_make(const af_report_request *request, const af_report_format *format,
                          GError **error);

/* A report without tables about a scope. Prepares the scope, sets its unit, and copies the facts
 * that the texts need. NULL with AF_ERROR_MEMORY. */
af_report *af_report_open(af_scope *scope, const af_report_format *format, GError **error);

/* The report; if it is not `ok` or its arena ran out of memory, frees it and returns NULL with an
 * error. */
af_report *af_report_finish(af_report *report, gboolean ok, GError **error);

/* Appends the values of --sort that the table accepts. */
void af_report_refuse_sort(const af_table *table, const char *typed, GError **error);

/* Appends "1.23 s CPU, 7.92 s wall", after "100 % = " if it is the whole. */
void af_report_append_times(GString *line, const af_report *report,
                            const uint64_t time_ns[AF_MEASURES], gboolean is_whole);

/* "100 % = 1.23 s CPU, 7.92 s wall of 11 threads". Free with g_free(). */
char *af_report_describe_scope(const af_report *report);

/* "--focus onBind left out 1.2 s CPU, 3.4 s wall". Free with g_free(). */
char *af_report_describe_step(const af_report *report, unsigned number);

/* "records of thread 0 were dropped (3 times, first at byte 1,234)": the warning with this number
 * in the order of af_warnings_kind_at(), "" past the end. Free with g_free(). */
char *af_report_describe_warning(const af_warnings *warnings, unsigned number);

/* The same for a report, with the time that was not recorded. */
char *af_report_warning_line(const af_report *report, unsigned number);

/* The elements of an array in JSON. */
void af_report_put_warnings(af_json *json, const af_warnings *warnings);

/* Copies the steps from the profile. FALSE if out of memory. */
gboolean af_report_copy_steps(af_report *report, const af_profile *profile);

typedef struct af_grouping af_grouping;

typedef struct {
    const char *name;          /* "methods" */
    const af_grouping *groups; /* its rows are groups of methods; NULL = it has `make` */
    /* All rows, in any order; trees have their own order and at most `top` rows. NULL if out of
     * memory. */
    af_table *(*make)(const af_report_request *request);
    gboolean is_tree;
    gboolean needs_wait;                             /* only for profiles with both clocks ... */
    gboolean (*without_wait)(const af_scope *scope); /* ... and where this returns TRUE */
} af_table_kind;

/* The kinds of tables, in the order of the help. */
/* clang-format off */
#define AF_TABLE_KINDS(KIND) \
    KIND(methods) \
    KIND(threads) \
    KIND(classes) \
    KIND(packages) \
    KIND(categories) \
    KIND(sources) \
    KIND(waits) \
    KIND(tree_down) \
    KIND(tree_up)
/* clang-format on */

#define AF_DECLARE_TABLE_KIND(name) extern const af_table_kind af_table_kind_##name;
AF_TABLE_KINDS(AF_DECLARE_TABLE_KIND)

/* NULL past the end; NULL if no kind has the name. */
const af_table_kind *af_table_kind_at(unsigned number);
const af_table_kind *af_table_kind_lookup(const char *name);

/* ---- for the tables ---- */

/* The amount that is 100 % of each clock. */
void af_scope_times(const af_scope *scope, uint64_t whole_ns[AF_MEASURES]);

/* The methods of the main thread, or of the busiest one if there is no main, then those of the other
 * threads. FALSE with an error set. */
gboolean af_overview_add(af_report *report, const af_report_request *request, GError **error);

/* Adds the callers and callees of each method that one of the patterns matches, a table for each,
 * largest first. FALSE with AF_ERROR_USAGE, _NOTHING or _MEMORY. */
gboolean af_callers_callees_add(const af_report_request *request, GPtrArray *tables,
                                GError **error);

/* The same for all methods. */
gboolean af_callers_callees_add_all(const af_report_request *request, GPtrArray *tables,
                                    GError **error);

/* The table of a kind that has groups. NULL if out of memory. */
af_table *af_table_of_groups(const af_report_request *request, const af_table_kind *kind);
