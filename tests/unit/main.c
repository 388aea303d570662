/* unit_tests [SUITE]: runs one suite, or all of them. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#define SUITE(name) Suite *af_suite_##name(void);
#include "suites.inc"
#undef SUITE

static const struct {
    const char *name;
    Suite *(*make)(void);
} suites[] = {
#define SUITE(name) {#name, af_suite_##name},
#include "suites.inc"
#undef SUITE
};

int main(int argc, char **argv)
{
    /* huge pages would zero 2 MB for each of thousands of trees */
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    SRunner *runner = srunner_create(NULL);
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++) {
        if (argc < 2 || strcmp(argv[1], suites[i].name) == 0) {
            srunner_add_suite(runner, suites[i].make());
        }
    }
    /* sanitizers and debuggers need the whole process */
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    const int run = srunner_ntests_run(runner);
    srunner_free(runner);
    if (run == 0) {
        fputs("unit_tests: no test of that name\n", stderr);
    }
    return failed == 0 && run > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
