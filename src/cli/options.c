#include "cli/redaction.h"
#include "cli/options.h"

#include <string.h>
#include "cli/help.h"
#include "cli/outputs.h"
#include "cli/steps.h"

static gboolean read_date(int64_t *epoch_s)
{
    const char *text = g_getenv("SOURCE_DATE_EPOCH");
    guint64 value;
    if (text == NULL || text[0] == '\0') {
        return TRUE;
    }
    if (!g_ascii_string_to_unsigned(text, 10, 0, INT64_C(253402300799), &value, NULL)) {
        af_message_print(NULL, "SOURCE_DATE_EPOCH is \"%s\", which is not a number of seconds",
                         text);
        return FALSE;
    }
    *epoch_s = (int64_t)value;
    return TRUE;
}

static void free_values(af_options *o)
{
    const char **lists[] = {o->presets, o->mapping_paths,  o->outputs,       o->marks,
                            o->tables,  o->trees,          o->methods,       o->before,
                            o->after,   o->mapping_before, o->mapping_after, o->rules,
                            o->hosts,   o->viewers};
    for (unsigned i = 0; i < G_N_ELEMENTS(lists); i++) {
        g_free(lists[i]);
    }
    af_steps_clear(&o->steps);
}

/* Sets the defaults. */
static void init_values(af_options *o, const af_verb *verb, af_settings *settings)
{
    *o = (af_options){
        .verb = verb,
        .settings = settings,
        .implied = o->implied,
        .input_name = o->input_name,
        .to_ns = AF_TO_THE_END,
        .clock = AF_CLOCK_DEFAULT,
        .open = AF_OPEN_OPTIONS_INIT,
        .picture = AF_PICTURE_OPTIONS_INIT,
        .report = AF_REPORT_OPTIONS_INIT,
        .convert = AF_CONVERT_OPTIONS_INIT,
        .compare = AF_DIFF_OPTIONS_INIT,
        .compared = AF_DIFF_TABLES_INIT,
        .serve = AF_SERVE_DEFAULTS,
        .explain = AF_EXPLAIN_OPTIONS_INIT,
        .send = AF_SEND_DEFAULTS,
    };
    o->min_percent_c = (int)o->report.min_percent_c;
    af_steps_init(&o->steps);
}

static gboolean read_values(af_options *o)
{
    for (guint i = 0; i < o->settings->list->len; i++) {
        const af_setting *it = &g_array_index(o->settings->list, af_setting, i);
        if (!it->option->read(it, (char *)o + it->option->target)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* FALSE, and prints so, if --format names none of this verb. It is not yet known where the output
 * goes. */
static gboolean knows_format(const af_options *o)
{
    static const char *const standard[] = {"-", NULL};
    const af_formats *formats = af_options_formats(o);
    if (formats == NULL || o->format == NULL || af_format_choose(formats, "-", o->format) != NULL) {
        return TRUE;
    }
    g_autoptr(GPtrArray) targets = af_targets_choose(formats, standard, o->format);
    return targets != NULL;
}

/* Removes the settings of the file that have no effect in this run, because a file holds defaults
 * for many runs, and counts them in *removed. FALSE if such a setting was typed. */
static gboolean check_needs(af_options *o, guint *removed)
{
    *removed = 0;
    for (guint i = 0; i < o->settings->list->len;) {
        const af_setting *it = &g_array_index(o->settings->list, af_setting, i);
        const char *missing = af_needs_missing(o, it->option->needs);
        if (missing == NULL) {
            i++;
        } else if (it->origin == NULL) {
            if (knows_format(o)) {
                af_setting_complain(it, "%s", missing);
            }
            return FALSE;
        } else {
            g_array_remove_index(o->settings->list, i);
            ++*removed;
        }
    }
    return TRUE;
}

/* Copies values that are read separately to the structures that the library expects. */
static void join_values(af_options *o)
{
    o->open.names = (af_names)o->names;
    o->open.clock = (af_clock)o->clock;
    o->open.jobs = o->jobs;
    o->compare.jobs = o->jobs;
    o->open.dump = o->dump.number;
    o->open.dump_by_time = o->dump.by_time;
    o->open.dump_ns = o->dump.ns;
    o->open.keep_methods = o->data != AF_DATA_NONE && af_needs_missing(o, AF_NEEDS_CARRIER) == NULL;
    o->open.ignore_other_ends = o->other_ends == 1;
    o->open.overlap_tracks = o->overlaps == 1;
    o->open.names_required = af_options_have(o, "names");
    if (af_options_have(o, "recorded")) {
        o->open.recorded = o->recorded == 0 ? AF_OPEN_RECORDED_SAMPLES : AF_OPEN_RECORDED_CALLS;
    }
    if (af_options_have(o, "side")) {
        o->open.side = o->side == AF_BEFORE ? AF_OPEN_ONLY_BEFORE : AF_OPEN_ONLY_AFTER;
    }
    o->part = af_options_have(o, "from") || af_options_have(o, "to");
    af_steps_finish(&o->steps, (af_clock)o->clock, o->redact);

    af_picture_options *p = &o->picture;
    p->clock = (af_clock)o->clock;
    p->threads = (const char *const *)o->steps.threads;
    p->theme = (af_theme)o->theme;
    p->data = o->report.data = o->compared.data = (af_data)o->data;
    o->view = o->startup && o->verb->bit == AF_RENDER ? AF_VIEW_STARTUP : o->view;
    p->view = (af_view)o->view;
    p->highlights = (const char *const *)o->marks;
    p->jobs = o->jobs;
    if (af_options_have(o, "min-width")) {
        p->min_width_c = MAX(p->min_width_c, 1); /* 0 means the default */
    }

    o->report.clock = (af_clock)o->clock;
    o->report.threads = p->threads;
    o->report.methods = (const char *const *)o->methods;
    o->report.min_percent_c = (unsigned)o->min_percent_c;
    o->compare.clock = (af_clock)o->clock;
    if (af_options_have(o, "min-delta")) {
        o->compare.min_delta_ns = o->least.amount;
        o->compare.min_delta_ppm = o->least.ppm;
    }
    o->compared.methods = (const char *const *)o->methods;
    o->compared.min_percent_c = (unsigned)o->min_percent_c;
    o->compared.raw_csv = o->report.raw_csv;
    o->convert.clock = (af_clock)o->clock;
    o->convert.threads = p->threads;
}

static gboolean is_in(const af_option_section *section, const af_option *option)
{
    const af_option *o = af_option_section_options(section);
    while (o->name != NULL && o != option) {
        o++;
    }
    return o->name != NULL;
}

/* --list and --csp-hash read no trace: along with them, only options of the run itself have an
 * effect. */
static gboolean check_alone(const af_options *o)
{
    const char *alone = o->list_formats ? "list" : o->csp_hash ? "csp-hash" : NULL;
    for (guint i = 0; alone != NULL && i < o->settings->list->len; i++) {
        const af_setting *it = &g_array_index(o->settings->list, af_setting, i);
        if (it->origin == NULL && strcmp(it->option->name, alone) != 0 &&
            !is_in(&af_options_run, it->option)) {
            af_setting_complain(it, "has no effect with --%s", alone);
            return FALSE;
        }
    }
    return TRUE;
}

/* Reads the values of all settings that have an effect. */
static gboolean read_effective(af_options *o)
{
    guint removed = 0;
    if (!check_alone(o) || !check_needs(o, &removed)) {
        return FALSE;
    }
    if (removed > 0) {
        free_values(o);
        init_values(o, o->verb, o->settings);
        read_values(o);
        read_date(&o->picture.epoch_s);
    }
    join_values(o);
    return TRUE;
}

static gboolean finish(af_options *o, af_exit *status)
{
    *status = AF_EXIT_USAGE;
    if (!read_values(o) || !read_date(&o->picture.epoch_s)) {
        return FALSE;
    }
    if (o->print_options) {
        g_autofree char *text = af_settings_print(o->settings);
        *status = af_output_print(text);
        return FALSE;
    }
    if (!read_effective(o) || !af_redaction_check(o)) {
        return FALSE;
    }
    char *described = o->verbose ? af_settings_describe_file(o->settings) : NULL;
    if (described != NULL) {
        af_message_print(NULL, "%s", described);
        g_free(described);
    }
    return TRUE;
}

gboolean af_options_read(const af_verb *verb, int argc, char **argv, af_options *o, af_exit *status)
{
    init_values(o, verb, af_settings_read(verb, argc, argv));
    *status = AF_EXIT_USAGE;
    if (o->settings == NULL) {
        return FALSE;
    }
    if (af_options_have(o, "help")) {
        *status = af_help_print(verb, af_options_have(o, "all"));
        return FALSE;
    }
    const gboolean go_on = finish(o, status);
    o->operands = (char **)o->settings->operands->pdata;
    o->mappings = af_mappings_new((const char *const *)o->mapping_paths, o->open.keep_synthetic);
    return go_on;
}

void af_options_free(af_options *o)
{
    free_values(o);
    af_settings_free(o->settings);
    af_mappings_free(o->mappings);
}

gboolean af_options_have(const af_options *o, const char *name)
{
    return af_settings_find(o->settings, name) != NULL;
}
