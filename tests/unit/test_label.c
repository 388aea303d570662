#include <stdlib.h>
#include <string.h>

#include "cases.h"
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

static char *show(af_label_form form, gboolean bold, int32_t width)
{
    if (form.text == NULL) {
        return g_strdup("nothing");
    }
    ck_assert_int_eq(form.advance, af_face_advance(bold, SIZE, form.text, strlen(form.text)));
    ck_assert_int_le(form.advance, width);
    return form.text;
}

/* "LABEL | TEXT | MORE": as wide as a text, and some units more. */
static char *split(const char *input, int32_t *width)
{
    g_auto(GStrv) parts = g_strsplit(input, " | ", 3);
    *width = advance(parts[1]) + atoi(parts[2]);
    return g_strdup(parts[0]);
}

static char *show_label(const char *input)
{
    int32_t width;
    g_autofree char *text = split(input, &width);
    const char *dot = g_strrstr_len(text, (gssize)strcspn(text, "("), ".");
    const af_label label = make_label(text, dot != NULL ? (uint32_t)(dot - text) : 0);
    return show(af_label_fit(&label, SIZE, width), FALSE, width);
}

static char *show_text(const char *input)
{
    int32_t width;
    g_autofree char *text = split(input, &width);
    return show(af_text_fit(text, FALSE, SIZE, width), FALSE, width);
}

static char *show_name(const char *input)
{
    int32_t width;
    g_autofree char *text = split(input, &width);
    return show(af_name_fit(text, FALSE, SIZE, width), FALSE, width);
}

TEST(longer_labels_are_shortened)
{
    cases_map("labels that fit", show_label);
    cases_map("texts that fit", show_text);
    cases_map("names of threads that fit", show_name);
    const af_label_form bold = af_text_fit("tail", TRUE, SIZE, 10000);
    g_autofree char *text = show(bold, TRUE, 10000);
    ck_assert_str_eq(text, "tail");
    ck_assert(bold.simple);
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
