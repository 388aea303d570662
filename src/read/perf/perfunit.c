#include "read/perf/perfunit.h"

#include <string.h>
#include <aflame/error.h>

gboolean af_perf_is_cpu_time(const char *event)
{
    const size_t length = strcspn(event, ":");
    return (length == 9 && strncmp(event, "cpu-clock", length) == 0) ||
           (length == 10 && strncmp(event, "task-clock", length) == 0);
}

/* "sched:sched_switch" is two names, "cycles:u" is a name and a privilege level. */
static gboolean is_traced(const char *event)
{
    const char *colon = strchr(event, ':');
    return colon != NULL && strlen(colon + 1) != strspn(colon + 1, "ukhGHpPSDWeI");
}

unsigned af_perf_start_samples(af_sink *sink, const char *event, gboolean each, gboolean offcpu,
                               af_samples_time time)
{
    const gboolean cpu = !each && !offcpu && af_perf_is_cpu_time(event);
    const unsigned clock = cpu ? AF_CPU : AF_WALL;
    char name[AF_UNIT_NAME_MAX + 1];
    af_unit unit = {.counted = !offcpu && !cpu};
    if (each) {
        unit.name = "samples";
    } else if (unit.counted &&
               (is_traced(event) || event[0] == '\0' || g_str_has_prefix(event, "unknown"))) {
        unit.name = "events";
    } else if (unit.counted && strstr(event, "cycles") != NULL &&
               strstr(event, "stalled") == NULL) {
        unit.name = "cycles";
    } else if (unit.counted) {
        g_strlcpy(name, event, MIN(strcspn(event, ":"), AF_UNIT_NAME_MAX) + 1);
        unit.name = name;
    }
    af_sink_start_samples(sink, &unit, 1u << clock | (offcpu ? 1u << AF_CPU : 0), time);
    return clock;
}

gboolean af_perf_leave(af_sink *sink, af_perf_away *away, const af_sample *sample)
{
    uint32_t *methods = g_try_realloc_n(away->methods, MAX(sample->n, 1), sizeof *methods);
    if (methods == NULL) {
        af_sink_fail(sink);
        return FALSE;
    }
    if (sample->n > 0) {
        memcpy(methods, sample->methods, sample->n * sizeof *methods);
    }
    *away = (af_perf_away){methods, sample->n, sample->time_ns, sample->offset};
    return !af_sink_has_failed(sink);
}

gboolean af_perf_return(af_sink *sink, af_perf_away *away, uint32_t thread, uint64_t time_ns)
{
    if (away->n == 0) {
        return TRUE;
    }
    const af_sample sample = {
        .thread = thread,
        .methods = away->methods,
        .n = away->n,
        .weight = {[AF_WALL] = time_ns > away->time_ns ? time_ns - away->time_ns : 1},
        .time_ns = away->time_ns,
        .offset = away->offset};
    away->n = 0;
    return af_sink_sample(sink, &sample);
}

void af_perf_away_clear(af_perf_away *away)
{
    g_clear_pointer(&away->methods, g_free);
    away->n = 0;
}

gboolean af_perf_is_event(const char *event, const char *wanted)
{
    const char *first = strchr(event, ':'), *last = strrchr(event, ':');
    const size_t length = strlen(wanted);
    return strcmp(event, wanted) == 0 || (is_traced(event) && strcmp(first + 1, wanted) == 0) ||
           (last != NULL && (size_t)(last - event) == length &&
            strncmp(event, wanted, length) == 0);
}

gboolean af_perf_find_event(const af_array *names, const char *wanted, uint32_t *event,
                            GError **error)
{
    enum { MOST_LISTED = 20 };
    g_autoptr(GString) list = g_string_new(NULL);
    *event = 0;
    for (uint32_t i = 0; wanted != NULL && i < names->n; i++) {
        const char *name = AF_ARRAY_AT(names, const char *, i);
        if (af_perf_is_event(name, wanted)) {
            *event = i;
            return TRUE;
        }
        if (i < MOST_LISTED) {
            g_string_append_printf(list, "%s%s", i > 0 ? ", " : "", name);
        }
    }
    if (wanted != NULL) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "this recording has no event \"%s\"; it has %s", wanted,
                    list->len > 0 ? list->str : "none");
    }
    return wanted == NULL;
}

void af_perf_report_event(af_sink *sink, const char *event, unsigned number, unsigned of)
{
    g_autofree char *text =
        of < 2 ? g_strdup(event) : g_strdup_printf("%s (%u of %u events)", event, number + 1, of);
    af_sink_facts(sink)->weights.event = af_sink_clean(sink, af_span_of(text));
}
