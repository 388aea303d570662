#include "serve/http.h"

#include <arpa/inet.h>
#include <linux/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include "serve/blobs.h"
#include "serve/log.h"
#include "serve/request.h"
#include "serve/routes.h"
#include "serve/upload.h"
#include "serve/views.h"

/* A connection may be silent for this long. */
#define SILENCE_S 30u
/* The head of a request must be complete after this time; then the client must send the body and
 * receive the answer at this speed or faster. */
#define HEAD_S           10
#define LEAST_PER_SECOND 4096
/* Memory of a connection: the head of a request must fit. */
#define CONNECTION_BYTES ((size_t)16 * 1024)
#define MOST_CONNECTIONS 4000u
#define MOST_PER_ADDRESS 64u
#define HTTP_THREADS     2u
/* At the end, interrupted requests receive their answer within this time. */
#define ANSWER_US ((int64_t)2 * G_USEC_PER_SEC)
/* Fields of a form and of a query. */
#define MOST_FIELD ((size_t)16 * 1024)
#define MOST_PAIRS 64u
/* A form is larger than its files. */
#define FORM_OVERHEAD (UINT64_C(1) << 20)
#define FORM_BYTES    ((size_t)64 * 1024)

struct af_http {
    af_server *server;
    struct MHD_Daemon *daemon;
    GThread *sweeper;
    GMutex lock;
    GCond ended;             /* a request */
    GCond stop;              /* ends the sweeper */
    GHashTable *connections; /* of peer, as a set */
    gboolean stopping;
    unsigned n_requests; /* under way */
};

/* A connection. */
typedef struct {
    af_http *http;
    int fd;
    int64_t since_us; /* when the client began to send or receive; 0 = it waits for an answer */
    uint64_t bytes;   /* of the body so far */
    gboolean takes;   /* an answer, and the bytes of former ones: */
    uint64_t before;
} peer;

/* ---- what a request contains ---- */

const char *af_request_header(const af_request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

const char *af_request_query(const af_request *request, const char *name)
{
    const size_t length = strlen(name);
    const char *value = NULL;
    for (guint i = 0; i < request->query->len; i++) {
        const char *pair = request->query->pdata[i];
        if (strncmp(pair, name, length) == 0 && pair[length] == '=') {
            value = pair + length + 1;
        }
    }
    return value;
}

const char *af_request_field(const af_request *request, const char *name)
{
    return g_hash_table_lookup(request->fields, name);
}

gboolean af_request_wants_json(const af_request *request)
{
    const char *accept = af_request_header(request, "Accept");
    return (g_str_has_prefix(request->path, "/api/") && !af_request_wants_text(request)) ||
           (accept != NULL && strstr(accept, "application/json") != NULL);
}

const char *af_request_token(const af_request *request)
{
    static const char scheme[] = "Bearer ";
    const char *header = af_request_header(request, "Authorization");
    if (header != NULL && g_ascii_strncasecmp(header, scheme, strlen(scheme)) == 0) {
        return header + strlen(scheme);
    }
    const char *field = af_request_field(request, "token");
    return field != NULL && field[0] != '\0' ? field : request->cookie;
}

char *af_request_base(const af_request *request)
{
    const af_serve_options *o = request->server->options;
    const char *host = af_request_header(request, "Host");
    if (o->base_url != NULL) {
        const size_t length = strlen(o->base_url);
        return g_strndup(o->base_url, length - (g_str_has_suffix(o->base_url, "/") ? 1 : 0));
    }
    return host == NULL ? g_strdup(request->server->url) : g_strdup_printf("http://%s", host);
}

/* ---- waiting ---- */

void af_wait_set_init(af_wait_set *waits)
{
    g_mutex_init(&waits->lock);
    waits->requests = g_hash_table_new(NULL, NULL);
}

void af_wait_set_clear(af_wait_set *waits)
{
    g_hash_table_unref(waits->requests);
    g_mutex_clear(&waits->lock);
}

void af_request_wait(af_request *request, const void *event)
{
    af_wait_set *waits = &request->server->waits;
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&waits->lock);
    request->waits = !waits->closed && (!waits->ending || request->storing);
    request->late = !request->waits;
    if (request->waits) {
        g_hash_table_insert(waits->requests, request, (void *)event);
        MHD_suspend_connection(request->connection);
    }
}

static gboolean resume(gpointer request, gpointer event, gpointer wanted)
{
    if (event == wanted) {
        MHD_resume_connection(((const af_request *)request)->connection);
    }
    return event == wanted;
}

void af_wait_set_resume(af_wait_set *waits, const void *event)
{
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&waits->lock);
    g_hash_table_foreach_remove(waits->requests, resume, (void *)event);
}

void af_wait_set_end(af_wait_set *waits)
{
    GHashTableIter iter;
    gpointer value;
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&waits->lock);
    waits->ending = TRUE;
    g_hash_table_iter_init(&iter, waits->requests);
    while (g_hash_table_iter_next(&iter, &value, NULL)) {
        af_request *request = value;
        if (!request->storing) { /* a thread is using its files, and soon resumes it */
            request->interrupted = TRUE;
            g_hash_table_iter_remove(&iter);
            MHD_resume_connection(request->connection);
        }
    }
}

gboolean af_request_wants_text(const af_request *request)
{
    const char *accept = af_request_header(request, "Accept");
    return accept != NULL && g_str_has_prefix(accept, "text/plain");
}

/* ---- reading ---- */

static enum MHD_Result add_pair(void *user, enum MHD_ValueKind kind, const char *name,
                                const char *value)
{
    af_request *request = user;
    const char *known = value == NULL ? "" : value;
    if (request->query->len < MOST_PAIRS && g_utf8_validate(name, -1, NULL) &&
        g_utf8_validate(known, -1, NULL)) {
        g_ptr_array_add(request->query, g_strdup_printf("%s=%s", name, known));
    } else if (request->refusal == NULL) {
        af_request_reject(&request->refusal, MHD_HTTP_BAD_REQUEST,
                          "a query is not valid UTF-8, or has too many parts");
    }
    return MHD_YES;
}

static enum MHD_Result take_field(void *user, enum MHD_ValueKind kind, const char *name,
                                  const char *file_name, const char *type, const char *encoding,
                                  const char *bytes, uint64_t offset, size_t length)
{
    af_request *request = user;
    if (request->refusal != NULL) {
        return MHD_YES; /* reads the rest, so that the client sees the answer */
    }
    if (file_name != NULL || strcmp(name, "trace_file") == 0 || strcmp(name, "mapping") == 0) {
        if (request->upload == NULL) {
            af_request_reject(&request->refusal, MHD_HTTP_BAD_REQUEST, "this form takes no files");
        } else {
            const gboolean proven =
                af_access_allows(request->server->access, af_request_token(request), AF_MAY_UPLOAD);
            af_upload_take(request->upload, proven, name, file_name != NULL ? file_name : "", bytes,
                           offset, length, &request->refusal);
        }
        return MHD_YES;
    }
    const char *before = offset == 0 ? "" : af_request_field(request, name);
    before = before == NULL ? "" : before;
    g_autofree char *part = g_strndup(bytes, length);
    char *value = g_strconcat(before, part, NULL);
    if (strlen(value) > MOST_FIELD || g_hash_table_size(request->fields) > MOST_PAIRS) {
        af_request_reject(&request->refusal, MHD_HTTP_BAD_REQUEST,
                          "a field of the form is too long");
        g_free(value);
        return MHD_YES;
    }
    g_hash_table_replace(request->fields, g_strdup(name), value);
    return MHD_YES;
}

static void free_request(af_request *request)
{
    if (request->form != NULL) {
        MHD_destroy_post_processor(request->form);
    }
    af_upload_free(request->upload);
    af_rendition_unref(request->view);
    g_ptr_array_unref(request->query);
    g_hash_table_unref(request->fields);
    g_strfreev(request->parts);
    g_clear_error(&request->refusal);
    g_free(request->cookie);
    g_free(request->path);
    g_free(request);
}

/* Some proxies remove the path of --base-url, others pass it on. */
static const char *strip_base(const af_server *server, const char *path)
{
    const size_t n = strlen(server->base_path) - 1; /* without the last slash */
    const gboolean has = strncmp(path, server->base_path, n) == 0;
    return has && path[n] == '/' ? path + n : has && path[n] == '\0' ? "/" : path;
}

static af_request *new_request(af_server *server, struct MHD_Connection *connection,
                               const char *path, const char *method)
{
    af_request *request = g_new0(af_request, 1);
    request->server = server;
    request->begun_us = g_get_monotonic_time();
    request->connection = connection;
    request->method = strcmp(method, "HEAD") == 0 ? "GET" : method;
    request->path = g_utf8_make_valid(strip_base(server, path), -1);
    request->parts = g_strsplit(request->path + (request->path[0] == '/' ? 1 : 0), "/", -1);
    request->n_parts = g_strv_length(request->parts);
    request->query = g_ptr_array_new_with_free_func(g_free);
    request->fields = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, add_pair, request);
    const char *cookie =
        MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, AF_REQUEST_COOKIE);
    if (cookie != NULL && af_access_knows_token(server->access, cookie)) {
        request->cookie = g_strdup(cookie);
    }
    af_count(&server->counters.requests, 1);
    return request;
}

/* Rejects a request for reasons that do not depend on the body. */
static gboolean check_head(af_request *request, GError **error)
{
    const af_access *access = request->server->access;
    const char *host = af_request_header(request, "Host");
    const char *length = af_request_header(request, "Content-Length");
    const uint64_t most = request->server->options->max_upload + FORM_OVERHEAD;
    if (!af_access_knows_host(access, host)) {
        return af_request_reject(error, MHD_HTTP_MISDIRECTED_REQUEST,
                                 "unknown host name; the option --allow-host adds names");
    }
    if (strcmp(request->method, "GET") != 0 &&
        !af_access_trusts_origin(access, host, af_request_header(request, "Origin"),
                                 af_request_header(request, "Sec-Fetch-Site"))) {
        return af_request_reject(error, MHD_HTTP_FORBIDDEN,
                                 "a page of another website sent this request");
    }
    if (length != NULL && g_ascii_strtoull(length, NULL, 10) > most) {
        return af_request_reject(error, MHD_HTTP_CONTENT_TOO_LARGE,
                                 af_upload_limit(request->server));
    }
    if (request->refusal != NULL) {
        g_propagate_error(error, g_steal_pointer(&request->refusal));
        return FALSE;
    }
    return TRUE;
}

/* The longest body that the server reads, even if only to discard it. */
static uint64_t longest_body(const af_server *server)
{
    return 2 * server->options->max_upload + 16777216;
}

/* Closing a connection with unread bytes makes the kernel drop the answer. So the answer comes
 * after the body, unless the client waits for it first or the body is very long. */
static void refuse_head(af_request *request, GError *error)
{
    const char *length = af_request_header(request, "Content-Length");
    g_clear_error(&request->refusal);
    if (af_request_header(request, "Expect") != NULL ||
        (length != NULL && g_ascii_strtoull(length, NULL, 10) > longest_body(request->server))) {
        af_request_fail(request, error);
    } else {
        request->refusal = error;
    }
}

static enum MHD_Result begin_request(af_request *request)
{
    GError *error = NULL;
    request->result = MHD_YES;
    if (check_head(request, &error) && strcmp(request->method, "POST") == 0 &&
        af_routes_take_form(request)) {
        request->form =
            MHD_create_post_processor(request->connection, FORM_BYTES, take_field, request);
        if (request->form == NULL && af_request_header(request, "Content-Type") != NULL) {
            af_request_reject(&error, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE,
                              "send a form: multipart/form-data with a file in trace_file");
        }
    }
    if (error != NULL) {
        refuse_head(request, error);
    }
    return request->result;
}

static enum MHD_Result take_body(af_request *request, const char *bytes, size_t *length)
{
    peer *client = MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
                       ->socket_context;
    if (client != NULL) {
        client->bytes += *length;
    }
    if (client != NULL && client->bytes > longest_body(request->server)) {
        return MHD_NO; /* an endless body */
    }
    if (request->form != NULL && MHD_post_process(request->form, bytes, *length) != MHD_YES &&
        request->refusal == NULL) {
        af_request_reject(&request->refusal, MHD_HTTP_BAD_REQUEST, "the form is damaged");
    }
    *length = 0;
    return MHD_YES;
}

static gboolean is_not_text(gpointer name, gpointer value, gpointer user)
{
    return !g_utf8_validate(value, -1, NULL);
}

/* Only now are fields complete: parts of them may end within a character. */
static void end_body(af_request *request)
{
    if (request->form == NULL) {
        return;
    }
    if (MHD_destroy_post_processor(request->form) != MHD_YES && request->refusal == NULL) {
        af_request_reject(&request->refusal, MHD_HTTP_BAD_REQUEST, "the form is incomplete");
    } else if (request->refusal == NULL &&
               g_hash_table_find(request->fields, is_not_text, NULL) != NULL) {
        af_request_reject(&request->refusal, MHD_HTTP_BAD_REQUEST,
                          "a field of the form is not valid UTF-8");
    }
    request->form = NULL;
}

/* The state of the client. */
typedef enum { SENDS, WAITS, TAKES } phase;

static gboolean get_info(const peer *client, struct tcp_info *info)
{
    socklen_t length = sizeof *info;
    *info = (struct tcp_info){0};
    return getsockopt(client->fd, IPPROTO_TCP, TCP_INFO, info, &length) == 0;
}

/* Bytes that have arrived at the client. */
static uint64_t count_taken(const peer *client)
{
    struct tcp_info info;
    return get_info(client, &info) ? info.tcpi_bytes_acked : 0;
}

static void set_phase(struct MHD_Connection *c, phase now)
{
    peer *client = MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    if (client != NULL) {
        g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&client->http->lock);
        client->since_us = now == WAITS ? 0 : g_get_monotonic_time();
        client->bytes = now == SENDS ? 0 : client->bytes;
        client->takes = now == TAKES;
        client->before = now == TAKES ? count_taken(client) : 0;
    }
}

/* FALSE = the server no longer takes requests. */
static gboolean count_request(af_http *http)
{
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&http->lock);
    http->n_requests += !http->stopping;
    return !http->stopping;
}

static enum MHD_Result answer(void *user, struct MHD_Connection *c, const char *path,
                              const char *method, const char *version, const char *bytes,
                              size_t *length, void **state)
{
    af_http *http = user;
    af_request *request = *state;
    if (request == NULL) {
        if (!count_request(http)) {
            return MHD_NO;
        }
        *state = request = new_request(http->server, c, path, method);
        set_phase(c, SENDS);
        return begin_request(request);
    }
    if (*length > 0) {
        return take_body(request, bytes, length);
    }
    set_phase(c, WAITS);
    end_body(request);
    request->waits = FALSE;
    if (request->refusal != NULL) {
        af_request_fail(request, g_steal_pointer(&request->refusal));
    } else if (!request->interrupted) {
        af_routes_run(request);
    }
    if (request->late || (request->interrupted && !request->waits)) {
        af_request_refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE, "the server is shutting down");
    }
    if (!request->waits) {
        set_phase(c, TAKES);
    }
    return request->result;
}

static void end_request(void *user, struct MHD_Connection *c, void **state,
                        enum MHD_RequestTerminationCode code)
{
    af_http *http = user;
    if (*state == NULL) {
        return;
    }
    const af_request *request = *state;
    if (http->server->options->access_log && request->status != 0) {
        af_log_access(request);
    }
    free_request(*state);
    *state = NULL;
    set_phase(c, SENDS);
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&http->lock);
    http->n_requests--;
    g_cond_broadcast(&http->ended);
}

/* ---- connections ---- */

static void track_connection(void *user, struct MHD_Connection *c, void **context,
                             enum MHD_ConnectionNotificationCode code)
{
    af_http *http = user;
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&http->lock);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        peer *client = g_new0(peer, 1);
        client->http = http;
        client->fd = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        client->since_us = g_get_monotonic_time();
        g_hash_table_add(http->connections, client);
        *context = client;
    } else {
        g_hash_table_remove(http->connections, *context);
        *context = NULL;
    }
}

/* Whether the client has not taken all that was written, or has sent nothing that the server could
 * read. Otherwise the server is the slow one, on a busy machine. */
static gboolean holds_up(const peer *client)
{
    struct tcp_info info;
    char byte;
    return client->takes
               ? !get_info(client, &info) || info.tcpi_unacked > 0 || info.tcpi_notsent_bytes > 0
               : recv(client->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0;
}

static gboolean is_late(const peer *client, int64_t now_us)
{
    const int64_t elapsed_s = (now_us - client->since_us) / G_USEC_PER_SEC;
    if (client->since_us == 0 || elapsed_s <= HEAD_S || !holds_up(client)) {
        return FALSE;
    }
    const uint64_t bytes = client->takes ? count_taken(client) - client->before : client->bytes;
    return elapsed_s > HEAD_S + (int64_t)(bytes / LEAST_PER_SECOND);
}

/* Disconnects clients that send a single byte now and then, which a limit on silence does not
 * catch. Time in which this thread could not run does not count: the others could not either. */
static gpointer sweep(gpointer user)
{
    af_http *http = user;
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&http->lock);
    for (int64_t next_us = g_get_monotonic_time(); !http->stopping;) {
        GHashTableIter iter;
        gpointer key;
        const int64_t now_us = g_get_monotonic_time(), lost_us = MAX(now_us - next_us, 0);
        g_hash_table_iter_init(&iter, http->connections);
        while (g_hash_table_iter_next(&iter, &key, NULL)) {
            peer *client = key;
            client->since_us += client->since_us == 0 ? 0 : MIN(lost_us, now_us - client->since_us);
            if (is_late(client, now_us)) {
                shutdown(client->fd, SHUT_RDWR);
            }
        }
        next_us = now_us + G_USEC_PER_SEC;
        g_cond_wait_until(&http->stop, &http->lock, next_us);
    }
    return NULL;
}

/* ---- start and end ---- */

static struct MHD_Daemon *start_daemon(af_http *http, int socket, gboolean loopback)
{
    const unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    /* proxies connect from loopback, for many clients */
    return MHD_start_daemon(flags, 0, NULL, NULL, answer, http, MHD_OPTION_LISTEN_SOCKET, socket,
                            MHD_OPTION_THREAD_POOL_SIZE, HTTP_THREADS, MHD_OPTION_CONNECTION_LIMIT,
                            MOST_CONNECTIONS, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
                            loopback ? 0U : MOST_PER_ADDRESS, MHD_OPTION_CONNECTION_TIMEOUT,
                            SILENCE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_BYTES,
                            MHD_OPTION_NOTIFY_COMPLETED, end_request, http,
                            MHD_OPTION_NOTIFY_CONNECTION, track_connection, http, MHD_OPTION_END);
}

static void free_http(af_http *http)
{
    if (http->daemon != NULL) {
        MHD_stop_daemon(http->daemon);
    }
    g_hash_table_unref(http->connections);
    g_mutex_clear(&http->lock);
    g_cond_clear(&http->ended);
    g_cond_clear(&http->stop);
    g_free(http);
}

af_http *af_http_start(af_server *server, int socket, gboolean loopback)
{
    af_http *http = g_new0(af_http, 1);
    http->server = server;
    http->connections = g_hash_table_new_full(NULL, NULL, g_free, NULL);
    g_mutex_init(&http->lock);
    g_cond_init(&http->ended);
    g_cond_init(&http->stop);
    http->daemon = start_daemon(http, socket, loopback);
    if (http->daemon == NULL) {
        server->options->host->print(NULL, "cannot start the HTTP server");
        free_http(http);
        return NULL;
    }
    http->sweeper = g_thread_try_new("sweeper", sweep, http, NULL);
    if (http->sweeper == NULL) {
        server->options->host->print(NULL, "cannot start a thread");
        free_http(http);
        return NULL;
    }
    return http;
}

void af_http_quiesce(af_http *http)
{
    af_blobs_close(MHD_quiesce_daemon(http->daemon)); /* so that new clients are refused at once */
}

gboolean af_http_is_busy(af_http *http)
{
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&http->lock);
    return http->n_requests > 0;
}

/* If no request waits, none will. */
static gboolean close_waits(af_wait_set *waits)
{
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&waits->lock);
    waits->closed = g_hash_table_size(waits->requests) == 0;
    return waits->closed;
}

void af_http_stop(af_http *http)
{
    const int64_t deadline_us = g_get_monotonic_time() + ANSWER_US;
    af_wait_set_end(
        &http->server->waits); /* libmicrohttpd cannot stop with suspended connections */
    g_mutex_lock(&http->lock);
    while (http->n_requests > 0 && (g_cond_wait_until(&http->ended, &http->lock, deadline_us) ||
                                    !close_waits(&http->server->waits))) {
    }
    http->stopping = TRUE;
    g_cond_broadcast(&http->stop);
    g_mutex_unlock(&http->lock);
    g_thread_join(http->sweeper);
    free_http(http);
}
