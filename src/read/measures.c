#include "read/measures.h"

#include <string.h>
#include <aflame/error.h>

#include "base/wide.h"

/* Returns the ns of a unit of time; 0 for other units. */
static uint64_t find_ns(af_span unit)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {
        {"nanoseconds", 1},        {"nanosecond", 1},        {"ns", 1},
        {"microseconds", 1000},    {"microsecond", 1000},    {"us", 1000},
        {"milliseconds", 1000000}, {"millisecond", 1000000}, {"ms", 1000000},
        {"seconds", 1000000000},   {"second", 1000000000},   {"s", 1000000000},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(units); i++) {
        if (af_span_is(unit, units[i].name)) {
            return units[i].ns;
        }
    }
    return 0;
}

static uint32_t find_column(const af_measured *columns, uint32_t n, af_span name)
{
    for (uint32_t i = 0; i < n; i++) {
        if (columns[i].name.length == name.length &&
            memcmp(columns[i].name.bytes, name.bytes, name.length) == 0) {
            return i;
        }
    }
    return AF_NO_COLUMN;
}

static void refuse(const af_measured *columns, uint32_t n, const char *wanted, GError **error)
{
    g_autoptr(GString) names = g_string_new(NULL);
    for (uint32_t i = 0; i < n; i++) {
        g_autofree char *name =
            g_utf8_make_valid(columns[i].name.bytes, (gssize)columns[i].name.length);
        g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", name);
    }
    g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "this recording has no event \"%s\"; it has %s",
                wanted, names->str);
}

static void set_column(af_measures *m, const af_measured *columns, unsigned clock, uint32_t column)
{
    m->column[clock] = column;
    m->scale[clock] = MAX(find_ns(columns[column].unit), 1);
    m->clocks |= 1u << clock;
}

static void choose_clocks(af_measures *m, const af_measured *columns, uint32_t n, uint32_t chosen,
                          gboolean both)
{
    const char *const names[AF_CLOCKS] = {[AF_WALL] = "wall", [AF_CPU] = "cpu"};
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        const uint32_t column = find_column(columns, n, af_span_of(names[c]));
        if (column != AF_NO_COLUMN && find_ns(columns[column].unit) > 0 &&
            (both || column == chosen)) {
            set_column(m, columns, c, column);
        }
    }
}

static void report_column(af_sink *sink, af_span name, uint32_t number, uint32_t n)
{
    g_autofree char *text = n < 2 ? g_strndup(name.bytes, name.length)
                                  : g_strdup_printf("%.*s (%u of %u)", (int)MIN(name.length, 1000),
                                                    name.bytes, number + 1, n);
    af_sink_facts(sink)->weights.event = af_sink_clean(sink, af_span_of(text));
}

gboolean af_measures_choose(af_measures *m, af_sink *sink, const af_measured *columns, uint32_t n,
                            uint32_t otherwise, const char *wanted, GError **error)
{
    uint32_t chosen = otherwise;
    *m = (af_measures){.column = {AF_NO_COLUMN, AF_NO_COLUMN}};
    if (wanted != NULL) {
        chosen = find_column(columns, n, af_span_of(wanted));
    }
    if (chosen == AF_NO_COLUMN) {
        refuse(columns, n, wanted, error);
        return FALSE;
    }
    const af_measured *column = &columns[chosen];
    const gboolean time = find_ns(column->unit) > 0;
    if (time && (af_span_is(column->name, "wall") || af_span_is(column->name, "cpu"))) {
        choose_clocks(m, columns, n, chosen, wanted == NULL);
        return TRUE;
    }
    set_column(m, columns, AF_WALL, chosen);
    report_column(sink, column->name, chosen, n);
    if (time) {
        m->unit = (af_unit){.name = "ns"};
        return TRUE;
    }
    const size_t length = MIN(column->name.length, AF_UNIT_NAME_MAX);
    memcpy(m->text, column->name.bytes, length);
    m->unit = (af_unit){.name = length > 0 ? m->text : "samples", .counted = TRUE};
    if (af_span_is(column->unit, "bytes")) {
        m->unit.name = "bytes";
    } else if (af_span_is(column->unit, "thousandths")) {
        m->unit.digits = 3;
    }
    return TRUE;
}

void af_measures_start(const af_measures *m, af_sink *sink, af_samples_time time)
{
    af_sink_start_samples(sink, &m->unit, m->clocks, time);
}

uint64_t af_measures_weigh(const af_measures *m, unsigned clock, uint64_t number)
{
    return (uint64_t)MIN((af_u128)number * m->scale[clock], (af_u128)INT64_MAX);
}
