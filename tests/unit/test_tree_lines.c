#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "report/formats/tree_lines.h"
#include "suite.h"

/* "COLUMNS DEPTHS", "0112...", of the rows => their tree lines, each with a bar after it */
static char *show_lines(const char *input)
{
    char *depths;
    const unsigned most = (unsigned)strtoul(input, &depths, 10);
    depths++;
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
        g_string_append_c(text, '|');
    }
    af_tree_lines_end(&lines);
    return g_string_free(text, FALSE);
}

TEST(branches_have_lines)
{
    cases_map("tree lines", show_lines);
}
