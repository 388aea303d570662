/* The steps that changed a profile before it was added up: they explain why parts are missing. */
#include "report/report.h"

#include <string.h>
#include "base/number.h"

gboolean af_report_copy_steps(af_report *report, const af_profile *profile)
{
    report->n_steps = profile->n_steps;
    report->steps = g_new0(af_step_record, MAX(profile->n_steps, 1));
    for (unsigned i = 0; i < profile->n_steps; i++) {
        af_step_record *step = &report->steps[i];
        *step = profile->steps[i];
        step->option = af_arena_text(report->arena, step->option);
        if (step->message != NULL) {
            step->message = af_arena_text(report->arena, step->message);
        }
    }
    return !af_arena_failed(report->arena);
}

/* " VERB 1.2 s CPU, 2.3 s wall"; nothing for times of 0. */
static void append_times(GString *to, const af_report *report, const char *verb,
                         const uint64_t time_ns[AF_CLOCKS])
{
    char text[AF_NUMBER_SIZE];
    const char *before = verb;
    for (unsigned i = 0; i < report->n_clocks; i++) {
        const af_clock clock = report->clocks[i];
        if (clock != AF_WAIT && time_ns[clock] > 0) { /* the difference shows the waiting */
            const gboolean clocked = report->unit.name == NULL;
            af_number_amount(text, time_ns[clock], &report->unit);
            g_string_append_printf(to, "%s %s%s%s", before, text, clocked ? " " : "",
                                   clocked ? af_clock_title(clock) : "");
            before = ",";
        }
    }
}

char *af_report_describe_step(const af_report *report, unsigned number)
{
    const af_step_record *step = &report->steps[number];
    GString *line = g_string_new(step->option);
    append_times(line, report, " left out", step->left_out_ns);
    append_times(line, report,
                 line->len > strlen(step->option) ? "; moved to callers" : " moved to callers",
                 step->moved_ns);
    if (step->message != NULL) {
        g_string_append_printf(line, ": %s", step->message);
    }
    return g_string_free(line, FALSE);
}
