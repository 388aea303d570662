#include "cli/drawing.h"
#include "api/command.h"
#include "cli/module.h"
#include "api/autoptr.h"
#include "cli/inputs.h"
#include "cli/outputs.h"

#include <string.h>

/* The picture with its alternative text; a PDF, which no comment shows, as a link. */
static gboolean append_picture(GString *to, const af_picture_options *picture,
                               const af_profile *profile, const af_target *target, GError **error)
{
    const gboolean shown = strcmp(target->format, "pdf") != 0;
    g_autofree char *name = g_path_get_basename(target->path);
    g_autofree char *address = g_uri_escape_string(name, NULL, TRUE);
    g_autoptr(GString) text = g_string_new(shown ? NULL : name);
    const gboolean ok =
        !shown || af_picture_write(profile, "alt", picture, af_output_append, text, NULL, error);
    g_string_append(to, shown ? "![" : "[");
    af_markdown_append_text(to, g_strchomp(text->str));
    g_string_append_printf(to, "](%s)\n\n", address);
    return ok;
}

/* The findings with the commands that show more, and the methods with the most self time: a sheet
 * has found them already. */
static gboolean append_findings(GString *to, const af_options *o, const af_picture_options *picture,
                                const af_profile *profile, const char *name, GError **error)
{
    af_explain_options options = AF_EXPLAIN_OPTIONS_INIT;
    options.input_name = o->redact ? NULL : name;
    const gboolean known = picture->view == AF_VIEW_SHEET && picture->explanation != NULL;
    g_autoptr(af_explanation) made = known ? NULL : af_explanation_new(profile, &options, error);
    const af_explanation *explanation = known ? picture->explanation : made;
    const af_explanation *const all[] = {explanation};
    const gboolean ok = explanation != NULL &&
                        af_explanation_write(all, 1, "markdown", 0, af_output_append, to, error);
    if (ok) {
        g_string_append_c(to, '\n');
        af_explanation_append_table(to, profile, explanation, o->picture.clock);
    }
    return ok;
}

/* `targets` names the pictures; `name` is that of the input, without folders. */
static gboolean write_comment(const af_options *o, const af_picture_options *picture,
                              const af_profile *profile, const char *name, const GPtrArray *targets,
                              af_write_func write, void *to, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    gboolean ok = TRUE;
    for (guint i = 0; ok && i < targets->len; i++) {
        const af_target *target = targets->pdata[i];
        ok =
            strcmp(target->path, "-") == 0 || append_picture(text, picture, profile, target, error);
    }
    ok = ok && append_findings(text, o, picture, profile, name, error);
    if (ok && picture->command != NULL) {
        g_string_append_c(text, '\n');
        af_markdown_append_command(text, picture->command);
        g_string_append_c(text, '\n');
    }
    return ok && write(to, text->str, text->len, error);
}

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
} task;

static gboolean draw_target(void *user, af_target *target, af_write_func write, void *to,
                            GError **error)
{
    const task *d = user;
    return strcmp(target->format, "markdown") == 0
               ? write_comment(d->run, d->options, d->profile, d->options->input_name, d->targets,
                               write, to, error)
               : af_picture_write(d->profile, target->format, d->options, write, to,
                                  d->run->quiet ? NULL : &target->messages, error);
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
    task t = {o, targets, profile, &picture};
    const af_exit status = af_targets_write(targets, input->name, draw_target, &t);
    af_explanation_free((af_explanation *)picture.explanation);
    return status;
}
