/* Markdown for a comment in a code review: a short table, details folded, and never longer than
 * such comments may be. */
#include "report/diff/diff_format.h"

#include <string.h>

#include "base/markdown.h"
#include "base/number.h"

#define MOST_BYTES 60000 /* GitHub accepts 65,536 characters */
#define FIRST_ROWS 10
#define TAIL_BYTES 200 /* for the end of the last table */

static void append_head(GString *to, const af_diff_table *table)
{
    g_string_append_printf(to, "| %s | before | after | delta | | calls | cause | p |\n",
                           table->name);
    g_string_append(to, "|---|--:|--:|--:|--:|--:|---|--:|\n");
}

static void append_cell(GString *to, char *text)
{
    g_string_append_printf(to, " | %s", text);
    g_free(text);
}

static char *say_calls(const af_diff_row *row)
{
    char before[AF_NUMBER_SIZE], after[AF_NUMBER_SIZE];
    if (!row->counted) {
        return g_strdup("");
    }
    af_number_count(before, row->calls[AF_BEFORE]);
    af_number_count(after, row->calls[AF_AFTER]);
    return strcmp(before, after) == 0 ? g_strdup(before)
                                      : g_strdup_printf("%s → %s", before, after);
}

static void append_row(GString *to, const af_diff *diff, const af_diff_row *row)
{
    const uint64_t before = row->time[AF_BEFORE], after = row->time[AF_AFTER];
    g_string_append(to, "| ");
    for (uint32_t i = 0; i < row->depth; i++) {
        g_string_append(to, "&nbsp;");
    }
    af_markdown_append_code(to, row->name);
    append_cell(to, row->present[AF_BEFORE] ? af_diff_say_amount(diff, before) : g_strdup("-"));
    append_cell(to, row->present[AF_AFTER] ? af_diff_say_amount(diff, after) : g_strdup("-"));
    append_cell(to, af_diff_say_change(diff, af_diff_of(before, after)));
    append_cell(to, af_diff_say_ratio(before, after));
    append_cell(to, say_calls(row));
    append_cell(to, g_strdup(af_diff_say_cause(row)));
    append_cell(to, af_diff_say_p(row));
    g_string_append(to, " |\n");
}

static gboolean is_shown(const af_diff_row *row)
{
    return row->status > AF_DIFF_NOISE;
}

/* Rows from *at on that are more than noise, at most `most`. */
static void append_rows(GString *to, const af_diff *diff, const af_diff_table *table, guint *at,
                        guint most)
{
    guint n = 0;
    for (; *at < table->rows->len && n < most && to->len < MOST_BYTES - TAIL_BYTES; (*at)++) {
        const af_diff_row *row = &g_array_index(table->rows, af_diff_row, *at);
        const gsize before = to->len;
        if (is_shown(row)) {
            append_row(to, diff, row);
            n++;
        }
        if (to->len > MOST_BYTES - TAIL_BYTES) {
            g_string_truncate(to, before);
            break;
        }
    }
}

static guint count_shown(const af_diff_table *table, guint from)
{
    guint n = 0;
    for (guint i = from; i < table->rows->len; i++) {
        n += is_shown(&g_array_index(table->rows, af_diff_row, i)) ? 1 : 0;
    }
    return n;
}

static void append_table(GString *to, const af_diff *diff, const af_diff_table *table)
{
    guint at = 0;
    g_string_append_printf(to, "\n### %s", table->title);
    if (table->subject != NULL) {
        g_string_append(to, " of ");
        af_markdown_append_code(to, table->subject);
    }
    g_string_append(to, "\n\n");
    if (count_shown(table, 0) == 0) {
        g_string_append(to, "No change beyond noise.\n");
        return;
    }
    append_head(to, table);
    append_rows(to, diff, table, &at, FIRST_ROWS);
    const guint rest = count_shown(table, at);
    if (rest > 0 && to->len < MOST_BYTES - TAIL_BYTES * 3) {
        g_string_append_printf(to, "\n<details><summary>%u more</summary>\n\n", rest);
        append_head(to, table);
        append_rows(to, diff, table, &at, G_MAXUINT);
        const guint left_out = count_shown(table, at);
        if (left_out > 0) {
            g_string_append_printf(to, "\n%u more rows do not fit into a comment.\n", left_out);
        }
        g_string_append(to, "\n</details>\n");
    }
}

static gboolean write_markdown(const af_diff *diff, const GPtrArray *tables,
                               const af_diff_tables *wanted, GBytes *carried, af_out *out,
                               GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(GPtrArray) lines = af_diff_describe(diff);
    for (guint i = 0; i < lines->len; i++) {
        g_string_append(text, "- ");
        af_markdown_append_text(text, lines->pdata[i]);
        g_string_append_c(text, '\n');
    }
    for (guint i = 0; i < tables->len && text->len < MOST_BYTES - TAIL_BYTES * 4; i++) {
        append_table(text, diff, tables->pdata[i]);
    }
    af_out_bytes(out, text->str, text->len);
    return TRUE;
}

const af_diff_format af_diff_format_markdown = {.name = "markdown",
                                                .extension = "md",
                                                .title = "Markdown for a code review",
                                                .write = write_markdown};
