/* A page with all tables of a comparison. It looks and works like the page of a report. */
#include "report/diff/diff_format.h"

#include "base/number.h"
#include "report/formats/markup.h"
#include "report/formats/page_html.h"
#include "report/formats/rest_html.h"

enum { STATIC_ROWS = 60 };

typedef struct {
    const af_diff *diff;
    GHashTable *links; /* number of the table of callers of a method, + 1, by name */
} page;

static void put_cell(af_out *out, const char *class, char *text)
{
    af_out_text(out, "<td");
    if (class != NULL) {
        af_out_texts(out, " class=\"", class, "\"");
    }
    af_out_char(out, '>');
    af_markup_text(out, text);
    af_out_text(out, "</td>");
    g_free(text);
}

/* The script sorts by the title and copies it: all digits. */
static void put_amount(af_out *out, const af_diff *diff, int64_t exact, char *text)
{
    char digits[AF_NUMBER_SIZE];
    const uint64_t size = exact < 0 ? 0 - (uint64_t)exact : (uint64_t)exact;
    af_out_text(out, exact < 0 ? "<td title=\"-" : "<td title=\"");
    af_markup_text(out, af_number_amount_exact(digits, size, &diff->unit));
    af_out_text(out, "\">");
    af_markup_text(out, text);
    af_out_text(out, "</td>");
    g_free(text);
}

static char *say_calls(const af_diff_row *row, af_side side)
{
    char text[AF_NUMBER_SIZE];
    return g_strdup(row->counted && row->present[side] ? af_number_count(text, row->calls[side])
                                                       : "");
}

static void put_name(af_out *out, const page *p, const af_diff_row *row)
{
    const guint link = GPOINTER_TO_UINT(g_hash_table_lookup(p->links, row->name));
    char start[48] = "";
    af_out_text(out, "<td class=\"n\">");
    for (uint32_t i = 0; i < row->depth; i++) {
        af_out_text(out, "\xC2\xA0");
    }
    if (link > 0) {
        g_snprintf(start, sizeof start, "<a href=\"#table-%u\">", link - 1);
    }
    af_out_text(out, start);
    af_markup_name(out, row->name);
    af_out_texts(out, link > 0 ? "</a>" : "", "</td>");
}

static void put_row(af_out *out, const page *p, const af_diff_row *row)
{
    const af_diff *diff = p->diff;
    const uint64_t before = row->time[AF_BEFORE], after = row->time[AF_AFTER];
    const int64_t change = af_diff_of(before, after);
    af_out_text(out, "<tr>");
    put_name(out, p, row);
    for (unsigned s = 0; s < AF_SIDES; s++) {
        if (row->present[s]) {
            put_amount(out, diff, (int64_t)row->time[s], af_diff_say_amount(diff, row->time[s]));
        } else {
            put_cell(out, NULL, g_strdup(""));
        }
    }
    put_amount(out, diff, change, af_diff_say_change(diff, change));
    put_cell(out, "minor", af_diff_say_ratio(before, after));
    put_cell(out, "minor", say_calls(row, AF_BEFORE));
    put_cell(out, "minor", say_calls(row, AF_AFTER));
    put_cell(out, "t", g_strdup(af_diff_say_cause(row)));
    put_cell(out, "minor", af_diff_say_p(row));
    af_out_text(out, "</tr>\n");
}

static void put_head(af_out *out, const af_diff_table *table)
{
    static const char *const titles[] = {"before", "after",        "delta",
                                         "%",      "calls before", "calls after"};
    enum { MINOR = 3 }; /* from here on columns that narrow windows hide */
    af_out_text(out, "<thead><tr><th scope=\"col\" class=\"n\">");
    af_markup_text(out, table->name);
    af_out_text(out, "</th>");
    for (unsigned i = 0; i < G_N_ELEMENTS(titles); i++) {
        af_out_texts(out, i < MINOR ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"minor\">",
                     titles[i], "</th>");
    }
    af_out_text(
        out, "<th scope=\"col\" class=\"t\">cause</th><th scope=\"col\" class=\"minor\">p</th></tr>"
             "</thead>\n<tbody>\n");
}

static void put_rest(af_out *out, const page *p, const af_diff_table *table, const char *id)
{
    af_out *to;
    af_rest *rest = af_rest_new(&to);
    if (rest == NULL) {
        af_out_refuse(out);
        return;
    }
    for (guint i = STATIC_ROWS; i < table->rows->len && to->error == NULL; i++) {
        put_row(to, p, &g_array_index(table->rows, af_diff_row, i));
        af_rest_end_piece(rest);
    }
    af_rest_put(rest, out, "", id, TRUE);
}

static void put_title(af_out *out, const af_diff_table *table)
{
    af_markup_text(out, table->title);
    if (table->subject != NULL) {
        af_out_text(out, " of ");
        af_markup_text(out, table->subject);
    }
}

static void put_table(af_out *out, const page *p, const af_diff_table *table, guint number)
{
    char id[32];
    g_snprintf(id, sizeof id, "table-%u", number);
    af_out_texts(out, "<section id=\"", id, "\"><h2>");
    put_title(out, table);
    af_out_text(out, " <small class=\"count\"></small></h2>\n");
    if (table->n_left_out > 0) {
        char text[AF_NUMBER_SIZE];
        af_out_texts(out, "<p>", af_number_count(text, table->n_left_out),
                     " more rows; --top 0 shows all</p>\n");
    }
    af_out_text(out, table->nested ? "<table class=\"main tree\">" : "<table class=\"main\">");
    put_head(out, table);
    for (guint i = 0; i < MIN(table->rows->len, STATIC_ROWS) && out->error == NULL; i++) {
        put_row(out, p, &g_array_index(table->rows, af_diff_row, i));
    }
    af_out_text(out, "</tbody></table>\n");
    if (table->rows->len > STATIC_ROWS) {
        put_rest(out, p, table, id);
    }
    af_out_text(out, "</section>\n");
}

/* Links to every table, but to callers and callees only if they were asked for: rows link to them. */
static void put_contents(af_out *out, const GPtrArray *tables, gboolean methods)
{
    af_out_text(out, "<nav>");
    for (guint i = 0; i < tables->len; i++) {
        const af_diff_table *table = tables->pdata[i];
        char href[48];
        if (table->subject == NULL || methods) {
            g_snprintf(href, sizeof href, "<a href=\"#table-%u\">", i);
            af_out_text(out, href);
            put_title(out, table);
            af_out_text(out, "</a>\n");
        }
    }
    af_out_text(out, "</nav>\n");
}

/* The first table about a method is that of its callers. */
static GHashTable *list_links(const GPtrArray *tables)
{
    GHashTable *links = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < tables->len; i++) {
        const char *subject = ((const af_diff_table *)tables->pdata[i])->subject;
        if (subject != NULL && !g_hash_table_contains(links, subject)) {
            g_hash_table_insert(links, (gpointer)subject, GUINT_TO_POINTER(i + 1));
        }
    }
    return links;
}

static gboolean write_html(const af_diff *diff, const GPtrArray *tables,
                           const af_diff_tables *wanted, GBytes *carried, af_out *out,
                           GError **error)
{
    g_autofree char *title = af_diff_say_sides(diff);
    g_autoptr(GPtrArray) lines = af_diff_describe(diff);
    const page p = {diff, list_links(tables)};
    g_autoptr(GBytes) picture =
        wanted->picture == NULL ? NULL : g_bytes_new_static(wanted->picture, wanted->picture_size);
    af_page_begin(out, title, picture);
    af_out_text(out, "<header><h1>");
    af_markup_text(out, title);
    af_out_text(out, picture == NULL ? "</h1>\n" : "</h1>\n<noscript>"); /* the picture has them */
    for (guint i = 0; i < lines->len; i++) {
        af_out_text(out, i == 0 ? "<p>" : "<br/>\n");
        af_markup_text(out, lines->pdata[i]);
    }
    af_out_text(out, picture == NULL ? "</p></header>\n" : "</p></noscript></header>\n");
    af_page_put_picture(out, picture, "");
    put_contents(out, tables, wanted->methods != NULL);
    af_out_text(out, "<main>\n");
    for (guint i = 0; i < tables->len && out->error == NULL; i++) {
        put_table(out, &p, tables->pdata[i], i);
    }
    af_out_text(out, "</main>\n");
    if (carried != NULL) {
        af_page_put_profile(out, carried);
    }
    af_page_end(out);
    g_hash_table_unref(p.links);
    return TRUE;
}

const af_diff_format af_diff_format_html = {.name = "html",
                                            .extension = "html",
                                            .title = "a page for a browser",
                                            .complete = TRUE,
                                            .linked = TRUE,
                                            .carries = TRUE,
                                            .write = write_html};
