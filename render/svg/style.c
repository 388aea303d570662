#include <hb-subset.h>
#include <string.h>

#include "base/embed.h"
#include "base/utf8.h"
#include "render/face.h"
#include "render/palette.h"
#include "render/svg/script.h"
#include "render/svg/svg_parts.h"
#include "render/svg/woff.h"

AF_EMBED(char, af_svg_sheet_css, AFLAME_SVG_PARTS "/sheet.css");
AF_EMBED(char, af_svg_view_css, AFLAME_SVG_PARTS "/view.css");
AF_EMBED(char, af_svg_more_view_css, AFLAME_SVG_PARTS "/more_view.css");

typedef struct {
    gboolean solid[AF_PAINT_COUNT], hatched[AF_PAINT_COUNT];
    gboolean thin[AF_PAINT_COUNT], thin_hatched[AF_PAINT_COUNT]; /* may be drawn as a hairline */
    hb_set_t *letters[AF_FACES];
} usage;

void af_svg_class(af_out *out, af_paint paint)
{
    static const char roles[AF_PAINT_FRAME] = {
        [AF_PAINT_PAGE] = 'P',        [AF_PAINT_INK] = 'I',         [AF_PAINT_MUTED] = 'M',
        [AF_PAINT_RULE] = 'R',        [AF_PAINT_ALERT] = 'A',       [AF_PAINT_LABEL] = 'L',
        [AF_PAINT_BLOCK] = 'N',       [AF_PAINT_LABEL_MUTED] = 'Q', [AF_PAINT_FOOT] = 'C',
        [AF_PAINT_GROWN] = 'G',       [AF_PAINT_SHRUNK] = 'S',      [AF_PAINT_GROWN_PALE] = 'W',
        [AF_PAINT_SHRUNK_PALE] = 'K',
    };
    if (paint < AF_PAINT_FRAME) {
        af_out_char(out, roles[paint]);
    } else {
        af_out_char(out, (char)('a' + (paint - AF_PAINT_FRAME) / AF_SHADES));
        af_out_char(out, (char)('0' + (paint - AF_PAINT_FRAME) % AF_SHADES));
    }
}

static void write_colour(af_out *out, af_colour colour)
{
    char text[8];
    g_snprintf(text, sizeof text, "#%02x%02x%02x", colour.red, colour.green, colour.blue);
    af_out_text(out, text);
}

void af_svg_colour(af_out *out, af_paint paint, gboolean dark)
{
    write_colour(out, af_palette_colour(paint, dark));
}

void af_svg_paint(af_out *out, const char *kind, af_paint paint, const char *also, gboolean dark)
{
    const gboolean hatched = strchr(kind, 'h') != NULL;
    af_out_texts(out, " class=\"", kind);
    af_svg_class(out, paint);
    af_out_texts(out, also ? " " : "", also ? also : "");
    if (paint == AF_PAINT_LABEL && kind[0] == '\0') {
        af_out_char(out, '"');
        return;
    }
    af_out_text(out, kind[0] == 't' ? "\" stroke=\"" : "\" fill=\"");
    if (hatched) {
        af_out_text(out, "url(#h");
        af_svg_class(out, paint);
        af_out_char(out, ')');
    } else {
        af_svg_colour(out, paint, dark);
    }
    af_out_char(out, '"');
}

static void collect_letters(usage *used, gboolean bold, const char *text)
{
    const af_face_id face = bold ? AF_FACE_BOLD : AF_FACE_REGULAR;
    const char *end = text + strlen(text);
    for (const char *at = text; at < end;) {
        const size_t always = bold ? 0 : af_utf8_span_ascii(at, (size_t)(end - at));
        if (always > 0) {
            at += always;
            continue;
        }
        const gunichar c = g_utf8_get_char_validated(at, end - at);
        if (c == (gunichar)-1 || c == (gunichar)-2) {
            at++;
            continue;
        }
        if (af_face_glyph_at(face, c).glyph != 0) {
            hb_set_add(used->letters[face], c);
        } else if (af_face_glyph_at(AF_FACE_FALLBACK, c).glyph != 0) {
            hb_set_add(used->letters[AF_FACE_FALLBACK], c);
        }
        at = g_utf8_next_char(at);
    }
}

/* Collects what a script may draw. */
static void collect_needs(usage *used, const af_scene *scene)
{
    for (unsigned paint = 0; paint < AF_PAINT_COUNT; paint++) {
        used->solid[paint] |= scene->needed_paints[FALSE][(af_paint)paint];
        used->hatched[paint] |= scene->needed_paints[TRUE][(af_paint)paint];
    }
    /* the script draws them as strokes; dots and dashes are in muted colours */
    static const af_paint strokes[] = {AF_PAINT_FOOT, AF_PAINT_GROWN, AF_PAINT_SHRUNK,
                                       AF_PAINT_LABEL_MUTED, AF_PAINT_MUTED};
    for (unsigned i = 0; i < G_N_ELEMENTS(strokes); i++) {
        used->thin[strokes[i]] |= used->solid[strokes[i]];
    }
    for (unsigned bold = 0; bold < 2; bold++) {
        for (unsigned i = 0; i < scene->needed_texts[bold != 0].n; i++) {
            collect_letters(used, bold != 0,
                            AF_ARRAY_AT(&scene->needed_texts[bold != 0], const char *, i));
        }
    }
    collect_letters(used, FALSE, af_svg_script_text(AF_SCRIPT_ALL));
}

static void collect_rect(usage *used, const af_scene_rect *rect, int32_t pointed_at_from)
{
    const gboolean thin = rect->width < pointed_at_from || rect->paint == AF_PAINT_FOOT ||
                          rect->texture != AF_TEXTURE_NONE;
    (rect->hatched ? used->hatched : used->solid)[rect->paint] = TRUE;
    (rect->hatched ? used->thin_hatched : used->thin)[rect->paint] |= thin;
}

static void collect_usage(usage *used, const af_scene *scene, gboolean script,
                          int32_t pointed_at_from)
{
    const af_scene_command *commands = scene->commands;
    for (unsigned face = 0; face < AF_FACES; face++) {
        used->letters[face] = hb_set_create();
    }
    /* the script may show names in full, so all common characters are included */
    hb_set_add_range(used->letters[AF_FACE_REGULAR], 0x20, 0x7E);
    hb_set_add(used->letters[AF_FACE_REGULAR], 0x2026);
    used->solid[AF_PAINT_PAGE] = TRUE;
    used->solid[AF_PAINT_INK] = TRUE;
    for (size_t i = 0; i < scene->n_commands; i++) {
        if (commands[i].kind == AF_SCENE_TEXT) {
            used->solid[commands[i].text.paint] = TRUE;
            collect_letters(used, commands[i].text.bold, commands[i].text.text);
        } else if (commands[i].kind == AF_SCENE_RECT) {
            collect_rect(used, &commands[i].rect, pointed_at_from);
        } else if (commands[i].kind == AF_SCENE_SHAPE) {
            used->solid[commands[i].shape.paint] = TRUE;
        }
    }
    if (script) {
        collect_needs(used, scene);
    }
}

/* A font file with the outlines of only `letters`. NULL on failure. */
static hb_blob_t *cut_face(af_face_id id, const hb_set_t *letters)
{
    hb_subset_input_t *input = hb_subset_input_create_or_fail();
    hb_blob_t *cut = NULL;
    if (input) {
        static const hb_tag_t dropped[] = {HB_TAG('G', 'S', 'U', 'B'), HB_TAG('G', 'P', 'O', 'S'),
                                           HB_TAG('G', 'D', 'E', 'F'), HB_TAG('k', 'e', 'r', 'n'),
                                           HB_TAG('m', 'e', 't', 'a'), HB_TAG('S', 'T', 'A', 'T')};
        hb_set_union(hb_subset_input_unicode_set(input), letters);
        for (size_t i = 0; i < G_N_ELEMENTS(dropped); i++) {
            hb_set_add(hb_subset_input_set(input, HB_SUBSET_SETS_DROP_TABLE_TAG), dropped[i]);
        }
        hb_subset_input_set_flags(input,
                                  HB_SUBSET_FLAGS_NO_HINTING | HB_SUBSET_FLAGS_NOTDEF_OUTLINE);
        hb_face_t *part = hb_subset_or_fail(af_face_tables(id), input);
        cut = part ? hb_face_reference_blob(part) : NULL;
        hb_face_destroy(part);
        hb_subset_input_destroy(input);
    }
    return cut;
}

/* Without memory, HarfBuzz returns empty sets and no font: the picture would lack its letters. */
static void write_face(af_out *out, af_face_id id, const hb_set_t *letters)
{
    if (hb_set_allocation_successful(letters) && hb_set_is_empty(letters)) {
        return;
    }
    hb_blob_t *cut = hb_set_allocation_successful(letters) ? cut_face(id, letters) : NULL;
    unsigned length = 0;
    const char *bytes = cut ? hb_blob_get_data(cut, &length) : NULL;
    GByteArray *woff = bytes ? af_woff_new((const guint8 *)bytes, length) : NULL;
    if (woff) {
        af_out_texts(out, "@font-face{font-family:'", af_face_family(id),
                     id == AF_FACE_BOLD ? "';font-weight:700" : "'",
                     ";src:url(data:font/woff;base64,");
        af_out_base64(out, woff->data, woff->len);
        af_out_text(out, ")}\n");
        g_byte_array_unref(woff);
    } else {
        af_out_refuse(out);
    }
    if (cut) {
        hb_blob_destroy(cut);
    }
}

static void begin_rule(af_out *out, const char *kind, af_paint paint, const char *property)
{
    af_out_texts(out, ".aflame .", kind);
    af_svg_class(out, paint);
    af_out_texts(out, "{", property, ":");
}

static void write_rule(af_out *out, const char *kind, af_paint paint, const char *property,
                       af_colour colour)
{
    begin_rule(out, kind, paint, property);
    write_colour(out, colour);
    af_out_char(out, '}');
}

/* g.. is the ground of a hatching, s.. its strokes. */
static void write_colours(af_out *out, const usage *used, gboolean dark)
{
    af_out_text(out, ".aflame{color:");
    write_colour(out, af_palette_colour(AF_PAINT_INK, dark));
    af_out_text(out, ";background:");
    write_colour(out, af_palette_colour(AF_PAINT_PAGE, dark));
    af_out_char(out, '}');
    for (unsigned paint = 0; paint < AF_PAINT_COUNT; paint++) {
        if (used->solid[paint]) {
            write_rule(out, "", (af_paint)paint, "fill", af_palette_colour((af_paint)paint, dark));
        }
        if (used->thin[paint]) {
            write_rule(out, "t", (af_paint)paint, "stroke",
                       af_palette_colour((af_paint)paint, dark));
        }
        if (used->hatched[paint]) {
            write_rule(out, "g", (af_paint)paint, "stop-color",
                       af_palette_hatch_ground((af_paint)paint, dark));
            write_rule(out, "s", (af_paint)paint, "stop-color",
                       af_palette_colour((af_paint)paint, dark));
        }
    }
    af_out_char(out, '\n');
}

static void write_stop(af_out *out, char role, af_paint paint, int32_t offset, gboolean dark)
{
    af_out_text(out, "<stop class=\"");
    af_out_char(out, role);
    af_svg_class(out, paint);
    af_out_text(out, "\" stop-color=\"");
    write_colour(out, role == 'g' ? af_palette_hatch_ground(paint, dark)
                                  : af_palette_colour(paint, dark));
    af_out_text(out, "\" offset=\"");
    af_out_hundredths(out, offset);
    af_out_text(out, "%\"/>");
}

/* Writes a repeating gradient: browsers take half a minute to print a page of pattern fills, as
 * images, and print gradients at once. Gradients are not antialiased, so these have a slope at
 * their edges. */
static void write_hatching(af_out *out, af_paint paint, gboolean dark)
{
    enum { WHOLE = 10000, EDGE_C = 40 };
    /* along the diagonal of a step; the ratio of the horizontal length to this one is 1414 :
     * 1000 */
    const int32_t stroke = AF_HATCH_STROKE_C * 1414 / 1000 * WHOLE / AF_HATCH_STEP_C;
    const int32_t edge = EDGE_C * 1414 / 1000 * WHOLE / AF_HATCH_STEP_C;
    af_out_text(out, "<linearGradient id=\"h");
    af_svg_class(out, paint);
    af_out_text(out, "\" gradientUnits=\"userSpaceOnUse\" spreadMethod=\"repeat\"");
    af_svg_number(out, "x2", AF_HATCH_STEP_C / 2);
    af_svg_number(out, "y2", AF_HATCH_STEP_C / 2);
    af_out_char(out, '>');
    write_stop(out, 'g', paint, WHOLE - edge - stroke, dark);
    write_stop(out, 's', paint, WHOLE - stroke, dark);
    write_stop(out, 's', paint, WHOLE - edge, dark);
    write_stop(out, 'g', paint, WHOLE, dark);
    af_out_text(out, "</linearGradient>\n");
}

static void write_hatched(af_out *out, const char *kind, af_paint paint, const char *property)
{
    begin_rule(out, kind, paint, property);
    af_out_text(out, "url(#h");
    af_svg_class(out, paint);
    af_out_text(out, ")}");
}

void af_svg_style(af_out *out, const af_scene *scene, const af_canvas_options *options,
                  int32_t pointed_at_from)
{
    usage used = {.solid = {FALSE}};
    collect_usage(&used, scene, options->script, pointed_at_from);
    af_out_text(out, "<style>\n");
    for (unsigned face = 0; face < AF_FACES; face++) {
        write_face(out, face, used.letters[face]);
        hb_set_destroy(used.letters[face]);
    }
    af_out_text(out, af_svg_sheet_css);
    af_out_text(out, options->script ? af_svg_view_css : "");
    af_out_text(out, options->script && af_svg_has_more(scene) ? af_svg_more_view_css : "");
    write_colours(out, &used, options->dark && !options->both_themes);
    if (options->both_themes) {
        af_out_text(out, "@media screen and (prefers-color-scheme:dark){\n");
        write_colours(out, &used, TRUE);
        af_out_text(out, "}\n");
    }
    af_svg_page_breaks(out, scene, options->script);
    for (unsigned paint = 0; paint < AF_PAINT_COUNT; paint++) {
        if (used.hatched[paint]) {
            write_hatched(out, "h", (af_paint)paint, "fill");
        }
        if (used.thin_hatched[paint]) {
            write_hatched(out, "th", (af_paint)paint, "stroke");
        }
    }
    af_out_text(out, "\n</style>\n<defs>\n");
    for (unsigned paint = 0; paint < AF_PAINT_COUNT; paint++) {
        if (used.hatched[paint]) {
            write_hatching(out, (af_paint)paint, options->dark && !options->both_themes);
        }
    }
    af_out_text(out, "</defs>\n");
}
