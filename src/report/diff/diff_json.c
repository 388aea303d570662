/* JSON, schema aflame.diff/1: rows in whole units, with both sides. */
#include "report/diff/diff_format.h"

#include <string.h>

#include "base/json.h"
#include "report/tables/figures.h"

typedef struct {
    const af_diff *diff;
    const char *unit; /* the end of keys: "ns" */
    af_json json;
} writing;

static void put_amount(writing *w, const char *name, uint64_t amount)
{
    g_autofree char *key = g_strdup_printf("%s_%s", name, w->unit);
    af_json_put_number(&w->json, key, amount);
}

static void put_change(writing *w, const char *name, int64_t change)
{
    g_autofree char *key = g_strdup_printf("%s_%s", name, w->unit);
    af_json_key(&w->json, key);
    af_out_i64(w->json.out, change);
}

/* At most six digits, without trailing zeros and never by locale. */
static void put_p(writing *w, double p)
{
    if (p == AF_DIFF_FACT) {
        af_json_put_flag(&w->json, "fact", TRUE);
    } else if (p >= 0) {
        af_json_key(&w->json, "p");
        af_out_decimal(w->json.out, (uint64_t)(p * 1000000 + 0.5), 6);
    }
}

static void put_runs(writing *w, const char *name, const uint64_t *runs, uint32_t n)
{
    g_autofree char *key = g_strdup_printf("%s_%s", name, w->unit);
    af_json_begin(&w->json, key, '[');
    for (uint32_t i = 0; i < n; i++) {
        af_json_put_number(&w->json, NULL, runs[i]);
    }
    af_json_end(&w->json, ']');
}

static void put_row(writing *w, const af_diff_table *table, const af_diff_row *row)
{
    const gboolean is_path = strcmp(table->id, "paths") == 0;
    af_json_put_string(&w->json, is_path ? "path" : "name", row->name);
    if (table->subject != NULL) {
        af_json_put_string(&w->json, "method", table->subject);
    }
    if (table->nested) {
        af_json_put_number(&w->json, "depth", row->depth);
    }
    put_amount(w, "self_before", row->self[AF_BEFORE]);
    put_amount(w, "self_after", row->self[AF_AFTER]);
    put_amount(w, "inclusive_before", row->time[AF_BEFORE]);
    put_amount(w, "inclusive_after", row->time[AF_AFTER]);
    if (row->counted) {
        af_json_put_number(&w->json, "calls_before", row->calls[AF_BEFORE]);
        af_json_put_number(&w->json, "calls_after", row->calls[AF_AFTER]);
    }
    if (row->method != NULL && row->method->split) {
        put_change(w, "by_calls", row->method->by_calls);
        put_change(w, "by_mean", row->method->by_mean);
    }
    af_json_put_string(&w->json, "status", af_diff_status_word(row->status));
    if (row->method != NULL && row->method->side[AF_BEFORE].runs != NULL) {
        const af_diff_method *m = row->method;
        put_p(w, m->p);
        put_change(w, "low", m->low);
        put_change(w, "high", m->high);
        put_runs(w, "runs_before", m->side[AF_BEFORE].runs, w->diff->side[AF_BEFORE].n_tested);
        put_runs(w, "runs_after", m->side[AF_AFTER].runs, w->diff->side[AF_AFTER].n_tested);
    } else {
        put_p(w, row->p);
    }
}

static void put_rows(writing *w, const af_diff_table *table)
{
    for (guint i = 0; i < table->rows->len && w->json.out->error == NULL; i++) {
        const af_diff_row *row = &g_array_index(table->rows, af_diff_row, i);
        af_json_begin_line(&w->json, NULL, '{');
        if (row->thread != NULL) {
            const af_diff_thread *thread = row->thread;
            const af_diff_tree *tree = &thread->tree;
            af_json_put_string(&w->json, "name", thread->title);
            put_amount(w, "before", af_diff_path_time(tree, AF_BEFORE, 0));
            put_amount(w, "after", af_diff_path_time(tree, AF_AFTER, 0));
            put_amount(w, "common", af_diff_path_common(tree, 0));
            put_amount(w, "grown", tree->grown[0]);
            put_amount(w, "shrunk", tree->shrunk[0]);
            af_json_put_string(&w->json, "status", af_diff_status_word(thread->status));
        } else {
            put_row(w, table, row);
        }
        af_json_end(&w->json, '}');
    }
}

static void put_side(writing *w, unsigned s)
{
    const af_diff_side *side = &w->diff->side[s];
    af_json *json = &w->json;
    af_json_begin(json, s == AF_BEFORE ? "before" : "after", '{');
    af_json_begin(json, "inputs", '[');
    for (uint32_t i = 0; i < side->n_inputs; i++) {
        af_json_put_string(json, NULL, side->inputs[i]);
    }
    af_json_end(json, ']');
    af_json_put_number(json, "runs", side->n_runs);
    put_amount(w, "total", side->total);
    int kind;
    af_json_begin(json, "warnings", '[');
    for (unsigned i = 0; (kind = af_warnings_kind_at(&side->warnings, i)) >= 0; i++) {
        af_json_begin(json, NULL, '{');
        af_json_put_string(json, "id", af_warning_id((af_warning_kind)kind));
        af_json_put_number(json, "count", side->warnings.count[kind]);
        af_json_put_string(json, "text", af_warning_text((af_warning_kind)kind));
        af_json_end(json, '}');
    }
    af_json_end(json, ']');
    af_json_end(json, '}');
}

/* "left_out": {"methods": 12}: the rows beyond --top, by table. */
static void put_left_out(af_json *json, const GPtrArray *tables)
{
    gboolean any = FALSE;
    for (guint i = 0; i < tables->len; i++) {
        const af_diff_table *first = tables->pdata[i];
        uint64_t sum = 0;
        gboolean is_first = TRUE;
        for (guint k = 0; k < tables->len; k++) {
            const af_diff_table *table = tables->pdata[k];
            const gboolean same = strcmp(table->id, first->id) == 0;
            is_first = is_first && (!same || k >= i);
            sum += same ? table->n_left_out : 0;
        }
        if (is_first && sum > 0) {
            if (!any) {
                af_json_begin_line(json, "left_out", '{');
            }
            af_json_put_number(json, first->id, sum);
            any = TRUE;
        }
    }
    if (any) {
        af_json_end(json, '}');
    }
}

static gboolean write_json(const af_diff *diff, const GPtrArray *tables,
                           const af_diff_tables *wanted, GBytes *carried, af_out *out,
                           GError **error)
{
    writing w = {.diff = diff, .unit = af_diff_unit_id(diff), .json = {.out = out}};
    af_json *json = &w.json;
    af_json_begin(json, NULL, '{');
    af_json_put_string(json, "schema", "aflame.diff/1");
    af_json_put_string(json, "clock", diff->unit.name == NULL ? af_clock_word(diff->clock) : NULL);
    af_json_put_string(json, "unit", w.unit);
    af_json_begin_line(json, "sides", '{');
    put_side(&w, AF_BEFORE);
    put_side(&w, AF_AFTER);
    af_json_end(json, '}');
    put_left_out(json, tables);
    /* Tables that share an id make one array. */
    g_autoptr(GHashTable) done = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < tables->len; i++) {
        const af_diff_table *first = tables->pdata[i];
        if (!g_hash_table_add(done, (gpointer)first->id)) {
            continue;
        }
        af_json_begin(json, first->id, '[');
        for (guint k = i; k < tables->len; k++) {
            const af_diff_table *table = tables->pdata[k];
            if (strcmp(table->id, first->id) == 0) {
                put_rows(&w, table);
            }
        }
        af_json_end(json, ']');
    }
    af_json_end(json, '}');
    af_out_char(out, '\n');
    return TRUE;
}

const af_diff_format af_diff_format_json = {
    .name = "json", .extension = "json", .title = "JSON", .methods = TRUE, .write = write_json};
