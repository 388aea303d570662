#include "api/drawing.h"

#include "base/memory_error.h"
#include "base/options.h"
#include "base/utf8.h"
#include "model/visible.h"
#include "render/boxes.h"
#include "render/face.h"
#include "render/sizes.h"

/* The size of pictures where they are shown: there, a pixel of the page is at least a pixel, so
 * that type keeps its size. */
static const struct {
    const char *name;
    int width_px, height_px, scale_percent;
} media[] = {
    {"github", 800, 1200, 200}, /* the column of comments; twice, for dense displays */
    {"jira", 680, 1000, 200},   /* a description, next to the fields of the issue */
    {"slack", 480, 600, 300},   /* the preview in a message; a click shows three times that */
    {"slide", 960, 540, 200},   /* 16:9; type of 24 px on a projector with 1920 x 1080 */
    {"print", 680, 1000, 300},  /* A4 and Letter with margins of 15 mm; 288 dots per inch */
};

const char *af_picture_medium(unsigned index)
{
    return index < G_N_ELEMENTS(media) ? media[index].name : NULL;
}

/* Fills in the sizes that the caller leaves open. FALSE if the medium is unknown. */
static gboolean choose_medium(af_picture_options *options, GError **error)
{
    for (unsigned i = 0; options->medium != NULL; i++) {
        if (i == G_N_ELEMENTS(media)) {
            g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "unknown medium \"%s\"", options->medium);
            return FALSE;
        }
        if (strcmp(options->medium, media[i].name) == 0) {
            options->width_px = options->width_px == 0 ? media[i].width_px : options->width_px;
            options->height_px = options->height_px == 0 ? media[i].height_px : options->height_px;
            options->scale_percent =
                options->scale_percent == 0 ? media[i].scale_percent : options->scale_percent;
            break;
        }
    }
    return TRUE;
}

/* Bug trackers scale a PNG to about 800 pixels, and its text with it. */
enum { WIDTH_PX = 1200, PNG_WIDTH_PX = 800, PNG_HEIGHT_PX = 1800, SHEET_HEIGHT_PX = 1200 };

/* In base64; the file with the drawing then usually has at most 2 MB. */
#define PACK_BUDGET ((size_t)900000)

int af_drawing_width_c(const af_picture_options *options, const af_canvas_class *canvas)
{
    const gboolean narrow = canvas == &af_canvas_png || options->view == AF_VIEW_SHEET;
    const int default_px = narrow ? PNG_WIDTH_PX : WIDTH_PX;
    return (options->width_px == 0 ? default_px : options->width_px) * 100;
}

int af_drawing_height_c(const af_picture_options *options, const af_canvas_class *canvas)
{
    const gboolean sheet = options->view == AF_VIEW_SHEET;
    const gboolean limited =
        (canvas == &af_canvas_png || sheet) && options->height_px >= 0 && !options->full_depth;
    const int default_px = sheet ? SHEET_HEIGHT_PX : PNG_HEIGHT_PX;
    return !limited ? 0 : (options->height_px == 0 ? default_px : options->height_px) * 100;
}

size_t af_drawing_pack_budget(const af_picture_options *options)
{
    return options->data != AF_DATA_AUTO ? 0
           : options->data_budget == 0   ? PACK_BUDGET
                                         : options->data_budget;
}

const af_canvas_class *af_drawing_choose_canvas(const char *format, af_picture_options *options,
                                                GError **error)
{
    const af_canvas_class *canvas = af_canvas_lookup(format);
    if (canvas == &af_canvas_alt) {
        options->no_profile = TRUE;
        return canvas;
    }
    if (canvas == &af_canvas_svg && options->outlines) {
        return &af_canvas_svg_outlines;
    }
    if (canvas == NULL || !canvas->selectable) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "unknown picture format \"%s\"", format);
        return NULL;
    }
    return canvas;
}

gboolean af_drawing_check(const af_picture_options *options, GError **error)
{
    const int width_px = options->width_px, height_px = options->height_px;
    if (width_px != 0 && (width_px < 200 || width_px > 100000)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "the width must be between 200 and 100000 pixels");
        return FALSE;
    }
    if (height_px != 0 && height_px != -1 && (height_px < 200 || height_px > 100000)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "the height must be between 200 and 100000 pixels, or -1");
        return FALSE;
    }
    if (options->scale_percent < 10 || options->scale_percent > 1600) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "the scale must be between 0.1 and 16");
        return FALSE;
    }
    if (options->min_width_c < 1 || options->min_width_c > 100000) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "the minimum width of a frame must be between 0.01 and 1000 pixels");
        return FALSE;
    }
    return af_face_load() || af_memory_error_set(error);
}

char *af_drawing_clean_name(const char *name)
{
    if (name == NULL) {
        return NULL;
    }
    g_autoptr(GString) clean = g_string_new(NULL);
    g_autoptr(af_arena) arena = af_arena_new();
    af_utf8_append_clean(clean, name, strlen(name));
    return g_strdup(af_visible_text(arena, clean->str));
}

gboolean af_drawing_is_interactive(const af_canvas_class *canvas, const af_picture_options *options)
{
    return canvas == &af_canvas_svg && !options->no_script;
}

gboolean af_drawing_play(const af_scene *scene, const af_canvas_class *canvas,
                         const af_picture_options *options, gboolean script, int64_t date_s,
                         af_write_func write, void *user, GPtrArray *messages, GError **error)
{
    af_canvas_options canvas_options = {
        .dark = options->theme == AF_THEME_DARK,
        .both_themes = options->theme == AF_THEME_AUTO,
        .scale_percent = options->scale_percent,
        .colours = options->colours,
        .system_fonts = options->system_fonts,
        .program = AF_DRAWING_PROGRAM,
        .date_s = date_s,
        .fluid = options->width_px == 0,
        .script = script,
        .messages = messages,
    };
    if (canvas != &af_canvas_svg && canvas != &af_canvas_alt && !options->system_fonts) {
        af_boxes_report(scene, messages);
    }
    return af_canvas_play(canvas, scene, &canvas_options, write, user, error);
}

gboolean af_drawing_fill_options(const af_picture_options *options, gboolean chart,
                                 af_picture_options *known, GError **error)
{
    *known = (af_picture_options)AF_PICTURE_OPTIONS_INIT;
    if (!af_options_take(known, sizeof *known, options, error) || !choose_medium(known, error)) {
        return FALSE;
    }
    const int default_percent = known->view == AF_VIEW_SHEET ? 300 : 200;
    known->scale_percent = known->scale_percent == 0 ? default_percent : known->scale_percent;
    const int least_c = chart || known->view == AF_VIEW_CHART ? AF_SLICE_MIN_C : AF_FRAME_MIN_C;
    known->min_width_c = known->min_width_c == 0 ? least_c : known->min_width_c;
    return TRUE;
}
