/* The store in SQLite, with blobs as files next to it. */
#include "serve/store.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>
#include "serve/blobs.h"

/* How long a statement waits for another process, e.g. a backup. */
#define BUSY_MS 5000

typedef struct {
    af_store base;
    GMutex lock; /* of `db` */
    sqlite3 *db;
    af_blobs *blobs;
    int lock_file; /* -1 = in memory */
} sqlite_store;

/* The version of the tables, in the index as user_version. */
#define VERSION 2

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS trace(id TEXT PRIMARY KEY, content TEXT NOT NULL UNIQUE,"
    " old_id TEXT NOT NULL, state INTEGER NOT NULL, created INTEGER NOT NULL,"
    " used INTEGER NOT NULL, size INTEGER NOT NULL, stored INTEGER NOT NULL,"
    " has_upload INTEGER NOT NULL, has_mapping INTEGER NOT NULL, file_name TEXT NOT NULL,"
    " app TEXT NOT NULL, name TEXT NOT NULL, note TEXT NOT NULL, tags TEXT NOT NULL,"
    " problem TEXT NOT NULL, delete_hash TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX IF NOT EXISTS trace_old ON trace(old_id);"
    "CREATE INDEX IF NOT EXISTS trace_created ON trace(created);"
    "CREATE INDEX IF NOT EXISTS trace_waiting ON trace(created) WHERE state = 0;"
    "CREATE TABLE IF NOT EXISTS facts(id TEXT PRIMARY KEY REFERENCES trace(id) ON DELETE CASCADE,"
    " text TEXT NOT NULL) WITHOUT ROWID;"
    /* deleted traces whose blobs may still exist */
    "CREATE TABLE IF NOT EXISTS dropped(id TEXT PRIMARY KEY) WITHOUT ROWID;"
    "PRAGMA user_version = " G_STRINGIFY(VERSION);

/* Version 1 had seconds. */
static const char upgrade[] =
    "BEGIN; UPDATE trace SET created = created * 1000000; PRAGMA user_version = " G_STRINGIFY(
        VERSION) "; COMMIT";

static gboolean fail(sqlite_store *s, GError **error)
{
    const int code = sqlite3_errcode(s->db);
    g_set_error(error, AF_STORE_ERROR, code == SQLITE_FULL ? AF_STORE_FULL : AF_STORE_BROKEN,
                "the index of the store: %s", sqlite3_errmsg(s->db));
    return FALSE;
}

/* As the `ask` of the class, with the lock held. */
static GPtrArray *query(sqlite_store *s, const char *text, const char *const *values,
                        GError **error)
{
    sqlite3_stmt *statement = NULL;
    GPtrArray *rows = af_store_new_rows();
    int code = sqlite3_prepare_v2(s->db, text, -1, &statement, NULL);
    for (int i = 1; code == SQLITE_OK && i <= sqlite3_bind_parameter_count(statement); i++) {
        const char *name = sqlite3_bind_parameter_name(statement, i); /* "$2" */
        const guint64 number = g_ascii_strtoull(name + 1, NULL, 10);
        code = sqlite3_bind_text(statement, i, values[number - 1], -1, SQLITE_STATIC);
    }
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(statement);
        if (code == SQLITE_ROW) {
            const int n = sqlite3_column_count(statement);
            char **row = g_new0(char *, (gsize)n + 1);
            for (int i = 0; i < n; i++) {
                const char *column = (const char *)sqlite3_column_text(statement, i);
                row[i] = g_strdup(column != NULL ? column : "");
            }
            g_ptr_array_add(rows, row);
        }
    }
    if (code != SQLITE_DONE) {
        fail(s, error);
        g_clear_pointer(&rows, g_ptr_array_unref);
    }
    sqlite3_finalize(statement);
    return rows;
}

static gboolean tell(sqlite_store *s, const char *text, const char *const *values, GError **error)
{
    g_autoptr(GPtrArray) rows = query(s, text, values, error);
    return rows != NULL;
}

static GPtrArray *ask(af_store *store, const char *text, const char *const *values, GError **error)
{
    sqlite_store *s = (sqlite_store *)store;
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&s->lock);
    return query(s, text, values, error);
}

static gboolean run(sqlite_store *s, const char *text, GError **error)
{
    return sqlite3_exec(s->db, text, NULL, NULL, NULL) == SQLITE_OK || fail(s, error);
}

/* Ends a transaction: commits it if `ok`, and otherwise undoes it. */
static gboolean end(sqlite_store *s, gboolean ok, GError **error)
{
    ok = ok && run(s, "COMMIT", error);
    if (!ok) {
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    }
    return ok;
}

static int begin_blob(af_store *store, GError **error)
{
    return af_blobs_begin(((sqlite_store *)store)->blobs, error);
}

/* *value = the first column of the first row of a statement with one parameter, or NULL. FALSE with
 * an error: unknown. */
static gboolean find_text(sqlite_store *s, const char *text, const char *parameter, char **value,
                          GError **error)
{
    const char *const values[] = {parameter, NULL};
    g_autoptr(GPtrArray) rows = query(s, text, values, error);
    *value = rows != NULL && rows->len > 0 ? g_strdup(*(char **)rows->pdata[0]) : NULL;
    return rows != NULL;
}

/* A new row; `t` has its state. */
static gboolean insert(sqlite_store *s, const af_trace *t, uint64_t stored, GError **error)
{
    af_store_insertion row;
    return tell(s, AF_STORE_INSERT, af_store_fill(&row, t, stored), error);
}

/* Runs a statement with one parameter. */
static gboolean run_with(sqlite_store *s, const char *text, const char *parameter, GError **error)
{
    const char *const values[] = {parameter, NULL};
    return tell(s, text, values, error);
}

/* A row that could not be read has no blobs. */
static gboolean drop_refused(sqlite_store *s, const char *content, GError **error)
{
    return run_with(s, "DELETE FROM trace WHERE content = $1 AND state = 2", content, error);
}

static gboolean add_new(sqlite_store *s, const af_trace *t, int upload, int mapping, GError **error)
{
    const gboolean ok =
        af_blobs_name(s->blobs, t->id, AF_BLOB_UPLOAD, upload, error) &&
        (mapping < 0 || af_blobs_name(s->blobs, t->id, AF_BLOB_MAPPING, mapping, error)) &&
        af_blobs_sync(s->blobs, error) && drop_refused(s, t->content, error) &&
        insert(s, t, af_blobs_size(s->blobs, t->id, AF_BLOB_UPLOAD), error);
    if (!ok) {
        af_blobs_remove_all(s->blobs, t->id);
    }
    return ok;
}

static gboolean add(af_store *store, const af_trace *t, int upload, int mapping, char **known,
                    GError **error)
{
    sqlite_store *s = (sqlite_store *)store;
    fsync(upload); /* what takes long happens before the lock; naming the blob reports errors */
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&s->lock);
    return find_text(s, "SELECT id FROM trace WHERE content = $1 AND state <> 2", t->content, known,
                     error) &&
           (*known != NULL || add_new(s, t, upload, mapping, error));
}

static gboolean set_mapping(sqlite_store *s, const char *id, int mapping, GError **error)
{
    af_store_number stored;
    if (af_blobs_name(s->blobs, id, AF_BLOB_MAPPING, mapping, error) &&
        af_blobs_sync(s->blobs, error)) {
        const uint64_t size = af_blobs_size(s->blobs, id, AF_BLOB_UPLOAD);
        const char *const values[] = {id, af_store_print(&stored, (int64_t)size), NULL};
        if (tell(s, "UPDATE trace SET has_mapping = 1, stored = $2 WHERE id = $1", values, error)) {
            return TRUE;
        }
    }
    af_blobs_remove(s->blobs, id, AF_BLOB_MAPPING);
    return FALSE;
}

static gboolean add_mapping(af_store *store, const char *id, int mapping, gboolean *added,
                            GError **error)
{
    sqlite_store *s = (sqlite_store *)store;
    g_autofree char *found = NULL;
    fsync(mapping); /* as in add() */
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&s->lock);
    gboolean ok =
        find_text(s, "SELECT id FROM trace WHERE id = $1 AND has_mapping = 0 AND state <> 2", id,
                  &found, error);
    *added = ok && found != NULL;
    return ok && (!*added || set_mapping(s, id, mapping, error));
}

static gboolean update(sqlite_store *s, const af_trace *t, gboolean has_upload, GError **error)
{
    const uint64_t size =
        t->state == AF_TRACE_REFUSED ? 0 : af_blobs_size(s->blobs, t->id, AF_BLOB_PACKED);
    af_store_number state, stored;
    const char *const values[] = {t->id,
                                  af_store_print(&state, t->state),
                                  has_upload ? "1" : "0",
                                  t->state == AF_TRACE_READY ? "1" : "0",
                                  t->app,
                                  t->problem,
                                  af_store_print(&stored, (int64_t)size),
                                  NULL};
    return tell(s,
                "UPDATE trace SET state = $2, has_upload = $3, has_mapping = has_mapping AND $4,"
                " app = $5, problem = $6, stored = $7 WHERE id = $1",
                values, error);
}

static gboolean set_facts(sqlite_store *s, const af_trace *t, GError **error)
{
    const char *const values[] = {t->id, t->facts != NULL ? t->facts : "", NULL};
    return tell(s, "INSERT OR REPLACE INTO facts SELECT id, $2 FROM trace WHERE id = $1", values,
                error);
}

static gboolean finish_blobs(sqlite_store *s, const af_trace *t, int profile, int packed,
                             GError **error)
{
    return (profile < 0 || af_blobs_name(s->blobs, t->id, AF_BLOB_PROFILE, profile, error)) &&
           (packed < 0 || af_blobs_name(s->blobs, t->id, AF_BLOB_PACKED, packed, error)) &&
           af_blobs_sync(s->blobs, error);
}

/* The trace may have been deleted in the meantime: then its blobs must not come back. */
static gboolean finish(af_store *store, const af_trace *t, int profile, int packed, GError **error)
{
    sqlite_store *s = (sqlite_store *)store;
    if (packed >= 0) {
        fsync(packed); /* as in add() */
    }
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&s->lock);
    g_autofree char *found = NULL;
    gboolean ok = find_text(s, "SELECT id FROM trace WHERE id = $1", t->id, &found, error);
    ok = ok && (found == NULL ||
                (finish_blobs(s, t, profile, packed, error) && run(s, "BEGIN IMMEDIATE", error)));
    if (found != NULL && ok) {
        ok = end(s, update(s, t, packed >= 0, error) && set_facts(s, t, error), error);
    }
    if (found != NULL && ok) {
        af_blobs_remove(s->blobs, t->id, AF_BLOB_UPLOAD);
        if (t->state == AF_TRACE_REFUSED) {
            af_blobs_remove_all(s->blobs, t->id);
        }
    }
    return ok;
}

static int open_blob(af_store *store, const char *id, af_blob blob, GError **error)
{
    return af_blobs_get(((sqlite_store *)store)->blobs, id, blob, error);
}

static gboolean remove_trace(af_store *store, const char *id, GError **error)
{
    sqlite_store *s = (sqlite_store *)store;
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&s->lock);
    const gboolean ok = run(s, "BEGIN IMMEDIATE", error) &&
                        end(s,
                            run_with(s, "INSERT OR IGNORE INTO dropped VALUES($1)", id, error) &&
                                run_with(s, "DELETE FROM trace WHERE id = $1", id, error),
                            error);
    if (ok) {
        af_blobs_remove_all(s->blobs, id);
    }
    return ok;
}

static gboolean touch(af_store *store, GHashTable *ids, int64_t now_s, GError **error)
{
    sqlite_store *s = (sqlite_store *)store;
    GHashTableIter iter;
    gpointer id;
    af_store_number now;
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&s->lock);
    gboolean ok = run(s, "BEGIN IMMEDIATE", error);
    if (ok) {
        g_hash_table_iter_init(&iter, ids);
        while (ok && g_hash_table_iter_next(&iter, &id, NULL)) {
            const char *const values[] = {id, af_store_print(&now, now_s), NULL};
            ok = tell(s, "UPDATE trace SET used = $2 WHERE id = $1", values, error);
        }
        ok = end(s, ok, error);
    }
    return ok;
}

static GPtrArray *waiting(af_store *store, GError **error)
{
    const char *const values[] = {NULL};
    return af_store_take_ids(
        ask(store, "SELECT id FROM trace WHERE state = 0 ORDER BY created", values, error));
}

/* Whether a row refers to the blob. A blob without a trace belongs to an upload that was not
 * acknowledged, or to a deleted trace. Any other one means that this is not the index of these
 * blobs: an error. */
static gboolean owns_blob(void *user, const char *id, af_blob blob, gboolean *owned, GError **error)
{
    static const char *const conditions[AF_BLOBS] = {"state = 0", "has_upload AND state = 1",
                                                     "state = 1", "has_mapping"};
    g_autofree char *found = NULL;
    g_autofree char *text = g_strdup_printf("SELECT (%s) FROM trace WHERE id = $1 UNION ALL "
                                            "SELECT 0 FROM dropped WHERE id = $1",
                                            conditions[blob]);
    gboolean known = find_text(user, text, id, &found, error);
    *owned = g_strcmp0(found, "1") == 0;
    if (known && found == NULL && (blob == AF_BLOB_PACKED || blob == AF_BLOB_PROFILE)) {
        g_set_error(error, AF_STORE_ERROR, AF_STORE_BROKEN,
                    "the index does not list the blob %s: restore index.sqlite, or start once with "
                    "--rebuild-index",
                    id);
        known = FALSE;
    }
    return known;
}

/* First looks at all blobs, then deletes. */
static gboolean repair(sqlite_store *s, GError **error)
{
    return af_blobs_repair(s->blobs, owns_blob, s, FALSE, error) &&
           af_blobs_repair(s->blobs, owns_blob, s, TRUE, error) && af_blobs_sync(s->blobs, error) &&
           run(s, "DELETE FROM dropped", error);
}

static gboolean has_row(sqlite_store *s, const char *id)
{
    g_autofree char *found = NULL;
    find_text(s,
              "SELECT id FROM trace WHERE id = $1 UNION ALL SELECT id FROM dropped WHERE id = $1",
              id, &found, NULL);
    return found != NULL;
}

static GPtrArray *list_lost(af_store *store)
{
    sqlite_store *s = (sqlite_store *)store;
    GPtrArray *ids = af_blobs_list(s->blobs);
    for (guint i = ids->len; i > 0; i--) {
        if (has_row(s, ids->pdata[i - 1])) {
            g_ptr_array_remove_index_fast(ids, i - 1);
        }
    }
    return ids;
}

static gboolean restore(af_store *store, const af_trace *t, GError **error)
{
    sqlite_store *s = (sqlite_store *)store;
    return run(s, "BEGIN IMMEDIATE", error) &&
           end(s,
               insert(s, t, af_blobs_size(s->blobs, t->id, AF_BLOB_UPLOAD), error) &&
                   set_facts(s, t, error),
               error);
}

static void set_aside(af_store *store, const char *id)
{
    af_blobs_set_aside(((sqlite_store *)store)->blobs, id);
}

static void close_store(af_store *store)
{
    g_autofree sqlite_store *s = (sqlite_store *)store;
    sqlite3_close(s->db);
    af_blobs_free(s->blobs);
    if (s->lock_file >= 0) {
        close(s->lock_file);
    }
    g_mutex_clear(&s->lock);
}

static const af_store_class class = {
    .ask = ask,
    .like = "LIKE",
    .date = "date(created / 1000000, 'unixepoch')",
    .facts = "SELECT text FROM facts WHERE id = $1",
    .close = close_store,
    .begin = begin_blob,
    .add = add,
    .add_mapping = add_mapping,
    .finish = finish,
    .open = open_blob,
    .remove = remove_trace,
    .touch = touch,
    .waiting = waiting,
    .lost = list_lost,
    .restore = restore,
    .set_aside = set_aside,
};

/* Only one server uses a folder. The kernel releases the lock when the process ends. */
static gboolean lock_folder(sqlite_store *s, const char *folder, GError **error)
{
    g_autofree char *path = g_build_filename(folder, "lock", NULL);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    s->lock_file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    gboolean ok = s->lock_file >= 0;
    if (!ok) {
        af_blobs_fail(error, path);
    } else if (fcntl(s->lock_file, F_SETLK, &lock) != 0) {
        ok = FALSE;
        if (errno != EACCES && errno != EAGAIN) {
            af_blobs_fail(error, path);
        } else if (fcntl(s->lock_file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK) {
            g_set_error(error, AF_STORE_ERROR, AF_STORE_BROKEN, "in use by process %ld",
                        (long)lock.l_pid);
        } else {
            g_set_error_literal(error, AF_STORE_ERROR, AF_STORE_BROKEN, "in use by another server");
        }
    }
    return ok;
}

/* Creates the tables if the index is new or of an earlier version. */
static gboolean prepare_tables(sqlite_store *s, gboolean rebuild, GError **error)
{
    g_autofree char *version = NULL, *tables = NULL;
    gboolean ok =
        find_text(s, "SELECT user_version FROM pragma_user_version", "", &version, error) &&
        find_text(s, "SELECT count(*) FROM sqlite_master WHERE name = 'trace'", "", &tables, error);
    const int64_t number = ok && version != NULL ? g_ascii_strtoll(version, NULL, 10) : 0;
    g_autoptr(GPtrArray) ids = af_blobs_list(s->blobs);
    if (ok && (number < 0 || number > VERSION)) {
        g_set_error(error, AF_STORE_ERROR, AF_STORE_BROKEN,
                    "the index has version %s, and this aflame supports up to version %d", version,
                    VERSION);
        ok = FALSE;
    } else if (ok && !rebuild && ids->len > 0 && g_strcmp0(tables, "1") != 0) {
        g_set_error(error, AF_STORE_ERROR, AF_STORE_BROKEN,
                    "the index is missing or empty, but there are blobs of %u upload%s: restore "
                    "index.sqlite, or start once with --rebuild-index",
                    ids->len, ids->len == 1 ? "" : "s");
        ok = FALSE;
    }
    const gboolean earlier = ok && number < VERSION && g_strcmp0(tables, "1") == 0;
    return ok && run(s, "PRAGMA journal_mode = WAL", error) &&
           (!earlier || run(s, upgrade, error)) && run(s, schema, error);
}

static gboolean open_index(sqlite_store *s, const char *path, gboolean rebuild, GError **error)
{
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX;
    if (sqlite3_open_v2(path, &s->db, flags, NULL) != SQLITE_OK) {
        return fail(s, error);
    }
    sqlite3_busy_timeout(s->db, BUSY_MS);
    return run(s,
               "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF",
               error) &&
           prepare_tables(s, rebuild, error);
}

static gboolean open_folder(sqlite_store *s, const char *folder, gboolean rebuild, GError **error)
{
    g_autofree char *blobs = g_build_filename(folder, "blobs", NULL);
    g_autofree char *index = g_build_filename(folder, "index.sqlite", NULL);
    gboolean ok = g_mkdir_with_parents(blobs, 0700) == 0 || af_blobs_fail(error, blobs);
    ok = ok && lock_folder(s, folder, error) && (s->blobs = af_blobs_open(blobs, error)) != NULL &&
         open_index(s, index, rebuild, error);
    return ok && (rebuild || repair(s, error));
}

af_store *af_store_open_sqlite(const char *folder, gboolean rebuild, GError **error)
{
    sqlite_store *s = g_new0(sqlite_store, 1);
    s->base.class = &class;
    s->lock_file = -1;
    g_mutex_init(&s->lock);
    const gboolean ok = folder != NULL ? open_folder(s, folder, rebuild, error)
                                       : (s->blobs = af_blobs_open(NULL, error)) != NULL &&
                                             open_index(s, ":memory:", FALSE, error);
    if (!ok) {
        close_store(&s->base);
        return NULL;
    }
    return &s->base;
}
