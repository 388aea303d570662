/* The lines of a text that streams through a source: UTF-8, or UTF-16 that begins with its mark, as
 * PowerShell writes what is sent into a file. Ends of lines (LF, CR LF) are not part of them. */
#ifndef AF_READ_LINES_H
#define AF_READ_LINES_H

#include "read/source.h"

/* What is longer is no line of any text: it is cut there. */
#define AF_LONGEST_LINE ((size_t)64 * 1024 * 1024)

typedef enum { AF_TEXT_UTF8, AF_TEXT_UTF16_LE, AF_TEXT_UTF16_BE } af_text_kind;

typedef struct {
    af_source *source;
    af_text_kind kind;
    size_t used;        /* bytes of the window that are behind us */
    GString *converted; /* the line, where it is not UTF-8 */
    gboolean cut;       /* a line was longer than AF_LONGEST_LINE */
    uint64_t place;     /* where the line begins, in the input */
} af_lines;

/* What the text that begins so is written in, and how many bytes its mark has. */
af_text_kind af_lines_kind(const uint8_t *head, size_t length, size_t *mark);

/* Begins at the first line of the window, behind a mark. */
void af_lines_init(af_lines *lines, af_source *source);
void af_lines_clear(af_lines *lines);

/* The next line, good until the next call. FALSE at the end, or with an error. */
gboolean af_lines_next(af_lines *lines, const char **line, size_t *length, GError **error);

/* The first `most` bytes of a text as UTF-8, whole lines of it but for the last. The caller frees
 * it with g_string_free(). */
GString *af_lines_head(const uint8_t *head, size_t length, size_t most);

#endif
