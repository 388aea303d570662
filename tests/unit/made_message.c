#include "made_message.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"

void made_varint(GByteArray *to, uint64_t number)
{
    for (; number >= 0x80; number >>= 7) {
        g_byte_array_append(to, &(guint8){(guint8)(number | 0x80)}, 1);
    }
    g_byte_array_append(to, &(guint8){(guint8)number}, 1);
}

void made_field(GByteArray *to, unsigned field, const void *bytes, size_t length)
{
    made_varint(to, field << 3 | 2);
    made_varint(to, length);
    g_byte_array_append(to, bytes, (guint)length);
}

static void put(GByteArray *to, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        g_byte_array_append(to, &(guint8){(guint8)(i < 8 ? value >> (8 * i) : 0)}, 1);
    }
}

static uint64_t take_number(const char **at)
{
    char *end;
    const uint64_t value = strtoull(*at, &end, 0);
    ck_assert_msg(end > *at, "not a number: %s", *at);
    *at = end;
    return value;
}

/* The text between two quotes; moves *at past them. */
static const char *take_text(const char **at, size_t *length)
{
    const char *begin = *at + 1, *end = strchr(begin, **at);
    ck_assert_msg(end != NULL, "%s", *at);
    *length = (size_t)(end - begin);
    *at = end + 1;
    return begin;
}

/* A word that begins with a number. */
static void put_number(GByteArray *to, const char **at)
{
    const uint64_t value = take_number(at);
    size_t length;
    if (**at == '=' && (*at)[1] == '"') {
        ++*at;
        const char *text = take_text(at, &length);
        made_field(to, (unsigned)value, text, length);
    } else if (**at == '=') {
        ++*at;
        made_varint(to, value << 3);
        made_varint(to, take_number(at));
    } else {
        *at += **at == '/';
        put(to, value, (*at)[-1] == '/' ? (unsigned)take_number(at) : 8);
    }
    ck_assert_msg(**at == ' ' || **at == '\0', "%s", *at);
}

/* Up to the end or past the bracket that closes; returns where that is. */
static const char *put_words(GByteArray *to, const char *at)
{
    for (at += strspn(at, " "); *at != '\0'; at += strspn(at, " ")) {
        const size_t digits = strspn(at, "0123456789");
        size_t length;
        if (*at == '}' || *at == ']') {
            return at + 1;
        }
        if (*at == '[' || at[digits] == '{') {
            g_autoptr(GByteArray) inner = g_byte_array_new();
            const char *end = put_words(inner, at + digits + 1);
            if (*at == '[') {
                put(to, inner->len, 4);
                g_byte_array_append(to, inner->data, inner->len);
            } else {
                made_field(to, (unsigned)atoi(at), inner->data, inner->len);
            }
            at = end;
        } else if (*at == '\'' || *at == '"') {
            const gboolean ends = *at == '\'';
            const char *text = take_text(&at, &length);
            g_byte_array_append(to, (const guint8 *)text, (guint)length);
            put(to, 0, ends ? 1 : 0);
        } else if (*at == '~') {
            at++;
            made_varint(to, take_number(&at));
        } else {
            put_number(to, &at);
        }
    }
    return at;
}

void made_bytes(GByteArray *to, const char *words)
{
    put_words(to, words);
}
