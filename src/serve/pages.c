#include "serve/pages.h"

#include <aflame/convert.h>
#include <stdio.h>
#include <string.h>
#include "serve/facts.h"
#include "serve/html.h"
#include "serve/upload.h"
#include "serve/views.h"

const char *af_page_title(const af_trace *trace)
{
    return trace->name[0] != '\0' ? trace->name : trace->file_name;
}

static af_html *begin(const af_request *request, const char *title)
{
    af_html *html = g_new(af_html, 1);
    af_html_begin(html, request->server->options->title, title);
    return html;
}

static GBytes *end(af_html *html)
{
    GBytes *page = af_html_end(html);
    g_free(html);
    return page;
}

static char *format_date(int64_t created_s)
{
    GDateTime *date = g_date_time_new_from_unix_utc(created_s);
    char *text = date == NULL ? g_strdup("") : g_date_time_format(date, "%Y-%m-%d %H:%M UTC");
    g_clear_pointer(&date, g_date_time_unref);
    return text;
}

static void put_link(af_html *html, const char *id, const char *text)
{
    af_html_put(html, "<a href=\"/trace/%\">%</a>", id, text, NULL);
}

/* ---- lists ---- */

static void put_row(af_html *html, const af_trace *trace)
{
    char *date = format_date(trace->created_s), *size = g_format_size(trace->size);
    af_html_raw(html, "<tr><td class=\"n\">");
    put_link(html, trace->id, af_page_title(trace));
    af_html_put(html,
                "</td><td class=\"t\">%</td><td class=\"t\">%</td><td>%</td><td>%</td></tr>\n",
                trace->app, trace->tags, size, date, NULL);
    g_free(size);
    g_free(date);
}

static void put_table(af_html *html, const GPtrArray *traces)
{
    af_html_raw(html, "<table class=\"main\"><thead><tr><th class=\"n\">name</th><th class=\"t\">"
                      "app</th><th class=\"t\">tags</th><th>upload</th><th>date</th></tr></thead>"
                      "<tbody>\n");
    for (guint i = 0; i < traces->len; i++) {
        put_row(html, traces->pdata[i]);
    }
    af_html_raw(html, "</tbody></table>\n");
}

static void put_search(af_html *html, const char *words)
{
    af_html_put(html,
                "<form class=\"row\" action=\"/traces\" method=\"get\"><label>app, name, tag, note "
                "or date<input type=\"search\" name=\"q\" value=\"%\"></label><button>Search"
                "</button></form>\n",
                words != NULL ? words : "", NULL);
}

static void put_more(af_html *html, const char *words, unsigned offset, const char *text)
{
    char number[16];
    snprintf(number, sizeof number, "%u", offset);
    af_html_raw(html, "<a href=\"/traces?q=");
    af_html_url_part(html, words != NULL ? words : "");
    af_html_put(html, "&amp;offset=%\">%</a> ", number, text, NULL);
}

GBytes *af_page_list(af_request *request, const GPtrArray *traces, uint64_t n, const char *words,
                     unsigned offset)
{
    char count[32];
    af_html *html = begin(request, "uploads");
    snprintf(count, sizeof count, "%" G_GUINT64_FORMAT, n);
    af_html_put(html, "<main><h1>Uploads</h1>\n<p>% found</p>\n", count, NULL);
    put_search(html, words);
    put_table(html, traces);
    af_html_raw(html, "<p>");
    if (offset > 0) {
        put_more(html, words, offset < AF_PAGE_ROWS ? 0 : offset - AF_PAGE_ROWS, "newer");
    }
    if (offset + traces->len < n) {
        put_more(html, words, offset + traces->len, "older");
    }
    af_html_raw(html, "</p></main>\n");
    return end(html);
}

/* ---- tokens ---- */

GBytes *af_page_login(const af_request *request, const char *reason)
{
    const gboolean get = strcmp(request->method, "GET") == 0;
    af_html *html = begin(request, "log in");
    af_html_raw(html, "<main><h1>Log in</h1>\n");
    if (reason != NULL) {
        af_html_put(html, "<pre class=\"message\">%</pre>\n", reason, NULL);
    }
    if (af_access_has_tokens(request->server->access)) {
        af_html_put(html,
                    "<p>The browser keeps the token, so that you can list and upload.</p>\n"
                    "<form class=\"row\" action=\"/login\" method=\"post\"><label>token<input "
                    "type=\"password\" name=\"token\" autocomplete=\"current-password\" "
                    "size=\"34\"></label><input type=\"hidden\" name=\"next\" value=\"%\"><button>"
                    "Log in</button></form>\n",
                    get ? request->path : "/", NULL);
    } else {
        af_html_raw(html, "<p>This server has no tokens: it was started without --tokens.</p>\n");
    }
    if (request->cookie != NULL) {
        af_html_raw(html, "<form action=\"/login\" method=\"post\"><button>Log out</button>"
                          "</form>\n");
    }
    af_html_raw(html, "</main>\n");
    return end(html);
}

/* ---- the front page ---- */

static void put_upload_form(af_html *html, gboolean may_upload)
{
    af_html_raw(
        html, "<form action=\"/upload_trace\" method=\"post\" enctype=\"multipart/form-data\">"
              "<div class=\"drop\"><p>Choose traces, or drop them here. Add both the .key and the "
              ".data file of an old trace; a mapping.txt restores obfuscated names.</p>\n"
              "<div class=\"row\"><label>traces<input type=\"file\" name=\"trace_file\" multiple "
              "required></label> <label>mapping (optional)<input type=\"file\" name=\"mapping\">"
              "</label> ");
    if (!may_upload) {
        af_html_raw(html, "<label>token<input type=\"password\" name=\"token\" required "
                          "autocomplete=\"off\"></label> ");
    }
    af_html_raw(html, "<button>Upload</button></div></div></form>\n");
}

static void put_command(af_html *html, const char *command)
{
    af_html_put(html, "<div class=\"command\"><code>%</code></div>\n", command, NULL);
}

static void put_recording(af_html *html)
{
    af_html_raw(html, "<h2>Recording a trace</h2>\n<p>From a shell, while the app runs:</p>\n");
    put_command(html, "adb shell am profile start com.example.app /data/local/tmp/app.trace\n"
                      "adb shell am profile stop com.example.app\n"
                      "adb pull /data/local/tmp/app.trace");
    af_html_raw(html, "<p>In the app: Debug.startMethodTracing(\"app\") and "
                      "Debug.stopMethodTracing(). The server opens all formats that aflame reads: "
                      "recordings of simpleperf and perf, Chrome traces, folded stacks, "
                      "speedscope and others.</p>\n");
}

GBytes *af_page_home(af_request *request, const GPtrArray *recent, gboolean may_upload)
{
    const char *title = request->server->options->title;
    char *base = af_request_base(request);
    af_html *html = begin(request, title != NULL ? title : "aflame");
    af_html_put(html,
                "<main><h1>%</h1>\n<p>Upload a trace and get a link to its flame graph.</p>\n",
                title != NULL ? title : "Flame graphs of method traces", NULL);
    if (af_access_has_tokens(request->server->access)) {
        af_html_raw(html, request->cookie != NULL
                              ? "<form action=\"/login\" method=\"post\"><button>Log out</button>"
                                "</form>\n"
                              : "<p><a href=\"/login\">Log in with a token</a> to list and upload."
                                "</p>\n");
    }
    put_upload_form(html, may_upload);
    af_html_raw(html, "<h2>From a shell</h2>\n");
    char *curl = g_strdup_printf("curl %s-F trace_file=@app.trace %s/upload_trace",
                                 may_upload ? "" : "-H 'Authorization: Bearer TOKEN' ", base);
    put_command(html, curl);
    put_recording(html);
    if (recent != NULL && recent->len > 0) {
        af_html_raw(html, "<h2>Recent uploads</h2>\n");
        put_search(html, NULL);
        put_table(html, recent);
    }
    af_html_raw(html, "</main>\n");
    g_free(curl);
    g_free(base);
    return end(html);
}

GBytes *af_page_uploaded(af_request *request, const GPtrArray *uploaded)
{
    af_html *html = begin(request, "uploaded");
    af_html_raw(html, "<main><h1>Uploaded</h1>\n<ul>\n");
    for (guint i = 0; i < uploaded->len; i++) {
        const af_uploaded *it = uploaded->pdata[i];
        af_html_put(html, "<li><a href=\"/trace/%%%\">%</a></li>\n", it->id,
                    it->delete_token != NULL ? "#delete=" : "",
                    it->delete_token != NULL ? it->delete_token : "", it->file_name, NULL);
    }
    af_html_raw(html, "</ul></main>\n");
    return end(html);
}

GBytes *af_page_waiting(af_request *request, const af_trace *trace, int percent)
{
    char number[16];
    snprintf(number, sizeof number, "%d", MAX(percent, 0));
    af_html *html = begin(request, af_page_title(trace));
    af_html_put(html,
                "<main><h1>%</h1>\n<p>The server is reading this upload; the page refreshes "
                "itself.</p>\n<p><progress data-id=\"%\" max=\"100\" value=\"%\"></progress></p>\n",
                af_page_title(trace), trace->id, number, NULL);
    /* the address may end in the token: reloading it would only move within the page */
    af_html_put(
        html,
        "<noscript><meta http-equiv=\"refresh\" content=\"2;url=/trace/%\"><p>If the address "
        "of this page ends in #delete=, keep it: it allows changing and deleting the "
        "upload.</p></noscript></main>\n",
        trace->id, NULL);
    return end(html);
}

/* ---- the page of a trace ---- */

static void put_fact(af_html *html, const char *name, const char *value)
{
    if (value != NULL && value[0] != '\0') {
        af_html_put(html, "<dt>%</dt><dd>%</dd>\n", name, value, NULL);
    }
}

static void put_facts(af_html *html, const af_trace *trace, const af_upload_facts *facts)
{
    char *date = format_date(trace->created_s), *size = g_format_size(trace->size);
    char *elapsed = facts->elapsed > 0 ? af_upload_facts_amount(facts, facts->elapsed) : NULL;
    char *calls = facts->has_calls ? g_strdup_printf("%" G_GUINT64_FORMAT, facts->calls) : NULL;
    char *threads = g_strdup_printf("%" G_GUINT64_FORMAT, facts->n_threads);
    af_html_raw(html, "<dl>\n");
    put_fact(html, "file", trace->file_name);
    put_fact(html, "app", facts->app);
    put_fact(html, "format", facts->title);
    put_fact(html, "elapsed", elapsed);
    put_fact(html, "calls", calls);
    put_fact(html, "threads", threads);
    put_fact(html, "upload", size);
    put_fact(html, "uploaded", date);
    put_fact(html, "tags", trace->tags);
    put_fact(html, "note", trace->note);
    put_fact(html, "names", trace->has_mapping ? "restored with the uploaded mapping" : NULL);
    af_html_raw(html, "</dl>\n");
    g_free(threads);
    g_free(calls);
    g_free(elapsed);
    g_free(size);
    g_free(date);
}

static void put_health(af_html *html, const af_upload_facts *facts)
{
    if (facts->warnings->len == 0) {
        af_html_raw(html, "<p>No problems found.</p>\n");
        return;
    }
    af_html_raw(html, "<aside class=\"warnings\"><h2>warnings</h2><ul>\n");
    for (guint i = 0; i < facts->warnings->len; i++) {
        af_html_put(html, "<li>%</li>\n", facts->warnings->pdata[i], NULL);
    }
    af_html_raw(html, "</ul></aside>\n");
}

/* "a=b&c=d" of the queries, with "?" before if there are any. */
static char *make_query(const af_request *request, const char *verb)
{
    GString *text = g_string_new(NULL);
    char **pairs = af_views_list_queries(request, verb);
    for (char **pair = pairs; *pair != NULL; pair++) {
        const size_t name = strcspn(*pair, "=");
        char *value = g_uri_escape_string(*pair + name + 1, NULL, FALSE);
        g_string_append_c(text, text->len == 0 ? '?' : '&');
        g_string_append_len(text, *pair, (gssize)name);
        g_string_append_printf(text, "=%s", value);
        g_free(value);
    }
    g_strfreev(pairs);
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
    af_html_put(html, "<label>%<input name=\"%\" value=\"%\" size=\"14\"></label>\n", title, name,
                value != NULL ? value : "", NULL);
}

static void put_thread_choice(af_html *html, const af_request *request,
                              const af_upload_facts *facts)
{
    const char *chosen = af_request_query(request, "thread");
    af_html_raw(html, "<label>thread<select name=\"thread\">");
    put_choice(html, "", "the busiest", chosen);
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
    put_choice(html, "cpu", "cpu", chosen);
    put_choice(html, "wait", "wait", chosen);
    af_html_raw(html, "</select></label>\n");
}

/* The queries as a form. Queries without a field stay in the address only. */
static void put_query_form(af_html *html, const af_request *request, const af_trace *trace,
                           const af_upload_facts *facts)
{
    af_html_put(html, "<form class=\"row\" action=\"/trace/%\" method=\"get\">\n", trace->id, NULL);
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
    af_html_put(html, "<button>Draw</button> <a href=\"/trace/%\">reset</a></form>\n", trace->id,
                NULL);
}

/* A file as an operand: quoted, and never taken for an option. */
static void add_operand(GString *command, const af_trace *trace)
{
    char *path = g_strconcat(trace->file_name[0] == '-' ? "./" : "", trace->file_name, NULL);
    char *quoted = g_shell_quote(path);
    g_string_append_printf(command, " %s", quoted);
    g_free(quoted);
    g_free(path);
}

/* The command that draws the same; `after` = NULL unless it compares. */
static void put_equivalent(af_html *html, const af_request *request, const af_trace *trace,
                           const af_trace *after)
{
    const char *verb = after == NULL ? "render" : "diff";
    GString *command = g_string_new("aflame ");
    char **pairs = af_views_list_queries(request, verb);
    g_string_append(command, verb);
    add_operand(command, trace);
    if (after != NULL) {
        add_operand(command, after);
    }
    for (char **pair = pairs; *pair != NULL; pair++) {
        char *quoted = g_shell_quote(*pair);
        const gboolean plain =
            strspn(*pair, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "=-_.,") == strlen(*pair);
        g_string_append_printf(command, " --%s", plain ? *pair : quoted);
        g_free(quoted);
    }
    if (trace->has_mapping) {
        g_string_append_printf(command, " --mapping%s mapping.txt", after == NULL ? "" : "-before");
    }
    if (after != NULL && after->has_mapping) {
        g_string_append(command, " --mapping-after mapping.txt");
    }
    g_string_append(command, " -o graph.svg");
    af_html_raw(html, "<h2>On the command line</h2>\n");
    put_command(html, command->str);
    g_strfreev(pairs);
    g_string_free(command, TRUE);
}

static void put_graph(af_html *html, const char *path, const char *query)
{
    af_html_put(html,
                "<section class=\"graph\"><iframe title=\"flame graph\" src=\"%/graph.svg%\">"
                "</iframe></section>\n<p class=\"links\"><a href=\"%/graph.svg%\">SVG</a> "
                "<a href=\"%/graph.png%\">PNG</a> <a href=\"%/graph.pdf%\">PDF</a> ",
                path, query, path, query, path, query, path, query, NULL);
}

static gboolean is_call_format(const char *format)
{
    for (unsigned i = 0; af_convert_format(i) != NULL; i++) {
        if (strcmp(af_convert_format(i), format) == 0) {
            return af_convert_format_writes_calls(i);
        }
    }
    return FALSE;
}

/* The tables of a page, with its queries as far as they have an effect there. */
static void put_tables(af_html *html, const af_request *request, const char *path, const char *verb)
{
    char *query = make_query(request, verb);
    af_html_put(html,
                "<a href=\"%/report.html%\">tables</a> <a href=\"%/report.json%\">JSON</a> "
                "<a href=\"%/report.csv%\">CSV</a> ",
                path, query, path, query, path, query, NULL);
    g_free(query);
}

static void put_files(af_html *html, const af_trace *trace)
{
    af_html_put(html,
                "<a href=\"/trace/%/profile.aflp\">saved profile</a></p>\n<details><summary>Other "
                "tools</summary><p class=\"links\">",
                trace->id, NULL);
    for (unsigned i = 0; af_convert_format(i) != NULL; i++) {
        const char *format = af_convert_format(i);
        if (strcmp(format, "aflp") != 0 && (trace->has_upload || !is_call_format(format))) {
            af_html_put(html, "<a href=\"/trace/%/convert/%\">%</a> ", trace->id, format, format,
                        NULL);
        }
    }
    af_html_raw(html, "</p></details>\n");
}

/* Links to the websites that --allow-viewer names. */
static void put_viewers(af_html *html, af_request *request, const af_trace *trace)
{
    const char *const *viewer = request->server->options->viewers;
    char *base = af_request_base(request);
    for (; viewer != NULL && *viewer != NULL && trace->has_upload; viewer++) {
        const gboolean firefox = strstr(*viewer, "profiler.firefox") != NULL;
        char *file = g_strdup_printf("%s/trace/%s/convert/%s", base, trace->id,
                                     firefox ? "firefox" : "speedscope");
        char *escaped = g_uri_escape_string(file, NULL, FALSE);
        af_html_put(html, "<p><a rel=\"noreferrer\" href=\"%/%%\">Open in %</a></p>\n", *viewer,
                    firefox ? "from-url/" : "#profileURL=", escaped,
                    firefox ? "the Firefox Profiler" : "speedscope", NULL);
        g_free(escaped);
        g_free(file);
    }
    g_free(base);
}

static void put_thread(af_html *html, const af_trace *trace, const af_upload_facts *facts,
                       const af_fact_thread *it)
{
    char id[32], share[32], *wall = af_upload_facts_amount(facts, it->wall);
    char *cpu = af_upload_facts_amount(facts, it->cpu);
    const gboolean by_cpu = !facts->has_wall && facts->has_cpu;
    const uint64_t total = by_cpu ? facts->cpu : facts->wall;
    const uint64_t part = by_cpu ? it->cpu : it->wall;
    snprintf(id, sizeof id, "%" G_GUINT64_FORMAT, it->id);
    snprintf(share, sizeof share, "%u %%",
             total == 0 ? 0 : (unsigned)((double)part * 100 / (double)total + 0.5));
    char *number = g_strndup(share, strcspn(share, " "));
    af_html_put(html,
                "<tr><td class=\"n\"><a href=\"/trace/%?thread=%\">%</a></td><td>%</td><td>%</td>"
                "<td><meter max=\"100\" value=\"%\"></meter></td>",
                trace->id, id, it->name, id, share, number, NULL);
    g_free(number);
    af_html_put(html, "<td>%</td>", facts->has_wall || facts->is_count ? wall : "", NULL);
    af_html_put(html, "<td>%</td>", facts->has_cpu ? cpu : "", NULL);
    snprintf(share, sizeof share, "%" G_GUINT64_FORMAT, it->calls);
    af_html_put(html, "<td>%</td></tr>\n", facts->has_calls ? share : "", NULL);
    g_free(cpu);
    g_free(wall);
}

static void put_threads(af_html *html, const af_trace *trace, const af_upload_facts *facts)
{
    af_html_raw(html, "<h2>Threads</h2>\n<table class=\"main\"><thead><tr><th class=\"n\">name</th>"
                      "<th>id</th><th>share</th><th></th><th>wall</th><th>cpu</th><th>calls</th>"
                      "</tr></thead><tbody>\n");
    for (guint i = 0; i < facts->threads->len; i++) {
        put_thread(html, trace, facts, &g_array_index(facts->threads, af_fact_thread, i));
    }
    af_html_raw(html, "</tbody></table>\n");
}

static void put_forms(af_html *html, const af_trace *trace)
{
    af_html_put(html,
                "<h2>Compare</h2>\n<form class=\"row\" action=\"/diff\" method=\"get\"><label>"
                "before: link or ID<input name=\"before\" size=\"40\" required></label><label>"
                "after<input name=\"after\" value=\"%\" size=\"40\" required></label><button>"
                "Compare</button></form>\n<h2>Edit</h2>\n<form class=\"row\" action=\"/trace/%\" "
                "method=\"post\">",
                trace->id, trace->id, NULL);
    af_html_put(html,
                "<label>name<input name=\"name\" value=\"%\" maxlength=\"200\"></label><label>tags"
                "<input name=\"tags\" value=\"%\" maxlength=\"200\"></label><label>note<input "
                "name=\"note\" value=\"%\" size=\"50\" maxlength=\"2000\"></label>",
                trace->name, trace->tags, trace->note, NULL);
    af_html_raw(html, "<label>delete token<input name=\"delete_token\" size=\"34\" "
                      "required autocomplete=\"off\"></label><button name=\"action\" "
                      "value=\"edit\">Save</button><button name=\"action\" value=\"delete\">Delete "
                      "this upload</button></form>\n");
}

GBytes *af_page_trace(af_request *request, const af_trace *trace)
{
    af_upload_facts *facts = af_upload_facts_load(request->server->store, trace->id);
    char *query = make_query(request, "render"), *path = g_strdup_printf("/trace/%s", trace->id);
    af_html *html = begin(request, af_page_title(trace));
    af_html_put(html, "<main><h1>%</h1>\n", af_page_title(trace), NULL);
    put_facts(html, trace, facts);
    put_health(html, facts);
    put_query_form(html, request, trace, facts);
    put_graph(html, path, query);
    put_tables(html, request, path, "report");
    put_files(html, trace);
    put_viewers(html, request, trace);
    put_equivalent(html, request, trace, NULL);
    put_threads(html, trace, facts);
    if (facts->info != NULL) {
        af_html_put(html, "<details><summary>aflame info</summary><pre>%</pre></details>\n",
                    facts->info, NULL);
    }
    put_forms(html, trace);
    af_html_raw(html, "</main>\n");
    g_free(path);
    g_free(query);
    af_upload_facts_free(facts);
    return end(html);
}

GBytes *af_page_diff(af_request *request, const af_trace *before, const af_trace *after)
{
    char *path = g_strdup_printf("/diff/%s/%s", before->id, after->id);
    char *title = g_strdup_printf("%s → %s", af_page_title(before), af_page_title(after));
    char *query = make_query(request, "diff");
    af_html *html = begin(request, title);
    af_html_raw(html, "<main><h1>");
    put_link(html, before->id, af_page_title(before));
    af_html_raw(html, " → ");
    put_link(html, after->id, af_page_title(after));
    af_html_put(html, "</h1>\n<p><a href=\"/diff/%/%\">swap before and after</a></p>\n", after->id,
                before->id, NULL);
    put_graph(html, path, query);
    put_tables(html, request, path, "diff");
    af_html_put(html,
                "</p>\n<section class=\"graph\"><iframe title=\"tables\" src=\"%/report.html%\">"
                "</iframe></section>\n",
                path, query, NULL);
    put_equivalent(html, request, before, after);
    af_html_raw(html, "</main>\n");
    g_free(query);
    g_free(title);
    g_free(path);
    return end(html);
}
