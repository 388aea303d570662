#include "report/report.h"

#define LONGEST_NAME 20

/* After the figures. */
enum { RECORDS, FIRST, LAST, DEPTH, OPEN, EXTRAS };

static const char *const time_ids[AF_CLOCKS][2] = {{"first_wall_ns", "last_wall_ns"},
                                                   {"first_cpu_ns", "last_cpu_ns"}};

static gboolean has_extra(const af_profile *profile, unsigned extra)
{
    return ((extra != FIRST && extra != LAST) || af_profile_timeline_clock(profile) >= 0) &&
           (extra != OPEN ||
            (af_profile_counts_calls(profile) && profile->run_sums == NULL)); /* of one run */
}

static void add_columns(af_table *table, const af_figures *figures, const af_scope *scope)
{
    const int clock = af_profile_timeline_clock(scope->profile);
    const char *const *ids = time_ids[MAX(clock, 0)];
    const af_column name = {"name", "name", scope->thread_word, NULL, .kind = AF_CELL_TEXT};
    const af_column id = {.id = "id", .kind = AF_CELL_COUNT, .plain = TRUE};
    const af_column extras[EXTRAS] = {
        [RECORDS] = {.id = "records", .kind = AF_CELL_COUNT, .rank = 16},
        [FIRST] = {ids[0], "first", "first", NULL, AF_CELL_TIME, 18, .plain = TRUE},
        [LAST] = {ids[1], "last", "last", NULL, AF_CELL_TIME, 17, .plain = TRUE},
        [DEPTH] = {.id = "max_depth", .word = "depth", .kind = AF_CELL_COUNT, .rank = 15},
        [OPEN] =
            {.id = "open_at_end", .word = "open", .kind = AF_CELL_COUNT, .rank = 20, .quiet = TRUE},
    };
    af_scope_times(scope, table->whole_ns);
    af_table_add_column(table, &name);
    af_table_add_column(table, &id);
    af_figures_add_columns(figures, table);
    for (unsigned i = 0; i < EXTRAS; i++) {
        if (has_extra(scope->profile, i)) {
            af_table_add_column(table, &extras[i]);
        }
    }
}

static void add_thread(af_table *table, const af_figures *figures, af_arena *arena, uint32_t number)
{
    const af_profile *profile = figures->scope->profile;
    const af_thread *thread = &profile->threads[number];
    const int clock = af_profile_timeline_clock(profile);
    const gboolean has_times = af_thread_has(profile, number, (af_clock)MAX(clock, 0));
    af_totals totals;
    af_totals_of_thread(figures->scope, number, &totals);
    af_cell *row = af_table_add_row(table), *extras = row + 2 + figures->n;
    row[0].text = af_arena_text(arena, thread->title);
    row[1].number = thread->id;
    af_figures_fill(figures, row + 2, &totals);
    const uint64_t values[EXTRAS] = {
        [RECORDS] = thread->records,
        [FIRST] = has_times ? thread->first_ns[MAX(clock, 0)] : AF_ABSENT,
        [LAST] = has_times ? thread->last_ns[MAX(clock, 0)] : AF_ABSENT,
        [DEPTH] = thread->max_depth,
        [OPEN] = af_thread_counts_calls(profile, thread) ? thread->open_at_end : AF_ABSENT,
    };
    for (unsigned i = 0; i < EXTRAS; i++) {
        if (has_extra(profile, i)) {
            extras++->number = values[i];
        }
    }
}

static af_table *make_threads(const af_report_request *request)
{
    const af_scope *scope = &request->scope;
    af_figures figures;
    af_figures_begin(&figures, scope, AF_FIGURES_OF_THREADS);
    af_table *table = af_table_new("threads", scope->threads_word);
    table->name_most = LONGEST_NAME;
    add_columns(table, &figures, scope);
    if (!af_table_reserve(table, scope->n_threads)) {
        af_table_free(table);
        return NULL;
    }
    for (uint32_t i = 0; i < scope->n_threads; i++) {
        add_thread(table, &figures, request->arena, scope->threads[i]);
    }
    return table;
}

const af_table_kind af_table_kind_threads = {.name = "threads", .make = make_threads};
