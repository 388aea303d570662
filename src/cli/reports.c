#include "cli/reports.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LEAST_WIDTH   40 /* columns; a narrower terminal wraps */
#define MOST_WIDTH    100000
#define PAGE_ROWS     500 /* of each table of a page, and blocks of methods: a page stays under 1 MB */
#define DEFAULT_ROWS  40 /* of each table of JSON, and of text that does not go to a terminal */
#define LEAST_ROWS    10
#define AROUND_TABLE  8 /* other lines of a screen; headings take two */
#define AROUND_OTHERS 9 /* those of the second table of an overview */

GPtrArray *af_reports_list_tables(const af_options *o)
{
    GPtrArray *all = g_ptr_array_new();
    for (const char **table = o->tables; table != NULL && *table != NULL; table++) {
        g_ptr_array_add(all, (gpointer)*table);
    }
    for (const char **tree = o->trees; tree != NULL && *tree != NULL; tree++) {
        g_ptr_array_add(all, (gpointer)(strcmp(*tree, "up") == 0 ? "tree-up" : "tree-down"));
    }
    if (o->callers_above && o->trees == NULL) {
        g_ptr_array_add(all, (gpointer) "tree-up");
    }
    g_ptr_array_add(all, NULL);
    return all;
}

static void free_report(gpointer report)
{
    af_report_free(report);
}

void af_reports_init(af_reports *reports, const af_options *options, const GPtrArray *targets)
{
    reports->options = options;
    reports->targets = targets;
    reports->reports = g_new(GPtrArray *, targets->len);
    for (unsigned i = 0; i < targets->len; i++) {
        reports->reports[i] = g_ptr_array_new_with_free_func(free_report);
    }
}

void af_reports_clear(af_reports *reports)
{
    for (unsigned i = 0; i < reports->targets->len; i++) {
        g_ptr_array_unref(reports->reports[i]);
    }
    g_free(reports->reports);
}

/* Whether the standard output is a terminal. Its size is 0 if the system does not know it. */
static gboolean measure_terminal(struct winsize *size)
{
    *size = (struct winsize){0};
    const gboolean is_terminal = isatty(1) != 0;
    if (is_terminal && ioctl(1, TIOCGWINSZ, size) != 0) {
        *size = (struct winsize){0};
    }
    return is_terminal;
}

/* COLUMNS, which a user sets to override the terminal; 0 = it is not set to a number. */
static unsigned read_columns(void)
{
    const char *text = g_getenv("COLUMNS");
    guint64 columns = 0;
    return text != NULL && g_ascii_string_to_unsigned(text, 10, 1, MOST_WIDTH, &columns, NULL)
               ? (unsigned)columns
               : 0;
}

unsigned af_reports_width(const af_options *o)
{
    struct winsize size;
    if (o->picture.width_px > 0) {
        return o->picture.width_px;
    }
    if (!measure_terminal(&size)) {
        return 0;
    }
    const unsigned width = read_columns() > 0 ? read_columns() : size.ws_col;
    return width > 0 ? MAX(width, LEAST_WIDTH) : 0;
}

/* Without a choice of tables or threads there are two: of main and of the other threads. */
static uint32_t count_rows(const af_options *o, unsigned lines)
{
    const af_report_options *r = &o->report;
    const gboolean overview =
        o->verb->bit == AF_REPORT && r->tables == NULL && r->methods == NULL && r->threads == NULL;
    const int rows = (int)lines - AROUND_TABLE;
    return overview ? (uint32_t)MAX((rows - AROUND_OTHERS) / 2, LEAST_ROWS / 2)
                    : (uint32_t)MAX(rows, LEAST_ROWS);
}

void af_reports_fit_page(const af_options *o, af_report_options *page, const af_target *target)
{
    struct winsize size = {0};
    const gboolean on_terminal = strcmp(target->path, "-") == 0 && measure_terminal(&size);
    const gboolean counted = af_options_have(o, "top");
    page->width = on_terminal ? af_reports_width(o) : (unsigned)o->picture.width_px;
    if (!counted && strcmp(target->format, "html") == 0) {
        page->top = PAGE_ROWS;
    }
    const gboolean is_json = strcmp(target->format, "json") == 0;
    if (!counted && (is_json || strcmp(target->format, "text") == 0)) {
        page->top = on_terminal && !is_json && size.ws_row > 0 ? count_rows(o, size.ws_row)
                                                               : (uint32_t)DEFAULT_ROWS;
    }
}

af_exit af_reports_add(const af_reports *reports, const af_input *input, af_report_maker make,
                       const void *what, const char *shown)
{
    for (unsigned i = 0; i < reports->targets->len; i++) {
        const af_target *target = reports->targets->pdata[i];
        af_report_options options = reports->options->report;
        GError *error = NULL;
        options.input_name = shown;
        af_reports_fit_page(reports->options, &options, target);
        af_report *report = make(what, target->format, &options, &error);
        if (report == NULL) {
            return af_message_fail(input->name, error);
        }
        g_ptr_array_add(reports->reports[i], report);
    }
    return AF_EXIT_DONE;
}

/* ---- the tables of dmtracedump as a page ---- */

typedef struct {
    af_write_func write;
    void *to;
    GString *line;       /* begun, not yet written */
    unsigned tables;     /* so far */
    GHashTable *anchors; /* of char *: the numbers that a link can lead to */
} paging;

/* Whether a number gets its anchor: in the graph of calls, the second table, where it begins the
 * line of its method. The graph lacks methods without time: those have theirs in the table after it. */
static gboolean is_anchor(paging *p, const char *number, int n, gboolean begins)
{
    char *key = g_strndup(number, (gsize)n);
    if ((p->tables == 2 ? begins : p->tables > 2) && !g_hash_table_contains(p->anchors, key)) {
        return g_hash_table_add(p->anchors, key);
    }
    g_free(key);
    return FALSE;
}

/* Escapes a line and links the number of each method, "[12]", to its anchor. */
static void append_linked(paging *p, GString *page, const char *line)
{
    p->tables += g_str_has_prefix(line, "=====");
    for (const char *c = line; *c != '\0'; c++) {
        const size_t digits = *c == '[' ? strspn(c + 1, "0123456789") : 0;
        if (digits > 0 && c[1 + digits] == ']') {
            const int n = (int)digits;
            const gboolean anchor = is_anchor(p, c + 1, n, c == line);
            g_string_append_printf(page, "<a%s%.*s%s href=\"#m%.*s\">[%.*s]</a>",
                                   anchor ? " id=\"m" : "", anchor ? n : 0, c + 1,
                                   anchor ? "\"" : "", n, c + 1, n, c + 1);
            c += digits + 1;
        } else if (*c == '<' || *c == '&' || *c == '>') {
            g_string_append(page, *c == '<' ? "&lt;" : *c == '>' ? "&gt;" : "&amp;");
        } else {
            g_string_append_c(page, *c);
        }
    }
}

static bool write_lines(void *user, const void *bytes, size_t length, GError **error)
{
    paging *p = user;
    g_autoptr(GString) page = g_string_new(NULL);
    for (const char *c = bytes, *end = c + length; c < end; c++) {
        g_string_append_c(p->line, *c);
        if (*c == '\n') {
            append_linked(p, page, p->line->str);
            g_string_truncate(p->line, 0);
        }
    }
    return p->write(p->to, page->str, page->len, error);
}

static bool write_page(const af_report *const *reports, unsigned n, af_write_func write, void *to,
                       GError **error)
{
    static const char head[] = "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                               "<title>dmtracedump</title>\n<pre>\n";
    static const char foot[] = "</pre>\n</html>\n";
    paging p = {.write = write,
                .to = to,
                .line = g_string_new(NULL),
                .anchors = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
    const gboolean ok = write(to, head, strlen(head), error) &&
                        af_report_write(reports, n, write_lines, &p, error) &&
                        write(to, foot, strlen(foot), error);
    g_string_free(p.line, TRUE);
    g_hash_table_unref(p.anchors);
    return ok;
}

static gboolean write_target(void *user, af_target *target, af_write_func write, void *to,
                             GError **error)
{
    const af_reports *r = user;
    unsigned i = 0;
    while (r->targets->pdata[i] != target) {
        i++;
    }
    const af_report *const *reports = (const af_report *const *)(void *)r->reports[i]->pdata;
    const gboolean is_page =
        strcmp(target->format, "dmtracedump") == 0 && g_str_has_suffix(target->path, ".html");
    return (is_page ? write_page : af_report_write)(reports, r->reports[i]->len, write, to, error);
}

af_exit af_reports_write(const af_reports *reports, const GPtrArray *inputs)
{
    /* the last target lacks a report if its input failed on the way */
    if (reports->reports[reports->targets->len - 1]->len == 0) {
        return AF_EXIT_DONE;
    }
    const char *name = inputs->len == 1 ? ((const af_input *)inputs->pdata[0])->name : NULL;
    return af_targets_write(reports->targets, name, write_target, (void *)reports);
}
