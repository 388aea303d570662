/* suite.h - check's assertions, without recording each one that succeeds
 *
 * check records the location of every assertion, to report where a test in a separate process died.
 * These tests run in one process, and some compare a million values. */
#ifndef AF_TEST_SUITE_H
#define AF_TEST_SUITE_H

#include <check.h>

#undef ck_assert
#define ck_assert(expr) ck_assert_msg(expr, "Assertion '%s' failed", #expr)
#undef ck_assert_msg
#define ck_assert_msg(expr, ...) ((expr) ? (void)0 : ck_abort_msg(__VA_ARGS__))

#endif
