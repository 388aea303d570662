#include "render/cairo/facemap.h"

#include <hb.h>
#include <hb-ot.h>

typedef struct {
    PangoFont parent;
    af_face_id face;
    int size; /* pango units in an em */
} af_face_font;

typedef PangoFontClass af_face_fontClass;

GType af_face_font_get_type(void);
G_DEFINE_FINAL_TYPE(af_face_font, af_face_font, PANGO_TYPE_FONT)

static PangoFontDescription *describe_font(PangoFont *font)
{
    af_face_font *self = (af_face_font *)font;
    PangoFontDescription *description = pango_font_description_new();
    pango_font_description_set_family_static(description, af_face_family(self->face));
    pango_font_description_set_weight(
        description, self->face == AF_FACE_BOLD ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_font_description_set_absolute_size(description, self->size);
    return description;
}

static PangoCoverage *list_characters(af_face_id id)
{
    PangoCoverage *coverage = pango_coverage_new();
    hb_set_t *characters = hb_set_create();
    hb_face_collect_unicodes(af_face_tables(id), characters);
    for (hb_codepoint_t c = HB_SET_VALUE_INVALID; hb_set_next(characters, &c);) {
        pango_coverage_set(coverage, (int)c, PANGO_COVERAGE_EXACT);
    }
    hb_set_destroy(characters);
    return coverage;
}

static PangoCoverage *get_coverage(PangoFont *font, PangoLanguage *language)
{
    static gpointer coverages[AF_FACES];
    const af_face_id id = ((af_face_font *)font)->face;
    if (g_once_init_enter(&coverages[id])) {
        g_once_init_leave(&coverages[id], list_characters(id));
    }
    return g_object_ref(coverages[id]);
}

static hb_font_t *create_hb_font(PangoFont *font)
{
    af_face_font *self = (af_face_font *)font;
    hb_font_t *hb_font = hb_font_create(af_face_tables(self->face));
    hb_font_set_scale(hb_font, self->size, self->size);
    return hb_font;
}

/* Measures a character that no face has as a box one em wide, like af_face_advance(). */
static void get_glyph_extents(PangoFont *font, PangoGlyph glyph, PangoRectangle *ink,
                              PangoRectangle *logical)
{
    af_face_font *self = (af_face_font *)font;
    PangoRectangle box = {0, -self->size, self->size, self->size};
    if (glyph == PANGO_GLYPH_EMPTY) {
        box.width = 0;
    } else if (!(glyph & PANGO_GLYPH_UNKNOWN_FLAG)) {
        box.width = hb_font_get_glyph_h_advance(pango_font_get_hb_font(font), glyph);
    }
    if (ink != NULL) {
        *ink = box;
    }
    if (logical != NULL) {
        *logical = box;
    }
}

static PangoFontMetrics *get_metrics(PangoFont *font, PangoLanguage *language)
{
    return pango_font_get_metrics(NULL, language);
}

static PangoFontMap *get_font_map(PangoFont *font)
{
    return NULL;
}

/* Turns off every feature that a script does not require, so that Latin letters in such text are as
 * wide as measured. */
static void get_features(PangoFont *font, hb_feature_t *features, guint length, guint *n)
{
    static const hb_tag_t off[] = {HB_TAG('k', 'e', 'r', 'n'), HB_TAG('l', 'i', 'g', 'a'),
                                   HB_TAG('c', 'l', 'i', 'g')};
    for (guint i = 0; i < G_N_ELEMENTS(off) && *n < length; i++) {
        features[(*n)++] =
            (hb_feature_t){off[i], 0, HB_FEATURE_GLOBAL_START, HB_FEATURE_GLOBAL_END};
    }
}

static void af_face_font_class_init(af_face_fontClass *class)
{
    class->describe = describe_font;
    class->describe_absolute = describe_font;
    class->get_coverage = get_coverage;
    class->get_glyph_extents = get_glyph_extents;
    class->get_metrics = get_metrics;
    class->get_font_map = get_font_map;
    class->get_features = get_features;
    class->create_hb_font = create_hb_font;
}

static void af_face_font_init(af_face_font *self)
{
}

static PangoFont *new_font(af_face_id face, int size)
{
    af_face_font *font = g_object_new(af_face_font_get_type(), NULL);
    font->face = face;
    font->size = size;
    return PANGO_FONT(font);
}

gboolean af_facemap_font_face(PangoFont *font, af_face_id *face)
{
    if (!G_TYPE_CHECK_INSTANCE_TYPE(font, af_face_font_get_type())) {
        return FALSE;
    }
    *face = ((af_face_font *)font)->face;
    return TRUE;
}

/* The fonts for one description, best first. */
typedef struct {
    PangoFontset parent;
    PangoFont *first, *fallback;
    PangoFontset *behind; /* may be NULL */
} af_face_fontset;

typedef PangoFontsetClass af_face_fontsetClass;

GType af_face_fontset_get_type(void);
G_DEFINE_FINAL_TYPE(af_face_fontset, af_face_fontset, PANGO_TYPE_FONTSET)

static gboolean has_character(PangoFont *font, guint character)
{
    return af_face_glyph_at(((af_face_font *)font)->face, character).glyph != 0;
}

static PangoFont *get_font(PangoFontset *fontset, guint character)
{
    af_face_fontset *self = (af_face_fontset *)fontset;
    if (has_character(self->first, character)) {
        return g_object_ref(self->first);
    }
    if (has_character(self->fallback, character)) {
        return g_object_ref(self->fallback);
    }
    PangoFont *font = self->behind == NULL ? NULL : pango_fontset_get_font(self->behind, character);
    return font != NULL ? font : g_object_ref(self->first);
}

static void visit_fonts(PangoFontset *fontset, PangoFontsetForeachFunc visit, gpointer user)
{
    af_face_fontset *self = (af_face_fontset *)fontset;
    if (!visit(fontset, self->first, user) && !visit(fontset, self->fallback, user) &&
        self->behind != NULL) {
        pango_fontset_foreach(self->behind, visit, user);
    }
}

static PangoLanguage *get_language(PangoFontset *fontset)
{
    return pango_language_from_string("en");
}

static void dispose_fontset(GObject *object)
{
    af_face_fontset *self = (af_face_fontset *)object;
    g_clear_object(&self->first);
    g_clear_object(&self->fallback);
    g_clear_object(&self->behind);
    G_OBJECT_CLASS(af_face_fontset_parent_class)->dispose(object);
}

static void af_face_fontset_class_init(af_face_fontsetClass *class)
{
    class->get_font = get_font;
    class->foreach = visit_fonts;
    class->get_language = get_language;
    G_OBJECT_CLASS(class)->dispose = dispose_fontset;
}

static void af_face_fontset_init(af_face_fontset *self)
{
}

typedef struct {
    PangoFontMap parent;
    PangoContext *behind; /* may be NULL */
} af_face_map;

typedef PangoFontMapClass af_face_mapClass;

GType af_face_map_get_type(void);
G_DEFINE_FINAL_TYPE(af_face_map, af_face_map, PANGO_TYPE_FONT_MAP)

static af_face_id choose_face(const PangoFontDescription *description)
{
    return pango_font_description_get_weight(description) >= PANGO_WEIGHT_SEMIBOLD
               ? AF_FACE_BOLD
               : AF_FACE_REGULAR;
}

static PangoFont *load_font(PangoFontMap *map, PangoContext *context,
                            const PangoFontDescription *description)
{
    return new_font(choose_face(description), pango_font_description_get_size(description));
}

static PangoFontset *load_fontset(PangoFontMap *map, PangoContext *context,
                                  const PangoFontDescription *description, PangoLanguage *language)
{
    af_face_map *self = (af_face_map *)map;
    af_face_fontset *fontset = g_object_new(af_face_fontset_get_type(), NULL);
    fontset->first = load_font(map, context, description);
    fontset->fallback = new_font(AF_FACE_FALLBACK, pango_font_description_get_size(description));
    if (self->behind != NULL) {
        fontset->behind = pango_font_map_load_fontset(pango_context_get_font_map(self->behind),
                                                      self->behind, description, language);
    }
    return PANGO_FONTSET(fontset);
}

static void list_families(PangoFontMap *map, PangoFontFamily ***families, int *n)
{
    *families = NULL; /* callers select faces by weight only */
    *n = 0;
}

static void dispose_map(GObject *object)
{
    g_clear_object(&((af_face_map *)object)->behind);
    G_OBJECT_CLASS(af_face_map_parent_class)->dispose(object);
}

static void af_face_map_class_init(af_face_mapClass *class)
{
    class->load_font = load_font;
    class->load_fontset = load_fontset;
    class->list_families = list_families;
    G_OBJECT_CLASS(class)->dispose = dispose_map;
}

static void af_face_map_init(af_face_map *self)
{
}

PangoFontMap *af_facemap_new(PangoContext *behind)
{
    af_face_map *map = g_object_new(af_face_map_get_type(), NULL);
    map->behind = behind;
    return PANGO_FONT_MAP(map);
}
