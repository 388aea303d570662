#include "report/info/info.h"

#include <stdlib.h>

#include "base/number.h"
#include "report/formats/table_text.h"
#include "report/tables/columns.h"

#define LONGEST_NAME 20

enum {
    NAME,
    ID,
    RECORDS,
    CALLS,
    AMOUNT,
    WALL,
    CPU,
    FIRST,
    LAST,
    DEPTH,
    OPEN,
    STATE,
    REMARKS,
    COLUMNS
};

/* A page without a width has all columns; a narrow terminal leaves out the highest ranks first. */
static const af_column columns[COLUMNS] = {
    [NAME] = {.title = "name", .kind = AF_CELL_TEXT},
    [ID] = {.title = "id", .kind = AF_CELL_COUNT, .plain = TRUE, .rank = 2},
    [RECORDS] = {.title = "records", .kind = AF_CELL_COUNT, .rank = 3},
    [CALLS] = {.title = "calls", .kind = AF_CELL_COUNT, .rank = 1},
    [AMOUNT] = {.title = "time", .kind = AF_CELL_TIME},
    [WALL] = {.title = "wall", .kind = AF_CELL_TIME},
    [CPU] = {.title = "CPU", .kind = AF_CELL_TIME},
    [FIRST] = {.title = "first", .kind = AF_CELL_TIME, .rank = 6},
    [LAST] = {.title = "last", .kind = AF_CELL_TIME, .rank = 5},
    [DEPTH] = {.title = "depth", .kind = AF_CELL_COUNT, .rank = 7},
    [OPEN] = {.title = "open", .kind = AF_CELL_COUNT, .rank = 8},
    [STATE] = {.title = "", .kind = AF_CELL_TEXT, .quiet = TRUE, .rank = 4},
    [REMARKS] = {.title = "", .kind = AF_CELL_TEXT, .below = TRUE},
};

typedef struct {
    const af_profile *profile;
    uint32_t main;
    af_clock clock; /* the sort column */
} ranking;

static int compare_threads(gconstpointer a, gconstpointer b, gpointer user)
{
    const ranking *r = user;
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    if ((one == r->main) != (other == r->main)) {
        return one == r->main ? -1 : 1;
    }
    uint64_t x = af_thread_time_ns(r->profile, one, r->clock);
    uint64_t y = af_thread_time_ns(r->profile, other, r->clock);
    return x != y ? (x > y ? -1 : 1) : (one > other) - (one < other);
}

static uint32_t *rank_threads(const af_profile *profile)
{
    ranking r = {profile, af_profile_main_thread(profile), af_profile_busy_clock(profile)};
    uint32_t *order = g_new(uint32_t, profile->n_threads);
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        order[t] = t;
    }
    qsort_r(order, profile->n_threads, sizeof *order, compare_threads, &r);
    return order;
}

static void add_irregularity(GString *irregularities, const char *what, uint64_t n)
{
    char text[AF_NUMBER_SIZE];
    if (n > 0) {
        g_string_append_printf(irregularities, "%s%s: %s", irregularities->len > 0 ? ", " : "",
                               what, af_number_count(text, n));
    }
}

static void add_row(af_table *table, af_arena *arena, const af_profile *profile, uint32_t number)
{
    const af_thread *thread = &profile->threads[number];
    const int clock = af_profile_timeline_clock(profile);
    af_cell *row = af_table_add_row(table);
    row[NAME].text = af_thread_shown(profile, thread);
    row[ID].number = profile->facts.threadless ? AF_ABSENT : thread->id;
    row[RECORDS].number = thread->records;
    if (af_thread_counts_calls(profile, thread)) {
        row[CALLS].number = thread->calls;
        row[OPEN].number = profile->run_sums != NULL ? AF_ABSENT : thread->open_at_end;
    }
    if (!af_profile_has_clocks(profile)) {
        row[AMOUNT].number = af_thread_time_ns(profile, number, AF_WALL);
    } else if (af_thread_has(profile, number, AF_WALL)) {
        row[WALL].number = af_thread_time_ns(profile, number, AF_WALL);
    }
    if (af_thread_has(profile, number, AF_CPU)) {
        row[CPU].number = af_thread_time_ns(profile, number, AF_CPU);
    }
    if (clock >= 0 && af_thread_has(profile, number, (af_clock)clock)) {
        row[FIRST].number = thread->first_ns[clock];
        row[LAST].number = thread->last_ns[clock];
    }
    row[DEPTH].number = thread->max_depth;
    row[STATE].text = thread->exited ? "exited" : NULL;
    /* Irregularities of the thread; most have none. */
    g_autoptr(GString) irregularities = g_string_new(NULL);
    add_irregularity(irregularities, "calls begun before the trace", thread->exits_on_empty);
    add_irregularity(irregularities, "calls begun before", thread->cut_at_begin);
    add_irregularity(irregularities, "calls without an exit", thread->missing_exits);
    add_irregularity(irregularities, "exits without a call", thread->unmatched_exits);
    add_irregularity(irregularities, "calls ended by exceptions", thread->unwinds);
    const char *text = irregularities->len > 0
                           ? af_arena_copy(arena, irregularities->str, irregularities->len)
                           : NULL;
    row[REMARKS].text = text;
}

static af_table *make_table(const af_profile *profile, gboolean fits, af_arena *arena)
{
    af_table *table = af_table_new("threads", "threads");
    table->name_most = profile->n_processes > 1 ? 2 * LONGEST_NAME : LONGEST_NAME;
    for (unsigned c = 0; c < COLUMNS; c++) {
        af_column column = columns[c];
        column.rank = fits ? column.rank : 0;
        if (c == RECORDS && af_content_has_weights(profile->facts.content)) {
            column.title = profile->facts.threadless ? "lines" : "samples";
        }
        if (c == AMOUNT && profile->facts.weights.unit.counted) {
            column.title = profile->facts.weights.unit.name;
            column.kind = AF_CELL_AMOUNT;
            column.unit = &profile->facts.weights.unit;
        }
        af_table_add_column(table, &column);
    }
    if (!af_table_reserve(table, profile->n_threads)) {
        af_table_free(table);
        return NULL;
    }
    g_autofree uint32_t *order = rank_threads(profile);
    for (uint32_t i = 0; i < profile->n_threads; i++) {
        add_row(table, arena, profile, order[i]);
    }
    return table;
}

void af_report_threads(af_info_page *page, const af_profile *profile)
{
    g_autoptr(af_arena) arena = af_arena_new();
    g_autoptr(af_table) table =
        profile->n_threads > 0 ? make_table(profile, page->fits, arena) : NULL;
    if (table == NULL) {
        return;
    }
    const char *word = profile->facts.format.thread;
    if (profile->facts.threadless) {
        g_string_append_c(page->text, '\n');
    } else if (word != NULL) {
        g_string_append_printf(page->text, "\n%ss by weight\n", word);
    } else if (af_content_has_weights(profile->facts.content)) {
        g_string_append(page->text, af_content_has_timed_weights(profile->facts.content)
                                        ? "\nthreads, main first, then by weight; first and "
                                          "last = times of their samples\n"
                                        : "\nthreads, main first, then by weight\n");
    } else if (profile->run_sums != NULL) {
        g_string_append(page->text, "\nthreads, main first, then by time\n");
    } else if (!af_profile_counts_calls(profile)) {
        g_string_append(page->text,
                        "\nthreads, main first, then by time; first and last = times of their "
                        "records\n");
    } else {
        g_string_append_c(page->text, '\n');
        g_autofree char *text =
            g_strconcat("threads, main first, then by time; first and last = times of their "
                        "records; open = calls still running at the end",
                        profile->facts.part.title != NULL ? " of the part" : "", NULL);
        af_columns_wrap(page->text, text, 0, page->width);
    }
    g_autofree af_out *out = g_new(af_out, 1);
    af_out_open(out, af_info_append, page->text);
    af_table_put_text(out, table, page->fits ? page->width : 0);
    af_out_close(out, NULL);
}
