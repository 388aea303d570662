/* A self-contained HTML page that loads nothing. It is complete without its script, which sorts and
 * searches. */
#include "base/embed.h"
#include "report/format.h"

#include <string.h>
#include "base/aflp.h"
#include "base/hash.h"
#include "base/number.h"
#include "report/formats/page_html.h"
#include "report/formats/rest_html.h"
#include "report/formats/table_html.h"

AF_EMBED(char, af_html_css, AFLAME_HTML_PARTS "/report.css");
AF_EMBED(char, af_html_js, AFLAME_HTML_PARTS "/report.js");

/* Hides the script in a CDATA section for an XML parser; an HTML parser sees comments. */
#define SCRIPT_BEGIN "/*<![CDATA[*/\n"
#define SCRIPT_END   "/*]]>*/"

enum { STATIC_BLOCKS = 10 };

/* Appends the hash of the part of an SVG between two marks: a page must allow what its frame runs. */
static void append_policy(GString *policy, GBytes *svg, const char *begin, const char *end)
{
    gsize length;
    const char *bytes = g_bytes_get_data(svg, &length);
    const char *from = memmem(bytes, length, begin, strlen(begin));
    if (from == NULL) {
        return;
    }
    from += strlen(begin);
    const char *to = memmem(from, (size_t)(bytes + length - from), end, strlen(end));
    if (to != NULL) {
        g_autofree char *text = g_strndup(from, (gsize)(to - from)), *hash = af_hash_policy(text);
        g_string_append_printf(policy, " '%s'", hash);
    }
}

static GString *make_policy(const char *own, const GPtrArray *pictures, const char *begin,
                            const char *end)
{
    g_autofree char *hash = af_hash_policy(own);
    GString *policy = g_string_new(NULL);
    g_string_printf(policy, "'%s'", hash);
    for (guint i = 0; i < pictures->len; i++) {
        append_policy(policy, pictures->pdata[i], begin, end);
    }
    return policy;
}

static void put_head(af_out *out, const char *title, const GPtrArray *pictures)
{
    g_autofree char *script = g_strconcat(SCRIPT_BEGIN, af_html_js, SCRIPT_END, NULL);
    g_autoptr(GString) scripts = make_policy(script, pictures, "<script><![CDATA[", "]]></script>");
    g_autoptr(GString) styles = make_policy(af_html_css, pictures, "<style>", "</style>");
    af_out_text(out,
                "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\"><head>"
                "<meta charset=\"utf-8\"/>\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "base-uri 'none'; form-action 'none'; ");
    af_out_texts(out, pictures->len > 0 ? "frame-src blob:; font-src data:; " : "", "style-src ",
                 styles->str, "; script-src ", scripts->str);
    af_out_text(out,
                "\"/>\n<meta name=\"viewport\" content=\"width=device-width, "
                "initial-scale=1\"/>\n<meta name=\"generator\" content=\"aflame " AFLAME_VERSION
                "\"/>\n<title>");
    af_markup_text(out, title);
    af_out_texts(out, "</title>\n<style>", af_html_css, "</style></head>\n<body>\n");
}

/* The name of the input without its folder: pages are sent on. Free with g_free(). */
static char *make_title(const af_report *report)
{
    return report == NULL || report->input == NULL ? g_strdup("report")
                                                   : g_path_get_basename(report->input);
}

/* Which clock the tables show. The style sheet does it, so that it works without a script. */
static void put_clock_switch(af_out *out, const af_report *report)
{
    if (report->n_clocks < 2) {
        return;
    }
    af_out_text(out, "<fieldset class=\"clock\"><legend>clock</legend>");
    for (unsigned i = 0; i <= report->n_clocks; i++) {
        const char *word = i < report->n_clocks ? af_clock_word(report->clocks[i]) : "all";
        af_out_texts(out, "<label><input type=\"radio\" name=\"clock\" id=\"clock-", word,
                     i == 0 ? "\" checked=\"checked\"/>" : "\"/>",
                     i < report->n_clocks ? af_clock_title(report->clocks[i]) : word, "</label>");
    }
    af_out_text(out, "</fieldset>\n");
}

/* The report with most clocks has the switch: it is for the whole page. */
static gboolean has_switch(const af_report *const *reports, unsigned n, unsigned number)
{
    unsigned most = 0;
    for (unsigned i = 1; i < n; i++) {
        most = reports[i]->n_clocks > reports[most]->n_clocks ? i : most;
    }
    return number == most;
}

static void put_id(af_out *out, const char *prefix, const char *id)
{
    af_out_texts(out, " id=\"", prefix, id, "\"");
}

static const af_table *table_at(const af_report *report, unsigned t)
{
    return report->tables->pdata[t];
}

static gboolean is_first_block(const af_report *report, unsigned t)
{
    return table_at(report, t)->subject != NULL &&
           (t == 0 || table_at(report, t - 1)->subject == NULL);
}

/* Links to the tables; all tables of single methods share one link. */
static void put_links(af_out *out, const af_report *report, const char *prefix)
{
    for (unsigned t = 0; t < report->tables->len; t++) {
        const af_table *table = table_at(report, t);
        if (table->subject == NULL || is_first_block(report, t)) {
            af_out_texts(out, "<a href=\"#", prefix, table->id, "\">");
            af_markup_text(out, table->subject == NULL ? table->title : "callers and callees");
            af_out_text(out, "</a>\n");
        }
    }
}

static void put_subtitle(af_out *out, const af_table *table)
{
    char text[AF_NUMBER_SIZE];
    if (table->subtitle != NULL) {
        af_out_text(out, "<p>");
        af_markup_text(out, table->subtitle);
        af_out_text(out, "</p>\n");
    }
    if (table->n_left_out > 0) {
        af_out_texts(out, table->left_out_more ? "<p>At least " : "<p>",
                     af_number_count(text, table->n_left_out),
                     " more rows; --top 0 shows all</p>\n");
    }
    if (table->n_more_tables > 0) {
        af_out_texts(out, "<p>", af_number_count(text, table->n_more_tables),
                     " more methods; --top 0 shows all</p>\n");
    }
}

static void put_table(af_out *out, const af_table *table, const af_anchors *anchors,
                      const char *prefix)
{
    af_out_text(out, "<section");
    put_id(out, prefix, table->id);
    af_out_text(out, "><h2>");
    af_markup_text(out, table->title);
    af_out_text(out, " <small class=\"count\"></small></h2>\n");
    put_subtitle(out, table);
    af_table_put_html(out, table, anchors, prefix);
    af_out_text(out, "</section>\n");
}

/* Callers and callees of one method. */
static void put_block(af_out *out, const af_table *table, const af_anchors *anchors)
{
    af_out_text(out, "<section class=\"block\" id=\"");
    af_markup_text(out, af_anchors_lookup(anchors, table->subject));
    af_out_text(out, "\"><h3>");
    af_markup_text(out, table->subject);
    af_out_text(out, "</h3>\n");
    af_table_put_html(out, table, anchors, "");
    if (table->n_left_out > 0 || table->n_more_tables > 0) {
        put_subtitle(out, table);
    }
    af_out_text(out, "</section>\n");
}

/* The first blocks are static. Each other one is a piece: its anchor, a tab, the block. */
static void put_blocks(af_out *out, const af_report *report, unsigned first,
                       const af_anchors *anchors, const char *prefix)
{
    af_out *to = out;
    af_rest *rest = NULL;
    unsigned t = first;
    const char *id = table_at(report, first)->id;
    af_out_text(out, "<section class=\"blocks\"");
    put_id(out, prefix, id);
    af_out_text(out,
                "><h2>callers and callees <small class=\"count\"></small></h2>\n<p>Percentages "
                "are shares of the inclusive time of the method in the heading.</p>\n");
    for (; t < report->tables->len && table_at(report, t)->subject != NULL && to->error == NULL;
         t++) {
        const af_table *table = table_at(report, t);
        if (t - first == STATIC_BLOCKS && (rest = af_rest_new(&to)) == NULL) {
            af_out_refuse(out);
            break;
        }
        if (rest != NULL) {
            af_markup_text(to, af_anchors_lookup(anchors, table->subject));
            af_out_char(to, '\t');
        }
        put_block(to, table, anchors);
        if (rest != NULL) {
            af_rest_end_piece(rest);
        }
    }
    if (rest != NULL) {
        af_rest_put(rest, out, prefix, id, TRUE);
    }
    af_out_text(out, "</section>\n");
}

/* In a box, because the numbers below may be incomplete. */
static void put_warnings(af_out *out, const af_report *report)
{
    gboolean any = FALSE;
    int kind;
    for (unsigned i = 0; (kind = af_warnings_kind_at(&report->warnings, i)) >= 0; i++) {
        if (af_warning_is_info((af_warning_kind)kind)) {
            continue;
        }
        g_autofree char *line = af_report_warning_line(report, i);
        af_out_text(out, any ? "<li>" : "<aside class=\"warnings\"><h2>warnings</h2><ul>\n<li>");
        af_markup_text(out, line);
        af_out_text(out, "</li>\n");
        any = TRUE;
    }
    af_out_text(out, any ? "</ul></aside>\n" : "");
}

/* What stands out, before everything else. */
static void put_findings(af_out *out, char **texts)
{
    if (texts == NULL) {
        return;
    }
    char **at = texts;
    af_out_texts(out, "<section class=\"findings\"><h2>findings</h2>\n",
                 at[1] != NULL ? "<ol>\n" : "");
    for (; at[1] != NULL; at += 2) {
        af_out_text(out, "<li>");
        af_markup_text(out, at[0]);
        if (at[1][0] != '\0') {
            af_out_text(out, " <code>");
            af_markup_text(out, at[1]);
            af_out_text(out, "</code>");
        }
        af_out_text(out, "</li>\n");
    }
    af_out_text(out, at > texts ? "</ol>\n" : "");
    if (at[0][0] != '\0') {
        af_out_text(out, "<p>");
        af_markup_text(out, at[0]);
        af_out_text(out, "</p>\n");
    }
    af_out_text(out, "</section>\n");
}

/* The script puts it into a frame of its own, because the picture has its own keys, style sheet and
 * links. The frame inherits the content security policy of the page. */
void af_page_put_picture(af_out *out, GBytes *picture, const char *prefix)
{
    if (picture == NULL) {
        return;
    }
    gsize length;
    const char *svg = g_bytes_get_data(picture, &length);
    af_out *to;
    af_rest *rest = af_rest_new(&to);
    af_out_text(out, "<section class=\"graph\"");
    put_id(out, prefix, "graph");
    af_out_text(out,
                "><noscript><p>The graph needs the script of this page; aflame render draws it "
                "without one.</p></noscript>\n");
    if (rest == NULL) {
        af_out_refuse(out);
    } else {
        af_out_bytes(to, svg, length);
        af_rest_end_piece(rest);
        af_rest_put(rest, out, prefix, "graph", FALSE);
    }
    af_out_text(out, "</section>\n");
}

static void put_report(af_out *out, const af_report *report, const char *prefix,
                       gboolean with_switch)
{
    af_anchors anchors;
    if (!af_anchors_begin(&anchors, report, prefix)) {
        af_out_refuse(out);
    }
    af_out_text(out, "<header><h1>");
    g_autofree char *title = make_title(report);
    af_markup_text(out, title);
    af_out_text(out, "</h1>\n<p>");
    g_autofree char *scope = af_report_describe_scope(report);
    af_markup_text(out, scope);
    for (unsigned i = 0; i < report->n_steps; i++) {
        g_autofree char *step = af_report_describe_step(report, i);
        af_out_text(out, "</p>\n<p>");
        af_markup_text(out, step);
    }
    af_out_text(out, "</p></header>\n");
    put_findings(out, report->findings);
    put_warnings(out, report);
    af_page_put_picture(out, report->picture, prefix);
    af_out_text(out, "<nav>");
    put_links(out, report, prefix);
    if (with_switch) {
        put_clock_switch(out, report);
    }
    af_out_text(out, "</nav>\n<main>\n");
    for (unsigned t = 0; t < report->tables->len && out->error == NULL; t++) {
        if (table_at(report, t)->subject == NULL) {
            put_table(out, table_at(report, t), &anchors, prefix);
        } else if (is_first_block(report, t)) {
            put_blocks(out, report, t, &anchors, prefix);
        }
    }
    af_out_text(out, "</main>\n");
    af_anchors_end(&anchors);
}

static void put_legend(af_out *out, const af_report *report)
{
    GHashTable *titles =
        g_hash_table_new(g_str_hash, g_str_equal); /* of the meanings printed so far */
    af_out_text(out, "<footer><h2>columns</h2><dl>\n");
    for (unsigned t = 0; t < report->tables->len; t++) {
        const af_table *table = table_at(report, t);
        for (unsigned c = 0; table->subject == NULL && c < table->columns->len; c++) {
            const af_column *column = af_table_column(table, c);
            if (column->about != NULL && column->kind != AF_CELL_SHARE && !column->implied &&
                g_hash_table_add(titles, (gpointer)column->title)) {
                /* The meaning of the columns, for readers who cannot hover over the headings. */
                af_out_text(out, "<dt>");
                af_markup_text(out, column->title);
                af_out_text(out, "</dt><dd>");
                af_markup_text(out, column->about);
                af_out_text(out, "</dd>\n");
            }
        }
    }
    af_out_text(out, "</dl></footer>\n");
    g_hash_table_unref(titles);
}

void af_page_put_profile(af_out *out, GBytes *profile)
{
    gsize length;
    const void *bytes = g_bytes_get_data(profile, &length);
    af_out_text(out, "<div hidden=\"hidden\" " AF_PROFILE_ATTRIBUTE "=\"");
    af_out_base64(out, bytes, length);
    af_out_text(out, "\"></div>\n");
}

void af_page_begin(af_out *out, const char *title, GBytes *picture)
{
    g_autoptr(GPtrArray) pictures = g_ptr_array_new();
    if (picture != NULL) {
        g_ptr_array_add(pictures, picture);
    }
    put_head(out, title, pictures);
}

void af_page_end(af_out *out)
{
    af_out_texts(out, "<script>" SCRIPT_BEGIN, af_html_js,
                 SCRIPT_END "</script>\n</body></html>\n");
}

static gboolean write_html(const af_report *const *reports, unsigned n, af_out *out, GError **error)
{
    g_autofree char *title = make_title(n == 1 ? reports[0] : NULL);
    GPtrArray *pictures = g_ptr_array_new();
    for (unsigned i = 0; i < n; i++) {
        if (reports[i]->picture != NULL) {
            g_ptr_array_add(pictures, reports[i]->picture);
        }
    }
    put_head(out, title, pictures);
    g_ptr_array_unref(pictures);
    for (unsigned i = 0; i < n; i++) {
        g_autofree char *prefix = i == 0 ? g_strdup("") : g_strdup_printf("%u-", i + 1);
        put_report(out, reports[i], prefix, has_switch(reports, n, i));
    }
    put_legend(out, reports[0]);
    if (n == 1 && reports[0]->profile != NULL) {
        af_page_put_profile(out, reports[0]->profile);
    }
    af_page_end(out);
    return TRUE;
}

const af_report_format af_report_format_html = {.name = "html",
                                                .extension = "html",
                                                .title = "a page for a browser",
                                                .carries = TRUE,
                                                .complete = TRUE,
                                                .write = write_html};
