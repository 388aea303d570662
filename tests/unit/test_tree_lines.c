#include <string.h>

#include "report/formats/tree_lines.h"
#include "suite.h"

/* The tree lines of rows at these depths ("0112..."), one after the other. */
static char *draw(const char *depths, unsigned most)
{
    static const af_column columns[] = {
        {.id = "name", .word = "name", .title = "", .kind = AF_CELL_TEXT},
        {.id = "depth", .word = "depth", .title = "", .kind = AF_CELL_COUNT},
    };
    g_autoptr(af_table) table = af_table_new("tree", "tree");
    table->order = AF_ROWS_NESTED;
    af_table_add_column(table, &columns[0]);
    af_table_add_column(table, &columns[1]);
    ck_assert(af_table_reserve(table, (uint32_t)strlen(depths)));
    for (const char *d = depths; *d != '\0'; d++) {
        af_table_add_row(table)[1].number = (uint64_t)(*d - '0');
    }
    af_tree_lines lines;
    GString *text = g_string_new(NULL);
    ck_assert(af_tree_lines_begin(&lines, table));
    for (uint32_t r = 0; r < table->n_rows; r++) {
        af_tree_lines_append(&lines, r, most, text);
        g_string_append_c(text, '\n');
    }
    af_tree_lines_end(&lines);
    return g_string_free(text, FALSE);
}

#define CHECK(depths, most, expected)                                                              \
    do {                                                                                           \
        char *text = draw(depths, most);                                                           \
        ck_assert_str_eq(text, expected);                                                          \
        g_free(text);                                                                              \
    } while (0)

TEST(single_children_need_no_indent)
{
    CHECK("0123456", 80, "\n  \n  \n  \n  \n  \n  \n");
}

TEST(branches_have_lines)
{
    CHECK("0111", 80, "\n├─\n├─\n└─\n");
    CHECK("01212", 80, "\n├─\n│ \n└─\n  \n");
    CHECK("0122322", 80, "\n  \n  ├─\n  ├─\n  │ \n  ├─\n  └─\n");
    CHECK("01221", 80, "\n├─\n│ ├─\n│ └─\n└─\n");
}

TEST(roots_have_no_lines)
{
    CHECK("0101120", 80, "\n  \n\n├─\n└─\n  \n\n");
}

TEST(deep_branches_show_their_depth)
{
    /* every row has two children, so every level moves to the right */
    g_autofree char *text = draw("01122334455667788", 12);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    ck_assert_str_eq(lines[1], "├─");
    ck_assert_str_eq(lines[3], "  ├─");
    ck_assert_str_eq(lines[15], "7… ├─");
}
