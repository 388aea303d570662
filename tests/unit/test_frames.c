#include "build/profile_builder.h"
#include "cases.h"
#include "read/frames.h"
#include "suite.h"

/* "class|name", with "|signature" if present. */
static char *show(const char *text, af_frame_kind kind)
{
    static const char *const annotations[] = {[AF_ANNOTATION_NONE] = "",
                                              [AF_ANNOTATION_JIT] = " jit",
                                              [AF_ANNOTATION_INLINED] = " inlined",
                                              [AF_ANNOTATION_KERNEL] = " kernel",
                                              [AF_ANNOTATION_WAKER] = " waker"};
    const af_method_text m = af_frame_parse(text, strlen(text), kind);
    GString *result = g_string_new(NULL);
    g_string_append_len(result, m.class_name.bytes, (gssize)m.class_name.length);
    g_string_append_c(result, '|');
    g_string_append_len(result, m.name.bytes, (gssize)m.name.length);
    if (m.signature.bytes != NULL) {
        g_string_append_c(result, '|');
        g_string_append_len(result, m.signature.bytes, (gssize)m.signature.length);
    }
    g_string_append(result, annotations[m.annotation]);
    return g_string_free(result, FALSE);
}

static char *show_any(const char *text)
{
    return show(text, AF_FRAME_ANY);
}

static char *show_folded(const char *text)
{
    return show(text, AF_FRAME_FOLDED);
}

static char *show_java(const char *text)
{
    return show(text, AF_FRAME_JAVA);
}

static char *show_native(const char *text)
{
    return show(text, AF_FRAME_NATIVE);
}

TEST(names_are_split_into_class_and_method)
{
    cases_map("frames of any kind", show_any);
    cases_map("frames of folded stacks", show_folded);
    cases_map("frames of Java", show_java);
    cases_map("frames of native code", show_native);
}

TEST(stacks_are_reversed)
{
    af_array methods;
    af_array_init(&methods, sizeof(uint32_t));
    for (uint32_t n = 0; n < 6; n++) {
        af_frames_turn(&methods);
        for (uint32_t i = 0; i < n; i++) {
            ck_assert_uint_eq(AF_ARRAY_AT(&methods, uint32_t, i), n % 2 == 0 ? i : n - 1 - i);
        }
        methods.n = 0;
        uint32_t *items = af_array_add(&methods, n + 1);
        for (uint32_t i = 0; i <= n; i++) {
            items[i] = (n + 1) % 2 == 0 ? n - i : i;
        }
    }
    af_array_clear(&methods);
}

/* All have the same name, and each its own address. */
TEST(unmapped_addresses_are_named_up_to_a_limit)
{
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    af_sink *sink = af_sink_new(&options);
    af_frames frames;
    af_frames_init(&frames, sink);
    const uint32_t first = af_frames_nowhere(&frames, 0),
                   second = af_frames_nowhere(&frames, 0x7f0012);
    ck_assert_uint_ne(first, second);
    for (uint64_t i = 0; i < AF_FRAMES_NOWHERE - 2; i++) {
        af_frames_nowhere(&frames, 0x7f0013 + i);
    }
    const uint32_t others = af_frames_nowhere(&frames, 1);
    ck_assert_uint_eq(af_frames_nowhere(&frames, 2), others);
    ck_assert_uint_eq(af_frames_nowhere(&frames, 0x7f0012), second);
    ck_assert_uint_eq(af_sink_method_text(sink, second)->name.length, 9);
    ck_assert_mem_eq(af_sink_method_text(sink, second)->name.bytes, "[unknown]", 9);
    ck_assert_uint_eq(af_sink_method_text(sink, second)->nowhere.length, 6);
    ck_assert_mem_eq(af_sink_method_text(sink, second)->nowhere.bytes, "7f0012", 6);
    ck_assert_mem_eq(af_sink_method_text(sink, first)->nowhere.bytes, "0", 1);
    ck_assert_uint_eq(af_sink_method_text(sink, others)->nowhere.length, 0);
    ck_assert_mem_eq(af_sink_method_text(sink, others)->library.bytes, "unknown", 7);
    af_frames_clear(&frames);
    af_sink_free(sink);
}
