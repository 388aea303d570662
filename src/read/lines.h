/* The lines of a text that streams through a source: UTF-8, or UTF-16 with a byte order mark, as
 * PowerShell writes redirected output. Lines do not include their line ends (LF, CR LF). */
#pragma once

#include "base/capacity.h"
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

/* Starts at the first line of the window, after a byte order mark. */
void af_lines_init(af_lines *lines, af_source *source);
void af_lines_clear(af_lines *lines);

/* Returns the next line, valid until the next call. FALSE at the end or with an error. */
gboolean af_lines_next(af_lines *lines, const char **line, size_t *length, GError **error);

/* Returns the first `most` bytes of a text as UTF-8; all lines but the last are complete. The
 * caller frees it with g_string_free(). */
GString *af_lines_head(const uint8_t *head, size_t length, size_t most);

/* Whether all bytes are whitespace. */
gboolean af_lines_are_blank(const uint8_t *bytes, size_t length);
