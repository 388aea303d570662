/* The words of a fixture description, as a tree of statements.
 *
 * A statement is one line of words; `{` at its end opens a block of statements that `}` closes. `#`
 * starts a comment. A quoted word may contain any byte as \n \t \r \0 \" \\ \xHH \uHHHH. */
#pragma once

#include <glib.h>

typedef struct {
    GString *text; /* may contain zero bytes */
    gboolean quoted;
} script_word;

typedef struct {
    int line;
    GArray *words;    /* script_word */
    GPtrArray *block; /* script_statement; NULL = none */
} script_statement;

/* All statements of `text`. Ends the program with a message if they are malformed. */
GPtrArray *script_parse(const char *path, const char *text);

/* Ends the program: "path:line: message". */
void script_fail(const char *path, int line, const char *format, ...)
    G_GNUC_PRINTF(3, 4) G_GNUC_NORETURN;
