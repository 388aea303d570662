#include "cli/worker_guard.h"

#include <unistd.h>
#include <sys/resource.h>
#include "api/command.h"

/* Address space under a sanitizer is its shadow, not memory in use. */
#ifdef AFLAME_SANITIZED
#define LIMITS_ADDRESSES 0
#else
#define LIMITS_ADDRESSES 1
#endif

static gboolean set_limit(int which, uint64_t value)
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

/* The parent may have died before the request to die with it. */
static void die_with(int64_t parent)
{
    af_system_die_with_parent();
    if (getppid() != parent) {
        _exit(0);
    }
}

unsigned af_worker_guard(const af_guard_limits *limits)
{
    die_with(limits->parent);
    unsigned refused = set_limits(limits) ? 0 : AF_GUARD_LIMITS;
    if (!af_system_forbid_paths()) {
        refused |= AF_GUARD_LANDLOCK;
    }
    if (!af_system_filter_calls(limits->filter_fd)) {
        refused |= AF_GUARD_FILTER;
    }
    return refused;
}
