#include "report/startup.h"

#include "base/memory_error.h"
#include "base/number.h"
#include "report/format.h"

enum { PHASE, START, DURATION, SHARE, APP, METHOD, COLUMNS };

static const af_column columns[COLUMNS] = {
    [PHASE] = {.id = "phase", .kind = AF_CELL_TEXT},
    [START] = {"start_ns", "start", NULL, "start time, since the start of the app began",
               AF_CELL_TIMESTAMP, 1, .plain = TRUE},
    [DURATION] = {"duration_ns", "length", NULL, "phases within bindApplication are parts of it",
                  .kind = AF_CELL_TIME},
    [SHARE] = {"share", NULL, NULL, "of the time from the first phase to the end of the last one",
               AF_CELL_SHARE, .clock = AF_WALL},
    [APP] = {"app_ns", "app", NULL,
             "self time of the app's own methods in the phase; the rest is that of "
             "libraries and Android",
             AF_CELL_TIME, .quiet = TRUE},
    [METHOD] = {"name", NULL, "call", "the call or slice that is the phase", .kind = AF_CELL_TEXT},
};

static void add_row(af_table *table, const af_profile *profile, const af_startup *startup,
                    const af_startup_phase *phase, af_arena *arena)
{
    af_cell *row = af_table_add_row(table);
    row[PHASE].text = af_startup_title(phase->kind);
    row[START].number = af_cell_timestamp((int64_t)(phase->begin_ns - startup->from_ns));
    row[DURATION].number = phase->end_ns - phase->begin_ns;
    row[SHARE].number = phase->end_ns - phase->begin_ns;
    row[APP].number = phase->kind == AF_STARTUP_LAUNCH ? AF_ABSENT : phase->app_ns;
    row[METHOD].text = af_arena_text(arena, profile->labels[phase->label].text);
}

/* "484.9 ms from bindApplication to the end of the first frame, on main" */
static const char *describe(const af_profile *profile, const af_startup *startup, af_arena *arena)
{
    char time[AF_NUMBER_SIZE];
    const af_startup_phase *last = &startup->phases[0];
    for (unsigned i = 1; i < startup->n; i++) {
        last = startup->phases[i].end_ns > last->end_ns ? &startup->phases[i] : last;
    }
    return af_arena_printf(arena, "%s from %s to %s%s, on %s",
                           af_number_time(time, startup->to_ns - startup->from_ns),
                           af_startup_title(startup->phases[0].kind),
                           last == &startup->phases[0] ? "its end" : "the end of ",
                           last == &startup->phases[0]      ? ""
                           : last->kind == AF_STARTUP_FRAME ? "the first frame"
                                                            : af_startup_title(last->kind),
                           af_thread_shown(profile, &profile->threads[startup->thread]));
}

af_report *af_report_make_startup(af_scope *scope, const af_startup *startup, uint32_t top,
                                  const af_report_format *format, GError **error)
{
    af_report *report = af_report_open(scope, format, error);
    if (report == NULL) {
        return NULL;
    }
    af_table *table = af_table_new("startup", "startup");
    af_table_add_columns(table, columns, COLUMNS);
    table->name = METHOD;
    table->whole_ns[AF_WALL] = startup->to_ns - startup->from_ns;
    g_ptr_array_add(report->tables, table);
    gboolean ok = af_table_reserve(table, startup->n);
    for (unsigned i = 0; ok && i < startup->n; i++) {
        add_row(table, scope->profile, startup, &startup->phases[i], report->arena);
    }
    table->subtitle = describe(scope->profile, startup, report->arena);
    af_table_limit(table, top);
    return af_report_finish(report, ok || af_memory_error_set(error), error);
}
