#include "serve/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "serve/blobs.h"

/* How often to check the time and the end of the server. */
#define STEP_MS 100
/* How often to look whether a worker has ended that closed its output. */
#define END_US       500
#define MOST_MESSAGE ((gsize)16 * 1024)
#define MOST_FACTS   ((gsize)1024 * 1024)
/* Copies of our descriptors have numbers above those that a worker uses. */
enum { ABOVE = 64 };
enum { OUTPUT_PIPE, MESSAGE_PIPE, FACTS_PIPE, PIPES };

typedef struct {
    const af_process_limits *limits;
    const af_process_job *job;
    pid_t pid;
    int pipes[PIPES]; /* ends to read; -1 = closed */
    GString *message, *facts;
    uint64_t bytes;
    int64_t deadline_us;
    const char *killed; /* why; NULL = it was not */
    int failed;         /* errno of the output */
} running;

static char **make_arguments(const running *r)
{
    const af_serve_options *o = r->limits->options;
    GPtrArray *words = g_ptr_array_new();
    g_ptr_array_add(words, g_strdup("aflame"));
    g_ptr_array_add(words, g_strdup("worker"));
    g_ptr_array_add(words, g_strdup_printf("%d", (int)getpid()));
    g_ptr_array_add(words, g_strdup_printf("%" G_GUINT64_FORMAT, o->worker_memory));
    g_ptr_array_add(words, g_strdup_printf("%u", o->worker_time_s));
    g_ptr_array_add(words, g_strdup(r->job->name));
    for (const char *const *word = r->job->words; *word != NULL; word++) {
        g_ptr_array_add(words, g_strdup(*word));
    }
    g_ptr_array_add(words, NULL);
    return (char **)g_ptr_array_free(words, FALSE);
}

/* A duplicate above the numbers that a worker uses, so that none overwrites another. -1 stays. */
static int lift(int fd)
{
    return fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, ABOVE);
}

static void map(posix_spawn_file_actions_t *actions, int from, int to)
{
    if (from >= 0) {
        posix_spawn_file_actions_adddup2(actions, from, to);
    }
}

/* Starts the program with `fds` as its descriptors 0, 1, ...; all others close. */
static int start(running *r, const int *fds, int n)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    static char locale[] = "LC_ALL=C.UTF-8", sanitizer[] = "ASAN_OPTIONS=detect_leaks=0";
    char *const environment[] = {locale, sanitizer, NULL};
    g_auto(GStrv) words = make_arguments(r);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int i = 0; i < n; i++) {
        map(&actions, fds[i], i);
    }
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const int failed = posix_spawn(&r->pid, r->limits->options->host->program, &actions,
                                   &attributes, words, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

static gboolean open_pipes(int ends[PIPES], int others[PIPES])
{
    gboolean ok = TRUE;
    for (int i = 0; i < PIPES; i++) {
        int both[2] = {-1, -1};
        ok = pipe2(both, O_CLOEXEC) == 0 && ok;
        ends[i] = both[0];
        others[i] = both[1] < 0 ? -1 : lift(both[1]);
        af_blobs_close(both[1]);
    }
    return ok;
}

static void close_all(int *fds, int n)
{
    for (int i = 0; i < n; i++) {
        af_blobs_close(fds[i]);
        fds[i] = -1;
    }
}

/* An empty input for a job that has none. */
static int open_input(int fd)
{
    const int opened = fd >= 0 ? -1 : open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int lifted = lift(fd >= 0 ? fd : opened);
    af_blobs_close(opened);
    return lifted;
}

static int begin(running *r)
{
    enum { FIXED = 5 };
    int ends[PIPES];
    const af_process_job *job = r->job;
    gboolean ok = open_pipes(r->pipes, ends);
    int fds[FIXED + AF_PROCESS_INPUTS] = {open_input(job->n_inputs > 0 ? job->inputs[0] : -1),
                                          ends[OUTPUT_PIPE], ends[MESSAGE_PIPE],
                                          lift(r->limits->filter), ends[FACTS_PIPE]};
    int n = FIXED;
    for (unsigned i = 1; i < job->n_inputs; i++) {
        fds[n++] = lift(job->inputs[i]);
    }
    for (int i = 0; i < n; i++) {
        ok = ok && (fds[i] >= 0 || fds[i] == r->limits->filter);
    }
    const int failed = ok ? start(r, fds, n) : EMFILE;
    close_all(fds, n);
    return failed;
}

static void stop(running *r, const char *why)
{
    if (r->killed == NULL) {
        r->killed = why;
        kill(r->pid, SIGKILL);
    }
}

static void write_output(running *r, const char *bytes, size_t length)
{
    r->bytes += length;
    if (r->bytes > r->job->max_output) {
        stop(r, "its output is larger than the server allows");
        return;
    }
    if (r->killed == NULL && !af_blobs_write(r->job->output, bytes, length, "", NULL)) {
        r->failed = errno;
        stop(r, "its output cannot be stored");
    }
}

/* Reports and removes complete lines "# DONE TOTAL". */
static void take_facts(running *r, const char *bytes, size_t length)
{
    if (r->facts->len + length > MOST_FACTS) {
        stop(r, "its description of the trace is larger than the server allows");
        return;
    }
    g_string_append_len(r->facts, bytes, (gssize)length);
    char *end;
    while (r->facts->str[0] == '#' && (end = strchr(r->facts->str, '\n')) != NULL) {
        char *after = r->facts->str + 1;
        const uint64_t done = g_ascii_strtoull(after, &after, 10);
        const uint64_t total = g_ascii_strtoull(after, NULL, 10);
        if (r->job->progress != NULL) {
            r->job->progress(r->job->user, done, total);
        }
        g_string_erase(r->facts, 0, end + 1 - r->facts->str);
    }
}

static void read_pipe(running *r, int which)
{
    char bytes[64 * 1024];
    const ssize_t n = read(r->pipes[which], bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) {
        return;
    }
    if (n <= 0) {
        close_all(&r->pipes[which], 1);
    } else if (which == OUTPUT_PIPE) {
        write_output(r, bytes, (size_t)n);
    } else if (which == MESSAGE_PIPE) {
        const gsize free_bytes = MOST_MESSAGE - MIN(MOST_MESSAGE, r->message->len);
        g_string_append_len(r->message, bytes, (gssize)MIN((size_t)n, free_bytes));
    } else {
        take_facts(r, bytes, (size_t)n);
    }
}

static gboolean is_ending(const af_process_limits *limits)
{
    return g_atomic_int_get(&limits->ending) != 0;
}

static void check_limits(running *r)
{
    if (g_get_monotonic_time() >= r->deadline_us) {
        stop(r, "it took too long (--worker-time)");
    } else if (is_ending(r->limits) && r->killed == NULL) {
        r->failed = ECANCELED;
        stop(r, "the server is shutting down");
    }
}

static void read_all(running *r)
{
    while (r->pipes[OUTPUT_PIPE] >= 0 || r->pipes[MESSAGE_PIPE] >= 0 || r->pipes[FACTS_PIPE] >= 0) {
        struct pollfd polled[PIPES];
        for (int i = 0; i < PIPES; i++) {
            polled[i] = (struct pollfd){.fd = r->pipes[i], .events = POLLIN};
        }
        check_limits(r);
        const int ready = poll(polled, PIPES, r->killed != NULL ? 1000 : STEP_MS);
        if (r->killed != NULL && ready == 0) {
            break;
        }
        for (int i = 0; i < PIPES && ready > 0; i++) {
            if (polled[i].revents != 0) {
                read_pipe(r, i);
            }
        }
    }
    close_all(r->pipes, PIPES);
}

static const char *describe_signal(int signal_number)
{
    switch (signal_number) {
    case SIGXCPU:
    case SIGKILL:
        return "it exceeded its limit of time (--worker-time) or memory (--worker-memory)";
    default:
        return "it crashed";
    }
}

static af_process_end find_end(int code)
{
    static const af_process_end ends[] = {AF_ENDED_WELL,  AF_ENDED_NOTHING, AF_ENDED_USAGE,
                                          AF_ENDED_INPUT, AF_ENDED_INPUT,   AF_ENDED_LIMIT};
    return code >= 0 && code < (int)G_N_ELEMENTS(ends) ? ends[code] : AF_ENDED_LIMIT;
}

/* A worker that closes its descriptors may still run. */
static int await_end(running *r)
{
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(r->pid, &status, r->killed != NULL ? 0 : WNOHANG)) == 0 ||
           (ended < 0 && errno == EINTR)) {
        check_limits(r);
        g_usleep(END_US);
    }
    return status;
}

static void finish(running *r, af_process_result *result)
{
    const int status = await_end(r);
    /* The lines of the worker without the name of the program. */
    GString *clean = g_string_new(NULL);
    g_autofree char *valid = g_utf8_make_valid(r->message->str, -1);
    g_auto(GStrv) lines = g_strsplit(valid, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        const char *begin =
            g_str_has_prefix(*line, "aflame: ") ? *line + strlen("aflame: ") : *line;
        if (begin[0] != '\0') {
            g_string_append_printf(clean, "%s%s", clean->len > 0 ? "\n" : "", begin);
        }
    }
    g_autofree char *said = g_string_free(clean, FALSE);
    const char *why = r->killed;
    const gboolean full = r->failed == ENOSPC || r->failed == EDQUOT || r->failed == EFBIG;
    result->end = full ? AF_ENDED_FULL : r->failed != 0 ? AF_ENDED_FAILED : AF_ENDED_LIMIT;
    if (why == NULL && WIFSIGNALED(status)) {
        why = describe_signal(WTERMSIG(status));
    } else if (why == NULL) {
        result->end = find_end(WEXITSTATUS(status));
        why = result->end == AF_ENDED_LIMIT && said[0] == '\0' ? "it crashed" : NULL;
    }
    result->message = why == NULL ? g_strdup(said)
                                  : g_strdup_printf("the worker failed: %s%s%s", why,
                                                    said[0] != '\0' ? "\n" : "", said);
}

void af_process_run(const af_process_limits *limits, const af_process_job *job,
                    af_process_result *result)
{
    /* CPU time passes slower than time if the machine is busy */
    const int64_t most_us = (int64_t)limits->options->worker_time_s * 4 * G_USEC_PER_SEC;
    running r = {.limits = limits,
                 .job = job,
                 .pipes = {-1, -1, -1},
                 .message = g_string_new(NULL),
                 .facts = g_string_new(NULL),
                 .deadline_us = g_get_monotonic_time() + most_us};
    *result = (af_process_result){.end = AF_ENDED_FAILED};
    const int failed = is_ending(limits) ? ECANCELED : begin(&r);
    if (failed == 0) {
        read_all(&r);
        finish(&r, result);
    } else {
        close_all(r.pipes, PIPES);
        result->message = g_strdup_printf("cannot start a worker: %s", g_strerror(failed));
    }
    result->facts = g_string_free(r.facts, FALSE);
    g_string_free(r.message, TRUE);
}

void af_process_clear(af_process_result *result)
{
    g_free(result->message);
    g_free(result->facts);
}
