/* Any input, through every verb and every output: each either succeeds or gives an error of the
 * library. Replays also combine an input with the one before. */
#include "api/autoptr.h"
#include <string.h>

#include "base/out.h"
#include "checks.h"
#include "fuzz.h"

/* The input as it was opened, and its bytes, to open it again. */
typedef struct {
    const af_profile *profile;
    GBytes *bytes;
} input;

static af_profile *open_input(GBytes *bytes, GError **error)
{
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.keep_input = TRUE;
    options.keep_methods = TRUE;
    options.jobs = 1;
    options.max_memory = 256 << 20;
    return af_profile_open_bytes(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes), &options,
                                 error);
}

static bool drop(void *user, const void *bytes, size_t length, GError **error)
{
    return TRUE;
}

/* Frees the error. */
static void check_result(gboolean ok, GError *error)
{
    FUZZ_CHECK(ok == (error == NULL));
    if (error != NULL) {
        fuzz_check_error(error);
    }
}

/* ---- tables ---- */

static void write_info(const input *in)
{
    g_autofree char *text = af_info_text(in->profile, "input"),
                    *json = af_info_json(in->profile, "input");
    FUZZ_CHECK(text != NULL && json != NULL);
}

/* `error` is that of making the report. */
static void write_report(af_report *report, GError **error)
{
    const af_report *const reports[] = {report};
    const gboolean ok = report != NULL && af_report_write(reports, 1, drop, NULL, error);
    check_result(ok, *error);
    af_report_free(report);
}

static void write_reports(const input *in)
{
    const char *tables[32] = {NULL};
    for (unsigned t = 0; t < G_N_ELEMENTS(tables) - 1; t++) {
        if ((tables[t] = af_report_table_name(t)) == NULL) {
            break;
        }
    }
    for (unsigned f = 0; af_report_format_name(f) != NULL; f++) {
        af_report_options options = AF_REPORT_OPTIONS_INIT;
        GError *error = NULL;
        options.tables = af_report_format_needs_input(f) ? NULL : tables;
        write_report(af_report_new(in->profile, af_report_format_name(f), &options, &error),
                     &error);
    }
    GError *error = NULL;
    const gboolean ok = af_report_write_records(in->profile, NULL, drop, NULL, &error);
    check_result(ok, error);
}

static void write_calls(const input *in)
{
    GError *error = NULL;
    g_autoptr(af_call_list) list = af_call_list_new(in->profile, "/./", NULL, &error);
    if (list == NULL) {
        fuzz_check_error(error);
        return;
    }
    for (unsigned f = 0; af_report_format_name(f) != NULL; f++) {
        af_report_options options = AF_REPORT_OPTIONS_INIT;
        GError *refused = NULL;
        options.top = 20;
        write_report(af_report_new_calls(list, af_report_format_name(f), &options, &refused),
                     &refused);
    }
}

static void explain(const input *in)
{
    af_explain_options options = AF_EXPLAIN_OPTIONS_INIT;
    GError *error = NULL;
    options.input_name = "input";
    g_autoptr(af_explanation) explanation = af_explanation_new(in->profile, &options, &error);
    check_result(explanation != NULL, error);
    for (unsigned f = 0; explanation != NULL && af_explain_format_name(f) != NULL; f++) {
        const af_explanation *const all[] = {explanation};
        FUZZ_CHECK(af_explanation_write(all, 1, af_explain_format_name(f), 0, drop, NULL, NULL));
    }
}

static void check_budget(const input *in)
{
    g_autoptr(af_budget) budget =
        af_budget_new("[all]\nmethod = /./\nlimit = 1 ms\n"
                      "[calls]\nmethod = /./\nmeasure = calls\nlimit = 3\n",
                      NULL);
    GError *error = NULL;
    FUZZ_CHECK(budget != NULL);
    const gboolean ok = af_budget_add(budget, AF_BEFORE, in->profile, &error) &&
                        af_budget_add(budget, AF_AFTER, in->profile, &error);
    for (unsigned f = 0; ok && af_budget_format_name(f) != NULL; f++) {
        FUZZ_CHECK(af_budget_write(budget, af_budget_format_name(f), drop, NULL, NULL));
    }
    check_result(ok, error);
    g_free(ok ? af_budget_updated(budget, 100) : NULL);
}

/* ---- files ---- */

static void write_formats(const af_profile *profile)
{
    for (unsigned f = 0; af_convert_format(f) != NULL; f++) {
        GError *error = NULL;
        const gboolean ok =
            af_convert_write(profile, af_convert_format(f), NULL, drop, NULL, &error);
        check_result(ok, error);
    }
}

static void convert(const input *in)
{
    write_formats(in->profile);
}

static void redact(const input *in)
{
    g_autoptr(af_profile) profile = open_input(in->bytes, NULL);
    FUZZ_CHECK(profile != NULL);
    GError *error = NULL;
    const gboolean ok = af_profile_redact(profile, "input", "key", 3, &error);
    if (ok) {
        write_formats(profile);
    }
    check_result(ok, error);
}

/* ---- pictures ---- */

static const char *lay_out_in_a_row(af_graph_layout *layout)
{
    for (uint32_t i = 0; i < layout->n_boxes; i++) {
        layout->boxes[i].x = layout->width;
        layout->width += layout->boxes[i].width;
        layout->height = MAX(layout->height, layout->boxes[i].height);
    }
    return NULL;
}

/* A saved profile in what the picture carries opens again. */
static void draw_one(const af_profile *profile, const char *format, af_view view, gboolean inverted)
{
    static const char *const all[] = {"all", NULL};
    af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    options.view = view;
    options.inverted = inverted;
    options.threads = inverted ? all : NULL;
    options.lay_out = lay_out_in_a_row;
    options.scale_percent = 20;
    options.jobs = 1;
    GByteArray *to = g_byte_array_new();
    GError *error = NULL;
    const gboolean ok =
        af_picture_write(profile, format, &options, af_out_to_array, to, NULL, &error);
    check_result(ok, error);
    g_autoptr(GBytes) bytes = g_byte_array_free_to_bytes(to);
    if (ok && view == AF_VIEW_GRAPH && !inverted) {
        g_autoptr(af_profile) again = open_input(bytes, NULL);
        FUZZ_CHECK(again != NULL);
    }
}

static void draw(const input *in)
{
    for (unsigned f = 0; af_picture_format(f) != NULL; f++) {
        for (unsigned view = 0; view <= AF_VIEW_STARTUP; view++) {
            draw_one(in->profile, af_picture_format(f), (af_view)view, FALSE);
        }
        draw_one(in->profile, af_picture_format(f), AF_VIEW_GRAPH, TRUE);
    }
}

static void draw_two_charts(const input *in)
{
    const af_profile *const profiles[AF_SIDES] = {in->profile, in->profile};
    const char *const names[AF_SIDES] = {"before", "after"};
    af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    GError *error = NULL;
    options.view = AF_VIEW_CHART;
    options.jobs = 1;
    const gboolean ok =
        af_diff_draw_charts(profiles, names, NULL, "svg", &options, drop, NULL, NULL, &error);
    check_result(ok, error);
}

static void draw_part(const input *in)
{
    GError *error = NULL;
    af_profile *part = af_profile_extract_part(in->profile, 0, 1000000, NULL, &error);
    check_result(part != NULL, error);
    if (part != NULL) {
        draw_one(part, "svg", AF_VIEW_CHART, FALSE);
        af_profile_free(part);
    }
}

static void reshape(const input *in)
{
    static const af_step steps[] = {{.kind = AF_STEP_COLLAPSE_RECURSION},
                                    {.kind = AF_STEP_FOLD, .text = "framework"},
                                    {.kind = AF_STEP_INVERT_CALLERS}};
    GError *error = NULL;
    af_profile *profile = af_profile_reshape(in->profile, steps, G_N_ELEMENTS(steps), &error);
    check_result(profile != NULL, error);
    if (profile != NULL) {
        write_formats(profile);
        draw_one(profile, "svg", AF_VIEW_GRAPH, FALSE);
        af_profile_free(profile);
    }
}

/* ---- several inputs ---- */

/* NULL = they do not fit. Each input is freed before the next one is opened. */
static af_runs *add_up(GBytes *const *inputs, unsigned n, af_runs_use use)
{
    af_runs *runs = af_runs_new(use);
    for (unsigned i = 0; i < n && runs != NULL; i++) {
        GError *error = NULL;
        if (!af_runs_take(runs, open_input(inputs[i], NULL), "input", NULL, &error)) {
            fuzz_check_error(error);
            g_clear_pointer(&runs, af_runs_free);
        }
    }
    return runs;
}

static void compare(GBytes *one, GBytes *other)
{
    GBytes *const before_inputs[] = {one, other}, *const after_inputs[] = {other, one};
    for (unsigned n = 1; n <= 2; n++) {
        g_autoptr(af_runs) before = add_up(before_inputs, n, AF_RUNS_TO_TEST);
        g_autoptr(af_runs) after = before != NULL ? add_up(after_inputs, n, AF_RUNS_TO_TEST) : NULL;
        GError *error = NULL;
        g_autoptr(af_diff) diff = after != NULL ? af_diff_new(before, after, NULL, &error) : NULL;
        check_result(diff != NULL || after == NULL, error);
        for (unsigned f = 0; diff != NULL && af_diff_format_name(f) != NULL; f++) {
            error = NULL;
            const gboolean ok =
                af_diff_write(diff, af_diff_format_name(f), NULL, drop, NULL, &error);
            check_result(ok, error);
        }
        for (unsigned f = 0; diff != NULL && af_picture_format(f) != NULL; f++) {
            af_picture_options options = AF_PICTURE_OPTIONS_INIT;
            options.scale_percent = 20;
            options.jobs = 1;
            FUZZ_CHECK(af_diff_draw(diff, af_picture_format(f), &options, drop, NULL, NULL, NULL));
            options.view = AF_VIEW_SHEET;
            FUZZ_CHECK(af_diff_draw(diff, af_picture_format(f), &options, drop, NULL, NULL, NULL));
        }
    }
}

static GBytes *merge_inputs(GBytes *one, GBytes *other)
{
    GBytes *const inputs[] = {one, other};
    af_runs *runs = add_up(inputs, 2, AF_RUNS_TO_MERGE);
    if (runs == NULL) {
        return NULL;
    }
    GError *error = NULL;
    g_autoptr(af_profile) merged = af_runs_merge(runs, &error);
    af_runs_free(runs);
    check_result(merged != NULL, error);
    if (merged == NULL) {
        return NULL;
    }
    GByteArray *to = g_byte_array_new();
    FUZZ_CHECK(af_convert_write(merged, "aflp", NULL, af_out_to_array, to, NULL));
    write_formats(merged);
    return g_byte_array_free_to_bytes(to);
}

/* The order does not matter, and the result opens. */
static void merge(GBytes *one, GBytes *other)
{
    GBytes *merged = merge_inputs(one, other), *backward = merge_inputs(other, one);
    FUZZ_CHECK((merged == NULL) == (backward == NULL));
    if (merged != NULL) {
        FUZZ_CHECK(g_bytes_equal(merged, backward));
        const input again = {open_input(merged, NULL), merged};
        FUZZ_CHECK(again.profile != NULL);
        write_info(&again);
        draw_one(again.profile, "svg", AF_VIEW_GRAPH, FALSE);
        af_profile_free((af_profile *)again.profile);
        g_bytes_unref(merged);
        g_bytes_unref(backward);
    }
}

static void combine(const input *in)
{
    static GBytes *previous;
    compare(in->bytes, in->bytes);
    merge(in->bytes, in->bytes);
    if (fuzz_share == 1) {
        if (previous != NULL) {
            compare(previous, in->bytes);
            merge(previous, in->bytes);
            g_bytes_unref(previous);
        }
        previous = g_bytes_ref(in->bytes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const struct {
        const char *title;
        void (*run)(const input *in);
    } verbs[] = {
        {"info", write_info},         {"explain", explain},     {"report", write_reports},
        {"calls", write_calls},       {"check", check_budget},  {"convert", convert},
        {"convert --redact", redact}, {"render", draw},         {"render --from", draw_part},
        {"render --fold", reshape},   {"diff, merge", combine}, {"diff --chart", draw_two_charts},
    };
    input in = {.bytes = g_bytes_new(bytes, size)};
    GError *error = NULL;
    g_autoptr(af_profile) profile = open_input(in.bytes, &error);
    check_result(profile != NULL, error);
    in.profile = profile;
    fuzz_was_read = profile != NULL;
    for (unsigned i = 0; profile != NULL && i < G_N_ELEMENTS(verbs); i++) {
        fuzz_verb = verbs[i].title;
        verbs[i].run(&in);
    }
    fuzz_verb = NULL;
    g_bytes_unref(in.bytes);
    return 0;
}
