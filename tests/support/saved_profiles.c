/* saved_profiles [--each-carrier] INPUT...
 *
 * Outputs of a saved profile are byte for byte those of its recording, in every style of names and
 * under steps, except that it holds no single calls for the chart in an SVG; saving it again gives
 * the same bytes. Pictures and pages carry these bytes too. With --each-carrier the outputs of each
 * picture and page are compared as well. */
#include <stdio.h>
#include <string.h>
#include "../../src/api/autoptr.h"
#include "part.h"

/* An output that is compared. */
typedef struct {
    const char *title;
    af_names names;
    gboolean folded; /* steps come first */
    gboolean (*write)(const af_profile *profile, const char *name, GByteArray *to, GError **error);
    const char *format, *table; /* of a report, if `write` is NULL */
} output;

static bool append(void *user, const void *bytes, size_t length, GError **error)
{
    g_byte_array_append(user, bytes, (guint)length);
    return TRUE;
}

/* ---- outputs ---- */

/* Removes the text from `begin` up to the end of the line that `end` begins in. */
static void remove_lines(char *text, const char *begin, const char *end)
{
    char *from = strstr(text, begin);
    const char *to = from != NULL ? strstr(from, end) : NULL;
    const char *line = to != NULL ? strchr(to, '\n') : NULL;
    if (line != NULL) {
        line += 1 + strspn(line + 1, " ");
        memmove(from, line, strlen(line) + 1);
    }
}

/* Without the line that only a profile from a picture or page has, and the frames that only a
 * recording has. */
static gboolean write_info(const af_profile *profile, const char *name, GByteArray *to,
                           GError **error)
{
    g_autofree char *text = af_info_json(profile, name);
    remove_lines(text, "\"carrier\"", "\"");
    remove_lines(text, "\"frames\": {", "}");
    return append(to, text, strlen(text), error);
}

static gboolean write_report(const af_profile *profile, const output *o, const char *name,
                             GByteArray *to, GError **error)
{
    const char *const tables[] = {o->table, NULL};
    af_report_options options = AF_REPORT_OPTIONS_INIT;
    options.input_name = name;
    options.tables = tables;
    g_autoptr(af_report) report = af_report_new(profile, o->format, &options, error);
    const af_report *const reports[] = {report};
    return report != NULL && af_report_write(reports, 1, append, to, error);
}

static gboolean write_stacks(const af_profile *profile, const char *name, GByteArray *to,
                             GError **error)
{
    return af_convert_write(profile, "folded", NULL, append, to, error);
}

static gboolean write_picture(const af_profile *profile, const char *format,
                              const af_picture_options *options, GByteArray *to, GError **error)
{
    g_auto(GStrv) messages = NULL;
    return af_picture_write(profile, format, options, append, to, &messages, error);
}

static gboolean write_drawing(const af_profile *profile, const char *name, GByteArray *to,
                              GError **error)
{
    af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    options.input_name = name;
    options.no_script = TRUE;
    return write_picture(profile, "svg", &options, to, error);
}

static gboolean write_viewer(const af_profile *profile, const char *name, GByteArray *to,
                             GError **error)
{
    af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    options.input_name = name;
    return write_picture(profile, "svg", &options, to, error);
}

static const output outputs[] = {
    {"info", AF_NAMES_CLASS, FALSE, write_info, NULL, NULL},
    {"JSON", AF_NAMES_CLASS, FALSE, NULL, "json", "methods"},
    {"text", AF_NAMES_FULL, FALSE, NULL, "text", "methods"},
    {"tree", AF_NAMES_SHORT, FALSE, NULL, "text", "tree-down"},
    {"CSV", AF_NAMES_CLASS, TRUE, NULL, "csv", "methods"},
    {"folded stacks", AF_NAMES_CLASS, FALSE, write_stacks, NULL, NULL},
    {"SVG without script", AF_NAMES_CLASS, FALSE, write_drawing, NULL, NULL},
    {"SVG", AF_NAMES_CLASS, TRUE, write_viewer, NULL, NULL},
};

/* ---- profiles in several styles ---- */

enum { STYLES = AF_NAMES_FULL + 1 };

/* A recording, or a file that was saved from it, opened in every style of names. */
typedef struct {
    const char *path; /* NULL = `bytes` */
    GBytes *bytes;
    af_profile *profile[STYLES], *reshaped;
} source;

static gboolean open_styles(source *s, GError **error)
{
    static const af_step steps[] = {{.kind = AF_STEP_FOLD, .text = "framework"},
                                    {.kind = AF_STEP_COLLAPSE_RECURSION}};
    for (unsigned style = 0; style < STYLES; style++) {
        af_open_options options = AF_OPEN_OPTIONS_INIT;
        options.names = (af_names)style;
        options.keep_methods = style == AF_NAMES_CLASS;
        options.jobs = 1;
        s->profile[style] =
            s->path != NULL ? af_profile_open(s->path, &options, error)
                            : af_profile_open_bytes(g_bytes_get_data(s->bytes, NULL),
                                                    g_bytes_get_size(s->bytes), &options, error);
        if (s->profile[style] == NULL) {
            return FALSE;
        }
    }
    s->reshaped = af_profile_reshape(s->profile[AF_NAMES_CLASS], steps, G_N_ELEMENTS(steps), NULL);
    return TRUE;
}

static void close_styles(source *s)
{
    for (unsigned style = 0; style < STYLES; style++) {
        af_profile_free(s->profile[style]);
    }
    af_profile_free(s->reshaped);
}

/* ---- comparing ---- */

typedef struct {
    const char *input; /* path */
    char *name;
    gboolean bad;
} checking;

static void complain(checking *c, const char *what, const char *why)
{
    fprintf(stderr, "%s: %s: %s\n", c->input, what, why);
    c->bad = TRUE;
}

/* The bytes, or the error as text: both sides must fail alike. */
static GByteArray *make_output(const output *o, const source *s, const char *name)
{
    const af_profile *profile = o->folded ? s->reshaped : s->profile[o->names];
    GByteArray *bytes = g_byte_array_new();
    GError *error = NULL;
    if (profile == NULL) {
        append(bytes, "nothing is left", 15, NULL);
    } else if (o->write != NULL ? !o->write(profile, name, bytes, &error)
                                : !write_report(profile, o, name, bytes, &error)) {
        append(bytes, error->message, strlen(error->message), NULL);
        g_error_free(error);
    }
    return bytes;
}

static gboolean are_equal(const GByteArray *one, const GByteArray *other)
{
    return one->len == other->len &&
           (one->len == 0 || memcmp(one->data, other->data, one->len) == 0);
}

static void compare_outputs(checking *c, const source *recording, const source *saved,
                            const char *from)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(outputs); i++) {
        g_autoptr(GByteArray) want = make_output(&outputs[i], recording, c->name);
        g_autoptr(GByteArray) got = make_output(&outputs[i], saved, c->name);
        if (!are_equal(want, got)) {
            complain(c, outputs[i].title, from);
        }
    }
}

/* NULL, which is printed. */
static GBytes *save(checking *c, const af_profile *profile)
{
    GByteArray *bytes = g_byte_array_new();
    af_convert_options options = AF_CONVERT_OPTIONS_INIT;
    const char *saved_name = af_profile_saved_name(profile);
    options.input_name = saved_name != NULL ? saved_name : c->name;
    GError *error = NULL;
    if (!af_convert_write(profile, "aflp", &options, append, bytes, &error)) {
        complain(c, "cannot be saved", error->message);
        g_error_free(error);
        g_clear_pointer(&bytes, g_byte_array_unref);
    }
    return bytes != NULL ? g_byte_array_free_to_bytes(bytes) : NULL;
}

/* ---- pictures and pages ---- */

typedef struct {
    const char *title, *format;
    gboolean outlines, no_script;
} carrier;

static const carrier carriers[] = {
    {.title = "SVG", .format = "svg"},
    {.title = "PNG", .format = "png"},
    {.title = "PDF", .format = "pdf"},
    {.title = "HTML", .format = NULL},
    {.title = "SVG with outlines", .format = "svg", .outlines = TRUE},
    {.title = "SVG without script", .format = "svg", .no_script = TRUE},
};

static gboolean write_page(const af_profile *profile, const char *name, GByteArray *to,
                           GError **error)
{
    af_report_options options = AF_REPORT_OPTIONS_INIT;
    options.input_name = name;
    options.data = AF_DATA_FULL;
    g_autoptr(af_report) report = af_report_new(profile, "html", &options, error);
    const af_report *const reports[] = {report};
    return report != NULL && af_report_write(reports, 1, append, to, error);
}

static GBytes *write_carrier(checking *c, const carrier *it, const af_profile *profile)
{
    af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    GByteArray *bytes = g_byte_array_new();
    GError *error = NULL;
    options.input_name = c->name;
    options.data = AF_DATA_FULL;
    options.outlines = it->outlines;
    options.no_script = it->no_script;
    options.scale_percent = 10; /* what it carries does not depend on its size */
    options.jobs = 1;
    if (it->format != NULL ? !write_picture(profile, it->format, &options, bytes, &error)
                           : !write_page(profile, c->name, bytes, &error)) {
        complain(c, it->title, error->message);
        g_error_free(error);
    }
    return g_byte_array_free_to_bytes(bytes);
}

static void check_carrier(checking *c, const carrier *it, const source *recording, GBytes *saved,
                          gboolean compare)
{
    source s = {.bytes = write_carrier(c, it, recording->profile[AF_NAMES_CLASS])};
    GError *error = NULL;
    if (!open_styles(&s, &error)) {
        complain(c, it->title, error->message);
        g_error_free(error);
    } else {
        GBytes *again = save(c, s.profile[AF_NAMES_CLASS]);
        if (again == NULL || !g_bytes_equal(saved, again)) {
            complain(c, it->title, "carries other bytes");
        }
        g_clear_pointer(&again, g_bytes_unref);
        if (compare) {
            compare_outputs(c, recording, &s, it->title);
        }
    }
    close_styles(&s);
    g_bytes_unref(s.bytes);
}

/* ---- inputs ---- */

static void check_saved(checking *c, const source *recording, GBytes *bytes)
{
    source saved = {.bytes = bytes};
    GError *error = NULL;
    if (!open_styles(&saved, &error)) {
        complain(c, "the saved profile", error->message);
        g_error_free(error);
    } else {
        GBytes *again = save(c, saved.profile[AF_NAMES_CLASS]);
        if (again == NULL || !g_bytes_equal(bytes, again)) {
            complain(c, "saving it again", "gives other bytes");
        }
        g_clear_pointer(&again, g_bytes_unref);
        if (g_strcmp0(af_profile_saved_name(saved.profile[AF_NAMES_CLASS]), c->name) != 0) {
            complain(c, "the saved profile", "has another name");
        }
        compare_outputs(c, recording, &saved, "the saved profile");
    }
    close_styles(&saved);
}

static gboolean check_input(const char *path, gboolean each_carrier)
{
    checking c = {.input = path, .name = g_path_get_basename(path)};
    source recording = {.path = path};
    GError *error = NULL;
    GBytes *saved = NULL;
    if (!open_styles(&recording, &error)) {
        complain(&c, "cannot be opened", error->message);
        g_error_free(error);
    } else {
        saved = save(&c, recording.profile[AF_NAMES_CLASS]);
    }
    if (saved != NULL) {
        check_saved(&c, &recording, saved);
        for (unsigned i = 0; i < G_N_ELEMENTS(carriers); i++) {
            check_carrier(&c, &carriers[i], &recording, saved, each_carrier);
        }
        g_bytes_unref(saved);
    }
    close_styles(&recording);
    g_free(c.name);
    return !c.bad;
}

int main(int argc, char **argv)
{
    const gboolean each_carrier = argc > 1 && strcmp(argv[1], "--each-carrier") == 0;
    gboolean ok = TRUE;
    unsigned n = 0;
    for (int i = each_carrier ? 2 : 1; i < argc; i++) {
        if (test_part_takes_input(argv[i])) {
            ok = check_input(argv[i], each_carrier) && ok;
            n++;
        }
    }
    printf("%u profiles\n", n);
    return ok && n > 0 ? 0 : 1;
}
