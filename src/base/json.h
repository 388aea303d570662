/* Writes JSON: single strings, and whole documents with one member per line, or with some of their
 * values in one line. */
#pragma once

#include "base/out.h"

/* Writes the text in quotation marks. Escapes control characters and bidi controls; leaves other
 * UTF-8 unchanged. */
void af_json_text(af_out *out, const char *text, size_t length);

static inline void af_json_string(af_out *out, const char *text)
{
    af_json_text(out, text, strlen(text));
}

/* The same after JSON that is written as it is, such as a key. */
static inline void af_json_string_after(af_out *out, const char *before, const char *text)
{
    af_out_text(out, before);
    af_json_string(out, text);
}

/* A document under construction. Start with af_json_begin(); `key` is NULL for elements of an array
 * and for the document itself. */
typedef struct {
    af_out *out;
    unsigned depth;
    gboolean filled; /* the open object or array has at least one member */
    unsigned line;   /* the depth of the outermost open value in one line; 0 = none is open */
} af_json;

void af_json_begin(af_json *json, const char *key, char bracket);
void af_json_end(af_json *json, char bracket);

/* The same with all of its content in one line. */
void af_json_begin_line(af_json *json, const char *key, char bracket);

/* Begins a value that the caller writes. */
void af_json_key(af_json *json, const char *key);

void af_json_put_number(af_json *json, const char *key, uint64_t value);
void af_json_put_flag(af_json *json, const char *key, gboolean value);

/* A string; null if `value` is NULL. */
void af_json_put_string(af_json *json, const char *key, const char *value);

/* A value that is valid JSON already, such as "1.5". */
void af_json_put_plain(af_json *json, const char *key, const char *value);
