/* The server from its start to its end. */
#include "serve/serve.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "serve/blobs.h"
#include "serve/care.h"
#include "serve/filter.h"
#include "serve/http.h"
#include "serve/listen.h"
#include "serve/log.h"
#include "serve/reading.h"
#include "serve/rebuild.h"
#include "serve/renditions.h"
#include "serve/server.h"

enum { EXIT_DONE = 0, EXIT_USAGE = 2, EXIT_OUTPUT = 5 };

/* Descriptors. */
#define MOST_FILES 16384
/* Requests that run have this long at the end. */
#define END_S 30u
/* How often to look for expired uploads and for uploads of servers that died. */
#define CARE_US ((int64_t)5 * G_USEC_PER_SEC)
/* How often to check whether other servers have finished reading. */
#define SHARED_NS 100000000
/* How often to check at the end whether requests are under way. */
#define STEP_NS 10000000

static void print(const af_server *server, const char *name, char *text)
{
    server->options->host->print(name, text);
    g_free(text);
}

/* ---- guards ---- */

/* Reports the guards that workers have to do without. */
static void probe(gpointer user)
{
    af_server *server = user;
    static const char *const words[] = {"probe", "--", NULL};
    af_process_result result;
    const int output = server->store->class->begin(server->store, NULL);
    const af_process_job job = {.words = words, .name = "", .output = output, .max_output = 4096};
    if (output < 0) {
        return;
    }
    af_process_run(&server->limits, &job, &result);
    char text[4096] = "";
    const ssize_t n = pread(output, text, sizeof text - 1, 0);
    text[MAX(n, 0)] = '\0';
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; result.end == AF_ENDED_WELL && *line != NULL; line++) {
        if ((*line)[0] != '\0') {
            print(server, NULL, g_strdup_printf("cannot set up %s; workers run without it", *line));
        }
    }
    if (result.end != AF_ENDED_WELL) {
        print(server, NULL, g_strdup_printf("cannot run workers: %s", result.message));
    }
    af_process_clear(&result);
    close(output);
}

/* ---- start and end ---- */

static char *find_folder(const af_serve_options *o)
{
    return o->store != NULL ? g_strdup(o->store)
                            : g_build_filename(g_get_user_data_dir(), "aflame", NULL);
}

static gboolean open_store(af_server *server)
{
    GError *error = NULL;
    const af_serve_options *o = server->options;
    g_autofree char *folder = o->memory_only || o->shared_store ? NULL : find_folder(o);
    server->store = o->shared_store ? af_store_open_postgresql(o->store, &error)
                                    : af_store_open_sqlite(folder, o->rebuild_index, &error);
    if (server->store == NULL) {
        print(server, folder, g_strdup(error->message)); /* never a URL: it may hold a password */
        g_error_free(error);
    }
    return server->store != NULL;
}

/* Sets the path of --base-url, "/" at both ends. */
static gboolean read_base_url(af_server *server)
{
    static const char plain[] = G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "/-._~";
    const char *url = server->options->base_url;
    const char *host = url == NULL                         ? ""
                       : g_str_has_prefix(url, "http://")  ? url + strlen("http://")
                       : g_str_has_prefix(url, "https://") ? url + strlen("https://")
                                                           : NULL;
    const char *path = host == NULL ? "" : host + strcspn(host, "/?#");
    if (host == NULL || (url != NULL && path == host) || strspn(path, plain) != strlen(path)) {
        print(server, NULL,
              g_strdup_printf("--base-url %s: not an address such as "
                              "https://host/aflame",
                              url));
        return FALSE;
    }
    const size_t n = strlen(path);
    server->base_path = g_strconcat(path, n > 0 && path[n - 1] == '/' ? "" : "/", NULL);
    return TRUE;
}

static gboolean init_server(af_server *server)
{
    const af_serve_options *options = server->options;
    server->started_s = af_now_s();
    if (!open_store(server)) {
        return FALSE;
    }
    server->limits = (af_process_limits){.options = options, .filter = af_filter_open()};
    af_html_set_policies(server->policies);
    server->renditions = af_renditions_new(server, (gsize)options->max_cache);
    server->readings = af_readings_new();
    af_wait_set_init(&server->waits);
    g_mutex_init(&server->used_lock);
    server->used = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    server->workers = af_pool_new(options->workers);
    server->disk = af_pool_new(2);
    if (server->workers == NULL || server->disk == NULL) {
        print(server, NULL, g_strdup("cannot start a thread"));
        return FALSE;
    }
    return !options->rebuild_index || af_rebuild_run(server);
}

static void clear_server(af_server *server)
{
    if (server->used != NULL) {
        af_pool_free(server->disk);
        af_pool_free(server->workers);
        af_care_remember_use(server);
        g_hash_table_unref(server->used);
        g_mutex_clear(&server->used_lock);
        af_renditions_free(server->renditions);
        af_wait_set_clear(&server->waits);
        af_readings_free(server->readings);
        af_blobs_close(server->limits.filter);
    }
    if (server->store != NULL) {
        server->store->class->close(server->store);
    }
    af_access_free(server->access);
    g_free(server->url);
    g_free(server->base_path);
    for (int kind = 0; kind < AF_KINDS; kind++) {
        g_free(server->policies[kind]);
    }
}

void af_serve_open_link(const af_serve_host *host, const char *address)
{
    const char *words[] = {"xdg-open", address, NULL};
    g_autoptr(GError) error = NULL;
    if (!g_spawn_async(NULL, (char **)(void *)words, NULL,
                       G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL |
                           G_SPAWN_STDERR_TO_DEV_NULL,
                       NULL, NULL, NULL, &error)) {
        host->print(NULL, error->message);
    }
}

static void care(af_server *server)
{
    af_care_remember_use(server);
    af_care_remove_overdue(server, 0);
    if (server->store->class->claim != NULL) {
        server->store->class->keep_claims(server->store);
    }
    af_readings_resume(server);
}

/* Waits for a signal, and maintains the store in the meantime. */
static void run_server(af_server *server, const sigset_t *signals)
{
    const gboolean shared = server->store->class->claim != NULL;
    const struct timespec wait = {.tv_sec = shared ? 0 : CARE_US / G_USEC_PER_SEC,
                                  .tv_nsec = shared ? SHARED_NS : 0};
    for (int64_t next_us = g_get_monotonic_time() + CARE_US;;) {
        const int signal_number = sigtimedwait(signals, NULL, &wait);
        if (signal_number == SIGHUP) {
            af_access_reload(server->access);
        } else if (signal_number == SIGTERM || signal_number == SIGINT) {
            return;
        }
        if (shared) {
            af_readings_look_again(server);
        }
        if (g_get_monotonic_time() >= next_us) {
            care(server);
            next_us = g_get_monotonic_time() + CARE_US;
        }
    }
}

/* Requests under way are answered; a second signal, or END_S, ends those that wait. */
static void stop_http(af_server *server, af_http *http, const sigset_t *signals)
{
    const struct timespec step = {.tv_nsec = STEP_NS};
    const int64_t deadline_us = g_get_monotonic_time() + (int64_t)END_S * G_USEC_PER_SEC;
    af_http_quiesce(http);
    for (int signal_number = 0; af_http_is_busy(http) && g_get_monotonic_time() < deadline_us &&
                                signal_number != SIGTERM && signal_number != SIGINT;) {
        signal_number = sigtimedwait(signals, NULL, &step);
    }
    g_atomic_int_set(&server->limits.ending, TRUE);
    af_http_stop(http);
}

/* All threads that start later leave the signals to run_server(). */
static void block_signals(sigset_t *signals)
{
    sigemptyset(signals);
    sigaddset(signals, SIGTERM);
    sigaddset(signals, SIGINT);
    sigaddset(signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, signals, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file that would exceed a limit fails to be written */
}

/* Connections and files need more descriptors than programs have by default. */
static void raise_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = MIN(limit.rlim_max, (rlim_t)MOST_FILES);
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static void announce(const af_server *server)
{
    const af_serve_options *o = server->options;
    if (o->base_url != NULL) {
        af_log(server, AF_LOG_INFO, "listening on %s", server->url);
    }
    printf("%s\n", o->base_url != NULL ? o->base_url : server->url);
    fflush(stdout);
    if (o->open_browser) {
        af_serve_open_link(o->host, server->url);
    }
}

__attribute__((visibility("default"))) int af_serve_run(const af_serve_options *options)
{
    sigset_t signals;
    af_server server = {.limits.filter = -1};
    gboolean loopback = FALSE;
    int code = EXIT_USAGE;
    server.options = options;
    if (!read_base_url(&server)) {
        return EXIT_USAGE;
    }
    block_signals(&signals);
    raise_limit();
    /* a server that cannot start must not change the store */
    const int socket = af_listen_open(options, &server.url, &loopback);
    server.access = socket < 0 ? NULL : af_access_new(options, loopback);
    if (server.access != NULL && init_server(&server)) {
        af_http *http = af_http_start(&server, socket, loopback);
        if (http != NULL) {
            announce(&server);
            af_pool_push(server.workers, probe, &server);
            af_care_remove_overdue(&server, 0);
            af_readings_resume(&server);
            run_server(&server, &signals);
            af_readings_end(&server);
            stop_http(&server, http, &signals);
            code = EXIT_DONE;
        }
    } else if (socket >= 0) {
        close(socket);
        code = server.access != NULL ? EXIT_OUTPUT : EXIT_USAGE;
    }
    clear_server(&server);
    return code;
}
