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

typedef struct {
    af_store base;
    af_postgresql *pg;
    char *owner; /* a random ID of this server, for its claims */
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

/* `fd` = -1: nothing to store. */
static gboolean put_blob(PGconn *db, const char *id, af_blob blob, int fd, GError **error)
{
    g_autofree char *bytes = g_malloc(PIECE);
    gboolean ok = TRUE;
    ssize_t length = fd < 0 ? 0 : (ssize_t)PIECE;
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

static uint64_t size_of(int fd)
{
    struct stat status;
    return fd >= 0 && fstat(fd, &status) == 0 ? (uint64_t)status.st_size : 0;
}

/* Frees the rows of a statement, of which there is at most one; *any = whether there was one. FALSE
 * if the statement failed. */
static gboolean count_rows(GPtrArray *rows, gboolean *any)
{
    *any = rows != NULL && rows->len > 0;
    const gboolean ok = rows != NULL;
    g_clear_pointer(&rows, g_ptr_array_unref);
    return ok;
}

/* Adds the row, unless the content is known; *added tells. Without private links the ID is the
 * content, and either index may be the one that finds another server adding the same file. */
static gboolean insert(PGconn *db, const af_trace *t, uint64_t stored, gboolean *added,
                       GError **error)
{
    af_store_insertion row;
    GPtrArray *rows =
        af_postgresql_query(db, AF_STORE_INSERT " ON CONFLICT DO NOTHING RETURNING id",
                            af_store_fill(&row, t, stored), error);
    return count_rows(rows, added);
}

static gboolean find_content(PGconn *db, const char *content, char **id, GError **error)
{
    const char *const values[] = {content, NULL};
    g_autoptr(GPtrArray) rows =
        af_postgresql_query(db, "SELECT id FROM trace WHERE content = $1", values, error);
    if (rows != NULL && rows->len == 0) {
        g_set_error_literal(error, AF_STORE_ERROR, AF_STORE_BROKEN,
                            "the same file was deleted at the same moment; send it again");
    } else if (rows != NULL) {
        *id = g_strdup(*(char **)rows->pdata[0]);
    }
    return *id != NULL;
}

static gboolean add(af_store *store, const af_trace *t, int upload, int mapping, char **known,
                    GError **error)
{
    pg_store *s = (pg_store *)store;
    PGconn *db = af_postgresql_begin(s->pg, error);
    const char *const content[] = {t->content, NULL};
    gboolean added = FALSE;
    *known = NULL;
    if (db == NULL) {
        return FALSE;
    }
    gboolean ok = af_postgresql_run(db, "DELETE FROM trace WHERE content = $1 AND state = 2",
                                    content, error) &&
                  insert(db, t, size_of(upload) + size_of(mapping), &added, error);
    ok = ok && (added ? put_blob(db, t->id, AF_BLOB_UPLOAD, upload, error) &&
                            put_blob(db, t->id, AF_BLOB_MAPPING, mapping, error)
                      : find_content(db, t->content, known, error));
    return af_postgresql_end(s->pg, db, ok, error);
}

static gboolean add_mapping(af_store *store, const char *id, int mapping, gboolean *added,
                            GError **error)
{
    pg_store *s = (pg_store *)store;
    PGconn *db = af_postgresql_begin(s->pg, error);
    af_store_number bytes;
    const char *const values[] = {id, af_store_print(&bytes, (int64_t)size_of(mapping)), NULL};
    if (db == NULL) {
        return FALSE;
    }
    const gboolean ok =
        count_rows(
            af_postgresql_query(db,
                                "UPDATE trace SET has_mapping = 1, stored = stored + $2::bigint"
                                " WHERE id = $1 AND has_mapping = 0 AND state <> 2 RETURNING id",
                                values, error),
            added) &&
        (!*added || put_blob(db, id, AF_BLOB_MAPPING, mapping, error));
    return af_postgresql_end(s->pg, db, ok, error);
}

/* The mapping stays with a trace that was read. */
static gboolean replace_blobs(PGconn *db, const af_trace *t, int profile, int packed,
                              GError **error)
{
    af_store_number mapping;
    const char *const values[] = {
        t->id, af_store_print(&mapping, t->state == AF_TRACE_READY ? AF_BLOB_MAPPING : AF_BLOBS),
        NULL};
    return af_postgresql_run(db, "DELETE FROM piece WHERE trace = $1 AND blob <> $2", values,
                             error) &&
           put_blob(db, t->id, AF_BLOB_PROFILE, profile, error) &&
           put_blob(db, t->id, AF_BLOB_PACKED, packed, error);
}

static gboolean update(PGconn *db, const af_trace *t, gboolean has_upload, GError **error)
{
    af_store_number state;
    const char *const values[] = {t->id,
                                  af_store_print(&state, t->state),
                                  has_upload ? "1" : "0",
                                  t->state == AF_TRACE_READY ? "1" : "0",
                                  t->app,
                                  t->problem,
                                  t->facts != NULL ? t->facts : "",
                                  NULL};
    return af_postgresql_run(
        db,
        "UPDATE trace SET state = $2, has_upload = $3, has_mapping = has_mapping * $4::integer, "
        "app = $5,"
        " problem = $6, facts = $7, owner = '', stored ="
        " (SELECT coalesce(sum(octet_length(bytes)), 0) FROM piece WHERE trace = $1)"
        " WHERE id = $1",
        values, error);
}

/* The trace may have been deleted in the meantime: then its blobs must not come back. */
static gboolean finish(af_store *store, const af_trace *t, int profile, int packed, GError **error)
{
    pg_store *s = (pg_store *)store;
    PGconn *db = af_postgresql_begin(s->pg, error);
    const char *const id[] = {t->id, NULL};
    gboolean any = FALSE;
    if (db == NULL) {
        return FALSE;
    }
    const gboolean ok =
        count_rows(
            af_postgresql_query(db, "SELECT 1 FROM trace WHERE id = $1 FOR UPDATE", id, error),
            &any) &&
        (!any ||
         (replace_blobs(db, t, profile, packed, error) && update(db, t, packed >= 0, error)));
    return af_postgresql_end(s->pg, db, ok, error);
}

static GPtrArray *ask(af_store *store, const char *text, const char *const *values, GError **error)
{
    return af_postgresql_ask(((pg_store *)store)->pg, text, values, error);
}

static gboolean remove_trace(af_store *store, const char *id, GError **error)
{
    const char *const values[] = {id, NULL};
    return af_postgresql_tell(((pg_store *)store)->pg, "DELETE FROM trace WHERE id = $1", values,
                              error);
}

/* In the order of the IDs, so that servers never wait for each other in a circle. */
static gboolean touch(af_store *store, GHashTable *ids, int64_t now_s, GError **error)
{
    GHashTableIter iter;
    gpointer id;
    g_autoptr(GString) set = g_string_new("{");
    af_store_number now;
    g_hash_table_iter_init(&iter, ids);
    while (g_hash_table_iter_next(&iter, &id, NULL)) { /* IDs are hexadecimal */
        g_string_append_printf(set, "%s%s", set->len > 1 ? "," : "", (const char *)id);
    }
    g_string_append_c(set, '}');
    const char *const values[] = {set->str, af_store_print(&now, now_s), NULL};
    return af_postgresql_tell(((pg_store *)store)->pg,
                              "WITH mine AS (SELECT id FROM trace WHERE id = ANY($1::text[])"
                              " ORDER BY id FOR UPDATE)"
                              " UPDATE trace SET used = $2 FROM mine WHERE trace.id = mine.id",
                              values, error);
}

static GPtrArray *waiting(af_store *store, GError **error)
{
    const char *const values[] = {((pg_store *)store)->owner, NULL};
    return af_store_take_ids(ask(store,
                                 "SELECT id FROM trace WHERE state = 0 AND"
                                 " (claimed_until < now() OR owner = $1) ORDER BY created",
                                 values, error));
}

static gboolean claim(af_store *store, const char *id)
{
    const char *const values[] = {id, ((pg_store *)store)->owner, NULL};
    gboolean claimed;
    GPtrArray *rows = ask(
        store,
        "UPDATE trace SET owner = $2, claimed_until = now() + interval"
        " '" G_STRINGIFY(AF_STORE_CLAIM_S) " s' WHERE id = (SELECT id FROM trace WHERE id = $1 AND"
                                           " state = 0 AND (claimed_until < now() OR owner = $2)"
                                           " FOR UPDATE SKIP LOCKED) RETURNING id",
        values, NULL);
    return count_rows(rows, &claimed) && claimed;
}

static void keep_claims(af_store *store)
{
    pg_store *s = (pg_store *)store;
    const char *const values[] = {s->owner, NULL};
    af_postgresql_tell(s->pg,
                       "UPDATE trace SET claimed_until = now() + interval '" G_STRINGIFY(
                           AF_STORE_CLAIM_S) " s' WHERE owner = $1 AND state = 0",
                       values, NULL);
}

static void close_store(af_store *store)
{
    g_autofree pg_store *s = (pg_store *)store;
    if (s->owner != NULL) {
        const char *const values[] = {s->owner, NULL};
        af_postgresql_tell(s->pg,
                           "UPDATE trace SET owner = '', claimed_until = '-infinity'"
                           " WHERE owner = $1 AND state = 0",
                           values, NULL);
    }
    af_postgresql_free(s->pg);
    g_free(s->owner);
}

static const af_store_class class = {
    .ask = ask,
    .like = "ILIKE",
    .date = "to_char(to_timestamp(created / 1000000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')",
    .facts = "SELECT facts FROM trace WHERE id = $1",
    .close = close_store,
    .begin = begin_blob,
    .add = add,
    .add_mapping = add_mapping,
    .finish = finish,
    .open = open_blob,
    .remove = remove_trace,
    .touch = touch,
    .waiting = waiting,
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
    if (ok && (s->owner = af_trace_random()) == NULL) {
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
