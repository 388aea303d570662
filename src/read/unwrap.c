#include "read/unwrap.h"

#include <string.h>
#include <zlib.h>

#include "base/aflp.h"
#include "base/append.h"
#include "base/error_pass.h"
#include "base/memory_error.h"
#include "base/span.h"

/* How aflame marks its pictures. */
#define MARK "aflame"

/* The maximum distance of the last word of a document from its end. */
#define TAIL ((size_t)1024)

static gboolean begins(af_span in, const char *word)
{
    const size_t n = strlen(word);
    return in.length >= n && g_ascii_strncasecmp(in.bytes, word, n) == 0;
}

/* Skips everything that may precede the root of a document. */
static gboolean skip_prolog(af_span *in)
{
    const char *close = begins(*in, "<!--") ? "-->" : begins(*in, "<?") ? "?>" : NULL;
    const gboolean found = close != NULL && af_span_find_after(*in, close, in);
    *in = af_span_trim(*in);
    return found;
}

static af_carrier detect_text(af_span in)
{
    af_span_skip(&in, "\xEF\xBB\xBF");
    in = af_span_trim(in);
    while (skip_prolog(&in)) {
    }
    if (begins(in, "<svg") || begins(in, "<!DOCTYPE svg")) {
        return AF_CARRIER_SVG;
    }
    return begins(in, "<html") || begins(in, "<!DOCTYPE html") ? AF_CARRIER_HTML : AF_CARRIER_NONE;
}

af_carrier af_carrier_detect(const uint8_t *bytes, size_t length)
{
    const af_span in = {(const char *)bytes, length};
    if (begins(in, "\x89PNG\r\n\x1A\n")) {
        return AF_CARRIER_PNG;
    }
    return begins(in, "%PDF-") ? AF_CARRIER_PDF : detect_text(in);
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
    const char *type, *content;
    uint32_t length;
} chunk;

static uint32_t load_big_endian(const char *p)
{
    uint32_t value;
    memcpy(&value, p, sizeof value);
    return GUINT32_FROM_BE(value);
}

/* The next chunk; FALSE where none is complete. */
static gboolean next_chunk(af_span *in, chunk *c)
{
    enum { AROUND = 12 };
    if (in->length < AROUND) {
        return FALSE;
    }
    c->length = load_big_endian(in->bytes);
    if (c->length > in->length - AROUND) {
        return FALSE;
    }
    c->type = in->bytes + 4;
    c->content = in->bytes + 8;
    *in = af_span_after(*in, (size_t)c->length + AROUND);
    return TRUE;
}

static gboolean is_chunk(const chunk *c, const char *type)
{
    return memcmp(c->type, type, 4) == 0;
}

/* Whether the last chunk is there, and if `all`, whether all are intact. */
static gboolean check_chunks(af_span in, gboolean all)
{
    chunk c = {0};
    gboolean ok = TRUE, ended = FALSE;
    while (ok && !ended && next_chunk(&in, &c)) {
        ok = !all || (crc32_z(0, (const Bytef *)c.type, (size_t)c.length + 4) ==
                      load_big_endian(c.content + c.length));
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
static gboolean unwrap_png(af_span in, af_array *to, gboolean *drawn, GError **error)
{
    const af_span all = af_span_after(in, 8);
    in = all;
    chunk c;
    *drawn = af_span_find(in, "Software") != NULL && af_span_find(in, MARK " ") != NULL;
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
static void append_base64(af_array *to, af_span in)
{
    enum { AT_ONCE = 4096 };
    guchar bytes[AT_ONCE];
    gint state = 0;
    guint save = 0;
    size_t length = 0;
    while (length < in.length && in.bytes[length] != '\0' &&
           (g_ascii_isalnum(in.bytes[length]) || strchr("+/= \t\r\n", in.bytes[length]) != NULL)) {
        length++;
    }
    for (size_t at = 0, n; at < length && !to->failed; at += n) {
        n = MIN(length - at, AT_ONCE);
        af_append_bytes(to, bytes, g_base64_decode_step(in.bytes + at, n, bytes, &state, &save));
    }
}

/* An SVG ends with its root and perhaps a comment; an HTML page may leave out the tags at its end. */
static gboolean is_complete(af_carrier carrier, af_span in)
{
    in = af_span_trim(in);
    while (carrier == AF_CARRIER_SVG && af_span_ends(in, "-->")) {
        const char *begin = g_strrstr_len(in.bytes, (gssize)in.length, "<!--");
        in.length = begin != NULL ? (size_t)(begin - in.bytes) : 0;
        in = af_span_trim(in);
    }
    return carrier == AF_CARRIER_SVG ? af_span_ends(in, "</svg>")
                                     : af_span_ends(in, "</html>") || af_span_ends(in, "</script>");
}

static gboolean unwrap_text(af_carrier carrier, af_span in, af_array *to, gboolean *drawn,
                            GError **error)
{
    const char *at = af_span_find(in, AF_AFLP_BASE64);
    *drawn = at != NULL || af_span_find(in, MARK) != NULL;
    if (*drawn && !is_complete(carrier, in)) {
        return refuse_damaged(carrier, error);
    }
    if (at != NULL) {
        append_base64(to, af_span_after(in, (size_t)(at - in.bytes)));
    } else if (af_span_find(in, AF_PROFILE_ATTRIBUTE "=") != NULL) {
        return refuse_damaged(carrier, error);
    }
    return TRUE;
}

static gboolean unwrap_pdf(af_span in, GBytes **profile, gboolean *drawn, GError **error)
{
    GError *own = NULL;
    *profile = af_carrier_search_pdf((const uint8_t *)in.bytes, in.length, drawn, &own);
    if (!af_error_pass(error, &own)) {
        return FALSE;
    }
    const af_span tail = af_span_after(in, in.length - MIN(in.length, TAIL));
    *drawn |= *profile != NULL;
    return af_span_find(tail, "%%EOF") != NULL || refuse_damaged(AF_CARRIER_PDF, error);
}

GBytes *af_carrier_unwrap(af_carrier carrier, const uint8_t *bytes, size_t length, GError **error)
{
    const af_span in = {(const char *)bytes, length};
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
