/* A request, from its first line to its response.
 *
 * A handler is called when the whole request has arrived. It either responds or waits; after
 * waiting, it is called again from the start. */
#pragma once

#include <microhttpd.h>
#include "serve/server.h"

typedef struct af_upload af_upload;

typedef struct {
    af_server *server;
    struct MHD_Connection *connection;
    const char *method; /* "GET" also for HEAD */
    char *path;         /* decoded, valid UTF-8 */
    char **parts;       /* of the path: "trace", ID, ... */
    unsigned n_parts;
    GPtrArray *query;   /* "NAME=VALUE", decoded, in order */
    GHashTable *fields; /* of a form: char * -> char * */
    char *cookie;       /* the token of a browser that logged in; NULL = none, or no longer valid */
    af_upload *upload;  /* files of a form; NULL = none */
    struct MHD_PostProcessor *form;
    GError *refusal; /* sent after the end of the body; NULL = the request is not rejected */
    gboolean waits;
    gboolean storing;     /* a thread uses `upload` */
    gboolean interrupted; /* by the end of the server, while it waited */
    gboolean late;        /* it would have waited after that */
    struct af_rendition
        *view;              /* the view that the request waits for, or that was made for it; NULL =
                               none */
    enum MHD_Result result; /* of the response */
    int64_t begun_us;
    unsigned status; /* of the response; 0 = none yet */
    gsize sent;      /* bytes of its body */
} af_request;

typedef struct {
    unsigned status;
    const char *type; /* media type */
    af_response_kind kind;
    GBytes *body;
    GBytes *packed;        /* the same in gzip; NULL = none */
    const char *etag;      /* without quotes; NULL = none */
    const char *location;  /* a path of this server, "/..."; NULL = none */
    const char *file_name; /* offers the body as a file; NULL = shows it */
    const char *viewer;    /* the origin of a website that may read it; NULL = none */
    const char *token;     /* the delete token of an upload; NULL = none */
    const char *cookie;    /* to set; NULL = none */
    const char *allow;     /* the methods, with status 405 */
    gboolean may_cache;    /* the browser may cache it if it revalidates each time */
} af_response;

/* Sends a response. Takes no references. */
void af_request_respond(af_request *request, const af_response *response);

/* Sends a page with a heading and text, or its JSON if the client wants that. */
void af_request_refuse(af_request *request, unsigned status, const char *text);

/* Errors of requests: their codes are HTTP statuses. */
#define AF_REQUEST_ERROR (g_quark_from_static_string("aflame-request"))

/* Sets such an error. Returns FALSE. */
gboolean af_request_reject(GError **error, unsigned status, const char *text);

/* The status for such an error, or one of the store. */
unsigned af_request_find_status(const GError *error);

/* Refuses the request because of such an error. Frees the error. */
void af_request_fail(af_request *request, GError *error);

/* Calls the handler again after af_wait_set_resume() for the same event, any pointer. Call it under
 * the lock that guards what the request waits for. */
void af_request_wait(af_request *request, const void *event);
void af_wait_set_resume(af_wait_set *waits, const void *event);

void af_wait_set_init(af_wait_set *waits);
void af_wait_set_clear(af_wait_set *waits);
/* Resumes all requests; they and later ones that would wait are answered with status 503, except
 * those whose files are being stored. */
void af_wait_set_end(af_wait_set *waits);

const char *af_request_header(const af_request *request, const char *name);

/* The value of a query, the last one; NULL = none. */
const char *af_request_query(const af_request *request, const char *name);
const char *af_request_field(const af_request *request, const char *name);

/* Whether the client prefers JSON, or plain text. */
gboolean af_request_wants_json(const af_request *request);
gboolean af_request_wants_text(const af_request *request);

/* The name of the cookie with the token of a browser that logged in. */
#define AF_REQUEST_COOKIE "aflame-token"

/* The token of the request; NULL = none. */
const char *af_request_token(const af_request *request);

/* The address of the server as this client sees it: "http://host:port". Free with g_free(). */
char *af_request_base(const af_request *request);
