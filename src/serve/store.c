#include "serve/store.h"

#include <string.h>

/* Further words of a search are ignored. */
#define MOST_WORDS 8

const char *af_store_public_message(const GError *error)
{
    return g_error_matches(error, AF_STORE_ERROR, AF_STORE_AWAY)
               ? "the database of this server is unavailable"
               : error->message;
}

const char *af_store_print(af_store_number *to, int64_t value)
{
    g_snprintf(to->text, sizeof to->text, "%" G_GINT64_FORMAT, value);
    return to->text;
}

const char *const *af_store_fill(af_store_insertion *to, const af_trace *t, uint64_t stored)
{
    const char *const values[] = {t->id,
                                  t->content,
                                  t->old_id,
                                  af_store_print(&to->state, t->state),
                                  af_store_print(&to->created, t->created_us),
                                  af_store_print(&to->size, (int64_t)t->size),
                                  t->has_upload ? "1" : "0",
                                  t->has_mapping ? "1" : "0",
                                  t->file_name,
                                  t->app,
                                  t->name,
                                  t->note,
                                  t->tags,
                                  t->delete_hash,
                                  af_store_print(&to->stored, (int64_t)stored),
                                  NULL};
    memcpy(to->values, values, sizeof values);
    return to->values;
}

static void free_row(gpointer row)
{
    g_strfreev(row);
}

GPtrArray *af_store_new_rows(void)
{
    return g_ptr_array_new_with_free_func(free_row);
}

static uint64_t read_number(const char *text)
{
    return g_ascii_strtoull(text, NULL, 10);
}

static af_trace *read_trace(char *const *row)
{
    af_trace *t = g_new0(af_trace, 1);
    t->id = g_strdup(*row++);
    t->content = g_strdup(*row++);
    t->old_id = g_strdup(*row++);
    t->state = (af_trace_state)read_number(*row++);
    t->created_us = g_ascii_strtoll(*row++, NULL, 10);
    t->used_s = g_ascii_strtoll(*row++, NULL, 10);
    t->size = read_number(*row++);
    t->has_upload = read_number(*row++) != 0;
    t->has_mapping = read_number(*row++) != 0;
    t->file_name = g_strdup(*row++);
    t->app = g_strdup(*row++);
    t->name = g_strdup(*row++);
    t->note = g_strdup(*row++);
    t->tags = g_strdup(*row++);
    t->problem = g_strdup(*row++);
    t->delete_hash = g_strdup(*row);
    return t;
}

GPtrArray *af_store_take_ids(GPtrArray *rows)
{
    if (rows == NULL) {
        return NULL;
    }
    GPtrArray *ids = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < rows->len; i++) {
        g_ptr_array_add(ids, g_strdup(*(char **)rows->pdata[i]));
    }
    g_ptr_array_unref(rows);
    return ids;
}

af_trace *af_store_lookup(af_store *store, const char *id, GError **error)
{
    const char *const values[] = {id, NULL};
    g_autoptr(GPtrArray) rows =
        store->class->ask(store,
                          "SELECT " AF_STORE_COLUMNS " FROM trace"
                          " WHERE id = lower($1) OR (old_id = $1 AND old_id <> '')",
                          values, error);
    af_trace *trace = NULL;
    if (rows != NULL && rows->len > 0) {
        trace = read_trace(rows->pdata[0]);
    } else if (rows != NULL) {
        g_set_error_literal(error, AF_STORE_ERROR, AF_STORE_ABSENT,
                            "the server has no upload with this link");
    }
    return trace;
}

char *af_store_facts(af_store *store, const char *id)
{
    const char *const values[] = {id, NULL};
    g_autoptr(GPtrArray) rows = store->class->ask(store, store->class->facts, values, NULL);
    return g_strdup(rows != NULL && rows->len > 0 ? *(char **)rows->pdata[0] : "");
}

/* "%word%" with the wildcards of LIKE escaped. */
static char *make_pattern(const char *word)
{
    GString *pattern = g_string_new("%");
    for (; *word != '\0'; word++) {
        if (strchr("%_\\", *word) != NULL) {
            g_string_append_c(pattern, '\\');
        }
        g_string_append_c(pattern, *word);
    }
    g_string_append_c(pattern, '%');
    return g_string_free(pattern, FALSE);
}

/* The parameters of a search: a pattern of LIKE for each word, with "\\" as the escape character,
 * then the app unless it is NULL. */
static char **list_parameters(const af_store_query *query)
{
    g_auto(GStrv) split = g_strsplit_set(query->words != NULL ? query->words : "", " \t\r\n", -1);
    GPtrArray *patterns = g_ptr_array_new();
    for (char **word = split; *word != NULL && patterns->len < MOST_WORDS; word++) {
        if ((*word)[0] != '\0') {
            g_ptr_array_add(patterns, make_pattern(*word));
        }
    }
    if (query->app != NULL) {
        g_ptr_array_add(patterns, g_strdup(query->app));
    }
    g_ptr_array_add(patterns, NULL);
    return (char **)g_ptr_array_free(patterns, FALSE);
}

static void free_trace(gpointer trace)
{
    af_trace_free(trace);
}

GPtrArray *af_store_new_list(void)
{
    return g_ptr_array_new_with_free_func(free_trace);
}

/* " WHERE ..." for the parameters of a search. */
static GString *make_condition(const af_store *store, const af_store_query *query,
                               char **parameters)
{
    GString *text = g_string_new(" WHERE state = 1");
    const unsigned n = g_strv_length(parameters) - (query->app != NULL ? 1 : 0);
    if (query->app != NULL) {
        g_string_append_printf(text, " AND app = $%u", n + 1);
    }
    if (query->before_us > 0) {
        g_string_append_printf(text, " AND created < %" G_GINT64_FORMAT, query->before_us);
    }
    for (unsigned i = 0; i < n; i++) {
        g_string_append_printf(text,
                               " AND (app || '\n' || name || '\n' || file_name || '\n' || note"
                               " || '\n' || tags || '\n' || %s) %s $%u ESCAPE '\\'",
                               store->class->date, store->class->like, i + 1);
    }
    return text;
}

GPtrArray *af_store_list(af_store *store, const af_store_query *query, uint64_t *n, GError **error)
{
    g_auto(GStrv) parameters = list_parameters(query);
    const char *const *values = (const char *const *)parameters;
    g_autoptr(GString) condition = make_condition(store, query, parameters);
    g_autofree char *select = g_strdup_printf("SELECT " AF_STORE_COLUMNS " FROM trace%s"
                                              " ORDER BY created DESC, id LIMIT %u OFFSET %u",
                                              condition->str, query->limit, query->offset);
    g_autofree char *count = g_strdup_printf("SELECT count(*) FROM trace%s", condition->str);
    g_autoptr(GPtrArray) found = store->class->ask(store, select, values, error);
    g_autoptr(GPtrArray) counted =
        found == NULL ? NULL : store->class->ask(store, count, values, error);
    GPtrArray *list = NULL;
    if (counted != NULL) {
        list = af_store_new_list();
        for (guint i = 0; i < found->len; i++) {
            g_ptr_array_add(list, read_trace(found->pdata[i]));
        }
        *n = read_number(*(char **)counted->pdata[0]);
    }
    return list;
}

gboolean af_store_edit(af_store *store, const af_trace *t, GError **error)
{
    const char *const values[] = {t->id, t->name, t->note, t->tags, NULL};
    g_autoptr(GPtrArray) rows = store->class->ask(
        store, "UPDATE trace SET name = $2, note = $3, tags = $4 WHERE id = $1", values, error);
    return rows != NULL;
}

/* Of the traces by last use, newest first, those after which the sum exceeds the limit. */
static const char overdue_text[] =
    "SELECT id FROM trace WHERE created < $1 OR (state = 2 AND created < $2) UNION "
    "SELECT id FROM (SELECT id, state, sum(stored) OVER (ORDER BY used DESC, id) AS total "
    "FROM trace) AS sums WHERE total > CAST($3 AS BIGINT) AND CAST($3 AS BIGINT) > 0 "
    "AND state <> 0";

GPtrArray *af_store_overdue(af_store *store, int64_t created_s, int64_t refused_s,
                            uint64_t max_bytes, GError **error)
{
    af_store_number created, refused, most;
    const char *const values[] = {af_store_print(&created, created_s * G_USEC_PER_SEC),
                                  af_store_print(&refused, refused_s * G_USEC_PER_SEC),
                                  af_store_print(&most, (int64_t)MIN(max_bytes, INT64_MAX)), NULL};
    return af_store_take_ids(store->class->ask(store, overdue_text, values, error));
}

gboolean af_store_sum(af_store *store, af_store_totals *totals, GError **error)
{
    const char *const values[] = {NULL};
    g_autoptr(GPtrArray) rows = store->class->ask(
        store, "SELECT count(*), coalesce(sum(stored), 0) FROM trace", values, error);
    if (rows == NULL) {
        return FALSE;
    }
    char **row = rows->pdata[0];
    totals->traces = read_number(row[0]);
    totals->bytes = read_number(row[1]);
    return TRUE;
}
