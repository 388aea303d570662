/* Whole reports: their rows, and that they add up. */
#include <json-glib/json-glib.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "made_profile.h"
#include "report/format.h"
#include "suite.h"

#define WALL (1u << AF_WALL)
#define CPU  (1u << AF_CPU)

static af_profile *profile;

/* main: a 1 { b 2 { c 4 }, c 8 }, b 16 { c 32 }; worker: c 64; CPU takes half of each */
static void set_up(void)
{
    const made_row first[] = {{1, "p.A.a", {100, 50}},   {2, "p.B.b", {200, 100}},
                              {3, "p.C.c", {400, 200}},  {2, "p.C.c", {800, 400}},
                              {1, "p.B.b", {1600, 800}}, {2, "p.C.c", {3200, 1600}},
                              {0, NULL, {0, 0}}};
    const made_row second[] = {{1, "p.C.c", {6400, 3200}}, {0, NULL, {0, 0}}};
    profile = made_profile_new(WALL | CPU);
    made_thread_add(profile, 1, "main", "main", first);
    made_thread_add(profile, 2, "worker", "worker", second);
}

static void tear_down(void)
{
    af_profile_free(profile);
}

AROUND_EACH(set_up, tear_down)

static af_report *make(const af_report_options *options, GError **error)
{
    return af_report_new(profile, "json", options, error);
}

/* Rows as text: depth as dots, then name and the number in the column. */
static char *describe(const af_table *table, const char *column)
{
    const int depth = af_table_find(table, "depth"), at = af_table_find(table, column);
    ck_assert_msg(at >= 0, "no column %s", column);
    GString *text = g_string_new(NULL);
    for (uint32_t r = 0; r < table->n_rows; r++) {
        const af_cell *row = af_table_row(table, r);
        g_string_append_printf(text, "%s%.*s%s %" G_GUINT64_FORMAT, r > 0 ? ", " : "",
                               depth < 0 ? 0 : (int)row[depth].number, ".........", row[0].text,
                               row[at].number);
    }
    return g_string_free(text, FALSE);
}

static const af_report_options defaults = AF_REPORT_OPTIONS_INIT;

/* "TABLE COLUMN", and min=N, top=N, sort=WORD, wait (the clock) => the rows */
static char *show_table(const char *input)
{
    g_auto(GStrv) words = g_strsplit(input, " ", -1);
    const char *const tables[] = {words[0], NULL};
    af_report_options options = defaults;
    options.tables = tables;
    for (char **word = words + 2; *word != NULL; word++) {
        const char *value = strchr(*word, '=');
        options.min_percent_c =
            g_str_has_prefix(*word, "min=") ? (unsigned)atoi(value + 1) : options.min_percent_c;
        options.top = g_str_has_prefix(*word, "top=") ? (unsigned)atoi(value + 1) : options.top;
        options.sort = g_str_has_prefix(*word, "sort=") ? value + 1 : options.sort;
        options.clock = strcmp(*word, "wait") == 0 ? AF_WAIT : options.clock;
    }
    GError *error = NULL;
    g_autoptr(af_report) report = make(&options, &error);
    ck_assert_ptr_nonnull(report);
    return describe(report->tables->pdata[0], words[1]);
}

TEST(tables_have_the_expected_rows)
{
    cases_map("tables of a report", show_table);
}

/* A method waits for the difference of its sums, which is limited to 0: not each of its nodes. */
TEST(wait_is_the_difference_of_the_sums)
{
    profile->threads[0].tree->self[AF_CPU][3] = 700; /* more than wall */
    af_tree_sum(profile->threads[0].tree);
    cases_map("tables of waits", show_table);
}

/* The callers of c add up to its time, both while recursive and otherwise. */
TEST(each_method_has_one_block)
{
    const char *const methods[] = {"=p.C.c", "p.A", NULL};
    af_report_options options = defaults;
    options.methods = methods;
    af_report *report = make(&options, NULL);
    ck_assert_uint_eq(report->tables->len, 2);
    char *text = describe(report->tables->pdata[0], "inclusive_wall_ns");
    ck_assert_str_eq(text, "thread worker 6400, p.B.b 3600, p.A.a 800, p.C.c 10800, (self) 10800");
    g_free(text);
    text = describe(report->tables->pdata[1], "of_calls");
    ck_assert_str_eq(text, "thread main 1, p.A.a 1, p.C.c 4, p.B.b 2, (self) 18446744073709551615");
    g_free(text);
    af_report_free(report);
    options.top = 1;
    report = make(&options, NULL);
    ck_assert_uint_eq(report->tables->len, 1);
    const af_table *table = report->tables->pdata[0];
    ck_assert_uint_eq(table->n_more_tables, 1);
    text = describe(table, "inclusive_wall_ns");
    ck_assert_str_eq(text, "thread worker 6400, p.C.c 10800, (self) 10800");
    g_free(text);
    af_report_free(report);
}

TEST(contradictory_options_are_refused)
{
    const char *const methods[] = {"p.A.x", NULL}, *const broken[] = {"/(/", NULL};
    const char *const tables[] = {"colours", NULL}, *const nobody[] = {"nobody", NULL};
    const af_report_options wrong[] = {
        {.size = sizeof defaults, .clock = AF_CLOCK_DEFAULT, .methods = broken},
        {.size = sizeof defaults, .clock = AF_CLOCK_DEFAULT, .tables = tables},
        {.size = sizeof defaults, .clock = AF_CLOCK_DEFAULT, .threads = nobody},
        {.size = sizeof defaults, .clock = AF_CLOCK_DEFAULT, .sort = "colour"},
        {.size = sizeof defaults, .clock = (af_clock)7},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        ck_assert_ptr_null(make(&wrong[i], &error));
        ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_USAGE));
    }
    const af_report_options nothing = {
        .size = sizeof defaults, .clock = AF_CLOCK_DEFAULT, .methods = methods};
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(make(&nothing, &error));
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_NOTHING));
    g_clear_error(&error);
    ck_assert_ptr_null(af_report_new(profile, "jsn", NULL, &error));
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_USAGE));
}

static char *print(const af_report *const *reports, unsigned n)
{
    GByteArray *bytes = g_byte_array_new();
    ck_assert(af_report_write(reports, n, af_out_to_array, bytes, NULL));
    g_byte_array_append(bytes, (const guint8 *)"", 1);
    return (char *)g_byte_array_free(bytes, FALSE);
}

/* Names come from the file and may contain anything. */
TEST(json_is_valid_with_any_names)
{
    static const char hostile[] = "a\"b\\c\001\037\177</script>\xE2\x80\xA8,\n";
    profile->labels[0].text = hostile;
    profile->labels[0].length = (uint32_t)strlen(hostile);
    const af_report *reports[2] = {make(NULL, NULL), make(NULL, NULL)};
    for (unsigned n = 1; n <= 2; n++) {
        g_autofree char *text = print(reports, n);
        g_autoptr(JsonParser) parser = json_parser_new();
        ck_assert_msg(json_parser_load_from_data(parser, text, -1, NULL), "%s", text);
        JsonNode *root = json_parser_get_root(parser);
        JsonObject *object = n == 1 ? json_node_get_object(root)
                                    : json_array_get_object_element(json_node_get_array(root), 1);
        JsonArray *rows = json_object_get_array_member(object, "methods");
        ck_assert_uint_eq(json_array_get_length(rows), 3);
        JsonObject *row = json_array_get_object_element(rows, 2);
        ck_assert_str_eq(json_object_get_string_member(row, "name"), hostile);
        ck_assert_int_eq(json_object_get_int_member(row, "self_wall_ns"), 100);
        ck_assert_double_eq_tol(json_object_get_double_member(row, "self_cpu_percent"), 0.7874,
                                1e-9);
        ck_assert_int_eq(
            json_object_get_int_member(json_object_get_object_member(object, "scope"), "cpu_ns"),
            6350);
    }
    af_report_free((af_report *)reports[0]);
    af_report_free((af_report *)reports[1]);
}

TEST(csv_quotes_names_and_has_fixed_columns)
{
    static const char hostile[] = "a \"b\", c\n";
    profile->labels[0].text = hostile;
    profile->labels[0].length = (uint32_t)strlen(hostile);
    profile->facts.content = AF_CONTENT_SAMPLED_CALLS;
    const char *const tables[] = {"methods", "threads", NULL};
    af_report_options options = defaults;
    options.tables = tables;
    options.clock = AF_CPU;
    options.input_name = "x,y";
    af_report *reports[2];
    for (unsigned i = 0; i < 2; i++) {
        reports[i] = af_report_new(profile, "csv", &options, NULL);
        options.tables = NULL;
        options.clock = AF_WALL;
    }
    g_autofree char *text = print((const af_report *const *)reports, 2);
    ck_assert_str_eq(
        text,
        "trace,table,name,self_cpu_ns,self_cpu_percent,inclusive_cpu_ns,"
        "inclusive_cpu_percent,threads,category,source,id,records,first_wall_ns,last_wall_ns,max_"
        "depth,"
        "self_wall_ns,self_wall_percent,inclusive_wall_ns,inclusive_wall_percent"
        "\r\n"
        "\"x,y\",methods,p.C.c,5400,85.0394,5400,85.0394,2,your app,,,,,,,,,,\r\n"
        "\"x,y\",methods,p.B.b,900,14.1732,2700,42.5197,1,your app,,,,,,,,,,\r\n"
        "\"x,y\",methods,\"a \"\"b\"\", c\n\",50,0.7874,750,11.8110,1,your app,,,,,,,,,,\r\n"
        "\"x,y\",threads,worker,,,3200,50.3937,,,,2,0,0,0,0,,,,\r\n"
        "\"x,y\",threads,main,,,3150,49.6063,,,,1,0,0,0,0,,,,\r\n"
        "\"x,y\",methods,p.C.c,,,,,2,your app,,,,,,,10800,85.0394,10800,85.0394\r\n"
        "\"x,y\",methods,p.B.b,,,,,1,your app,,,,,,,1800,14.1732,5400,42.5197\r\n"
        "\"x,y\",methods,\"a \"\"b\"\", c\n\",,,,,1,your app,,,,,,,100,0.7874,1500,11.8110\r\n");
    af_report_free(reports[0]);
    af_report_free(reports[1]);
}

/* Without single calls there is no shortest and no longest. */
TEST(unknown_calls_have_no_shortest_and_longest)
{
    for (uint32_t t = 0; t < 2; t++) {
        af_tree *tree = profile->threads[t].tree;
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            memcpy(tree->min[c], tree->inclusive[c], tree->n * sizeof(uint64_t));
            memcpy(tree->max[c], tree->inclusive[c], tree->n * sizeof(uint64_t));
        }
    }
    profile->threads[0].tree->max[AF_WALL][5] = 0; /* the outer b */
    cases_map("longest calls", show_table);
}

static char *print_one(const char *format, const af_report_options *options)
{
    static const char *const tables[] = {"methods", NULL};
    af_report_options one_table = options != NULL ? *options : defaults;
    one_table.tables = tables;
    g_autoptr(af_report) report = af_report_new(profile, format, &one_table, NULL);
    return print((const af_report *const *)&report, 1);
}

static void check_contains(const char *format, const af_report_options *options,
                           const char *expected)
{
    g_autofree char *text = print_one(format, options);
    ck_assert_msg(strstr(text, expected) != NULL, "%s lacks %s: %s", format, expected, text);
}

TEST(csv_contains_no_formulas)
{
    static const char *const names[] = {"=1+1",    "+a",   "-a",  "@a", "\ta",
                                        "\uFF1Da", "=a,b", "a=b", ""};
    static const char *const fields[] = {"'=1+1",    "'+a",       "'-a", "'@a", "'\ta",
                                         "'\uFF1Da", "\"'=a,b\"", "a=b", ""};
    af_report_options options = defaults;
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        profile->labels[0].text = names[i];
        profile->labels[0].length = (uint32_t)strlen(names[i]);
        g_autofree char *plain =
            g_strdup_printf("\r\n%s%s%s,100,", strchr(names[i], ',') ? "\"" : "", names[i],
                            strchr(names[i], ',') ? "\"" : "");
        g_autofree char *guarded = g_strdup_printf("\r\n%s,100,", fields[i]);
        options.raw_csv = TRUE;
        check_contains("csv", &options, plain);
        options.raw_csv = FALSE;
        check_contains("csv", &options, guarded);
    }
}

TEST(names_in_pages_are_truncated)
{
    g_autofree char *name = g_strnfill(3000000, 'x');
    profile->labels[0].text = name;
    profile->labels[0].length = 3000000;
    g_autofree char *text = print_one("html", NULL);
    ck_assert_uint_lt(strlen(text), 200000);
    ck_assert_ptr_nonnull(strstr(text, "xxx…xxx"));
}
