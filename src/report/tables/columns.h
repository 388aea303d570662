/* Text in terminal columns.
 *
 * Text is cleaned first: U+FFFD replaces characters that move the cursor, reorder the line or are
 * invisible, so a name in a file cannot manipulate the terminal. */
#pragma once

#include <glib.h>

/* A cleaned copy of `text`, any bytes. Free with g_free(). */
char *af_columns_clean(const char *text);

/* The width of clean text in columns: 2 for wide characters, 0 for combining ones. */
unsigned af_columns_width(const char *text);

/* Clean text shortened to at most `most` columns, with an ellipsis in the middle. Free with
 * g_free(). */
char *af_columns_truncate(const char *text, unsigned most);

/* The same for the name of a method or class: it loses its package first, from the end, then the
 * arguments, then the end of the class; the method name is shortened last. Free with g_free(). */
char *af_columns_shorten(const char *name, unsigned most);

typedef enum { AF_COLUMNS_LEFT, AF_COLUMNS_RIGHT } af_columns_side;

/* Appends clean text padded with blanks to `width` columns; left-aligned text has the blanks after
 * it. */
void af_columns_put(GString *page, const char *text, unsigned width, af_columns_side side);

#define AF_COLUMNS_PAGE 100

/* Appends clean text, wrapped into lines of at most `width` columns (0 = AF_COLUMNS_PAGE), and
 * continues the current line. Indents each further line by `indent` blanks. Ends the last line. */
void af_columns_wrap(GString *page, const char *text, unsigned indent, unsigned width);
