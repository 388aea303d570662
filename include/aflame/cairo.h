/* Drawing into a program's own cairo surface.
 *
 * The same pictures as those of picture.h, without a script and without the profile inside. This
 * header does not include cairo.h; a program that draws does, and links to cairo itself.
 *
 *     double width, height;
 *     cairo_t *cr = NULL;
 *     if (!af_picture_draw(profile, NULL, cr, &width, &height, NULL, &error)) {
 *         fprintf(stderr, "%s\n", af_error_message(error));
 *     }
 */
#ifndef AFLAME_CAIRO_H
#define AFLAME_CAIRO_H

#include <aflame/picture.h>

AF_BEGIN_DECLS

typedef struct _cairo cairo_t; /* as in cairo.h */

/* Draws `profile` at the origin of the user space of `cr`, a pixel of the picture as one unit: scale,
 * move and clip as you like. All threads are drawn below each other. The function fills in *width and
 * *height (either may be NULL), in the same units; with `cr` = NULL it does nothing else. `cr` stays
 * yours; its state is that of before, except for its current path, which is empty.
 *
 * Of `options`, which may be NULL, those that concern files have no effect: scale_percent, outlines,
 * no_script, data, data_budget, no_profile, epoch_s. AF_THEME_AUTO is light. `messages` and the errors
 * are those of af_picture_write(); AF_ERROR_OUTPUT if `cr` is in an error state or gets into one. */
AF_API bool af_picture_draw(const af_profile *profile, const af_picture_options *options,
                            cairo_t *cr, double *width, double *height, char ***messages,
                            GError **error);

AF_END_DECLS

#endif
