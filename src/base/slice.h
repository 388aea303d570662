/* A piece of somebody else's bytes. */
#ifndef AF_BASE_SLICE_H
#define AF_BASE_SLICE_H

#include <string.h>
#include <glib.h>

/* bytes == NULL is a piece that is not there, which is less than an empty one. */
typedef struct {
    const char *bytes;
    size_t length;
} af_slice;

static inline gboolean af_slice_equal(af_slice a, af_slice b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

static inline gboolean af_slice_is(af_slice slice, const char *text)
{
    return slice.length == strlen(text) && memcmp(slice.bytes, text, slice.length) == 0;
}

#endif
