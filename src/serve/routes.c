#include "serve/routes.h"

#include "serve/answers.h"
#include "serve/files.h"
#include "serve/upload.h"

/* A path; "*" is any part. The first row that matches counts. */
typedef struct {
    const char *method, *path;
    void (*answer)(af_request *request);
    gboolean uploads; /* its form may contain files */
} route;

static const route routes[] = {
    {"GET", "", af_answer_home, FALSE},
    {"GET", "favicon.ico", af_answer_icon, FALSE},
    {"GET", "traces", af_answer_list, FALSE},
    {"GET", "login", af_answer_login_form, FALSE},
    {"POST", "login", af_answer_login, FALSE},
    {"POST", "upload_trace", af_answer_upload, TRUE},
    {"GET", "trace/*", af_answer_trace, FALSE},
    {"POST", "trace/*", af_answer_change, FALSE},
    {"GET", "trace/*/convert/*", af_answer_convert, FALSE},
    {"GET", "trace/*/*", af_answer_file, FALSE},
    {"GET", "diff", af_answer_diff_form, FALSE},
    {"GET", "diff/*/*", af_answer_diff, FALSE},
    {"GET", "diff/*/*/*", af_answer_diff_file, FALSE},
    {"GET", "healthz", af_answer_health, FALSE},
    {"GET", "metrics", af_answer_metrics, FALSE},
    {"GET", "api/v1/schema.json", af_answer_api_schema, FALSE},
    {"GET", "api/v1/traces", af_answer_api_list, FALSE},
    {"POST", "api/v1/traces", af_answer_upload, TRUE},
    {"GET", "api/v1/traces/*", af_answer_api_trace, FALSE},
    {"POST", "api/v1/traces/*", af_answer_api_edit, FALSE},
    {"DELETE", "api/v1/traces/*", af_answer_api_delete, FALSE},
};

static gboolean fits(const route *it, char *const *parts)
{
    g_auto(GStrv) wanted = g_strsplit(it->path, "/", -1);
    unsigned i = 0;
    const gboolean empty = wanted[0] == NULL; /* of an empty text */
    while (wanted[i] != NULL && parts[i] != NULL &&
           ((wanted[i][0] == '*' && parts[i][0] != '\0') || strcmp(wanted[i], parts[i]) == 0)) {
        i++;
    }
    return empty ? parts[0] == NULL || parts[0][0] == '\0' : wanted[i] == NULL && parts[i] == NULL;
}

/* NULL = none; then *other says whether another method would have one. */
static const route *find_route(const af_request *request, gboolean *other)
{
    *other = FALSE;
    for (gsize i = 0; i < G_N_ELEMENTS(routes); i++) {
        if (fits(&routes[i], request->parts)) {
            if (strcmp(routes[i].method, request->method) == 0) {
                return &routes[i];
            }
            *other = TRUE;
        }
    }
    return NULL;
}

/* Pages need no token, but a wrong one is a mistake of the client. Changes check theirs, which may be
 * a delete token. */
static gboolean has_wrong_token(const af_request *request)
{
    af_access *access = request->server->access;
    const char *token = af_request_token(request);
    return strcmp(request->method, "GET") == 0 && af_access_has_tokens(access) && token != NULL &&
           token[0] != '\0' && !af_access_knows_token(access, token);
}

void af_routes_run(af_request *request)
{
    gboolean other;
    const route *found = find_route(request, &other);
    if (found != NULL && has_wrong_token(request)) {
        af_request_refuse(request, MHD_HTTP_UNAUTHORIZED, "this token is wrong");
    } else if (found != NULL) {
        found->answer(request);
    } else if (other) {
        af_request_refuse(request, MHD_HTTP_METHOD_NOT_ALLOWED,
                          "this address does not support the HTTP method");
    } else {
        af_request_refuse(request, MHD_HTTP_NOT_FOUND, "this server has no such page");
    }
}

gboolean af_routes_take_form(af_request *request)
{
    gboolean other;
    const route *found = find_route(request, &other);
    if (found != NULL && found->uploads && request->upload == NULL) {
        request->upload = af_upload_new(request->server);
    }
    return found != NULL;
}
