/* How the status of a row of a comparison is decided.
 *
 * Counts are facts: whether a call happened, and how often, does not depend on the speed of the
 * machine. Times are measurements: their differences are tested for all rows of a table at once, or,
 * if the runs are too few for that, must leave a gap between the sides. */
#pragma once

#include "base/array.h"
#include "compare/union_tree.h"

/* The numbers of a row. */
typedef struct {
    uint64_t before, after;          /* medians or means */
    const uint64_t *runs[AF_SIDES];  /* the time of each run; NULL = not known */
    const uint64_t *calls[AF_SIDES]; /* likewise; NULL = not counted */
    int64_t by_calls;                /* the part of the difference that the calls explain */
    gboolean waits;                  /* how often it is called depends on times: it waits */
    gboolean present[AF_SIDES];      /* in any run */
    gboolean equal;                  /* all numbers are */
    double p;                        /* as in af_diff_method */
} af_verdict_row;

/* Whether the label is that of a method that waits for another thread or for work. */
gboolean af_verdict_waits(const af_diff *diff, uint32_t label);

/* Whether all runs of one side have the row and none of the other, or the numbers of calls of the
 * sides do not overlap. How often a program waits depends on who comes first, so the counts of
 * waiting methods are no facts. */
gboolean af_verdict_is_fact(const af_diff *diff, const af_verdict_row *row);

af_diff_status af_verdict_judge(const af_diff *diff, const af_verdict_row *row);

/* Rows to test together, in the order of permutation.h. */
typedef struct {
    const af_diff *diff;
    const uint32_t *order;
    af_array values;  /* of uint64_t */
    af_array results; /* of double *: where the p of each row goes */
} af_verdict_table;

void af_verdict_table_begin(af_verdict_table *t, const af_diff *diff, const uint32_t *order);

/* Adds a row whose p, at that address, becomes AF_DIFF_FACT, or the result of the test; -1 if no
 * test decides. */
void af_verdict_table_add(af_verdict_table *t, const af_verdict_row *row, double *p);

/* Tests the rows. FALSE if memory was refused. */
gboolean af_verdict_table_end(af_verdict_table *t);

/* What the paths are judged by. */
typedef struct {
    const af_runs *const *sides;
    const af_union_nodes *nodes;
    const af_scale *scale;
    const uint32_t *order; /* of the runs by content; NULL = there are no sums for each run */
} af_verdict_sides;

/* Sets p and the statuses of all paths, after those of methods and threads. FALSE if memory is
 * refused. */
gboolean af_verdict_paths(af_diff *diff, const af_verdict_sides *sides, unsigned jobs);
