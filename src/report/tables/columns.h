/* Text in columns of a terminal.
 *
 * What is put here is shown as it is: characters that move the cursor, reorder the line or have
 * no shape are replaced by U+FFFD first, so a name in a file cannot play with the terminal. */
#ifndef AF_REPORT_TABLES_COLUMNS_H
#define AF_REPORT_TABLES_COLUMNS_H

#include <glib.h>

/* `text`, any bytes, fit to be shown. Free with g_free(). */
char *af_columns_clean(const char *text);

/* Columns that clean text takes: 2 for wide characters, 0 for combining ones. */
unsigned af_columns_width(const char *text);

/* Clean text cut to at most `most` columns, with an ellipsis in the middle if something is
 * missing. Free with g_free(). */
char *af_columns_cut(const char *text, unsigned most);

/* The same for the name of a method or class: its package goes first, from behind, then the
 * arguments, then the end of the class; the method's own name stays as long as it can. Free with
 * g_free(). */
char *af_columns_shorten(const char *name, unsigned most);

typedef enum { AF_COLUMNS_LEFT, AF_COLUMNS_RIGHT } af_columns_side;

/* Appends clean text filled up with blanks to `width` columns; the blanks are behind text that
 * stands left. */
void af_columns_put(GString *page, const char *text, unsigned width, af_columns_side side);

/* Appends words of clean text in lines of at most `width` columns, the line that is begun
 * included, with `indent` blanks before every further line. Ends the last line. */
void af_columns_wrap(GString *page, const char *text, unsigned indent, unsigned width);

#endif
