/* Call statistics by method, and the histogram of all selected calls. */

#include "base/number.h"
#include "report/calls.h"

enum { NAME, COUNT, NESTED, UNWINDS };
enum { TOTAL, SHARE, MIN_TIME, MEDIAN, P95, MAX_TIME, PER_CLOCK };

/* clang-format off */
#define EACH(before, after) {before "wall" after, before "cpu" after, before "wait" after}
#define CLOCKED(id) EACH(id "_", "_ns"), EACH(id "-", ""), {id " wall", id " CPU", id " waiting"}
/* clang-format on */

static const struct {
    af_cell_kind kind;
    unsigned rank; /* of the first clock; other clocks have higher ranks */
    const char *id[AF_MEASURES], *word[AF_MEASURES], *title[AF_MEASURES];
    const char *brief; /* title for the first clock */
    const char *about;
} figures[PER_CLOCK] = {
    [TOTAL] = {AF_CELL_TIME, 1, EACH("total_", "_ns"), EACH("total-", ""), EACH("", ""), NULL,
               "time of all calls; a recursive call counts once"},
    [SHARE] = {AF_CELL_SHARE,
               7,
               EACH("total_", "_percent"),
               EACH("total-", "-percent"),
               {"%", "%", "%"},
               NULL,
               NULL},
    [MIN_TIME] = {AF_CELL_TIME, 6, CLOCKED("min"), "min", "shortest call"},
    [MEDIAN] = {AF_CELL_TIME, 3, CLOCKED("median"), "median",
                "half of the calls took this long or less"},
    [P95] = {AF_CELL_TIME, 4, CLOCKED("p95"), "p95", "95 % of the calls took this long or less"},
    [MAX_TIME] = {AF_CELL_TIME, 2, CLOCKED("max"), "max", "longest call"},
};

static void add_figures(const af_calls_context *m, af_table *table)
{
    for (unsigned i = 0; i < m->n_clocks; i++) {
        const af_clock clock = m->clocks[i];
        for (unsigned f = 0; f < PER_CLOCK; f++) {
            const af_column column = {figures[f].id[clock],
                                      figures[f].word[clock],
                                      i == 0 && figures[f].brief != NULL ? figures[f].brief
                                                                         : figures[f].title[clock],
                                      figures[f].about,
                                      figures[f].kind,
                                      figures[f].rank + i * 10,
                                      .minor = f == MIN_TIME || f == P95,
                                      .clock = clock};
            af_table_add_column(table, &column);
        }
    }
}

static void add_columns(const af_calls_context *m, af_table *table)
{
    const af_column name = {.id = "name", .title = "method", .kind = AF_CELL_TEXT};
    static const af_column calls[] = {
        {.id = "calls", .about = "all calls, including recursive ones", .kind = AF_CELL_COUNT},
        {"recursive_calls", "recursive-calls", "recursive",
         "calls inside another call of the same method", AF_CELL_COUNT, 8, .minor = TRUE,
         .quiet = TRUE},
        {"unwinds", NULL, NULL, "calls that ended with an exception", AF_CELL_COUNT, 9,
         .quiet = TRUE},
    };
    static const af_column slices = {"slices", NULL, NULL,
                                     "intervals in which consecutive samples contain the method",
                                     .kind = AF_CELL_COUNT};
    af_table_add_column(table, &name);
    if (!m->sampled) {
        af_table_add_columns(table, calls, G_N_ELEMENTS(calls));
    }
    if (m->sampled) {
        af_table_add_column(table, &slices);
    }
    add_figures(m, table);
}

static void add_row(const af_calls_context *m, af_table *table, uint32_t label)
{
    const af_call_sum *sum = af_call_store_sum(m->request->store, label);
    const af_label *method = &m->request->scope.profile->labels[label];
    af_cell *row = af_table_add_row(table);
    row[NAME].text = af_arena_copy(m->arena, method->text, method->length);
    row[COUNT].number = sum->calls;
    if (!m->sampled) {
        row[NESTED].number = sum->nested;
        row[UNWINDS].number = sum->unwinds;
    }
    af_cell *figures_of_row = row + (m->sampled ? NESTED : UNWINDS + 1);
    for (unsigned i = 0; i < m->n_clocks; i++) {
        const af_clock c = m->clocks[i];
        af_cell *cells = figures_of_row + (size_t)i * PER_CLOCK;
        if (sum->known[c] == 0) {
            continue;
        }
        cells[TOTAL].number = cells[SHARE].number = sum->total_ns[c];
        cells[MIN_TIME].number = sum->min_ns[c];
        cells[MEDIAN].number = sum->median_ns[c];
        cells[P95].number = sum->p95_ns[c];
        cells[MAX_TIME].number = sum->max_ns[c];
    }
}

af_table *af_table_of_called(const af_calls_context *m)
{
    const uint32_t n_labels = m->request->scope.profile->n_labels;
    af_table *table = af_table_new("methods", "methods");
    uint32_t n = 0;
    for (uint32_t l = 0; l < n_labels; l++) {
        n += af_call_store_sum(m->request->store, l)->calls > 0;
    }
    add_columns(m, table);
    af_scope_times(&m->request->scope, table->whole_ns);
    if (!af_table_reserve(table, n)) {
        af_table_free(table);
        return NULL;
    }
    for (uint32_t l = 0; l < n_labels; l++) {
        if (af_call_store_sum(m->request->store, l)->calls > 0) {
            add_row(m, table, l);
        }
    }
    return table;
}

enum { RANGE, FROM, TO, NUMBER, PART, BAR };

#define RANGE_WIDTH 24

static void add_duration_columns(const af_calls_context *m, af_table *table)
{
    const char *what = m->sampled ? "slices" : "calls";
    const af_column columns[] = {
        [RANGE] = {"name", "name", m->sampled ? "slice duration" : "call duration", NULL,
                   .kind = AF_CELL_TEXT},
        [FROM] = {.id = "from_ns", .word = "from", .kind = AF_CELL_TIME, .implied = TRUE},
        [TO] = {.id = "to_ns", .word = "to", .kind = AF_CELL_TIME, .implied = TRUE},
        [NUMBER] = {.id = what, .word = what, .title = what, .kind = AF_CELL_COUNT},
        [PART] = {m->sampled ? "slices_percent" : "calls_percent",
                  m->sampled ? "slices-percent" : "calls-percent", "%", NULL, AF_CELL_SHARE,
                  .clock = m->clocks[0]},
        [BAR] = {.id = "bar", .title = "", .kind = AF_CELL_BAR, .rank = 1},
    };
    af_table_add_columns(table, columns, G_N_ELEMENTS(columns));
}

static const char *title_durations(const af_calls_context *m)
{
    const char *copy = af_arena_printf(m->arena, "durations (%s)", af_clock_title(m->clocks[0]));
    return copy != NULL ? copy : "durations";
}

af_table *af_table_of_durations(const af_calls_context *m)
{
    g_autoptr(GArray) rows = af_call_store_spread(m->request->store);
    g_autoptr(af_table) table = af_table_new("durations", title_durations(m));
    table->name_most = RANGE_WIDTH;
    add_duration_columns(m, table);
    table->whole_ns[m->clocks[0]] = af_call_store_n(m->request->store);
    const gboolean ok = af_table_reserve(table, rows->len);
    for (guint i = 0; ok && i < rows->len; i++) {
        const af_spread_row *spread = &g_array_index(rows, af_spread_row, i);
        char from[AF_NUMBER_SIZE], to[AF_NUMBER_SIZE], name[2 * AF_NUMBER_SIZE + 4];
        g_snprintf(name, sizeof name, "%s to %s", af_number_exact(from, spread->from_ns),
                   af_number_exact(to, spread->to_ns));
        af_cell *row = af_table_add_row(table);
        row[RANGE].text = af_arena_text(m->arena, name);
        row[FROM].number = spread->from_ns;
        row[TO].number = spread->to_ns;
        row[NUMBER].number = row[PART].number = row[BAR].number = spread->calls;
    }
    return ok ? g_steal_pointer(&table) : NULL;
}
