/* Messages of protobuf, built field by field, and other bytes. */
#pragma once

#include <stdint.h>

#include <glib.h>

/* 7 bits in each byte, lowest first; also what other formats call LEB128. */
void made_varint(GByteArray *to, uint64_t number);

void made_number(GByteArray *to, unsigned field, uint64_t number);
void made_field(GByteArray *to, unsigned field, const void *bytes, size_t length);
void made_string(GByteArray *to, unsigned field, const char *text);

/* Appends a message and empties it. */
void made_message(GByteArray *to, unsigned field, GByteArray *message);

/* Appends bytes written as words with blanks between them: NUMBER (8 bytes) or NUMBER/BYTES, decimal,
 * hex or negative; 'TEXT' with a trailing zero, "TEXT" without; `[` and `]` prepend the number of bytes
 * between them, as 4 bytes. */
void made_bytes(GByteArray *to, const char *words);
