#include "made_message.h"

#include <string.h>

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
