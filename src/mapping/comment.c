#include "mapping/comment.h"

typedef struct {
    const char *at, *end;
} cursor;

static void skip_blanks(cursor *c)
{
    while (c->at < c->end && g_ascii_isspace(*c->at)) {
        c->at++;
    }
}

static gboolean take_char(cursor *c, char wanted)
{
    skip_blanks(c);
    if (c->at < c->end && *c->at == wanted) {
        c->at++;
        return TRUE;
    }
    return FALSE;
}

/* What stands between two quotes, the first of which is at the cursor. */
static gboolean take_quoted(cursor *c, af_span *word)
{
    const char quote = *c->at++;
    const char *begin = c->at;
    while (c->at < c->end && *c->at != quote) {
        c->at += *c->at == '\\' && c->end - c->at > 1 ? 2 : 1;
    }
    *word = (af_span){begin, (size_t)(c->at - begin)};
    return c->at < c->end && *c->at++ == quote;
}

/* A quoted text, or what stands there without quotes. */
static gboolean take_word(cursor *c, af_span *word)
{
    skip_blanks(c);
    if (c->at < c->end && (*c->at == '"' || *c->at == '\'')) {
        return take_quoted(c, word);
    }
    const char *begin = c->at;
    while (c->at < c->end && !g_ascii_isspace(*c->at) && strchr(":,{}[]\"'", *c->at) == NULL) {
        c->at++;
    }
    *word = (af_span){begin, (size_t)(c->at - begin)};
    return word->length > 0;
}

/* An array or object, and whatever is in it. */
static gboolean skip_nested(cursor *c)
{
    size_t depth = 0;
    do {
        skip_blanks(c);
        if (c->at == c->end) {
            return FALSE;
        }
        af_span text;
        const char first = *c->at;
        if (first == '"' || first == '\'') {
            if (!take_quoted(c, &text)) {
                return FALSE;
            }
            continue;
        }
        depth += first == '{' || first == '[';
        depth -= first == '}' || first == ']';
        c->at++;
    } while (depth > 0);
    return TRUE;
}

static gboolean take_value(cursor *c, af_span *value)
{
    skip_blanks(c);
    if (c->at < c->end && (*c->at == '{' || *c->at == '[')) {
        *value = (af_span){NULL, 0};
        return skip_nested(c);
    }
    return take_word(c, value);
}

static void keep_member(af_comment *remark, af_span key, af_span value)
{
    if (af_span_is(key, "id")) {
        remark->id = value;
    } else if (af_span_is(key, "version")) {
        remark->version = value;
    } else if (af_span_is(key, "fileName")) {
        remark->file_name = value;
    } else if (af_span_is(key, "signature")) {
        remark->signature = value;
    }
}

gboolean af_comment_parse(af_span text, af_comment *remark)
{
    cursor c = {text.bytes, text.bytes + text.length};
    memset(remark, 0, sizeof *remark);
    if (!take_char(&c, '{')) {
        return FALSE;
    }
    af_span key, value;
    while (take_word(&c, &key) && take_char(&c, ':') && take_value(&c, &value)) {
        keep_member(remark, key, value);
        if (!take_char(&c, ',')) {
            break;
        }
    }
    return TRUE;
}

gboolean af_comment_cut(af_span text, af_span *key, af_span *value)
{
    const char *colon = memchr(text.bytes, ':', text.length);
    if (colon == NULL) {
        return FALSE;
    }
    *key = (af_span){text.bytes, (size_t)(colon - text.bytes)};
    cursor c = {colon + 1, text.bytes + text.length};
    skip_blanks(&c);
    *value = (af_span){c.at, (size_t)(c.end - c.at)};
    return key->length > 0 && value->length > 0;
}

/* "\uXXXX" at `at`. Returns how many bytes it takes, 0 if it is none. */
static size_t undo_unicode(GString *to, const char *at, size_t left)
{
    gunichar letter = 0;
    for (size_t i = 2; i < 6; i++) {
        const int digit = i < left ? g_ascii_xdigit_value(at[i]) : -1;
        if (digit < 0) {
            return 0;
        }
        letter = letter << 4 | (gunichar)digit;
    }
    g_string_append_unichar(to, letter < 0xD800 || letter > 0xDFFF ? letter : 0xFFFD);
    return 6;
}

void af_comment_append(GString *to, af_span value)
{
    for (size_t i = 0; i < value.length;) {
        if (value.bytes[i] != '\\' || i + 1 == value.length) {
            g_string_append_c(to, value.bytes[i++]);
            continue;
        }
        size_t taken = 0;
        if (value.bytes[i + 1] == 'u') {
            taken = undo_unicode(to, value.bytes + i, value.length - i);
        }
        if (taken == 0) {
            g_string_append_c(to, value.bytes[i + 1]);
            taken = 2;
        }
        i += taken;
    }
}
