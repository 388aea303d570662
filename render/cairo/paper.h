/* Shared by the canvases that draw outlines with cairo: rectangles, hatching and text, the bytes
 * that cairo writes, and the first error. Everything is drawn in units of the surface, without a
 * transformation. */
#pragma once

#include <cairo.h>
#include "base/out.h"
#include "base/spool.h"
#include "render/canvas.h"
#include "render/cairo/letters.h"

struct af_canvas {
    cairo_surface_t *surface;
    cairo_t *cr;     /* NULL = nothing is drawn */
    double unit;     /* units of the surface in a hundredth of a pixel of the scene */
    double top;      /* top of the current page, and of the next one where pages follow below */
    double next_top; /* each other */
    gboolean dark;
    gboolean refused; /* memory was refused */
    af_letters *letters;
    const af_scene *scene;
    const char *program;
    af_spool *written; /* what cairo wrote: the whole file but for what finish() adds */
    af_out out;

    /* of PDF */
    GPtrArray *messages; /* may be NULL */
    int page;            /* from 1; 0 = none yet */
    int depth;           /* of groups; the outermost are the sections of the document */
    const char *name;    /* the full name of the frame; NULL outside of frames */
    const char *heading; /* tag for a heading at the start of a section; NULL after it */
    const char *tag;     /* the innermost one; NULL = the section's */
};

/* Do not draw before af_paper_lay(). */
af_canvas *af_paper_new(const af_scene *scene, const af_canvas_options *options,
                        af_write_func write, void *user);

/* Takes ownership of the surface. If the surface is invalid, frees the paper and returns FALSE with
 * an error. */
gboolean af_paper_lay(af_canvas *paper, cairo_surface_t *surface, double unit, GError **error);

/* Collects what a surface streams; the closure is the paper. */
cairo_status_t af_paper_write(void *closure, const unsigned char *bytes, unsigned length);

void af_paper_ground(af_canvas *paper, double width, double height);

/* Functions of a canvas; pages follow below each other. */
void af_paper_page(af_canvas *paper, const af_scene_page *page);
void af_paper_rect(af_canvas *paper, const af_scene_rect *rect);
void af_paper_text(af_canvas *paper, const af_scene_text *text);
void af_paper_shape(af_canvas *paper, const af_scene_shape *shape);
void af_paper_free(af_canvas *paper);

/* Whether there was no error so far. */
gboolean af_paper_check(af_canvas *paper, GError **error);

/* Finishes a surface that streams, so that cairo writes its last byte. */
gboolean af_paper_end(af_canvas *paper, GError **error);

/* The saved profile to embed; NULL = none. */
GBytes *af_paper_profile(const af_canvas *paper);
