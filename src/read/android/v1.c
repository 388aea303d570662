/* V1: text, then records, in one file or in a .key and a .data file. Written by
 * Debug.startMethodTracing, `am profile` without --streaming and DDMS, since Android 1.0. */
#include "read/reader.h"

#include <string.h>

#include "base/bytes.h"
#include "read/android/keytext.h"
#include "read/android/v1data.h"
#include "read/pair.h"

/* How far after *end to search for the records if they do not follow directly. */
#define MAGIC_SEARCH 64

static gboolean is_text(const uint8_t *head, size_t length)
{
    return (length >= 9 && memcmp(head, "*version\n", 9) == 0) ||
           (length >= 10 && memcmp(head, "*version\r\n", 10) == 0);
}

static int detect(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    return is_text(head, length) || af_pair_is_data(head, length) ? AF_SURE : 0;
}

/* Returns the offset of the magic: directly after the text, or nearby if the text was changed;
 * SIZE_MAX if it is missing. */
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

/* Reads facts and methods from the first `n` bytes of `source`, the records from `data`, which may be
 * the same source, and then threads: their names go to those with records. */
static gboolean read_parts(const af_keytext *text, af_source *source, size_t n, af_source *data,
                           gboolean crlf, af_sink *sink, GError **error)
{
    af_sink_facts(sink)->container = AF_CONTAINER_V1;
    af_keytext_take_facts(text, FALSE, sink);
    af_keytext_take_methods(text, sink, UINT32_MAX, FALSE);
    const gboolean art = g_strcmp0(af_sink_facts(sink)->android.vm, "art") == 0;
    if (art) {
        af_sink_set_undefined(sink, AF_UNDEFINED_PROXY_GUESSED);
    }
    af_source_skip(source, n);
    const gboolean ok = (data == source || af_source_drain(source, error)) &&
                        af_v1_data_read(data, crlf, text->version, sink, error);
    if (ok) {
        af_keytext_take_threads(text, NULL, TRUE, !art, sink);
    }
    af_sink_facts(sink)->recording.truncated |= source->cut || data->cut;
    return ok;
}

static gboolean refuse_half(const char *message, GError **error)
{
    g_set_error_literal(error, AF_ERROR, AF_ERROR_MISSING, message);
    return FALSE;
}

/* Extends the window until it contains the text before the records. */
static gboolean reach_end_of_text(af_source *source, af_keytext *text, GError **error)
{
    while (!af_keytext_find_end(text, source->bytes, source->length, source->more)) {
        /* in growing steps: each step searches a long line again */
        const size_t step = MAX(af_source_default_window(source), source->length / 4);
        if (!af_source_reach(source, source->length + step, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean is_lone_text(const af_source *source, const af_keytext *text)
{
    return text->end_line == SIZE_MAX ||
           (text->has_end && text->end == source->length && !source->more);
}

/* The records follow the text. */
static gboolean read_both(af_source *source, const af_keytext *text, gboolean crlf, af_sink *sink,
                          GError **error)
{
    if (text->end_line == SIZE_MAX) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "truncated inside the key section: *end is missing (are the records in "
                            "a .data file?)");
        return FALSE;
    }
    if (is_lone_text(source, text)) {
        return refuse_half("this is the key half of a trace; its records are in a .data file, "
                           "which is not next to it",
                           error);
    }
    const size_t magic = find_magic(source, text);
    if (magic == SIZE_MAX) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "no data section: no records follow *end");
        return FALSE;
    }
    if (!text->has_end) {
        af_sink_warn(sink, AF_WARN_MAGIC_MOVED, 1, magic);
    }
    return read_parts(text, source, magic, source, crlf, sink, error);
}

/* `data` is NULL if no separate file with the records is known. */
static gboolean read_text(af_source *source, af_source *data, af_sink *sink, GError **error)
{
    af_keytext text;
    af_keytext_begin(&text);
    g_autoptr(af_source) sibling = NULL;
    gboolean ok = reach_end_of_text(source, &text, error);
    if (ok) {
        const gboolean crlf = source->length >= 10 && source->bytes[8] == '\r';
        af_keytext_find_sections(&text, source->bytes, source->length);
        if (data == NULL && is_lone_text(source, &text)) {
            ok = af_source_open_sibling(source, ".data", FALSE, &sibling, error);
            data = sibling != NULL && af_pair_is_data(sibling->bytes, sibling->length) ? sibling
                                                                                       : NULL;
        }
        ok =
            ok && (data != NULL ? read_parts(&text, source, source->length, data, crlf, sink, error)
                                : read_both(source, &text, crlf, sink, error));
    }
    af_keytext_clear(&text);
    return ok;
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    if (af_pair_is_data(source->bytes, source->length)) {
        af_source *key = NULL;
        if (other == NULL && !af_source_open_sibling(source, ".key", FALSE, &key, error)) {
            return FALSE;
        }
        af_source *text = other != NULL ? other : key;
        const gboolean ok =
            text != NULL && is_text(text->bytes, text->length)
                ? read_text(text, source, sink, error)
                : refuse_half("this is the data half of a trace; the names are in a .key file, "
                              "which is not next to it",
                              error);
        af_source_free(key);
        return ok;
    }
    if (other != NULL && !af_pair_is_data(other->bytes, other->length)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                            "these are not the two halves of one trace");
        return FALSE;
    }
    return read_text(source, other, sink, error);
}

const af_reader af_reader_v1 = {
    .name = "v1",
    .title = "Android method trace: text and records, or a .key and .data pair",
    .extensions = "trace key data",
    .detect = detect,
    .read = read_input,
};
