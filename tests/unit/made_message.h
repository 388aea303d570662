/* Messages of protobuf, built field by field. */
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
