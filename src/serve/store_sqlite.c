/* The store in SQLite, with blobs as files next to it. */
#include "serve/store.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include "serve/blobs.h"

/* Uploads leave this much of the disk free: without space for its log, the index cannot be changed,
 * and no upload could be deleted. The log grows to 4 MB. */
#define RESERVE (UINT64_C(8) << 20)
/* How long a statement waits for another process, e.g. a backup. */
#define BUSY_MS 5000

typedef struct {
    af_store base;
    GMutex lock; /* of `db`; a change holds it */
    sqlite3 *db;
    af_blobs *blobs;
    const char *id;         /* of the trace whose blobs a change adds or removes */
    unsigned added, erased; /* those blobs, as bits */
    int lock_file;          /* -1 = in memory */
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

static GPtrArray *ask(af_store *store, void *change, const char *text, const char *const *values,
                      GError **error)
{
    sqlite_store *s = (sqlite_store *)store;
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker =
        change == NULL ? g_mutex_locker_new(&s->lock) : NULL;
    return query(s, text, values, error);
}

static gboolean run(sqlite_store *s, const char *text, GError **error)
{
    return sqlite3_exec(s->db, text, NULL, NULL, NULL) == SQLITE_OK || fail(s, error);
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

/* Waits for the disk before it takes the lock; naming the blob reports errors. */
static void *begin_change(af_store *store, int file, GError **error)
{
    sqlite_store *s = (sqlite_store *)store;
    if (file >= 0) {
        fsync(file);
    }
    g_mutex_lock(&s->lock);
    s->added = s->erased = 0;
    if (!run(s, "BEGIN IMMEDIATE", error)) {
        g_mutex_unlock(&s->lock);
        return NULL;
    }
    return s;
}

static gboolean leaves_reserve(int file, GError **error)
{
    struct statvfs disk;
    const gboolean ok = fstatvfs(file, &disk) != 0 ||
                        disk.f_blocks == 0 || /* not known, e.g. of a tmpfs without a limit */
                        (uint64_t)disk.f_bavail * disk.f_frsize >= RESERVE;
    if (!ok) {
        g_set_error_literal(error, AF_STORE_ERROR, AF_STORE_FULL, "the disk of the store is full");
    }
    return ok;
}

static gboolean put(af_store *store, void *change, const char *id, af_blob blob, int file,
                    GError **error)
{
    sqlite_store *s = change;
    if (s->lock_file >= 0 && blob == AF_BLOB_UPLOAD && !leaves_reserve(file, error)) {
        return FALSE;
    }
    s->id = id;
    s->added |= 1u << blob;
    return af_blobs_name(s->blobs, id, blob, file, error);
}

/* A trace that loses all blobs is listed, because they are removed after its row. */
static gboolean drop(af_store *store, void *change, const char *id, gboolean all, GError **error)
{
    sqlite_store *s = change;
    const char *const values[] = {id, NULL};
    s->id = id;
    s->erased = (1u << AF_BLOBS) - 1 - (all ? 0 : 1u << AF_BLOB_MAPPING);
    return !all || af_store_tell(store, change, "INSERT OR IGNORE INTO dropped VALUES($1)", values,
                                 NULL, error);
}

static gboolean end_change(af_store *store, void *change, gboolean ok, GError **error)
{
    sqlite_store *s = change;
    ok = ok && (s->added == 0 || af_blobs_sync(s->blobs, error)) && run(s, "COMMIT", error);
    if (!ok) {
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    }
    const unsigned gone = ok ? s->erased & ~s->added : s->added;
    for (int blob = 0; blob < AF_BLOBS; blob++) {
        if ((gone & 1u << blob) != 0) {
            af_blobs_remove(s->blobs, s->id, (af_blob)blob);
        }
    }
    g_mutex_unlock(&s->lock);
    return ok;
}

static int open_blob(af_store *store, const char *id, af_blob blob, GError **error)
{
    return af_blobs_get(((sqlite_store *)store)->blobs, id, blob, error);
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
    gboolean added = FALSE;
    void *change = begin_change(store, -1, error);
    return change != NULL &&
           end_change(store, change,
                      af_store_insert(store, change, t,
                                      af_blobs_size(((sqlite_store *)store)->blobs, t->id), &added,
                                      error) &&
                          af_store_set_facts(store, change, t, error),
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
    af_blobs_close(s->lock_file);
    g_mutex_clear(&s->lock);
}

static const af_store_class class = {
    .ask = ask,
    .like = "LIKE",
    .date = "date(created / 1000000, 'unixepoch')",
    .facts = "SELECT text FROM facts WHERE id = $1",
    .set_facts = "INSERT OR REPLACE INTO facts VALUES($1, $2)",
    .waiting = "SELECT id FROM trace WHERE state = 0 ORDER BY created",
    .close = close_store,
    .begin = begin_blob,
    .open = open_blob,
    .begin_change = begin_change,
    .put = put,
    .drop = drop,
    .end_change = end_change,
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
