#include "cli/comment.h"

#include <string.h>
#include "api/autoptr.h"
#include "api/command.h"

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

gboolean af_comment_write(const af_options *o, const af_picture_options *picture,
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
