#include "cli/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "api/command.h"

/* A signal may arrive between any two instructions and in any thread, so the list that the handler
 * reads only grows: an entry is never removed or freed, and its flag is set while the file exists
 * or is about to. */
typedef struct leftover {
    struct leftover *next;
    char *path;
    atomic_bool there;
} leftover;

static _Atomic(leftover *) leftovers;

typedef struct {
    af_target *target;
    FILE *file;
    char *final_path;    /* symbolic links resolved; NULL = written directly */
    leftover *temporary; /* NULL = written directly, or to a file that has no name yet */
    gboolean nameless;
    gboolean standard; /* standard output, which stays open */
    gboolean unread;   /* a pipe without a reader: ends without a message */
} output;

static void set_failure(GError **error, int reason)
{
    g_set_error(error, AF_ERROR, AF_ERROR_OUTPUT, "cannot write: %s", g_strerror(reason));
}

void af_outputs_discard(void)
{
    for (leftover *l = atomic_load(&leftovers); l != NULL; l = l->next) {
        if (atomic_load(&l->there)) {
            unlink(l->path);
        }
    }
}

static void stop(int number)
{
    af_outputs_discard();
    _exit(128 + number);
}

void af_outputs_watch_signals(void)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGXCPU};
    signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit of file sizes fails instead */
    for (unsigned i = 0; i < G_N_ELEMENTS(numbers); i++) {
        struct sigaction old, ours = {.sa_handler = stop};
        sigfillset(&ours.sa_mask);
        /* if the parent ignores a signal (nohup, a background job), so does aflame */
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
            sigaction(numbers[i], &ours, NULL);
        }
    }
}

/* Announced before the file exists, so that the signal handler misses none. */
static leftover *announce(char *path)
{
    leftover *l = g_new(leftover, 1);
    l->path = path;
    atomic_init(&l->there, true);
    l->next = atomic_load(&leftovers);
    atomic_store(&leftovers, l);
    return l;
}

typedef int (*create_func)(const char *path, int from);

static int create_new(const char *path, int from)
{
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

static int link_nameless(const char *path, int from)
{
    return af_system_link(from, path);
}

static gboolean copy_bytes(int from, int to)
{
    char bytes[65536];
    off_t at = 0;
    for (ssize_t n; (n = pread(from, bytes, sizeof bytes, at)) != 0; at += n) {
        for (ssize_t done = 0, now; n > 0 && done < n; done += now) {
            now = write(to, bytes + done, (size_t)(n - done));
            if (now <= 0) {
                return FALSE;
            }
        }
        if (n < 0) {
            return FALSE;
        }
    }
    return TRUE;
}

/* A new file in the target's directory. Its name is short, so that a target whose name is as
 * long as the file system allows can still be written. */
static int create_temporary(const char *final_path, leftover **temporary, create_func create,
                            int from)
{
    static unsigned number;
    g_autofree char *directory = g_path_get_dirname(final_path);
    int fd = -1;
    for (unsigned attempt = 0; attempt < 1000; attempt++) {
        *temporary =
            announce(g_strdup_printf("%s/.aflame-%ld-%u", directory, (long)getpid(), number++));
        fd = create((*temporary)->path, from);
        if (fd >= 0) {
            break;
        }
        atomic_store(&(*temporary)->there, false);
        *temporary = NULL;
        if (errno != EEXIST) {
            break;
        }
    }
    int reason = errno;
    errno = reason;
    return fd;
}

/* A file in the target's directory that gets a name when it is complete, so that even SIGKILL
 * leaves nothing. -1 where the file system cannot make one, or where it could not be linked. */
static int create_nameless(const char *final_path)
{
    g_autofree char *directory = g_path_get_dirname(final_path);
    return af_system_open_nameless(directory, 0666);
}

/* FAT has one mode for all files, and refuses to set it. */
static gboolean set_mode(int fd, mode_t mode)
{
    struct stat status;
    const gboolean same = fstat(fd, &status) == 0 && ((status.st_mode ^ mode) & 0777) == 0;
    return same || fchmod(fd, mode & 0777) == 0;
}

/* linkat() cannot replace a file, so the name is a temporary one. */
static gboolean name_file(output *out, int fd)
{
    const int named = create_temporary(out->final_path, &out->temporary, link_nameless, fd);
    if (named >= 0) {
        return TRUE;
    }
    const int copy = create_temporary(out->final_path, &out->temporary, create_new, -1);
    struct stat status;
    gboolean ok = copy >= 0 && fstat(fd, &status) == 0 && set_mode(copy, status.st_mode) &&
                  copy_bytes(fd, copy);
    const int reason = errno;
    ok = (copy < 0 || close(copy) == 0) && ok;
    errno = ok ? 0 : reason;
    return ok;
}

/* Where the file is to be created: a symbolic link to nothing names it. NULL with errno. */
static char *resolve_new(const char *path)
{
    enum { LINKS_MOST = 40 }; /* as the system allows */
    char *at = g_strdup(path);
    for (unsigned links = 0; g_file_test(at, G_FILE_TEST_IS_SYMLINK); links++) {
        g_autofree char *next = links < LINKS_MOST ? g_file_read_link(at, NULL) : NULL;
        g_autofree char *directory = g_path_get_dirname(at);
        char *joined = next == NULL               ? NULL
                       : g_path_is_absolute(next) ? g_strdup(next)
                                                  : g_build_filename(directory, next, NULL);
        g_free(at);
        at = joined;
        if (at == NULL) {
            errno = ELOOP;
            return NULL;
        }
    }
    char *final_path = strdup(at);
    g_free(at);
    return final_path;
}

/* The existing file at the path, if any, decides how it is written. */
static int open_target(output *out, const char *path)
{
    if (af_target_is_direct(path)) {
        return open(path, O_WRONLY | O_CLOEXEC);
    }
    struct stat old;
    gboolean exists = stat(path, &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (exists && access(path, W_OK) != 0) {
        return -1; /* rename() would replace it anyway */
    }
    out->final_path = exists ? realpath(path, NULL) : resolve_new(path);
    if (out->final_path == NULL) {
        return -1;
    }
    int fd = create_nameless(out->final_path);
    out->nameless = fd >= 0;
    if (fd < 0) {
        fd = create_temporary(out->final_path, &out->temporary, create_new, -1);
    }
    if (fd >= 0 && exists && !set_mode(fd, old.st_mode)) {
        int reason = errno;
        close(fd);
        errno = reason;
        return -1;
    }
    return fd;
}

static gboolean open_output(output *out, af_target *target, GError **error)
{
    memset(out, 0, sizeof *out);
    out->target = target;
    if (strcmp(target->path, "-") == 0) {
        out->standard = TRUE;
        out->file = stdout;
        return TRUE;
    }
    int fd = open_target(out, target->path);
    out->file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (out->file == NULL) {
        set_failure(error, errno);
        if (fd >= 0) {
            close(fd);
        }
        return FALSE;
    }
    return TRUE;
}

static bool write_output(void *user, const void *bytes, size_t length, GError **error)
{
    output *out = user;
    if (fwrite(bytes, 1, length, out->file) != length) {
        out->unread = errno == EPIPE;
        set_failure(error, errno);
        return FALSE;
    }
    return TRUE;
}

/* A full disk may show only now. A file without a name stays open: it would be gone. */
static gboolean close_output(output *out, GError **error)
{
    FILE *file = out->file;
    const gboolean stays = out->standard || out->nameless;
    out->file = out->nameless ? file : NULL;
    if ((stays ? fflush(file) : fclose(file)) != 0) {
        out->unread = errno == EPIPE;
        set_failure(error, errno);
        return FALSE;
    }
    return TRUE;
}

static gboolean commit_output(output *out, GError **error)
{
    if (out->nameless && !name_file(out, fileno(out->file))) {
        set_failure(error, errno);
        return FALSE;
    }
    if (out->temporary == NULL) {
        return TRUE;
    }
    if (rename(out->temporary->path, out->final_path) != 0) {
        set_failure(error, errno);
        return FALSE;
    }
    atomic_store(&out->temporary->there, false);
    return TRUE;
}

/* ---- all outputs of an input ---- */

static gboolean draw_outputs(output *outputs, unsigned n, af_target_func draw, void *user,
                             const output **culprit, GError **error)
{
    for (unsigned i = 0; i < n; i++) {
        *culprit = &outputs[i];
        if (!draw(user, outputs[i].target, write_output, &outputs[i], error) ||
            !close_output(&outputs[i], error)) {
            return FALSE;
        }
    }
    for (unsigned i = 0; i < n; i++) {
        *culprit = &outputs[i];
        if (!commit_output(&outputs[i], error)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* Frees the error. */
static af_exit print_failure(const output *culprit, const char *input_name, GError *error)
{
    if (culprit->unread) {
        g_error_free(error);
        return AF_EXIT_OUTPUT;
    }
    if (!g_error_matches(error, AF_ERROR, AF_ERROR_OUTPUT)) {
        return af_message_fail(input_name, error);
    }
    return af_message_fail(culprit->standard ? "standard output" : culprit->target->path, error);
}

af_exit af_targets_write(const GPtrArray *targets, const char *input_name, af_target_func draw,
                         void *user)
{
    g_autofree output *outputs = g_new0(output, targets->len);
    const output *culprit = outputs;
    GError *error = NULL;
    gboolean ok = TRUE;
    for (unsigned i = 0; ok && i < targets->len; i++) {
        culprit = &outputs[i];
        ok = open_output(&outputs[i], targets->pdata[i], &error);
    }
    ok = ok && draw_outputs(outputs, targets->len, draw, user, &culprit, &error);
    const af_exit status = ok ? AF_EXIT_DONE : print_failure(culprit, input_name, error);
    for (unsigned i = 0; ok && i < targets->len; i++) {
        af_message_print_all(outputs[i].target->path, outputs[i].target->messages);
    }
    for (unsigned i = 0; i < targets->len; i++) {
        /* Clears an output in any state. */
        if (outputs[i].file != NULL && !outputs[i].standard) {
            fclose(outputs[i].file);
        }
        if (outputs[i].temporary != NULL && atomic_load(&outputs[i].temporary->there)) {
            unlink(outputs[i].temporary->path);
            atomic_store(&outputs[i].temporary->there, false);
        }
        free(outputs[i].final_path);
    }
    return status;
}

bool af_output_append(void *string, const void *bytes, size_t length, GError **error)
{
    g_string_append_len(string, bytes, (gssize)length);
    return TRUE;
}

af_exit af_output_print(const char *text)
{
    if (fputs(text, stdout) == EOF || fflush(stdout) != 0) {
        int reason = errno;
        clearerr(stdout);
        if (reason != EPIPE) {
            af_message_print("standard output", "cannot write: %s", g_strerror(reason));
        }
        return AF_EXIT_OUTPUT;
    }
    return AF_EXIT_DONE;
}
