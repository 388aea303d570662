/* Access rights: tokens, host names, and origins of requests. */
#pragma once

#include "serve/serve.h"

typedef enum { AF_MAY_UPLOAD, AF_MAY_LIST, AF_MAY_DELETE, AF_RIGHTS } af_right;

typedef struct af_access af_access;

/* Reads the file of tokens. If it is invalid, prints why and returns NULL. `loopback` = this server
 * listens on an address of this machine only. Then anyone may upload and list, unless there are
 * tokens. */
af_access *af_access_new(const af_serve_options *options, gboolean loopback);
void af_access_free(af_access *access);

/* Reads the file of tokens again. If it is invalid, prints why and keeps the old tokens. */
void af_access_reload(af_access *access);

/* Whether the holder of a token (NULL = none) has a right. */
gboolean af_access_allows(af_access *access, const char *token, af_right right);

/* Whether a token is in the file, and whether there is a file. */
gboolean af_access_knows_token(af_access *access, const char *token);
gboolean af_access_has_tokens(const af_access *access);

/* Takes the same time for equal and for different texts of the same length. */
gboolean af_access_is_equal(const char *a, const char *b);

/* Whether the server answers requests for this host name: "name:port". Otherwise a website whose
 * name resolves to this address could read pages meant for this machine only. */
gboolean af_access_knows_host(const af_access *access, const char *host);

/* Whether a request that changes something comes from a page of this server, or from no page at
 * all. */
gboolean af_access_trusts_origin(const af_access *access, const char *host, const char *origin,
                                 const char *fetch_site);

/* Whether a website may read conversions. */
gboolean af_access_knows_viewer(const af_access *access, const char *origin);
