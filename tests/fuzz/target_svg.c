/* Any names give SVG that a strict parser accepts, in which no code runs except the script that
 * aflame writes. */
#include <string.h>
#include <expat.h>
#include <aflame/picture.h>

#include "api/autoptr.h"
#include "base/out.h"
#include "api/command.h"
#include "made.h"

typedef struct {
    XML_Parser parser;
    unsigned scripts, depth;
    gboolean in_script;
} reading;

static void XMLCALL begin_element(void *user, const XML_Char *name, const XML_Char **attributes)
{
    reading *r = user;
    r->depth++;
    FUZZ_CHECK(!r->in_script);
    if (g_str_has_suffix(name, " script")) {
        r->scripts++;
        r->in_script = TRUE;
    }
    for (; attributes[0] != NULL; attributes += 2) {
        FUZZ_CHECK(g_ascii_strncasecmp(attributes[0], "on", 2) != 0);
        FUZZ_CHECK(strstr(attributes[0], "href") == NULL || attributes[1][0] == '#');
    }
}

static void XMLCALL end_element(void *user, const XML_Char *name)
{
    reading *r = user;
    r->depth--;
    r->in_script = FALSE;
}

/* It must not contain a document type or an entity declaration. */
static void XMLCALL begin_doctype(void *user, const XML_Char *name, const XML_Char *system,
                                  const XML_Char *public, int internal)
{
    FUZZ_CHECK(!"the SVG has a document type");
}

static void parse(const GByteArray *svg, unsigned scripts)
{
    reading r = {.parser = XML_ParserCreateNS("UTF-8", ' ')};
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, begin_element, end_element);
    XML_SetStartDoctypeDeclHandler(r.parser, begin_doctype);
    FUZZ_CHECK(XML_Parse(r.parser, (const char *)svg->data, (int)svg->len, XML_TRUE) ==
               XML_STATUS_OK);
    FUZZ_CHECK(r.depth == 0 && r.scripts == scripts);
    XML_ParserFree(r.parser);
}

/* The number of occurrences of `word`, which starts with "<", in either case. */
static unsigned count(const GByteArray *svg, const char *word)
{
    const char *at = (const char *)svg->data, *end = at + svg->len;
    const size_t length = strlen(word);
    unsigned n = 0;
    while ((at = memchr(at, '<', (size_t)(end - at))) != NULL) {
        n += (size_t)(end - at) >= length && g_ascii_strncasecmp(at, word, length) == 0;
        at++;
    }
    return n;
}

/* Also if a page includes the SVG inline: HTML ends a script at the first "</script" and does not
 * support CDATA. */
static void check_closed(const GByteArray *svg, unsigned scripts)
{
    FUZZ_CHECK(count(svg, "<script") == scripts && count(svg, "</script") == scripts);
    FUZZ_CHECK(count(svg, "<![CDATA[") <= 2 && count(svg, "<!--") == 0);
}

static void check_script(const GByteArray *svg)
{
    static const char begin[] = "<script><![CDATA[", end[] = "]]></script>";
    const char *from = memmem(svg->data, svg->len, begin, sizeof begin - 1);
    FUZZ_CHECK(from != NULL);
    from += sizeof begin - 1;
    const size_t left = svg->len - (size_t)(from - (const char *)svg->data);
    const char *to = memmem(from, left, end, sizeof end - 1);
    FUZZ_CHECK(to != NULL);
    guint8 digest[32];
    gsize size = sizeof digest;
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_checksum_update(sum, (const guchar *)from, to - from);
    g_checksum_get_digest(sum, digest, &size);
    g_checksum_free(sum);
    g_autofree char *base64 = g_base64_encode(digest, size);
    gboolean known = FALSE;
    char *hash;
    for (unsigned i = 0; (hash = af_picture_script_hash(i)) != NULL; i++) {
        known |= g_str_has_prefix(hash, "sha256-") && strcmp(hash + 7, base64) == 0;
        g_free(hash);
    }
    FUZZ_CHECK(known);
}

static char *take_string(fuzz_feed *feed)
{
    size_t length;
    const char *text = feed_text(feed, &length);
    return g_strndup(text, length);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const all[] = {"all", NULL};
    fuzz_feed feed = {bytes, bytes + size};
    const uint8_t how = feed_byte(&feed);
    g_autofree char *title = take_string(&feed), *input = take_string(&feed);
    af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    options.theme = (af_theme)((how & 3) % 3);
    options.inverted = (how & 4) != 0;
    options.full_depth = (how & 8) != 0;
    options.no_script = (how & 16) != 0;
    options.data = (how & 32) != 0 ? AF_DATA_FULL : AF_DATA_NONE;
    options.threads = (how & 64) != 0 ? all : NULL;
    options.title = (how & 128) != 0 ? title : NULL;
    options.input_name = input;
    g_autoptr(af_profile) profile = fuzz_make_profile(&feed, 200);
    g_autoptr(GByteArray) svg = g_byte_array_new();
    GError *error = NULL;
    FUZZ_CHECK(af_picture_write(profile, "svg", &options, af_out_to_array, svg, NULL, &error));
    parse(svg, options.no_script ? 0 : 1);
    check_closed(svg, options.no_script ? 0 : 1);
    if (!options.no_script) {
        check_script(svg);
    }
    return 0;
}
