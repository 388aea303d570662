/* V1: text, then records; in one file or in a .key and a .data file. What Debug.startMethodTracing,
 * `am profile` without --streaming and DDMS write, from Android 1.0 on. */
#include "read/reader.h"

#include <string.h>

#include "base/bytes.h"
#include "read/keytext.h"
#include "read/v1data.h"

/* How far behind *end the records are looked for if they do not begin there. */
#define MAGIC_SEARCH 64

static gboolean is_text(const uint8_t *head, size_t length)
{
    return (length >= 9 && memcmp(head, "*version\n", 9) == 0) ||
           (length >= 10 && memcmp(head, "*version\r\n", 10) == 0);
}

static gboolean is_data(const uint8_t *head, size_t length)
{
    return length >= 6 && memcmp(head, "SLOW", 4) == 0 && af_load_u16(head + 4) >= 1 &&
           af_load_u16(head + 4) <= 3;
}

static int detect(const uint8_t *head, size_t length, const char *path)
{
    (void)path;
    return is_text(head, length) || is_data(head, length) ? AF_SURE : 0;
}

/* Offset of the magic: right behind the text, or nearby if the text was changed; SIZE_MAX if it is
 * nowhere. */
static size_t find_magic(const af_source *source, const af_keytext *text)
{
    if (text->has_end) {
        return text->end;
    }
    if (text->end_line == SIZE_MAX) {
        return SIZE_MAX;
    }
    const size_t stop = MIN(source->length, text->end_line + MAGIC_SEARCH);
    for (size_t at = text->end_line + 1; at + 4 <= stop; at++) {
        if (memcmp(source->bytes + at, "SLOW", 4) == 0) {
            return at;
        }
    }
    return SIZE_MAX;
}

/* Facts, methods and records; then threads, whose names go to those with records. */
static gboolean read_parts(const af_keytext *text, const uint8_t *data, size_t length,
                           uint64_t place, gboolean crlf, af_sink *sink, GError **error)
{
    sink->facts.container = AF_CONTAINER_V1;
    af_keytext_take_facts(text, FALSE, sink);
    af_keytext_take_methods(text, sink, UINT32_MAX, FALSE);
    const gboolean art = g_strcmp0(sink->facts.vm, "art") == 0;
    sink->undefined_are_proxies = art;
    sink->guess_proxies = art;
    if (!af_v1_data_read(data, length, place, crlf, text->version, sink, error)) {
        return FALSE;
    }
    af_keytext_take_threads(text, NULL, TRUE, !art, sink);
    return TRUE;
}

static gboolean refuse_half(const char *message, GError **error)
{
    g_set_error_literal(error, AF_ERROR, AF_ERROR_MISSING, message);
    return FALSE;
}

static gboolean read_text(const af_source *source, const af_source *data, af_sink *sink,
                          GError **error)
{
    af_keytext text;
    af_keytext_scan(&text, source->bytes, source->length);
    const gboolean crlf = source->length >= 10 && source->bytes[8] == '\r';
    gboolean ok;
    size_t magic = data == NULL ? find_magic(source, &text) : SIZE_MAX;
    if (data != NULL) {
        sink->facts.truncated |= data->cut;
        ok = read_parts(&text, data->bytes, data->length, 0, crlf, sink, error);
    } else if (text.end_line == SIZE_MAX) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "cut off inside the key section: it has no *end (are the records in "
                            "a .data file?)");
        ok = FALSE;
    } else if (text.has_end && text.end == source->length) {
        ok = refuse_half("this is the key half of a trace; its records are in a .data file, which "
                         "is not beside it",
                         error);
    } else if (magic == SIZE_MAX) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "no data section: what follows *end are no records");
        ok = FALSE;
    } else {
        if (!text.has_end) {
            af_sink_warn(sink, AF_WARN_MAGIC_MOVED, 1, magic);
        }
        ok = read_parts(&text, source->bytes + magic, source->length - magic, magic, crlf, sink,
                        error);
    }
    af_keytext_clear(&text);
    return ok;
}

static gboolean is_lone_text(const af_source *source)
{
    af_keytext text;
    af_keytext_scan(&text, source->bytes, source->length);
    const gboolean lone =
        text.end_line == SIZE_MAX || (text.has_end && text.end == source->length);
    af_keytext_clear(&text);
    return lone;
}

static gboolean read_input(const af_source *source, const af_source *other,
                           const af_open_options *options, af_sink *sink, GError **error)
{
    (void)options;
    sink->facts.truncated = source->cut;
    if (is_data(source->bytes, source->length)) {
        af_source *key = other == NULL ? af_source_open_beside(source, NULL, ".key", FALSE) : NULL;
        const af_source *text = other != NULL ? other : key;
        gboolean ok;
        if (text == NULL || !is_text(text->bytes, text->length)) {
            ok = refuse_half("this is the data half of a trace; the names are in a .key file, "
                             "which is not beside it",
                             error);
        } else {
            sink->facts.truncated |= text->cut;
            ok = read_text(text, source, sink, error);
        }
        af_source_free(key);
        return ok;
    }
    af_source *beside = NULL;
    if (other == NULL && is_lone_text(source)) {
        beside = af_source_open_beside(source, NULL, ".data", FALSE);
        other = beside != NULL && is_data(beside->bytes, beside->length) ? beside : NULL;
    } else if (other != NULL && !is_data(other->bytes, other->length)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                            "these are not the two halves of one trace");
        return FALSE;
    }
    const gboolean ok = read_text(source, other, sink, error);
    af_source_free(beside);
    return ok;
}

const af_reader af_reader_v1 = {
    .name = "v1",
    .title = "Android method trace: text and records, or a .key and .data pair",
    .extensions = "trace key data",
    .detect = detect,
    .read = read_input,
};
