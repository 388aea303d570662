/* Protobuf's wire format, for tests: a message is a sequence of fields. */
#pragma once

#include <glib.h>

typedef struct {
    const guint8 *bytes;
    gsize length;
} wire;

typedef struct {
    guint number;
    guint type;    /* 0 = a number, 1 = eight bytes, 2 = bytes, 5 = four bytes */
    guint64 value; /* for numbers */
    wire bytes;    /* for bytes */
} wire_field;

/* Takes the next field from the message; FALSE at the end. Ends the program if it is malformed. */
gboolean wire_next(wire *message, wire_field *field);

/* The number in a field, the last one if the field repeats; 0 if absent. */
guint64 wire_number(wire message, guint number);

/* Whether the field is present. */
gboolean wire_has(wire message, guint number);

/* The bytes of a field; empty if absent. */
wire wire_bytes(wire message, guint number);

/* All numbers in a field, packed or not, as guint64. */
GArray *wire_numbers(wire message, guint number);

/* The bytes as text, which the caller frees. They must be UTF-8. */
char *wire_text(wire bytes);
