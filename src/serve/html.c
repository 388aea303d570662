#include "base/embed.h"
#include "api/command.h"
#include "serve/html.h"

#include <aflame/version.h>
#include <stdarg.h>
#include <string.h>
#include "base/hash.h"
#include "base/markup.h"

AF_EMBED(char, af_report_css, AFLAME_HTML_PARTS "/report.css");
AF_EMBED(char, af_report_js, AFLAME_HTML_PARTS "/report.js");
AF_EMBED(char, af_serve_css, AFLAME_SERVE_PARTS "/serve.css");
AF_EMBED(char, af_serve_js, AFLAME_SERVE_PARTS "/serve.js");

/* As the reports write their script. */
#define REPORT_BEGIN "/*<![CDATA[*/\n"
#define REPORT_END   "/*]]>*/"

static gboolean is_hidden(gunichar c)
{
    switch (g_unichar_type(c)) {
    case G_UNICODE_CONTROL:
        return c != '\n' && c != '\t';
    case G_UNICODE_FORMAT:
    case G_UNICODE_SURROGATE:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
        return TRUE;
    default:
        return FALSE;
    }
}

static void add_text(af_html *html, const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    for (const char *at = valid, *next; *at != '\0'; at = next) {
        next = g_utf8_next_char(at);
        const gunichar c = g_utf8_get_char(at);
        const char *entity = c == '\''      ? "&#39;"
                             : is_hidden(c) ? "\xEF\xBF\xBD"
                                            : af_markup_entity(c);
        af_out_bytes(&html->out, entity != NULL ? entity : at,
                     entity != NULL ? strlen(entity) : (size_t)(next - at));
    }
}

void af_html_raw(af_html *html, const char *markup)
{
    af_out_text(&html->out, markup);
}

void af_html_put(af_html *html, const char *markup, ...)
{
    va_list texts;
    va_start(texts, markup);
    for (const char *at = markup; *at != '\0';) {
        const size_t plain = strcspn(at, "%");
        af_out_bytes(&html->out, at, plain);
        at += plain;
        if (*at == '%') {
            const char *text = va_arg(texts, const char *);
            add_text(html, text != NULL ? text : "");
            at++;
        }
    }
    va_end(texts);
}

void af_html_url_part(af_html *html, const char *text)
{
    g_autofree char *escaped = g_uri_escape_string(text, NULL, FALSE);
    add_text(html, escaped);
}

static char *hash_text(const char *before, const char *text, const char *after)
{
    g_autofree char *all = g_strconcat(before, text, after, NULL);
    g_autofree char *hash = af_hash_policy(all);
    return g_strdup_printf("'%s'", hash);
}

/* "'sha256-...' 'sha256-...'" */
static char *list_picture_scripts(void)
{
    GString *list = g_string_new(NULL);
    char *hash;
    for (unsigned i = 0; (hash = af_picture_script_hash(i)) != NULL; i++) {
        g_string_append_printf(list, "%s'%s'", i > 0 ? " " : "", hash);
        g_free(hash);
    }
    return g_string_free(list, FALSE);
}

void af_html_set_policies(char *policies[AF_KINDS])
{
    g_autofree char *style = hash_text(af_report_css, af_serve_css, "");
    g_autofree char *script = hash_text("", af_serve_js, "");
    g_autofree char *report = hash_text(REPORT_BEGIN, af_report_js, REPORT_END);
    g_autofree char *picture = list_picture_scripts();
    policies[AF_KIND_PAGE] = g_strdup_printf(
        "default-src 'none'; script-src %s; style-src %s; img-src 'self'; form-action 'self'; "
        "connect-src 'self'; frame-src 'self'; base-uri 'self'; frame-ancestors 'none'",
        script, style);
    policies[AF_KIND_FRAME] =
        g_strdup_printf("default-src 'none'; style-src %s; base-uri 'none'; form-action "
                        "'none'; frame-ancestors 'self'; sandbox",
                        style);
    policies[AF_KIND_PICTURE] = g_strdup_printf(
        "default-src 'none'; script-src %s; style-src 'unsafe-inline'; font-src data:; img-src "
        "data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox "
        "allow-scripts allow-downloads",
        picture);
    policies[AF_KIND_REPORT] = g_strdup_printf(
        "default-src 'none'; script-src %s %s; style-src 'unsafe-inline'; font-src data:; "
        "frame-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox "
        "allow-scripts allow-downloads",
        report, picture);
    policies[AF_KIND_OTHER] = g_strdup("default-src 'none'; sandbox; frame-ancestors 'none'");
}

af_html *af_html_begin(const char *base, const char *title)
{
    af_html *html = g_new(af_html, 1);
    html->bytes = g_byte_array_new();
    af_out_open(&html->out, af_out_to_array, html->bytes);
    af_html_raw(html, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    if (base != NULL) {
        af_html_put(html, "<base href=\"%\">\n", base, NULL);
    }
    af_html_put(html, "<title>%</title>\n", title, NULL);
    return html;
}

static void begin_body(af_html *html)
{
    af_html_raw(html, "<style>");
    af_html_raw(html, af_report_css);
    af_html_raw(html, af_serve_css);
    af_html_raw(html, "</style></head>\n<body class=\"serve\">\n");
}

void af_html_body(af_html *html, const char *site)
{
    begin_body(html);
    af_html_put(html, "<nav><a href=\".\"><b>%</b></a> <a href=\"traces\">Uploads</a></nav>\n",
                site != NULL ? site : "aflame", NULL);
}

static GBytes *end_body(af_html *html)
{
    af_html_raw(html, "</body></html>\n");
    af_out_close(&html->out, NULL);
    GBytes *page = g_byte_array_free_to_bytes(html->bytes);
    g_free(html);
    return page;
}

GBytes *af_html_end(af_html *html)
{
    af_html_put(html, "<footer><p>aflame %</p></footer>\n<script>", af_version(), NULL);
    af_html_raw(html, af_serve_js);
    af_html_raw(html, "</script>\n");
    return end_body(html);
}

static void put_message(af_html *html, const char *heading, const char *text)
{
    af_html_put(html, "<main><h1>%</h1>\n<pre class=\"message\">%</pre>\n</main>\n", heading, text,
                NULL);
}

GBytes *af_html_frame_message(const char *heading, const char *text)
{
    af_html *html = af_html_begin(NULL, heading);
    begin_body(html);
    put_message(html, heading, text);
    return end_body(html);
}

GBytes *af_html_message(const char *base, const char *site, const char *heading, const char *text)
{
    af_html *html = af_html_begin(base, heading);
    af_html_body(html, site);
    put_message(html, heading, text);
    return af_html_end(html);
}
