/* JSON, schema aflame.diff/1: every row in whole units, with both sides. */
#include "report/diff/diff_format.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"

typedef struct {
    const af_diff *diff;
    const char *unit; /* the end of keys: "ns" */
    af_out *out;
    gboolean any; /* the open object has a member */
} writing;

static void put_key(writing *w, const char *name, gboolean amount)
{
    af_out_text(w->out, w->any ? ", " : "");
    w->any = TRUE;
    if (amount) {
        char *key = g_strdup_printf("%s_%s", name, w->unit);
        af_json_string(w->out, key);
        g_free(key);
    } else {
        af_json_string(w->out, name);
    }
    af_out_text(w->out, ": ");
}

static void put_amount(writing *w, const char *name, uint64_t amount)
{
    put_key(w, name, TRUE);
    af_out_u64(w->out, amount);
}

static void put_change(writing *w, const char *name, int64_t change)
{
    put_key(w, name, TRUE);
    af_out_i64(w->out, change);
}

static void put_count(writing *w, const char *name, uint64_t count)
{
    put_key(w, name, FALSE);
    af_out_u64(w->out, count);
}

static void put_string(writing *w, const char *name, const char *text)
{
    put_key(w, name, FALSE);
    af_json_string(w->out, text);
}

/* At most six digits, without trailing zeros and never by locale. */
static void put_p(writing *w, double p)
{
    if (p == AF_DIFF_FACT) {
        put_key(w, "fact", FALSE);
        af_out_text(w->out, "true");
    } else if (p >= 0) {
        put_key(w, "p", FALSE);
        af_out_decimal(w->out, (uint64_t)(p * 1000000 + 0.5), 6);
    }
}

static void put_runs(writing *w, const char *name, const uint64_t *runs, uint32_t n)
{
    put_key(w, name, TRUE);
    af_out_char(w->out, '[');
    for (uint32_t i = 0; i < n; i++) {
        af_out_text(w->out, i > 0 ? ", " : "");
        af_out_u64(w->out, runs[i]);
    }
    af_out_char(w->out, ']');
}

/* ---- rows ---- */

static void put_row(writing *w, const af_diff_table *table, const af_diff_row *row)
{
    const gboolean is_path = strcmp(table->id, "paths") == 0;
    put_string(w, is_path ? "path" : "name", row->name);
    if (table->subject != NULL) {
        put_string(w, "method", table->subject);
    }
    if (table->nested) {
        put_count(w, "depth", row->depth);
    }
    put_amount(w, "self_before", row->self[AF_BEFORE]);
    put_amount(w, "self_after", row->self[AF_AFTER]);
    put_amount(w, "inclusive_before", row->time[AF_BEFORE]);
    put_amount(w, "inclusive_after", row->time[AF_AFTER]);
    if (row->counted) {
        put_count(w, "calls_before", row->calls[AF_BEFORE]);
        put_count(w, "calls_after", row->calls[AF_AFTER]);
    }
    if (row->method != NULL && row->method->split) {
        put_change(w, "by_calls", row->method->by_calls);
        put_change(w, "by_mean", row->method->by_mean);
    }
    put_string(w, "status", af_diff_status_word(row->status));
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

static const af_diff_thread *find_thread(const af_diff *diff, const char *title)
{
    for (uint32_t t = 0; t < diff->n_threads; t++) {
        if (diff->threads[t].title == title) {
            return &diff->threads[t];
        }
    }
    return NULL;
}

static void put_rows(writing *w, const af_diff_table *table, gboolean *any)
{
    const gboolean threads = strcmp(table->id, "threads") == 0;
    for (guint i = 0; i < table->rows->len && w->out->error == NULL; i++) {
        const af_diff_row *row = &g_array_index(table->rows, af_diff_row, i);
        af_out_text(w->out, *any ? ",\n    {" : "\n    {");
        *any = TRUE;
        w->any = FALSE;
        if (threads) {
            const af_diff_thread *thread = find_thread(w->diff, row->name);
            const af_diff_tree *tree = &thread->tree;
            put_string(w, "name", thread->title);
            put_amount(w, "before", af_diff_path_time(tree, AF_BEFORE, 0));
            put_amount(w, "after", af_diff_path_time(tree, AF_AFTER, 0));
            put_amount(w, "common", tree->common[0]);
            put_amount(w, "grown", tree->grown[0]);
            put_amount(w, "shrunk", tree->shrunk[0]);
            put_string(w, "status", af_diff_status_word(thread->status));
        } else {
            put_row(w, table, row);
        }
        af_out_char(w->out, '}');
    }
}

/* ---- the whole ---- */

static void put_side(writing *w, unsigned s)
{
    const af_diff_side *side = &w->diff->side[s];
    w->any = FALSE;
    af_out_text(w->out, s == AF_BEFORE ? "\"before\": {" : ", \"after\": {");
    put_key(w, "inputs", FALSE);
    af_out_char(w->out, '[');
    for (uint32_t i = 0; i < side->n_inputs; i++) {
        af_out_text(w->out, i > 0 ? ", " : "");
        af_json_string(w->out, side->inputs[i]);
    }
    af_out_char(w->out, ']');
    put_count(w, "runs", side->n_runs);
    put_amount(w, "total", side->total);
    int kind;
    put_key(w, "warnings", FALSE);
    af_out_char(w->out, '[');
    for (unsigned i = 0; (kind = af_warnings_kind_at(&side->warnings, i)) >= 0; i++) {
        af_out_text(w->out, i > 0 ? ", {" : "{");
        w->any = FALSE;
        put_string(w, "id", af_warning_id((af_warning_kind)kind));
        put_count(w, "count", side->warnings.count[kind]);
        put_string(w, "text", af_warning_text((af_warning_kind)kind));
        af_out_char(w->out, '}');
    }
    af_out_char(w->out, ']');
    af_out_char(w->out, '}');
}

static gboolean write_json(const af_diff *diff, const GPtrArray *tables,
                           const af_diff_tables *wanted, GBytes *carried, af_out *out,
                           GError **error)
{
    (void)carried;
    static const char *const clocks[] = {"wall", "cpu", "wait"};
    writing w = {.diff = diff, .unit = af_diff_unit_id(diff), .out = out};
    (void)wanted;
    (void)error;
    af_out_text(out, "{\n  \"schema\": \"aflame.diff/1\",\n  \"clock\": ");
    if (diff->unit.name == NULL) {
        af_json_string(out, clocks[diff->clock]);
    } else {
        af_out_text(out, "null");
    }
    af_out_text(out, ",\n  \"unit\": ");
    af_json_string(out, w.unit);
    af_out_text(out, ",\n  \"sides\": {");
    put_side(&w, AF_BEFORE);
    put_side(&w, AF_AFTER);
    af_out_char(out, '}');
    /* Tables that share an id make one array. */
    GHashTable *done = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < tables->len; i++) {
        const af_diff_table *first = tables->pdata[i];
        gboolean any = FALSE;
        if (!g_hash_table_add(done, (gpointer)first->id)) {
            continue;
        }
        af_out_text(w.out, ",\n  ");
        af_json_string(w.out, first->id);
        af_out_text(w.out, ": [");
        for (guint k = i; k < tables->len; k++) {
            const af_diff_table *table = tables->pdata[k];
            if (strcmp(table->id, first->id) == 0) {
                put_rows(&w, table, &any);
            }
        }
        af_out_text(w.out, any ? "\n  ]" : "]");
    }
    g_hash_table_unref(done);
    af_out_text(out, "\n}\n");
    return TRUE;
}

const af_diff_format af_diff_format_json = {
    .name = "json", .extension = "json", .title = "JSON", .methods = TRUE, .write = write_json};
