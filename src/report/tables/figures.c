#include "report/tables/figures.h"

#include "model/overhead.h"

enum {
    BY_CLOCK = 1,
    OF_CALLS = 2,
    OF_ONE_CALL = 4,
    QUIET = 8,
    IMPLIED = 16,
    OF_TRACER = 32,
    OF_SCHEDULER = 64
};

enum {
    GROUPS = AF_FIGURES_OF_GROUPS,
    THREADS = AF_FIGURES_OF_THREADS,
    RELATIVES = AF_FIGURES_OF_RELATIVES,
    DOWN = AF_FIGURES_OF_TREE_DOWN,
    UP = AF_FIGURES_OF_TREE_UP,
};

/* `rank` of the first clock, or of figures without a clock; of the second clock; of waiting. */
typedef struct {
    unsigned tables, flags;
    uint64_t (*compute)(const af_totals *totals, af_clock clock);
    af_cell_kind kind;
    unsigned rank[AF_MEASURES];
    const char *id[AF_MEASURES], *word[AF_MEASURES], *title[AF_MEASURES];
    const char *stem; /* the title without its clock */
    const char *about;
} description;

uint64_t af_figure_calls(const af_totals *t, uint64_t calls)
{
    return t->uncounted && t->calls + t->nested == 0 ? AF_ABSENT : calls;
}

/* If no thread has the clock, there are no times. Waiting is never below 0. */
static uint64_t show_time(const af_totals *t, af_clock clock, uint64_t ns)
{
    return (t->known >> (unsigned)clock & 1u) != 0 ? af_time_of_sum(ns, clock) : AF_ABSENT;
}

/* If only some threads count calls, the mean, shortest and longest call are unknown. */
static gboolean has_all_calls(const af_totals *t, af_clock clock)
{
    return !t->uncounted && (t->lacking >> (unsigned)clock & 1u) == 0;
}

static uint64_t compute_self(const af_totals *t, af_clock clock)
{
    return show_time(t, clock, t->self[clock]);
}

static uint64_t compute_inclusive(const af_totals *t, af_clock clock)
{
    return show_time(t, clock, t->inclusive[clock]);
}

static uint64_t compute_calls(const af_totals *t, af_clock clock)
{
    return af_figure_calls(t, t->calls);
}

static uint64_t leave_to_table(const af_totals *t, af_clock clock)
{
    return AF_ABSENT;
}

static uint64_t compute_nested(const af_totals *t, af_clock clock)
{
    return af_figure_calls(t, t->nested);
}

static uint64_t compute_all_calls(const af_totals *t, af_clock clock)
{
    return af_figure_calls(t, t->calls + t->nested);
}

static uint64_t compute_mean(const af_totals *t, af_clock clock)
{
    const uint64_t n = t->calls + t->nested, nested = t->nested_time[clock];
    const gboolean exceeds = clock != AF_WAIT && nested > UINT64_MAX - t->inclusive[clock];
    const uint64_t all = exceeds ? UINT64_MAX : af_time_of_sum(t->inclusive[clock] + nested, clock);
    return n == 0 || !has_all_calls(t, clock) ? AF_ABSENT : all / n + (all % n >= n - n / 2);
}

static uint64_t compute_min(const af_totals *t, af_clock clock)
{
    return t->unclear[clock] || !has_all_calls(t, clock) ? AF_ABSENT : t->min[clock];
}

static uint64_t compute_max(const af_totals *t, af_clock clock)
{
    return t->unclear[clock] || !has_all_calls(t, clock) ? AF_ABSENT : t->max[clock];
}

static uint64_t compute_tracer(const af_totals *t, af_clock clock)
{
    return show_time(t, clock, t->tracer[clock]);
}

static uint64_t compute_unwinds(const af_totals *t, af_clock clock)
{
    return af_figure_calls(t, t->unwinds);
}

/* If only some threads have it, the sum would be too small compared with the waiting of all
 * threads. */
static uint64_t compute_runnable(const af_totals *t, af_clock clock)
{
    return t->has_runnable && !t->lacks_runnable ? t->runnable : AF_ABSENT;
}

static uint64_t compute_self_runnable(const af_totals *t, af_clock clock)
{
    return t->has_runnable && !t->lacks_runnable ? t->self_runnable : AF_ABSENT;
}

static uint64_t compute_threads(const af_totals *t, af_clock clock)
{
    return t->threads;
}

/* clang-format off */
#define EACH(before, after) {before "wall" after, before "cpu" after, before "wait" after}
#define CLOCKED(id, title) EACH(id "_", "_ns"), EACH(id "-", ""), TITLES(title " "), title
#define TITLES(before)     {before "wall", before "CPU", before "waiting"}
#define SHARE(id) EACH(id "_", "_percent"), EACH(id "-", "-percent"), {"%", "%", "%"}, "%"
#define PLAIN(id, word, title) {id}, {word}, {title}, title

static const description known[] = {
    [AF_FIGURE_SELF] = {
        GROUPS | DOWN | UP, BY_CLOCK, compute_self, AF_CELL_TIME, {1, 7, 10},
        CLOCKED("self", "self"),
        "time in the method itself, without its callees; waiting: wall minus CPU time"},
    [AF_FIGURE_SELF_SHARE] = {
        GROUPS | UP, BY_CLOCK, compute_self, AF_CELL_SHARE, {3, 12, 25}, SHARE("self"), NULL},
    [AF_FIGURE_INCLUSIVE] = {
        GROUPS | THREADS | RELATIVES | DOWN, BY_CLOCK, compute_inclusive, AF_CELL_TIME, {2, 8, 6},
        CLOCKED("inclusive", "inclusive"),
        "time including callees; a recursive call counts once"},
    [AF_FIGURE_INCLUSIVE_SHARE] = {
        GROUPS | THREADS | RELATIVES | DOWN, BY_CLOCK, compute_inclusive, AF_CELL_SHARE,
        {4, 13, 26}, SHARE("inclusive"), NULL},
    [AF_FIGURE_CALLS] = {
        GROUPS | THREADS | RELATIVES | DOWN | UP, OF_CALLS, compute_calls, AF_CELL_COUNT, {5},
        PLAIN("calls", "calls", "calls"),
        "calls, without recursive ones"},
    [AF_FIGURE_OF_CALLS] = {
        RELATIVES, OF_CALLS, leave_to_table, AF_CELL_COUNT, {5},
        PLAIN("of_calls", "of-calls", "of"),
        "all calls of the callee, including these"},
    [AF_FIGURE_RUNNABLE] = {
        GROUPS | THREADS | RELATIVES | DOWN, OF_SCHEDULER, compute_runnable, AF_CELL_TIME, {6},
        PLAIN("inclusive_runnable_ns", "inclusive-runnable", "inclusive runnable"),
        "part of the inclusive waiting: runnable, but no processor was free"},
    {
        GROUPS | DOWN | UP, OF_SCHEDULER, compute_self_runnable, AF_CELL_TIME, {10},
        PLAIN("self_runnable_ns", "self-runnable", "self runnable"),
        "part of the waiting of the method itself: runnable, but no processor was free"},
    {
        GROUPS, OF_CALLS | QUIET, compute_nested, AF_CELL_COUNT, {11},
        PLAIN("recursive_calls", "recursive-calls", "recursive"),
        "calls inside another call of the same method"},
    {
        GROUPS, OF_CALLS | IMPLIED, compute_all_calls, AF_CELL_COUNT, {24},
        PLAIN("total_calls", "total-calls", "all calls"),
        "calls and recursive calls"},
    {
        GROUPS | RELATIVES | DOWN, BY_CLOCK | OF_CALLS, compute_mean, AF_CELL_TIME, {9, 16, 27},
        CLOCKED("mean", "mean"),
        "average inclusive time of a call, including recursive ones"},
    {
        GROUPS | RELATIVES | DOWN, BY_CLOCK | OF_CALLS | OF_ONE_CALL, compute_min, AF_CELL_TIME,
        {15, 18}, CLOCKED("min", "min"),
        "shortest single call"},
    {
        GROUPS | RELATIVES | DOWN, BY_CLOCK | OF_CALLS | OF_ONE_CALL, compute_max, AF_CELL_TIME,
        {14, 17}, CLOCKED("max", "max"),
        "longest single call"},
    {
        GROUPS | THREADS, BY_CLOCK | OF_CALLS | OF_ONE_CALL | OF_TRACER, compute_tracer,
        AF_CELL_TIME, {21, 22}, CLOCKED("tracer", "tracer"),
        "share of the self time that the tracer used: an estimate from the number of calls"},
    {
        GROUPS | THREADS | RELATIVES | DOWN | UP, OF_CALLS | QUIET, compute_unwinds, AF_CELL_COUNT,
        {19}, PLAIN("unwinds", "unwinds", "unwinds"),
        "calls that ended with an exception"},
    {
        GROUPS, 0, compute_threads, AF_CELL_COUNT, {20}, PLAIN("threads", "threads", "threads"),
        "threads that called it"},
};
/* clang-format on */

G_STATIC_ASSERT(G_N_ELEMENTS(known) <= AF_FIGURES_MOST);

const char *af_clock_title(af_clock clock)
{
    static const char *const titles[AF_MEASURES] = TITLES("");
    return titles[clock];
}

const char *af_clock_word(af_clock clock)
{
    static const char *const words[AF_MEASURES] = {"wall", "cpu", "wait"};
    return words[clock];
}

unsigned af_scope_clocks(const af_scope *scope, af_clock clocks[AF_MEASURES])
{
    static const af_clock order[AF_MEASURES] = {AF_WALL, AF_CPU, AF_WAIT};
    unsigned n = 0;
    if (scope->first >= 0 && af_scope_has(scope, (af_clock)scope->first)) {
        clocks[n++] = (af_clock)scope->first;
    }
    for (unsigned i = 0; i < AF_MEASURES; i++) {
        if (af_scope_has(scope, order[i]) && (n == 0 || clocks[0] != order[i])) {
            clocks[n++] = order[i];
        }
    }
    return n;
}

af_clock af_scope_first_clock(const af_scope *scope)
{
    af_clock clocks[AF_MEASURES];
    return af_scope_clocks(scope, clocks) > 0 ? clocks[0] : AF_WALL;
}

static gboolean is_main_time(unsigned figure)
{
    return figure <= AF_FIGURE_INCLUSIVE_SHARE;
}

static void add_figure(af_figures *figures, unsigned figure, af_figures_of table, af_clock clock)
{
    const description *d = &known[figure];
    if ((d->tables & table) != 0 &&
        (((d->flags & OF_CALLS) == 0 || af_profile_counts_calls(figures->scope->profile)) &&
         ((d->flags & OF_ONE_CALL) == 0 || clock != AF_WAIT) &&
         ((d->flags & OF_SCHEDULER) == 0 || af_scope_has_runnable(figures->scope)) &&
         ((d->flags & OF_TRACER) == 0 || af_overhead_check(figures->scope->profile, NULL)))) {
        figures->columns[figures->n].figure = figure;
        figures->columns[figures->n++].clock = clock;
    }
}

void af_figures_begin(af_figures *figures, const af_scope *scope, af_figures_of table)
{
    enum { MAIN = AF_FIGURE_INCLUSIVE_SHARE + 1 };
    const unsigned first = table == AF_FIGURES_OF_TREE_DOWN ? AF_FIGURE_INCLUSIVE : AF_FIGURE_SELF;
    af_clock clocks[AF_MEASURES] = {AF_WALL};
    const unsigned n_clocks = af_scope_clocks(scope, clocks);
    figures->scope = scope;
    figures->n = 0;
    for (unsigned c = 0; c < n_clocks; c++) {
        for (unsigned i = 0; i < MAIN; i++) {
            add_figure(figures, (first + i) % MAIN, table, clocks[c]);
        }
    }
    for (unsigned f = MAIN; f < G_N_ELEMENTS(known); f++) {
        const gboolean often = (known[f].flags & BY_CLOCK) != 0;
        for (unsigned c = 0; c < (often ? n_clocks : 1); c++) {
            add_figure(figures, f, table, clocks[c]);
        }
    }
}

/* The order in which a narrow page leaves columns out: figures of the first clock stay longest. */
static unsigned rank_column(const description *d, const af_scope *scope, af_clock clock)
{
    const gboolean first = (d->flags & BY_CLOCK) == 0 || clock == af_scope_first_clock(scope);
    return d->rank[first ? 0 : clock == AF_WAIT ? 2 : 1];
}

/* Weights of samples have no clock. */
static void name_without_clock(af_column *column, unsigned figure, const af_scope *scope)
{
    static const char *const ids[] = {NULL, "self_percent", NULL, "inclusive_percent"};
    static const char *const words[] = {"self", "self-percent", "inclusive", "inclusive-percent"};
    static const char *const titles[] = {"self", "%", "inclusive", "%"};
    static const char *const abouts[] = {"of the method itself, without its callees", NULL,
                                         "including callees; a recursive call counts once", NULL};
    if (!is_main_time(figure)) {
        return;
    }
    column->id = figure == AF_FIGURE_SELF        ? scope->self_id
                 : figure == AF_FIGURE_INCLUSIVE ? scope->inclusive_id
                                                 : ids[figure];
    column->word = words[figure];
    column->title = titles[figure];
    column->about = abouts[figure];
    if (column->kind == AF_CELL_TIME && scope->unit->counted) {
        column->kind = AF_CELL_AMOUNT;
        column->unit = scope->unit;
    }
}

void af_figures_add_columns(const af_figures *figures, af_table *table)
{
    for (unsigned i = 0; i < figures->n; i++) {
        const description *d = &known[figures->columns[i].figure];
        const af_clock clock = figures->columns[i].clock;
        const unsigned at = (d->flags & BY_CLOCK) != 0 ? (unsigned)clock : 0;
        af_column column = {
            .id = d->id[at],
            .word = d->word[at],
            .title = d->title[at],
            .about = d->about,
            .kind = d->kind,
            .rank = rank_column(d, figures->scope, clock),
            .quiet = (d->flags & QUIET) != 0,
            .implied = (d->flags & IMPLIED) != 0,
            .clock = clock,
            .stem = (d->flags & BY_CLOCK) != 0 ? d->stem : NULL,
            .minor = !is_main_time(figures->columns[i].figure) &&
                     figures->columns[i].figure != AF_FIGURE_CALLS,
        };
        if (d->compute == compute_threads && figures->scope->profile->facts.format.thread != NULL) {
            column.title = figures->scope->threads_word;
            column.about = NULL;
        }
        if (figures->scope->unit != NULL) {
            column.stem = NULL;
            name_without_clock(&column, figures->columns[i].figure, figures->scope);
        }
        af_table_add_column(table, &column);
    }
}

void af_figures_fill(const af_figures *figures, af_cell *cells, const af_totals *totals)
{
    for (unsigned i = 0; i < figures->n; i++) {
        const description *d = &known[figures->columns[i].figure];
        cells[i].number = d->compute(totals, figures->columns[i].clock);
    }
}

void af_figures_clear_calls(const af_figures *figures, af_cell *cells)
{
    for (unsigned i = 0; i < figures->n; i++) {
        if ((known[figures->columns[i].figure].flags & OF_CALLS) != 0) {
            cells[i].number = AF_ABSENT;
        }
    }
}

int af_figures_find(const af_figures *figures, af_figure figure, af_clock clock)
{
    for (unsigned i = 0; i < figures->n; i++) {
        const gboolean by_clock = (known[figure].flags & BY_CLOCK) != 0;
        if (figures->columns[i].figure == figure &&
            (!by_clock || figures->columns[i].clock == clock)) {
            return (int)i;
        }
    }
    return -1;
}
