/* Keeps a PNG within a number of bytes, by drawing it again with less. */
#pragma once

#include "api/drawing.h"

/* Draws `subject` once, with completed options; adds lines to `messages`. */
typedef gboolean (*af_drawing_func)(const void *subject, const af_canvas_class *canvas,
                                    const af_picture_options *options, af_write_func write,
                                    void *user, GPtrArray *messages, GError **error);

/* Draws within options->max_bytes if the canvas is PNG, otherwise once. `messages`, which may be
 * NULL, receives the lines of the last drawing and one that names the reductions; NULL on failure.
 * Fails with AF_ERROR_USAGE if even the smallest picture is too large. */
gboolean af_byte_limit_draw(af_drawing_func draw, const void *subject,
                            const af_canvas_class *canvas, const af_picture_options *options,
                            af_write_func write, void *user, char ***messages, GError **error);
