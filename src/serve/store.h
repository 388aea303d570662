/* The store: the data that the server keeps about its uploads.
 *
 * A trace is a row and up to four blobs. Rows change in transactions. In a folder, a blob is
 * complete before its row exists, and is removed after its row. So a server that is killed at any
 * time leaves at worst blobs without a row, which the next start removes. In PostgreSQL, rows and
 * blobs change in the same transaction, and several servers may share a store.
 *
 * All functions may be called from any thread. Those that fail set a GError of AF_STORE_ERROR. */
#pragma once

#include "serve/trace.h"

#define AF_STORE_ERROR (g_quark_from_static_string("aflame-store"))
enum { AF_STORE_FULL = 1, AF_STORE_BROKEN, AF_STORE_ABSENT, AF_STORE_AWAY, AF_STORE_CONFLICT };

/* What clients may read of an error: no address of a database. */
const char *af_store_public_message(const GError *error);

typedef enum {
    AF_BLOB_UPLOAD,  /* the bytes as they came, until they have been read */
    AF_BLOB_PACKED,  /* the same, compressed with zstd */
    AF_BLOB_PROFILE, /* the saved profile */
    AF_BLOB_MAPPING,
    AF_BLOBS,
} af_blob;

/* A server that claimed a trace and has been silent for this long counts as dead. */
#define AF_STORE_CLAIM_S 30

typedef struct af_store af_store;

/* A list or a search of uploads that were read. */
typedef struct {
    const char *words; /* each must occur in the app, a name, the note, the tags or the date;
                          NULL = all */
    const char *app;   /* NULL = all */
    int64_t before_us; /* created earlier; 0 = all */
    unsigned limit, offset;
} af_store_query;

typedef struct {
    uint64_t traces, bytes; /* bytes: of all blobs */
} af_store_totals;

typedef struct {
    /* Runs a statement with the parameters $1, $2, ...: texts, ended by NULL. Its rows as a
     * GPtrArray of char **, whose columns are texts too, and "" for NULL. NULL with an error.
     * `change` = NULL: outside of changes. */
    GPtrArray *(*ask)(af_store *store, void *change, const char *text, const char *const *values,
                      GError **error);

    /* SQL: the operator that compares with a pattern in any case; the date of a trace as
     * YYYY-MM-DD; the facts of trace $1, and setting them to $2; the IDs of traces that wait and
     * that no server but $1 has claimed. */
    const char *like, *date, *facts, *set_facts, *waiting;

    void (*close)(af_store *store);

    /* A file to write a blob to before it has a row. -1 with an error. The caller closes it. */
    int (*begin)(af_store *store, GError **error);

    /* Opens a blob for reading; the caller closes it. -1 with an error. */
    int (*open)(af_store *store, const char *id, af_blob blob, GError **error);

    /* A change of one or more rows and of the blobs of one of them: all of it happens, or nothing.
     * `file` is the largest of the new blobs, -1 = none. NULL with an error; then end_change() is
     * not called. */
    void *(*begin_change)(af_store *store, int file, GError **error);

    /* Adds a blob. */
    gboolean (*put)(af_store *store, void *change, const char *id, af_blob blob, int file,
                    GError **error);

    /* Removes all blobs of a trace, or all but its mapping; before put(). */
    gboolean (*drop)(af_store *store, void *change, const char *id, gboolean all, GError **error);

    /* Makes the change durable if `ok`, and otherwise undoes it. Returns whether it is durable. */
    gboolean (*end_change)(af_store *store, void *change, gboolean ok, GError **error);

    /* For stores that servers share, otherwise NULL. `claim` takes a trace that waits, so that no
     * other server reads it; FALSE = another server has it. A server may claim again what it has. A
     * claim lasts AF_STORE_CLAIM_S, or until it is released; `release` with `id` = NULL releases
     * all claims of this server, and `keep_claims` prolongs them. */
    gboolean (*claim)(af_store *store, const char *id);
    void (*release)(af_store *store, const char *id);
    void (*keep_claims)(af_store *store);

    /* For stores whose index can be rebuilt from the blobs, otherwise NULL; only before the server
     * accepts requests. `lost` returns the IDs of blobs without a row. `restore` adds the row of
     * such blobs, with its facts. `set_aside` renames blobs that cannot be read. */
    GPtrArray *(*lost)(af_store *store);
    gboolean (*restore)(af_store *store, const af_trace *trace, GError **error);
    void (*set_aside)(af_store *store, const char *id);
} af_store_class;

struct af_store {
    const af_store_class *class;
    char *owner; /* a random ID of this server, for its claims; NULL = it has none */
};

/* Opens the store and cleans up after an interrupted run, unless its index is to be rebuilt.
 * `folder` = NULL: in memory. */
af_store *af_store_open_sqlite(const char *folder, gboolean rebuild, GError **error);

/* Opens a store in PostgreSQL; `url` is a connection URI of libpq. */
af_store *af_store_open_postgresql(const char *url, GError **error);

/* By ID or old ID. NULL with AF_STORE_ABSENT. */
af_trace *af_store_lookup(af_store *store, const char *id, GError **error);

/* The facts that the worker found about a trace; "" = none. Free with g_free(). */
char *af_store_facts(af_store *store, const char *id);

/* Returns a GPtrArray of af_trace, newest first. *n = the number of matches. */
GPtrArray *af_store_list(af_store *store, const af_store_query *query, uint64_t *n, GError **error);

/* Stores a new row and its upload (and mapping, unless -1), durably. If the content is known already,
 * changes nothing and sets *known to its ID. A row of the same content that could not be read is
 * replaced: this version or other limits may be able to. */
gboolean af_store_add(af_store *store, const af_trace *trace, int upload, int mapping, char **known,
                      GError **error);

/* Whether af_store_add() would add nothing. */
gboolean af_store_knows(af_store *store, const char *content);

/* Adds a mapping to a trace that has none. *added = FALSE: it has one, or does not exist. */
gboolean af_store_add_mapping(af_store *store, const char *id, int mapping, gboolean *added,
                              GError **error);

/* A trace that waited was read: replaces its upload by the profile and the packed upload (-1 =
 * none). Or it could not be read: `trace->state` is AF_TRACE_REFUSED, and no blob stays. */
gboolean af_store_finish(af_store *store, const af_trace *trace, int profile, int packed,
                         GError **error);

gboolean af_store_remove(af_store *store, const char *id, GError **error);

/* Marks traces as used now. */
gboolean af_store_touch(af_store *store, GHashTable *ids, int64_t now_s, GError **error);

/* The IDs of traces that wait, without those that another server has claimed. */
GPtrArray *af_store_waiting(af_store *store, GError **error);

/* Sets name, note and tags. */
gboolean af_store_edit(af_store *store, const af_trace *trace, GError **error);

/* The IDs of traces that are to be removed: created before `created_s`, refused before `refused_s`,
 * and the least recently used ones above `max_bytes` (0 = unlimited). */
GPtrArray *af_store_overdue(af_store *store, int64_t created_s, int64_t refused_s,
                            uint64_t max_bytes, GError **error);

gboolean af_store_sum(af_store *store, af_store_totals *totals, GError **error);

/* For af_trace, which it owns. */
GPtrArray *af_store_new_list(void);

/* ---- parts of both stores ---- */

/* The decimal text of a number, for a parameter. */
typedef struct {
    char text[24];
} af_store_number;

const char *af_store_print(af_store_number *to, int64_t value);

/* Runs a statement; *any = whether it returns rows, may be NULL. */
gboolean af_store_tell(af_store *store, void *change, const char *text, const char *const *values,
                       gboolean *any, GError **error);

/* Adds a row, unless its content is known; *added tells. `stored` is the size of its blobs. */
gboolean af_store_insert(af_store *store, void *change, const af_trace *trace, uint64_t stored,
                         gboolean *added, GError **error);

gboolean af_store_set_facts(af_store *store, void *change, const af_trace *trace, GError **error);

/* For rows. */
GPtrArray *af_store_new_rows(void);
