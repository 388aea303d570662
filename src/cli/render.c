#include "cli/inputs.h"
#include "cli/outputs.h"
#include "cli/steps.h"

#include <stdio.h>
#include <string.h>

/* What the options say. Strings are ours. */
typedef struct {
    char **outputs;
    char *format, *clock, *title, *width, *scale, *theme, *names, *min_width, *packed, *view;
    char **marks;
    gboolean csp_hash;
    af_steps steps;
    af_open_options open;
    af_picture_options picture;
} request;

static gboolean read_date(int64_t *epoch_s)
{
    const char *text = g_getenv("SOURCE_DATE_EPOCH");
    guint64 value;
    if (text == NULL || text[0] == '\0') {
        return TRUE;
    }
    if (!g_ascii_string_to_unsigned(text, 10, 0, INT64_C(253402300799), &value, NULL)) {
        af_message_say(NULL, "SOURCE_DATE_EPOCH is \"%s\", which is no number of seconds", text);
        return FALSE;
    }
    *epoch_s = (int64_t)value;
    return TRUE;
}

static gboolean check_view(const request *r, af_view view)
{
    if (view != AF_VIEW_CHART && r->marks != NULL) {
        af_options_complain("--mark", "marks calls in a chart: it goes with --view chart");
        return FALSE;
    }
    if (view == AF_VIEW_CHART && r->picture.inverted) {
        af_options_complain("--inverted", "is for graphs: a chart has its roots on top anyway");
        return FALSE;
    }
    return TRUE;
}

static gboolean read_request(request *r)
{
    static const char *const themes[] = {"auto", "light", "dark", NULL};
    static const char *const styles[] = {"class", "short", "full", NULL};
    static const char *const amounts[] = {"auto", "full", "none", NULL};
    static const char *const views[] = {"graph", "chart", NULL};
    int theme = AF_THEME_AUTO, names = AF_NAMES_CLASS, packed = AF_DATA_AUTO, width_c = 0;
    int view = AF_VIEW_GRAPH;
    if (!af_options_clock(r->clock, &r->picture.clock) ||
        !af_options_word("--theme", r->theme, themes, &theme) ||
        !af_options_word("--names", r->names, styles, &names) ||
        !af_options_word("--data", r->packed, amounts, &packed) ||
        !af_options_word("--view", r->view, views, &view) ||
        !af_options_hundredths("--width", r->width, 20000, 10000000, &width_c) ||
        !af_options_hundredths("--scale", r->scale, 10, 1600, &r->picture.scale_percent) ||
        !af_options_hundredths("--min-width", r->min_width, 0, 100000, &r->picture.min_width_c) ||
        !read_date(&r->picture.epoch_s) || !check_view(r, (af_view)view)) {
        return FALSE;
    }
    r->open.keep_input = view == AF_VIEW_CHART;
    r->picture.view = (af_view)view;
    r->picture.marks = (const char *const *)(void *)r->marks;
    if (r->min_width != NULL && r->picture.min_width_c == 0) {
        r->picture.min_width_c = 1; /* 0 would mean the default */
    }
    r->open.names = (af_names)names;
    r->open.clock = r->picture.clock;
    r->picture.theme = (af_theme)theme;
    r->picture.packed = (af_data)packed;
    r->picture.width_px = width_c / 100;
    af_steps_finish(&r->steps, r->picture.clock);
    r->picture.threads = (const char *const *)(void *)r->steps.threads;
    r->picture.title = r->title;
    return TRUE;
}

static void free_request(request *r)
{
    char *const strings[] = {r->format, r->clock, r->title,     r->width,  r->scale,
                             r->theme,  r->names, r->min_width, r->packed, r->view};
    for (unsigned i = 0; i < G_N_ELEMENTS(strings); i++) {
        g_free(strings[i]);
    }
    g_strfreev(r->outputs);
    g_strfreev(r->marks);
    af_steps_clear(&r->steps);
}

/* What a target needs to be drawn. */
typedef struct {
    const af_profile *profile;
    const af_picture_options *options;
    gboolean quiet;
} drawing;

static gboolean draw_target(void *user, const af_target *target, af_write_func write, void *to,
                            GError **error)
{
    const drawing *d = user;
    GPtrArray *notes = NULL;
    gboolean ok =
        af_picture_write(d->profile, target->format, d->options, write, to, &notes, error);
    for (unsigned i = 0; ok && !d->quiet && notes != NULL && i < notes->len; i++) {
        af_message_say(target->path, "%s", (const char *)notes->pdata[i]);
    }
    if (notes != NULL) {
        g_ptr_array_unref(notes);
    }
    return ok;
}

static const af_formats formats = {
    .name = af_picture_format,
    .extensions = af_picture_format,
    .is_binary = af_picture_format_is_binary,
};

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
        return af_targets_choose(&formats, r->outputs, r->format);
    }
    char *paths[] = {name_picture(input, r->format, used), NULL};
    GPtrArray *targets = af_targets_choose(&formats, paths, r->format);
    g_free(paths[0]);
    return targets;
}

static void tell_target(const af_input *input, const af_target *target, gboolean implied)
{
    if (implied) {
        af_message_say(input->name, "drawn as %s (this was: aflame render %s -o %s)", target->path,
                       input->path, target->path);
    } else {
        af_message_say(input->name, "drawn as %s", target->path);
    }
}

static af_exit render_input(const request *r, const af_common *common, const af_input *input,
                            const GPtrArray *targets, gboolean implied)
{
    af_exit status = AF_EXIT_DONE;
    af_profile *profile = af_input_open(input, &r->open, common, &status);
    if (profile == NULL) {
        return status;
    }
    if (!af_input_accept(input, profile, common)) {
        af_profile_free(profile);
        return AF_EXIT_DAMAGED;
    }
    profile = af_steps_apply(&r->steps, input, profile, common, &status);
    if (profile == NULL) {
        return status;
    }
    char *name = g_path_get_basename(input->name);
    af_picture_options options = r->picture;
    options.input_name = name;
    options.jobs = common->jobs;
    drawing d = {profile, &options, common->quiet};
    status = af_targets_write(targets, input->name, draw_target, &d);
    if (status == AF_EXIT_DONE && !common->quiet && r->outputs == NULL) {
        tell_target(input, targets->pdata[0], implied);
    }
    g_free(name);
    af_profile_free(profile);
    return status;
}

static af_exit render_all(const request *r, const af_common *common, const GPtrArray *inputs,
                          gboolean implied)
{
    if (r->outputs != NULL && inputs->len > 1) {
        af_message_say(NULL,
                       "%u traces and -o: leave out -o to get one picture for each, or draw "
                       "them one at a time",
                       inputs->len);
        return AF_EXIT_USAGE;
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
        af_message_say(NULL, "--csp-hash takes no trace: the script is the same in every picture");
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
    request r = {.open = AF_OPEN_OPTIONS_INIT, .picture = AF_PICTURE_OPTIONS_INIT};
    af_picture_options *p = &r.picture;
    char *known = af_formats_list(&formats);
    char *format_help = g_strdup_printf("One of %s, whatever FILE is called", known);
    const GOptionArg flag = G_OPTION_ARG_NONE, text = G_OPTION_ARG_FILENAME,
                     list = G_OPTION_ARG_FILENAME_ARRAY;
    const GOptionEntry entries[] = {
        {"output", 'o', 0, list, &r.outputs, "Write FILE, - is standard output; repeatable",
         "FILE"},
        {"format", 0, 0, text, &r.format, format_help, "NAME"},
        {"view", 0, 0, text, &r.view, "graph, or chart: single calls in order of time", "NAME"},
        {"mark", 0, 0, list, &r.marks, "Chart: brackets over the calls of these", "PATTERN"},
        {"clock", 'c', 0, text, &r.clock, "Draw wall, cpu or wait time", "NAME"},
        {"title", 0, 0, text, &r.title, "Put TEXT on top", "TEXT"},
        {"width", 0, 0, text, &r.width, "Width of the picture (1200)", "PX"},
        {"scale", 0, 0, text, &r.scale, "PNG pixels for each px (2)", "N"},
        {"theme", 0, 0, text, &r.theme, "auto, light or dark", "NAME"},
        {"inverted", 0, 0, flag, &p->inverted, "Root on top, calls below", NULL},
        {"names", 0, 0, text, &r.names, "short, class or full method names (class)", "STYLE"},
        {"min-width", 0, 0, text, &r.min_width, "Group frames narrower than this (1)", "PX"},
        {"data", 0, 0, text, &r.packed, "auto (0.9 MB), full or none of the trees in SVG", "HOW"},
        {"no-script", 0, 0, flag, &p->no_script, "SVG without script", NULL},
        {"static", 0, 0, flag, &p->outlines, "SVG without script, letters as outlines", NULL},
        {"full-depth", 0, 0, flag, &p->full_depth, "Draw also rows without room for a label", NULL},
        {"csp-hash", 0, 0, flag, &r.csp_hash, "Print the hash of the script of an SVG", NULL},
        {"system-fonts", 0, 0, flag, &p->system_fonts, "Use this machine's fonts too", NULL},
        G_OPTION_ENTRY_NULL,
    };
    af_common common;
    af_exit status = AF_EXIT_USAGE;
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
    "-o the picture is TRACE.svg in this directory, one for each trace.",
    "Examples:\n"
    "  aflame render app.trace -o graph.svg -o graph.png -o graph.pdf\n"
    "  aflame render app.trace --thread main --clock cpu -o cpu.png\n"
    "  aflame render app.trace --thread '/Binder/' --title 'Start, cold' -o b.svg\n"
    "  aflame render app.trace --view chart --mark onCreate -o chart.svg\n"
    "  adb exec-out cat /sdcard/app.trace | aflame render - -o app.svg",
    run_render,
};
