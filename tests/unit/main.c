/* unit_tests [SUITE]: runs one suite, or all of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <glib.h>

#include "cases.h"
#include "suite.h"

typedef struct {
    char *name;
    Suite *suite;
    TCase *tests;
} named_suite;

static GArray *suites;

/* The suite of .../test_<suite>.c. */
static TCase *find_suite(const char *file)
{
    g_autofree char *base = g_path_get_basename(file);
    char *name = base + strlen("test_");
    *strrchr(name, '.') = '\0';
    if (suites == NULL) {
        suites = g_array_new(FALSE, FALSE, sizeof(named_suite));
    }
    for (guint i = 0; i < suites->len; i++) {
        const named_suite *found = &g_array_index(suites, named_suite, i);
        if (strcmp(found->name, name) == 0) {
            return found->tests;
        }
    }
    char *own_name = g_strdup(name); /* check copies none */
    named_suite made = {own_name, suite_create(own_name), tcase_create(own_name)};
    suite_add_tcase(made.suite, made.tests);
    tcase_add_checked_fixture(made.tests, NULL, cases_finish);
    g_array_append_val(suites, made);
    return made.tests;
}

void suite_add_test(const TTest *test, int n)
{
    _tcase_add_test(find_suite(test->file), test, 0, 0, 0, n);
}

void suite_add_around_each(const char *file, SFun before, SFun after)
{
    tcase_add_checked_fixture(find_suite(file), before, after);
}

int main(int argc, char **argv)
{
    /* huge pages would zero 2 MB for each of thousands of trees */
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    /* GLib only warns of an error that is set over another one */
    g_log_set_always_fatal(
        (GLogLevelFlags)(G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING));
    SRunner *runner = srunner_create(NULL);
    for (guint i = 0; i < suites->len; i++) {
        const named_suite *made = &g_array_index(suites, named_suite, i);
        if (argc < 2 || strcmp(argv[1], made->name) == 0) {
            srunner_add_suite(runner, made->suite);
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
