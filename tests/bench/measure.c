/* Runs a command, discards its output and prints one line of numbers:
 *   wall ms, cpu ms, peak anonymous kB, peak resident kB
 * The mapped input is not part of anonymous memory. The kernel records no peak of it: --watch reads
 * it from /proc twice a millisecond, which costs time; without --watch it is 0. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "measure: %s\n", what);
    exit(2);
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static pid_t start(char **command)
{
    const pid_t pid = fork();
    if (pid < 0) {
        fail(strerror(errno));
    }
    if (pid == 0) {
        const int out = open("/dev/null", O_WRONLY);
        if (out < 0 || dup2(out, STDOUT_FILENO) < 0) {
            _exit(127);
        }
        execvp(command[0], command);
        _exit(127);
    }
    return pid;
}

static long read_anonymous_kb(const char *path)
{
    char text[4096];
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return 0;
    }
    const ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *line = strstr(text, "RssAnon:");
    return line != NULL ? strtol(line + strlen("RssAnon:"), NULL, 10) : 0;
}

/* Polls until the child is about to exit; a zombie has no memory any more. */
static long watch(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    long peak = 0;
    siginfo_t info = {0};
    while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0) {
        const long now = read_anonymous_kb(path);
        peak = now > peak ? now : peak;
        const struct timespec nap = {.tv_nsec = 500000};
        nanosleep(&nap, NULL);
    }
    return peak;
}

static double get_ms(struct timeval t)
{
    return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

int main(int argc, char **argv)
{
    const bool watched = argc > 1 && strcmp(argv[1], "--watch") == 0;
    char **command = argv + 1 + watched;
    if (argc < 2 + watched) {
        fail("usage: measure [--watch] COMMAND [ARGUMENT...]");
    }
    const double begin = now_ms();
    const pid_t pid = start(command);
    const long anonymous_kb = watched ? watch(pid) : 0;
    struct rusage usage;
    int status = 0;
    while (wait4(pid, &status, 0, &usage) < 0) {
        if (errno != EINTR) {
            fail(strerror(errno));
        }
    }
    const double wall_ms = now_ms() - begin;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "measure: %s failed\n", command[0]);
        return 1;
    }
    printf("%.2f %.2f %ld %ld\n", wall_ms, get_ms(usage.ru_utime) + get_ms(usage.ru_stime),
           anonymous_kb, usage.ru_maxrss);
    return 0;
}
