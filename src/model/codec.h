/* A codec: writes the fields of a saved profile (base/aflp.h) or reads them, so that the same code
 * describes both.
 *
 * Each function takes a value and returns it: with `bytes`, after appending it to them; without, the
 * value that is read at `at` in place of it. After the first missing value, every value that is read
 * is 0 or absent and `damaged` is set. */
#pragma once

#include "base/array.h"
#include "base/span.h"

typedef struct {
    af_array *bytes;    /* to write to; NULL = reads */
    const char *before; /* the previous text of the column that is written */
    /* Of a codec that reads: */
    const uint8_t *at, *end;
    gboolean damaged;
    af_array *text;  /* of char: the previous text of the column that is read; borrowed */
    af_arena *arena; /* of items */
    /* Copies a text, cleaned; NULL if memory is refused. Whether memory is within the limit. */
    const char *(*clean)(void *user, af_span text);
    gboolean (*fits)(void *user, uint64_t bytes);
    void *user;
} af_codec;

uint64_t af_codec_u64(af_codec *codec, uint64_t value);
uint32_t af_codec_u32(af_codec *codec, uint32_t value);
int64_t af_codec_signed(af_codec *codec, int64_t value);

/* The bits of a number. Returns the number without them: the bits above. */
uint32_t af_codec_flags(af_codec *codec, gboolean *const *flags, unsigned n, uint32_t above);

/* Bytes of a known number. */
void af_codec_bytes(af_codec *codec, void *bytes, size_t n);

/* NULL = absent; for a name that is damage. */
const char *af_codec_text(af_codec *codec, const char *text);
const char *af_codec_name(af_codec *codec, const char *text);

/* A column: the text at `offset` in each of `n` items of `size` bytes. */
void af_codec_texts(af_codec *codec, void *items, uint32_t n, size_t size, size_t offset);

/* Marks the input as damaged unless a value is valid. */
static inline void af_codec_check(af_codec *codec, gboolean valid)
{
    codec->damaged |= !valid;
}

/* Reads the count of items that take at least `least` bytes each. */
uint32_t af_codec_count(af_codec *codec, unsigned least);

/* The count *n and as many items of `size` bytes: those given, or new ones, all zero. If memory is
 * refused, the input counts as damaged and *n is 0. */
void *af_codec_items(af_codec *codec, const void *items, uint32_t *n, size_t size, unsigned least);
