#include "base/pull.h"

#include <string.h>

/* Classes of bytes: 1 = whitespace, 2 = ends a number or word, 4 = bracket or quote, 8 = ends a run
 * in a string, 16 = comma */
enum { BLANK = 1, DELIMITER = 2, STRUCTURE = 4, STRING_STOP = 8, COMMA = 16 };

static const uint8_t kinds[256] = {
    [' '] = BLANK | DELIMITER,
    ['\t'] = BLANK | DELIMITER,
    ['\n'] = BLANK | DELIMITER,
    ['\r'] = BLANK | DELIMITER,
    [','] = DELIMITER | COMMA,
    [':'] = DELIMITER,
    ['{'] = DELIMITER | STRUCTURE,
    ['}'] = DELIMITER | STRUCTURE,
    ['['] = DELIMITER | STRUCTURE,
    [']'] = DELIMITER | STRUCTURE,
    ['"'] = DELIMITER | STRUCTURE | STRING_STOP,
    ['\\'] = STRING_STOP,
    ['\''] = STRUCTURE,
};

static inline unsigned kind_of(char c)
{
    return kinds[(uint8_t)c];
}

static inline const char *skip_kinds(const char *at, const char *end, unsigned skipped)
{
    while (at < end && (kind_of(*at) & skipped) != 0) {
        at++;
    }
    return at;
}

void af_pull_skip_blanks(af_pull *json)
{
    json->at = skip_kinds(json->at, json->end, BLANK);
}

/* Commas may be anywhere. */
static inline void skip_between(af_pull *json)
{
    json->at = skip_kinds(json->at, json->end, BLANK | COMMA);
}

#define ONES  UINT64_C(0x0101010101010101)
#define HIGHS UINT64_C(0x8080808080808080)

/* Sets the high bit of each byte of `word` that equals `byte`. Bytes above the first match, which
 * come later in the text, may have false matches. */
static inline uint64_t find_byte(uint64_t word, uint8_t byte)
{
    const uint64_t differing = word ^ (ONES * byte);
    return (differing - ONES) & ~differing & HIGHS;
}

/* Returns the first quote or backslash at or after `at`, or the end. */
static inline const char *find_stop(const char *at, const char *end)
{
    for (; end - at >= 8; at += 8) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        word = GUINT64_FROM_LE(word);
        const uint64_t found = find_byte(word, '"') | find_byte(word, '\\');
        if (found != 0) {
            return at + __builtin_ctzll(found) / 8;
        }
    }
    while (at < end && (kind_of(*at) & STRING_STOP) == 0) {
        at++;
    }
    return at;
}

/* end_string() with single quotes. */
static const char *end_single_quoted(const char *at, const char *end, gboolean *escaped)
{
    for (; at < end && *at != '\''; at++) {
        if (*at == '\\') {
            *escaped = TRUE;
            at++;
        }
    }
    return at < end ? at + 1 : NULL;
}

/* Returns the end of the string whose opening quote is before `at`, after its closing quote; NULL
 * if the string is incomplete. */
static inline const char *end_string(const char *at, const char *end, gboolean *escaped)
{
    for (;;) {
        at = find_stop(at, end);
        if (at == end) {
            return NULL;
        }
        if (*at == '"') {
            return at + 1;
        }
        *escaped = TRUE;
        if (end - at < 2) {
            return NULL;
        }
        at += 2;
    }
}

/* Returns the end of the array or object at the cursor; NULL if it is incomplete. */
static const char *end_nested(const af_pull *json, unsigned *deepest)
{
    const char *at = json->at, *const end = json->end;
    size_t depth = 0, most = 0;
    gboolean escaped;
    while (at < end) {
        const char c = *at++;
        if ((kind_of(c) & STRUCTURE) == 0) {
            continue;
        }
        if (c == '\'' && !json->relaxed) {
            continue;
        }
        if (c == '"' || c == '\'') {
            at = c == '"' ? end_string(at, end, &escaped) : end_single_quoted(at, end, &escaped);
            if (at == NULL) {
                return NULL;
            }
        } else if (c == '{' || c == '[') {
            depth++;
            most = MAX(most, depth);
        } else if (--depth == 0) {
            *deepest = (unsigned)MIN(most, UINT_MAX);
            return at;
        }
    }
    return NULL;
}

#define LONGEST_SHORT_KEY 8

/* Returns STRANGE if no value starts at the cursor. */
static inline af_pull_state find_kind(const af_pull *json, af_pull_kind *kind)
{
    const char c = *json->at;
    if (c == '"' || (c == '\'' && json->relaxed)) {
        *kind = AF_PULL_STRING;
    } else if ((unsigned)(c - '0') < 10 || c == '-' || c == '+' || c == '.') {
        *kind = AF_PULL_NUMBER;
    } else if (c == '{') {
        *kind = AF_PULL_OBJECT;
    } else if (c == '[') {
        *kind = AF_PULL_ARRAY;
    } else if (g_ascii_isalpha(c)) {
        *kind = AF_PULL_WORD;
    } else {
        return AF_PULL_STRANGE;
    }
    return AF_PULL_OK;
}

af_pull_state af_pull_look(af_pull *json, af_pull_kind *kind)
{
    af_pull_skip_blanks(json);
    return json->at == json->end ? AF_PULL_SHORT : find_kind(json, kind);
}

/* Reads a string; its quote is next. */
static inline af_pull_state take_string(af_pull *json, af_pull_value *value)
{
    const char *begin = json->at + 1;
    value->kind = AF_PULL_STRING;
    value->escaped = FALSE;
    const char *after = *json->at == '"' ? end_string(begin, json->end, &value->escaped)
                                         : end_single_quoted(begin, json->end, &value->escaped);
    if (after == NULL) {
        return AF_PULL_SHORT;
    }
    value->text = (af_span){begin, (size_t)(after - begin) - 1};
    json->at = after;
    return AF_PULL_OK;
}

/* Reads a number, a word or a key without quotes. */
static inline af_pull_state take_word(af_pull *json, af_pull_value *value)
{
    const char *at = json->at;
    while (at < json->end && (kind_of(*at) & DELIMITER) == 0) {
        at++;
    }
    if (at == json->end) {
        return AF_PULL_SHORT; /* more digits may follow */
    }
    value->text = (af_span){json->at, (size_t)(at - json->at)};
    json->at = at;
    return AF_PULL_OK;
}

/* Reads a key and returns SHORT, STRANGE or OK. */
static inline af_pull_state take_key(af_pull *json, af_pull_value *key)
{
    if (*json->at == '"' || (*json->at == '\'' && json->relaxed)) {
        return take_string(json, key);
    }
    key->kind = AF_PULL_STRING;
    key->escaped = FALSE;
    return json->relaxed && g_ascii_isalpha(*json->at) ? take_word(json, key) : AF_PULL_STRANGE;
}

af_pull_state af_pull_take(af_pull *json, af_pull_value *value)
{
    value->escaped = FALSE;
    const af_pull_state state = af_pull_look(json, &value->kind);
    if (state != AF_PULL_OK) {
        return state;
    }
    if (value->kind == AF_PULL_STRING) {
        return take_string(json, value);
    }
    if (value->kind != AF_PULL_OBJECT && value->kind != AF_PULL_ARRAY) {
        return take_word(json, value);
    }
    unsigned deepest = 0;
    const char *begin = json->at, *at = end_nested(json, &deepest);
    if (at == NULL) {
        return AF_PULL_SHORT;
    }
    value->text = (af_span){begin, (size_t)(at - begin)};
    json->at = at;
    return deepest > AF_PULL_DEEPEST ? AF_PULL_STRANGE : AF_PULL_OK;
}

void af_pull_enter(af_pull *json)
{
    json->at++;
}

/* Reads a key that ends with a quote and a colon within a few bytes, as most keys do. */
static inline gboolean take_short_key(af_pull *json, af_pull_value *key)
{
    const char *const begin = json->at + 1, *at = begin;
    if (json->end - json->at < LONGEST_SHORT_KEY + 3 || *json->at != '"') {
        return FALSE;
    }
    while (at < begin + LONGEST_SHORT_KEY && (kind_of(*at) & STRING_STOP) == 0) {
        at++;
    }
    if (at[0] != '"' || at[1] != ':') {
        return FALSE;
    }
    *key = (af_pull_value){.kind = AF_PULL_STRING, .text = {begin, (size_t)(at - begin)}};
    json->at = at + 2;
    return TRUE;
}

af_pull_state af_pull_next_key(af_pull *json, af_pull_value *key)
{
    skip_between(json);
    if (json->at == json->end) {
        return AF_PULL_SHORT;
    }
    if (take_short_key(json, key)) {
        return AF_PULL_OK;
    }
    if (*json->at == '}') {
        json->at++;
        return AF_PULL_END;
    }
    const af_pull_state state = take_key(json, key);
    if (state != AF_PULL_OK) {
        return state;
    }
    af_pull_skip_blanks(json);
    if (json->at == json->end) {
        return AF_PULL_SHORT;
    }
    if (*json->at != ':') {
        return AF_PULL_STRANGE;
    }
    json->at++;
    return AF_PULL_OK;
}

af_pull_state af_pull_next_item(af_pull *json)
{
    skip_between(json);
    if (json->at == json->end) {
        return AF_PULL_SHORT;
    }
    if (*json->at == ']') {
        json->at++;
        return AF_PULL_END;
    }
    return AF_PULL_OK;
}

/* Returns the number of four hex digits at `at`; -1 if they are not hex digits. */
static int hex4(const char *at, const char *end)
{
    int value = 0;
    if (end - at < 4) {
        return -1;
    }
    for (unsigned i = 0; i < 4; i++) {
        const int digit = g_ascii_xdigit_value(at[i]);
        if (digit < 0) {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

/* Decodes the four digits after "\u", or the twelve characters of a surrogate pair. */
static const char *append_code(const char *at, const char *end, GString *buffer)
{
    const int first = hex4(at, end);
    if (first < 0) {
        g_string_append(buffer, "\xEF\xBF\xBD");
        return at;
    }
    at += 4;
    if (first < 0xD800 || first > 0xDFFF) {
        g_string_append_unichar(buffer, (gunichar)first);
        return at;
    }
    const int second =
        first < 0xDC00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u' ? hex4(at + 2, end) : -1;
    if (second < 0xDC00 || second > 0xDFFF) {
        g_string_append(buffer, "\xEF\xBF\xBD");
        return at;
    }
    g_string_append_unichar(buffer, 0x10000 + ((gunichar)(first - 0xD800) << 10) +
                                        (gunichar)(second - 0xDC00));
    return at + 6;
}

af_span af_pull_text(const af_pull_value *value, GString *buffer)
{
    if (!value->escaped) {
        return value->text;
    }
    const char *at = value->text.bytes, *const end = at + value->text.length;
    g_string_truncate(buffer, 0);
    while (at < end) {
        const char *stop = memchr(at, '\\', (size_t)(end - at));
        g_string_append_len(buffer, at, (stop == NULL ? end : stop) - at);
        if (stop == NULL || end - stop < 2) {
            break;
        }
        static const char named[] = "b\bf\fn\nr\rt\t";
        const char c = stop[1];
        at = stop + 2;
        const char *name = c == '\0' ? NULL : strchr(named, c);
        if (c == 'u') {
            at = append_code(at, end, buffer);
        } else {
            g_string_append_c(buffer, name != NULL && (name - named) % 2 == 0 ? name[1] : c);
        }
    }
    return (af_span){buffer->str, buffer->len};
}

/* A decimal number: `digits` times ten to the power of `exponent`. Of the digits that do not fit,
 * only the first is stored, for rounding; the others are counted: 19 digits hold ns since 1970. */
typedef struct {
    gboolean negative, full;
    unsigned next; /* the first digit that did not fit */
    uint64_t digits;
    int64_t exponent;
} decimal;

#define MOST_DIGITS ((UINT64_MAX - 9) / 10) /* one more digit still fits */

static gboolean read_decimal(af_span text, decimal *number)
{
    const char *at = text.bytes, *const end = at + text.length;
    gboolean any = FALSE, after = FALSE;
    *number = (decimal){0};
    if (at < end && (*at == '-' || *at == '+')) {
        number->negative = *at++ == '-';
    }
    for (; at < end; at++) {
        if (g_ascii_isdigit(*at)) {
            any = TRUE;
            const unsigned digit = (unsigned)(*at - '0');
            if (!number->full && number->digits <= MOST_DIGITS) {
                number->digits = number->digits * 10 + digit;
                number->exponent -= after;
            } else {
                number->next = number->full ? number->next : digit;
                number->full = TRUE;
                number->exponent += !after;
            }
        } else if (*at == '.' && !after) {
            after = TRUE;
        } else {
            break;
        }
    }
    if (at < end && any && (*at == 'e' || *at == 'E')) {
        gboolean less = FALSE, digit = FALSE;
        int64_t exponent = 0;
        at++;
        if (at < end && (*at == '-' || *at == '+')) {
            less = *at++ == '-';
        }
        for (; at < end && g_ascii_isdigit(*at); at++) {
            exponent = MIN(exponent * 10 + (*at - '0'), 1000000);
            digit = TRUE;
        }
        any = digit;
        number->exponent += less ? -exponent : exponent;
    }
    return any && at == end;
}

/* The number times ten to the power of `shift`, rounded to the nearest. Returns FALSE if it does
 * not fit. */
static gboolean scale(const decimal *number, int shift, uint64_t *value)
{
    int64_t exponent = number->exponent + shift;
    uint64_t digits = number->digits;
    for (; exponent > 0 && digits > 0; exponent--) {
        if (digits > UINT64_MAX / 10) {
            return FALSE;
        }
        digits *= 10;
    }
    unsigned last = number->next;
    for (; exponent < 0 && (digits > 0 || last > 0); exponent++) {
        last = (unsigned)(digits % 10);
        digits /= 10;
    }
    *value = digits + (last >= 5);
    return TRUE;
}

/* Fast path: whole numbers of at most 18 digits and at most 3 decimals, as nearly all times are. */
static gboolean read_plain_us(af_span text, int64_t *us, int *ns)
{
    const char *at = text.bytes, *const end = at + text.length;
    uint64_t whole = 0;
    unsigned fraction = 0, n = 0;
    const char *const begin = at;
    while (at < end && (unsigned)(*at - '0') < 10 && at - begin < 18) {
        whole = whole * 10 + (unsigned)(*at++ - '0');
    }
    if (at == begin) {
        return FALSE;
    }
    if (at < end && *at == '.') {
        at++;
        while (at < end && n < 3 && (unsigned)(*at - '0') < 10) {
            fraction = fraction * 10 + (unsigned)(*at++ - '0');
            n++;
        }
        while (n++ < 3) {
            fraction *= 10;
        }
    }
    *us = (int64_t)whole;
    *ns = (int)fraction;
    return at == end;
}

gboolean af_pull_us(af_span text, int64_t *us, int *ns)
{
    if (read_plain_us(text, us, ns)) {
        return TRUE;
    }
    decimal number;
    uint64_t value;
    if (!read_decimal(text, &number)) {
        return FALSE;
    }
    if (scale(&number, 3, &value)) {
        *us = (int64_t)(value / 1000);
        *ns = (int)(value % 1000);
    } else if (scale(&number, 0, &value) && value <= INT64_MAX) {
        *us = (int64_t)value; /* since 1601: the decimals are below the precision of any writer */
        *ns = 0;
    } else {
        return FALSE;
    }
    if (number.negative) {
        *us = -*us;
        *ns = -*ns;
    }
    return TRUE;
}

gboolean af_pull_whole(af_span text, int64_t *number)
{
    decimal read;
    uint64_t value = 0;
    if (!read_decimal(text, &read)) {
        return FALSE;
    }
    for (; read.exponent < 0 && read.digits > 0; read.exponent++) {
        read.digits /= 10;
    }
    if (read.digits > 0 && (!scale(&read, 0, &value) || value > INT64_MAX)) {
        return FALSE;
    }
    *number = read.negative ? -(int64_t)value : (int64_t)value;
    return TRUE;
}

gboolean af_pull_scaled(af_span text, int digits, int64_t *number)
{
    decimal read;
    uint64_t value;
    if (!read_decimal(text, &read) || !scale(&read, digits, &value) || value > INT64_MAX) {
        return FALSE;
    }
    *number = read.negative ? -(int64_t)value : (int64_t)value;
    return TRUE;
}

gboolean af_pull_thousandths(af_span text, int64_t *number)
{
    decimal read;
    uint64_t value;
    if (!read_decimal(text, &read)) {
        return FALSE;
    }
    if (!scale(&read, 3, &value) || value > INT64_MAX) {
        value = INT64_MAX;
    }
    *number = read.negative ? -(int64_t)value : (int64_t)value;
    return TRUE;
}
