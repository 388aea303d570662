/* The parts of the SVG canvas. Private to render/svg. */
#pragma once

#include "base/aflp.h"
#include "base/out.h"
#include "render/canvas.h"

/* Writes text for XML 1.0, inside elements and inside quotes. Replaces characters that XML forbids
 * and invalid UTF-8 with U+FFFD. */
void af_svg_escape(af_out *out, const char *text);

/* Write an attribute after a space: a number of hundredths, or a text unless it is NULL. */
void af_svg_number(af_out *out, const char *name, int64_t hundredths);
void af_svg_string(af_out *out, const char *name, const char *value);

/* The class of a paint's rectangles: "a0" to "h4" for frames, a letter for other roles. */
void af_svg_class(af_out *out, af_paint paint);

/* Writes "#rrggbb". */
void af_svg_colour(af_out *out, af_paint paint, gboolean dark);

/* Writes the paint of a shape twice: as a class, whose colour follows the theme, and as an
 * attribute for viewers that do not apply style sheets. `kind` is "h" for hatched shapes, "t" and
 * "th" for strokes, "" for others; `also` is a second class or NULL. The root has the colour of
 * labels, which inherit it. */
void af_svg_paint(af_out *out, const char *kind, af_paint paint, const char *also, gboolean dark);

/* The names of the faces, in order of preference. */
#define AF_SVG_FONTS                                                                               \
    "'Noto Sans SemiCondensed','DejaVu Sans Condensed','Roboto Condensed','Arial Narrow',"         \
    "sans-serif"

/* Narrower frames have no facts of their own, because they are too narrow to point at. The limit is
 * higher with a script, which shows the facts of all frames itself: it is raised until only about
 * 600 frames have facts, so that the file is small and browsers open it quickly. Hundredths of a
 * pixel. */
int32_t af_svg_pointed_at_from(const af_scene *scene, gboolean script);

/* Writes the attributes of the root with the settings of the sheet; `width` of the page,
 * hundredths. */
void af_svg_grid(af_out *out, const af_scene *scene, int64_t width);

/* Writes the saved profile of `scene`, if it has one, as an attribute of the root: minifiers keep
 * it and drop metadata. */
void af_svg_profile(af_out *out, const af_scene *scene);

/* Whether `scene` needs the script and the rules for charts and comparisons. */
gboolean af_svg_has_more(const af_scene *scene);

/* Writes the call trees, if `scene` has them. */
void af_svg_trees(af_out *out, const af_scene *scene);

void af_svg_script(af_out *out, const af_scene *scene);

/* Whether panels move so that the pages of a print do not cut them, which needs the content of the
 * root at its top; and the rules that move them. */
gboolean af_svg_breaks_pages(const af_scene *scene);
void af_svg_page_breaks(af_out *out, const af_scene *scene, gboolean script);

/* Writes the <style> and <defs> elements: rules, colours of the paints that `scene` uses, hatchings
 * and the letters of the bundled face. */
void af_svg_style(af_out *out, const af_scene *scene, const af_canvas_options *options,
                  int32_t pointed_at_from);
