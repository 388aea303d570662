#include "cli/worker_guard.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

/* Address space under a sanitizer is its shadow, not memory in use. */
#ifdef AFLAME_SANITIZED
#define LIMITS_ADDRESSES 0
#else
#define LIMITS_ADDRESSES 1
#endif

static gboolean set_limit(__rlimit_resource_t which, uint64_t value)
{
    const struct rlimit limit = {.rlim_cur = value, .rlim_max = value};
    return setrlimit(which, &limit) == 0;
}

static gboolean set_limits(const af_guard_limits *limits)
{
    gboolean ok = set_limit(RLIMIT_CORE, 0) && set_limit(RLIMIT_CPU, limits->seconds);
    if (LIMITS_ADDRESSES) {
        ok = ok && set_limit(RLIMIT_AS, limits->memory);
    }
    return ok;
}

/* A ruleset without rules: no path can be opened, created, removed or executed. */
static gboolean enter_landlock(void)
{
    const uint64_t first_version =
        (UINT64_C(1) << 13) - 1; /* each kernel with Landlock has these */
    const struct landlock_ruleset_attr rules = {.handled_access_fs = first_version};
    const int fd = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
    if (fd < 0) {
        return FALSE;
    }
    const gboolean ok = syscall(SYS_landlock_restrict_self, fd, 0) == 0;
    close(fd);
    return ok;
}

static gboolean enter_filter(int fd)
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

/* The parent may have died before the request to die with it. */
static void die_with(int64_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(0);
    }
}

unsigned af_worker_guard(const af_guard_limits *limits)
{
    die_with(limits->parent);
    unsigned refused = set_limits(limits) ? 0 : AF_GUARD_LIMITS;
    const gboolean bound = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    if (!bound || !enter_landlock()) {
        refused |= AF_GUARD_LANDLOCK;
    }
    if (!enter_filter(limits->filter_fd)) {
        refused |= AF_GUARD_FILTER;
    }
    return refused;
}
