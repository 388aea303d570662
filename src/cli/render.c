#include "cli/drawing.h"
#include "cli/steps.h"

#include <stdio.h>
#include <string.h>

/* What the options say. Strings are ours. */
typedef struct {
    char **outputs;
    char *format, *clock, *names, *view;
    char **marks;
    gboolean csp_hash;
    af_steps steps;
    af_open_options open;
    af_drawing drawing;
} request;

static gboolean check_view(const request *r, af_view view)
{
    if (view != AF_VIEW_CHART && r->marks != NULL) {
        af_options_complain("--mark", "marks calls in a chart: it goes with --view chart");
        return FALSE;
    }
    if (view == AF_VIEW_CHART && r->drawing.picture.inverted) {
        af_options_complain("--inverted", "is for graphs: a chart has its roots on top anyway");
        return FALSE;
    }
    return TRUE;
}

static gboolean read_request(request *r)
{
    static const char *const styles[] = {"class", "short", "full", NULL};
    static const char *const views[] = {"graph", "chart", NULL};
    int names = AF_NAMES_CLASS, view = AF_VIEW_GRAPH;
    af_picture_options *p = &r->drawing.picture;
    if (!af_options_clock(r->clock, &p->clock) ||
        !af_options_word("--names", r->names, styles, &names) ||
        !af_options_word("--view", r->view, views, &view) || !af_drawing_read(&r->drawing) ||
        !check_view(r, (af_view)view)) {
        return FALSE;
    }
    r->open.keep_input = view == AF_VIEW_CHART;
    p->view = (af_view)view;
    p->marks = (const char *const *)(void *)r->marks;
    r->open.names = (af_names)names;
    r->open.clock = p->clock;
    af_steps_finish(&r->steps, p->clock);
    p->threads = (const char *const *)(void *)r->steps.threads;
    return TRUE;
}

static void free_request(request *r)
{
    g_free(r->format);
    g_free(r->clock);
    g_free(r->names);
    g_free(r->view);
    g_strfreev(r->marks);
    g_strfreev(r->outputs);
    af_drawing_clear(&r->drawing);
    af_steps_clear(&r->steps);
}

/* "<name>.svg" in the current directory; the second of the same name in this run is
 * "<name>-2.svg". `used` keeps the names. */
static char *name_picture(const af_input *input, const char *format, GHashTable *used)
{
    const char *extension = format != NULL ? format : af_picture_format(0);
    char *stem = af_input_stem(input);
    char *name = g_strdup_printf("%s.%s", stem, extension);
    for (unsigned n = 2; g_hash_table_contains(used, name); n++) {
        g_free(name);
        name = g_strdup_printf("%s-%u.%s", stem, n, extension);
    }
    g_hash_table_add(used, g_strdup(name));
    g_free(stem);
    return name;
}

/* Without -o each input has a target of its own. */
static GPtrArray *choose_targets(const request *r, const af_input *input, GHashTable *used)
{
    if (r->outputs != NULL) {
        return af_targets_choose(&af_drawing_formats, r->outputs, r->format);
    }
    char *paths[] = {name_picture(input, r->format, used), NULL};
    GPtrArray *targets = af_targets_choose(&af_drawing_formats, paths, r->format);
    g_free(paths[0]);
    return targets;
}

static void tell_target(const af_input *input, const af_target *target, gboolean implied)
{
    if (implied) {
        af_message_print(input->name, "drawn as %s (this was: aflame render %s -o %s)",
                         target->path, input->path, target->path);
    } else {
        af_message_print(input->name, "drawn as %s", target->path);
    }
}

static af_exit render_input(const request *r, const af_common *common, const af_input *input,
                            const GPtrArray *targets, gboolean implied)
{
    af_exit status = AF_EXIT_DONE;
    af_profile *profile = af_steps_open(&r->steps, input, &r->open, common, &status);
    if (profile == NULL) {
        return status;
    }
    status = af_drawing_write(&r->drawing, targets, input, profile, common);
    if (status == AF_EXIT_DONE && !common->quiet && r->outputs == NULL) {
        tell_target(input, targets->pdata[0], implied);
    }
    af_profile_free(profile);
    return status;
}

static af_exit render_all(const request *r, const af_common *common, GPtrArray *inputs,
                          gboolean implied)
{
    if (r->outputs != NULL) {
        af_inputs_join(inputs);
    }
    af_exit worst = AF_EXIT_DONE;
    GHashTable *used = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (unsigned i = 0; i < inputs->len; i++) {
        af_exit status = AF_EXIT_USAGE;
        GPtrArray *targets = choose_targets(r, inputs->pdata[i], used);
        gboolean safe = targets != NULL;
        for (unsigned k = 0; safe && k < targets->len; k++) {
            safe = !af_inputs_overwritten(inputs, ((af_target *)targets->pdata[k])->path);
        }
        if (safe) {
            status = render_input(r, common, inputs->pdata[i], targets, implied);
        }
        if (targets != NULL) {
            g_ptr_array_unref(targets);
        }
        worst = MAX(worst, status);
    }
    g_hash_table_unref(used);
    return worst;
}

/* For a content policy: script-src 'sha256-...'. */
static af_exit print_hash(const af_common *common)
{
    if (common->operands[0] != NULL) {
        af_message_print(NULL,
                         "--csp-hash takes no trace: the script is the same in every picture");
        return AF_EXIT_USAGE;
    }
    char *hash = af_picture_script_hash();
    char *line = g_strconcat(hash, "\n", NULL);
    const af_exit status = af_output_print(line);
    g_free(line);
    g_free(hash);
    return status;
}

static af_exit render(int argc, char **argv, gboolean implied)
{
    request r = {.open = AF_OPEN_OPTIONS_INIT};
    char *known = af_formats_list(&af_drawing_formats);
    char *format_help = g_strdup_printf("One of %s, whatever FILE is called", known);
    const GOptionArg flag = G_OPTION_ARG_NONE, text = G_OPTION_ARG_FILENAME,
                     list = G_OPTION_ARG_FILENAME_ARRAY;
    const GOptionEntry own[] = {
        {"output", 'o', 0, list, &r.outputs, "Write FILE, - is standard output; repeatable",
         "FILE"},
        {"format", 0, 0, text, &r.format, format_help, "NAME"},
        {"view", 0, 0, text, &r.view, "graph, or chart: single calls in order of time", "NAME"},
        {"mark", 0, 0, list, &r.marks, "Chart: brackets over the calls of these", "PATTERN"},
        {"clock", 'c', 0, text, &r.clock, "Draw wall, cpu or wait time", "NAME"},
        {"names", 0, 0, text, &r.names, "short, class or full method names (class)", "STYLE"},
        {"csp-hash", 0, 0, flag, &r.csp_hash, "Print the hash of the script of an SVG", NULL},
    };
    GOptionEntry entries[G_N_ELEMENTS(own) + AF_DRAWING_OPTIONS + 1] = {0};
    af_common common;
    af_exit status = AF_EXIT_USAGE;
    memcpy(entries, own, sizeof own);
    af_drawing_init(&r.drawing);
    af_drawing_list(&r.drawing, entries + G_N_ELEMENTS(own));
    af_steps_init(&r.steps);
    af_options_result parsed =
        af_options_parse_with(&af_verb_render, entries, af_steps_group(&r.steps, NULL),
                              af_steps_entries(), argc, argv, &common);
    if (parsed == AF_OPTIONS_HELPED) {
        status = AF_EXIT_DONE;
    } else if (parsed == AF_OPTIONS_GO_ON && r.csp_hash) {
        status = print_hash(&common);
    } else if (parsed == AF_OPTIONS_GO_ON && read_request(&r)) {
        GPtrArray *inputs = af_inputs_group(&af_verb_render, &common);
        if (inputs != NULL) {
            status = render_all(&r, &common, inputs, implied);
            g_ptr_array_unref(inputs);
        }
    }
    af_options_free(&common);
    free_request(&r);
    g_free(format_help);
    g_free(known);
    return status;
}

static af_exit run_render(int argc, char **argv)
{
    return render(argc, argv, FALSE);
}

af_exit af_render_implied(int argc, char **argv)
{
    return render(argc, argv, TRUE);
}

const af_verb af_verb_render = {
    "render",
    "TRACE...",
    "draw traces as pictures: SVG, PNG, PDF",
    "Draws a trace as a flame graph. The ending of FILE decides the format; without\n"
    "-o the picture is TRACE.svg in this directory, one for each trace. Several files\n"
    "of folded stacks and one -o are added up.",
    "Examples:\n"
    "  aflame render app.trace -o graph.svg -o graph.png -o graph.pdf\n"
    "  aflame render app.trace --thread main --clock cpu -o cpu.png\n"
    "  aflame render app.trace --thread '/Binder/' --title 'Start, cold' -o b.svg\n"
    "  aflame render app.trace --view chart --mark onCreate -o chart.svg\n"
    "  adb exec-out cat /sdcard/app.trace | aflame render - -o app.svg",
    run_render,
};
