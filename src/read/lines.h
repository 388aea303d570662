/* The lines of a text that streams through a source: UTF-8, or UTF-16 with a byte order mark, as
 * PowerShell writes redirected output. Lines do not include their line ends (LF, CR LF). */
#pragma once

#include "base/capacity.h"
#include "build/sink.h"
#include "read/source.h"

/* Longer lines are truncated: no real text has them. */
#define AF_LONGEST_LINE ((size_t)AF_WORK(64, 8) * 1024 * 1024)

typedef enum { AF_TEXT_UTF8, AF_TEXT_UTF16_LE, AF_TEXT_UTF16_BE } af_text_kind;

typedef struct {
    af_source *source;
    af_text_kind kind;
    size_t used;        /* bytes of the window that were already read */
    GString *converted; /* the line, if the text is not UTF-8 */
    gboolean cut;       /* a line was longer than AF_LONGEST_LINE */
    gboolean unended;   /* the last line has no line feed */
    uint64_t offset;    /* offset of the line in the input */
} af_lines;

/* Takes a line, which is at `offset`. Returns FALSE to stop, perhaps with an error. */
typedef gboolean (*af_lines_take)(void *user, af_span line, uint64_t offset, GError **error);

/* Passes all lines to `take`, without a byte order mark, and warns the sink, which may be NULL, if
 * some were truncated. Returns FALSE with an error; the state of `lines` is the last one. */
gboolean af_lines_each(af_lines *lines, af_source *source, af_sink *sink, af_lines_take take,
                       void *user, GError **error);

/* Returns the first `most` bytes of a text as UTF-8; all lines but the last are complete. The
 * caller frees it with g_string_free(). */
GString *af_lines_head(const uint8_t *head, size_t length, size_t most);

/* Whether all bytes are whitespace. */
gboolean af_lines_are_blank(const uint8_t *bytes, size_t length);
