#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "report/table.h"
#include "report/formats/table_text.h"
#include "suite.h"

static const af_column columns[] = {
    {.id = "name", .word = "name", .title = "method", .kind = AF_CELL_TEXT},
    {.id = "self_cpu_ns", .word = "self-cpu", .title = "self cpu", .kind = AF_CELL_TIME, .rank = 1},
    {.id = "self_cpu_percent",
     .word = "self-cpu-percent",
     .title = "%",
     .kind = AF_CELL_SHARE,
     .rank = 3,
     .clock = AF_CPU},
    {.id = "inclusive_cpu_ns",
     .word = "inclusive-cpu",
     .title = "inclusive cpu",
     .kind = AF_CELL_TIME,
     .rank = 2},
    {.id = "id", .word = "id", .title = "id", .kind = AF_CELL_COUNT, .rank = 4, .plain = TRUE},
    {.id = "unwinds",
     .word = "unwinds",
     .title = "unwinds",
     .kind = AF_CELL_COUNT,
     .rank = 5,
     .quiet = TRUE},
};

static af_table *table;

static void add(const char *name, uint64_t self, uint64_t inclusive, uint64_t id)
{
    af_cell *row = af_table_add_row(table);
    row[0].text = name;
    row[1].number = row[2].number = self;
    row[3].number = inclusive;
    row[4].number = id;
    row[5].number = 0;
}

static void set_up(void)
{
    table = af_table_new("methods", "methods");
    for (unsigned c = 0; c < G_N_ELEMENTS(columns); c++) {
        af_table_add_column(table, &columns[c]);
    }
    ck_assert(af_table_reserve(table, 5));
    table->whole_ns[AF_CPU] = 3000;
    add("b", 1000, 1000, 9);
    add("c", 2000, 2000, 10);
    add("a", 1000, 3000, 1234);
    add("a", 1000, 1000, AF_ABSENT);
    add("com.example.pkg.Class.method", 1, AF_ABSENT, 7);
}

static void tear_down(void)
{
    af_table_free(table);
}

AROUND_EACH(set_up, tear_down)

static char *list_names(void)
{
    GString *names = g_string_new(NULL);
    for (uint32_t r = 0; r < table->n_rows; r++) {
        g_string_append_c(names, af_table_row(table, r)[0].text[0]);
    }
    return g_string_free(names, FALSE);
}

#define CHECK_ORDER(expected)                                                                      \
    do {                                                                                           \
        char *names = list_names();                                                                \
        ck_assert_str_eq(names, expected);                                                         \
        g_free(names);                                                                             \
    } while (0)

TEST(quantities_sort_descending_then_by_next_column_and_name)
{
    ck_assert(af_table_sort(table, 1, 3));
    CHECK_ORDER("caabc");
    ck_assert_uint_eq(af_table_row(table, 1)[3].number, 3000);
    ck_assert(af_table_sort(table, 1, -1));
    CHECK_ORDER("caabc");
    ck_assert(af_table_sort(table, 3, -1));
    CHECK_ORDER("acabc"); /* the missing one last */
    ck_assert_uint_eq(af_table_row(table, 4)[4].number, 7);
}

TEST(ids_and_names_sort_ascending)
{
    ck_assert(af_table_sort(table, 4, -1));
    CHECK_ORDER("cbcaa");
    ck_assert(af_table_sort(table, 0, 1));
    CHECK_ORDER("aabcc");
}

TEST(dropped_rows_are_counted)
{
    af_table_limit(table, 3);
    ck_assert_uint_eq(table->n_rows, 3);
    ck_assert_uint_eq(table->n_left_out, 2);
    af_table_limit(table, 3);
    ck_assert_uint_eq(table->n_left_out, 2);
}

/* The first rows are the same whether all rows are sorted or only the first. */
TEST(the_first_rows_match_those_of_a_full_sort)
{
    enum { ROWS = 500 };
    static const uint32_t most[] = {1, 2, 3, 20, ROWS - 1, ROWS, ROWS + 1, 0};
    for (size_t i = 0; i < G_N_ELEMENTS(most); i++) {
        g_autoptr(af_table) few = af_table_new_like(table, "few"),
                            all = af_table_new_like(table, "all");
        ck_assert(af_table_reserve(few, ROWS) && af_table_reserve(all, ROWS));
        uint32_t random = 7;
        for (uint32_t r = 0; r < ROWS; r++) {
            random = random * 1664525u + 1013904223u;
            af_cell *one = af_table_add_row(few), *other = af_table_add_row(all);
            one[0].text = other[0].text = random >> 20 & 1 ? "a" : "b";
            one[1].number = other[1].number = random >> 24 & 15; /* many ties */
            one[4].number = other[4].number = r;
        }
        ck_assert(af_table_sort_first(few, 1, -1, most[i]) && af_table_sort(all, 1, -1));
        ck_assert_uint_eq(few->n_rows, most[i] == 0 ? ROWS : MIN(most[i], ROWS));
        ck_assert_uint_eq(few->n_rows + few->n_left_out, ROWS);
        for (uint32_t r = 0; r < few->n_rows; r++) {
            ck_assert_uint_eq(af_table_row(few, r)[4].number, af_table_row(all, r)[4].number);
        }
    }
}

TEST(columns_are_found_by_word)
{
    ck_assert_int_eq(af_table_find_word(table, "self-cpu"), 1);
    ck_assert_int_eq(af_table_find_word(table, "self"), 1);
    ck_assert_int_eq(af_table_find_word(table, "self_cpu_percent"), 2);
    ck_assert_int_eq(af_table_find_word(table, "inclusive"), 3);
    ck_assert_int_eq(af_table_find_word(table, "sel"), -1);
    ck_assert_int_eq(af_table_find_word(table, ""), -1);
    ck_assert_int_eq(af_table_find(table, "self"), -1);
}

static char *print(unsigned width)
{
    GByteArray *bytes = g_byte_array_new();
    g_autofree af_out *out = g_new(af_out, 1);
    af_out_open(out, af_out_to_array, bytes);
    af_table_put_text(out, table, width);
    ck_assert(af_out_close(out, NULL));
    g_byte_array_append(bytes, (const guint8 *)"", 1);
    return (char *)g_byte_array_free(bytes, FALSE);
}

TEST(text_shows_all_columns_that_fit_and_wide_headings_in_two_lines)
{
    g_autofree char *text = print(100);
    ck_assert_str_eq(text, "                    inclusive\n"
                           "  self cpu       %        cpu    id  method\n"
                           "      1 µs  33.3 %       1 µs     9  b\n"
                           "      2 µs  66.7 %       2 µs    10  c\n"
                           "      1 µs  33.3 %       3 µs  1234  a\n"
                           "      1 µs  33.3 %       1 µs        a\n"
                           "      1 ns  <0.1 %                7  com.example.pkg.Class.method\n");
}

TEST(text_drops_the_highest_ranks_then_shortens_names)
{
    char *text = print(40); /* names take 16 columns, the rest is for the times */
    ck_assert_str_eq(text, "            inclusive\n"
                           "  self cpu        cpu  method\n"
                           "      1 µs       1 µs  b\n"
                           "      2 µs       2 µs  c\n"
                           "      1 µs       3 µs  a\n"
                           "      1 µs       1 µs  a\n"
                           "      1 ns             com…Class.method\n");
    g_free(text);
    ck_assert(af_table_sort(table, 4, -1));
    text = print(30);
    ck_assert_str_eq(text, "  self cpu    id  method\n"
                           "      1 ns     7  Clas….method\n"
                           "      1 µs     9  b\n"
                           "      2 µs    10  c\n"
                           "      1 µs  1234  a\n"
                           "      1 µs        a\n");
    g_free(text);
}

TEST(text_shows_columns_that_become_relevant)
{
    af_table_row(table, 2)[5].number = 1234;
    g_autofree char *text = print(200);
    ck_assert_ptr_nonnull(strstr(text, "  unwinds  method\n"));
    ck_assert_ptr_nonnull(strstr(text, "  1234    1,234  a\n"));
}

TEST(text_escapes_control_characters)
{
    af_table_row(table, 0)[0].text = "a\033[31m\xE2\x80\xAE"
                                     "b\n";
    g_autofree char *text = print(100);
    ck_assert_ptr_nonnull(strstr(text, "  a\xEF\xBF\xBD[31m\xEF\xBF\xBD"
                                       "b\xEF\xBF\xBD\n"));
}

TEST(leading_names_keep_their_width)
{
    table->name_most = 10;
    g_autofree char *text = print(100);
    ck_assert_str_eq(text, "                                inclusive\n"
                           "  method      self cpu       %        cpu    id\n"
                           "  b               1 µs  33.3 %       1 µs     9\n"
                           "  c               2 µs  66.7 %       2 µs    10\n"
                           "  a               1 µs  33.3 %       3 µs  1234\n"
                           "  a               1 µs  33.3 %       1 µs\n"
                           "  …method         1 ns  <0.1 %                7\n");
}

/* "PART WHOLE" */
static char *show_percent(const char *input)
{
    char *whole;
    const uint64_t part = strtoull(input, &whole, 10);
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    g_autofree af_out *out = g_new(af_out, 1);
    af_out_open(out, af_out_to_array, bytes);
    af_cell_put_percent(out, part, strtoull(whole, NULL, 10));
    ck_assert(af_out_close(out, NULL));
    return g_strndup((const char *)bytes->data, bytes->len);
}

TEST(percents_are_exact)
{
    cases_map("exact percents", show_percent);
}
