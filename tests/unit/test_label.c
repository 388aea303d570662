#include <string.h>

#include "render/face.h"
#include "render/label.h"
#include "suite.h"

enum { SIZE = 1150 };

static af_label make_label(const char *text, uint32_t class_length)
{
    return (af_label){
        .text = text,
        .length = (uint32_t)strlen(text),
        .class_length = class_length,
        .method_at = class_length ? class_length + 1 : 0,
    };
}

static int32_t advance(const char *text)
{
    return af_face_advance(FALSE, SIZE, text, strlen(text));
}

static void check_fit(const af_label *label, int32_t width, const char *expected)
{
    const af_label_form fitted = af_label_fit(label, SIZE, width);
    ck_assert_pstr_eq(fitted.text, expected);
    if (expected) {
        ck_assert_int_eq(fitted.advance, advance(expected));
        ck_assert_int_le(fitted.advance, width);
    }
    g_free(fitted.text);
}

TEST(labels_shrink_step_by_step)
{
    const af_label label = make_label("com.foo.MainActivity.onCreate", 20);
    check_fit(&label, advance(label.text), "com.foo.MainActivity.onCreate");
    check_fit(&label, advance(label.text) - 1, "MainActivity.onCreate");
    check_fit(&label, advance("MainActivity.onCreate"), "MainActivity.onCreate");
    check_fit(&label, advance("MainActivity.onCreate") - 1, "onCreate");
    check_fit(&label, advance("onCreate"), "onCreate");
    check_fit(&label, advance("onCreate") - 1, NULL); /* onC...te would be no clearer */
    check_fit(&label, 0, NULL);
}

TEST(long_methods_lose_their_middle)
{
    const af_label label = make_label("a.B.startMethodTracingDdms", 3);
    const af_label_form fitted = af_label_fit(&label, SIZE, advance("startMethodTrac"));
    ck_assert_ptr_nonnull(fitted.text);
    ck_assert(g_str_has_prefix(fitted.text, "startM"));
    ck_assert(g_str_has_suffix(fitted.text, "Ddms"));
    ck_assert_ptr_nonnull(strstr(fitted.text, "\xe2\x80\xa6"));
    g_free(fitted.text);
    check_fit(&label,
              advance("star\xe2\x80\xa6"
                      "dm"),
              NULL);
}

TEST(constructors_keep_their_class)
{
    const af_label label = make_label("android.view.TextView.<init>", 21);
    check_fit(&label, advance("TextView.<init>"), "TextView.<init>");
    check_fit(&label, advance("TextView.<init>") - 1, "TextView");
    check_fit(&label, advance("TextView") - 1, NULL);
    const af_label start = make_label("a.Companion.<clinit>()", 11);
    check_fit(&start, advance("Companion.<clinit>"), "Companion.<clinit>");
    check_fit(&start, advance("Companion"), "Companion");
}

TEST(arguments_are_dropped_before_the_class)
{
    const af_label label = make_label("a.b.Main.run(int, String)", 8);
    check_fit(&label, advance("Main.run(int, String)"), "Main.run(int, String)");
    check_fit(&label, advance("Main.run(int, String)") - 1, "Main.run");
    check_fit(&label, advance("Main.run") - 1, "run");
}

TEST(labels_without_a_class_are_unchanged)
{
    const af_label label = make_label("0x7fa0b1c2 [unknown]", 0);
    check_fit(&label, advance(label.text), "0x7fa0b1c2 [unknown]");
    const af_label_form fitted = af_label_fit(&label, SIZE, advance(label.text) - 1);
    ck_assert(g_str_has_prefix(fitted.text, "0x7fa"));
    g_free(fitted.text);
    const af_label none = make_label("", 0);
    check_fit(&none, 10000, NULL);
}

/* Every cut of `text` must fall between the clusters, which `clusters` lists. */
static void check_clusters(const char *text, const char *const *clusters, unsigned n)
{
    for (int32_t width = 0; width < advance(text); width += 37) {
        const af_label_form fitted = af_text_fit(text, FALSE, SIZE, width);
        if (!fitted.text) {
            continue;
        }
        ck_assert_int_le(fitted.advance, width);
        const char *at = fitted.text;
        for (unsigned i = 0; i < n && g_str_has_prefix(at, clusters[i]); i++) {
            at += strlen(clusters[i]);
        }
        ck_assert_str_eq(at, "\xe2\x80\xa6");
        g_free(fitted.text);
    }
}

TEST(clusters_are_not_cut)
{
    static const char *const marks[] = {"g", "r", "o\xcc\x88", "\xc3\x9f", "e\xcc\x81\xcc\xa7",
                                        "n", "e", "s",         "e",        "r"};
    check_clusters("gro\xcc\x88\xc3\x9f"
                   "e\xcc\x81\xcc\xa7neser",
                   marks, 10);
    /* flags, a family joined by U+200D, a thumb with a skin colour */
    static const char *const signs[] = {"\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa",
                                        "\xf0\x9f\x87\xab\xf0\x9f\x87\xb7",
                                        "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7",
                                        "\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbd",
                                        "a",
                                        "b",
                                        "c",
                                        "d",
                                        "e",
                                        "f"};
    char *text = g_strconcat(signs[0], signs[1], signs[2], signs[3], "abcdef", NULL);
    check_clusters(text, signs, 10);
    g_free(text);
    /* Hangul, decomposed: two syllables of three letters, then Latin */
    static const char *const hangul[] = {"\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab",
                                         "\xe1\x84\x80\xe1\x85\xb3\xe1\x86\xaf",
                                         "a",
                                         "b",
                                         "c",
                                         "d",
                                         "e",
                                         "f",
                                         "g"};
    text = g_strconcat(hangul[0], hangul[1], "abcdefg", NULL);
    check_clusters(text, hangul, 9);
    g_free(text);
}

TEST(no_label_is_wider_than_its_box)
{
    static const char *const texts[] = {
        "com.foo.MainActivity.onCreate",
        "x.Y.\xd8\xb9\xd8\xb1\xd8\xa8\xd9\x8a\xd8\xb9\xd8\xb1",
        "\xe3\x82\xb9\xe3\x83\xac\xe3\x83\x83\xe3\x83\x89\xe3\x82\xb9\xe3\x83\xac",
        "a.B.WWWWWWWWWWWWWWWWWWWWW",
        "a.B.iiiiiiiiiiiiiiiiiiiiiiiii",
        "bad \xff\xfe bytes \xc3"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        const char *dot = strrchr(texts[i], '.');
        const af_label label = make_label(texts[i], dot ? (uint32_t)(dot - texts[i]) : 0);
        for (int32_t width = 0; width < 20000; width += 111) {
            const af_label_form fitted = af_label_fit(&label, SIZE, width);
            if (fitted.text) {
                ck_assert_int_eq(fitted.advance, advance(fitted.text));
                ck_assert_int_le(fitted.advance, width);
            }
            g_free(fitted.text);
        }
    }
}

TEST(very_long_names_lose_their_end)
{
    g_autofree char *name = g_strnfill(70000, 'n');
    const af_label label = make_label(name, 0);
    const af_label_form fitted = af_label_fit(&label, SIZE, 10000);
    ck_assert_ptr_nonnull(fitted.text);
    ck_assert(g_str_has_suffix(fitted.text, "n\xe2\x80\xa6"));
    ck_assert_int_gt(fitted.advance, 9000);
    g_free(fitted.text);
}

/* Marks have no width: any number of them would fit into every frame. */
TEST(endless_combining_marks_are_truncated)
{
    enum { MARKS = 1000000 };
    g_autoptr(GString) text = g_string_new("abcdef");
    for (unsigned i = 0; i < MARKS; i++) {
        g_string_append(text, "\xcc\x81");
    }
    const af_label label = make_label(text->str, 0);
    for (int32_t width = 6000; width <= 600000; width *= 10) {
        const af_label_form fitted = af_label_fit(&label, SIZE, width);
        const af_label_form also = af_text_fit(text->str, FALSE, SIZE, width);
        ck_assert_ptr_nonnull(fitted.text);
        ck_assert_ptr_nonnull(also.text);
        ck_assert_uint_le(strlen(fitted.text), 100 + (size_t)width / 100 * 16);
        ck_assert_uint_le(strlen(also.text), 100 + (size_t)width / 100 * 16);
        ck_assert(g_utf8_validate(fitted.text, -1, NULL));
        ck_assert(g_utf8_validate(also.text, -1, NULL));
        g_free(fitted.text);
        g_free(also.text);
    }
}

TEST(texts_lose_their_end)
{
    af_label_form fitted =
        af_text_fit("tail is lost", FALSE, SIZE, advance("tail is \xe2\x80\xa6") + 20);
    ck_assert_str_eq(fitted.text, "tail is\xe2\x80\xa6"); /* no blank before the ellipsis */
    ck_assert(fitted.simple);
    g_free(fitted.text);
    fitted = af_text_fit("tail", TRUE, SIZE, 10000);
    ck_assert_str_eq(fitted.text, "tail");
    ck_assert_int_eq(fitted.advance, af_face_advance(TRUE, SIZE, "tail", 4));
    g_free(fitted.text);
    fitted = af_text_fit("tail is lost", FALSE, SIZE, advance("ta\xe2\x80\xa6"));
    ck_assert_ptr_null(fitted.text);
    fitted = af_text_fit("", FALSE, SIZE, 10000);
    ck_assert_ptr_null(fitted.text);
}

TEST(names_are_cut_in_their_middle)
{
    const char *name = "DefaultDispatcher-worker-12";
    af_label_form fitted = af_name_fit(name, TRUE, SIZE, 100000);
    ck_assert_str_eq(fitted.text, name);
    const int32_t whole = fitted.advance;
    g_free(fitted.text);
    fitted = af_name_fit(name, TRUE, SIZE, whole * 2 / 3);
    ck_assert(g_str_has_prefix(fitted.text, "Default") && g_str_has_suffix(fitted.text, "-12"));
    ck_assert_int_le(fitted.advance, whole * 2 / 3);
    g_free(fitted.text);
    /* with width for a few letters only, the begin remains */
    fitted = af_name_fit(name, FALSE, SIZE, advance("Defau\xe2\x80\xa6") + 20);
    ck_assert_str_eq(fitted.text, "Defau\xe2\x80\xa6");
    g_free(fitted.text);
    ck_assert_ptr_null(af_name_fit("", TRUE, SIZE, 1000).text);
    ck_assert_ptr_null(af_name_fit(name, TRUE, SIZE, 0).text);
}
