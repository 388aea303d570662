/* Messages of protobuf, and other bytes. */
#pragma once

#include <stdint.h>

#include <glib.h>

/* 7 bits in each byte, lowest first; also what other formats call LEB128. */
void made_varint(GByteArray *to, uint64_t number);

void made_field(GByteArray *to, unsigned field, const void *bytes, size_t length);

/* Appends bytes written as words with blanks between them: NUMBER (8 bytes) or NUMBER/BYTES, decimal or
 * hex; ~NUMBER, a varint; 'TEXT' with a trailing zero, "TEXT" without; `[` and `]` prepend the number of
 * bytes between them, as 4 bytes. FIELD=NUMBER, FIELD="TEXT" and FIELD{ ... } are fields of protobuf. */
void made_bytes(GByteArray *to, const char *words);
