#include "serve/store.h"

#include <string.h>
#include <sys/stat.h>

/* The columns of a trace, as read_trace() reads them. */
#define COLUMNS                                                                                    \
    "id, content, old_id, state, created, used, size, has_upload, has_mapping, file_name, app, "   \
    "name, note, tags, problem, delete_hash"

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

/* The first column of all rows, which it frees. NULL stays NULL. */
static GPtrArray *take_ids(GPtrArray *rows)
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
        store->class->ask(store, NULL,
                          "SELECT " COLUMNS " FROM trace"
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
    g_autoptr(GPtrArray) rows = store->class->ask(store, NULL, store->class->facts, values, NULL);
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
    g_autofree char *select = g_strdup_printf("SELECT " COLUMNS " FROM trace%s"
                                              " ORDER BY created DESC, id LIMIT %u OFFSET %u",
                                              condition->str, query->limit, query->offset);
    g_autofree char *count = g_strdup_printf("SELECT count(*) FROM trace%s", condition->str);
    g_autoptr(GPtrArray) found = store->class->ask(store, NULL, select, values, error);
    g_autoptr(GPtrArray) counted =
        found == NULL ? NULL : store->class->ask(store, NULL, count, values, error);
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

gboolean af_store_tell(af_store *store, void *change, const char *text, const char *const *values,
                       gboolean *any, GError **error)
{
    g_autoptr(GPtrArray) rows = store->class->ask(store, change, text, values, error);
    if (any != NULL) {
        *any = rows != NULL && rows->len > 0;
    }
    return rows != NULL;
}

static uint64_t size_of(int fd)
{
    struct stat status;
    return fd >= 0 && fstat(fd, &status) == 0 ? (uint64_t)status.st_size : 0;
}

/* `file` = -1: there is none. */
static gboolean put(af_store *store, void *change, const char *id, af_blob blob, int file,
                    GError **error)
{
    return file < 0 || store->class->put(store, change, id, blob, file, error);
}

/* Without private links the ID is the content, and either index may be the one that finds another
 * server adding the same file. */
gboolean af_store_insert(af_store *store, void *change, const af_trace *t, uint64_t stored,
                         gboolean *added, GError **error)
{
    af_store_number state, created, size, all;
    const char *const values[] = {t->id,
                                  t->content,
                                  t->old_id,
                                  af_store_print(&state, t->state),
                                  af_store_print(&created, t->created_us),
                                  af_store_print(&size, (int64_t)t->size),
                                  t->has_upload ? "1" : "0",
                                  t->has_mapping ? "1" : "0",
                                  t->file_name,
                                  t->app,
                                  t->name,
                                  t->note,
                                  t->tags,
                                  t->delete_hash,
                                  af_store_print(&all, (int64_t)stored),
                                  NULL};
    return af_store_tell(
        store, change,
        "INSERT INTO trace(" COLUMNS ", stored) VALUES($1, $2, $3, $4, $5, "
        "CAST($5 AS BIGINT) / 1000000, $6, $7, $8, $9, $10, $11, $12, $13, '', $14, $15)"
        " ON CONFLICT DO NOTHING RETURNING id",
        values, added, error);
}

static gboolean find_content(af_store *store, void *change, const char *content, char **id,
                             GError **error)
{
    const char *const values[] = {content, NULL};
    g_autoptr(GPtrArray) rows =
        store->class->ask(store, change, "SELECT id FROM trace WHERE content = $1", values, error);
    if (rows != NULL && rows->len == 0) {
        g_set_error_literal(error, AF_STORE_ERROR, AF_STORE_BROKEN,
                            "the same file was deleted at the same moment; send it again");
    } else if (rows != NULL) {
        *id = g_strdup(*(char **)rows->pdata[0]);
    }
    return *id != NULL;
}

gboolean af_store_knows(af_store *store, const char *content)
{
    const char *const values[] = {content, NULL};
    gboolean any;
    af_store_tell(store, NULL, "SELECT id FROM trace WHERE content = $1 AND state <> 2", values,
                  &any, NULL);
    return any;
}

gboolean af_store_add(af_store *store, const af_trace *t, int upload, int mapping, char **known,
                      GError **error)
{
    const char *const content[] = {t->content, NULL};
    gboolean added = FALSE;
    void *change = store->class->begin_change(store, upload, error);
    *known = NULL;
    if (change == NULL) {
        return FALSE;
    }
    gboolean ok =
        af_store_tell(store, change, "DELETE FROM trace WHERE content = $1 AND state = 2", content,
                      NULL, error) &&
        af_store_insert(store, change, t, size_of(upload) + size_of(mapping), &added, error);
    ok = ok && (added ? put(store, change, t->id, AF_BLOB_UPLOAD, upload, error) &&
                            put(store, change, t->id, AF_BLOB_MAPPING, mapping, error)
                      : find_content(store, change, t->content, known, error));
    return store->class->end_change(store, change, ok, error);
}

gboolean af_store_add_mapping(af_store *store, const char *id, int mapping, gboolean *added,
                              GError **error)
{
    af_store_number bytes;
    const char *const values[] = {id, af_store_print(&bytes, (int64_t)size_of(mapping)), NULL};
    void *change = store->class->begin_change(store, mapping, error);
    if (change == NULL) {
        return FALSE;
    }
    const gboolean ok =
        af_store_tell(store, change,
                      "UPDATE trace SET has_mapping = 1, stored = stored + CAST($2 AS BIGINT)"
                      " WHERE id = $1 AND has_mapping = 0 AND state <> 2 RETURNING id",
                      values, added, error) &&
        (!*added || put(store, change, id, AF_BLOB_MAPPING, mapping, error));
    return store->class->end_change(store, change, ok, error);
}

gboolean af_store_set_facts(af_store *store, void *change, const af_trace *t, GError **error)
{
    const char *const values[] = {t->id, t->facts != NULL ? t->facts : "", NULL};
    return af_store_tell(store, change, store->class->set_facts, values, NULL, error);
}

/* A trace that was read keeps its mapping: `stored` counts the upload and the mapping until now. */
static gboolean update(af_store *store, void *change, const af_trace *t, uint64_t bytes,
                       gboolean has_upload, gboolean *any, GError **error)
{
    af_store_number state, stored;
    const char *const values[] = {t->id,
                                  af_store_print(&state, t->state),
                                  has_upload ? "1" : "0",
                                  t->state == AF_TRACE_READY ? "1" : "0",
                                  t->app,
                                  t->problem,
                                  af_store_print(&stored, (int64_t)bytes),
                                  NULL};
    return af_store_tell(store, change,
                         "UPDATE trace SET state = $2, has_upload = $3, app = $5, problem = $6,"
                         " has_mapping = has_mapping * CAST($4 AS INTEGER),"
                         " stored = (stored - size) * CAST($4 AS INTEGER) + CAST($7 AS BIGINT)"
                         " WHERE id = $1 AND state = 0 RETURNING id",
                         values, any, error);
}

/* The trace may have been deleted in the meantime: then its blobs must not come back. Or another
 * server took over the claim and was faster: then its result stays. */
gboolean af_store_finish(af_store *store, const af_trace *t, int profile, int packed,
                         GError **error)
{
    gboolean any = FALSE;
    void *change = store->class->begin_change(store, packed, error);
    if (change == NULL) {
        return FALSE;
    }
    gboolean ok =
        update(store, change, t, size_of(profile) + size_of(packed), packed >= 0, &any, error);
    if (any) {
        ok = af_store_set_facts(store, change, t, error) &&
             store->class->drop(store, change, t->id, t->state == AF_TRACE_REFUSED, error) &&
             put(store, change, t->id, AF_BLOB_PROFILE, profile, error) &&
             put(store, change, t->id, AF_BLOB_PACKED, packed, error);
    }
    return store->class->end_change(store, change, ok, error);
}

/* The row first, as in other changes, so that no two of them wait for each other. */
gboolean af_store_remove(af_store *store, const char *id, GError **error)
{
    const char *const values[] = {id, NULL};
    void *change = store->class->begin_change(store, -1, error);
    return change != NULL &&
           store->class->end_change(store, change,
                                    af_store_tell(store, change, "DELETE FROM trace WHERE id = $1",
                                                  values, NULL, error) &&
                                        store->class->drop(store, change, id, TRUE, error),
                                    error);
}

static int compare_ids(gconstpointer a, gconstpointer b)
{
    return strcmp(a, b);
}

/* In the order of the IDs, so that servers never wait for each other in a circle. */
gboolean af_store_touch(af_store *store, GHashTable *ids, int64_t now_s, GError **error)
{
    af_store_number now;
    g_autoptr(GList) sorted = g_list_sort(g_hash_table_get_keys(ids), compare_ids);
    void *change = store->class->begin_change(store, -1, error);
    gboolean ok = change != NULL;
    for (const GList *id = sorted; ok && id != NULL; id = id->next) {
        const char *const values[] = {id->data, af_store_print(&now, now_s), NULL};
        ok = af_store_tell(store, change, "UPDATE trace SET used = $2 WHERE id = $1", values, NULL,
                           error);
    }
    return change != NULL && store->class->end_change(store, change, ok, error);
}

GPtrArray *af_store_waiting(af_store *store, GError **error)
{
    const char *const values[] = {store->owner, NULL};
    return take_ids(store->class->ask(store, NULL, store->class->waiting, values, error));
}

gboolean af_store_edit(af_store *store, const af_trace *t, GError **error)
{
    const char *const values[] = {t->id, t->name, t->note, t->tags, NULL};
    return af_store_tell(store, NULL,
                         "UPDATE trace SET name = $2, note = $3, tags = $4 WHERE id = $1", values,
                         NULL, error);
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
    return take_ids(store->class->ask(store, NULL, overdue_text, values, error));
}

gboolean af_store_sum(af_store *store, af_store_totals *totals, GError **error)
{
    const char *const values[] = {NULL};
    g_autoptr(GPtrArray) rows = store->class->ask(
        store, NULL, "SELECT count(*), coalesce(sum(stored), 0) FROM trace", values, error);
    if (rows == NULL) {
        return FALSE;
    }
    char **row = rows->pdata[0];
    totals->traces = read_number(row[0]);
    totals->bytes = read_number(row[1]);
    return TRUE;
}
