#include "report/diff/budget_format.h"

#include "base/json.h"
#include "base/markdown.h"
#include "base/number.h"
#include "report/formats/markup.h"
#include "report/tables/columns.h"

static const af_budget_line *line_at(const GArray *lines, guint i)
{
    return &g_array_index(lines, af_budget_line, i);
}

static char *say_value(const af_budget_line *line, const af_unit *unit, uint64_t value)
{
    char text[AF_NUMBER_SIZE];
    const gboolean plain = line->is_count && !unit->counted;
    return g_strdup(plain ? af_number_count(text, value) : af_number_amount(text, value, unit));
}

/* Takes the text, in which names may hold bidi controls. */
static char *clean(char *text)
{
    char *visible = af_columns_clean(text);
    g_free(text);
    return visible;
}

/* "inclusive wall of onCreate on main" */
static char *say_subject(const af_budget_line *line)
{
    return clean(g_strdup_printf("%s%s%s%s%s", line->measure, line->method != NULL ? " of " : "",
                                 line->method != NULL ? line->method : "",
                                 line->thread != NULL ? " on " : "",
                                 line->thread != NULL ? line->thread : ""));
}

/* One sentence about one budget. */
static char *say_line(const af_budget_line *line, const af_unit *unit)
{
    g_autofree char *subject = say_subject(line);
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "%s: %s ", line->name, subject);
    if (line->verdict == AF_BUDGET_MISSING || line->verdict == AF_BUDGET_SKIPPED) {
        g_string_append(text, line->verdict == AF_BUDGET_MISSING
                                  ? "does not occur; optional = true allows that"
                                  : "does not occur, which is allowed");
    } else {
        g_autofree char *after = say_value(line, unit, line->after);
        g_string_append_printf(text, "is %s", after);
        if (line->runs > 1) {
            g_string_append_printf(text, " (%s of %u runs)", line->statistic, line->runs);
        }
        if (line->has_before) {
            g_autofree char *before = say_value(line, unit, line->before);
            g_string_append_printf(text, ", was %s", before);
        }
        if (line->has_limit) {
            g_autofree char *limit = say_value(line, unit, line->limit);
            g_string_append_printf(text, "; the limit is %s", limit);
        }
        if (line->has_increase && line->has_before) {
            g_autofree char *allowed = say_value(line, unit, line->allowance);
            g_string_append_printf(text, "; the increase may be %s", allowed);
        }
        if (line->untested != NULL && (line->has_before || !line->has_limit)) {
            g_string_append_printf(text, "; not tested: %s", line->untested);
        }
    }
    return clean(g_string_free(text, FALSE));
}

static void write_text(const GArray *lines, const af_unit *unit, af_out *out)
{
    for (guint i = 0; i < lines->len; i++) {
        g_autofree char *text = say_line(line_at(lines, i), unit);
        const af_budget_verdict verdict = line_at(lines, i)->verdict;
        af_out_texts(out,
                     af_budget_fails(verdict)        ? "FAIL  "
                     : verdict == AF_BUDGET_UNTESTED ? "?     "
                                                     : "ok    ",
                     text, "\n");
    }
}

static const char *verdict_word(af_budget_verdict verdict)
{
    static const char *const words[] = {"ok",      "over limit", "increased",
                                        "missing", "skipped",    "not tested"};
    return words[verdict];
}

static void put_member(af_json *json, const char *key, const char *text)
{
    if (text != NULL) {
        af_json_put_string(json, key, text);
    }
}

static void put_amount(af_json *json, const af_budget_line *line, const af_unit *unit,
                       const char *key, uint64_t value, gboolean known)
{
    if (known) {
        const char *suffix = line->is_count ? NULL : unit->name != NULL ? unit->name : "ns";
        g_autofree char *name =
            suffix != NULL ? g_strdup_printf("%s_%s", key, suffix) : g_strdup(key);
        af_json_put_number(json, name, value);
    }
}

static void write_json(const GArray *lines, const af_unit *unit, af_out *out)
{
    af_json document = {.out = out}, *json = &document;
    af_json_begin(json, NULL, '{');
    af_json_put_string(json, "schema", "aflame.check/1");
    af_json_begin(json, "budgets", '[');
    for (guint i = 0; i < lines->len; i++) {
        const af_budget_line *line = line_at(lines, i);
        const gboolean occurs =
            line->verdict != AF_BUDGET_MISSING && line->verdict != AF_BUDGET_SKIPPED;
        af_json_begin_line(json, NULL, '{');
        af_json_put_string(json, "name", line->name);
        put_member(json, "thread", line->thread);
        put_member(json, "method", line->method);
        put_member(json, "measure", line->measure);
        put_member(json, "verdict", verdict_word(line->verdict));
        put_amount(json, line, unit, "before", line->before, line->has_before);
        put_amount(json, line, unit, "value", line->after, occurs);
        put_amount(json, line, unit, "limit", line->limit, line->has_limit);
        put_amount(json, line, unit, "increase", line->allowance,
                   line->has_increase && line->has_before);
        af_json_put_number(json, "runs", line->runs);
        if (line->runs > 1) {
            put_member(json, "statistic", line->statistic);
        }
        af_json_end(json, '}');
    }
    af_json_end(json, ']');
    af_json_end(json, '}');
    af_out_char(out, '\n');
}

static gboolean is_skipped(af_budget_verdict verdict)
{
    return verdict == AF_BUDGET_SKIPPED || verdict == AF_BUDGET_UNTESTED;
}

static unsigned count(const GArray *lines, gboolean failures)
{
    unsigned n = 0;
    for (guint i = 0; i < lines->len; i++) {
        const af_budget_verdict verdict = line_at(lines, i)->verdict;
        n += failures ? af_budget_fails(verdict) : is_skipped(verdict);
    }
    return n;
}

static void write_junit(const GArray *lines, const af_unit *unit, af_out *out)
{
    af_out_number(out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                  "<testsuite name=\"aflame check\" tests=\"",
                  lines->len, "\" failures=\"");
    af_out_u64(out, count(lines, TRUE));
    af_out_number(out, "\" errors=\"0\" skipped=\"", count(lines, FALSE), "\">\n");
    for (guint i = 0; i < lines->len; i++) {
        const af_budget_line *line = line_at(lines, i);
        g_autofree char *text = say_line(line, unit), *name = af_columns_clean(line->name);
        af_out_text(out, "  <testcase classname=\"budget\" name=\"");
        af_markup_text(out, name);
        af_out_text(out, "\">");
        if (af_budget_fails(line->verdict)) {
            af_out_text(out, "<failure message=\"");
            af_markup_text(out, text);
            af_out_text(out, "\"/>");
        } else if (is_skipped(line->verdict)) {
            af_out_text(out, "<skipped message=\"");
            af_markup_text(out, text);
            af_out_text(out, "\"/>");
        } else {
            af_out_text(out, "<system-out>");
            af_markup_text(out, text);
            af_out_text(out, "</system-out>");
        }
        af_out_text(out, "</testcase>\n");
    }
    af_out_text(out, "</testsuite>\n</testsuites>\n");
}

/* A cell of a table of Markdown. */
static void put_cell(af_out *out, const char *text)
{
    g_autoptr(GString) cell = g_string_new(" ");
    af_markdown_append_text(cell, text);
    g_string_append(cell, " |");
    af_out_bytes(out, cell->str, cell->len);
}

static void put_value_cell(af_out *out, const af_budget_line *line, const af_unit *unit,
                           uint64_t value, gboolean known)
{
    g_autofree char *text = known ? say_value(line, unit, value) : g_strdup("");
    put_cell(out, text);
}

static void write_markdown(const GArray *lines, const af_unit *unit, af_out *out)
{
    af_out_text(out, "| | budget | measure | before | value | limit |\n"
                     "|---|---|---|--:|--:|--:|\n");
    for (guint i = 0; i < lines->len; i++) {
        const af_budget_line *line = line_at(lines, i);
        g_autofree char *subject = say_subject(line), *name = af_columns_clean(line->name);
        const gboolean occurs =
            line->verdict != AF_BUDGET_MISSING && line->verdict != AF_BUDGET_SKIPPED;
        af_out_texts(out, af_budget_fails(line->verdict) ? "| **" : "| ",
                     verdict_word(line->verdict), af_budget_fails(line->verdict) ? "** |" : " |");
        put_cell(out, name);
        put_cell(out, subject);
        put_value_cell(out, line, unit, line->before, line->has_before);
        put_value_cell(out, line, unit, line->after, occurs);
        put_value_cell(out, line, unit, line->limit, line->has_limit);
        af_out_char(out, '\n');
    }
}

/* A workflow command for each line: percent signs and line ends are escaped. */
static void write_github(const GArray *lines, const af_unit *unit, af_out *out)
{
    for (guint i = 0; i < lines->len; i++) {
        const af_budget_line *line = line_at(lines, i);
        g_autofree char *text = say_line(line, unit);
        af_out_text(out, af_budget_fails(line->verdict) ? "::error title=aflame check::"
                                                        : "::notice title=aflame check::");
        for (const char *c = text; *c != '\0'; c++) {
            if (*c == '%') {
                af_out_text(out, "%25");
            } else {
                af_out_char(out, (char)((guchar)*c < 0x20 ? ' ' : *c));
            }
        }
        af_out_char(out, '\n');
    }
}

static const af_budget_format formats[] = {
    {"text", "txt", "one line for each budget", write_text},
    {"json", "json", "JSON", write_json},
    {"junit", "xml", "JUnit XML", write_junit},
    {"markdown", "md", "a table in Markdown", write_markdown},
    {"github", "github", "workflow commands of GitHub", write_github},
};

const af_budget_format *af_budget_format_at(unsigned number)
{
    return number < G_N_ELEMENTS(formats) ? &formats[number] : NULL;
}
