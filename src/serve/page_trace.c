#include <aflame/convert.h>
#include <stdio.h>
#include <string.h>
#include "serve/facts.h"
#include "serve/pages.h"
#include "serve/views.h"

/* Appends a part to a line of facts. */
static G_GNUC_PRINTF(2, 3) void add_part(GString *line, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    g_string_append(line, line->len > 0 ? " · " : "");
    g_string_append_vprintf(line, format, values);
    va_end(values);
}

/* The main facts of a recording in one line. */
static char *describe_recording(const af_upload_facts *facts)
{
    char number[AF_NUMBER_SIZE];
    GString *line = g_string_new(facts->app);
    if (facts->title != NULL) {
        /* without the description of its files, after a colon */
        add_part(line, "%.*s", (int)strcspn(facts->title, ":"), facts->title);
    }
    if (facts->elapsed > 0) {
        add_part(line, "%s", af_number_time(number, facts->elapsed));
    }
    if (facts->has_calls) {
        add_part(line, "%s calls", af_number_count(number, facts->calls));
    }
    add_part(line, "%s %s", af_number_count(number, facts->n_threads),
             facts->n_threads == 1 ? "thread" : "threads");
    return g_string_free(line, FALSE);
}

static char *describe_upload(const af_trace *trace)
{
    g_autofree char *date = af_page_date(trace->created_us), *size = g_format_size(trace->size);
    GString *line = g_string_new(trace->name[0] != '\0' ? trace->file_name : NULL);
    add_part(line, "%s", size);
    add_part(line, "uploaded %s", date);
    if (trace->has_mapping) {
        add_part(line, "names restored with the uploaded mapping");
    }
    if (trace->tags[0] != '\0') {
        add_part(line, "tags: %s", trace->tags);
    }
    return g_string_free(line, FALSE);
}

static void put_facts(af_html *html, const af_trace *trace, const af_upload_facts *facts)
{
    g_autofree char *recording = describe_recording(facts), *upload = describe_upload(trace);
    af_html_put(html, "<p class=\"facts\">%<br>%</p>\n", recording, upload, NULL);
    if (trace->note[0] != '\0') {
        af_html_put(html, "<p class=\"note\">%</p>\n", trace->note, NULL);
    }
}

static void put_warnings(af_html *html, const af_upload_facts *facts)
{
    char number[AF_NUMBER_SIZE];
    const guint n = facts->warnings->len;
    if (n == 0) {
        return;
    }
    af_html_put(html, "<details class=\"warnings\"><summary>% %</summary><ul>\n",
                af_number_count(number, n), n == 1 ? "warning" : "warnings", NULL);
    for (guint i = 0; i < n; i++) {
        af_html_put(html, "<li>%</li>\n", facts->warnings->pdata[i], NULL);
    }
    af_html_raw(html, "</ul></details>\n");
}

static void put_findings(af_html *html, const af_upload_facts *facts)
{
    if (!facts->explained) {
        return;
    }
    if (facts->findings->len == 0) {
        af_html_raw(html, "<p>Nothing stands out.</p>\n");
        return;
    }
    af_html_raw(html, "<ol class=\"findings\">\n");
    for (guint i = 0; i < facts->findings->len; i++) {
        af_html_put(html, "<li>%</li>\n", facts->findings->pdata[i], NULL);
    }
    af_html_raw(html, "</ol>\n");
}

/* What chat programs show of a link. */
static void put_preview(af_html *html, const af_request *request, const char *path,
                        const char *query, const char *title, const char *description)
{
    g_autofree char *base = af_request_base(request);
    af_html_put(html,
                "<meta property=\"og:type\" content=\"website\">\n"
                "<meta property=\"og:title\" content=\"%\">\n"
                "<meta property=\"og:description\" content=\"%\">\n"
                "<meta property=\"og:url\" content=\"%/%%\">\n"
                "<meta property=\"og:image\" content=\"%/%/graph.png%\">\n"
                "<meta name=\"twitter:card\" content=\"summary_large_image\">\n",
                title, description, base, path, query, base, path, query, NULL);
}

/* "a=b&c=d" of the queries, with "?" before if there are any. */
static char *make_query(const af_request *request, const char *verb)
{
    GString *text = g_string_new(NULL);
    g_auto(GStrv) pairs = af_views_list_queries(request, verb);
    for (char **pair = pairs; *pair != NULL; pair++) {
        const size_t name = strcspn(*pair, "=");
        g_autofree char *value = g_uri_escape_string(*pair + name + 1, NULL, FALSE);
        g_string_append_c(text, text->len == 0 ? '?' : '&');
        g_string_append_len(text, *pair, (gssize)name);
        g_string_append_printf(text, "=%s", value);
    }
    return g_string_free(text, FALSE);
}

static void put_choice(af_html *html, const char *value, const char *title, const char *chosen)
{
    const gboolean is_chosen = strcmp(value, chosen != NULL ? chosen : "") == 0;
    af_html_put(html, "<option value=\"%\"%>%</option>", value, is_chosen ? " selected" : "", title,
                NULL);
}

static void put_text_field(af_html *html, const af_request *request, const char *name,
                           const char *title)
{
    const char *value = af_request_query(request, name);
    af_html_put(html, "<label>%<input name=\"%\" value=\"%\" size=\"11\"></label>\n", title, name,
                value != NULL ? value : "", NULL);
}

static void put_thread_choice(af_html *html, const af_request *request,
                              const af_upload_facts *facts)
{
    const char *chosen = af_request_query(request, "thread");
    af_html_raw(html, "<label>thread<select name=\"thread\">");
    put_choice(html, "", "main and busy ones", chosen);
    put_choice(html, "all", "all", chosen);
    for (guint i = 0; i < facts->threads->len; i++) {
        char id[32];
        const af_fact_thread *it = &g_array_index(facts->threads, af_fact_thread, i);
        snprintf(id, sizeof id, "%" G_GUINT64_FORMAT, it->id);
        put_choice(html, id, it->name, chosen);
    }
    af_html_raw(html, "</select></label>\n");
}

static void put_clock_choice(af_html *html, const af_request *request, const af_upload_facts *facts)
{
    const char *chosen = af_request_query(request, "clock");
    if (!facts->has_wall || !facts->has_cpu) {
        return;
    }
    af_html_raw(html, "<label>clock<select name=\"clock\">");
    put_choice(html, "", "wall", g_strcmp0(chosen, "wall") == 0 ? "" : chosen);
    put_choice(html, "cpu", "CPU", chosen);
    put_choice(html, "wait", "waiting", chosen);
    af_html_raw(html, "</select></label>\n");
}

/* The queries as a form. Queries without a field stay in the address only. */
static void put_query_form(af_html *html, const af_request *request, const af_trace *trace,
                           const af_upload_facts *facts)
{
    af_html_put(html, "<form class=\"row\" action=\"trace/%\" method=\"get\">\n", trace->id, NULL);
    put_thread_choice(html, request, facts);
    put_clock_choice(html, request, facts);
    if (trace->has_upload) {
        const char *view = af_request_query(request, "view");
        af_html_raw(html, "<label>view<select name=\"view\">");
        put_choice(html, "", "graph", view);
        put_choice(html, "chart", "chart", view);
        af_html_raw(html, "</select></label>\n");
    }
    put_text_field(html, request, "focus", "focus on");
    put_text_field(html, request, "hide", "hide");
    put_text_field(html, request, "fold", "fold");
    if (trace->has_upload) {
        put_text_field(html, request, "from", "from");
        put_text_field(html, request, "to", "to");
    }
    af_html_put(html, "<button>Draw</button> <a href=\"trace/%\">Reset</a></form>\n", trace->id,
                NULL);
}

/* A file as an operand or the value of an option: quoted, and never taken for an option. */
static void add_file(GString *command, const char *option, const af_trace *trace)
{
    g_autofree char *path =
        g_strconcat(trace->file_name[0] == '-' ? "./" : "", trace->file_name, NULL);
    g_autofree char *quoted = g_shell_quote(path);
    g_string_append_printf(command, " %s%s", option, quoted);
}

/* Adds the files of a side, and returns whether names were restored. */
static gboolean add_side(GString *command, const char *option, const GPtrArray *traces)
{
    gboolean mapped = FALSE;
    for (guint i = 0; i < traces->len; i++) {
        const af_trace *trace = traces->pdata[i];
        add_file(command, option, trace);
        mapped = mapped || trace->has_mapping;
    }
    return mapped;
}

/* Adds a query as an option. As for a worker, a flag is on unless its value is "false" or "0". */
static void add_option(GString *command, const af_request *request, const char *verb,
                       const char *pair)
{
    gboolean flag = FALSE;
    g_auto(GStrv) parts = g_strsplit(pair, "=", 2);
    request->server->options->host->allows_query(verb, parts[0], &flag);
    if (!flag) {
        g_autofree char *quoted = g_shell_quote(pair);
        const gboolean plain =
            strspn(pair, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "=-_.,") == strlen(pair);
        g_string_append_printf(command, " --%s", plain ? pair : quoted);
    } else if (strcmp(parts[1], "false") != 0 && strcmp(parts[1], "0") != 0) {
        g_string_append_printf(command, " --%s", parts[0]);
    }
}

/* Adds the queries as options, and shows the command. */
static void put_command(af_html *html, const af_request *request, const char *verb,
                        GString *command, const char *mapping)
{
    g_auto(GStrv) pairs = af_views_list_queries(request, verb);
    for (char **pair = pairs; *pair != NULL; pair++) {
        add_option(command, request, verb, *pair);
    }
    g_string_append_printf(command, "%s -o graph.svg", mapping);
    af_page_command(html, command->str);
    g_string_free(command, TRUE);
}

/* The command that draws the same graph. */
static void put_equivalent(af_html *html, const af_request *request, const af_trace *trace)
{
    GString *command = g_string_new("aflame render");
    add_file(command, "", trace);
    put_command(html, request, "render", command,
                trace->has_mapping ? " --mapping mapping.txt" : "");
}

static void put_equivalent_diff(af_html *html, const af_request *request, GPtrArray *const sides[2])
{
    const gboolean runs = sides[0]->len > 1 || sides[1]->len > 1;
    GString *command = g_string_new("aflame diff");
    const gboolean before = add_side(command, runs ? "--before " : "", sides[0]);
    const gboolean after = add_side(command, runs ? "--after " : "", sides[1]);
    g_autofree char *mapping = g_strconcat(before ? " --mapping-before mapping.txt" : "",
                                           after ? " --mapping-after mapping.txt" : "", NULL);
    put_command(html, request, "diff", command, mapping);
}

static void put_graph(af_html *html, const char *path, const char *query)
{
    af_html_put(html,
                "<section class=\"graph\"><iframe title=\"flame graph\" src=\"%/graph.svg%\">"
                "</iframe></section>\n",
                path, query, NULL);
}

static void put_pictures(af_html *html, const char *path, const char *query)
{
    af_html_put(html,
                "<p class=\"links\"><a href=\"%/graph.svg%\">SVG</a> <a href=\"%/graph.png%\">PNG"
                "</a> <a href=\"%/graph.pdf%\">PDF</a> ",
                path, query, path, query, path, query, NULL);
}

/* The tables of a page, with its queries as far as they have an effect there. */
static void put_tables(af_html *html, const af_request *request, const char *path, const char *verb)
{
    g_autofree char *query = make_query(request, verb);
    af_html_put(html,
                "<a href=\"%/report.html%\">Tables</a> <a href=\"%/report.json%\">JSON</a> "
                "<a href=\"%/report.csv%\">CSV</a> ",
                path, query, path, query, path, query, NULL);
}

static void put_files(af_html *html, const af_trace *trace)
{
    af_html_put(html,
                "<a href=\"trace/%/profile.aflp\">Saved profile</a></p>\n<details><summary>Other "
                "tools</summary><p class=\"links\">",
                trace->id, NULL);
    for (unsigned i = 0; af_convert_format(i) != NULL; i++) {
        const char *format = af_convert_format(i);
        if (strcmp(format, "aflp") != 0 &&
            (trace->has_upload || !af_convert_format_writes_calls(i))) {
            af_html_put(html, "<a href=\"trace/%/convert/%\">%</a> ", trace->id, format, format,
                        NULL);
        }
    }
    af_html_raw(html, "</p></details>\n");
}

/* Links to the websites that --allow-viewer names. */
static void put_viewers(af_html *html, af_request *request, const af_trace *trace)
{
    const char *const *viewer = request->server->options->viewers;
    g_autofree char *base = af_request_base(request);
    for (; viewer != NULL && *viewer != NULL && trace->has_upload; viewer++) {
        const gboolean firefox = strstr(*viewer, "profiler.firefox") != NULL;
        g_autofree char *file = g_strdup_printf("%s/trace/%s/convert/%s", base, trace->id,
                                                firefox ? "firefox" : "speedscope");
        g_autofree char *escaped = g_uri_escape_string(file, NULL, FALSE);
        af_html_put(html, "<p><a rel=\"noreferrer\" href=\"%/%%\">Open in %</a></p>\n", *viewer,
                    firefox ? "from-url/" : "#profileURL=", escaped,
                    firefox ? "the Firefox Profiler" : "speedscope", NULL);
    }
}

/* The bar of a thread in the graph: its CPU time, blocked and idle, of `most`. */
static void put_bar(af_html *html, const af_fact_thread *it, uint64_t most)
{
    enum { WIDTH = 1000 };
    const char *const kinds[] = {"runs", "blocked", "idle"};
    const uint64_t times[] = {it->busy - MIN(it->busy, it->blocked), it->blocked, it->idle};
    uint64_t end = 0;
    unsigned x = 0;
    af_html_raw(html, "<svg class=\"bar\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\">");
    for (unsigned i = 0; i < G_N_ELEMENTS(times) && most > 0; i++) {
        end += times[i];
        const unsigned to = (unsigned)((double)MIN(end, most) / (double)most * WIDTH + 0.5);
        char text[96];
        snprintf(text, sizeof text, "<rect class=\"%s\" x=\"%u\" width=\"%u\" height=\"10\"/>",
                 kinds[i], x, to - x);
        af_html_raw(html, to > x ? text : "");
        x = to;
    }
    af_html_raw(html, "</svg>");
}

static void put_thread(af_html *html, const af_trace *trace, const af_upload_facts *facts,
                       const af_fact_thread *it, uint64_t most)
{
    char id[32], number[AF_NUMBER_SIZE];
    snprintf(id, sizeof id, "%" G_GUINT64_FORMAT, it->id);
    af_html_put(html, "<tr><td class=\"n\"><a href=\"trace/%?thread=%\">%</a></td><td>%</td><td>",
                trace->id, id, it->name, af_number_share(number, it->busy, facts->busy), NULL);
    put_bar(html, it, most);
    af_html_raw(html, "</td>");
    if (facts->has_wall || facts->is_count) {
        af_html_put(html, "<td>%</td>", af_upload_facts_amount(number, facts, it->wall), NULL);
    }
    if (facts->has_cpu) {
        af_html_put(html, "<td class=\"minor\">%</td>",
                    af_upload_facts_amount(number, facts, it->cpu), NULL);
    }
    if (facts->has_calls) {
        af_html_put(html, "<td class=\"minor\">%</td>", af_number_count(number, it->calls), NULL);
    }
    af_html_put(html, "<td class=\"minor\">%</td></tr>\n", id, NULL);
}

static void put_threads(af_html *html, const af_trace *trace, const af_upload_facts *facts)
{
    const GArray *threads = facts->threads;
    uint64_t most = 0;
    for (guint i = 0; i < threads->len; i++) {
        const af_fact_thread *it = &g_array_index(threads, af_fact_thread, i);
        most = MAX(most, it->busy + it->idle);
    }
    af_html_put(html,
                "<h2>Threads</h2>\n<p class=\"key\"><svg><rect class=\"runs\" width=\"12\" "
                "height=\"12\"/></svg>%<svg><rect class=\"blocked\" width=\"12\" height=\"12\"/>"
                "</svg>blocked<svg><rect class=\"idle\" width=\"12\" height=\"12\"/></svg>idle, "
                "not part of the share</p>\n<table class=\"main\"><thead><tr><th class=\"n\">name"
                "</th><th>share</th><th></th>",
                facts->has_cpu ? "CPU" : "running", NULL);
    af_html_raw(html, facts->is_count ? "<th>amount</th>" : facts->has_wall ? "<th>wall</th>" : "");
    af_html_raw(html, facts->has_cpu ? "<th class=\"minor\">CPU</th>" : "");
    af_html_raw(html, facts->has_calls ? "<th class=\"minor\">calls</th>" : "");
    af_html_raw(html, "<th class=\"minor\">id</th></tr></thead><tbody>\n");
    for (guint i = 0; i < threads->len; i++) {
        put_thread(html, trace, facts, &g_array_index(threads, af_fact_thread, i), most);
    }
    af_html_raw(html, "</tbody></table>\n");
}

static void put_compare_form(af_html *html, const af_trace *trace)
{
    af_html_raw(html, "<h2>Compare</h2>\n");
    if (trace->app[0] != '\0') {
        af_html_put(html,
                    "<p><a href=\"diff?before=previous&amp;after=%\">With the previous upload of %"
                    "</a></p>\n",
                    trace->id, trace->app, NULL);
    }
    af_html_put(html,
                "<form class=\"row\" action=\"diff\" method=\"get\"><label>before: link or ID"
                "<input name=\"before\" size=\"40\" required></label><input type=\"hidden\" "
                "name=\"after\" value=\"%\"><button>Compare</button></form>\n",
                trace->id, NULL);
}

static void put_edit_form(af_html *html, const af_trace *trace)
{
    af_html_put(html, "<h2>Edit</h2>\n<form class=\"row\" action=\"trace/%\" method=\"post\">",
                trace->id, NULL);
    af_html_put(html,
                "<label>name<input name=\"name\" value=\"%\" maxlength=\"200\"></label><label>tags"
                "<input name=\"tags\" value=\"%\" maxlength=\"200\"></label><label>note<input "
                "name=\"note\" value=\"%\" size=\"40\" maxlength=\"2000\"></label>",
                trace->name, trace->tags, trace->note, NULL);
    af_html_raw(html, "<label>delete token<input name=\"delete_token\" size=\"24\" "
                      "required autocomplete=\"off\"></label><button name=\"action\" "
                      "value=\"edit\">Save</button><button name=\"action\" value=\"delete\">Delete "
                      "this upload</button></form>\n");
}

static af_html *begin(const af_request *request, const char *path, const char *query,
                      const char *title, const char *description)
{
    const af_server *server = request->server;
    af_html *html = af_html_begin(server->base_path, title);
    put_preview(html, request, path, query, title, description);
    af_html_body(html, server->options->title);
    return html;
}

GBytes *af_page_trace(af_request *request, const af_trace *trace)
{
    g_autoptr(af_upload_facts) facts = af_upload_facts_load(request->server->store, trace->id);
    g_autofree char *query = make_query(request, "render"),
                    *path = g_strdup_printf("trace/%s", trace->id);
    g_autofree char *description = describe_recording(facts);
    af_html *html = begin(request, path, query, af_page_title(trace), description);
    af_html_put(html, "<main><h1>%</h1>\n", af_page_title(trace), NULL);
    put_facts(html, trace, facts);
    put_findings(html, facts);
    put_warnings(html, facts);
    put_graph(html, path, query);
    put_query_form(html, request, trace, facts);
    put_pictures(html, path, query);
    put_tables(html, request, path, "report");
    put_files(html, trace);
    put_viewers(html, request, trace);
    put_equivalent(html, request, trace);
    put_threads(html, trace, facts);
    if (facts->info != NULL) {
        af_html_put(html, "<details><summary>aflame info</summary><pre>%</pre></details>\n",
                    facts->info, NULL);
    }
    put_compare_form(html, trace);
    put_edit_form(html, trace);
    af_html_raw(html, "</main>\n");
    return af_html_end(html);
}

/* "ID,ID" */
static char *join_ids(const GPtrArray *traces)
{
    GString *ids = g_string_new(NULL);
    for (guint i = 0; i < traces->len; i++) {
        g_string_append_printf(ids, "%s%s", i > 0 ? "," : "",
                               ((const af_trace *)traces->pdata[i])->id);
    }
    return g_string_free(ids, FALSE);
}

/* "app.trace", "app.trace and 2 more" */
static char *name_side(const GPtrArray *traces)
{
    const char *first = af_page_title(traces->pdata[0]);
    return traces->len == 1 ? g_strdup(first)
                            : g_strdup_printf("%s and %u more", first, traces->len - 1);
}

static void put_side(af_html *html, const char *title, const GPtrArray *traces)
{
    af_html_put(html, "<b>%</b>: ", title, NULL);
    for (guint i = 0; i < traces->len; i++) {
        const af_trace *trace = traces->pdata[i];
        af_html_raw(html, i > 0 ? ", " : "");
        af_page_link(html, trace->id, af_page_title(trace));
    }
}

GBytes *af_page_diff(af_request *request, GPtrArray *const sides[2])
{
    char *ids[] = {join_ids(sides[0]), join_ids(sides[1])};
    char *names[] = {name_side(sides[0]), name_side(sides[1])};
    g_autofree char *path = g_strdup_printf("diff/%s/%s", ids[0], ids[1]);
    g_autofree char *title = g_strdup_printf("%s → %s", names[0], names[1]);
    g_autofree char *query = make_query(request, "diff");
    af_html *html = begin(request, path, query, title, "What became slower or faster");
    af_html_put(html, "<main><h1>%</h1>\n<p class=\"facts\">", title, NULL);
    put_side(html, "before", sides[0]);
    af_html_raw(html, "<br>");
    put_side(html, "after", sides[1]);
    af_html_put(html, "<br><a href=\"diff/%/%\">Swap before and after</a></p>\n", ids[1], ids[0],
                NULL);
    put_graph(html, path, query);
    put_pictures(html, path, query);
    put_tables(html, request, path, "diff");
    af_html_put(html,
                "</p>\n<section class=\"graph\"><iframe title=\"tables\" src=\"%/report.html%\">"
                "</iframe></section>\n",
                path, query, NULL);
    put_equivalent_diff(html, request, sides);
    af_html_raw(html, "</main>\n");
    for (unsigned i = 0; i < 2; i++) {
        g_free(ids[i]);
        g_free(names[i]);
    }
    return af_html_end(html);
}
