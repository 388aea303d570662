#include "base/out.h"
#include "base/memory_error.h"

void af_out_open(af_out *out, af_write_func write, void *user)
{
    out->write = write;
    out->user = user;
    out->error = NULL;
    out->used = 0;
}

gboolean af_out_pass(af_write_func write, void *user, const void *bytes, size_t length,
                     GError **error)
{
    GError *own = NULL;
    if (write(user, bytes, length, &own) && own == NULL) {
        return TRUE;
    }
    if (own == NULL) {
        own = g_error_new_literal(AF_ERROR, AF_ERROR_OUTPUT,
                                  "the output failed for an unknown reason");
    }
    g_propagate_error(error, own);
    return FALSE;
}

static void send(af_out *out, const void *bytes, size_t length)
{
    if (out->error == NULL && length > 0) {
        af_out_pass(out->write, out->user, bytes, length, &out->error);
    }
}

void af_out_redirect(af_out *out, af_write_func write, void *user)
{
    send(out, out->bytes, out->used);
    out->used = 0;
    out->write = write;
    out->user = user;
}

gboolean af_out_close(af_out *out, GError **error)
{
    send(out, out->bytes, out->used);
    out->used = 0;
    if (out->error != NULL) {
        g_propagate_error(error, out->error);
        out->error = NULL;
        return FALSE;
    }
    return TRUE;
}

void af_out_refuse(af_out *out)
{
    if (out->error == NULL) {
        af_memory_error_set(&out->error);
    }
}

void af_out_overflow(af_out *out, const void *bytes, size_t length)
{
    send(out, out->bytes, out->used);
    out->used = 0;
    if (length > sizeof out->bytes) {
        send(out, bytes, length);
    } else {
        af_out_bytes(out, bytes, length);
    }
}

void af_out_text_list(af_out *out, const char *const *texts)
{
    for (; *texts != NULL; texts++) {
        af_out_text(out, *texts);
    }
}

void af_out_u64(af_out *out, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    af_out_bytes(out, digits + at, sizeof digits - at);
}

void af_out_i64(af_out *out, int64_t value)
{
    if (value < 0) {
        af_out_char(out, '-');
        af_out_u64(out, 0 - (uint64_t)value);
    } else {
        af_out_u64(out, (uint64_t)value);
    }
}

void af_out_decimal(af_out *out, uint64_t value, unsigned digits)
{
    uint64_t one = 1;
    for (unsigned i = 0; i < digits; i++) {
        one *= 10;
    }
    af_out_u64(out, value / one);
    char text[20] = ".";
    size_t used = 0;
    for (uint64_t rest = value % one; rest != 0; rest %= one) {
        one /= 10;
        text[++used] = (char)('0' + rest / one);
    }
    if (used > 0) {
        af_out_bytes(out, text, used + 1);
    }
}

/* A hot path: pictures consist mostly of these numbers. */
void af_out_hundredths(af_out *out, int64_t value)
{
    const uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    char text[24], *at = text + sizeof text, *end = at;
    if (size % 10 != 0) {
        *--at = (char)('0' + size % 10);
    }
    if (size % 100 != 0) {
        *--at = (char)('0' + size / 10 % 10);
        *--at = '.';
    }
    uint64_t whole = size / 100;
    do {
        *--at = (char)('0' + whole % 10);
        whole /= 10;
    } while (whole != 0);
    if (value < 0) {
        *--at = '-';
    }
    af_out_bytes(out, at, (size_t)(end - at));
}

void af_out_base64(af_out *out, const void *bytes, size_t length)
{
    enum { AT_ONCE = 3 * 1024 }; /* whole groups of three, so that only the end is padded */
    char text[AT_ONCE / 3 * 4 + 8];
    const guchar *from = bytes;
    for (size_t at = 0; at < length; at += AT_ONCE) {
        int state = 0, save = 0;
        size_t used =
            g_base64_encode_step(from + at, MIN(length - at, AT_ONCE), FALSE, text, &state, &save);
        used += g_base64_encode_close(FALSE, text + used, &state, &save);
        af_out_bytes(out, text, used);
    }
}

bool af_out_to_array(void *user, const void *bytes, size_t length, GError **error)
{
    GByteArray *array = user;
    if (length > G_MAXUINT - array->len) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_MEMORY, "the output is too large for memory");
        return FALSE;
    }
    g_byte_array_append(array, bytes, (guint)length);
    return TRUE;
}
