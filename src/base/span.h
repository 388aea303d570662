/* A view into bytes that somebody else owns. */
#pragma once

#include <stdint.h>
#include <string.h>
#include <glib.h>

/* bytes == NULL means absent, as opposed to empty. */
typedef struct {
    const char *bytes;
    size_t length;
} af_span;

static inline af_span af_span_of(const char *text)
{
    return (af_span){text, strlen(text)};
}

static inline af_span af_span_of_string(const GString *text)
{
    return (af_span){text->str, text->len};
}

static inline void af_span_append(GString *to, af_span span)
{
    g_string_append_len(to, span.bytes, (gssize)span.length);
}

static inline gboolean af_span_equal(af_span a, af_span b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

static inline gboolean af_span_is(af_span slice, const char *text)
{
    return slice.length == strlen(text) && memcmp(slice.bytes, text, slice.length) == 0;
}

/* `words` ends with NULL. */
static inline gboolean af_span_among(af_span span, const char *const *words)
{
    while (*words != NULL && !af_span_is(span, *words)) {
        words++;
    }
    return *words != NULL;
}

static inline gboolean af_span_begins(af_span span, const char *with)
{
    const size_t n = strlen(with);
    return span.length >= n && memcmp(span.bytes, with, n) == 0;
}

static inline gboolean af_span_ends(af_span span, const char *with)
{
    const size_t n = strlen(with);
    return span.length >= n && memcmp(span.bytes + span.length - n, with, n) == 0;
}

/* The span after its first `n` bytes, which it must have. */
static inline af_span af_span_after(af_span span, size_t n)
{
    return (af_span){span.bytes + n, span.length - n};
}

/* Moves the start past a word. FALSE if the span does not begin with it. */
static inline gboolean af_span_skip(af_span *span, const char *word)
{
    const gboolean begins = af_span_begins(*span, word);
    *span = begins ? af_span_after(*span, strlen(word)) : *span;
    return begins;
}

/* Moves the start past at most `most` digits, which should fit 64 bits. FALSE if there are none. */
static inline gboolean af_span_take_number(af_span *span, size_t most, uint64_t *number)
{
    size_t n = 0;
    *number = 0;
    for (; n < span->length && n < most && g_ascii_isdigit(span->bytes[n]); n++) {
        *number = *number * 10 + (uint64_t)(span->bytes[n] - '0');
    }
    *span = af_span_after(*span, n);
    return n > 0;
}

/* Where a word first occurs; NULL if nowhere. */
static inline const char *af_span_find(af_span span, const char *word)
{
    return span.length == 0 ? NULL : memmem(span.bytes, span.length, word, strlen(word));
}

/* The part before the first occurrence of a word; the whole if it is missing. */
static inline af_span af_span_before(af_span span, const char *word)
{
    const char *at = af_span_find(span, word);
    return at == NULL ? span : (af_span){span.bytes, (size_t)(at - span.bytes)};
}

/* The part after the first occurrence of a word. FALSE if it is missing. */
static inline gboolean af_span_find_after(af_span span, const char *word, af_span *rest)
{
    const char *at = af_span_find(span, word);
    if (at != NULL) {
        *rest = af_span_after(span, (size_t)(at - span.bytes) + strlen(word));
    }
    return at != NULL;
}

/* Takes the next line, without its line feed. FALSE at the end. */
static inline gboolean af_span_take_line(af_span *rest, af_span *line)
{
    if (rest->length == 0) {
        return FALSE;
    }
    *line = af_span_before(*rest, "\n");
    *rest = af_span_after(*rest, MIN(line->length + 1, rest->length));
    return TRUE;
}

/* The last part of a path, or all of it if that is empty. */
static inline const char *af_path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* Without the white space around it. */
static inline af_span af_span_trim(af_span span)
{
    while (span.length > 0 && g_ascii_isspace(*span.bytes)) {
        span = af_span_after(span, 1);
    }
    while (span.length > 0 && g_ascii_isspace(span.bytes[span.length - 1])) {
        span.length--;
    }
    return span;
}
