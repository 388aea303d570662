#include "model/codec.h"

#include "base/append.h"

uint64_t af_codec_u64(af_codec *c, uint64_t value)
{
    if (c->bytes != NULL) {
        af_append_uleb128(c->bytes, value);
        return value;
    }
    if (c->damaged || !af_uleb128(&c->at, c->end, &value)) {
        c->damaged = TRUE;
        return 0;
    }
    return value;
}

uint32_t af_codec_u32(af_codec *c, uint32_t value)
{
    const uint64_t number = af_codec_u64(c, value);
    af_codec_check(c, number <= UINT32_MAX);
    return c->damaged ? 0 : (uint32_t)number;
}

int64_t af_codec_signed(af_codec *c, int64_t value)
{
    const uint64_t folded = value < 0 ? (uint64_t) - (value + 1) * 2 + 1 : (uint64_t)value * 2;
    const uint64_t number = af_codec_u64(c, folded);
    return (number & 1) != 0 ? -(int64_t)(number >> 1) - 1 : (int64_t)(number >> 1);
}

uint32_t af_codec_flags(af_codec *c, gboolean *const *flags, unsigned n, uint32_t above)
{
    uint32_t bits = above << n;
    for (unsigned i = 0; i < n; i++) {
        bits |= (*flags[i] ? 1u : 0u) << i;
    }
    bits = af_codec_u32(c, bits);
    for (unsigned i = 0; i < n; i++) {
        *flags[i] = (bits >> i & 1) != 0;
    }
    return bits >> n;
}

/* Moves past `n` bytes of the input. NULL if it ends before. */
static const void *take_bytes(af_codec *c, uint64_t n)
{
    const uint8_t *at = c->at;
    if (c->damaged || n > (uint64_t)(c->end - c->at)) {
        c->damaged = TRUE;
        return NULL;
    }
    c->at += n;
    return at;
}

void af_codec_bytes(af_codec *c, void *bytes, size_t n)
{
    if (c->bytes != NULL) {
        af_append_bytes(c->bytes, bytes, n);
    } else {
        const void *from = take_bytes(c, n);
        if (from != NULL) {
            memcpy(bytes, from, n);
        }
    }
}

static void put_text(const af_codec *c, const char *text)
{
    const size_t length = text != NULL ? strlen(text) : 0;
    af_append_uleb128(c->bytes, text != NULL ? length + 1 : 0);
    af_append_bytes(c->bytes, text, length);
}

/* Returns a view of the input; bytes == NULL if the text is absent. */
static af_span take_text(af_codec *c)
{
    const uint64_t n = af_codec_u64(c, 0);
    const char *bytes = n > 0 ? take_bytes(c, n - 1) : NULL;
    return (af_span){bytes, bytes != NULL ? (size_t)n - 1 : 0};
}

/* Copies a text. A small file can hold long texts many times, as they share their beginnings. */
static const char *copy_text(af_codec *c, af_span text)
{
    const gboolean fits = text.bytes != NULL && c->fits(c->user, text.length);
    const char *copy = fits ? c->clean(c->user, text) : NULL;
    af_codec_check(c, text.bytes == NULL || copy != NULL);
    return copy;
}

const char *af_codec_text(af_codec *c, const char *text)
{
    if (c->bytes != NULL) {
        put_text(c, text);
        return text;
    }
    return copy_text(c, take_text(c));
}

const char *af_codec_name(af_codec *c, const char *text)
{
    const char *name = af_codec_text(c, text);
    af_codec_check(c, name != NULL);
    return name;
}

static void put_next(af_codec *c, const char *text)
{
    size_t shared = 0;
    while (text != NULL && text[shared] != '\0' && text[shared] == c->before[shared]) {
        shared++;
    }
    af_append_uleb128(c->bytes, shared);
    put_text(c, text != NULL ? text + shared : NULL);
    c->before = text != NULL ? text : "";
}

static const char *take_next(af_codec *c)
{
    const uint64_t shared = af_codec_u64(c, 0);
    const af_span rest = take_text(c);
    af_codec_check(c, shared == 0 || (shared <= c->text->n && rest.bytes != NULL));
    c->text->n = c->damaged || rest.bytes == NULL ? 0 : (size_t)shared;
    if (c->damaged || rest.bytes == NULL) {
        return NULL;
    }
    af_append_bytes(c->text, rest.bytes, rest.length);
    af_codec_check(c, !c->text->failed);
    return c->damaged ? NULL
                      : copy_text(c, (af_span){c->text->n > 0 ? c->text->items : "", c->text->n});
}

void af_codec_texts(af_codec *c, void *items, uint32_t n, size_t size, size_t offset)
{
    c->before = "";
    if (c->bytes == NULL) {
        c->text->n = 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        const char **text = (const char **)(void *)((char *)items + i * size + offset);
        if (c->bytes != NULL) {
            put_next(c, *text);
        } else {
            *text = take_next(c);
        }
    }
}

uint32_t af_codec_count(af_codec *c, unsigned least)
{
    const uint64_t n = af_codec_u64(c, 0);
    af_codec_check(c, n <= (uint64_t)(c->end - c->at) / least && n < UINT32_MAX);
    return c->damaged ? 0 : (uint32_t)n;
}

void *af_codec_items(af_codec *c, const void *items, uint32_t *n, size_t size, unsigned least)
{
    if (c->bytes != NULL) {
        af_codec_u64(c, *n);
        return (void *)items;
    }
    *n = af_codec_count(c, least);
    const uint64_t bytes = size * ((uint64_t)*n + 1);
    void *made =
        c->fits(c->user, bytes) ? af_arena_alloc(c->arena, (size_t)MIN(bytes, SIZE_MAX)) : NULL;
    if (made == NULL) {
        c->damaged = TRUE;
        *n = 0;
        return NULL;
    }
    return memset(made, 0, (size_t)bytes);
}
