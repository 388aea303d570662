#include "read/unwrap.h"

#include <string.h>
#include <zlib.h>

#include "base/aflp.h"
#include "base/append.h"
#include "base/error_pass.h"
#include "base/memory_error.h"

/* How aflame marks its pictures. */
#define MARK "aflame"

/* The maximum distance of the last word of a document from its end. */
#define TAIL ((size_t)1024)

typedef struct {
    const uint8_t *at, *end;
} part;

static const uint8_t *find(const part *in, const char *word)
{
    return memmem(in->at, (size_t)(in->end - in->at), word, strlen(word));
}

static gboolean begins(const part *in, const char *word)
{
    const size_t n = strlen(word);
    return (size_t)(in->end - in->at) >= n &&
           g_ascii_strncasecmp((const char *)in->at, word, n) == 0;
}

static void skip_blanks(part *in)
{
    while (in->at < in->end && g_ascii_isspace(*in->at)) {
        in->at++;
    }
}

/* Skips everything that may precede the root of a document. */
static gboolean skip_prolog(part *in)
{
    const char *close = begins(in, "<!--") ? "-->" : begins(in, "<?") ? "?>" : NULL;
    const uint8_t *end = close == NULL ? NULL : find(in, close);
    if (end != NULL) {
        in->at = end + strlen(close);
        skip_blanks(in);
    }
    return end != NULL;
}

static af_carrier detect_text(part in)
{
    if (begins(&in, "\xEF\xBB\xBF")) {
        in.at += 3;
    }
    skip_blanks(&in);
    while (skip_prolog(&in)) {
    }
    if (begins(&in, "<svg") || begins(&in, "<!DOCTYPE svg")) {
        return AF_CARRIER_SVG;
    }
    return begins(&in, "<html") || begins(&in, "<!DOCTYPE html") ? AF_CARRIER_HTML
                                                                 : AF_CARRIER_NONE;
}

af_carrier af_carrier_detect(const uint8_t *bytes, size_t length)
{
    const part in = {bytes, bytes + length};
    if (begins(&in, "\x89PNG\r\n\x1A\n")) {
        return AF_CARRIER_PNG;
    }
    return begins(&in, "%PDF-") ? AF_CARRIER_PDF : detect_text(in);
}

const char *af_carrier_title(af_carrier carrier)
{
    static const char *const titles[] = {[AF_CARRIER_PNG] = "PNG picture",
                                         [AF_CARRIER_PDF] = "PDF document",
                                         [AF_CARRIER_SVG] = "SVG picture",
                                         [AF_CARRIER_HTML] = "HTML page"};
    return titles[carrier];
}

typedef struct {
    const uint8_t *type, *content;
    uint32_t length;
    gboolean intact;
} chunk;

static uint32_t load_big_endian(const uint8_t *p)
{
    uint32_t value;
    memcpy(&value, p, sizeof value);
    return GUINT32_FROM_BE(value);
}

/* The next chunk; FALSE where none is complete. */
static gboolean next_chunk(part *in, chunk *c)
{
    enum { AROUND = 12 };
    if (in->end - in->at < AROUND) {
        return FALSE;
    }
    c->length = load_big_endian(in->at);
    if (c->length > (size_t)(in->end - in->at) - AROUND) {
        return FALSE;
    }
    c->type = in->at + 4;
    c->content = in->at + 8;
    in->at = c->content + c->length + 4;
    return TRUE;
}

static gboolean is_chunk(const chunk *c, const char *type)
{
    return memcmp(c->type, type, 4) == 0;
}

/* Whether the last chunk is there, and if `all`, whether all are intact. */
static gboolean check_chunks(part in, gboolean all)
{
    chunk c = {0};
    gboolean ok = TRUE, ended = FALSE;
    while (ok && !ended && next_chunk(&in, &c)) {
        ok = !all ||
             (crc32_z(0, c.type, (size_t)c.length + 4) == load_big_endian(c.content + c.length));
        ended = is_chunk(&c, "IEND");
    }
    return ok && ended;
}

static gboolean refuse_damaged(af_carrier carrier, GError **error)
{
    g_set_error(error, AF_ERROR, AF_ERROR_DAMAGED,
                "this %s is truncated or damaged; aflame cannot read a profile from it",
                af_carrier_title(carrier));
    return FALSE;
}

/* All chunks of a profile, concatenated. */
static gboolean unwrap_png(part in, af_array *to, gboolean *drawn, GError **error)
{
    const part all = {in.at + 8, in.end};
    in = all;
    chunk c;
    *drawn = find(&in, "Software") != NULL && find(&in, MARK " ") != NULL;
    while (next_chunk(&in, &c)) {
        if (is_chunk(&c, AF_AFLP_CHUNK)) {
            af_append_bytes(to, c.content, c.length);
            *drawn = TRUE;
        }
    }
    in = all;
    return !next_chunk(&in, &c) || check_chunks(all, *drawn) ||
           refuse_damaged(AF_CARRIER_PNG, error);
}

/* Base64 up to the first other byte; blanks do not count. */
static void append_base64(af_array *to, part in)
{
    enum { AT_ONCE = 4096 };
    guchar bytes[AT_ONCE];
    gint state = 0;
    guint save = 0;
    const uint8_t *end = in.at;
    while (end < in.end && (g_ascii_isalnum(*end) || strchr("+/= \t\r\n", *end) != NULL) &&
           *end != '\0') {
        end++;
    }
    for (const uint8_t *at = in.at; at < end && !to->failed;) {
        const size_t n = MIN((size_t)(end - at), AT_ONCE);
        af_append_bytes(to, bytes, g_base64_decode_step((const char *)at, n, bytes, &state, &save));
        at += n;
    }
}

static gboolean ends(const part *in, const char *word)
{
    const size_t n = strlen(word);
    return (size_t)(in->end - in->at) >= n && memcmp(in->end - n, word, n) == 0;
}

static void trim_blanks(part *in)
{
    while (in->end > in->at && g_ascii_isspace(in->end[-1])) {
        in->end--;
    }
}

/* An SVG ends with its root and perhaps a comment; an HTML page may leave out the tags at its end. */
static gboolean is_complete(af_carrier carrier, part in)
{
    trim_blanks(&in);
    while (carrier == AF_CARRIER_SVG && ends(&in, "-->")) {
        const char *begin = g_strrstr_len((const char *)in.at, in.end - in.at, "<!--");
        in.end = begin != NULL ? (const uint8_t *)begin : in.at;
        trim_blanks(&in);
    }
    return carrier == AF_CARRIER_SVG ? ends(&in, "</svg>")
                                     : ends(&in, "</html>") || ends(&in, "</script>");
}

static gboolean unwrap_text(af_carrier carrier, part in, af_array *to, gboolean *drawn,
                            GError **error)
{
    const uint8_t *at = find(&in, AF_AFLP_BASE64);
    *drawn = at != NULL || find(&in, MARK) != NULL;
    if (*drawn && !is_complete(carrier, in)) {
        return refuse_damaged(carrier, error);
    }
    if (at != NULL) {
        append_base64(to, (part){at, in.end});
    } else if (find(&in, AF_PROFILE_ATTRIBUTE "=") != NULL) {
        return refuse_damaged(carrier, error);
    }
    return TRUE;
}

static gboolean unwrap_pdf(part in, GBytes **profile, gboolean *drawn, GError **error)
{
    GError *own = NULL;
    *profile = af_carrier_search_pdf(in.at, (size_t)(in.end - in.at), drawn, &own);
    if (!af_error_pass(error, &own)) {
        return FALSE;
    }
    const part tail = {in.end - MIN((size_t)(in.end - in.at), TAIL), in.end};
    *drawn |= *profile != NULL;
    return find(&tail, "%%EOF") != NULL || refuse_damaged(AF_CARRIER_PDF, error);
}

GBytes *af_carrier_unwrap(af_carrier carrier, const uint8_t *bytes, size_t length, GError **error)
{
    const part in = {bytes, bytes + length};
    GBytes *profile = NULL;
    af_array found;
    gboolean drawn = FALSE, ok;
    af_array_init(&found, 1);
    if (carrier == AF_CARRIER_PNG) {
        ok = unwrap_png(in, &found, &drawn, error);
    } else if (carrier == AF_CARRIER_PDF) {
        ok = unwrap_pdf(in, &profile, &drawn, error);
    } else {
        ok = unwrap_text(carrier, in, &found, &drawn, error);
    }
    if (ok && found.failed) {
        ok = af_memory_error_set(error);
    } else if (ok && found.n > 0) {
        profile = g_bytes_new(found.items, found.n);
    }
    af_array_clear(&found);
    if (!ok) {
        g_clear_pointer(&profile, g_bytes_unref);
    } else if (profile == NULL && drawn) {
        g_set_error(
            error, AF_ERROR, AF_ERROR_UNRECOGNISED,
            "aflame wrote this %s, but it carries no profile: it shows several inputs, it was "
            "made with --data none, or the program that saved it again dropped the profile; "
            "give the trace, or the file as aflame wrote it",
            af_carrier_title(carrier));
    }
    return profile;
}
