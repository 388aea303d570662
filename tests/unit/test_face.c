#include <string.h>

#include "render/face.h"
#include "suite.h"

/* Another program read the widths below from the files' hmtx tables, in units of the em. */

static int32_t advance(gboolean bold, int32_t size, const char *text)
{
    return af_face_advance(bold, size, text, strlen(text));
}

static gboolean is_simple(const char *text)
{
    return af_face_is_simple(FALSE, text, strlen(text));
}

TEST(fonts_are_true_type)
{
    for (int face = 0; face < AF_FACES; face++) {
        size_t length = 0;
        const unsigned char *bytes = af_face_bytes(face, &length);
        ck_assert_uint_gt(length, 500000);
        ck_assert_mem_eq(bytes, "\0\1\0\0", 4);
    }
    ck_assert_str_eq(af_face_family(AF_FACE_REGULAR), "Noto Sans SemiCondensed");
    ck_assert_str_eq(af_face_family(AF_FACE_BOLD), "Noto Sans SemiCondensed");
    ck_assert_str_eq(af_face_family(AF_FACE_FALLBACK), "DejaVu Sans Condensed");
    ck_assert_int_eq(af_face_em(AF_FACE_REGULAR), 1000);
    ck_assert_int_eq(af_face_em(AF_FACE_BOLD), 1000);
    ck_assert_int_eq(af_face_em(AF_FACE_FALLBACK), 2048);
}

TEST(advances_match_the_font_file)
{
    ck_assert_int_eq(advance(FALSE, 1000, ""), 0);
    ck_assert_int_eq(advance(FALSE, 1000, "onCreate"), 3894);
    ck_assert_int_eq(advance(TRUE, 1000, "onCreate"), 4195);
    ck_assert_int_eq(advance(FALSE, 1000, "lI1"), 240 + 318 + 520);
    ck_assert_int_eq(advance(FALSE, 1150, "onCreate"), 4478); /* 4478.1 */
    ck_assert_int_eq(advance(FALSE, 150, "onCreate"), 584);   /* 584.1 */
    ck_assert_int_eq(advance(FALSE, 100, "onCreate"), 389);   /* 389.4 */
    ck_assert_int_eq(af_face_advance(FALSE, 1000, "onCreate", 2), 546 + 559);
}

TEST(pairs_are_neither_kerned_nor_joined)
{
    ck_assert_int_eq(advance(FALSE, 1000, "AV"),
                     advance(FALSE, 1000, "A") + advance(FALSE, 1000, "V"));
    ck_assert_int_eq(advance(FALSE, 1000, "ffi"),
                     2 * advance(FALSE, 1000, "f") + advance(FALSE, 1000, "i"));
}

TEST(missing_characters_use_the_fallback)
{
    ck_assert_uint_eq(af_face_glyph_at(AF_FACE_REGULAR, 0x2192).glyph, 0);
    ck_assert_uint_eq(af_face_glyph_at(AF_FACE_FALLBACK, 0x2192).advance, 1544);
    ck_assert_int_eq(advance(FALSE, 2048, "→"), 1544);
    ck_assert_int_eq(advance(TRUE, 2048, "א"), 1232);
    /* 1000 * (559 / 1000 + 1544 / 2048) = 1312.9: rounded once */
    ck_assert_int_eq(advance(FALSE, 1000, "n→"), 1313);
}

TEST(unknown_characters_become_boxes)
{
    ck_assert_int_eq(advance(FALSE, 1150, "漢"), 1150);
    ck_assert_int_eq(advance(FALSE, 1000, "n漢字n"), 2 * 1000 + 2 * 559);
    ck_assert_int_eq(advance(FALSE, 1000, "\xff\xfe"), 2000);
    ck_assert_int_eq(advance(FALSE, 1000, "n\xe6\xbc"), 559 + 2000);
    ck_assert_uint_eq(af_face_glyph_at(AF_FACE_REGULAR, 0x110000).glyph, 0);
    ck_assert_uint_eq(af_face_glyph_at(AF_FACE_REGULAR, UINT32_MAX).glyph, 0);
}

TEST(combining_marks_have_no_width)
{
    ck_assert_int_eq(advance(FALSE, 1000, "n\xcc\x81"), 559);
    ck_assert_int_eq(advance(FALSE, 1000, "\xe2\x80\xaen"), 559); /* right-to-left override */
}

TEST(huge_text_does_not_overflow)
{
    const size_t length = 4 * 1024 * 1024;
    g_autofree char *text = g_malloc(length);
    memset(text, 'W', length);
    ck_assert_int_eq(af_face_advance(FALSE, 100000, text, length), INT32_MAX);
}

TEST(simple_text_has_one_glyph_per_character)
{
    ck_assert(is_simple(""));
    ck_assert(is_simple("com.example.Foo$Bar.<init>(int, String)"));
    ck_assert(is_simple("größe µs · … –"));
    ck_assert(is_simple("Ωмега"));
    ck_assert(is_simple("\xef\xbf\xbd")); /* U+FFFD */
    ck_assert(!is_simple("n\xcc\x81"));
    ck_assert(!is_simple("שלום"));
    ck_assert(!is_simple("مرحبا"));
    ck_assert(!is_simple("a→b"));
    ck_assert(!is_simple("漢"));
    ck_assert(!is_simple("a\xe2\x80\xae"
                         "b"));
    ck_assert(!is_simple("a\xc2\xad"
                         "b")); /* soft hyphen */
    ck_assert(!is_simple("a\nb"));
    ck_assert(!is_simple("a\x7f"));
    ck_assert(!is_simple("\xff"));
}

/* Letters on many pages of the table, which several threads fill at the same time. */
static gpointer measure_everything(gpointer unused)
{
    gint64 sum = 0;
    for (gunichar c = 0x100; c < 0x10000; c++) {
        char text[6];
        if (c < 0xd800 || c > 0xdfff) {
            sum += af_face_advance(c % 2, 1000, text, (size_t)g_unichar_to_utf8(c, text));
        }
    }
    return GSIZE_TO_POINTER((gsize)sum);
}

TEST(threads_measure_the_same_widths)
{
    GThread *threads[8];
    for (int i = 0; i < 8; i++) {
        threads[i] = g_thread_new("measure", measure_everything, NULL);
    }
    gpointer sums[8];
    for (int i = 0; i < 8; i++) {
        sums[i] = g_thread_join(threads[i]);
    }
    gpointer alone = measure_everything(NULL);
    ck_assert_ptr_nonnull(alone);
    for (int i = 0; i < 8; i++) {
        ck_assert_ptr_eq(sums[i], alone);
    }
}
