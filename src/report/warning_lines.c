/* The problems of a report's input: its numbers may be incomplete. */
#include "report/report.h"

#include <string.h>

#include "base/number.h"

char *af_report_describe_warning(const af_warnings *warnings, unsigned number)
{
    int kind = af_warnings_kind_at(warnings, number);
    if (kind < 0) {
        return g_strdup("");
    }
    uint64_t count = warnings->count[kind], offset = warnings->offset[kind];
    char times[AF_NUMBER_SIZE], at[AF_NUMBER_SIZE];
    const char *text = af_warning_text((af_warning_kind)kind);
    af_number_count(times, count);
    if (kind == AF_WARN_LONE_END) {
        /* an end that closed another slice than its own leaves the end of that one without a
         * begin */
        const gboolean began = warnings->count[AF_WARN_OTHER_END] == 0;
        return g_strdup_printf("%s %s%s", times,
                               began        ? count == 1 ? "slice began before the recording"
                                                         : af_warning_problem(kind)
                                      : count == 1 ? "end has no begin"
                                            : "ends have no begin",
                               text + strlen(af_warning_problem(kind)));
    }
    if (offset == AF_NO_OFFSET) {
        return count == 1 ? g_strdup(text) : g_strdup_printf("%s (%s times)", text, times);
    }
    af_number_count(at, offset);
    return count == 1 ? g_strdup_printf("%s (at byte %s)", text, at)
                      : g_strdup_printf("%s (%s times, first at byte %s)", text, times, at);
}

char *af_report_warning_line(const af_report *report, unsigned number)
{
    char *line = af_report_describe_warning(&report->warnings, number);
    char time[AF_NUMBER_SIZE];
    if (af_warnings_kind_at(&report->warnings, number) != AF_WARN_UNRECORDED ||
        report->unrecorded_ns == 0) {
        return line;
    }
    char *timed = g_strdup_printf("%s (%s)", line, af_number_time(time, report->unrecorded_ns));
    g_free(line);
    return timed;
}

void af_report_put_warnings(af_json *json, const af_warnings *warnings)
{
    int kind;
    for (unsigned i = 0; (kind = af_warnings_kind_at(warnings, i)) >= 0; i++) {
        af_json_begin(json, NULL, '{');
        af_json_put_string(json, "id", af_warning_id((af_warning_kind)kind));
        af_json_put_number(json, "count", warnings->count[kind]);
        if (warnings->offset[kind] == AF_NO_OFFSET) {
            af_json_put_plain(json, "first", "null");
        } else {
            af_json_put_number(json, "first", warnings->offset[kind]);
        }
        af_json_put_string(json, "text", af_warning_text((af_warning_kind)kind));
        af_json_put_flag(json, "information", af_warning_is_info((af_warning_kind)kind));
        af_json_end(json, '}');
    }
}
