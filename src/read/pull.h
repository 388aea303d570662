/* A pull parser for JSON that may be cut, lenient and of any length.
 *
 * It looks at bytes in place and makes no document. What it meets behind the end of the window is
 * AF_PULL_SHORT: whoever pulls takes more of the input and begins the value anew, or is at the end
 * of it. Commas may be missing or too many; raw control characters in strings are taken; numbers
 * are whatever looks like one, and NaN and Infinity pass as values that say nothing. Nothing
 * recurses, and passing over a value takes no memory however deep it is. */
#ifndef AF_READ_PULL_H
#define AF_READ_PULL_H

#include <stdint.h>
#include <glib.h>

#include "base/span.h"

/* Values that lie deeper in others make what holds them strange. */
#define AF_PULL_DEEPEST 512

typedef enum {
    AF_PULL_OK,
    AF_PULL_SHORT,   /* the bytes end before the value does */
    AF_PULL_STRANGE, /* no JSON, however lenient */
    AF_PULL_END,     /* no more in this array or object, which was left */
} af_pull_state;

typedef enum {
    AF_PULL_STRING,
    AF_PULL_NUMBER,
    AF_PULL_OBJECT,
    AF_PULL_ARRAY,
    AF_PULL_WORD, /* true, false, null, NaN ... */
} af_pull_kind;

typedef struct {
    const char *at, *end;
} af_pull;

/* All of a text, which may be none at all. */
static inline af_pull af_pull_over(af_span text)
{
    const char *at = text.bytes != NULL ? text.bytes : "";
    return (af_pull){at, at + text.length};
}

/* A value: of a string what is between the quotes, of others all of it. */
typedef struct {
    af_pull_kind kind;
    gboolean escaped; /* a string with backslashes in it, see af_pull_unescape() */
    af_span text;
} af_pull_value;

/* What comes next: its kind, nothing is taken. STRANGE if it is no value. */
af_pull_state af_pull_look(af_pull *json, af_pull_kind *kind);

/* Takes a whole value, passing over all that is in it. STRANGE if it is deeper than
 * AF_PULL_DEEPEST: it was taken all the same if `at` has moved. */
af_pull_state af_pull_take(af_pull *json, af_pull_value *value);

/* Takes the bracket of an object or array. */
void af_pull_enter(af_pull *json);

/* In an object: takes the next key and its colon; END takes the brace behind the last. In an array:
 * OK if another value follows; END takes the bracket. */
af_pull_state af_pull_next_key(af_pull *json, af_pull_value *key);
af_pull_state af_pull_next_item(af_pull *json);

/* Passes over blanks. */
void af_pull_skip_blanks(af_pull *json);

/* Puts what a string means in the place of what is in `room`: escapes undone, two surrogates made
 * one character, a lone one U+FFFD. The slice is good until `room` changes; strings without escapes
 * are lent as they are. */
af_span af_pull_text(const af_pull_value *value, GString *room);

/* ---- numbers, also those in strings ---- */

/* A number of us, exactly: whole ones and what is left of a ns resolution, rounded to the nearest.
 * FALSE if it is none, or does not fit. */
gboolean af_pull_us(af_span text, int64_t *us, int *ns);

/* A whole number; what is behind a point is dropped. FALSE if it is none, or does not fit. */
gboolean af_pull_whole(af_span text, int64_t *number);

/* A number times ten to `digits`, rounded to the nearest. FALSE if it is none, or does not fit. */
gboolean af_pull_scaled(af_span text, int digits, int64_t *number);

/* A number in thousandths, rounded to the nearest; what does not fit is cut to what does. FALSE if
 * it is none. */
gboolean af_pull_thousandths(af_span text, int64_t *number);

#endif
