#include "api/byte_limit.h"

#include "api/carried_profile.h"
#include "api/messages.h"
#include "base/out.h"
#include "base/spool.h"

/* Below these a picture says little: frames of one colour for two categories, a graph of a few
 * rows, letters that cannot be read. Heights and scales shrink by a quarter each time. */
static const unsigned colours[] = {64, 32};
enum { LEAST_HEIGHT_PX = 400, LEAST_PERCENT = 50 };

static bool collect(void *user, const void *bytes, size_t length, GError **error)
{
    return af_spool_add(user, bytes, length, error);
}

/* The next attempt; FALSE after the last one. */
static gboolean reduce(af_picture_options *options, int height_px)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(colours); i++) {
        if (options->colours == 0 || options->colours > colours[i]) {
            options->colours = colours[i];
            return TRUE;
        }
    }
    options->height_px = options->height_px == 0 ? height_px : options->height_px;
    const int height = options->height_px * 3 / 4, percent = options->scale_percent * 3 / 4;
    if (height >= LEAST_HEIGHT_PX && !options->full_depth) {
        options->height_px = height;
        return TRUE;
    }
    options->scale_percent = percent;
    return percent >= LEAST_PERCENT;
}

/* "reduced to 32 colours, at most 900 px high, at scale 1.50: 81 KB" */
static char *describe(const af_picture_options *was, const af_picture_options *is, size_t bytes)
{
    GString *text = g_string_new(NULL);
    g_autofree char *size = af_carried_profile_say_size(bytes);
    g_string_append_printf(text, "reduced to %u colours", is->colours);
    if (is->height_px != was->height_px) {
        g_string_append_printf(text, ", at most %d px high", is->height_px);
    }
    if (is->scale_percent != was->scale_percent) {
        g_string_append_printf(text, ", at scale %d.%02d", is->scale_percent / 100,
                               is->scale_percent % 100);
    }
    g_string_append_printf(text, ": %s", size);
    return g_string_free(text, FALSE);
}

static gboolean draw_within(af_drawing_func draw, const void *subject,
                            const af_canvas_class *canvas, const af_picture_options *options,
                            af_write_func write, void *user, GPtrArray *messages, GError **error)
{
    af_picture_options now = *options;
    const int height_px = af_drawing_height_c(options, canvas) / 100;
    gboolean more = TRUE;
    for (;;) {
        g_ptr_array_set_size(messages, 0);
        af_spool *png = af_spool_new(NULL);
        gboolean ok = draw(subject, canvas, &now, collect, png, messages, error);
        const size_t bytes = png->length;
        const gboolean fits = ok && bytes <= options->max_bytes;
        af_picture_options next = now;
        more = ok && !fits && reduce(&next, height_px);
        if (fits && now.colours > 0) {
            g_ptr_array_add(messages, describe(options, &now, bytes));
        }
        if (ok && !fits && !more) {
            g_autofree char *least = af_carried_profile_say_size(bytes);
            g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                        "the smallest picture has %s, more than asked for", least);
        }
        ok = fits && af_out_pass(write, user, png->bytes, bytes, error);
        af_spool_free(png);
        if (!more) {
            return ok;
        }
        now = next;
    }
}

gboolean af_byte_limit_draw(af_drawing_func draw, const void *subject,
                            const af_canvas_class *canvas, const af_picture_options *options,
                            af_write_func write, void *user, char ***messages, GError **error)
{
    GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
    const gboolean limited = options->max_bytes > 0 && canvas == &af_canvas_png;
    const gboolean ok = limited
                            ? draw_within(draw, subject, canvas, options, write, user, list, error)
                            : draw(subject, canvas, options, write, user, list, error);
    if (!ok) {
        g_clear_pointer(&list, g_ptr_array_unref);
    }
    af_messages_give(list, messages);
    return ok;
}
