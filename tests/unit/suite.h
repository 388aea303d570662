/* suite.h - check's assertions, without a note of each one that holds
 *
 * check writes down where it was at each assertion, to tell where a test that it runs in a process
 * of its own has died. Ours run in one process, and some compare a million things. */
#ifndef AF_TEST_SUITE_H
#define AF_TEST_SUITE_H

#include <check.h>

#undef ck_assert
#define ck_assert(expr) ck_assert_msg(expr, "Assertion '%s' failed", #expr)
#undef ck_assert_msg
#define ck_assert_msg(expr, ...) ((expr) ? (void)0 : ck_abort_msg(__VA_ARGS__))

#endif
