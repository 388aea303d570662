/* The rules of the house, checked over the text of the sources.
 *
 * A check reads `sources` and calls house_complain() for each line that violates a rule. A rule is
 * a row of a table at the top of its file: a room and its permitted includes (floors.c), a word
 * that no name may contain (words.c), a forbidden text or function (texts.c), names and the headers
 * that declare them (includes.c).
 */
#pragma once

#include <glib.h>

typedef enum { SOURCE_C, SOURCE_JS, SOURCE_SHELL, SOURCE_OTHER } source_language;

typedef struct {
    char *path; /* relative to the top of the repository */
    char *text;
    char *code; /* `text` with blanks for comments and literals; same length, same lines */
    source_language language;
} source;

typedef struct {
    GPtrArray *sources; /* of source, by path */
    unsigned complaints;
    unsigned checked; /* includes, names or lines; the caller fails if there are hardly any */
} house;

typedef void house_check(house *h);

house_check check_floors, check_includes, check_words, check_texts;

void house_complain(house *h, const source *s, gsize offset, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

/* Whether `word` is one of the words of `list`, which single spaces separate. */
gboolean house_has_word(const char *list, const char *word, gsize length);

/* `text` of C, JavaScript or the shell without comments and literals. */
char *blank_literals(const char *text, source_language language);
