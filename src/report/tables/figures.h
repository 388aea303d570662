/* The columns of calls and times: one list, in which each row names the tables that show it. A
 * table shows those that the input provides. A new column is one row of the list in figures.c.
 * Sampled traces have no calls, so no counts of calls and no figures derived from counts; wait
 * needs both clocks. */
#pragma once

#include "report/table.h"
#include "report/tables/totals.h"

/* The figures that tables treat specially; the list has more. */
typedef enum {
    AF_FIGURE_SELF,
    AF_FIGURE_SELF_SHARE,
    AF_FIGURE_INCLUSIVE,
    AF_FIGURE_INCLUSIVE_SHARE,
    AF_FIGURE_CALLS,    /* outermost */
    AF_FIGURE_OF_CALLS, /* the total that `calls` are a part of; the table fills it in */
    AF_FIGURE_RUNNABLE,
} af_figure;

/* The tables that a figure belongs to, as bits. */
typedef enum {
    AF_FIGURES_OF_GROUPS = 1 << 0, /* methods, classes, packages, ... */
    AF_FIGURES_OF_THREADS = 1 << 1,
    AF_FIGURES_OF_RELATIVES = 1 << 2, /* callers and callees */
    AF_FIGURES_OF_TREE_DOWN = 1 << 3,
    AF_FIGURES_OF_TREE_UP = 1 << 4,
} af_figures_of;

#define AF_FIGURES_MOST 32

/* The columns of a table, in order: those of the first clock, of the second, and the others. */
typedef struct {
    const af_scope *scope;
    unsigned n;
    struct {
        unsigned figure; /* in the list; the first ones are af_figure */
        af_clock clock;  /* if the figure has one */
    } columns[AF_FIGURES_MOST * AF_MEASURES];
} af_figures;

/* The clock that tables are sorted by and show first. CPU time separates busy threads from waiting
 * ones, so it is first if all threads have it, unless the scope sets another clock. */
af_clock af_scope_first_clock(const af_scope *scope);

/* All clocks of the scope in display order; returns their number. */
unsigned af_scope_clocks(const af_scope *scope, af_clock clocks[AF_MEASURES]);

/* "wall", "cpu", "wait" in options and files. */
const char *af_clock_word(af_clock clock);
/* "wall", "CPU", "waiting" for people. */
const char *af_clock_title(af_clock clock);

/* Chooses the columns of a table: those that the input provides. Self and inclusive times and their
 * shares stay together for each clock. */
void af_figures_begin(af_figures *figures, const af_scope *scope, af_figures_of table);

/* Adds them to a table. */
void af_figures_add_columns(const af_figures *figures, af_table *table);

/* Fills their cells in a row; `cells` points to the first of them. */
void af_figures_fill(const af_figures *figures, af_cell *cells, const af_totals *totals);

/* Makes the cells absent that depend on calls. */
void af_figures_clear_calls(const af_figures *figures, af_cell *cells);

/* A number of calls, out of those that were counted: absent if the input has no call counts. */
uint64_t af_figure_calls(const af_totals *totals, uint64_t calls);

/* The index of the figure's column in `clock`, counted from the first of the figures; -1 if
 * none. */
int af_figures_find(const af_figures *figures, af_figure figure, af_clock clock);
