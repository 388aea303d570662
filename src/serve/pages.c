#include "serve/pages.h"

#include <stdio.h>
#include <string.h>
#include "serve/upload.h"

const char *af_page_title(const af_trace *trace)
{
    return trace->name[0] != '\0' ? trace->name : trace->file_name;
}

static af_html *begin(const af_request *request, const char *title)
{
    const af_server *server = request->server;
    af_html *html = af_html_begin(server->base_path, title);
    af_html_body(html, server->options->title);
    return html;
}

char *af_page_date(int64_t created_us)
{
    g_autoptr(GDateTime) date = g_date_time_new_from_unix_utc(created_us / G_USEC_PER_SEC);
    return date == NULL ? g_strdup("") : g_date_time_format(date, "%Y-%m-%d %H:%M UTC");
}

void af_page_link(af_html *html, const char *id, const char *text)
{
    af_html_put(html, "<a href=\"trace/%\">%</a>", id, text, NULL);
}

/* The list is a form that compares uploads. */
static void put_table(af_html *html, const GPtrArray *traces)
{
    if (traces->len == 0) {
        return;
    }
    af_html_raw(html, "<form action=\"diff\" method=\"get\"><table class=\"main\"><thead><tr>"
                      "<th class=\"mark\">before</th><th class=\"mark\">after</th><th class=\"n\">"
                      "name</th><th class=\"t minor\">app</th><th class=\"t minor\">tags</th>"
                      "<th class=\"minor\">size</th><th class=\"d\">date</th><th class=\"d minor\">"
                      "compare</th></tr></thead><tbody>\n");
    for (guint i = 0; i < traces->len; i++) {
        const af_trace *trace = traces->pdata[i];
        g_autofree char *date = af_page_date(trace->created_us), *size = g_format_size(trace->size);
        af_html_put(html,
                    "<tr><td class=\"mark\"><input type=\"checkbox\" name=\"before\" value=\"%\" "
                    "aria-label=\"before\"></td><td class=\"mark\"><input type=\"checkbox\" "
                    "name=\"after\" value=\"%\" aria-label=\"after\"></td><td class=\"n\">",
                    trace->id, trace->id, NULL);
        af_page_link(html, trace->id, af_page_title(trace));
        af_html_put(html,
                    "</td><td class=\"t minor\">%</td><td class=\"t minor\">%</td><td "
                    "class=\"minor\">%</td>"
                    "<td class=\"d\">%</td><td class=\"d minor\">",
                    trace->app, trace->tags, size, date, NULL);
        if (trace->app[0] != '\0') {
            af_html_put(
                html,
                "<a href=\"diff?before=previous&amp;after=%\" title=\"Compare with the previous "
                "upload of this app\">with previous</a>",
                trace->id, NULL);
        }
        af_html_raw(html, "</td></tr>\n");
    }
    af_html_raw(html,
                "</tbody></table>\n<p class=\"row\"><button>Compare</button> Mark the runs of "
                "each side: one or several.</p></form>\n");
}

static void put_search(af_html *html, const char *words)
{
    af_html_put(html,
                "<form class=\"row\" action=\"traces\" method=\"get\"><label>app, name, tag, note "
                "or date<input type=\"search\" name=\"q\" value=\"%\"></label><button>Search"
                "</button></form>\n",
                words != NULL ? words : "", NULL);
}

static void put_more(af_html *html, const char *words, unsigned offset, const char *text)
{
    char number[16];
    snprintf(number, sizeof number, "%u", offset);
    af_html_raw(html, "<a href=\"traces?q=");
    af_html_url_part(html, words != NULL ? words : "");
    af_html_put(html, "&amp;offset=%\">%</a> ", number, text, NULL);
}

GBytes *af_page_list(af_request *request, const GPtrArray *traces, uint64_t n, const char *words,
                     unsigned offset)
{
    char count[AF_NUMBER_SIZE];
    af_html *html = begin(request, "uploads");
    af_html_put(html, "<main><h1>Uploads</h1>\n<p>% found</p>\n", af_number_count(count, n), NULL);
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
    return af_html_end(html);
}

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
                    "<form class=\"row\" action=\"login\" method=\"post\"><label>token<input "
                    "type=\"password\" name=\"token\" autocomplete=\"current-password\" "
                    "size=\"34\"></label><input type=\"hidden\" name=\"next\" value=\"%\"><button>"
                    "Log in</button></form>\n",
                    get ? request->path : "/", NULL);
    } else {
        af_html_raw(html, "<p>This server has no tokens: it was started without --tokens.</p>\n");
    }
    if (request->cookie != NULL) {
        af_html_raw(html, "<form action=\"login\" method=\"post\"><button>Log out</button>"
                          "</form>\n");
    }
    af_html_raw(html, "</main>\n");
    return af_html_end(html);
}

static void put_upload_form(af_html *html, gboolean may_upload)
{
    af_html_raw(
        html, "<form action=\"upload_trace\" method=\"post\" enctype=\"multipart/form-data\">"
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

void af_page_command(af_html *html, const char *command)
{
    af_html_put(html, "<div class=\"command\"><code>%</code></div>\n", command, NULL);
}

static void put_recording(af_html *html)
{
    af_html_raw(html, "<h2>Recording a trace</h2>\n<p>From a shell, while the app runs:</p>\n");
    af_page_command(html, "adb shell am profile start com.example.app /data/local/tmp/app.trace\n"
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
    g_autofree char *base = af_request_base(request);
    af_html *html = begin(request, title != NULL ? title : "aflame");
    af_html_put(html,
                "<main><h1>%</h1>\n<p>Upload a trace and get a link to its flame graph.</p>\n",
                title != NULL ? title : "Flame graphs of method traces", NULL);
    if (af_access_has_tokens(request->server->access)) {
        af_html_raw(html, request->cookie != NULL
                              ? "<form action=\"login\" method=\"post\"><button>Log out</button>"
                                "</form>\n"
                              : "<p><a href=\"login\">Log in with a token</a> to list and upload."
                                "</p>\n");
    }
    put_upload_form(html, may_upload);
    af_html_raw(html, "<h2>From a shell</h2>\n");
    g_autofree char *curl =
        g_strdup_printf("curl %s-F trace_file=@app.trace %s/upload_trace",
                        may_upload ? "" : "-H 'Authorization: Bearer TOKEN' ", base);
    af_page_command(html, curl);
    put_recording(html);
    if (recent != NULL && recent->len > 0) {
        af_html_raw(html, "<h2>Recent uploads</h2>\n");
        put_search(html, NULL);
        put_table(html, recent);
    }
    af_html_raw(html, "</main>\n");
    return af_html_end(html);
}

GBytes *af_page_uploaded(af_request *request, const GPtrArray *uploaded)
{
    af_html *html = begin(request, "uploaded");
    af_html_raw(html, "<main><h1>Uploaded</h1>\n<ul>\n");
    for (guint i = 0; i < uploaded->len; i++) {
        const af_uploaded *it = uploaded->pdata[i];
        af_html_put(html, "<li><a href=\"trace/%%%\">%</a></li>\n", it->id,
                    it->delete_token != NULL ? "#delete=" : "",
                    it->delete_token != NULL ? it->delete_token : "", it->file_name, NULL);
    }
    af_html_raw(html, "</ul></main>\n");
    return af_html_end(html);
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
        "<noscript><meta http-equiv=\"refresh\" content=\"2;url=trace/%\"><p>If the address "
        "of this page ends in #delete=, keep it: it allows changing and deleting the "
        "upload.</p></noscript></main>\n",
        trace->id, NULL);
    return af_html_end(html);
}
