#include "cli/reports.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LEAST_WIDTH  40 /* columns; a narrower terminal wraps */
#define PAGE_ROWS    500 /* of each table of a page, and blocks of methods: a page stays under 1 MB */
#define DEFAULT_ROWS 40 /* for each table of a text that does not go to a terminal */
#define LEAST_ROWS   10
#define AROUND_TABLE 7 /* other lines of a screen */

static void free_report(gpointer report)
{
    af_report_free(report);
}

void af_reports_init(af_reports *reports, const af_options *options, const GPtrArray *targets)
{
    reports->options = options;
    reports->targets = targets;
    reports->reports = g_new(GPtrArray *, targets->len);
    for (unsigned i = 0; i < targets->len; i++) {
        reports->reports[i] = g_ptr_array_new_with_free_func(free_report);
    }
}

void af_reports_clear(af_reports *reports)
{
    for (unsigned i = 0; i < reports->targets->len; i++) {
        g_ptr_array_unref(reports->reports[i]);
    }
    g_free(reports->reports);
}

unsigned af_reports_terminal_width(void)
{
    struct winsize size = {0};
    const gboolean known = isatty(1) && ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? MAX(size.ws_col, LEAST_WIDTH) : 0;
}

void af_reports_fit_page(af_report_options *options, const af_target *target, gboolean counted)
{
    struct winsize size = {0};
    const gboolean on_terminal =
        strcmp(target->path, "-") == 0 && isatty(1) && ioctl(1, TIOCGWINSZ, &size) == 0;
    if (on_terminal && size.ws_col > 0) {
        options->width = MAX(size.ws_col, LEAST_WIDTH);
    }
    if (!counted && strcmp(target->format, "html") == 0) {
        options->top = PAGE_ROWS;
    }
    if (!counted && strcmp(target->format, "text") == 0) {
        options->top = on_terminal && size.ws_row > 0
                           ? (uint32_t)MAX(size.ws_row - AROUND_TABLE, LEAST_ROWS)
                           : DEFAULT_ROWS;
    }
}

af_exit af_reports_add(const af_reports *reports, const af_input *input, af_report_maker make,
                       const void *what, const char *shown)
{
    const gboolean counted = af_options_have(reports->options, "top");
    for (unsigned i = 0; i < reports->targets->len; i++) {
        const af_target *target = reports->targets->pdata[i];
        af_report_options options = reports->options->report;
        GError *error = NULL;
        options.input_name = shown;
        af_reports_fit_page(&options, target, counted);
        af_report *report = make(what, target->format, &options, &error);
        if (report == NULL) {
            const af_exit status = af_message_fail(input->name, error);
            g_error_free(error);
            return status;
        }
        g_ptr_array_add(reports->reports[i], report);
    }
    return AF_EXIT_DONE;
}

static gboolean write_target(void *user, const af_target *target, af_write_func write, void *to,
                             GError **error)
{
    const af_reports *r = user;
    unsigned i = 0;
    while (r->targets->pdata[i] != target) {
        i++;
    }
    return af_report_write((const af_report *const *)(void *)r->reports[i]->pdata,
                           r->reports[i]->len, write, to, error);
}

af_exit af_reports_write(const af_reports *reports, const GPtrArray *inputs)
{
    /* the last target lacks a report if its input failed on the way */
    if (reports->reports[reports->targets->len - 1]->len == 0) {
        return AF_EXIT_DONE;
    }
    const char *name = inputs->len == 1 ? ((const af_input *)inputs->pdata[0])->name : NULL;
    return af_targets_write(reports->targets, name, write_target, (void *)reports);
}
