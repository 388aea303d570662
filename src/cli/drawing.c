#include "cli/drawing.h"
#include "api/command.h"
#include "cli/comment.h"
#include "cli/module.h"

#include <string.h>

const af_formats af_drawing_formats = {
    .name = af_picture_format,
    .extensions = af_picture_format,
    .is_binary = af_picture_format_is_binary,
};

/* For draw_target(). */
typedef struct {
    const af_options *run;
    const GPtrArray *targets;
    const af_profile *profile;
    const af_picture_options *options;
    GPtrArray *messages; /* of message */
} task;

/* About one output; printed when all are written. */
typedef struct {
    const af_target *target;
    char **lines;
} message;

static void free_message(gpointer user)
{
    g_autofree message *m = user;
    af_messages_free(m->lines);
}

static gboolean draw_target(void *user, const af_target *target, af_write_func write, void *to,
                            GError **error)
{
    const task *d = user;
    char **messages = NULL;
    if (strcmp(target->format, "markdown") == 0) {
        return af_comment_write(d->run, d->options, d->profile, d->options->input_name, d->targets,
                                write, to, error);
    }
    gboolean ok =
        af_picture_write(d->profile, target->format, d->options, write, to, &messages, error);
    if (ok) {
        message *m = g_new(message, 1);
        *m = (message){target, messages};
        g_ptr_array_add(d->messages, m);
    }
    return ok;
}

/* The findings, for pictures that list them. NULL also on failure: other pictures than sheets are
 * complete without the list. */
static af_explanation *explain(const af_options *o, const af_picture_options *picture,
                               const af_profile *profile)
{
    enum { MOST_RECORDS = 500000 }; /* a second reading of more would take too long for a list */
    const gboolean listed =
        af_options_write(o, "svg") && (o->view == AF_VIEW_GRAPH || o->view == AF_VIEW_CHART);
    af_explain_options options = AF_EXPLAIN_OPTIONS_INIT;
    options.input_name = picture->input_name;
    if (o->view == AF_VIEW_SHEET) {
        options.input_name = o->redact ? NULL : picture->input_name; /* for a comment */
        return af_explanation_new_for_sheet(profile, &options, picture, NULL);
    }
    options.most_records = MOST_RECORDS;
    return listed ? af_explanation_new(profile, &options, NULL) : NULL;
}

af_exit af_drawing_write(const af_options *o, const GPtrArray *targets, const af_input *input,
                         const af_profile *profile)
{
    g_autofree char *name = g_path_get_basename(af_input_shown(input, profile));
    af_picture_options picture = o->picture;
    picture.input_name = name;
    if (picture.view == AF_VIEW_CALLGRAPH) {
        af_exit status;
        *(void **)&picture.lay_out =
            af_module_need(&af_module_graphviz, "af_graphviz_lay_out", &status);
        if (picture.lay_out == NULL) {
            return status;
        }
    }
    picture.explanation = explain(o, &picture, profile);
    task t = {o, targets, profile, &picture, g_ptr_array_new_with_free_func(free_message)};
    const af_exit status = af_targets_write(targets, input->name, draw_target, &t);
    for (guint i = 0; status == AF_EXIT_DONE && !o->quiet && i < t.messages->len; i++) {
        const message *m = t.messages->pdata[i];
        af_message_print_all(m->target->path, m->lines);
    }
    g_ptr_array_unref(t.messages);
    af_explanation_free((af_explanation *)picture.explanation);
    return status;
}
