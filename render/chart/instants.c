/* Draws the markers of a chart: dots for instants, areas for counters. */
#include "render/page/sheet_parts.h"

enum { COLUMN_C = 3 * AF_PX }; /* closer values share a column */

/* ---- instants ---- */

/* A dot: one instant, or several that are too close to each other. */
typedef struct {
    int32_t x0, x1;
    size_t first, end; /* of the track's instants */
    uint64_t n;
} dot;

static const char *name_of(const af_sheet *sheet, uint32_t series)
{
    return sheet->profile->markers.series[series].name;
}

/* "vsync, crash, ..." */
static void append_names(GString *to, const af_sheet *sheet, const af_array *instants, const dot *d)
{
    uint32_t said[AF_DOT_NAMES];
    unsigned n = 0;
    for (size_t i = d->first; i < d->end; i++) {
        const uint32_t series = AF_ARRAY_AT(instants, af_instant, i).series;
        gboolean known = FALSE;
        for (unsigned k = 0; k < n; k++) {
            known = known || said[k] == series;
        }
        if (known) {
            continue;
        }
        if (n == AF_DOT_NAMES) {
            g_string_append(to, ", …");
            break;
        }
        said[n] = series;
        g_autofree char *name = af_sheet_isolate(name_of(sheet, series));
        g_string_append(to, n++ > 0 ? ", " : "");
        af_sheet_append_name(to, name);
    }
}

static const char *describe_dot(const af_sheet *sheet, const af_array *instants, const dot *d)
{
    char number[AF_NUMBER_SIZE];
    const uint64_t zero_ns = af_chart_zero_ns(sheet);
    const af_instant *first = af_array_at(instants, d->first);
    const uint64_t end_ns = AF_ARRAY_AT(instants, af_instant, d->end - 1).end_ns;
    g_autofree char *process =
        d->n == 1 ? af_chart_markers_process(sheet->profile, first->series) : NULL;
    g_autoptr(GString) text = g_string_new(NULL);
    if (d->n > 1) {
        g_string_append_printf(text, "%s instants: ", af_number_count(number, d->n));
    }
    append_names(text, sheet, instants, d);
    g_string_append(text, " · ");
    if (process != NULL) {
        g_autofree char *isolated = af_sheet_isolate(process);
        g_string_append_printf(text, "%s · ", isolated);
    }
    g_string_append_printf(text, "%s%s", d->n == 1 ? "at " : "from ",
                           af_number_exact(number, first->time_ns - zero_ns));
    if (d->n > 1) {
        g_string_append_printf(text, " to %s", af_number_exact(number, end_ns - zero_ns));
    }
    return af_scene_string(sheet->scene, text->str);
}

static void draw_dot(af_sheet *sheet, const af_array *instants, const dot *d)
{
    const int32_t least = MAX(0, MIN(d->x0 - AF_DOT_C / 2, sheet->graph_c - AF_DOT_C));
    const int32_t most = MIN(sheet->graph_c, MAX(d->x1 + AF_DOT_C / 2, AF_DOT_C));
    af_scene_push(sheet->scene, &(af_scene_group){.kind = AF_GROUP_MARKER,
                                                  .name = describe_dot(sheet, instants, d)});
    af_scene_rect_add(sheet->scene, &(af_scene_rect){.x = AF_MARGIN_C + least,
                                                     .y = sheet->y_c + AF_PX,
                                                     .width = most - least,
                                                     .height = AF_DOT_C,
                                                     .paint = AF_PAINT_MUTED,
                                                     .radius = AF_DOT_C / 2});
    af_scene_pop(sheet->scene);
}

void af_instants_draw(af_sheet *sheet, uint32_t thread)
{
    const af_chart_markers *markers = sheet->options->chart->markers;
    const af_array *instants =
        markers == NULL ? NULL : &markers->instants[MIN(thread, markers->n_threads)];
    if (instants == NULL || instants->n == 0) {
        return;
    }
    const af_chart_layout_options axis = af_chart_axis(sheet);
    for (size_t i = 0; i < instants->n;) {
        const af_instant *first = af_array_at(instants, i);
        dot d = {af_chart_x(&axis, first->time_ns), 0, i, i, 0};
        d.x1 = d.x0;
        for (; i < instants->n; i++) {
            const af_instant *next = af_array_at(instants, i);
            const int32_t x = af_chart_x(&axis, next->time_ns);
            if (i > d.first && x - d.x1 >= AF_DOT_C + AF_PX / 2) {
                break;
            }
            d.x1 = MAX(d.x1, af_chart_x(&axis, next->end_ns));
            d.n += next->n;
            d.end = i + 1;
        }
        draw_dot(sheet, instants, &d);
    }
    sheet->y_c += AF_DOTS_C;
}

/* ---- counters ---- */

static void draw_head(af_sheet *sheet, const af_counter *counter)
{
    char value[AF_VALUE_SIZE];
    char *process = af_chart_markers_process(sheet->profile, counter->series);
    g_autoptr(GPtrArray) facts = g_ptr_array_new_with_free_func(g_free);
    sheet->y_c += AF_COUNTER_HEAD_C;
    const int32_t advance =
        af_sheet_text(sheet, AF_MARGIN_C, sheet->y_c, AF_FACTS_C, sheet->graph_c / 2, TRUE,
                      AF_PAINT_INK, name_of(sheet, counter->series));
    if (process != NULL) {
        g_ptr_array_add(facts, af_sheet_isolate(process));
        g_free(process);
    }
    if (counter->values.n > 0) {
        g_ptr_array_add(facts,
                        g_strdup_printf(AF_SAY_MAXIMUM, af_value_format(value, counter->most)));
        g_ptr_array_add(facts,
                        g_strdup_printf(AF_SAY_MINIMUM, af_value_format(value, counter->least)));
    }
    g_ptr_array_add(facts, af_sheet_count(counter->n, AF_SAY_VALUES));
    af_sheet_flow_facts(sheet, advance, facts);
    sheet->y_c += AF_COUNTER_TO_AREA_C;
}

/* The distance of a value from the top of the area, which always includes 0. */
static int32_t position_value(const af_counter *counter, int64_t value)
{
    const int64_t most = MAX(counter->most, 0), least = MIN(counter->least, 0);
    return most == least ? AF_AREA_C
                         : af_axis_x(AF_AREA_C, (uint64_t)most - (uint64_t)value,
                                     (uint64_t)most - (uint64_t)least);
}

static void add_column(af_sheet *sheet, const af_counter *counter, int32_t x0, int32_t x1,
                       int64_t value)
{
    const int32_t zero = position_value(counter, 0), at = position_value(counter, value);
    const int32_t height = MAX(zero, at) - MIN(zero, at);
    if (value == 0) {
        return;
    }
    if (height > AF_AREA_LINE_C) {
        af_sheet_rect(sheet, AF_MARGIN_C + x0, sheet->y_c + MIN(zero, at), x1 - x0, height,
                      AF_PAINT_BLOCK);
    }
    const int32_t line =
        value > 0 ? MIN(at, AF_AREA_C - AF_AREA_LINE_C) : MAX(at - AF_AREA_LINE_C, 0);
    af_sheet_rect(sheet, AF_MARGIN_C + x0, sheet->y_c + line, x1 - x0, AF_AREA_LINE_C,
                  AF_PAINT_MUTED);
}

/* The value farther from 0. */
static int64_t pick_value(int64_t one, int64_t other)
{
    const uint64_t a = one < 0 ? 0 - (uint64_t)one : (uint64_t)one;
    const uint64_t b = other < 0 ? 0 - (uint64_t)other : (uint64_t)other;
    return b > a ? other : one;
}

static void draw_area(af_sheet *sheet, const af_counter *counter)
{
    const af_chart_layout_options axis = af_chart_axis(sheet);
    const af_array *values = &counter->values;
    for (size_t i = 0; i < values->n;) {
        const af_value *first = af_array_at(values, i);
        const int32_t x0 = af_chart_x(&axis, first->time_ns);
        int64_t value = first->thousandths, last = value;
        int32_t x1 = sheet->graph_c;
        for (i++; i < values->n; i++) {
            const af_value *next = af_array_at(values, i);
            x1 = af_chart_x(&axis, next->time_ns);
            if (x1 - x0 >= COLUMN_C) {
                break;
            }
            last = next->thousandths;
            value = pick_value(value, last);
            x1 = sheet->graph_c;
        }
        /* several share one column; the last value continues after it */
        const int32_t end = value == last ? x1 : MIN(x1, x0 + COLUMN_C);
        add_column(sheet, counter, x0, end, value);
        add_column(sheet, counter, end, x1, last);
    }
}

static void draw_counter(af_sheet *sheet, const af_counter *counter)
{
    char most[AF_VALUE_SIZE], least[AF_VALUE_SIZE];
    g_autofree char *name = af_sheet_isolate(name_of(sheet, counter->series));
    g_autofree char *text = counter->values.n == 0
                                ? g_strdup(name)
                                : g_strdup_printf("%s · " AF_SAY_MAXIMUM ", " AF_SAY_MINIMUM, name,
                                                  af_value_format(most, counter->most),
                                                  af_value_format(least, counter->least));
    af_scene_push(sheet->scene, &(af_scene_group){.kind = AF_GROUP_MARKER,
                                                  .name = af_scene_string(sheet->scene, text)});
    draw_head(sheet, counter);
    af_ruler_extend(sheet, sheet->y_c, AF_AREA_C);
    draw_area(sheet, counter);
    sheet->y_c += AF_AREA_C;
    af_sheet_rule(sheet);
    af_scene_pop(sheet->scene);
}

/* One line for the counters that are not drawn, which a viewer may open. */
static void draw_hidden(af_sheet *sheet, const af_chart_markers *markers)
{
    char constants[AF_NUMBER_SIZE], others[AF_NUMBER_SIZE];
    const uint32_t n = markers->n_counters - markers->n_shown;
    uint32_t n_constant = 0;
    for (uint32_t i = markers->n_shown; i < markers->n_counters; i++) {
        n_constant += af_counter_is_constant(&markers->counters[i]) ? 1 : 0;
    }
    g_autofree char *count = af_sheet_count(n, AF_SAY_MORE_COUNTERS);
    g_autofree char *text = g_strdup_printf(AF_SAY_COUNTERS_HIDDEN ": --full-depth draws them",
                                            count, af_number_count(constants, n_constant),
                                            af_number_count(others, n - n_constant));
    sheet->y_c += AF_COUNTER_HEAD_C;
    af_sheet_text(sheet, AF_MARGIN_C, sheet->y_c, AF_FACTS_C, sheet->graph_c, FALSE, AF_PAINT_MUTED,
                  text);
    sheet->y_c += AF_COUNTER_TO_AREA_C;
}

void af_counters_draw(af_sheet *sheet)
{
    const af_chart_markers *markers = sheet->options->chart->markers;
    const uint32_t most = sheet->counters_max > 0 ? sheet->counters_max : UINT32_MAX;
    const uint32_t n = markers == NULL              ? 0
                       : sheet->options->full_depth ? markers->n_counters
                                                    : markers->n_shown;
    for (uint32_t i = 0; i < MIN(n, most); i++) {
        draw_counter(sheet, &markers->counters[i]);
    }
    if (markers != NULL && n < markers->n_counters) {
        draw_hidden(sheet, markers);
    }
    sheet->y_c += AF_COUNTERS_BOTTOM_C;
}

/* ---- omissions ---- */

static void add_count(GPtrArray *pieces, uint64_t n, const char *one, const char *many,
                      const char *what)
{
    if (n > 0) {
        g_autofree char *count = af_sheet_count(n, one, many);
        g_ptr_array_add(pieces, g_strconcat(count, what, NULL));
    }
}

void af_chart_markers_describe(const af_sheet *sheet, GPtrArray *pieces)
{
    const af_chart_markers *markers = af_sheet_chart(sheet)->markers;
    const af_markers *marks = &sheet->profile->markers;
    if (markers == NULL && marks->n_markers > 0) {
        g_ptr_array_add(pieces,
                        g_strdup("instants and counters are not drawn: they have wall times only"));
    }
    if (af_sheet_chart(sheet)->frames != NULL && af_sheet_chart(sheet)->frames->thinned) {
        g_ptr_array_add(pieces, g_strdup("frames without fault are left out"));
    }
    if (markers == NULL) {
        return;
    }
    char grain[AF_NUMBER_SIZE];
    add_count(pieces, markers->outside, AF_SAY_INSTANTS, " outside the time range");
    add_count(pieces, markers->left_out, "counter", "counters", " with fewer values not drawn");
    if (sheet->counters_max > 0) {
        add_count(pieces, markers->n_shown - sheet->counters_max, "other counter", "other counters",
                  " not drawn");
    }
    if (markers->grain_ns > 0) {
        g_ptr_array_add(pieces,
                        g_strdup_printf("instants and values within %s are merged in the file",
                                        af_number_time(grain, markers->grain_ns)));
    }
    if (marks->instants + marks->values > marks->n_markers) {
        add_count(pieces, marks->instants + marks->values - marks->n_markers, "instant or value",
                  "instants and values", " dropped beyond the limit");
    }
}
