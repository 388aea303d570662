#include <string.h>

#include "base/number.h"
#include "render/page/sheet_parts.h"

static void add_axis(const af_chart *chart, const af_facts *facts, GPtrArray *pieces)
{
    char text[AF_NUMBER_SIZE];
    if (facts->content == AF_CONTENT_STACK_SLICES) {
        /* the clock is unknown */
        g_ptr_array_add(pieces, g_strdup("ordered by time, each stack as wide as its weight"));
        return;
    }
    g_ptr_array_add(pieces, g_strdup(chart->options.clock == AF_CPU
                                         ? "ordered by time on each thread's CPU clock"
                                         : "ordered by time on the wall clock"));
    if (chart->options.sampled && chart->interval_ns > 0) {
        g_ptr_array_add(pieces,
                        g_strdup_printf("each sample is drawn until the next one on its thread, "
                                        "or for one interval before a gap (over %d × %s)",
                                        AF_SAMPLES_GAP, af_number_time(text, chart->interval_ns)));
    }
}

static void add_clock(const af_sheet *sheet, GPtrArray *pieces)
{
    const af_unit *unit = &sheet->profile->facts.weights.unit;
    const af_clock clock = sheet->options->clock;
    if (sheet->options->chart) {
        add_axis(sheet->options->chart, &sheet->profile->facts, pieces);
        return;
    }
    if (unit->name != NULL) {
        g_autofree char *what = unit->counted ? af_sheet_isolate(unit->name) : g_strdup("time");
        g_ptr_array_add(
            pieces,
            g_strdup_printf(sheet->options->map ? AF_SAY_MAP_WEIGHTS : AF_SAY_WIDTHS, what));
        return;
    }
    static const char *const names[] = {AF_SAY_ONE_CLOCK}, *const times[] = {AF_SAY_CLOCK_TIMES};
    g_ptr_array_add(
        pieces, af_profile_has(sheet->profile, AF_WAIT)
                    ? g_strdup_printf(sheet->options->map ? AF_SAY_MAP_CLOCKS : AF_SAY_BOTH_CLOCKS,
                                      times[clock])
                    : g_strdup(names[clock == AF_CPU ? 1 : 0]));
}

/* "2 of 5 threads have no CPU times" */
static void add_lacking(const af_profile *profile, GPtrArray *pieces)
{
    static const char *const names[AF_CLOCKS] = {"wall", "CPU"};
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        const uint32_t n = af_profile_n_without(profile, (af_clock)c);
        if (n > 0) {
            g_autofree char *all = af_sheet_count_threads(profile, profile->n_threads, "");
            g_ptr_array_add(pieces, g_strdup_printf("%u of %s ha%s no %s times", n, all,
                                                    n == 1 ? "s" : "ve", names[c]));
        }
    }
}

static void add_writer(const af_facts *facts, GPtrArray *pieces)
{
    char text[AF_NUMBER_SIZE];
    const char *vm = facts->android.vm;
    if (vm && vm[0]) {
        g_ptr_array_add(pieces, af_sheet_isolate(strcmp(vm, "art") == 0      ? "ART"
                                                 : strcmp(vm, "dalvik") == 0 ? "Dalvik"
                                                                             : vm));
    }
    const char *writer = facts->format.producer ? facts->format.producer : facts->format.title;
    if (writer != NULL) {
        g_ptr_array_add(pieces, af_sheet_isolate(writer));
    }
    if (facts->weights.event != NULL) {
        g_autofree char *event = af_sheet_isolate(facts->weights.event);
        g_ptr_array_add(pieces, g_strdup_printf("event %s", event));
    }
    if (facts->threadless) {
        return; /* how the input was recorded is unknown */
    }
    if (facts->container == AF_CONTAINER_LONG_RUNNING) {
        g_ptr_array_add(pieces, g_strdup("long-running methods only"));
    } else if (af_content_is_sampled(facts->content) && facts->recording.interval_ns > 0) {
        g_ptr_array_add(pieces,
                        g_strdup_printf("sampled about every %s",
                                        af_number_time(text, facts->recording.interval_ns)));
    } else {
        g_ptr_array_add(
            pieces, g_strdup(af_content_is_sampled(facts->content) ? "sampled" : "instrumented"));
    }
}

static void add_date(const af_profile *profile, GPtrArray *pieces)
{
    const int64_t date_s = af_profile_date_s(profile);
    GDateTime *date = date_s < 0 ? NULL : g_date_time_new_from_unix_utc(date_s);
    if (date) {
        g_ptr_array_add(pieces, g_date_time_format(date, "%Y-%m-%d %H:%M UTC"));
        g_date_time_unref(date);
    }
}

const char *af_sheet_owner(const af_profile *profile)
{
    return profile->app == NULL && profile->n_processes == 1 ? profile->processes[0].name
                                                             : profile->app;
}

/* The facts below the title. Without `axis`, an empty line replaces those about clock and axis. */
static GPtrArray *list_facts(const af_sheet *sheet, uint32_t first, uint32_t n, gboolean axis)
{
    const af_profile *profile = sheet->profile;
    const af_facts *facts = &profile->facts;
    GPtrArray *pieces = g_ptr_array_new_with_free_func(g_free);
    char text[AF_NUMBER_SIZE];
    const char *owner = af_sheet_owner(profile);
    if (owner != NULL) {
        g_ptr_array_add(pieces, af_sheet_isolate(owner));
    }
    add_writer(facts, pieces);
    if (axis) {
        add_clock(sheet, pieces);
    } else {
        g_ptr_array_add(pieces, g_strdup(""));
    }
    add_lacking(profile, pieces);
    const uint64_t length_ns =
        facts->recording.has_elapsed ? facts->recording.elapsed_ns : facts->recording.end_ns;
    if (facts->part.title != NULL) {
        g_ptr_array_add(pieces, af_sheet_isolate(facts->part.title));
    } else if (length_ns > 0) {
        g_ptr_array_add(pieces, g_strdup(af_number_time(text, length_ns)));
    }
    const char *record = facts->format.record != NULL ? facts->format.record : "record";
    g_autofree char *records = g_strconcat(record, "s", NULL);
    g_ptr_array_add(pieces, af_sheet_count(facts->counts.records, record, records));
    if (!facts->threadless) {
        const unsigned all = af_profile_origin(profile)->n_threads;
        g_ptr_array_add(pieces, af_sheet_count_threads(profile, all, ""));
    }
    add_date(profile, pieces);
    for (unsigned i = 0; i < profile->n_steps; i++) {
        g_ptr_array_add(pieces, af_sheet_isolate(profile->steps[i].option));
    }
    for (const char *const *choice = sheet->options->choices; choice && *choice; choice++) {
        g_ptr_array_add(pieces, af_sheet_isolate(*choice));
    }
    af_advice_add(sheet, first, n, pieces);
    return pieces;
}

static const char *find_fact(const af_facts *facts, const char *key)
{
    for (uint32_t i = 0; i < facts->n_keys; i++) {
        if (strcmp(facts->keys[i].key, key) == 0) {
            return facts->keys[i].value;
        }
    }
    return NULL;
}

/* The problems of the input, without the reactions of aflame. */
GPtrArray *af_header_list_problems(const af_profile *profile)
{
    GPtrArray *pieces = g_ptr_array_new_with_free_func(g_free);
    const char *lost = find_fact(&profile->facts, AF_FACT_LOST);
    for (int kind = 0; kind < AF_WARNING_COUNT; kind++) {
        if (profile->warnings.count[kind] > 0 && !af_warning_is_info(kind)) {
            char number[AF_NUMBER_SIZE];
            GString *clause = g_string_new(af_warning_problem(kind));
            if (kind == AF_WARN_UNRECORDED) {
                g_string_append_printf(
                    clause, ": %s not recorded",
                    af_number_time(number, profile->facts.recording.unrecorded_ns));
            }
            if (kind == AF_WARN_LOST_KERNEL && lost != NULL) {
                g_string_append_printf(clause, ": %s", lost);
            } else if (profile->warnings.count[kind] > 1) {
                g_string_append_printf(clause, " (%s times)",
                                       af_number_count(number, profile->warnings.count[kind]));
            }
            g_ptr_array_add(pieces, g_string_free(clause, FALSE));
        }
    }
    return pieces;
}

GPtrArray *af_header_list_facts(const af_sheet *sheet)
{
    return list_facts(sheet, 0, 0, TRUE);
}

/* Starts the head, with facts for the script, which draws it again when the view changes. */
static void push_head(af_sheet *sheet, uint32_t first, uint32_t n, const GPtrArray *problems)
{
    af_scene_group group = {.id = "head"};
    if (sheet->options->interactive) {
        g_autoptr(GPtrArray) facts = list_facts(sheet, first, n, FALSE);
        g_autoptr(GPtrArray) axis = g_ptr_array_new_with_free_func(g_free);
        if (af_sheet_chart(sheet)) {
            add_axis(af_sheet_chart(sheet), &sheet->profile->facts, axis);
        }
        group.facts = af_sheet_lines(sheet, facts);
        group.chart_facts = af_sheet_lines(sheet, axis);
        group.health = af_sheet_lines(sheet, problems);
    }
    af_sheet_push_part(sheet, &group);
}

gboolean af_sheet_is_empty(const af_sheet *sheet)
{
    const af_chart *chart = af_sheet_chart(sheet);
    return sheet->n_panels == 0 && (chart == NULL || chart->markers == NULL);
}

void af_header_draw(af_sheet *sheet, uint32_t first, uint32_t n)
{
    const af_sheet_options *options = sheet->options;
    g_autoptr(GPtrArray) problems = af_header_list_problems(sheet->profile);
    push_head(sheet, first, n, problems);
    const char *title = options->title ? options->title : options->input;
    sheet->y_c += AF_TITLE_BASELINE_C;
    af_sheet_text(sheet, AF_MARGIN_C, sheet->y_c, AF_TITLE_C, sheet->graph_c, TRUE, AF_PAINT_INK,
                  title ? title : "Method trace");
    af_flow flow = {.size = AF_FACTS_C, .line_c = AF_FACTS_LINE_C, .paint = AF_PAINT_MUTED};
    g_autoptr(GPtrArray) facts = list_facts(sheet, first, n, TRUE);
    sheet->y_c += AF_TITLE_TO_FACTS_C;
    af_sheet_flow(sheet, &flow, facts);
    if (problems->len > 0) {
        flow.paint = AF_PAINT_ALERT;
        flow.lines_max = AF_HEALTH_LINES_MAX;
        sheet->y_c += AF_FACTS_TO_HEALTH_C;
        af_sheet_flow(sheet, &flow, problems);
    }
    af_legend_draw(sheet, first, n);
    if (!af_sheet_is_empty(sheet)) {
        af_sheet_rule(sheet);
    }
    af_scene_pop(sheet->scene);
}
