/* Shared by the canvases whose files cairo writes as outlines: rectangles, hatching and text, the
 * output of bytes, and the first error. Everything is drawn in units of the surface, without a
 * transformation. */
#pragma once

#include <cairo.h>
#include "base/out.h"
#include "base/spool.h"
#include "render/canvas.h"
#include "render/cairo/letters.h"

typedef struct {
    cairo_surface_t *surface;
    cairo_t *cr;
    double unit; /* units of the surface in a hundredth of a pixel of the scene */
    double top;  /* top of the current page */
    gboolean dark;
    gboolean refused; /* memory was refused */
    af_letters *letters;
    af_spool *held;  /* collects cairo's bytes; NULL = they are written immediately */
    char *tail;      /* text after cairo's last byte; NULL = none */
    gboolean closed; /* no more bytes are passed on */
    af_out out;
} af_paper;

/* `paper` must be all zero. Do not draw before af_paper_lay(). */
void af_paper_open(af_paper *paper, const af_canvas_options *options, af_write_func write,
                   void *user);

/* Takes ownership of the surface. FALSE with an error if the surface is invalid. */
gboolean af_paper_lay(af_paper *paper, cairo_surface_t *surface, double unit, GError **error);

/* For surfaces that stream; the closure is the paper. */
cairo_status_t af_paper_write(void *closure, const unsigned char *bytes, unsigned length);

void af_paper_ground(af_paper *paper, double width, double height);
void af_paper_rect(af_paper *paper, const af_scene_rect *rect);
void af_paper_text(af_paper *paper, const af_scene_text *text);
void af_paper_shape(af_paper *paper, const af_scene_shape *shape);

/* Whether there was no error so far. */
gboolean af_paper_check(af_paper *paper, GError **error);

/* Finishes a surface that streams, so that cairo writes its last byte. */
gboolean af_paper_end(af_paper *paper, GError **error);

/* Call it after that: writes the rest. */
gboolean af_paper_close(af_paper *paper, GError **error);

/* Frees everything; writes nothing. */
void af_paper_clear(af_paper *paper);

/* The size of all pages, placed below each other. */
void af_paper_measure(const af_scene *scene, int64_t *width, int64_t *height);
