#include <hb-ot.h>
#include <hb-subset.h>

#include "libraries/forward.h"

LIBRARY("libharfbuzz-subset.so.0", "HarfBuzz")

FORWARD(const char *, hb_version_string, (void), ())
FORWARD(hb_blob_t *, hb_blob_create,
        (const char *bytes, unsigned length, hb_memory_mode_t mode, void *user,
         hb_destroy_func_t destroy),
        (bytes, length, mode, user, destroy))
FORWARD(const char *, hb_blob_get_data, (hb_blob_t * blob, unsigned *length), (blob, length))
FORWARD_VOID(hb_blob_destroy, (hb_blob_t * blob), (blob))
FORWARD(hb_face_t *, hb_face_create, (hb_blob_t * blob, unsigned index), (blob, index))
FORWARD(unsigned, hb_face_get_upem, (const hb_face_t *face), (face))
FORWARD(hb_blob_t *, hb_face_reference_blob, (hb_face_t * face), (face))
FORWARD_VOID(hb_face_destroy, (hb_face_t * face), (face))
FORWARD(hb_font_t *, hb_font_create, (hb_face_t * face), (face))
FORWARD(hb_face_t *, hb_font_get_face, (hb_font_t * font), (font))
FORWARD(hb_bool_t, hb_font_get_nominal_glyph,
        (hb_font_t * font, hb_codepoint_t character, hb_codepoint_t *glyph),
        (font, character, glyph))
FORWARD(hb_position_t, hb_font_get_glyph_h_advance, (hb_font_t * font, hb_codepoint_t glyph),
        (font, glyph))
FORWARD_VOID(hb_font_make_immutable, (hb_font_t * font), (font))
FORWARD_VOID(hb_ot_font_set_funcs, (hb_font_t * font), (font))
FORWARD(hb_set_t *, hb_set_create, (void), ())
FORWARD_VOID(hb_set_add, (hb_set_t * set, hb_codepoint_t character), (set, character))
FORWARD_VOID(hb_set_add_range, (hb_set_t * set, hb_codepoint_t first, hb_codepoint_t last),
             (set, first, last))
FORWARD(hb_bool_t, hb_set_is_empty, (const hb_set_t *set), (set))
FORWARD_VOID(hb_set_union, (hb_set_t * set, const hb_set_t *other), (set, other))
FORWARD_VOID(hb_set_destroy, (hb_set_t * set), (set))
FORWARD(hb_subset_input_t *, hb_subset_input_create_or_fail, (void), ())
FORWARD(hb_set_t *, hb_subset_input_unicode_set, (hb_subset_input_t * input), (input))
FORWARD(hb_set_t *, hb_subset_input_set, (hb_subset_input_t * input, hb_subset_sets_t kind),
        (input, kind))
FORWARD_VOID(hb_subset_input_set_flags, (hb_subset_input_t * input, unsigned flags), (input, flags))
FORWARD_VOID(hb_subset_input_destroy, (hb_subset_input_t * input), (input))
FORWARD(hb_face_t *, hb_subset_or_fail, (hb_face_t * face, const hb_subset_input_t *input),
        (face, input))
