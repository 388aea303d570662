/* The wire format of protobuf, for tests: a message is a run of fields. */
#ifndef TESTS_WIRE_H
#define TESTS_WIRE_H

#include <glib.h>

typedef struct {
    const guint8 *bytes;
    gsize length;
} wire;

typedef struct {
    guint number;
    guint type;    /* 0 = a number, 1 = eight bytes, 2 = bytes, 5 = four bytes */
    guint64 value; /* of a number */
    wire bytes;    /* of bytes */
} wire_field;

/* Takes the next field from the message; FALSE at its end. Ends the program if it is broken. */
gboolean wire_next(wire *message, wire_field *field);

/* The number in a field, the last one if there are several; 0 if there is none. */
guint64 wire_number(wire message, guint number);

/* Whether it is there at all. */
gboolean wire_has(wire message, guint number);

/* The bytes of a field; none if there is none. */
wire wire_bytes(wire message, guint number);

/* All numbers in a field, packed or not, as guint64. */
GArray *wire_numbers(wire message, guint number);

/* The bytes as text, to be freed. They must be UTF-8. */
char *wire_text(wire bytes);

#endif
