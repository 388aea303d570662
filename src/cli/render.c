#include "api/autoptr.h"
#include "cli/drawing.h"
#include "api/command.h"
#include "cli/command_line.h"
#include "cli/growth.h"
#include "cli/steps.h"

/* "<name>.svg" in the current directory; the second picture of the same name in this run is
 * "<name>-2.svg". `used` holds the names. */
static char *name_picture(const af_input *input, const char *format, GHashTable *used)
{
    const char *extension = format != NULL ? format : af_picture_format(0);
    g_autofree char *stem = af_input_stem(input);
    char *name = g_strdup_printf("%s.%s", stem, extension);
    for (unsigned n = 2; g_hash_table_contains(used, name); n++) {
        g_free(name);
        name = g_strdup_printf("%s-%u.%s", stem, n, extension);
    }
    g_hash_table_add(used, g_strdup(name));
    return name;
}

/* Without -o each input has a target of its own. */
static GPtrArray *choose_targets(const af_options *o, const af_input *input, GHashTable *used)
{
    if (o->outputs != NULL || af_options_only_print(o)) {
        return af_targets_choose_standard(o, o->format);
    }
    g_autofree char *name = name_picture(input, o->format, used);
    const char *const paths[] = {name, NULL};
    return af_targets_choose(&af_drawing_formats, paths, o->format);
}

/* " --thread=main --no-script": the options of the command line, for a shell. */
static char *list_typed(const af_options *o)
{
    GString *list = g_string_new(NULL);
    for (guint i = 0; i < o->settings->list->len; i++) {
        const af_setting *it = &g_array_index(o->settings->list, af_setting, i);
        if (it->origin == NULL) {
            g_autofree char *value = it->value == NULL ? NULL : af_shell_quote_visible(it->value);
            g_autofree char *word = af_setting_write(it, value);
            g_string_append_printf(list, " %s", word);
        }
    }
    return g_string_free(list, FALSE);
}

static void print_target(const af_options *o, const af_input *input, const af_target *target)
{
    if (o->implied) {
        g_autofree char *from = af_shell_quote_path(input->path),
                        *to = af_shell_quote_path(target->path);
        g_autofree char *options = list_typed(o);
        af_message_print(input->name, "drawn as %s (this was: aflame render %s%s -o %s)",
                         target->path, from, options, to);
    } else {
        af_message_print(input->name, "drawn as %s", target->path);
    }
}

typedef struct {
    const af_options *options;
    const af_diff *diff;
} frame_drawing;

static gboolean draw_frames(void *user, af_target *target, af_write_func write, void *to,
                            GError **error)
{
    const frame_drawing *d = user;
    return af_diff_draw(d->diff, target->format, &d->options->picture, write, to,
                        d->options->quiet ? NULL : &target->messages, error);
}

/* Draws the late frames of an input against the good ones. */
static af_exit render_frames(const af_options *o, const af_input *input, const af_profile *profile,
                             const GPtrArray *targets)
{
    af_options named = *o;
    af_diff_options compare = AF_DIFF_OPTIONS_INIT;
    GError *error = NULL;
    compare.clock = o->picture.clock;
    compare.jobs = o->picture.jobs;
    g_autoptr(af_diff) diff = af_diff_new_frames(profile, (uint64_t)o->frame_time_ns,
                                                 o->picture.threads, &compare, &error);
    if (diff == NULL) {
        return af_message_fail(input->name, error);
    }
    g_autofree char *name = g_path_get_basename(af_input_shown(input, profile));
    g_autofree char *title = g_strconcat(name, ": late frames", NULL);
    named.picture.title = o->picture.title != NULL ? o->picture.title : title;
    frame_drawing d = {&named, diff};
    return af_targets_write(targets, input->name, draw_frames, &d);
}

static af_exit render_input(const af_options *o, af_input *input, const GPtrArray *targets)
{
    af_exit status = AF_EXIT_DONE;
    /* an interactive SVG has the chart of a small trace */
    const gboolean keep = o->frames || o->startup || o->view == AF_VIEW_CHART ||
                          o->view == AF_VIEW_SHEET || o->markdown ||
                          (af_options_write(o, "svg") && !o->picture.no_script &&
                           !o->picture.outlines && o->data != AF_DATA_NONE);
    g_autoptr(af_profile) profile = af_steps_open(o, input, keep, &status);
    GError *empty = NULL;
    if (profile != NULL && !af_picture_check_content(profile, o->view, &empty)) {
        status = af_message_fail(input->name, empty);
    } else if (profile != NULL && o->frames) {
        status = render_frames(o, input, profile, targets);
    } else if (profile != NULL) {
        af_options with_command = *o;
        g_autofree char *name = g_path_get_basename(af_input_shown(input, profile));
        const char *const names[] = {name, NULL};
        g_autofree char *command = af_command_line_write(o, names, targets->pdata[0]);
        with_command.picture.command = command;
        status = af_drawing_write(&with_command, targets, input, profile);
    } else if (status == AF_EXIT_DONE && (o->frames || o->startup)) {
        af_message_print(input->name, "dumps of a heap have no %s", o->frames ? "frames" : "start");
        status = AF_EXIT_USAGE;
    } else if (status == AF_EXIT_DONE) {
        status = af_growth_write(o, input, targets);
    }
    if (status == AF_EXIT_DONE && !o->quiet && o->outputs == NULL && !af_options_only_print(o)) {
        print_target(o, input, targets->pdata[0]);
    }
    return status;
}

static af_exit render_all(const af_options *o, GPtrArray *inputs)
{
    if (o->outputs != NULL) {
        af_inputs_join(inputs);
    }
    af_exit worst = AF_EXIT_DONE;
    g_autoptr(GHashTable) used = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (unsigned i = 0; i < inputs->len; i++) {
        af_exit status = AF_EXIT_USAGE;
        g_autoptr(GPtrArray) targets = choose_targets(o, inputs->pdata[i], used);
        if (targets != NULL && !af_inputs_overwritten(inputs, targets) &&
            (o->outputs != NULL || !af_targets_replace_others(targets))) {
            status = render_input(o, inputs->pdata[i], targets);
        }
        worst = MAX(worst, status);
    }
    return worst;
}

/* Prints the hashes for a content policy: script-src 'sha256-...'. */
static af_exit print_hash(const af_options *o)
{
    if (o->operands[0] != NULL) {
        af_message_print(NULL,
                         "--csp-hash takes no trace: the scripts are the same in every picture");
        return AF_EXIT_USAGE;
    }
    g_autoptr(GString) lines = g_string_new(NULL);
    char *hash;
    for (unsigned i = 0; (hash = af_picture_script_hash(i)) != NULL; i++) {
        g_string_append_printf(lines, "%s\n", hash);
        g_free(hash);
    }
    return af_output_print(lines->str);
}

static af_exit run_render(const af_options *o)
{
    if (o->csp_hash) {
        return print_hash(o);
    }
    if (!af_options_fit_frames(o)) {
        return AF_EXIT_USAGE;
    }
    g_autoptr(GPtrArray) inputs = af_inputs_group(o);
    if (inputs == NULL) {
        return AF_EXIT_USAGE;
    }
    return render_all(o, inputs);
}

const af_verb af_verb_render = {
    .name = "render",
    .bit = AF_RENDER,
    .operands = "TRACE...",
    .title = "draw traces as pictures: SVG, PNG, PDF",
    .about = "Draws a trace as a flame graph. The extension of FILE decides the format.\n"
             "Without -o each trace becomes TRACE.svg in this directory. With one -o, several\n"
             "files of folded stacks become one picture.",
    .examples = "Examples:\n"
                "  aflame render app.trace -o graph.svg -o graph.png -o graph.pdf\n"
                "  aflame render app.trace --thread main --clock cpu -o cpu.png\n"
                "  aflame render app.trace --thread '/Binder/' --title 'Start, cold' -o b.svg\n"
                "  aflame render app.trace --frames -o late.png\n"
                "  aflame render app.trace --startup -o startup.png\n"
                "  aflame render app.trace --view chart --mark onCreate -o chart.svg\n"
                "  adb exec-out cat /sdcard/app.trace | aflame render - -o app.svg",
    .formats = &af_drawing_formats,
    .pictures = &af_drawing_formats,
    .run = run_render,
};
