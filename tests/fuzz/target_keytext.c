/* The text part of a trace: any bytes give spans within these bytes and a usable sink. */
#include "api/autoptr.h"
#include "build/profile_builder.h"
#include "checks.h"
#include "feed.h"
#include "read/android/keytext.h"

static gboolean lies_in(const char *at, size_t length, const uint8_t *bytes, size_t size)
{
    const char *begin = (const char *)bytes;
    return length == 0 ||
           (at >= begin && at <= begin + size && length <= size - (size_t)(at - begin));
}

static void check_text(const af_keytext *text, const uint8_t *bytes, size_t size)
{
    FUZZ_CHECK(text->end_line == SIZE_MAX || text->end_line < size);
    FUZZ_CHECK(!text->has_end || (text->end_line < text->end && text->end <= size));
    FUZZ_CHECK(lies_in(text->facts.bytes, text->facts.length, bytes, size));
    FUZZ_CHECK(lies_in(text->methods.bytes, text->methods.length, bytes, size));
    for (size_t i = 0; i < text->threads.n; i++) {
        const af_span name = AF_ARRAY_AT(&text->threads, af_thread_line, i).name;
        FUZZ_CHECK(name.length == 0 || name.bytes != NULL);
        FUZZ_CHECK(name.length <= size);
    }
}

static void record(af_sink *sink, const af_keytext *text)
{
    const af_ticks ticks = {.clocks = 1u << AF_WALL, .tick_ns = 1000};
    af_sink_start(sink, &ticks);
    const uint32_t methods = af_sink_methods(sink)->n;
    for (size_t i = 0; i < text->threads.n && i < 100; i++) {
        const uint64_t id = AF_ARRAY_AT(&text->threads, af_thread_line, i).id;
        const af_event event = {
            .thread = af_sink_thread(sink, i % 2 == 0 ? id : id & 0xFFFF),
            .call = af_event_call(methods == 0 ? af_sink_method(sink, 4) : (uint32_t)(i % methods),
                                  AF_ENTER),
            .time = {i, 0}};
        af_sink_events(sink, &event, 1, i, 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    if (size < 1) {
        return 0;
    }
    const uint8_t how = *bytes++;
    size--;
    af_keytext text;
    af_keytext_scan(&text, bytes, size);
    check_text(&text, bytes, size);
    af_sink *sink = af_sink_new(&options);
    af_keytext_take_facts(&text, (how & 1) != 0, sink);
    af_keytext_take_methods(&text, sink, (how & 2) != 0 ? UINT32_MAX : UINT64_MAX, (how & 4) != 0);
    record(sink, &text);
    af_keytext_take_threads(&text, NULL, (how & 8) != 0, (how & 16) != 0, sink);
    af_keytext_clear(&text);
    GError *error = NULL;
    g_autoptr(af_profile) profile = af_sink_finish(sink, &options, &error);
    af_sink_free(sink);
    FUZZ_CHECK(profile != NULL && error == NULL);
    af_categories_assign(profile);
    fuzz_check_profile(profile);
    if (fuzz_selects(bytes, size)) {
        fuzz_check_texts(profile);
    }
    return 0;
}
