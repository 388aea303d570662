#include "cli/drawing.h"

const af_formats af_drawing_formats = {
    .name = af_picture_format,
    .extensions = af_picture_format,
    .is_binary = af_picture_format_is_binary,
};

void af_drawing_init(af_drawing *drawing)
{
    *drawing = (af_drawing){.picture = AF_PICTURE_OPTIONS_INIT};
}

void af_drawing_clear(af_drawing *d)
{
    char *const strings[] = {d->title, d->width, d->scale, d->theme, d->min_width, d->packed};
    for (unsigned i = 0; i < G_N_ELEMENTS(strings); i++) {
        g_free(strings[i]);
    }
}

void af_drawing_list(af_drawing *d, GOptionEntry entries[AF_DRAWING_OPTIONS])
{
    const GOptionArg flag = G_OPTION_ARG_NONE, text = G_OPTION_ARG_FILENAME;
    af_picture_options *p = &d->picture;
    const GOptionEntry all[AF_DRAWING_OPTIONS] = {
        {"title", 0, 0, text, &d->title, "Put TEXT on top", "TEXT"},
        {"width", 0, 0, text, &d->width, "Width of the picture (1200)", "PX"},
        {"scale", 0, 0, text, &d->scale, "PNG pixels for each px (2)", "N"},
        {"theme", 0, 0, text, &d->theme, "auto, light or dark", "NAME"},
        {"inverted", 0, 0, flag, &p->inverted, "Root on top, calls below", NULL},
        {"min-width", 0, 0, text, &d->min_width, "Group frames narrower than this (1)", "PX"},
        {"data", 0, 0, text, &d->packed, "auto (0.9 MB), full or none of the trees in SVG", "HOW"},
        {"no-script", 0, 0, flag, &p->no_script, "SVG without script", NULL},
        {"static", 0, 0, flag, &p->outlines, "SVG without script, letters as outlines", NULL},
        {"full-depth", 0, 0, flag, &p->full_depth, "Draw also rows without room for a label", NULL},
        {"system-fonts", 0, 0, flag, &p->system_fonts, "Use this machine's fonts too", NULL},
    };
    for (unsigned i = 0; i < AF_DRAWING_OPTIONS; i++) {
        entries[i] = all[i];
    }
}

gboolean af_drawing_is_wanted(const af_drawing *d)
{
    const af_picture_options *p = &d->picture;
    return d->title != NULL || d->width != NULL || d->scale != NULL || d->theme != NULL ||
           d->min_width != NULL || d->packed != NULL || p->inverted || p->no_script ||
           p->outlines || p->full_depth || p->system_fonts;
}

static gboolean read_date(int64_t *epoch_s)
{
    const char *text = g_getenv("SOURCE_DATE_EPOCH");
    guint64 value;
    if (text == NULL || text[0] == '\0') {
        return TRUE;
    }
    if (!g_ascii_string_to_unsigned(text, 10, 0, INT64_C(253402300799), &value, NULL)) {
        af_message_print(NULL, "SOURCE_DATE_EPOCH is \"%s\", which is no number of seconds", text);
        return FALSE;
    }
    *epoch_s = (int64_t)value;
    return TRUE;
}

gboolean af_drawing_read(af_drawing *d)
{
    static const char *const themes[] = {"auto", "light", "dark", NULL};
    static const char *const amounts[] = {"auto", "full", "none", NULL};
    int theme = AF_THEME_AUTO, packed = AF_DATA_AUTO, width_c = 0;
    af_picture_options *p = &d->picture;
    if (!af_options_word("--theme", d->theme, themes, &theme) ||
        !af_options_word("--data", d->packed, amounts, &packed) ||
        !af_options_hundredths("--width", d->width, 20000, 10000000, &width_c) ||
        !af_options_hundredths("--scale", d->scale, 10, 1600, &p->scale_percent) ||
        !af_options_hundredths("--min-width", d->min_width, 0, 100000, &p->min_width_c) ||
        !read_date(&p->epoch_s)) {
        return FALSE;
    }
    if (d->min_width != NULL && p->min_width_c == 0) {
        p->min_width_c = 1; /* 0 would mean the default */
    }
    p->theme = (af_theme)theme;
    p->packed = (af_data)packed;
    p->width_px = width_c / 100;
    p->title = d->title;
    return TRUE;
}

/* What a target needs to be drawn. */
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
        af_message_details(target->path, notes);
    }
    g_clear_pointer(&notes, g_ptr_array_unref);
    return ok;
}

af_exit af_drawing_write(const af_drawing *d, const GPtrArray *targets, const af_input *input,
                         const af_profile *profile, const af_common *common)
{
    char *name = g_path_get_basename(input->name);
    af_picture_options options = d->picture;
    options.input_name = name;
    options.jobs = common->jobs;
    task t = {profile, &options, common->quiet};
    const af_exit status = af_targets_write(targets, input->name, draw_target, &t);
    g_free(name);
    return status;
}
