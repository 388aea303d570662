/* A buffered output for bytes.
 *
 * The first failure sticks and later output is discarded, so a writer checks the result once, in
 * af_out_close(). Numbers do not depend on the locale. */
#pragma once

#include <stdint.h>
#include <string.h>
#include <glib.h>
#include <aflame/output.h>

typedef struct {
    af_write_func write;
    void *user;
    GError *error; /* the first error */
    size_t used;
    char bytes[32 * 1024];
} af_out;

/* Passes bytes to `write`. A function of the caller that fails without an error gets one: otherwise
 * an incomplete file would count as complete. */
gboolean af_out_pass(af_write_func write, void *user, const void *bytes, size_t length,
                     GError **error);

void af_out_open(af_out *out, af_write_func write, void *user);

/* Sends the rest of the buffer, and from now on all output elsewhere. */
void af_out_redirect(af_out *out, af_write_func write, void *user);

/* Sends the rest of the buffer. Returns FALSE with the first error if there was one. */
gboolean af_out_close(af_out *out, GError **error);

/* Reports that memory for the next output was refused: sticks like a failed write, with
 * AF_ERROR_MEMORY. */
void af_out_refuse(af_out *out);

/* af_out_bytes() for bytes that do not fit into the buffer. */
void af_out_overflow(af_out *out, const void *bytes, size_t length);

static inline void af_out_bytes(af_out *out, const void *bytes, size_t length)
{
    if (length > sizeof out->bytes - out->used) {
        af_out_overflow(out, bytes, length);
        return;
    }
    memcpy(out->bytes + out->used, bytes, length);
    out->used += length;
}

static inline void af_out_text(af_out *out, const char *text)
{
    af_out_bytes(out, text, strlen(text));
}

/* Writes several texts; none may be NULL. */
#define af_out_texts(out, ...) af_out_text_list(out, (const char *const[]){__VA_ARGS__, NULL})

void af_out_text_list(af_out *out, const char *const *texts);

static inline void af_out_char(af_out *out, char c)
{
    af_out_bytes(out, &c, 1);
}

void af_out_u64(af_out *out, uint64_t value);
void af_out_i64(af_out *out, int64_t value);

/* A number between two texts. */
static inline void af_out_number(af_out *out, const char *before, uint64_t value, const char *after)
{
    af_out_text(out, before);
    af_out_u64(out, value);
    af_out_text(out, after);
}

/* `value` hundredths, without trailing zeros: 1250 -> 12.5, -5 -> -0.05. */
void af_out_hundredths(af_out *out, int64_t value);

/* `value` with its last `digits` (at most 19) as decimals, without trailing zeros: 1250, 3 ->
 * 1.25. */
void af_out_decimal(af_out *out, uint64_t value, unsigned digits);

/* Without line ends. */
void af_out_base64(af_out *out, const void *bytes, size_t length);

/* An af_write_func that appends to a GByteArray (`user`). */
bool af_out_to_array(void *user, const void *bytes, size_t length, GError **error);
