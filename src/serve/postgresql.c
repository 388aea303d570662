#include "serve/postgresql.h"

#include <poll.h>
#include "serve/store.h"

/* Connections that are kept open while nobody uses them. */
#define MOST_IDLE 8u
/* Class 53 of the error codes: insufficient resources. */
#define CLASS_FULL "53"

struct af_postgresql {
    char *url;
    GMutex lock;  /* of `idle` */
    GQueue *idle; /* of PGconn */
};

af_postgresql *af_postgresql_new(const char *url)
{
    af_postgresql *pg = g_new0(af_postgresql, 1);
    pg->url = g_strdup(url);
    pg->idle = g_queue_new();
    g_mutex_init(&pg->lock);
    return pg;
}

void af_postgresql_free(af_postgresql *pg)
{
    for (PGconn *db; (db = g_queue_pop_head(pg->idle)) != NULL;) {
        PQfinish(db);
    }
    g_queue_free(pg->idle);
    g_mutex_clear(&pg->lock);
    g_free(pg->url);
    g_free(pg);
}

/* Messages of libpq have several lines, with tabs. */
static char *join_lines(const char *text)
{
    g_auto(GStrv) words = g_strsplit_set(text, " \t\r\n", -1);
    GString *line = g_string_new(NULL);
    for (char **word = words; *word != NULL; word++) {
        if ((*word)[0] != '\0') {
            g_string_append_printf(line, "%s%s", line->len > 0 ? " " : "", *word);
        }
    }
    return g_string_free(line, FALSE);
}

/* `result` may be NULL. */
static gboolean fail(PGconn *db, const PGresult *result, GError **error)
{
    const char *code = result != NULL ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    const char *primary =
        result != NULL ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    g_autofree char *text = join_lines(primary != NULL ? primary : PQerrorMessage(db));
    const gboolean full = code != NULL && g_str_has_prefix(code, CLASS_FULL);
    g_set_error(error, AF_STORE_ERROR,
                PQstatus(db) != CONNECTION_OK ? AF_STORE_AWAY
                : full                        ? AF_STORE_FULL
                                              : AF_STORE_BROKEN,
                "PostgreSQL: %s", text);
    return FALSE;
}

static void ignore_notice(void *user, const char *text)
{
}

static PGconn *connect_to(const char *url, GError **error)
{
    /* what the URL contains comes last and has priority */
    static const char *const keys[] = {"application_name", "connect_timeout", "keepalives_idle",
                                       "tcp_user_timeout", "dbname",          NULL};
    const char *const values[] = {"aflame", "10", "10", "20000", url, NULL};
    PGconn *db = PQconnectdbParams(keys, values, TRUE);
    if (PQstatus(db) != CONNECTION_OK || PQsetClientEncoding(db, "UTF8") != 0) {
        fail(db, NULL, error);
        PQfinish(db);
        return NULL;
    }
    PQsetNoticeProcessor(db, ignore_notice, NULL);
    return db;
}

/* Nothing arrives on an idle connection, unless the database ends. */
static gboolean is_open(const PGconn *db)
{
    struct pollfd wait = {.fd = PQsocket(db), .events = POLLIN};
    return poll(&wait, 1, 0) == 0;
}

PGconn *af_postgresql_take(af_postgresql *pg, GError **error)
{
    for (;;) {
        g_mutex_lock(&pg->lock);
        PGconn *db = g_queue_pop_head(pg->idle);
        g_mutex_unlock(&pg->lock);
        if (db == NULL) {
            return connect_to(pg->url, error);
        }
        if (is_open(db)) {
            return db;
        }
        PQfinish(db);
    }
}

void af_postgresql_give_back(af_postgresql *pg, PGconn *db)
{
    gboolean keep = PQstatus(db) == CONNECTION_OK && PQtransactionStatus(db) == PQTRANS_IDLE;
    g_mutex_lock(&pg->lock);
    keep = keep && g_queue_get_length(pg->idle) < MOST_IDLE;
    if (keep) {
        g_queue_push_head(pg->idle, db);
    }
    g_mutex_unlock(&pg->lock);
    if (!keep) {
        PQfinish(db);
    }
}

PGresult *af_postgresql_check(PGconn *db, PGresult *result, GError **error)
{
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
        return result;
    }
    fail(db, result, error);
    PQclear(result);
    return NULL;
}

GPtrArray *af_postgresql_query(PGconn *db, const char *text, const char *const *values,
                               GError **error)
{
    const int n = values == NULL ? 0 : (int)g_strv_length((char **)(void *)values);
    PGresult *result =
        af_postgresql_check(db, PQexecParams(db, text, n, NULL, values, NULL, NULL, 0), error);
    if (result == NULL) {
        return NULL;
    }
    GPtrArray *rows = af_store_new_rows();
    const int n_columns = PQnfields(result);
    for (int i = 0; i < PQntuples(result); i++) {
        char **row = g_new0(char *, (gsize)n_columns + 1);
        for (int k = 0; k < n_columns; k++) {
            row[k] = g_strdup(PQgetvalue(result, i, k));
        }
        g_ptr_array_add(rows, row);
    }
    PQclear(result);
    return rows;
}

gboolean af_postgresql_run_text(PGconn *db, const char *text, GError **error)
{
    PGresult *result = af_postgresql_check(db, PQexec(db, text), error);
    PQclear(result);
    return result != NULL;
}

PGconn *af_postgresql_begin(af_postgresql *pg, GError **error)
{
    PGconn *db = af_postgresql_take(pg, error);
    if (db != NULL && !af_postgresql_run_text(db, "BEGIN", error)) {
        af_postgresql_give_back(pg, db);
        db = NULL;
    }
    return db;
}

gboolean af_postgresql_end(af_postgresql *pg, PGconn *db, gboolean ok, GError **error)
{
    ok = ok && af_postgresql_run_text(db, "COMMIT", error);
    if (!ok) {
        af_postgresql_run_text(db, "ROLLBACK", NULL);
    }
    af_postgresql_give_back(pg, db);
    return ok;
}

GPtrArray *af_postgresql_ask(af_postgresql *pg, const char *text, const char *const *values,
                             GError **error)
{
    PGconn *db = af_postgresql_take(pg, error);
    GPtrArray *rows = NULL;
    if (db != NULL) {
        rows = af_postgresql_query(db, text, values, error);
        af_postgresql_give_back(pg, db);
    }
    return rows;
}
