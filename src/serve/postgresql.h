/* Connections to a PostgreSQL database, and statements on them.
 *
 * Functions that fail set a GError of AF_STORE_ERROR. Results are freed with PQclear(), which takes
 * NULL too. A connection belongs to one thread at a time. */
#pragma once

#include <glib.h>
#include <libpq-fe.h>

typedef struct af_postgresql af_postgresql;

/* `url` is a connection URI of libpq. Connects when a connection is first needed. */
af_postgresql *af_postgresql_new(const char *url);
void af_postgresql_free(af_postgresql *pg);

/* A connection that nobody uses, or a new one; give it back. NULL with an error. */
PGconn *af_postgresql_take(af_postgresql *pg, GError **error);
void af_postgresql_give_back(af_postgresql *pg, PGconn *db);

/* Returns `result` if the statement succeeded; otherwise frees it and returns NULL with an error. */
PGresult *af_postgresql_check(PGconn *db, PGresult *result, GError **error);

/* Runs a statement, as the `ask` of af_store_class; `values` may be NULL. */
GPtrArray *af_postgresql_query(PGconn *db, const char *text, const char *const *values,
                               GError **error);

/* Runs several statements without parameters. */
gboolean af_postgresql_run_text(PGconn *db, const char *text, GError **error);

/* Takes a connection and begins a transaction on it. NULL with an error. */
PGconn *af_postgresql_begin(af_postgresql *pg, GError **error);

/* Commits the transaction if `ok`, and otherwise undoes it; gives the connection back. Returns whether
 * it is committed. */
gboolean af_postgresql_end(af_postgresql *pg, PGconn *db, gboolean ok, GError **error);

/* Runs one statement on a connection of its own. */
GPtrArray *af_postgresql_ask(af_postgresql *pg, const char *text, const char *const *values,
                             GError **error);
