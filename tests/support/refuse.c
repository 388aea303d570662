/* refuse landlock|seccomp|CALL... -- COMMAND...: runs a command on a kernel that lacks these
 * guards, as some containers do, or the system calls with these names, as old ones do. */
#include <errno.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static int refuse(scmp_filter_ctx filter, const char *name)
{
    const struct scmp_arg_cmp filtering = SCMP_A0_64(SCMP_CMP_EQ, PR_SET_SECCOMP, 0);
    if (strcmp(name, "landlock") == 0) {
        return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(landlock_create_ruleset),
                                0);
    }
    if (strcmp(name, "seccomp") == 0) {
        const int failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(seccomp), 0);
        return failed != 0 ? failed
                           : seccomp_rule_add(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1,
                                              filtering);
    }
    const int call = seccomp_syscall_resolve_name(name);
    return call == __NR_SCMP_ERROR ? -EINVAL
                                   : seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), call, 0);
}

int main(int argc, char **argv)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    int i = 1;
    while (i < argc && strcmp(argv[i], "--") != 0) {
        if (filter == NULL || refuse(filter, argv[i]) != 0) {
            fprintf(stderr, "refuse: cannot refuse %s\n", argv[i]);
            return 1;
        }
        i++;
    }
    if (i + 1 >= argc || seccomp_load(filter) != 0) {
        fputs("usage: refuse landlock|seccomp|CALL... -- COMMAND...\n", stderr);
        return 1;
    }
    execv(argv[i + 1], argv + i + 1);
    perror(argv[i + 1]);
    return 1;
}
