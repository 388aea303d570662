/* Invariants of the reports of every trace: no time is lost or counted twice. */
#include <stdlib.h>
#include <string.h>
#include <json-glib/json-glib.h>
#include <aflame/aflame.h>

#include "report/report.h"
#include "suite.h"

#define MEASURES 3

static const char *const clock_names[MEASURES] = {"wall", "cpu", "wait"};

/* The column "WHAT_CLOCK_ns" of a table, or "WHAT_UNIT" if the trace has no clock. */
static int find(const af_table *table, const char *what, unsigned clock)
{
    g_autofree char *id = g_strdup_printf("%s_%s_ns", what, clock_names[clock]);
    int column = af_table_find(table, id);
    const size_t length = strlen(what);
    for (unsigned c = 0; column < 0 && c < table->columns->len; c++) {
        const af_column *one = af_table_column(table, c);
        const gboolean amount = one->kind == AF_CELL_AMOUNT || one->kind == AF_CELL_TIME;
        column =
            amount && strncmp(one->id, what, length) == 0 && one->id[length] == '_' ? (int)c : -1;
    }
    ck_assert_msg(column >= 0, "%s has no %s", table->id, id);
    return column;
}

static uint64_t read_present(const af_cell *cell)
{
    return cell->number == AF_ABSENT ? 0 : cell->number;
}

static uint64_t add_up(const af_table *table, const char *what, unsigned clock)
{
    const int column = find(table, what, clock);
    uint64_t sum = 0;
    for (uint32_t r = 0; r < table->n_rows; r++) {
        sum += read_present(&af_table_row(table, r)[column]);
    }
    return sum;
}

static af_report *make(const af_profile *profile, const char *const *tables,
                       const char *const *methods)
{
    af_report_options options = AF_REPORT_OPTIONS_INIT;
    options.tables = tables;
    options.methods = methods;
    options.min_percent_c = 0;
    GError *error = NULL;
    af_report *report = af_report_new(profile, "json", &options, &error);
    ck_assert_msg(report != NULL, "%s", error != NULL ? error->message : "");
    return report;
}

/* Whether all threads have both clocks, so that each row's wait can be computed from its row. */
static gboolean has_both_clocks(const af_profile *profile)
{
    gboolean both = af_profile_has_clock(profile, AF_WAIT);
    for (unsigned t = 0; t < af_profile_n_threads(profile); t++) {
        both = both && af_thread_has_clock(profile, t, AF_WAIT);
    }
    return both;
}

/* Every wait in a table is wall minus CPU time of its row, and at least 0. */
static void check_differences(const char *name, const af_table *table, const char *what)
{
    const int wall = find(table, what, AF_WALL), cpu = find(table, what, AF_CPU);
    const int wait = find(table, what, AF_WAIT);
    for (uint32_t r = 0; r < table->n_rows; r++) {
        const af_cell *row = af_table_row(table, r);
        const uint64_t most = read_present(&row[wall]), busy = read_present(&row[cpu]);
        ck_assert_msg(read_present(&row[wait]) == (most > busy ? most - busy : 0),
                      "%s: %s wait of %s in %s", name, what, row[0].text, table->id);
    }
}

/* The self times of any breakdown add up to the time of the threads, by wall and CPU clock. */
static void check_totals(const char *name, const af_profile *profile)
{
    static const char *const tables[] = {"methods", "classes",   "packages", "categories",
                                         "sources", "tree-down", "threads",  NULL};
    g_autoptr(af_report) report = make(profile, tables, NULL);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        uint64_t time_ns = 0;
        for (unsigned t = 0; t < af_profile_n_threads(profile); t++) {
            time_ns += af_node_inclusive_ns(profile, t, 0, (af_clock)c);
        }
        for (unsigned i = 0; af_profile_has_clock(profile, (af_clock)c) && tables[i] != NULL; i++) {
            const af_table *table = report->tables->pdata[i];
            const char *what = strcmp(tables[i], "threads") == 0 ? "inclusive" : "self";
            ck_assert_msg(add_up(table, what, c) == time_ns, "%s: %s by %s", name, clock_names[c],
                          tables[i]);
            ck_assert_uint_eq(report->time_ns[c], time_ns);
        }
    }
    if (has_both_clocks(profile)) {
        const uint64_t wall = report->time_ns[AF_WALL], cpu = report->time_ns[AF_CPU];
        ck_assert_uint_eq(report->time_ns[AF_WAIT], wall > cpu ? wall - cpu : 0);
        for (unsigned i = 0; tables[i] != NULL; i++) {
            const gboolean is_threads = strcmp(tables[i], "threads") == 0;
            check_differences(name, report->tables->pdata[i], "inclusive");
            if (!is_threads) {
                check_differences(name, report->tables->pdata[i], "self");
            }
        }
    }
}

/* The widths of waiting add up to the waiting of the thread, and are within those of the caller. */
static void check_widths(const char *name, const af_profile *profile)
{
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        const af_tree *tree = profile->threads[t].tree;
        const uint64_t *own = af_tree_self_widths(tree, AF_WAIT);
        const uint64_t *whole = af_tree_widths(tree, AF_WAIT);
        g_autofree uint64_t *sums = g_new0(uint64_t, tree->n);
        for (uint32_t n = tree->n; own != NULL && n-- > 0;) {
            sums[n] += own[n];
            ck_assert_msg(sums[n] == whole[n], "%s: node %u", name, n);
            if (n > 0) {
                sums[tree->parent[n]] += sums[n];
            }
        }
        ck_assert_msg(own == NULL || whole[0] == af_tree_time_ns(tree, 0, AF_WAIT), "%s: %s", name,
                      profile->threads[t].title);
    }
}

static gboolean has_same_times(const af_profile *one, const af_profile *other, uint32_t t)
{
    return af_thread_time_ns(one, t, AF_WALL) == af_thread_time_ns(other, t, AF_WALL) &&
           af_thread_time_ns(one, t, AF_CPU) == af_thread_time_ns(other, t, AF_CPU);
}

/* As drawn: the width of the thread. */
static uint64_t read_width(const af_profile *of, uint32_t t)
{
    const uint64_t *widths = af_tree_widths(of->threads[t].tree, AF_WAIT);
    return widths != NULL ? widths[0] : 0;
}

/* Steps that only move time between methods keep the waiting of each thread. */
static void check_steps(const char *name, const af_profile *profile)
{
    const af_step steps[] = {
        {.kind = AF_STEP_MAX_DEPTH, .number = 2},
        {.kind = AF_STEP_HIDE, .text = "/./"},
        {.kind = AF_STEP_FOLD, .text = "/./"},
        {.kind = AF_STEP_COLLAPSE_RECURSION},
        {.kind = AF_STEP_SORT, .number = AF_SORT_NAME},
        {.kind = AF_STEP_SHORTER_THAN, .number = 10000, .clock = AF_WALL},
    };
    for (unsigned s = 0; s < G_N_ELEMENTS(steps) && af_profile_has_clock(profile, AF_WAIT); s++) {
        g_autoptr(af_profile) made = af_profile_reshape(profile, &steps[s], 1, NULL);
        const gboolean same = made != NULL && made->n_threads == profile->n_threads;
        for (uint32_t t = 0; same && t < made->n_threads; t++) {
            ck_assert_msg(!has_same_times(made, profile, t) ||
                              read_width(made, t) == read_width(profile, t),
                          "%s: thread %u after step %u", name, t, s);
        }
        if (made != NULL) {
            check_widths(name, made);
        }
    }
}

/* The table of waits is about the whole wait time. */
static void check_waits(const char *name, const af_profile *profile)
{
    static const char *const tables[] = {"waits", NULL};
    GError *error = NULL;
    if (profile->facts.format.name != NULL && strcmp(profile->facts.format.name, "anr") == 0) {
        /* of all threads or dumps, those that wait */
        g_autoptr(af_report) report = make(profile, tables, NULL);
        const af_table *table = report->tables->pdata[0];
        ck_assert_msg(add_up(table, "self", AF_WALL) <= report->time_ns[AF_WALL], "%s", name);
        ck_assert_uint_eq(add_up(table, "self", AF_WALL), table->whole_ns[AF_WALL]);
        return;
    }
    if (!af_profile_has_clock(profile, AF_WAIT)) {
        af_report_options options = AF_REPORT_OPTIONS_INIT;
        options.tables = tables;
        ck_assert_ptr_null(af_report_new(profile, "json", &options, &error));
        ck_assert_msg(g_error_matches(error, AF_ERROR, AF_ERROR_USAGE), "%s", name);
        g_clear_error(&error);
        return;
    }
    g_autoptr(af_report) report = make(profile, tables, NULL);
    const af_table *table = report->tables->pdata[0];
    /* sums below 0 are left out */
    ck_assert_msg(add_up(table, "self", AF_WAIT) >= report->time_ns[AF_WAIT], "%s: waits", name);
    ck_assert_uint_eq(table->whole_ns[AF_WAIT], report->time_ns[AF_WAIT]);
}

/* The numbers of a column, 0 if absent. */
static uint64_t count_up(const af_table *table, const char *id)
{
    const int column = af_table_find(table, id);
    uint64_t sum = 0;
    for (uint32_t r = 0; column >= 0 && r < table->n_rows; r++) {
        sum += read_present(&af_table_row(table, r)[column]);
    }
    return sum;
}

/* All tables agree on the tracer's share, and on what compensation removes. */
static void check_tracer(const char *name, const af_profile *profile)
{
    static const char *const tables[] = {"methods", "classes", "threads", NULL};
    const af_step step = {.kind = AF_STEP_COMPENSATE, .clock = AF_CLOCK_DEFAULT};
    g_autoptr(af_profile) made = af_profile_reshape(profile, &step, 1, NULL);
    g_autoptr(af_report) report = make(profile, tables, NULL);
    for (unsigned i = 0; tables[i] != NULL; i++) {
        const af_table *table = report->tables->pdata[i];
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            g_autofree char *id = g_strdup_printf("tracer_%s_ns", clock_names[c]);
            const gboolean known = made != NULL && af_profile_has_clock(profile, (af_clock)c);
            ck_assert_msg((af_table_find(table, id) >= 0) == known, "%s: %s", name, id);
            if (known) {
                af_step_view view = AF_STEP_VIEW_INIT;
                af_profile_step(made, 0, &view);
                ck_assert_msg(count_up(table, id) == view.left_out_ns[c], "%s: %s by %s", name, id,
                              tables[i]);
            }
        }
    }
}

/* A row of the methods' table by its name. */
static const af_cell *find_row(const af_table *table, const char *name)
{
    for (uint32_t r = 0; r < table->n_rows; r++) {
        if (strcmp(af_table_row(table, r)[0].text, name) == 0) {
            return af_table_row(table, r);
        }
    }
    ck_abort_msg("no row %s", name);
}

/* Sum of the times in the rows with this relation. */
static uint64_t add_relation(const af_table *table, const char *relation, unsigned column)
{
    uint64_t sum = 0;
    for (uint32_t r = 0; r < table->n_rows; r++) {
        const af_cell *row = af_table_row(table, r);
        sum += strcmp(row[1].text, relation) == 0 ? read_present(&row[column]) : 0;
    }
    return sum;
}

/* The callers of a method add up to it, and so do its callees with its self time; the same for
 * calls nested in a call. */
static void check_relatives(const char *name, const af_profile *profile)
{
    static const char *const tables[] = {"methods", NULL}, *const all[] = {"/./", NULL};
    g_autoptr(af_report) report = make(profile, tables, all);
    const af_table *methods = report->tables->pdata[0];
    ck_assert_uint_eq(report->tables->len - 1, methods->n_rows);
    for (unsigned i = 1; i < report->tables->len; i++) {
        const af_table *table = report->tables->pdata[i];
        const af_cell *row = find_row(methods, table->subject);
        if (has_both_clocks(profile)) {
            check_differences(name, table, "inclusive");
        }
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            if (!af_profile_has_clock(profile, (af_clock)c)) {
                continue;
            }
            const unsigned column = (unsigned)find(table, "inclusive", c);
            const uint64_t inclusive = read_present(&row[find(methods, "inclusive", c)]);
            ck_assert_msg(add_relation(table, "callers", column) == inclusive, "%s: callers of %s",
                          name, table->subject);
            ck_assert_msg(add_relation(table, "callees", column) == inclusive, "%s: callees of %s",
                          name, table->subject);
            ck_assert_msg(add_relation(table, "callers while recursive", column) ==
                              add_relation(table, "callees while recursive", column),
                          "%s: recursion of %s", name, table->subject);
        }
    }
}

/* The top rows of the bottom-up tree equal the methods table; the children of a row add up to it.
 * Applies to complete trees only. */
static void check_tree_up(const char *name, const af_profile *profile)
{
    static const char *const tables[] = {"methods", "tree-up", NULL};
    g_autoptr(af_report) report = make(profile, tables, NULL);
    const af_table *methods = report->tables->pdata[0], *tree = report->tables->pdata[1];
    const unsigned clock = (unsigned)report->clocks[0];
    const int self = find(tree, "self", clock), parent = af_table_find(tree, "parent");
    g_autofree uint64_t *below = g_new0(uint64_t, MAX(tree->n_rows, 1));
    g_autofree char *top = g_strconcat(report->thread_word, " ", NULL);
    uint64_t roots = 0;
    for (uint32_t r = tree->n_rows; tree->n_left_out == 0 && r-- > 0;) {
        const af_cell *row = af_table_row(tree, r);
        const uint64_t own = row[self].number;
        ck_assert_msg(below[r] == own || g_str_has_prefix(row[0].text, top), "%s: %s", name,
                      row[0].text);
        if (row[parent].number != AF_ABSENT) {
            below[row[parent].number] += own;
        } else {
            roots += own;
            ck_assert_uint_eq(own,
                              find_row(methods, row[0].text)[find(methods, "self", clock)].number);
        }
    }
    ck_assert(tree->n_left_out > 0 || roots == report->time_ns[clock]);
}

static bool collect(void *user, const void *bytes, size_t length, GError **error)
{
    g_string_append_len(user, bytes, (gssize)length);
    return TRUE;
}

/* Folded stacks lose less than a microsecond each, and drop those below one; counts lose
 * nothing. */
static void check_folded(const char *name, const af_profile *profile, uint64_t time_ns,
                         af_clock clock)
{
    const double scale = af_profile_unit_decimals(profile) == 3 ? 1000 : 1;
    g_autoptr(GString) text = g_string_new(NULL);
    af_convert_options options = AF_CONVERT_OPTIONS_INIT;
    options.clock = af_profile_unit_name(profile) != NULL ? AF_CLOCK_DEFAULT : clock;
    ck_assert(af_convert_write(profile, "folded", &options, collect, text, NULL));
    uint64_t sum_us = 0, stacks = 0;
    for (unsigned t = 0; t < af_profile_n_threads(profile); t++) {
        stacks += af_tree_n_nodes(profile, t) - 1;
    }
    /* no g_strsplit(): under the address sanitizer it measures the whole rest for every line */
    for (const char *line = text->str, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        const char *number = end;
        while (number[-1] != ' ') {
            number--;
        }
        sum_us += (uint64_t)(g_ascii_strtod(number, NULL) * scale + 0.5);
    }
    if (af_profile_unit_is_count(profile)) {
        ck_assert_uint_eq(sum_us, time_ns);
        return;
    }
    ck_assert_msg(sum_us * 1000 <= time_ns && (sum_us + stacks) * 1000 >= time_ns,
                  "%s: folded stacks have %" G_GUINT64_FORMAT " us of %" G_GUINT64_FORMAT " ns",
                  name, sum_us, time_ns);
}

/* A count of info, 0 where the input has none, as of calls in samples. */
static uint64_t read_count(JsonObject *of, const char *name)
{
    return (uint64_t)json_object_get_int_member_with_default(of, name, 0);
}

/* The calls, records and threads of info match the sums of the tables. */
static void check_info(const char *name, const af_profile *profile)
{
    static const char *const tables[] = {"threads", "methods", "classes", NULL};
    g_autofree char *text = af_info_json(profile, name);
    g_autoptr(JsonParser) parser = json_parser_new();
    ck_assert(json_parser_load_from_data(parser, text, -1, NULL));
    JsonObject *info = json_node_get_object(json_parser_get_root(parser));
    JsonArray *threads = json_object_get_array_member(info, "threads");
    uint64_t calls = 0, records = 0;
    for (guint i = 0; i < json_array_get_length(threads); i++) {
        JsonObject *thread = json_array_get_object_element(threads, i);
        calls += read_count(thread, "calls");
        records += read_count(thread, "records");
    }
    ck_assert_uint_eq(calls, read_count(info, "calls"));
    ck_assert_uint_eq(records, read_count(info, "records"));
    g_autoptr(af_report) report = make(profile, tables, NULL);
    const af_table *by_thread = report->tables->pdata[0];
    ck_assert_uint_eq(by_thread->n_rows, json_array_get_length(threads));
    ck_assert_uint_eq(count_up(by_thread, "records"), records);
    for (unsigned i = 0; tables[i] != NULL && af_table_find(by_thread, "calls") >= 0; i++) {
        const af_table *table = report->tables->pdata[i];
        ck_assert_msg(count_up(table, "calls") + count_up(table, "recursive_calls") == calls,
                      "%s: calls by %s", name, tables[i]);
    }
}

static bool append_saved(void *user, const void *bytes, size_t length, GError **error)
{
    g_byte_array_append(user, bytes, (guint)length);
    return TRUE;
}

/* A recording and the profile saved from it have one hash. */
static void check_hash(const char *name, const af_profile *profile)
{
    GByteArray *saved = g_byte_array_new();
    ck_assert(af_convert_write(profile, "aflp", NULL, append_saved, saved, NULL));
    g_autoptr(GBytes) bytes = g_byte_array_free_to_bytes(saved);
    g_autoptr(af_profile) again =
        af_profile_open_bytes(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes), NULL, NULL);
    ck_assert_msg(again != NULL, "%s cannot be opened again", name);
    g_autofree char *one = af_profile_hash(profile), *other = af_profile_hash(again);
    ck_assert_msg(strcmp(one, other) == 0, "%s: the saved profile has another hash", name);
}

static void check_trace(const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autoptr(af_profile) profile = af_profile_open(path, NULL, NULL);
    ck_assert_msg(profile != NULL, "%s cannot be read", path);
    check_totals(name, profile);
    check_widths(name, profile);
    check_steps(name, profile);
    check_info(name, profile);
    check_hash(name, profile);
    check_waits(name, profile);
    check_tracer(name, profile);
    af_report *report = make(profile, NULL, NULL);
    for (unsigned c = 0; c < MEASURES; c++) {
        /* the stacks of 200,000 nested frames take too long for a test */
        if (af_profile_has_clock(profile, (af_clock)c) && strcmp(name, "deep.trace") != 0) {
            check_folded(name, profile, report->time_ns[c], (af_clock)c);
        }
    }
    af_report_free(report);
    if (af_profile_n_labels(profile) > 0 && af_profile_n_threads(profile) > 0) {
        check_relatives(name, profile);
        check_tree_up(name, profile);
    }
}

static unsigned check_folder(const char *folder)
{
    g_autoptr(GDir) directory = g_dir_open(folder, 0, NULL);
    ck_assert_msg(directory != NULL, "no folder %s", folder);
    unsigned n = 0;
    for (const char *name; (name = g_dir_read_name(directory)) != NULL;) {
        if (g_str_has_suffix(name, ".trace")) {
            check_trace(folder, name);
            n++;
        }
    }
    return n;
}

TEST(reports_of_all_fixtures_add_up)
{
    ck_assert_uint_gt(check_folder(getenv("AFLAME_DATA")), 60);
}

TEST(reports_of_real_traces_add_up)
{
    g_autofree char *folder = g_path_get_dirname(getenv("AFLAME_SAMPLE"));
    g_autofree char *real = g_build_filename(folder, "real", NULL);
    ck_assert_uint_ge(check_folder(real), 2);
    ck_assert_uint_ge(check_folder(folder), 1);
}

/* Removed time is reported, and together with the rest it equals the original. */
TEST(reports_of_reshaped_traces_list_the_steps)
{
    const af_step steps[] = {
        {.kind = AF_STEP_FOCUS, .text = "onCreate", .clock = AF_WALL},
        {.kind = AF_STEP_HIDE, .text = "android.**", .clock = AF_WALL},
    };
    af_profile *whole = af_profile_open(getenv("AFLAME_SAMPLE"), NULL, NULL);
    af_profile *part = af_profile_reshape(whole, steps, G_N_ELEMENTS(steps), NULL);
    ck_assert_ptr_nonnull(part);
    g_autoptr(af_report) before = make(whole, NULL, NULL), after = make(part, NULL, NULL);
    ck_assert_uint_eq(before->n_steps, 0);
    ck_assert_uint_eq(after->n_steps, 2);
    af_profile_free(whole);
    af_profile_free(part);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        ck_assert_uint_gt(after->steps[0].left_out_ns[c], 0);
        ck_assert_uint_eq(after->time_ns[c] + after->steps[0].left_out_ns[c] +
                              after->steps[1].left_out_ns[c],
                          before->time_ns[c]);
    }
    char *line = af_report_describe_step(after, 0);
    ck_assert_msg(g_str_has_prefix(line, "--focus onCreate left out ") &&
                      g_str_has_suffix(line, " CPU") && strstr(line, " wall, ") != NULL,
                  "%s", line);
    g_free(line);
    line = af_report_describe_step(after, 1);
    ck_assert_msg(strstr(line, "moved to callers ") != NULL, "%s", line);
    g_free(line);
}

/* Self times of inverted trees are not those of the methods. */
TEST(inverted_trees_are_refused)
{
    const af_step step = {.kind = AF_STEP_INVERT_CALLERS, .clock = AF_WALL};
    g_autoptr(af_profile) whole = af_profile_open(getenv("AFLAME_SAMPLE"), NULL, NULL);
    g_autoptr(af_profile) turned = af_profile_reshape(whole, &step, 1, NULL);
    ck_assert_error(af_report_new(turned, "text", NULL, &error), AF_ERROR_USAGE);
}
