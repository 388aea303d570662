/* JSON, written row by row, so a report of any size needs no second copy in memory. */
#include "report/format.h"

#include "base/json.h"
#include "base/number.h"

static void put_key(af_out *out, const char *key)
{
    af_json_string(out, key);
    af_out_text(out, ": ");
}

static void put_list(af_out *out, const af_cell_list *list)
{
    af_out_char(out, '[');
    for (unsigned i = 0; i < list->n; i++) {
        const af_cell_item *item = &list->items[i];
        af_out_text(out, i > 0 ? ", " : "");
        if (item->self_ns == AF_ABSENT) {
            af_json_string(out, item->name);
            continue;
        }
        af_out_char(out, '{');
        put_key(out, "name");
        af_json_string(out, item->name);
        af_out_text(out, ", ");
        put_key(out, "thread");
        af_json_string(out, item->thread);
        af_out_text(out, ", ");
        put_key(out, "self_ns");
        af_out_u64(out, item->self_ns);
        af_out_char(out, '}');
    }
    af_out_char(out, ']');
}

/* One row per line, for line-based tools. */
static void put_row(af_out *out, const af_table *table, uint32_t number, const char *indent)
{
    gboolean first = TRUE;
    af_out_text(out, indent);
    af_out_text(out, "    {");
    for (unsigned c = 0; c < table->columns->len; c++) {
        if (!af_table_is_absent(table, number, c) &&
            af_table_column(table, c)->kind != AF_CELL_BAR) {
            af_out_text(out, first ? "" : ", ");
            put_key(out, af_table_column(table, c)->id);
            if (af_table_column(table, c)->kind == AF_CELL_LIST) {
                put_list(out, af_table_row(table, number)[c].list);
            } else {
                af_cell_put_plain(out, table, number, c, af_json_string);
            }
            first = FALSE;
        }
    }
    af_out_char(out, '}');
}

static void begin_member(af_out *out, const char *indent, const char *key)
{
    af_out_text(out, ",\n");
    af_out_text(out, indent);
    af_out_text(out, "  ");
    put_key(out, key);
}

static void put_number(af_out *out, const char *key, uint64_t value)
{
    put_key(out, key);
    af_out_u64(out, value);
}

/* "cycles": 123, or times without a known clock. */
static void put_amount(af_out *out, const af_report *report, const char *key, uint64_t amount)
{
    char text[AF_NUMBER_SIZE];
    af_out_text(out, ", ");
    put_key(out, key);
    af_out_text(out, af_number_amount_typed(text, amount, &report->unit));
}

static void put_scope(af_out *out, const af_report *report, const char *indent)
{
    begin_member(out, indent, "scope");
    af_out_char(out, '{');
    put_number(out, "threads", report->n_threads);
    af_out_text(out, ", ");
    put_number(out, "threads_of_the_trace", report->all_threads);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        static const char *const keys[AF_CLOCKS] = {"threads_without_wall", "threads_without_cpu"};
        if (report->n_without[c] > 0) {
            af_out_text(out, ", ");
            put_number(out, keys[c], report->n_without[c]);
        }
    }
    if (report->n_left_out > 0) {
        af_out_text(out, ", ");
        put_number(out, "threads_left_out", report->n_left_out);
    }
    af_out_text(out, ", ");
    put_key(out, "sampled");
    af_out_text(out, report->sampled ? "true" : "false");
    if (report->part != NULL) {
        af_out_text(out, ", ");
        put_key(out, "part");
        af_json_string(out, report->part);
    }
    if (report->unit.name != NULL) {
        af_out_text(out, ", ");
        put_key(out, "unit");
        af_json_string(out, report->unit.name);
        put_amount(out, report, "total", report->time_ns[AF_WALL]);
    }
    for (unsigned c = 0; c < report->n_clocks && report->unit.name == NULL; c++) {
        const af_clock clock = report->clocks[c];
        char *key = g_strdup_printf("%s_ns", af_clock_word(clock));
        af_out_text(out, ", ");
        put_number(out, key, report->time_ns[clock]);
        g_free(key);
    }
    af_out_char(out, '}');
}

static void put_step(af_out *out, const af_report *report, const af_step_record *step)
{
    af_out_char(out, '{');
    put_key(out, "option");
    af_json_string(out, step->option);
    if (report->unit.name != NULL) {
        put_amount(out, report, "left_out", step->left_out_ns[AF_WALL]);
        put_amount(out, report, "moved", step->moved_ns[AF_WALL]);
    }
    for (unsigned i = 0; i < report->n_clocks && report->unit.name == NULL; i++) {
        const af_clock clock = report->clocks[i];
        if (clock == AF_WAIT) {
            continue; /* waiting is computed from nodes, and these are gone */
        }
        char *left_out = g_strdup_printf("left_out_%s_ns", af_clock_word(clock));
        char *moved = g_strdup_printf("moved_%s_ns", af_clock_word(clock));
        af_out_text(out, ", ");
        put_number(out, left_out, step->left_out_ns[clock]);
        af_out_text(out, ", ");
        put_number(out, moved, step->moved_ns[clock]);
        g_free(left_out);
        g_free(moved);
    }
    if (step->message != NULL) {
        af_out_text(out, ", ");
        put_key(out, "message");
        af_json_string(out, step->message);
    }
    af_out_char(out, '}');
}

static void put_steps(af_out *out, const af_report *report, const char *indent)
{
    if (report->n_steps == 0) {
        return;
    }
    begin_member(out, indent, "steps");
    for (unsigned i = 0; i < report->n_steps; i++) {
        af_out_text(out, i == 0 ? "[" : ", ");
        put_step(out, report, &report->steps[i]);
    }
    af_out_char(out, ']');
}

static void put_warnings(af_out *out, const af_report *report, const char *indent)
{
    int kind;
    begin_member(out, indent, "warnings");
    af_out_char(out, '[');
    for (unsigned i = 0; (kind = af_warnings_kind_at(&report->warnings, i)) >= 0; i++) {
        af_out_text(out, i > 0 ? ", {" : "{");
        /* As in `info --json`. */
        put_key(out, "id");
        af_json_string(out, af_warning_id((af_warning_kind)kind));
        af_out_text(out, ", ");
        put_number(out, "count", report->warnings.count[kind]);
        af_out_text(out, ", ");
        if (report->warnings.offset[kind] == AF_NO_OFFSET) {
            put_key(out, "first");
            af_out_text(out, "null");
        } else {
            put_number(out, "first", report->warnings.offset[kind]);
        }
        af_out_text(out, ", ");
        put_key(out, "text");
        af_json_string(out, af_warning_text((af_warning_kind)kind));
        af_out_text(out, ", ");
        put_key(out, "information");
        af_out_text(out, af_warning_is_info((af_warning_kind)kind) ? "true" : "false");
        af_out_char(out, '}');
    }
    af_out_char(out, ']');
    if (report->unrecorded_ns > 0) {
        begin_member(out, indent, "unrecorded_ns");
        af_out_u64(out, report->unrecorded_ns);
    }
}

/* Writes the tables from `first` on that share its id as one array; returns the index after
 * them. */
static unsigned find_next(const af_report *report, unsigned first)
{
    const af_table *table = report->tables->pdata[first];
    unsigned next = first + 1;
    while (next < report->tables->len &&
           strcmp(((const af_table *)report->tables->pdata[next])->id, table->id) == 0) {
        next++;
    }
    return next;
}

static void put_tables(af_out *out, const af_report *report, unsigned first, unsigned next,
                       const char *indent)
{
    gboolean any = FALSE;
    begin_member(out, indent, ((const af_table *)report->tables->pdata[first])->id);
    af_out_char(out, '[');
    for (unsigned i = first; i < next; i++) {
        const af_table *table = report->tables->pdata[i];
        for (uint32_t r = 0; r < table->n_rows && out->error == NULL; r++) {
            af_out_text(out, any ? ",\n" : "\n");
            put_row(out, table, r, indent);
            any = TRUE;
        }
    }
    if (any) {
        af_out_char(out, '\n');
        af_out_text(out, indent);
        af_out_text(out, "  ");
    }
    af_out_char(out, ']');
}

static void put_report(af_out *out, const af_report *report, const char *indent)
{
    af_out_text(out, indent);
    af_out_text(out, "{\n");
    af_out_text(out, indent);
    af_out_text(out, "  ");
    put_key(out, "input");
    if (report->input != NULL) {
        af_json_string(out, report->input);
    } else {
        af_out_text(out, "null");
    }
    put_scope(out, report, indent);
    put_steps(out, report, indent);
    put_warnings(out, report, indent);
    gboolean any = FALSE;
    for (unsigned i = 0, next; i < report->tables->len; i = next) {
        uint64_t sum = 0;
        next = find_next(report, i);
        for (unsigned k = i; k < next; k++) {
            sum += ((const af_table *)report->tables->pdata[k])->n_left_out;
        }
        if (sum > 0) {
            if (!any) {
                begin_member(out, indent, "left_out");
            }
            af_out_text(out, any ? ", " : "{");
            put_number(out, ((const af_table *)report->tables->pdata[i])->id, sum);
            any = TRUE;
        }
    }
    af_out_text(out, any ? "}" : "");
    for (unsigned i = 0, next; i < report->tables->len; i = next) {
        next = find_next(report, i);
        put_tables(out, report, i, next, indent);
    }
    af_out_char(out, '\n');
    af_out_text(out, indent);
    af_out_char(out, '}');
}

static gboolean write_json(const af_report *const *reports, unsigned n, af_out *out, GError **error)
{
    (void)error;
    if (n == 1) {
        put_report(out, reports[0], "");
    } else {
        for (unsigned i = 0; i < n; i++) {
            af_out_text(out, i == 0 ? "[\n" : ",\n");
            put_report(out, reports[i], "  ");
        }
        af_out_text(out, "\n]");
    }
    af_out_char(out, '\n');
    return TRUE;
}

const af_report_format af_report_format_json = {
    .name = "json", .extension = "json", .title = "JSON", .write = write_json};
