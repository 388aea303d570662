#include "render/face.h"

#include <hb.h>
#include <hb-ot.h>
#include <string.h>
#include "base/embed.h"

AF_EMBED(unsigned char, af_face_file_regular, AFLAME_FONTS "/NotoSans-SemiCondensed.ttf");
AF_EMBED(unsigned char, af_face_file_bold, AFLAME_FONTS "/NotoSans-SemiCondensedBold.ttf");
AF_EMBED(unsigned char, af_face_file_fallback, AFLAME_FONTS "/DejaVuSansCondensed.ttf");

static const struct {
    const unsigned char *begin, *end;
    const char *family;
} files[AF_FACES] = {
    [AF_FACE_REGULAR] = {af_face_file_regular, af_face_file_regular_end, "Noto Sans SemiCondensed"},
    [AF_FACE_BOLD] = {af_face_file_bold, af_face_file_bold_end, "Noto Sans SemiCondensed"},
    [AF_FACE_FALLBACK] = {af_face_file_fallback, af_face_file_fallback_end,
                          "DejaVu Sans Condensed"},
};

#define PAGE_GLYPHS 256 /* characters */
#define PAGES       (0x110000 / PAGE_GLYPHS)

typedef struct {
    af_face_glyph glyphs[PAGE_GLYPHS];
} glyph_page;

/* A cache of lookups for the rest of the program's life. It depends on the bundled files only, so
 * all callers share it. Pages are published when they are complete. */
static hb_font_t *fonts[AF_FACES];
static glyph_page *pages[AF_FACES][PAGES];

const unsigned char *af_face_bytes(af_face_id face, size_t *length)
{
    *length = (size_t)(files[face].end - files[face].begin);
    return files[face].begin;
}

const char *af_face_family(af_face_id face)
{
    return files[face].family;
}

static hb_font_t *open_font(af_face_id face)
{
    size_t length;
    const unsigned char *bytes = af_face_bytes(face, &length);
    hb_blob_t *blob =
        hb_blob_create((const char *)bytes, (unsigned)length, HB_MEMORY_MODE_READONLY, NULL, NULL);
    hb_face_t *hb_face = hb_face_create(blob, 0);
    hb_font_t *font = hb_font_create(hb_face);
    hb_ot_font_set_funcs(font);
    hb_font_make_immutable(font);
    hb_face_destroy(hb_face);
    hb_blob_destroy(blob);
    return font;
}

/* Without memory, HarfBuzz returns fonts without letters. Reading one loads the tables. */
static gboolean has_letters(hb_font_t *font)
{
    hb_codepoint_t glyph;
    return hb_font_get_nominal_glyph(font, 'A', &glyph) &&
           hb_font_get_glyph_h_advance(font, glyph) > 0;
}

gboolean af_face_load(void)
{
    for (unsigned face = 0; face < AF_FACES; face++) {
        if (g_atomic_pointer_get(&fonts[face]) == NULL) {
            hb_font_t *font = open_font(face);
            if (!has_letters(font) ||
                !g_atomic_pointer_compare_and_exchange(&fonts[face], NULL, font)) {
                hb_font_destroy(font); /* or another thread was faster */
            }
        }
        if (g_atomic_pointer_get(&fonts[face]) == NULL) {
            return FALSE;
        }
    }
    return TRUE;
}

static hb_font_t *lookup_font(af_face_id face)
{
    hb_font_t *font = g_atomic_pointer_get(&fonts[face]);
    return font != NULL || af_face_load() ? g_atomic_pointer_get(&fonts[face])
                                          : hb_font_get_empty();
}

hb_face_t *af_face_tables(af_face_id face)
{
    return hb_font_get_face(lookup_font(face));
}

static const glyph_page *add_page(af_face_id face, uint32_t number)
{
    hb_font_t *font = lookup_font(face);
    glyph_page *page = g_new0(glyph_page, 1);
    for (uint32_t i = 0; i < PAGE_GLYPHS; i++) {
        hb_codepoint_t glyph;
        if (hb_font_get_nominal_glyph(font, number * PAGE_GLYPHS + i, &glyph)) {
            page->glyphs[i].glyph = (uint16_t)glyph;
            page->glyphs[i].advance = (uint16_t)hb_font_get_glyph_h_advance(font, glyph);
        }
    }
    if (!g_atomic_pointer_compare_and_exchange(&pages[face][number], NULL, page)) {
        g_free(page); /* another thread was faster */
    }
    return g_atomic_pointer_get(&pages[face][number]);
}

static inline const glyph_page *lookup_page(af_face_id face, uint32_t number)
{
    const glyph_page *page = g_atomic_pointer_get(&pages[face][number]);
    return page != NULL ? page : add_page(face, number);
}

af_face_glyph af_face_glyph_at(af_face_id face, uint32_t character)
{
    if (character / PAGE_GLYPHS >= PAGES) {
        return (af_face_glyph){0, 0};
    }
    return lookup_page(face, character / PAGE_GLYPHS)->glyphs[character % PAGE_GLYPHS];
}

int32_t af_face_em(af_face_id face)
{
    return (int32_t)hb_face_get_upem(af_face_tables(face));
}

/* The exact width of a text: units in each face, and boxes one em wide. */
typedef struct {
    int64_t units[AF_FACES];
    int64_t boxes;
} letter_sum;

static void measure_character(letter_sum *sum, af_face_id first, gunichar character)
{
    if (g_unichar_iszerowidth(character)) {
        return;
    }
    af_face_id face = first;
    af_face_glyph glyph = af_face_glyph_at(face, character);
    if (glyph.glyph == 0) {
        face = AF_FACE_FALLBACK;
        glyph = af_face_glyph_at(face, character);
    }
    if (glyph.glyph == 0) {
        sum->boxes++;
    } else {
        sum->units[face] += glyph.advance;
    }
}

/* Rounds once, at the end, so that the error does not grow with the number of letters. Text and
 * size are far too small for the products to overflow. */
static int32_t round_extent(const letter_sum *sum, int32_t size)
{
    int64_t whole = sum->boxes * size;
    int64_t parts_em = 1, parts = 0; /* the remainder, as a fraction of hundredths */
    const int64_t units[2] = {sum->units[AF_FACE_REGULAR] + sum->units[AF_FACE_BOLD],
                              sum->units[AF_FACE_FALLBACK]};
    const af_face_id faces[2] = {AF_FACE_REGULAR, AF_FACE_FALLBACK};
    for (int i = 0; i < 2; i++) {
        if (units[i] > 0) {
            int64_t em = af_face_em(faces[i]);
            whole += units[i] * size / em;
            parts = parts * em + units[i] * size % em * parts_em;
            parts_em *= em;
        }
    }
    whole += (parts + parts_em / 2) / parts_em;
    return whole > INT32_MAX ? INT32_MAX : (int32_t)whole;
}

int32_t af_face_advance(gboolean bold, int32_t size, const char *text, size_t length)
{
    const af_face_id face = bold ? AF_FACE_BOLD : AF_FACE_REGULAR;
    const af_face_glyph *ascii = lookup_page(face, 0)->glyphs;
    letter_sum sum = {{0}, 0};
    int64_t units = 0;
    for (const char *end = text + length; text < end;) {
        unsigned char byte = (unsigned char)*text;
        if (byte < 0x80 && ascii[byte].glyph != 0) {
            units += ascii[byte].advance;
            text++;
            continue;
        }
        gunichar character = g_utf8_get_char_validated(text, end - text);
        if (character >= 0x110000) { /* not UTF-8 */
            sum.boxes++;
            text++;
            continue;
        }
        measure_character(&sum, face, character);
        text = g_utf8_next_char(text);
    }
    sum.units[face] += units;
    return round_extent(&sum, size);
}

/* Whether the character belongs to a script in which each character is one glyph, whatever its
 * neighbours. */
static gboolean stands_alone(gunichar character)
{
    switch (g_unichar_get_script(character)) {
    case G_UNICODE_SCRIPT_COMMON:
    case G_UNICODE_SCRIPT_LATIN:
    case G_UNICODE_SCRIPT_GREEK:
    case G_UNICODE_SCRIPT_CYRILLIC:
        break;
    default:
        return FALSE;
    }
    switch (g_unichar_type(character)) {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
    case G_UNICODE_NON_SPACING_MARK:
    case G_UNICODE_SPACING_MARK:
    case G_UNICODE_ENCLOSING_MARK:
        return FALSE;
    default:
        return TRUE;
    }
}

gboolean af_face_is_simple(gboolean bold, const char *text, size_t length)
{
    const af_face_id face = bold ? AF_FACE_BOLD : AF_FACE_REGULAR;
    const af_face_glyph *ascii = lookup_page(face, 0)->glyphs;
    for (const char *end = text + length; text < end;) {
        unsigned char byte = (unsigned char)*text;
        if (byte < 0x80) {
            if (ascii[byte].glyph == 0 || byte < ' ') {
                return FALSE;
            }
            text++;
            continue;
        }
        gunichar character = g_utf8_get_char_validated(text, end - text);
        if (character >= 0x110000 || af_face_glyph_at(face, character).glyph == 0 ||
            !stands_alone(character)) {
            return FALSE;
        }
        text = g_utf8_next_char(text);
    }
    return TRUE;
}
