#include "report/info.h"

#include <string.h>
#include "base/number.h"
#include "report/columns.h"

#define LONGEST_NAME 20
#define PAGE_WIDTH   88

enum { ID, NAME, RECORDS, CALLS, WALL, CPU, FIRST, LAST, DEPTH, OPEN, STATE, COLUMNS };

static const char *const titles[COLUMNS] = {"id",    "name", "records", "calls", "wall", "cpu",
                                            "first", "last", "depth",   "open",  ""};

typedef struct {
    const af_profile *profile;
    uint32_t main;
    af_clock clock; /* that decides the order */
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

/* CPU time tells busy threads from those that wait all the time, so it decides where it is
 * known. */
static uint32_t *rank_threads(const af_profile *profile)
{
    ranking r = {profile, af_profile_main_thread(profile),
                 af_profile_has(profile, AF_CPU) ? AF_CPU : AF_WALL};
    uint32_t *order = g_new(uint32_t, profile->n_threads);
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        order[t] = t;
    }
    g_qsort_with_data(order, (gint)profile->n_threads, sizeof *order, compare_threads, &r);
    return order;
}

static void add_remark(GString *remarks, const char *what, uint64_t n)
{
    char text[AF_NUMBER_SIZE];
    if (n > 0) {
        g_string_append_printf(remarks, "%s%s: %s", remarks->len > 0 ? ", " : "", what,
                               af_number_count(text, n));
    }
}

/* What is odd about the thread, below its row; most have nothing. */
static void put_remarks(GString *page, const af_thread *thread, unsigned indent)
{
    GString *remarks = g_string_new(NULL);
    add_remark(remarks, "calls begun before the trace", thread->exits_on_empty);
    add_remark(remarks, "calls without exit", thread->missing_exits);
    add_remark(remarks, "exits without call", thread->unmatched_exits);
    add_remark(remarks, "left by exceptions", thread->unwinds);
    if (remarks->len > 0) {
        g_string_append_printf(page, "%*s^ ", (int)indent, "");
        af_columns_wrap(page, remarks->str, indent + 2, PAGE_WIDTH);
    }
    g_string_free(remarks, TRUE);
}

static char *show_time(const af_profile *profile, uint32_t thread, af_clock clock)
{
    char text[AF_NUMBER_SIZE];
    return g_strdup(af_profile_has(profile, clock)
                        ? af_number_time(text, af_thread_time_ns(profile, thread, clock))
                        : "");
}

/* When the thread's first or last record was written, in the clock that all share if there is one. */
static char *show_moment(const af_profile *profile, const uint64_t time_ns[AF_CLOCKS])
{
    char text[AF_NUMBER_SIZE];
    return g_strdup(
        af_number_time(text, time_ns[af_profile_has(profile, AF_WALL) ? AF_WALL : AF_CPU]));
}

static void fill_row(char *row[COLUMNS], const af_profile *profile, uint32_t number)
{
    const af_thread *thread = &profile->threads[number];
    char text[AF_NUMBER_SIZE];
    char *clean = af_columns_clean(thread->name);
    row[ID] = g_strdup_printf("%" G_GUINT64_FORMAT, thread->id);
    row[NAME] = af_columns_cut(clean, LONGEST_NAME);
    row[RECORDS] = g_strdup(af_number_count(text, thread->records));
    row[CALLS] = g_strdup(af_number_count(text, thread->calls));
    row[WALL] = show_time(profile, number, AF_WALL);
    row[CPU] = show_time(profile, number, AF_CPU);
    row[FIRST] = show_moment(profile, thread->first_ns);
    row[LAST] = show_moment(profile, thread->last_ns);
    row[DEPTH] = g_strdup_printf("%u", thread->max_depth);
    row[OPEN] = g_strdup(af_number_count(text, thread->open_at_end));
    row[STATE] = g_strdup(thread->exited ? "exited" : "");
    g_free(clean);
}

static void put_row(GString *page, const char *const row[COLUMNS], const unsigned width[COLUMNS])
{
    for (unsigned c = 0; c < COLUMNS; c++) {
        if (width[c] > 0) {
            g_string_append(page, "  ");
            af_columns_put(page, row[c], width[c],
                           c == NAME || c == STATE ? AF_COLUMNS_LEFT : AF_COLUMNS_RIGHT);
        }
    }
    while (page->str[page->len - 1] == ' ') {
        g_string_truncate(page, page->len - 1);
    }
    g_string_append_c(page, '\n');
}

/* A column in which no row says anything is left out. */
static void measure_rows(char *(*rows)[COLUMNS], uint32_t n, unsigned width[COLUMNS])
{
    for (unsigned c = 0; c < COLUMNS; c++) {
        width[c] = 0;
        for (uint32_t i = 0; i < n; i++) {
            width[c] = MAX(width[c], af_columns_width(rows[i][c]));
        }
        if (width[c] > 0) {
            width[c] = MAX(width[c], af_columns_width(titles[c]));
        }
    }
}

void af_report_threads(GString *page, const af_profile *profile)
{
    const uint32_t n = profile->n_threads;
    if (n == 0) {
        return;
    }
    g_string_append(page, "\nthreads, main first, then by time; first, last = times of their records; "
                          "open = calls\nstill running at the end\n");
    uint32_t *order = rank_threads(profile);
    char *(*rows)[COLUMNS] = g_malloc0_n(n, sizeof *rows);
    unsigned width[COLUMNS];
    for (uint32_t i = 0; i < n; i++) {
        fill_row(rows[i], profile, order[i]);
    }
    measure_rows(rows, n, width);
    put_row(page, titles, width);
    for (uint32_t i = 0; i < n; i++) {
        put_row(page, (const char *const *)(void *)rows[i], width);
        put_remarks(page, &profile->threads[order[i]], width[ID] + 4);
        for (unsigned c = 0; c < COLUMNS; c++) {
            g_free(rows[i][c]);
        }
    }
    g_free(rows);
    g_free(order);
}
