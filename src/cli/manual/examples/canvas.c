/* Draws into a canvas of its own: a surface of cairo with a border and a text of the program.
 *
 *     cc canvas.c $(pkg-config --cflags --libs aflame cairo) && ./a.out app.trace page.png */
#include <stdio.h>
#include <cairo.h>
#include <aflame/aflame.h>

#define MARGIN 20

int main(int argc, char **argv)
{
    GError *error = NULL;
    double width, height;
    af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    options.width_px = 1200;
    af_profile *profile = argc == 3 ? af_profile_open(argv[1], NULL, &error) : NULL;
    if (profile == NULL ||
        !af_picture_draw(profile, &options, NULL, &width, &height, NULL, &error)) {
        fprintf(stderr, "%s\n", af_error_message(error));
        af_error_clear(&error);
        af_profile_free(profile);
        return 1;
    }

    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, (int)width + 2 * MARGIN, (int)height + 2 * MARGIN);
    cairo_t *cr = cairo_create(surface);
    cairo_set_source_rgb(cr, 0.2, 0.3, 0.4);
    cairo_paint(cr);
    cairo_translate(cr, MARGIN, MARGIN);
    bool ok = af_picture_draw(profile, &options, cr, NULL, NULL, NULL, &error);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_move_to(cr, 0, height + MARGIN * 0.7);
    cairo_show_text(cr, argv[1]);
    ok = ok && cairo_surface_write_to_png(surface, argv[2]) == CAIRO_STATUS_SUCCESS;
    if (!ok) {
        fprintf(stderr, "%s\n", error != NULL ? af_error_message(error) : "cannot write");
    }
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    af_error_clear(&error);
    af_profile_free(profile);
    return ok ? 0 : 1;
}
