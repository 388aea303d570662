/* A pull parser for JSON that may be truncated, lenient and of any length.
 *
 * It reads the bytes without copying and builds no document. At the end of the window it returns
 * AF_PULL_SHORT: the caller then extends the window and repeats the value, or is at the end of the
 * input. Commas may be missing or doubled; strings may hold raw control characters; a number is
 * anything that looks like one; NaN and Infinity are valid values without a number. Nothing
 * recurses, and skipping a value takes no memory however deep it is. */
#pragma once

#include <stdint.h>
#include <glib.h>

#include "base/span.h"

/* A value with deeper nesting is STRANGE. */
#define AF_PULL_DEEPEST 512

typedef enum {
    AF_PULL_OK,
    AF_PULL_SHORT,   /* the bytes end inside the value */
    AF_PULL_STRANGE, /* not JSON, even by lenient rules */
    AF_PULL_END,     /* the array or object has ended and was left */
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
    gboolean relaxed; /* quotes may be single, and keys may have none */
} af_pull;

/* A pull parser over a whole text, which may be empty. */
static inline af_pull af_pull_over(af_span text)
{
    const char *at = text.bytes != NULL ? text.bytes : "";
    return (af_pull){at, at + text.length, FALSE};
}

/* The same after the bracket of an object or array. */
static inline af_pull af_pull_into(af_span text)
{
    af_pull json = af_pull_over(text);
    json.at += json.at < json.end;
    return json;
}

/* A value: the bytes between the quotes of a string, all bytes of any other value. */
typedef struct {
    af_pull_kind kind;
    gboolean escaped; /* a string with backslashes, see af_pull_unescape() */
    af_span text;
} af_pull_value;

/* Returns the kind of the next value without consuming it; STRANGE if it is not a value. */
af_pull_state af_pull_look(af_pull *json, af_pull_kind *kind);

/* Reads a whole value and skips its content. STRANGE if it is deeper than AF_PULL_DEEPEST; if `at`
 * has moved, the value was consumed nevertheless. */
af_pull_state af_pull_take(af_pull *json, af_pull_value *value);

/* Reads the bracket of an object or array. */
void af_pull_enter(af_pull *json);

/* In an object: reads the next key and its colon; END after the closing brace. In an array: OK if
 * another value follows; END after the closing bracket. */
af_pull_state af_pull_next_key(af_pull *json, af_pull_value *key);
af_pull_state af_pull_next_item(af_pull *json);

/* Reads the next item of an array, or the next member of an object. FALSE at the end, also if the
 * text is not valid. */
static inline gboolean af_pull_item(af_pull *json, af_pull_value *value)
{
    return af_pull_next_item(json) == AF_PULL_OK && af_pull_take(json, value) == AF_PULL_OK;
}

static inline gboolean af_pull_member(af_pull *json, af_pull_value *key, af_pull_value *value)
{
    return af_pull_next_key(json, key) == AF_PULL_OK && af_pull_take(json, value) == AF_PULL_OK;
}

/* Skips whitespace. */
void af_pull_skip_blanks(af_pull *json);

/* Decodes the escapes of a string into `buffer`, replacing its content: surrogate pairs become one
 * character, lone surrogates U+FFFD. The span is valid until `buffer` changes; strings without
 * escapes are borrowed from the text. */
af_span af_pull_text(const af_pull_value *value, GString *buffer);

/* ---- numbers, also those in strings ---- */

/* Converts a number of us to ns, exactly, rounding to the nearest ns. Returns FALSE if it is not a
 * number or does not fit. */
gboolean af_pull_us(af_span text, int64_t *us, int *ns);

/* Converts to a whole number, dropping decimals. Returns FALSE if it is not a number or does not
 * fit. */
gboolean af_pull_whole(af_span text, int64_t *number);

/* Converts a number times ten to the power of `digits`, rounded to the nearest. Returns FALSE if it
 * is not a number or does not fit. */
gboolean af_pull_scaled(af_span text, int digits, int64_t *number);

/* Converts to thousandths, rounded to the nearest and clamped to the range. Returns FALSE if it is
 * not a number. */
gboolean af_pull_thousandths(af_span text, int64_t *number);
