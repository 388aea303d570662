/* Rectangles that are too narrow to point at. All rectangles of one colour form one path whose
 * stroke is as thick as they are high. That takes a fifth of the size of separate elements. Private
 * to render/svg. */
#pragma once

#include "base/out.h"
#include "render/scene.h"

typedef struct {
    gboolean dark;
    int32_t step;                     /* positions are multiples of it, hundredths of a pixel */
    int32_t height;                   /* of all collected bars */
    GArray *bars[2 * AF_PAINT_COUNT]; /* by colour; NULL = unused */
    GArray *dots, *edges;             /* of textures; NULL = unused */
} af_hairlines;

void af_hairlines_init(af_hairlines *lines, gboolean dark, int32_t step);
void af_hairlines_clear(af_hairlines *lines);

/* Writes the collected bars if `rect` has another height. */
void af_hairlines_add(af_hairlines *lines, af_out *out, const af_scene_rect *rect);
/* The same for the top of a rectangle with dots, and for one with dashes. */
void af_hairlines_add_texture(af_hairlines *lines, const af_scene_rect *rect);

void af_hairlines_flush(af_hairlines *lines, af_out *out);
