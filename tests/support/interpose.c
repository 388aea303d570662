#define _GNU_SOURCE
#undef _FORTIFY_SOURCE /* its inline functions cannot be replaced */
#include "interpose.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

static interpose_orders orders;
static atomic_uint n_reads, n_writes, n_threads;
static atomic_bool done;

static unsigned read_number(const char *name)
{
    const char *text = getenv(name);
    return text == NULL ? 0 : (unsigned)strtoul(text, NULL, 10);
}

__attribute__((constructor)) static void take_orders(void)
{
    orders = (interpose_orders){.cut_at = read_number("AFLAME_TEST_CUT_AT"),
                                .write_at = read_number("AFLAME_TEST_WRITE_AT"),
                                .kill_at = read_number("AFLAME_TEST_KILL_AT"),
                                .no_tmpfile = (int)read_number("AFLAME_TEST_NO_TMPFILE"),
                                .no_proc = (int)read_number("AFLAME_TEST_NO_PROC"),
                                .no_chmod = (int)read_number("AFLAME_TEST_NO_CHMOD"),
                                .no_space = (int)read_number("AFLAME_TEST_NO_SPACE"),
                                .no_threads = read_number("AFLAME_TEST_NO_THREADS"),
                                .no_thread = read_number("AFLAME_TEST_NO_THREAD"),
                                .no_time = (int)read_number("AFLAME_TEST_NO_TIME")};
}

void interpose_set(const interpose_orders *wanted)
{
    orders = *wanted;
    atomic_store(&n_reads, 0);
    atomic_store(&n_writes, 0);
    atomic_store(&n_threads, 0);
    atomic_store(&done, 0);
}

unsigned interpose_reads(void)
{
    return atomic_load(&n_reads);
}

#define FIND(function, name)                                                                       \
    do {                                                                                           \
        if ((function) == NULL) {                                                                  \
            void *found = dlsym(RTLD_NEXT, name);                                                  \
            memcpy(&(function), &found, sizeof found);                                             \
        }                                                                                          \
    } while (0)

static int is_regular(int fd, struct stat *status)
{
    return fstat(fd, status) == 0 && S_ISREG(status->st_mode);
}

/* Opens the file of a descriptor that only reads. */
static int reopen(int fd)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, O_RDWR | O_CLOEXEC);
}

static void write_last_byte(int file, off_t length)
{
    char last = 0;
    const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 1, .tv_nsec = 1}};
    if (lseek(file, length - 1, SEEK_SET) < 0 || read(file, &last, 1) != 1 ||
        lseek(file, length - 1, SEEK_SET) < 0 || write(file, &last, 1) != 1 ||
        futimens(file, times) != 0) {
        abort();
    }
}

static void hurt(int fd)
{
    struct stat status;
    if ((orders.cut_at == 0 && orders.write_at == 0) || !is_regular(fd, &status) ||
        (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY) {
        return;
    }
    const unsigned number = atomic_fetch_add(&n_reads, 1) + 1;
    if ((number == orders.cut_at || number == orders.write_at) && !atomic_exchange(&done, 1)) {
        const int file = reopen(fd);
        if (file < 0) {
            abort();
        }
        if (number == orders.cut_at && ftruncate(file, status.st_size / 2) != 0) {
            abort();
        }
        if (number == orders.write_at) {
            write_last_byte(file, status.st_size);
        }
        close(file);
    }
}

/* With _FILE_OFFSET_BITS=64, the functions below define pread64() and open64(). */
#define VISIBLE __attribute__((visibility("default")))

VISIBLE ssize_t pread(int fd, void *to, size_t n, off_t offset)
{
    static ssize_t (*next)(int, void *, size_t, off_t);
    FIND(next, "pread64");
    hurt(fd);
    return next(fd, to, n, offset);
}

VISIBLE int open(const char *path, int flags, ...)
{
    static int (*next)(const char *, int, ...);
    FIND(next, "open64");
    va_list more;
    va_start(more, flags);
    const mode_t mode =
        (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0;
    va_end(more);
    if (orders.no_tmpfile && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return next(path, flags, mode);
}

VISIBLE int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                           void *(*work)(void *), void *user)
{
    static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    FIND(next, "pthread_create");
    const unsigned number = atomic_fetch_add(&n_threads, 1) + 1;
    return number == orders.no_thread || (orders.no_threads > 0 && number >= orders.no_threads)
               ? EAGAIN
               : next(thread, attributes, work, user);
}

/* The library asks for no more threads than there are processors: four, when some are refused. */
VISIBLE int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    static int (*next)(pid_t, size_t, cpu_set_t *);
    FIND(next, "sched_getaffinity");
    if (orders.no_thread == 0 && orders.no_threads == 0) {
        return next(pid, size, set);
    }
    memset(set, 0, size);
    for (int i = 0; i < 4; i++) {
        CPU_SET_S(i, size, set);
    }
    return 0;
}

VISIBLE int clock_gettime(clockid_t clock, struct timespec *now)
{
    static int (*next)(clockid_t, struct timespec *);
    FIND(next, sizeof(time_t) > sizeof(long) ? "__clock_gettime64" : "clock_gettime");
    if (orders.no_time && clock == CLOCK_MONOTONIC) {
        *now = (struct timespec){.tv_sec = 1};
        return 0;
    }
    return next(clock, now);
}

VISIBLE int linkat(int from, const char *old, int to, const char *new, int flags)
{
    static int (*next)(int, const char *, int, const char *, int);
    FIND(next, "linkat");
    if (orders.no_proc) {
        errno = ENOENT;
        return -1;
    }
    return next(from, old, to, new, flags);
}

VISIBLE int fstatvfs(int fd, struct statvfs *disk)
{
    static int (*next)(int, struct statvfs *);
    FIND(next, "fstatvfs64");
    const int result = next(fd, disk);
    if (orders.no_space) {
        disk->f_bavail = 0;
    }
    if (orders.no_space > 1) {
        disk->f_blocks = 0;
    }
    return result;
}

VISIBLE int fchmod(int fd, mode_t mode)
{
    static int (*next)(int, mode_t);
    FIND(next, "fchmod");
    if (orders.no_chmod) {
        errno = EPERM;
        return -1;
    }
    return next(fd, mode);
}

/* What stdio of the C library writes does not pass through write(). */
static void count_write(int fd)
{
    struct stat status;
    if (orders.kill_at > 0 && is_regular(fd, &status) &&
        atomic_fetch_add(&n_writes, 1) + 1 == orders.kill_at) {
        raise(SIGKILL);
    }
}

VISIBLE ssize_t write(int fd, const void *bytes, size_t n)
{
    static ssize_t (*next)(int, const void *, size_t);
    FIND(next, "write");
    count_write(fd);
    return next(fd, bytes, n);
}

VISIBLE size_t fwrite(const void *bytes, size_t size, size_t n, FILE *file)
{
    static size_t (*next)(const void *, size_t, size_t, FILE *);
    FIND(next, "fwrite");
    count_write(fileno(file));
    return next(bytes, size, n, file);
}
