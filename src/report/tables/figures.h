/* The columns of calls and times: one list, from which each table picks those that it wants and the
 * input provides. Sampled traces have no calls, so no counts of calls and no figures derived from
 * counts; wait needs both clocks. */
#ifndef AF_REPORT_TABLES_FIGURES_H
#define AF_REPORT_TABLES_FIGURES_H

#include "report/table.h"
#include "report/tables/totals.h"

typedef enum {
    AF_FIGURE_SELF,
    AF_FIGURE_SELF_SHARE,
    AF_FIGURE_INCLUSIVE,
    AF_FIGURE_INCLUSIVE_SHARE,
    AF_FIGURE_CALLS,    /* outermost */
    AF_FIGURE_OF_CALLS, /* the total that `calls` are a part of; the table fills it in */
    AF_FIGURE_NESTED,
    AF_FIGURE_ALL_CALLS,
    AF_FIGURE_MEAN, /* of one call, including nested ones */
    AF_FIGURE_MIN,
    AF_FIGURE_MAX,
    AF_FIGURE_TRACER, /* of the self time, if the trace provides it */
    AF_FIGURE_UNWINDS,
    AF_FIGURE_THREADS,
    AF_FIGURES, /* their number */
} af_figure;

/* The columns of a table, in order: those of the first clock, of the second, and the others. */
typedef struct {
    const af_scope *scope;
    unsigned n;
    struct {
        af_figure figure;
        af_clock clock; /* if the figure has one */
    } columns[AF_FIGURES * AF_MEASURES];
} af_figures;

/* The clock that tables are sorted by and show first. CPU time separates busy threads from waiting
 * ones, so it is first if all threads have it, unless the scope sets another clock. */
af_clock af_scope_first_clock(const af_scope *scope);

/* All clocks of the scope in display order; returns their number. */
unsigned af_scope_clocks(const af_scope *scope, af_clock clocks[AF_MEASURES]);

/* "wall", "cpu", "wait". */
const char *af_clock_word(af_clock clock);

/* Chooses the columns: those of `wanted`, which ends with AF_FIGURES, that the input provides.
 * Consecutive self and inclusive times and their shares stay together for each clock. */
void af_figures_begin(af_figures *figures, const af_scope *scope, const af_figure *wanted);

/* Adds them to a table. */
void af_figures_add_columns(const af_figures *figures, af_table *table);

/* Fills their cells in a row; `cells` points to the first of them. */
void af_figures_fill(const af_figures *figures, af_cell *cells, const af_totals *totals);

/* A number of calls, out of those that were counted: absent if the input has no call counts. */
uint64_t af_figure_calls(const af_totals *totals, uint64_t calls);

/* The index of the figure's column in `clock`, counted from the first of the figures; -1 if
 * none. */
int af_figures_find(const af_figures *figures, af_figure figure, af_clock clock);

#endif
