/* Pictures on a surface of the caller's. */
#include <aflame/cairo.h>
#include <cairo.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

static af_profile *open_sample(void)
{
    af_profile *profile = af_profile_open(getenv("AFLAME_SAMPLE"), NULL, NULL);
    ck_assert_ptr_nonnull(profile);
    return profile;
}

/* The number of pixels that differ from the first one. */
static unsigned count_painted(cairo_surface_t *surface)
{
    cairo_surface_flush(surface);
    const unsigned char *bytes = cairo_image_surface_get_data(surface);
    const int stride = cairo_image_surface_get_stride(surface);
    unsigned n = 0;
    for (int y = 0; y < cairo_image_surface_get_height(surface); y++) {
        for (int x = 0; x < cairo_image_surface_get_width(surface); x++) {
            n += memcmp(bytes + (size_t)y * (size_t)stride + (size_t)x * 4, bytes, 4) != 0;
        }
    }
    return n;
}

TEST(a_picture_is_drawn_where_the_caller_wants_it)
{
    g_autoptr(af_profile) profile = open_sample();
    af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    const char *const threads[] = {"main", NULL};
    options.threads = threads;
    options.width_px = 800;
    double width = 0, height = 0;
    ck_assert(af_picture_draw(profile, &options, NULL, &width, &height, NULL, NULL));
    ck_assert(width == 800 && height > 100);

    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width / 2 + 100, (int)height / 2 + 100);
    cairo_t *cr = cairo_create(surface);
    cairo_translate(cr, 100, 100);
    cairo_scale(cr, 0.5, 0.5);
    cairo_set_line_width(cr, 7);
    cairo_matrix_t before, after;
    cairo_get_matrix(cr, &before);
    g_auto(GStrv) messages = NULL;
    GError *error = NULL;
    ck_assert_msg(af_picture_draw(profile, &options, cr, NULL, NULL, &messages, &error), "%s",
                  error != NULL ? error->message : "");
    cairo_get_matrix(cr, &after);
    ck_assert_mem_eq(&before, &after, sizeof before);
    ck_assert(cairo_get_line_width(cr) == 7 && !cairo_has_current_point(cr));
    /* the margin stays as it was: only the picture's own area changes */
    const unsigned painted = count_painted(surface);
    ck_assert_uint_gt(painted, (unsigned)(width * height / 5));
    ck_assert_uint_le(painted, ((unsigned)width / 2 + 1) * ((unsigned)height / 2 + 1));
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
}

TEST(a_surface_in_an_error_state_is_an_error)
{
    g_autoptr(af_profile) profile = open_sample();
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 100, 100);
    cairo_t *cr = cairo_create(surface);
    cairo_surface_finish(surface);
    cairo_paint(cr);
    ck_assert_error(af_picture_draw(profile, NULL, cr, NULL, NULL, NULL, &error), AF_ERROR_OUTPUT);
    cairo_destroy(cr);
    cairo_surface_destroy(surface);

    af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    options.scale_percent = 1;
    options.min_width_c = -1;
    ck_assert_error(af_picture_draw(profile, &options, NULL, NULL, NULL, NULL, &error),
                    AF_ERROR_USAGE);
}
