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

void made_number(GByteArray *to, unsigned field, uint64_t number)
{
    made_varint(to, field << 3);
    made_varint(to, number);
}

void made_field(GByteArray *to, unsigned field, const void *bytes, size_t length)
{
    made_varint(to, field << 3 | 2);
    made_varint(to, length);
    g_byte_array_append(to, bytes, (guint)length);
}

void made_string(GByteArray *to, unsigned field, const char *text)
{
    made_field(to, field, text, strlen(text));
}

void made_message(GByteArray *to, unsigned field, GByteArray *message)
{
    made_field(to, field, message->data, message->len);
    g_byte_array_set_size(message, 0);
}

static void put(GByteArray *to, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        g_byte_array_append(to, &(guint8){(guint8)(i < 8 ? value >> (8 * i) : 0)}, 1);
    }
}

static void poke(GByteArray *to, size_t at, uint64_t value, unsigned width)
{
    ck_assert_uint_le(at + width, to->len);
    for (unsigned i = 0; i < width; i++) {
        to->data[at + i] = (uint8_t)(value >> (8 * i));
    }
}

static uint64_t take_number(const char **at)
{
    char *end;
    const uint64_t value = **at == '-' ? (uint64_t)strtoll(*at, &end, 0) : strtoull(*at, &end, 0);
    ck_assert_msg(end > *at, "not a number: %s", *at);
    *at = end;
    return value;
}

void made_bytes(GByteArray *to, const char *words)
{
    const guint begin = to->len;
    guint open = 0;
    for (const char *at = words + strspn(words, " "); *at != '\0'; at += strspn(at, " ")) {
        if (*at == '\'' || *at == '"') {
            const char *end = strchr(at + 1, *at);
            ck_assert_msg(end != NULL, "%s", at);
            g_byte_array_append(to, (const guint8 *)at + 1, (guint)(end - at - 1));
            put(to, 0, *at == '\'' ? 1 : 0);
            at = end + 1;
        } else if (strncmp(at, "pad", 3) == 0) {
            put(to, 0, (8 - (to->len - begin) % 8) % 8);
            at += 3;
        } else if (*at == '[') {
            open = to->len;
            put(to, 0, 4);
            at++;
        } else if (*at == ']') {
            poke(to, open, to->len - open - 4, 4);
            at++;
        } else {
            const uint64_t value = take_number(&at);
            at += *at == '/';
            put(to, value, at[-1] == '/' ? (unsigned)take_number(&at) : 8);
            ck_assert_msg(*at == ' ' || *at == '\0', "%s", at);
        }
    }
}
