/* A view into bytes that somebody else owns. */
#pragma once

#include <string.h>
#include <glib.h>

/* bytes == NULL means absent, as opposed to empty. */
typedef struct {
    const char *bytes;
    size_t length;
} af_span;

static inline gboolean af_span_equal(af_span a, af_span b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

static inline gboolean af_span_is(af_span slice, const char *text)
{
    return slice.length == strlen(text) && memcmp(slice.bytes, text, slice.length) == 0;
}
