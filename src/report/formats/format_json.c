/* JSON, written row by row, so a report of any size needs no second copy in memory. */
#include "report/format.h"

#include "base/json.h"
#include "base/number.h"

static void put_list(af_json *json, const char *key, const af_cell_list *list)
{
    af_json_begin(json, key, '[');
    for (unsigned i = 0; i < list->n; i++) {
        const af_cell_item *item = &list->items[i];
        if (item->self_ns == AF_ABSENT) {
            af_json_put_string(json, NULL, item->name);
            continue;
        }
        af_json_begin(json, NULL, '{');
        af_json_put_string(json, "name", item->name);
        af_json_put_string(json, "thread", item->thread);
        af_json_put_number(json, "self_ns", item->self_ns);
        af_json_end(json, '}');
    }
    af_json_end(json, ']');
}

/* One row per line, for line-based tools. */
static void put_row(af_json *json, const af_table *table, uint32_t number)
{
    af_json_begin_line(json, NULL, '{');
    for (unsigned c = 0; c < table->columns->len; c++) {
        const af_column *column = af_table_column(table, c);
        if (af_table_is_absent(table, number, c) || column->kind == AF_CELL_BAR) {
            continue;
        }
        if (column->kind == AF_CELL_LIST) {
            put_list(json, column->id, af_table_row(table, number)[c].list);
        } else {
            af_json_key(json, column->id);
            af_cell_put_plain(json->out, table, number, c, af_json_string);
        }
    }
    af_json_end(json, '}');
}

/* "cycles": 123, or times without a known clock. */
static void put_amount(af_json *json, const af_report *report, const char *key, uint64_t amount)
{
    char text[AF_NUMBER_SIZE];
    af_json_put_plain(json, key, af_number_amount_typed(text, amount, &report->unit));
}

static void put_time(af_json *json, const char *prefix, af_clock clock, uint64_t time_ns)
{
    g_autofree char *key = g_strdup_printf("%s%s_ns", prefix, af_clock_word(clock));
    af_json_put_number(json, key, time_ns);
}

static void put_scope(af_json *json, const af_report *report)
{
    af_json_begin_line(json, "scope", '{');
    af_json_put_number(json, "threads", report->n_threads);
    af_json_put_number(json, "threads_of_the_trace", report->all_threads);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        static const char *const keys[AF_CLOCKS] = {"threads_without_wall", "threads_without_cpu"};
        if (report->n_without[c] > 0) {
            af_json_put_number(json, keys[c], report->n_without[c]);
        }
    }
    if (report->n_left_out > 0) {
        af_json_put_number(json, "threads_left_out", report->n_left_out);
    }
    af_json_put_flag(json, "sampled", report->sampled);
    if (report->part != NULL) {
        af_json_put_string(json, "part", report->part);
    }
    if (report->unit.name != NULL) {
        af_json_put_string(json, "unit", report->unit.name);
        put_amount(json, report, "total", report->time_ns[AF_WALL]);
    }
    for (unsigned c = 0; c < report->n_clocks && report->unit.name == NULL; c++) {
        put_time(json, "", report->clocks[c], report->time_ns[report->clocks[c]]);
    }
    af_json_end(json, '}');
}

static void put_step(af_json *json, const af_report *report, const af_step_record *step)
{
    af_json_begin(json, NULL, '{');
    af_json_put_string(json, "option", step->option);
    if (report->unit.name != NULL) {
        put_amount(json, report, "left_out", step->left_out_ns[AF_WALL]);
        put_amount(json, report, "moved", step->moved_ns[AF_WALL]);
    }
    for (unsigned i = 0; i < report->n_clocks && report->unit.name == NULL; i++) {
        const af_clock clock = report->clocks[i];
        if (clock != AF_WAIT) { /* waiting is computed from nodes, and these are gone */
            put_time(json, "left_out_", clock, step->left_out_ns[clock]);
            put_time(json, "moved_", clock, step->moved_ns[clock]);
        }
    }
    if (step->message != NULL) {
        af_json_put_string(json, "message", step->message);
    }
    af_json_end(json, '}');
}

static const af_table *table_at(const af_report *report, unsigned number)
{
    return report->tables->pdata[number];
}

/* The number of the table after those from `first` on that share its id. */
static unsigned find_next(const af_report *report, unsigned first)
{
    unsigned next = first + 1;
    while (next < report->tables->len &&
           strcmp(table_at(report, next)->id, table_at(report, first)->id) == 0) {
        next++;
    }
    return next;
}

static void put_left_out(af_json *json, const af_report *report)
{
    gboolean any = FALSE;
    for (unsigned i = 0, next; i < report->tables->len; i = next) {
        uint64_t sum = 0;
        next = find_next(report, i);
        for (unsigned k = i; k < next; k++) {
            sum += table_at(report, k)->n_left_out;
        }
        if (sum > 0) {
            if (!any) {
                af_json_begin_line(json, "left_out", '{');
            }
            af_json_put_number(json, table_at(report, i)->id, sum);
            any = TRUE;
        }
    }
    if (any) {
        af_json_end(json, '}');
    }
}

static void put_report(af_json *json, const af_report *report)
{
    af_json_begin(json, NULL, '{');
    af_json_put_string(json, "input", report->input);
    put_scope(json, report);
    if (report->n_steps > 0) {
        af_json_begin_line(json, "steps", '[');
        for (unsigned i = 0; i < report->n_steps; i++) {
            put_step(json, report, &report->steps[i]);
        }
        af_json_end(json, ']');
    }
    af_json_begin_line(json, "warnings", '[');
    af_report_put_warnings(json, &report->warnings);
    af_json_end(json, ']');
    if (report->unrecorded_ns > 0) {
        af_json_put_number(json, "unrecorded_ns", report->unrecorded_ns);
    }
    put_left_out(json, report);
    /* Tables that share an id make one array. */
    for (unsigned i = 0, next; i < report->tables->len; i = next) {
        next = find_next(report, i);
        af_json_begin(json, table_at(report, i)->id, '[');
        for (unsigned k = i; k < next; k++) {
            const af_table *table = table_at(report, k);
            for (uint32_t r = 0; r < table->n_rows && json->out->error == NULL; r++) {
                put_row(json, table, r);
            }
        }
        af_json_end(json, ']');
    }
    af_json_end(json, '}');
}

static gboolean write_json(const af_report *const *reports, unsigned n, af_out *out, GError **error)
{
    af_json json = {.out = out};
    if (n != 1) {
        af_json_begin(&json, NULL, '[');
    }
    for (unsigned i = 0; i < n; i++) {
        put_report(&json, reports[i]);
    }
    if (n != 1) {
        af_json_end(&json, ']');
    }
    af_out_char(out, '\n');
    return TRUE;
}

const af_report_format af_report_format_json = {
    .name = "json", .extension = "json", .title = "JSON", .write = write_json};
