#include "read/texts.h"

void af_texts_init(af_texts *texts, af_sink *sink)
{
    uint64_t *const meter = af_sink_meter(sink);
    texts->sink = sink;
    af_frames_init(&texts->names, sink);
    texts->arena = af_arena_new();
    af_textmap_init_metered(&texts->map, meter);
    af_array_init_metered(&texts->methods, sizeof(uint32_t), meter);
}

void af_texts_clear(af_texts *texts)
{
    *af_sink_meter(texts->sink) -= af_arena_size(texts->arena);
    af_frames_clear(&texts->names);
    af_textmap_clear(&texts->map);
    af_array_clear(&texts->methods);
    af_arena_free(texts->arena);
}

uint32_t af_texts_add(af_texts *texts, af_span text)
{
    const size_t length = MIN(text.length, AF_LONGEST_NAME);
    const char *bytes = text.bytes == NULL ? "" : text.bytes;
    uint32_t number = af_textmap_find(&texts->map, bytes, length);
    if (number != AF_TEXTMAP_NONE) {
        return number;
    }
    const size_t before = af_arena_size(texts->arena);
    const char *copy = af_arena_copy(texts->arena, bytes, length);
    *af_sink_meter(texts->sink) += af_arena_size(texts->arena) - before;
    number = copy == NULL ? AF_TEXTMAP_NONE : af_textmap_add(&texts->map, copy, length);
    af_sink_fail_if(texts->sink, number == AF_TEXTMAP_NONE);
    return number;
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

uint32_t af_texts_method(af_texts *texts, uint32_t number)
{
    if (number >= texts->map.n || !af_array_reach(&texts->methods, (size_t)number + 1)) {
        af_sink_fail_if(texts->sink, texts->methods.failed);
        return af_frames_name(&texts->names, (af_span){NULL, 0});
    }
    uint32_t *method = &AF_ARRAY_AT(&texts->methods, uint32_t, number);
    if (*method == 0) {
        *method = af_frames_name(&texts->names, af_texts_get(texts, number)) + 1;
    }
    return *method - 1;
}
