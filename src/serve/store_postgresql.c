/* The store in PostgreSQL: rows, and blobs in pieces. Several servers may use the same database. */
#include "serve/store.h"

#include <errno.h>
#include <fcntl.h>
#include <libpq-fe.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "serve/blobs.h"

/* Every piece of a blob has this size, except the last one, which is shorter and may be empty. So a
 * blob that is removed while it is read is never taken for a complete one. */
#define PIECE ((size_t)1 << 20)
/* Servers that start at the same time create the tables one after the other. Any number will do. */
#define SCHEMA_LOCK "7161736"
#define UNWRITTEN   "cannot write a temporary file"
#define CLAIM       G_STRINGIFY(AF_STORE_CLAIM_S) " s"

/* Connections that are kept open while nobody uses them. */
#define MOST_IDLE 8u
/* Class 53 of the error codes: insufficient resources. */
#define CLASS_FULL "53"

typedef struct {
    af_store base;
    char *url;
    GMutex lock;  /* of `idle` */
    GQueue *idle; /* of PGconn */
} pg_store;

/* The version of the tables, in the comment on the table of traces. */
#define VERSION 2
#define MARK    "aflame store "

static const char schema[] =
    "BEGIN; SELECT pg_advisory_xact_lock(" SCHEMA_LOCK ");"
    "CREATE TABLE IF NOT EXISTS trace(id TEXT PRIMARY KEY, content TEXT NOT NULL UNIQUE,"
    " old_id TEXT NOT NULL, state INTEGER NOT NULL, created BIGINT NOT NULL,"
    " used BIGINT NOT NULL, size BIGINT NOT NULL, stored BIGINT NOT NULL,"
    " has_upload INTEGER NOT NULL, has_mapping INTEGER NOT NULL, file_name TEXT NOT NULL,"
    " app TEXT NOT NULL, name TEXT NOT NULL, note TEXT NOT NULL, tags TEXT NOT NULL,"
    " problem TEXT NOT NULL, delete_hash TEXT NOT NULL, facts TEXT NOT NULL DEFAULT '',"
    " owner TEXT NOT NULL DEFAULT '', claimed_until TIMESTAMPTZ NOT NULL DEFAULT '-infinity');"
    "CREATE INDEX IF NOT EXISTS trace_old ON trace(old_id);"
    "CREATE INDEX IF NOT EXISTS trace_created ON trace(created);"
    "CREATE INDEX IF NOT EXISTS trace_waiting ON trace(created) WHERE state = 0;"
    "CREATE TABLE IF NOT EXISTS piece(trace TEXT REFERENCES trace(id) ON DELETE CASCADE,"
    " blob INTEGER, n INTEGER, bytes BYTEA NOT NULL, PRIMARY KEY(trace, blob, n));"
    /* version 1 had seconds */
    "UPDATE trace SET created = created * 1000000"
    " WHERE obj_description(to_regclass('trace'), 'pg_class') = '" MARK "1';"
    /* the blobs are compressed already */
    "COMMENT ON TABLE trace IS '" MARK G_STRINGIFY(
        VERSION) "';"
                 "ALTER TABLE piece ALTER COLUMN bytes SET STORAGE EXTERNAL;"
                 "COMMIT";

/* ---- connections ---- */

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

/* A connection that nobody uses, or a new one; give it back. NULL with an error. A connection belongs
 * to one thread at a time. */
static PGconn *take_connection(pg_store *pg, GError **error)
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

static void give_back(pg_store *pg, PGconn *db)
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

/* Returns `result` if the statement succeeded; otherwise frees it and returns NULL with an error. */
static PGresult *check_result(PGconn *db, PGresult *result, GError **error)
{
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
        return result;
    }
    fail(db, result, error);
    PQclear(result);
    return NULL;
}

/* Runs a statement, as the `ask` of af_store_class; `values` may be NULL. */
static GPtrArray *query(PGconn *db, const char *text, const char *const *values, GError **error)
{
    const int n = values == NULL ? 0 : (int)g_strv_length((char **)(void *)values);
    PGresult *result =
        check_result(db, PQexecParams(db, text, n, NULL, values, NULL, NULL, 0), error);
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

/* Runs several statements without parameters. */
static gboolean run_text(PGconn *db, const char *text, GError **error)
{
    PGresult *result = check_result(db, PQexec(db, text), error);
    PQclear(result);
    return result != NULL;
}

/* ---- blobs ---- */

/* A file without a name, on a disk if possible. */
static int begin_blob(af_store *store, GError **error)
{
    int fd = open(g_get_tmp_dir(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0 && errno != ENOSPC && errno != EDQUOT) {
        fd = memfd_create("aflame-blob", MFD_CLOEXEC);
    }
    if (fd < 0) {
        af_blobs_fail(error, UNWRITTEN);
    }
    return fd;
}

static gboolean put_piece(PGconn *db, const char *id, af_blob blob, uint32_t n, const char *bytes,
                          size_t length, GError **error)
{
    af_store_number kind, at;
    const char *const values[] = {id, af_store_print(&kind, blob), af_store_print(&at, n), bytes};
    const int lengths[] = {0, 0, 0, (int)length}, formats[] = {0, 0, 0, 1};
    PGresult *result = check_result(
        db,
        PQexecParams(db, "INSERT INTO piece(trace, blob, n, bytes) VALUES($1, $2, $3, $4)", 4, NULL,
                     values, lengths, formats, 0),
        error);
    PQclear(result);
    return result != NULL;
}

/* Fills a piece from a file. The number of bytes, or -1 with an error. */
static ssize_t read_piece(int fd, off_t at, char *bytes, GError **error)
{
    size_t filled = 0;
    while (filled < PIECE) {
        const ssize_t n = pread(fd, bytes + filled, PIECE - filled, at + (off_t)filled);
        if (n < 0 && errno != EINTR) {
            af_blobs_fail(error, UNWRITTEN);
            return -1;
        }
        if (n == 0) {
            break;
        }
        filled += (size_t)MAX(n, 0);
    }
    return (ssize_t)filled;
}

static gboolean put(af_store *store, void *db, const char *id, af_blob blob, int fd, GError **error)
{
    g_autofree char *bytes = g_malloc(PIECE);
    gboolean ok = TRUE;
    ssize_t length = (ssize_t)PIECE;
    for (uint32_t n = 0; ok && length == (ssize_t)PIECE; n++) {
        length = read_piece(fd, (off_t)n * (off_t)PIECE, bytes, error);
        ok = length >= 0 && put_piece(db, id, blob, n, bytes, (size_t)length, error);
    }
    return ok;
}

/* Appends piece `n` of a blob to `fd`. The length of the piece, or -1 with an error. */
static int get_piece(PGconn *db, const char *id, af_blob blob, uint32_t n, int fd, GError **error)
{
    af_store_number kind, at;
    const char *const values[] = {id, af_store_print(&kind, blob), af_store_print(&at, n)};
    PGresult *result = check_result(
        db,
        PQexecParams(db, "SELECT bytes FROM piece WHERE trace = $1 AND blob = $2 AND n = $3", 3,
                     NULL, values, NULL, NULL, 1),
        error);
    int length = -1;
    if (result != NULL && PQntuples(result) == 0) {
        g_set_error_literal(error, AF_STORE_ERROR, AF_STORE_ABSENT,
                            "the store no longer has this file");
    } else if (result != NULL) {
        length = PQgetlength(result, 0, 0);
        length = af_blobs_write(fd, PQgetvalue(result, 0, 0), (size_t)length, UNWRITTEN, error)
                     ? length
                     : -1;
    }
    PQclear(result);
    return length;
}

static int open_blob(af_store *store, const char *id, af_blob blob, GError **error)
{
    pg_store *s = (pg_store *)store;
    PGconn *db = take_connection(s, error);
    int fd = db == NULL ? -1 : begin_blob(store, error);
    int length = fd < 0 ? -1 : (int)PIECE;
    for (uint32_t n = 0; length == (int)PIECE; n++) {
        length = get_piece(db, id, blob, n, fd, error);
    }
    if (db != NULL) {
        give_back(s, db);
    }
    if (fd >= 0 && (length < 0 || lseek(fd, 0, SEEK_SET) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* ---- statements and changes ---- */

static GPtrArray *ask(af_store *store, void *change, const char *text, const char *const *values,
                      GError **error)
{
    PGconn *db = change != NULL ? change : take_connection((pg_store *)store, error);
    GPtrArray *rows = db == NULL ? NULL : query(db, text, values, error);
    if (db != NULL && change == NULL) {
        give_back((pg_store *)store, db);
    }
    return rows;
}

static void *begin_change(af_store *store, int file, GError **error)
{
    PGconn *db = take_connection((pg_store *)store, error);
    if (db != NULL && !run_text(db, "BEGIN", error)) {
        give_back((pg_store *)store, db);
        db = NULL;
    }
    return db;
}

static gboolean drop(af_store *store, void *db, const char *id, gboolean all, GError **error)
{
    af_store_number exception;
    const char *const values[] = {id, af_store_print(&exception, all ? AF_BLOBS : AF_BLOB_MAPPING),
                                  NULL};
    return af_store_tell(store, db, "DELETE FROM piece WHERE trace = $1 AND blob <> $2", values,
                         NULL, error);
}

static gboolean end_change(af_store *store, void *db, gboolean ok, GError **error)
{
    ok = ok && run_text(db, "COMMIT", error);
    if (!ok) {
        run_text(db, "ROLLBACK", NULL);
    }
    give_back((pg_store *)store, db);
    return ok;
}

static gboolean claim(af_store *store, const char *id)
{
    const char *const values[] = {id, store->owner, NULL};
    gboolean claimed;
    af_store_tell(store, NULL,
                  "UPDATE trace SET owner = $2, claimed_until = now() + interval '" CLAIM
                  "' WHERE id ="
                  " (SELECT id FROM trace WHERE id = $1 AND state = 0 AND (claimed_until < now() OR"
                  " owner = $2) FOR UPDATE SKIP LOCKED) RETURNING id",
                  values, &claimed, NULL);
    return claimed;
}

static void keep_claims(af_store *store)
{
    const char *const values[] = {store->owner, NULL};
    af_store_tell(store, NULL,
                  "UPDATE trace SET claimed_until = now() + interval '" CLAIM
                  "' WHERE owner = $1 AND state = 0",
                  values, NULL, NULL);
}

static void release(af_store *store, const char *id)
{
    const char *const values[] = {store->owner, id != NULL ? id : "", NULL};
    af_store_tell(store, NULL,
                  "UPDATE trace SET owner = '', claimed_until = '-infinity'"
                  " WHERE owner = $1 AND state = 0 AND $2 IN (id, '')",
                  values, NULL, NULL);
}

static void close_store(af_store *store)
{
    g_autofree pg_store *s = (pg_store *)store;
    if (s->base.owner != NULL) {
        release(store, NULL);
    }
    for (PGconn *db; (db = g_queue_pop_head(s->idle)) != NULL;) {
        PQfinish(db);
    }
    g_queue_free(s->idle);
    g_mutex_clear(&s->lock);
    g_free(s->url);
    g_free(s->base.owner);
}

static const af_store_class class = {
    .ask = ask,
    .like = "ILIKE",
    .date = "to_char(to_timestamp(created / 1000000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')",
    .facts = "SELECT facts FROM trace WHERE id = $1",
    .set_facts = "UPDATE trace SET facts = $2, owner = '' WHERE id = $1",
    .waiting = "SELECT id FROM trace WHERE state = 0 AND (claimed_until < now() OR owner = $1)"
               " ORDER BY created",
    .close = close_store,
    .begin = begin_blob,
    .open = open_blob,
    .begin_change = begin_change,
    .put = put,
    .drop = drop,
    .end_change = end_change,
    .claim = claim,
    .release = release,
    .keep_claims = keep_claims,
};

/* Tables of a later version must not change. */
static gboolean check_version(PGconn *db, GError **error)
{
    g_autoptr(GPtrArray) rows = query(
        db, "SELECT coalesce(obj_description(to_regclass('trace'), 'pg_class'), '')", NULL, error);
    const char *text = rows == NULL ? "" : *(char **)rows->pdata[0];
    const gboolean later =
        g_str_has_prefix(text, MARK) && g_ascii_strtoll(text + strlen(MARK), NULL, 10) > VERSION;
    if (later) {
        g_set_error(error, AF_STORE_ERROR, AF_STORE_BROKEN,
                    "PostgreSQL: the tables have version %s, and this aflame supports up to "
                    "version %d",
                    text + strlen(MARK), VERSION);
    }
    return rows != NULL && !later;
}

static gboolean prepare(pg_store *s, GError **error)
{
    PGconn *db = take_connection(s, error);
    gboolean ok = db != NULL;
    const char *encoding = ok ? PQparameterStatus(db, "server_encoding") : NULL;
    if (ok && g_strcmp0(encoding, "UTF8") != 0) {
        g_set_error(error, AF_STORE_ERROR, AF_STORE_BROKEN,
                    "PostgreSQL: the encoding of the database is %s, not UTF8", encoding);
        ok = FALSE;
    }
    ok = ok && check_version(db, error);
    if (ok && !run_text(db, schema, error)) {
        run_text(db, "ROLLBACK", NULL);
        ok = FALSE;
    }
    if (db != NULL) {
        give_back(s, db);
    }
    return ok;
}

af_store *af_store_open_postgresql(const char *url, GError **error)
{
    pg_store *s = g_new0(pg_store, 1);
    s->base.class = &class;
    s->url = g_strdup(url);
    s->idle = g_queue_new();
    g_mutex_init(&s->lock);
    gboolean ok = prepare(s, error);
    if (ok && (s->base.owner = af_trace_random()) == NULL) {
        g_set_error_literal(error, AF_STORE_ERROR, AF_STORE_BROKEN,
                            "the system provides no random bytes");
        ok = FALSE;
    }
    if (!ok) {
        close_store(&s->base);
        return NULL;
    }
    return &s->base;
}
