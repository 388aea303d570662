/* Shared by the functions that draw: options and canvases. */
#pragma once

#include <aflame/picture.h>
#include <aflame/version.h>
#include "render/canvas.h"

#define AF_DRAWING_PROGRAM "aflame " AFLAME_VERSION

/* The caller's options (NULL = none), completed with the defaults of their view, or of a chart.
 * FALSE with AF_ERROR_USAGE if the caller did not initialise them. */
gboolean af_drawing_fill_options(const af_picture_options *options, gboolean chart,
                                 af_picture_options *known, GError **error);

/* FALSE with AF_ERROR_USAGE if a number is out of range, or AF_ERROR_MEMORY if the faces cannot be
 * loaded. */
gboolean af_drawing_check(const af_picture_options *options, GError **error);

/* Width of the picture, hundredths of a pixel. */
int af_drawing_width_c(const af_picture_options *options, const af_canvas_class *canvas);

/* The limit for the height of the page; 0 = none. */
int af_drawing_height_c(const af_picture_options *options, const af_canvas_class *canvas);

/* The bytes that an interactive picture may take for its call trees; 0 = no limit. */
size_t af_drawing_pack_budget(const af_picture_options *options);

/* NULL with AF_ERROR_USAGE. Alternative text carries no profile, whatever the options say. */
const af_canvas_class *af_drawing_choose_canvas(const char *format, af_picture_options *options,
                                                GError **error);

gboolean af_drawing_is_interactive(const af_canvas_class *canvas,
                                   const af_picture_options *options);

/* Cleans a caller's name for a scene; NULL stays NULL. Free with g_free(). */
char *af_drawing_clean_name(const char *name);

/* Plays a scene into a canvas; with its script if `script`. */
gboolean af_drawing_play(const af_scene *scene, const af_canvas_class *canvas,
                         const af_picture_options *options, gboolean script, int64_t date_s,
                         af_write_func write, void *user, GPtrArray *messages, GError **error);
