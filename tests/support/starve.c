/* starve MAPPING [-a|-o|-j] TRACE...
 *
 * -a, the default: everything; -o: opens the traces only; -j: opens them on three threads, useful
 * for long ones only.
 *
 * Calls everything in the library while the machine refuses the first request for memory, the
 * second, and so on until all requests succeed; once that request only, once all later ones too.
 * Each time the call either fails with AF_ERROR_MEMORY and returns nothing, or copes and returns
 * the usual result. Then the same with an output that fails at the first write, the second, and so
 * on: the call fails with the output's error and does not write again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <aflame/diff.h>
#include "api/autoptr.h"
#include "part.h"
#include "profile_text.h"
#include "refusals.h"

/* The input of a task, and its results. */
typedef struct {
    const char *path, *mapping_path;
    unsigned jobs;
    const af_profile *profile;
    const af_mapping *mapping;
    unsigned which;
    /* results: */
    af_profile *made;
    af_mapping *made_mapping;
    GByteArray *written;
    unsigned writes, last_write; /* the number of the failing write, 0 = none */
} job;

typedef struct {
    const char *name;
    gboolean (*run)(job *j, GError **error);
    unsigned n; /* runs with `which` = 0 to n - 1; 0 = once per format */
    const char *(*format)(unsigned number);
} task;

static unsigned refusals_met, failures_met, writes_met;

static G_GNUC_NORETURN void fail(const job *j, const task *t, unsigned number, const char *why)
{
    fprintf(stderr, "%s: %s %u, jobs %u, request or write %u: %s\n", j->path, t->name, j->which,
            j->jobs, number, why);
    exit(1);
}

static bool write_some(void *user, const void *bytes, size_t length, GError **error)
{
    job *j = user;
    if (++j->writes == j->last_write) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_OUTPUT, "this far and no further");
        return FALSE;
    }
    g_byte_array_append(j->written, bytes, (guint)length);
    return TRUE;
}

/* ---- the tasks ---- */

static af_open_options make_options(const job *j)
{
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.jobs = j->jobs;
    options.keep_input = TRUE;
    return options;
}

static gboolean open_file(job *j, GError **error)
{
    af_open_options options = make_options(j);
    const af_mapping *const mappings[] = {j->mapping, NULL};
    options.mappings = j->which == 1 ? mappings : NULL;
    options.names = j->which == 2 ? AF_NAMES_FULL : AF_NAMES_CLASS;
    j->made = af_profile_open(j->path, &options, error);
    return j->made != NULL;
}

static gboolean open_pipe(job *j, GError **error)
{
    const af_open_options options = make_options(j);
    g_autofree char *bytes = NULL;
    gsize length;
    int ends[2];
    if (!g_file_get_contents(j->path, &bytes, &length, error) || pipe(ends) != 0) {
        return FALSE;
    }
    length = MIN(length, 60000); /* the capacity of a pipe */
    if (write(ends[1], bytes, length) != (ssize_t)length) {
        abort();
    }
    close(ends[1]);
    j->made = af_profile_open_fd(ends[0], &options, error);
    close(ends[0]);
    return j->made != NULL;
}

static gboolean open_mapping(job *j, GError **error)
{
    j->made_mapping = af_mapping_open(j->mapping_path, error);
    return j->made_mapping != NULL;
}

static const char *lay_out_in_a_row(af_graph_layout *layout)
{
    for (uint32_t i = 0; i < layout->n_boxes; i++) {
        layout->boxes[i].x = layout->width;
        layout->width += layout->boxes[i].width;
        layout->height = MAX(layout->height, layout->boxes[i].height);
    }
    return NULL;
}

static gboolean draw(job *j, GError **error)
{
    static const char *const formats[] = {"svg", "png", "pdf", "svg", "svg",
                                          "png", "svg", "pdf", "svg", "svg"};
    af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    options.jobs = j->jobs;
    options.scale_percent = 100;
    options.outlines = j->which == 3;
    options.lay_out = lay_out_in_a_row;
    options.view = j->which >= 9   ? AF_VIEW_SHEET
                   : j->which >= 8 ? AF_VIEW_CALLGRAPH
                   : j->which >= 6 ? AF_VIEW_SANDWICH
                   : j->which >= 4 ? AF_VIEW_CHART
                                   : AF_VIEW_GRAPH;
    options.data = j->which == 4 ? AF_DATA_FULL : AF_DATA_AUTO;
    return af_picture_write(j->profile, formats[j->which], &options, write_some, j, NULL, error);
}

static gboolean convert(job *j, GError **error)
{
    return af_convert_write(j->profile, af_convert_format(j->which), NULL, write_some, j, error);
}

static gboolean report(job *j, GError **error)
{
    const char *tables[32] = {NULL};
    for (unsigned i = 0; af_report_table_name(i) != NULL; i++) {
        tables[i] = af_report_table_name(i);
    }
    static const char *const methods[] = {"run", NULL};
    const char *format = af_report_format_name(j->which);
    af_report_options options = AF_REPORT_OPTIONS_INIT;
    if (!af_report_format_needs_input(j->which)) {
        options.tables = tables;
        options.methods = methods;
    }
    g_autoptr(af_report) made = af_report_new(j->profile, format, &options, error);
    const af_report *const reports[] = {made};
    const gboolean ok = made != NULL && af_report_write(reports, 1, write_some, j, error);
    return ok;
}

static gboolean print_records(job *j, GError **error)
{
    return af_report_write_records(j->profile, NULL, write_some, j, error);
}

static gboolean cut(job *j, GError **error)
{
    const uint64_t end = af_profile_end_ns(j->profile);
    j->made = af_profile_extract_part(j->profile, (int64_t)(end / 4), (int64_t)(end / 4 * 3), NULL,
                                      error);
    return j->made != NULL;
}

static gboolean reshape(job *j, GError **error)
{
    af_step step = {.kind = (af_step_kind)j->which, .number = j->which == AF_STEP_SHORTER_THAN};
    switch (step.kind) {
    case AF_STEP_MAX_DEPTH:
        step.number = 3;
        break;
    case AF_STEP_THREADS:
    case AF_STEP_MERGE_THREADS:
        step.text = "all";
        break;
    case AF_STEP_SORT:
        step.number = AF_SORT_NAME;
        break;
    case AF_STEP_IGNORE:
    case AF_STEP_HIDE:
        step.text = "=java.lang.Object.wait";
        break;
    case AF_STEP_FOLD:
        step.text = "framework";
        break;
    default:
        step.text = "/[a-z]/";
    }
    j->made = af_profile_reshape(j->profile, &step, 1, error);
    return j->made != NULL;
}

/* With itself, as pictures and as a page that carry both sides. */
static gboolean compare(job *j, GError **error)
{
    static const char *const formats[] = {"svg", "html"};
    af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    options.jobs = j->jobs;
    af_runs *runs[AF_SIDES] = {af_runs_new(AF_RUNS_TO_TEST), af_runs_new(AF_RUNS_TO_TEST)};
    gboolean ok = TRUE;
    for (unsigned s = 0; ok && s < AF_SIDES; s++) {
        ok = af_runs_add(runs[s], j->profile, "run", NULL, error);
    }
    g_autoptr(af_diff) diff = ok ? af_diff_new(runs[AF_BEFORE], runs[AF_AFTER], NULL, error) : NULL;
    ok = diff != NULL && af_diff_carry(diff, runs[AF_BEFORE], runs[AF_AFTER], error);
    if (ok && j->which == 2) {
        options.view = AF_VIEW_SHEET;
        af_diff_show_timelines(diff, j->profile, j->profile);
    }
    ok = ok && (j->which != 1 ? af_diff_draw(diff, formats[0], &options, write_some, j, NULL, error)
                              : af_diff_write(diff, formats[1], NULL, write_some, j, error));
    af_runs_free(runs[AF_BEFORE]);
    af_runs_free(runs[AF_AFTER]);
    return ok;
}

static const task tasks[] = {
    {"open", open_file, 3, NULL},
    {"pipe", open_pipe, 1, NULL},
    {"mapping", open_mapping, 1, NULL},
    {"picture", draw, 10, NULL},
    {"convert", convert, 0, af_convert_format},
    {"report", report, 0, af_report_format_name},
    {"records", print_records, 1, NULL},
    {"compare", compare, 3, NULL},
    {"cut", cut, 1, NULL},
    {"reshape", reshape, AF_STEP_KINDS, NULL},
};

/* ---- running them ---- */

/* The result as text, or the code of the error: suggestions in its message may be missing. Clears
 * the results of the job. */
static char *take_result(job *j, gboolean ok, GError *error)
{
    char *text;
    if (!ok) {
        text = g_strdup_printf("error %d", error->code);
        g_error_free(error);
    } else if (j->made != NULL) {
        text = profile_text(g_steal_pointer(&j->made), NULL);
    } else if (j->made_mapping != NULL) {
        text = g_strdup_printf("%" G_GUINT64_FORMAT, af_mapping_n_methods(j->made_mapping));
    } else {
        text = g_compute_checksum_for_data(G_CHECKSUM_SHA256, j->written->data, j->written->len);
    }
    g_clear_pointer(&j->made_mapping, af_mapping_free);
    g_byte_array_set_size(j->written, 0);
    j->writes = 0;
    return text;
}

/* Runs the task while request `number` is refused. Returns FALSE if it made fewer requests. */
static gboolean run_refused(job *j, const task *t, unsigned number, gboolean all,
                            const char *expected)
{
    GError *error = NULL;
    refusals_begin(number, all);
    const gboolean ok = t->run(j, &error);
    const unsigned n_requests = refusals_end();
    if (ok != (error == NULL) || (!ok && j->made != NULL)) {
        fail(j, t, number, "the result and the error disagree");
    }
    const gboolean for_memory = g_error_matches(error, AF_ERROR, AF_ERROR_MEMORY);
    g_autofree char *result = take_result(j, ok, error);
    if (!for_memory && strcmp(result, expected) != 0) {
        fail(j, t, number, ok ? "the result differs without memory" : result);
    }
    refusals_met += n_requests >= number;
    failures_met += for_memory;
    return n_requests >= number;
}

static void starve(job *j, const task *t, const char *expected)
{
    for (int all = 0; all < 2; all++) {
        unsigned number = 1 + test_part_first_in(j->path);
        while (run_refused(j, t, number, all, expected)) {
            number += test_part();
        }
    }
}

static void stop_writing(job *j, const task *t, unsigned writes)
{
    /* most outputs have few writes: the first one always */
    for (unsigned number = 1; number <= writes;
         number += number == 1 ? 1 + test_part_first_in(j->path) : test_part()) {
        GError *error = NULL;
        j->last_write = number;
        const gboolean ok = t->run(j, &error);
        if (ok || !g_error_matches(error, AF_ERROR, AF_ERROR_OUTPUT)) {
            fail(j, t, number, ok ? "a failed write is not reported" : error->message);
        }
        if (j->writes != number) {
            fail(j, t, number, "writes again after a failure");
        }
        g_free(take_result(j, ok, error));
        writes_met++;
    }
    j->last_write = 0;
}

static void run_task(job *j, const task *t)
{
    GError *error = NULL;
    const gboolean ok = t->run(j, &error);
    const unsigned writes = j->writes;
    g_autofree char *expected = take_result(j, ok, error);
    starve(j, t, expected);
    if (ok) {
        stop_writing(j, t, writes);
    }
}

static gboolean has_more_data(const task *t, unsigned which)
{
    return t->format != NULL ? t->format(which) != NULL : which < t->n;
}

static void run_tasks(const char *path, const char *mapping_path, char which)
{
    GError *error = NULL;
    job j = {.path = path, .mapping_path = mapping_path, .jobs = which == 'j' ? 3 : 1};
    j.written = g_byte_array_new();
    g_autoptr(af_mapping) mapping = af_mapping_open(mapping_path, NULL);
    const af_open_options options = make_options(&j);
    g_autoptr(af_profile) profile = af_profile_open(path, &options, &error);
    if (profile == NULL || mapping == NULL) {
        fprintf(stderr, "%s: %s\n", path, error != NULL ? error->message : "no mapping");
        exit(1);
    }
    j.profile = profile;
    j.mapping = mapping;
    for (unsigned i = 0; i < (which == 'a' ? G_N_ELEMENTS(tasks) : 1); i++) {
        for (j.which = 0; has_more_data(&tasks[i], j.which) && (which != 'j' || j.which == 0);
             j.which++) {
            run_task(&j, &tasks[i]);
        }
    }
    g_byte_array_unref(j.written);
}

int main(int argc, char **argv)
{
    /* huge pages would zero 2 MB for each of thousands of trees */
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    char which = 'a';
    for (int i = 2; i < argc; i++) {
        if (argv[i][0] == '-') {
            which = argv[i][1];
        } else {
            run_tasks(argv[i], argv[1], which);
        }
    }
    printf("%u requests refused, %u calls failed, %u writes failed\n", refusals_met, failures_met,
           writes_met);
    return refusals_met > 0 && failures_met > 0 && (writes_met > 0 || which == 'j') ? 0 : 1;
}
