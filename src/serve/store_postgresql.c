/* The store in PostgreSQL: rows, and blobs in pieces. Several servers may use the same database. */
#include "serve/store.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "serve/blobs.h"
#include "serve/postgresql.h"

/* Every piece of a blob has this size, except the last one, which is shorter and may be empty. So a
 * blob that is removed while it is read is never taken for a complete one. */
#define PIECE ((size_t)1 << 20)
/* Servers that start at the same time create the tables one after the other. Any number will do. */
#define SCHEMA_LOCK "7161736"
#define UNWRITTEN   "cannot write a temporary file"
#define CLAIM       G_STRINGIFY(AF_STORE_CLAIM_S) " s"

typedef struct {
    af_store base;
    af_postgresql *pg;
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
    PGresult *result = af_postgresql_check(
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
    PGresult *result = af_postgresql_check(
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
    PGconn *db = af_postgresql_take(s->pg, error);
    int fd = db == NULL ? -1 : begin_blob(store, error);
    int length = fd < 0 ? -1 : (int)PIECE;
    for (uint32_t n = 0; length == (int)PIECE; n++) {
        length = get_piece(db, id, blob, n, fd, error);
    }
    if (db != NULL) {
        af_postgresql_give_back(s->pg, db);
    }
    if (fd >= 0 && (length < 0 || lseek(fd, 0, SEEK_SET) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static GPtrArray *ask(af_store *store, void *db, const char *text, const char *const *values,
                      GError **error)
{
    return db != NULL ? af_postgresql_query(db, text, values, error)
                      : af_postgresql_ask(((pg_store *)store)->pg, text, values, error);
}

static void *begin_change(af_store *store, int file, GError **error)
{
    return af_postgresql_begin(((pg_store *)store)->pg, error);
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
    return af_postgresql_end(((pg_store *)store)->pg, db, ok, error);
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

static void close_store(af_store *store)
{
    g_autofree pg_store *s = (pg_store *)store;
    if (s->base.owner != NULL) {
        const char *const values[] = {s->base.owner, NULL};
        af_store_tell(store, NULL,
                      "UPDATE trace SET owner = '', claimed_until = '-infinity'"
                      " WHERE owner = $1 AND state = 0",
                      values, NULL, NULL);
    }
    af_postgresql_free(s->pg);
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
    .keep_claims = keep_claims,
};

/* Tables of a later version must not change. */
static gboolean check_version(PGconn *db, GError **error)
{
    g_autoptr(GPtrArray) rows = af_postgresql_query(
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
    PGconn *db = af_postgresql_take(s->pg, error);
    gboolean ok = db != NULL;
    const char *encoding = ok ? PQparameterStatus(db, "server_encoding") : NULL;
    if (ok && g_strcmp0(encoding, "UTF8") != 0) {
        g_set_error(error, AF_STORE_ERROR, AF_STORE_BROKEN,
                    "PostgreSQL: the encoding of the database is %s, not UTF8", encoding);
        ok = FALSE;
    }
    ok = ok && check_version(db, error);
    if (ok && !af_postgresql_run_text(db, schema, error)) {
        af_postgresql_run_text(db, "ROLLBACK", NULL);
        ok = FALSE;
    }
    if (db != NULL) {
        af_postgresql_give_back(s->pg, db);
    }
    return ok;
}

af_store *af_store_open_postgresql(const char *url, GError **error)
{
    pg_store *s = g_new0(pg_store, 1);
    s->base.class = &class;
    s->pg = af_postgresql_new(url);
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
