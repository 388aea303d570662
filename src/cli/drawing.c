#include "cli/drawing.h"

const af_formats af_drawing_formats = {
    .name = af_picture_format,
    .extensions = af_picture_format,
    .is_binary = af_picture_format_is_binary,
};

/* For draw_target(). */
typedef struct {
    const af_profile *profile;
    const af_picture_options *options;
    gboolean quiet;
} task;

static gboolean draw_target(void *user, const af_target *target, af_write_func write, void *to,
                            GError **error)
{
    const task *d = user;
    GPtrArray *notes = NULL;
    gboolean ok =
        af_picture_write(d->profile, target->format, d->options, write, to, &notes, error);
    if (ok && !d->quiet) {
        af_message_print_all(target->path, notes);
    }
    g_clear_pointer(&notes, g_ptr_array_unref);
    return ok;
}

af_exit af_drawing_write(const af_options *o, const GPtrArray *targets, const af_input *input,
                         const af_profile *profile)
{
    char *name = g_path_get_basename(af_input_shown(input, profile));
    af_picture_options picture = o->picture;
    picture.input_name = name;
    task t = {profile, &picture, o->quiet};
    const af_exit status = af_targets_write(targets, input->name, draw_target, &t);
    g_free(name);
    return status;
}
