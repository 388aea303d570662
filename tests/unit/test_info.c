#include <json-glib/json-glib.h>
#include <string.h>

#include "made_profile.h"
#include "report/tables/columns.h"
#include "report/info/info.h"
#include "report/report.h"
#include "suite.h"

#define WALL (1u << AF_WALL)
#define CPU  (1u << AF_CPU)
#define MS   UINT64_C(1000000)

static af_profile *profile;

static void set_up(void)
{
    const made_row busy[] = {{1, "x", {9 * MS, 8 * MS}}, {0, NULL, {0, 0}}};
    const made_row idle[] = {{1, "y", {50 * MS, 1 * MS}}, {0, NULL, {0, 0}}};
    profile = made_profile_new(WALL | CPU);
    af_facts *facts = &profile->facts;
    facts->container = AF_CONTAINER_V1;
    facts->format.version = 3;
    facts->android.clock = "dual";
    facts->android.vm = "art";
    facts->has_pid = TRUE;
    facts->pid = 20;
    facts->recording.overflow = 0;
    facts->recording.has_elapsed = TRUE;
    facts->recording.elapsed_ns = 1234567;
    facts->counts.records = 31031;
    facts->counts.calls = 15515;
    facts->counts.methods = 900;
    af_thread *thread = made_thread_add(profile, 7, "Binder:1", "Binder:1", idle);
    thread->first_ns[AF_WALL] = 1999;
    thread->first_ns[AF_CPU] = 999;
    thread->last_ns[AF_WALL] = 50 * MS;
    made_thread_add(profile, 9, "busy", "busy", busy);
    thread = made_thread_add(profile, 20, "main", "main", idle);
    thread->exits_on_empty = 3;
    thread->unmatched_exits = 2;
    thread->exited = TRUE;
}

static void tear_down(void)
{
    af_profile_free(profile);
}

AROUND_EACH(set_up, tear_down)

typedef struct {
    const char *path, *found; /* see json_path_query(); what it finds, as JSON */
} json_row;

static void check_rows(const char *name, const json_row *rows, size_t n)
{
    g_autofree char *text = af_info_json(profile, name);
    g_autoptr(JsonNode) info = json_from_string(text, NULL);
    ck_assert_ptr_nonnull(info);
    for (size_t i = 0; i < n; i++) {
        g_autoptr(JsonNode) found = json_path_query(rows[i].path, info, NULL);
        g_autofree char *is = json_to_string(found, FALSE);
        ck_assert_msg(strcmp(is, rows[i].found) == 0, "%s is %s", rows[i].path, is);
    }
}

#define CHECK_JSON(name, ...)                                                                      \
    check_rows(name, (const json_row[]){__VA_ARGS__},                                              \
               G_N_ELEMENTS(((const json_row[]){__VA_ARGS__})))

TEST(json_lists_the_facts)
{
    CHECK_JSON("app.trace", {"$.input", "[\"app.trace\"]"}, {"$.container", "[\"v1\"]"},
               {"$.clock", "[\"dual\"]"}, {"$.version", "[3]"}, {"$.elapsed_us", "[1234]"},
               {"$.records", "[31031]"}, {"$.overflow", "[false]"}, {"$.interval_us", "[null]"},
               {"$.repaired", "[null]"}, {"$.layout", "[]"}, {"$.dropped.unmatched", "[2]"});
}

TEST(json_lists_threads_by_id)
{
    CHECK_JSON("app.trace", {"$.threads[*].id", "[7,9,20]"},
               {"$.threads[0].first_us", "[{\"wall\":1,\"cpu\":0}]"},
               {"$.threads[2].exited", "[true]"}, {"$.threads[2].exits_on_empty", "[3]"});
}

/* The same titles as in reports and exports, so that their rows can be joined. */
TEST(json_lists_thread_titles)
{
    profile->threads[0].name = "Binder;x";
    profile->threads[0].title = "Binder;x [7]";
    CHECK_JSON("app.trace", {"$.threads[0].name", "[\"Binder;x [7]\"]"});
}

/* Half of the nodes have one step of CPU time; nodes with others of a fine clock. */
TEST(a_coarse_cpu_clock_has_its_step)
{
    static const uint64_t steps_us[] = {30, 15, 3};
    enum { ROWS = 200 };
    made_row rows[ROWS + 1] = {{0}};
    for (unsigned k = 0; k < G_N_ELEMENTS(steps_us); k++) {
        for (unsigned i = 0; i < ROWS; i++) {
            const uint64_t cpu_us = k == 1 ? 15 + 7 * i : steps_us[k] * (i % 4);
            rows[i] = (made_row){1 + i % 2, "x", {40000, cpu_us * 1000}};
        }
        tear_down();
        set_up();
        made_thread_add(profile, 21, "worker", "worker", rows);
        CHECK_JSON("app.trace", {"$.cpu_step_us", k == 0 ? "[30]" : "[]"});
        g_autofree char *text = af_info_text_fit(profile, "app.trace", 0);
        ck_assert_int_eq(strstr(text, "(clock=dual); the CPU clock advances in steps of 30 µs\n") !=
                             NULL,
                         k == 0);
    }
}

TEST(json_omits_unknown_values)
{
    profile->clocks = CPU;
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        af_tree_keep_clocks(profile->threads[t].tree, CPU);
    }
    profile->facts.recording.overflow = -1;
    profile->facts.recording.has_elapsed = FALSE;
    profile->facts.android.vm = NULL;
    CHECK_JSON("bad \xff name", {"$.input", "[\"bad \xef\xbf\xbd name\"]"},
               {"$.overflow", "[null]"}, {"$.elapsed_us", "[null]"}, {"$.vm", "[null]"},
               {"$.clock", "[\"thread-cpu\"]"}, {"$.threads[0].first_us.wall", "[]"},
               {"$.threads[0].first_us.cpu", "[0]"});
}

TEST(json_lists_the_warnings)
{
    af_warnings_add(&profile->warnings, AF_WARN_OVERFLOW, 1, AF_NO_OFFSET);
    af_warnings_add(&profile->warnings, AF_WARN_ODD_ACTION, 12, 1234);
    CHECK_JSON("app.trace", {"$.warnings[*].id", "[\"overflow\",\"odd-action\"]"},
               {"$.warnings[0].first", "[null]"}, {"$.warnings[1].count", "[12]"},
               {"$.warnings[1].first", "[1234]"});
}

TEST(a_warning_has_count_and_offset)
{
    af_warnings_add(&profile->warnings, AF_WARN_OVERFLOW, 1, AF_NO_OFFSET);
    af_warnings_add(&profile->warnings, AF_WARN_PARTIAL_RECORD, 1, 70);
    af_warnings_add(&profile->warnings, AF_WARN_ODD_ACTION, 12, 1234);
    af_warnings_add(&profile->warnings, AF_WARN_UNMATCHED_EXIT, 5, AF_NO_OFFSET);
    const char *const ends[] = {"streaming", " (at byte 70)", " (12 times, first at byte 1,234)",
                                " (5 times)"};
    for (unsigned i = 0; i < G_N_ELEMENTS(ends); i++) {
        g_autofree char *line = af_report_describe_warning(&profile->warnings, i);
        ck_assert_msg(g_str_has_suffix(line, ends[i]), "%s", line);
    }
    g_autofree char *none = af_report_describe_warning(&profile->warnings, G_N_ELEMENTS(ends));
    ck_assert_str_eq(none, "");
}

/* The offset of `what`, which must be present. */
static size_t find(const char *text, const char *what)
{
    const char *at = strstr(text, what);
    ck_assert_msg(at != NULL, "no \"%s\" in:\n%s", what, text);
    return (size_t)(at - text);
}

TEST(text_ranks_threads)
{
    g_autofree char *text = af_info_text_fit(profile, "app.trace", 0);
    size_t table = find(text, "threads, main first");
    size_t main_row = find(text + table, "  main      20"),
           busy = find(text + table, "  busy       9");
    size_t binder = find(text + table, "  Binder:1   7");
    ck_assert(main_row < busy && busy < binder);
    find(text, "exited\n  ^ calls begun before the trace: 3, exits without a call: 2\n");
    find(text, "no problems found");
}

TEST(text_suggests_what_to_do)
{
    af_warnings_add(&profile->warnings, AF_WARN_OVERFLOW, 1, AF_NO_OFFSET);
    af_warnings_add(&profile->warnings, AF_WARN_REPAIRED_CRLF, 1, AF_NO_OFFSET);
    af_warnings_add(&profile->warnings, AF_WARN_STRIDE_BUG, 1, AF_NO_OFFSET);
    g_autofree char *text = af_info_text_fit(profile, "app.trace", 0);
    size_t wrong = find(text, "problems"), known = find(text, "good to know");
    ck_assert(wrong < known);
    ck_assert(find(text, "larger buffer") < known);
    ck_assert(find(text, "adb pull") < known);
    ck_assert_ptr_null(strstr(text, "no problems found"));
}

TEST(text_fits_its_columns)
{
    profile->threads[0].name = "a name of a thread that is a good deal too long for a table 界界";
    profile->threads[1].name = "\xe2\x80\xae\xe7\x95\x8c\xe7\x95\x8c"; /* RLO, two wide */
    af_warnings_add(&profile->warnings, AF_WARN_OVERFLOW, 1, AF_NO_OFFSET);
    g_autofree char *whole = af_info_text_fit(profile, "a", 0);
    ck_assert_ptr_nonnull(strstr(whole, profile->threads[0].name));
    g_autofree char *text = af_info_text_fit(profile, "a\033[31m.trace", 100);
    ck_assert_ptr_null(strchr(text, '\033'));
    ck_assert_ptr_null(strstr(text, "\xe2\x80\xae"));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (unsigned i = 0; lines[i] != NULL; i++) {
        ck_assert_msg(af_columns_width(lines[i]) <= 100, "%s", lines[i]);
        ck_assert_msg(!g_str_has_suffix(lines[i], " "), "%s|", lines[i]);
    }
}

TEST(text_distinguishes_dates_from_uptimes)
{
    profile->facts.recording.has_start = TRUE;
    profile->facts.recording.start_tick_ns = 1000;
    profile->facts.recording.start = UINT64_C(1394014953123456);
    char *text = af_info_text_fit(profile, "x", 0);
    find(text, "2014-03-05 10:22:33 UTC");
    g_free(text);
    profile->facts.recording.start = UINT64_C(202123456);
    text = af_info_text_fit(profile, "x", 0);
    find(text, "0 h 03 min 22 s after the device booted");
    g_free(text);
    profile->facts.recording.start = UINT64_MAX;
    text = af_info_text_fit(profile, "x", 0);
    ck_assert_ptr_null(strstr(text, "started"));
    g_free(text);
}

TEST(text_handles_empty_profiles)
{
    g_autoptr(af_profile) empty = made_profile_new(0);
    g_autofree char *text = af_info_text_fit(empty, "x", 0);
    find(text, "0 with records");
}
