#include "cli/thumbnail.h"

#include "api/autoptr.h"
#include "cli/drawing.h"

/* The width of the drawing in pixels; a larger or smaller picture shows the same. */
#define WIDTH_PX 256

static gboolean write_target(void *user, const af_target *target, af_write_func write, void *to,
                             GError **error)
{
    const af_profile *profile = user;
    af_picture_options picture = AF_PICTURE_OPTIONS_INIT;
    picture.view = AF_VIEW_THUMBNAIL;
    picture.no_profile = TRUE;
    picture.width_px = WIDTH_PX;
    picture.scale_percent = 100;
    return af_picture_write(profile, target->format, &picture, write, to, NULL, error);
}

af_exit af_thumbnail_write(int n_words, char **words)
{
    if (n_words != 2) {
        af_message_print(NULL, "needs a trace and a PNG: aflame thumbnail TRACE PNG");
        return AF_EXIT_USAGE;
    }
    const char *paths[] = {words[1], NULL};
    g_autoptr(GPtrArray) targets = af_targets_choose(&af_drawing_formats, paths, "png");
    if (targets == NULL) {
        return AF_EXIT_USAGE;
    }
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.only_sums = TRUE;
    GError *error = NULL;
    g_autoptr(af_profile) profile = af_profile_open(words[0], &options, &error);
    af_exit status;
    if (profile != NULL) {
        status = af_targets_write(targets, words[0], write_target, profile);
    } else {
        status = af_message_fail(words[0], error);
    }
    return status;
}
