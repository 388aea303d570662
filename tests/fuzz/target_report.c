/* Any names and any calls give valid reports: XML in which every link has a target and no code runs
 * except the script that aflame writes, JSON, rectangular CSV, and text without terminal control
 * characters. */
#include <string.h>
#include <expat.h>
#include <json-glib/json-glib.h>
#include <aflame/report.h>

#include "api/autoptr.h"
#include "base/out.h"
#include "made.h"

#define MOST_INPUT 4096

/* ---- readers ---- */

typedef struct {
    XML_Parser parser;
    unsigned scripts;
    GHashTable *ids;
    GPtrArray *links;
} page;

/* Rows beyond the first ones are compressed data in a script element. */
static gboolean is_data(const XML_Char **attributes)
{
    gboolean found = FALSE;
    for (; attributes[0] != NULL; attributes += 2) {
        found = found || (strcmp(attributes[0], "type") == 0 &&
                          strcmp(attributes[1], "application/gzip") == 0);
    }
    return found;
}

static void XMLCALL begin_element(void *user, const XML_Char *name, const XML_Char **attributes)
{
    page *p = user;
    p->scripts += strcmp(name, "script") == 0 && !is_data(attributes);
    for (; attributes[0] != NULL; attributes += 2) {
        FUZZ_CHECK(g_ascii_strncasecmp(attributes[0], "on", 2) != 0);
        FUZZ_CHECK(strcmp(attributes[0], "style") != 0 && strcmp(attributes[0], "src") != 0);
        if (strcmp(attributes[0], "id") == 0) {
            FUZZ_CHECK(strpbrk(attributes[1], " \t\n\f\r") == NULL && attributes[1][0] != '\0');
            FUZZ_CHECK(g_hash_table_add(p->ids, g_strdup(attributes[1])));
        } else if (strcmp(attributes[0], "href") == 0) {
            FUZZ_CHECK(attributes[1][0] == '#');
            g_ptr_array_add(p->links, g_uri_unescape_string(attributes[1] + 1, NULL));
        }
    }
}

static void read_page(const char *text, size_t length)
{
    page p = {.parser = XML_ParserCreate("UTF-8"),
              .ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
              .links = g_ptr_array_new_with_free_func(g_free)};
    XML_SetUserData(p.parser, &p);
    XML_SetStartElementHandler(p.parser, begin_element);
    FUZZ_CHECK(XML_Parse(p.parser, text, (int)length, XML_TRUE) == XML_STATUS_OK);
    FUZZ_CHECK(p.scripts == 1);
    for (guint i = 0; i < p.links->len; i++) {
        FUZZ_CHECK(p.links->pdata[i] != NULL && g_hash_table_contains(p.ids, p.links->pdata[i]));
    }
    XML_ParserFree(p.parser);
    g_hash_table_unref(p.ids);
    g_ptr_array_unref(p.links);
}

static void read_json(const char *text, size_t length)
{
    g_autoptr(JsonParser) parser = json_parser_new();
    FUZZ_CHECK(json_parser_load_from_data(parser, text, (gssize)length, NULL));
}

/* Returns the position after the field. */
static const char *read_field(const char *text)
{
    if (*text != '"') {
        const char *end = text + strcspn(text, ",\r\"");
        FUZZ_CHECK(*end != '"' && memchr(text, '\n', (size_t)(end - text)) == NULL);
        return end;
    }
    for (text++; text[0] != '"' || text[1] == '"'; text += *text == '"' ? 2 : 1) {
        FUZZ_CHECK(*text != '\0');
    }
    return text + 1;
}

static void read_csv(const char *text)
{
    unsigned columns = 0;
    while (*text != '\0') {
        unsigned n = 1;
        for (text = read_field(text); *text == ','; n++) {
            text = read_field(text + 1);
        }
        FUZZ_CHECK(text[0] == '\r' && text[1] == '\n');
        FUZZ_CHECK(columns == 0 || n == columns);
        columns = n;
        text += 2;
    }
    FUZZ_CHECK(columns > 1);
}

static void read_text(const char *text)
{
    for (; *text != '\0'; text = g_utf8_next_char(text)) {
        const gunichar c = g_utf8_get_char(text);
        const GUnicodeType type = g_unichar_type(c);
        FUZZ_CHECK(c == '\n' ||
                   (type != G_UNICODE_CONTROL && type != G_UNICODE_FORMAT &&
                    type != G_UNICODE_LINE_SEPARATOR && type != G_UNICODE_PARAGRAPH_SEPARATOR));
    }
}

/* ---- writing ---- */

static const char *const tables[] = {"methods",    "threads", "classes",   "packages",
                                     "categories", "sources", "tree-down", "tree-up"};

/* The report to write, from bytes. `chosen` has capacity for all tables, a pattern and the
 * terminators. */
static void choose(fuzz_feed *feed, af_report_options *options, const char **chosen)
{
    static const char *const everything[] = {"/./", NULL};
    static const char *const columns[] = {NULL, "name", "calls", "wait", "self-wall", "mean", "id"};
    const unsigned which = feed_byte(feed);
    for (unsigned i = 0; i < G_N_ELEMENTS(tables); i++) {
        if ((which >> i & 1) != 0) {
            *chosen++ = tables[i];
        }
    }
    *chosen = NULL;
    const unsigned more = feed_byte(feed);
    options->methods = (more & 1) != 0 ? everything : NULL;
    options->clock = (more & 2) != 0 ? (af_clock)(more >> 2 & 3) % 3 : AF_CLOCK_DEFAULT;
    options->sort = columns[feed_byte(feed) % G_N_ELEMENTS(columns)];
    options->top = feed_byte(feed) % 20;
    options->width = 1 + feed_byte(feed);
    options->min_percent_c = feed_byte(feed) * 10u;
}

static void write_format(const af_profile *profile, const char *format,
                         const af_report_options *options, unsigned n)
{
    af_report *reports[2] = {NULL, NULL};
    GError *error = NULL;
    for (unsigned i = 0; i < n; i++) {
        reports[i] = af_report_new(profile, format, options, &error);
        if (reports[i] == NULL) {
            FUZZ_CHECK(i == 0 && (g_error_matches(error, AF_ERROR, AF_ERROR_USAGE) ||
                                  g_error_matches(error, AF_ERROR, AF_ERROR_NOTHING)));
            g_error_free(error);
            return;
        }
    }
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    FUZZ_CHECK(af_report_write((const af_report *const *)reports, n, af_out_to_array, bytes, NULL));
    const size_t length = bytes->len;
    g_byte_array_append(bytes, (const guint8 *)"", 1);
    const char *text = (const char *)bytes->data;
    FUZZ_CHECK(g_utf8_validate(text, (gssize)length, NULL));
    if (strcmp(format, "html") == 0) {
        read_page(text, length);
    } else if (strcmp(format, "json") == 0) {
        read_json(text, length);
    } else if (strcmp(format, "csv") == 0) {
        read_csv(text);
    } else {
        read_text(text);
    }
    af_report_free(reports[0]);
    af_report_free(reports[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const formats[] = {"text", "json", "csv", "html"};
    if (size > MOST_INPUT) {
        return 0; /* tables grow faster than the input */
    }
    fuzz_feed feed = {bytes, bytes + size};
    const char *chosen[G_N_ELEMENTS(tables) + 1];
    af_report_options options = AF_REPORT_OPTIONS_INIT;
    choose(&feed, &options, chosen);
    const uint8_t how = feed_byte(&feed);
    const unsigned n = 1 + how % 2;
    g_autoptr(af_profile) profile = fuzz_make_profile(&feed, 150);
    options.tables = chosen[0] != NULL ? chosen : NULL;
    options.input_name = profile->n_labels > 0 ? profile->labels[0].text : NULL;
    write_format(profile, formats[how / 2 % G_N_ELEMENTS(formats)], &options, n);
    return 0;
}
