/* A canvas: an output format that plays a scene.
 *
 * Only begin and finish return a status. Between them the first error sticks and later calls do
 * nothing; finish reports it. free may be called at any time and cannot fail.
 *
 * A canvas that cannot hold the scene's size (cairo: 32,767 pixels a side) reduces the scale or
 * cuts the picture, and reports it in `messages`; it never writes a blank or broken file. */
#pragma once

#include <aflame/output.h>
#include "render/scene.h"

typedef struct {
    gboolean dark;        /* for canvases that show one theme */
    gboolean both_themes; /* the canvas may follow the viewer's setting */
    int scale_percent;    /* pixels for each unit, 100 = 1 */
    unsigned colours;     /* PNG: at most this many, even if it shows; 0 = no limit */
    gboolean system_fonts;
    gboolean fluid;      /* SVG: never wider than its window */
    gboolean script;     /* SVG: with the script and its data */
    const char *program; /* "aflame 0.1.0" */
    int64_t date_s;      /* date for formats that need one; -1 = the recording's, if it is known */
    GPtrArray *messages; /* of char *, owned by the array; may be NULL */
} af_canvas_options;

typedef struct af_canvas af_canvas;

typedef struct af_canvas_class {
    const char *name;      /* "png" */
    const char *extension; /* "png" */
    const char *title;     /* "PNG picture" */
    gboolean paged;        /* needs a page for each thread */
    gboolean binary;       /* must not be written to a terminal */
    gboolean selectable;   /* one of the formats of pictures; FALSE for those of an option */

    /* `about` and the sizes of all pages are in `scene`; the commands follow later. The scene, and
     * everything that the commands point to, lives until the canvas is freed. */
    af_canvas *(*begin)(const af_scene *scene, const af_canvas_options *options,
                        af_write_func write, void *user, GError **error);
    /* NULL for a format that reads the scene in finish(); it has no rect, text and shape either */
    void (*page)(af_canvas *canvas, const af_scene_page *page);
    void (*rect)(af_canvas *canvas, const af_scene_rect *rect);
    void (*text)(af_canvas *canvas, const af_scene_text *text);
    /* NULL for a format without groups or links */
    void (*push)(af_canvas *canvas, const af_scene_group *group);
    void (*pop)(af_canvas *canvas);
    void (*link)(af_canvas *canvas, const af_scene_link *link);
    void (*shape)(af_canvas *canvas, const af_scene_shape *shape);
    gboolean (*finish)(af_canvas *canvas, GError **error);
    void (*free)(af_canvas *canvas);
} af_canvas_class;

/* The canvases, in the order of the help. */
/* clang-format off */
#define AF_CANVASES(CANVAS) \
    CANVAS(svg) \
    CANVAS(png) \
    CANVAS(pdf) \
    CANVAS(svg_outlines) \
    CANVAS(alt)
/* clang-format on */

#define AF_DECLARE_CANVAS(name) extern const af_canvas_class af_canvas_##name;
AF_CANVASES(AF_DECLARE_CANVAS)

/* NULL past the end; NULL if no canvas has the name. */
const af_canvas_class *af_canvas_at(unsigned number);
const af_canvas_class *af_canvas_lookup(const char *name);

/* Plays the whole scene. */
gboolean af_canvas_play(const af_canvas_class *canvas_class, const af_scene *scene,
                        const af_canvas_options *options, af_write_func write, void *user,
                        GError **error);
