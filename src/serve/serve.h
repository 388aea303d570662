/* The entry points of the server's module, which the command loads for `aflame serve` and
 * `aflame send`. All other verbs run without the libraries that the server needs. */
#pragma once

#include <stdint.h>
#include <glib.h>

/* What the command offers to the module. */
typedef struct {
    const char *program; /* the path that starts a worker: this program */
    /* Prints a line on standard error; `name` may be NULL. */
    void (*print)(const char *name, const char *text);
    /* Returns the option of a verb that a query may use; sets *flag if the option has no value. */
    gboolean (*allows_query)(const char *verb, const char *name, gboolean *flag);
} af_serve_host;

typedef struct {
    const af_serve_host *host;
    const char *listen; /* "ADDRESS:PORT"; NULL = 127.0.0.1:8192 */
    const char
        *store; /* a folder, or with `shared_store` a URI of PostgreSQL; NULL = the default */
    gboolean shared_store;
    gboolean memory_only; /* no store: all data disappears when the server ends */
    const char *tokens;   /* a file; NULL = none */
    gboolean open_browser;
    gboolean trust_loopback; /* clients on this machine need no token */
    gboolean open_uploads;   /* uploads need no token on any address */
    gboolean list;           /* anyone may list the uploads on any address */
    gboolean private_links;  /* random IDs */
    gboolean rebuild_index;  /* adds rows for blobs without one */
    gboolean no_uploads;     /* an upload is deleted once it has been read */
    gboolean quiet;
    gboolean access_log;                                      /* a line for each request */
    gboolean embed;                                           /* other websites may show pictures */
    uint64_t expire_s;                                        /* 0 = never */
    uint64_t max_store, max_upload, max_cache, worker_memory; /* bytes; max_store 0 = unlimited */
    uint32_t workers, worker_time_s;
    const char *title, *base_url; /* NULL = none */
    const char *const *hosts;   /* further names of this server; NULL ends the list; may be NULL */
    const char *const *viewers; /* origins that may read conversions; as above */
} af_serve_options;

#define AF_SERVE_MB (UINT64_C(1) << 20)
#define AF_SERVE_DEFAULTS                                                                          \
    {                                                                                              \
        .max_upload = 512 * AF_SERVE_MB, .max_cache = 128 * AF_SERVE_MB,                           \
        .worker_memory = 2048 * AF_SERVE_MB, .workers = 2, .worker_time_s = 60                     \
    }

/* The header with the delete token, in the answer to one upload as text. */
#define AF_SERVE_TOKEN_HEADER "Aflame-Delete-Token"

typedef struct {
    const af_serve_host *host;
    const char *const *files;       /* ends with NULL */
    const char *to;                 /* the address of a server */
    const char *token;              /* a file with the token; NULL = none */
    const char *mapping;            /* a file; NULL = none */
    const char *name, *note, *tags; /* of each upload; NULL = none */
    const char *link;               /* to delete, instead of sending; NULL = none */
    gboolean open_browser;
    /* Receives the bytes sent and in total, and the end; may be NULL. */
    void (*progress)(void *user, uint64_t done, uint64_t total);
    void (*progress_end)(void *user);
    void *progress_user;
} af_send_options;

#define AF_SEND_DEFAULTS                                                                           \
    {                                                                                              \
        .to = "http://127.0.0.1:8192"                                                              \
    }

/* Opens an address with the desktop's own program for links; the only one that the server starts
 * besides its workers. */
void af_serve_open_link(const af_serve_host *host, const char *address);

/* Both return an exit code. The command looks them up by name. */
typedef int (*af_serve_func)(const af_serve_options *options);
typedef int (*af_send_func)(const af_send_options *options);
int af_serve_run(const af_serve_options *options);
int af_send_run(const af_send_options *options);
