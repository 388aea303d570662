#include "base/system.h"

#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include "base/pages.h"

int af_system_open_nameless(const char *folder, mode_t mode)
{
    return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

int af_system_link(int fd, const char *path)
{
    char own[64];
    snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
    return linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

char *af_system_find_program(void)
{
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    return length < 0 ? NULL : g_strndup(path, (size_t)length);
}

int af_system_open_bell(void)
{
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

void af_system_ring(int bell)
{
    eventfd_write(bell, 1);
}

/* Getting memory from the system and returning it blocks the other threads. Below these sizes
 * malloc() retains it for the next request. */
static void keep_memory(void)
{
#ifdef M_MMAP_THRESHOLD
    const int block = 32 * 1024 * 1024, rest = 64 * 1024 * 1024, step = 4 * 1024 * 1024;
    mallopt(M_MMAP_THRESHOLD, block);
    mallopt(M_TRIM_THRESHOLD, rest);
    mallopt(M_TOP_PAD, step);
#endif
}

/* Gives malloc() large pages for all but the first bytes, which it has already: the system maps
 * one as fast as a few small ones. Unused pages take up addresses only, so nothing is reserved
 * where addresses are limited. A block that is never used makes malloc() ask for more; it ends
 * where the first large page begins, so that malloc(), which writes next to the memory that it
 * hands out, does not touch that page yet. Most addresses before it are left out. */
static void tune_large(void)
{
#ifdef M_TOP_PAD
    const int first = 48 * 1024 * 1024, step = 4 * 1024 * 1024;
    const uintptr_t more = (uintptr_t)256 * 1024; /* than malloc() has */
    const uintptr_t page = 4096;
    static G_GNUC_UNUSED void *unused;
    struct rlimit addresses;
    if (getrlimit(RLIMIT_AS, &addresses) != 0 || addresses.rlim_cur != RLIM_INFINITY) {
        return;
    }
    const uintptr_t begin = (uintptr_t)sbrk(0) + more + page;
    const uintptr_t from = (begin + AF_LARGE_PAGE - 1) / AF_LARGE_PAGE * AF_LARGE_PAGE;
    sbrk((intptr_t)(from - begin));
    mallopt(M_TOP_PAD, first);
    unused = g_try_malloc(more);
    mallopt(M_TOP_PAD, step);
    const uintptr_t to = (uintptr_t)sbrk(0) / AF_LARGE_PAGE * AF_LARGE_PAGE;
    if (from < to) {
        (void)madvise((void *)from, to - from, MADV_HUGEPAGE); /* a hint; may fail */
    }
#endif
}

void af_system_tune_malloc(void)
{
    keep_memory();
    tune_large();
}

void af_system_prefer_large_pages(void *pages, size_t size)
{
    (void)madvise(pages, size, MADV_HUGEPAGE); /* may fail */
}

void *af_system_grow_pages(void *pages, size_t size, size_t larger)
{
    void *grown = mremap(pages, size, larger, MREMAP_MAYMOVE);
    return grown == MAP_FAILED ? NULL : grown;
}

void af_system_discard(void *pages, size_t size)
{
    (void)madvise(pages, size, MADV_DONTNEED);
}

void af_system_die_with_parent(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* A ruleset without rules: no path can be opened, created, removed or executed. */
gboolean af_system_forbid_paths(void)
{
    const uint64_t first_version =
        (UINT64_C(1) << 13) - 1; /* each kernel with Landlock has these */
    const struct landlock_ruleset_attr rules = {.handled_access_fs = first_version};
    const gboolean bound = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    const int fd = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
    if (fd < 0) {
        return FALSE;
    }
    const gboolean ok = bound && syscall(SYS_landlock_restrict_self, fd, 0) == 0;
    close(fd);
    return ok;
}

gboolean af_system_filter_calls(int fd)
{
    struct sock_filter code[2048];
    const ssize_t length = pread(fd, code, sizeof code, 0);
    close(fd);
    if (length <= 0 || (size_t)length == sizeof code || (size_t)length % sizeof *code != 0) {
        return FALSE;
    }
    const struct sock_fprog program = {
        .len = (unsigned short)((size_t)length / sizeof *code),
        .filter = code,
    };
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
