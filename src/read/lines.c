#include "read/lines.h"

#include <string.h>

#include "base/error_pass.h"

/* Returns the encoding of the text that starts with `head`; *mark is the length of its byte order
 * mark. */
static af_text_kind find_kind(const uint8_t *head, size_t length, size_t *mark)
{
    if (length >= 2 && head[0] == 0xFF && head[1] == 0xFE) {
        *mark = 2;
        return AF_TEXT_UTF16_LE;
    }
    if (length >= 2 && head[0] == 0xFE && head[1] == 0xFF) {
        *mark = 2;
        return AF_TEXT_UTF16_BE;
    }
    *mark = length >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return AF_TEXT_UTF8;
}

static void init(af_lines *lines, af_source *source)
{
    size_t mark;
    *lines = (af_lines){.source = source};
    lines->kind = find_kind(source->bytes, source->length, &mark);
    lines->used = mark;
    lines->converted = lines->kind == AF_TEXT_UTF8 ? NULL : g_string_new(NULL);
}

static uint32_t load_unit(const uint8_t *at, af_text_kind kind)
{
    return kind == AF_TEXT_UTF16_LE ? (uint32_t)at[0] | (uint32_t)at[1] << 8
                                    : (uint32_t)at[1] | (uint32_t)at[0] << 8;
}

/* Lone surrogates become U+FFFD. */
static void convert(GString *to, const uint8_t *bytes, size_t length, af_text_kind kind)
{
    for (size_t i = 0; i + 1 < length; i += 2) {
        uint32_t c = load_unit(bytes + i, kind);
        const uint32_t next = i + 3 < length ? load_unit(bytes + i + 2, kind) : 0;
        if (c >= 0xD800 && c < 0xDC00 && next >= 0xDC00 && next < 0xE000) {
            c = 0x10000 + ((c - 0xD800) << 10 | (next - 0xDC00));
            i += 2;
        } else if (c >= 0xD800 && c < 0xE000) {
            c = 0xFFFD;
        }
        g_string_append_unichar(to, c);
    }
}

/* Returns the number of bytes before the next line feed; `length` if there is none. */
static size_t find_end(const uint8_t *bytes, size_t from, size_t length, af_text_kind kind)
{
    if (kind == AF_TEXT_UTF8) {
        const uint8_t *end = memchr(bytes + from, '\n', length - from);
        return end == NULL ? length : (size_t)(end - bytes);
    }
    for (size_t i = from & ~(size_t)1; i + 1 < length; i += 2) {
        if (load_unit(bytes + i, kind) == '\n') {
            return i;
        }
    }
    return length;
}

/* Reads more of the input. Returns FALSE at its end. */
static gboolean reach_more(af_lines *lines, GError **error)
{
    af_source *source = lines->source;
    if (!source->more) {
        return FALSE;
    }
    af_source_skip(source, lines->used);
    lines->used = 0;
    const size_t before = source->length;
    return af_source_reach(source, MAX(before * 2, af_source_default_window(source)), error) &&
           source->length > before;
}

static void give_line(af_lines *lines, size_t n, const char **line, size_t *length)
{
    const uint8_t *bytes = lines->source->bytes + lines->used;
    if (lines->converted != NULL) {
        g_string_truncate(lines->converted, 0);
        convert(lines->converted, bytes, n, lines->kind);
        *line = lines->converted->str;
        *length = lines->converted->len;
    } else {
        *line = (const char *)bytes;
        *length = n;
    }
    if (*length > 0 && (*line)[*length - 1] == '\r') {
        --*length;
    }
}

static gboolean next(af_lines *lines, const char **line, size_t *length, GError **error)
{
    af_source *source = lines->source;
    const size_t unit = lines->kind == AF_TEXT_UTF8 ? 1 : 2;
    size_t searched = 0;
    for (;;) {
        const uint8_t *bytes = source->bytes + lines->used;
        const size_t left = MIN(source->length - lines->used, AF_LONGEST_LINE);
        const size_t n = left == 0 ? 0 : find_end(bytes, searched, left, lines->kind);
        if (n < left || left == AF_LONGEST_LINE) {
            const gboolean is_cut = n == left;
            lines->cut |= is_cut;
            lines->offset = source->offset + lines->used;
            give_line(lines, n, line, length);
            lines->used += n + (is_cut ? 0 : unit);
            return TRUE;
        }
        searched = left > 0 ? left - 1 : 0;
        GError *failure = NULL;
        if (reach_more(lines, &failure)) {
            continue;
        }
        if (!af_error_pass(error, &failure)) {
            return FALSE;
        }
        const size_t last = source->length - lines->used;
        if (last == 0) {
            return FALSE;
        }
        lines->offset = source->offset + lines->used;
        give_line(lines, last, line, length);
        lines->used += last;
        lines->unended = TRUE;
        return TRUE;
    }
}

gboolean af_lines_each(af_lines *lines, af_source *source, af_sink *sink, af_lines_take take,
                       void *user, GError **error)
{
    af_span line;
    GError *failure = NULL;
    init(lines, source);
    while (next(lines, &line.bytes, &line.length, &failure) &&
           take(user, line, lines->offset, &failure)) {
    }
    if (lines->cut && sink != NULL) {
        af_sink_warn(sink, AF_WARN_LONG_LINE, 1, AF_NO_OFFSET);
    }
    if (lines->converted != NULL) {
        g_string_free(lines->converted, TRUE);
    }
    return af_error_pass(error, &failure);
}

GString *af_lines_head(const uint8_t *head, size_t length, size_t most)
{
    size_t mark;
    const af_text_kind kind = find_kind(head, length, &mark);
    const size_t n = MIN(length, most) - MIN(mark, MIN(length, most));
    if (kind == AF_TEXT_UTF8) {
        return g_string_new_len((const char *)head + mark, (gssize)n);
    }
    GString *text = g_string_new(NULL);
    convert(text, head + mark, n, kind);
    return text;
}

gboolean af_lines_are_blank(const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!g_ascii_isspace(bytes[i])) {
            return FALSE;
        }
    }
    return TRUE;
}
