#include "read/texts.h"

#include <string.h>

void af_texts_init(af_texts *texts, af_sink *sink)
{
    af_meter *const meter = af_sink_meter(sink);
    texts->sink = sink;
    memset(texts->recent, 0, sizeof texts->recent);
    af_frames_init(&texts->names, sink);
    texts->arena = af_arena_new();
    af_textmap_init_metered(&texts->map, meter);
    af_array_init_metered(&texts->methods, sizeof(af_text_method), meter);
}

void af_texts_clear(af_texts *texts)
{
    af_sink_meter(texts->sink)->bytes -= af_arena_size(texts->arena);
    af_frames_clear(&texts->names);
    af_textmap_clear(&texts->map);
    memset(texts->recent, 0, sizeof texts->recent);
    af_array_clear(&texts->methods);
    af_arena_free(texts->arena);
}

/* The slot of a text among the recent ones, by its first and last bytes. */
static inline unsigned slot_of(const char *bytes, size_t length)
{
    uint64_t first = 0, last = 0;
    if (length >= sizeof first) {
        memcpy(&first, bytes, sizeof first);
        memcpy(&last, bytes + length - sizeof last, sizeof last);
    } else if (length >= 4) {
        memcpy(&first, bytes, 4);
        memcpy(&last, bytes + length - 4, 4);
    } else if (length > 0) {
        first = (uint8_t)bytes[0];
        last = (uint64_t)(uint8_t)bytes[length / 2] << 8 | (uint8_t)bytes[length - 1];
    }
    const uint64_t mixed = (first + last * 31 + length) * UINT64_C(0x9E3779B97F4A7C15);
    return (unsigned)(mixed >> 32) % AF_TEXTS_RECENT;
}

static inline gboolean is_text(const af_texts *texts, uint32_t number, const char *bytes,
                               size_t length)
{
    const af_textmap_entry *entry = &texts->map.entries[number];
    return entry->length == length && (length == 0 || memcmp(entry->bytes, bytes, length) == 0);
}

uint32_t af_texts_add(af_texts *texts, af_span text)
{
    const size_t length = MIN(text.length, AF_LONGEST_NAME);
    const char *bytes = text.bytes == NULL ? "" : text.bytes;
    uint32_t *const recent = &texts->recent[slot_of(bytes, length)];
    if (*recent > 0 && is_text(texts, *recent - 1, bytes, length)) {
        return *recent - 1;
    }
    const size_t before = af_arena_size(texts->arena);
    const uint32_t number = af_textmap_keep(&texts->map, texts->arena, bytes, length);
    texts->map.texts.meter->bytes += af_arena_size(texts->arena) - before;
    *recent = number + 1; /* 0 if memory is refused */
    return number;
}

uint32_t af_texts_add_some(af_texts *texts, af_span text)
{
    return text.length == 0 ? AF_NO_TEXT : af_texts_add(texts, text);
}

af_span af_texts_get(const af_texts *texts, uint32_t number)
{
    static const af_span none = {"", 0};
    if (number >= texts->map.n) {
        return none;
    }
    const af_textmap_entry *entry = &texts->map.entries[number];
    return (af_span){entry->bytes, entry->length};
}

uint32_t af_texts_method(af_texts *texts, uint32_t number, uint32_t category)
{
    af_text_method *known = number < texts->map.n ? af_array_slot(&texts->methods, number) : NULL;
    if (known == NULL) {
        return af_frames_name(&texts->names, (af_span){NULL, 0});
    }
    if (known->method == 0) {
        *known = (af_text_method){af_frames_name_in(&texts->names, af_texts_get(texts, number),
                                                    af_texts_get(texts, category)) +
                                      1,
                                  category};
    } else if (category != known->category && category != AF_NO_TEXT) {
        af_frames_name_in(&texts->names, af_texts_get(texts, number),
                          af_texts_get(texts, category)); /* counts it */
    }
    return known->method - 1;
}
