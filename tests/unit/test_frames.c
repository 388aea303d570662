#include "build/profile_builder.h"
#include "read/frames.h"
#include "suite.h"

/* "class|name", with "|signature" if present. */
static char *show(const char *text, af_frame_kind kind)
{
    const af_method_text m = af_frame_parse(text, strlen(text), kind);
    GString *result = g_string_new(NULL);
    g_string_append_len(result, m.class_name.bytes, (gssize)m.class_name.length);
    g_string_append_c(result, '|');
    g_string_append_len(result, m.name.bytes, (gssize)m.name.length);
    if (m.signature.bytes != NULL) {
        g_string_append_c(result, '|');
        g_string_append_len(result, m.signature.bytes, (gssize)m.signature.length);
    }
    return g_string_free(result, FALSE);
}

static void expect(const char *text, af_frame_kind kind, const char *result)
{
    g_autofree char *is = show(text, kind);
    ck_assert_str_eq(is, result);
}

TEST(names_are_split_into_class_and_method)
{
    expect("com.example.Main.run", AF_FRAME_ANY, "com.example.Main|run");
    expect("java/lang/Thread.run_[j]", AF_FRAME_ANY, "java/lang/Thread|run_[j]");
    expect("io/netty/Handler:.read_[j]", AF_FRAME_ANY, "io/netty/Handler:|read_[j]");
    expect("Main.<init>", AF_FRAME_ANY, "Main|<init>");
    expect("a.b.c", AF_FRAME_ANY, "a.b|c");
    expect("src/ui.d/App.run", AF_FRAME_ANY, "|src/ui.d/App.run");
    expect("com.example.Main$1.lambda$run$0", AF_FRAME_ANY, "com.example.Main$1|lambda$run$0");
}

TEST(annotations_are_removed_from_folded_names)
{
    static const struct {
        const char *text, *result;
        af_annotation annotation;
    } rows[] = {
        {"java/lang/Thread.run_[j]", "java/lang/Thread|run", AF_ANNOTATION_JIT},
        {"java.lang.Thread.run_[i]", "java.lang.Thread|run", AF_ANNOTATION_INLINED},
        {"com.example.Main.run_[k]", "|com.example.Main.run", AF_ANNOTATION_KERNEL},
        {"do_syscall_64_[k]", "|do_syscall_64", AF_ANNOTATION_KERNEL},
        {"vfs_write_[w]", "|vfs_write", AF_ANNOTATION_WAKER},
        {"Main.run_[0]", "Main|run_[0]", AF_ANNOTATION_NONE},
        {"Main.run_[1]", "Main|run_[1]", AF_ANNOTATION_NONE},
        {"a[k]", "|a[k]", AF_ANNOTATION_NONE},
        {"_[k]", "|_[k]", AF_ANNOTATION_NONE},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const af_method_text m =
            af_frame_parse(rows[i].text, strlen(rows[i].text), AF_FRAME_FOLDED);
        expect(rows[i].text, AF_FRAME_FOLDED, rows[i].result);
        ck_assert_int_eq(m.annotation, rows[i].annotation);
        ck_assert_int_eq(
            af_frame_parse(rows[i].text, strlen(rows[i].text), AF_FRAME_ANY).annotation,
            AF_ANNOTATION_NONE);
    }
}

TEST(other_names_are_not_split)
{
    static const char *const whole[] = {
        "main",       "std::vector<int>::at(int) const",
        "foo.cold",   "libc.so.6",
        "[kernel]",   "clone.part.0",
        "a b.c.d",    ".hidden",
        "x.",         "/lib/x86/Libc.so",
        "_start_[k]", "com.example.Main.run_[k]",
        "3.14",       "<module>:35",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(whole); i++) {
        g_autofree char *result = g_strconcat("|", whole[i], NULL);
        expect(whole[i], AF_FRAME_ANY, result);
    }
    expect("SyS_writev.cfi", AF_FRAME_NATIVE, "|SyS_writev.cfi");
    expect("", AF_FRAME_ANY, "|(anonymous)");
}

TEST(java_methods_may_have_signatures)
{
    expect("void a.B.run(int, java.lang.String)", AF_FRAME_JAVA, "a.B|run|(int, java.lang.String)");
    expect("a.b", AF_FRAME_JAVA, "a|b");
    expect("art_jni_trampoline", AF_FRAME_JAVA, "|art_jni_trampoline");
    expect("java.lang.Class.get [DEDUPED]", AF_FRAME_JAVA, "java.lang.Class|get [DEDUPED]");
    expect("void a.B.run [DEDUPED]", AF_FRAME_JAVA, "a.B|run [DEDUPED]");
    expect("[DEDUPED]", AF_FRAME_JAVA, "|[DEDUPED]");
    expect(" [x]", AF_FRAME_JAVA, "|[x]");
    expect("(int)", AF_FRAME_JAVA, "|(anonymous)|(int)");
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
