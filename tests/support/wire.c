#include "wire.h"

#include "export_rows.h"

static guint64 take_number(wire *message)
{
    guint64 value = 0;
    for (guint shift = 0; shift < 70; shift += 7) {
        if (message->length == 0) {
            break;
        }
        const guint8 byte = *message->bytes++;
        message->length--;
        value |= (guint64)(byte & 0x7F) << shift;
        if ((byte & 0x80) == 0) {
            return value;
        }
    }
    refuse("a number is not terminated");
}

gboolean wire_next(wire *message, wire_field *field)
{
    if (message->length == 0) {
        return FALSE;
    }
    const guint64 key = take_number(message);
    *field = (wire_field){.number = (guint)(key >> 3), .type = key & 7};
    gsize size = field->type == 1 ? 8 : field->type == 5 ? 4 : 0;
    if (field->type == 0) {
        field->value = take_number(message);
    } else if (field->type == 2) {
        size = take_number(message);
    } else if (size == 0) {
        refuse("field %u has the wrong type %u", field->number, field->type);
    }
    if (field->number == 0 || size > message->length) {
        refuse("field %u extends past its message", field->number);
    }
    field->bytes = (wire){message->bytes, size};
    message->bytes += size;
    message->length -= size;
    return TRUE;
}

guint64 wire_number(wire message, guint number)
{
    guint64 value = 0;
    wire_field field;
    while (wire_next(&message, &field)) {
        value = field.number == number && field.type == 0 ? field.value : value;
    }
    return value;
}

gboolean wire_has(wire message, guint number)
{
    gboolean has = FALSE;
    wire_field field;
    while (wire_next(&message, &field)) {
        has = has || field.number == number;
    }
    return has;
}

wire wire_bytes(wire message, guint number)
{
    wire bytes = {(const guint8 *)"", 0};
    wire_field field;
    while (wire_next(&message, &field)) {
        bytes = field.number == number && field.type == 2 ? field.bytes : bytes;
    }
    return bytes;
}

GArray *wire_numbers(wire message, guint number)
{
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(guint64));
    wire_field field;
    while (wire_next(&message, &field)) {
        if (field.number == number && field.type == 0) {
            g_array_append_val(numbers, field.value);
        }
        while (field.number == number && field.type == 2 && field.bytes.length > 0) {
            const guint64 value = take_number(&field.bytes);
            g_array_append_val(numbers, value);
        }
    }
    return numbers;
}

char *wire_text(wire bytes)
{
    if (!g_utf8_validate((const char *)bytes.bytes, (gssize)bytes.length, NULL)) {
        refuse("a text is not UTF-8");
    }
    return g_strndup((const char *)bytes.bytes, bytes.length);
}
