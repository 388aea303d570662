#include "serve/filter.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* Memory, threads, time, and reading and writing open descriptors, under their names on machines with
 * 32 and with 64 bits. libseccomp leaves out those that this machine lacks. */
static const int allowed[] = {
    SCMP_SYS(_llseek),
    SCMP_SYS(brk),
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_getres_time64),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_gettime64),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(clock_nanosleep_time64),
    SCMP_SYS(close),
    SCMP_SYS(dup),
    SCMP_SYS(dup3),
    SCMP_SYS(eventfd2),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(fadvise64),
    SCMP_SYS(fadvise64_64),
    SCMP_SYS(fcntl),
    SCMP_SYS(fcntl64),
    SCMP_SYS(fstat),
    SCMP_SYS(fstat64),
    SCMP_SYS(futex),
    SCMP_SYS(futex_time64),
    SCMP_SYS(getegid),
    SCMP_SYS(getegid32),
    SCMP_SYS(geteuid),
    SCMP_SYS(geteuid32),
    SCMP_SYS(getgid),
    SCMP_SYS(getgid32),
    SCMP_SYS(getpid),
    SCMP_SYS(getppid),
    SCMP_SYS(getrandom),
    SCMP_SYS(getrlimit),
    SCMP_SYS(getrusage),
    SCMP_SYS(gettid),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(getuid),
    SCMP_SYS(getuid32),
    SCMP_SYS(lseek),
    SCMP_SYS(madvise),
    SCMP_SYS(membarrier),
    SCMP_SYS(mincore),
    SCMP_SYS(mremap),
    SCMP_SYS(munmap),
    SCMP_SYS(nanosleep),
    SCMP_SYS(pipe2),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(ppoll_time64),
    SCMP_SYS(pread64),
    SCMP_SYS(preadv),
    SCMP_SYS(pwrite64),
    SCMP_SYS(read),
    SCMP_SYS(readv),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(rseq),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_yield),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(set_tid_address),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(sigreturn),
    SCMP_SYS(sysinfo),
    SCMP_SYS(time),
    SCMP_SYS(ugetrlimit),
    SCMP_SYS(uname),
    SCMP_SYS(write),
    SCMP_SYS(writev),
};

static gboolean allow_calls(scmp_filter_ctx filter)
{
    gboolean ok = TRUE;
    for (gsize i = 0; ok && i < G_N_ELEMENTS(allowed); i++) {
        ok = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0) == 0;
    }
    return ok;
}

/* A machine with both calls may not use the older one, which hides its arguments behind a pointer. */
static const int map_memory = SCMP_SYS(mmap2) > 0 ? SCMP_SYS(mmap2) : SCMP_SYS(mmap);

/* Calls that are harmless only with some arguments. */
static gboolean allow_in_part(scmp_filter_ctx filter)
{
    const struct scmp_arg_cmp thread = SCMP_A0_64(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD);
    const struct scmp_arg_cmp plain = SCMP_A2_64(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    const struct scmp_arg_cmp by_descriptor =
        SCMP_A3_64(SCMP_CMP_MASKED_EQ, AT_EMPTY_PATH, AT_EMPTY_PATH);
    const struct scmp_arg_cmp statx_by_descriptor =
        SCMP_A2_64(SCMP_CMP_MASKED_EQ, AT_EMPTY_PATH, AT_EMPTY_PATH);
    const struct scmp_arg_cmp asking = SCMP_A2_64(SCMP_CMP_EQ, 0, 0);
    const struct scmp_arg_cmp naming = SCMP_A0_64(SCMP_CMP_EQ, PR_SET_NAME, 0);
    const struct scmp_arg_cmp self = SCMP_A0_64(SCMP_CMP_EQ, 0, 0);
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, thread) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, map_memory, 1, plain) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, plain) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(newfstatat), 1, by_descriptor) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fstatat64), 1, by_descriptor) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(statx), 1, statx_by_descriptor) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, self, asking) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1, naming) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
}

int af_filter_open(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    int fd = -1;
    if (filter != NULL && allow_calls(filter) && allow_in_part(filter)) {
        fd = memfd_create("aflame-filter", MFD_CLOEXEC);
    }
    if (fd >= 0 && seccomp_export_bpf(filter, fd) != 0) {
        close(fd);
        fd = -1;
    }
    seccomp_release(filter);
    return fd;
}
