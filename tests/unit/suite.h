/* suite.h - tests that register themselves; assertions that are recorded only if they fail
 *
 * check records the location of every assertion, to report where a test in a separate process died.
 * These tests run in one process, and some compare a million values. */
#pragma once

#include <check.h>

#include "api/autoptr.h"

#undef ck_assert
#define ck_assert(expr) ck_assert_msg(expr, "Assertion '%s' failed", #expr)
#undef ck_assert_msg
#define ck_assert_msg(expr, ...) ((expr) ? (void)0 : ck_abort_msg(__VA_ARGS__))
#undef START_TEST /* whose tests would not run */

/* test_<suite>.c defines the tests of a suite, each as TEST(what_it_shows) { ... }; TEST_EACH runs it
 * n times, with `_i` from 0. */
#define TEST(name) TEST_EACH(name, 1)
#define TEST_EACH(name, n)                                                                         \
    static void name(int _i);                                                                      \
    __attribute__((constructor)) static void add_##name(void)                                      \
    {                                                                                              \
        static const TTest test = {#name, name, __FILE__, __LINE__};                               \
        suite_add_test(&test, n);                                                                  \
    }                                                                                              \
    static void name(int _i CK_ATTRIBUTE_UNUSED)

/* Calls one function before each test of the file, and another one after it. */
#define AROUND_EACH(before, after)                                                                 \
    __attribute__((constructor)) static void add_around_each(void)                                 \
    {                                                                                              \
        suite_add_around_each(__FILE__, before, after);                                            \
    }

void suite_add_test(const TTest *test, int n);
void suite_add_around_each(const char *file, SFun before, SFun after);

/* Calls a function that fails for this reason, gives it `&error`, and compares the message. */
#define ck_assert_error_is(call, reason, text)                                                     \
    do {                                                                                           \
        g_autoptr(GError) error = NULL;                                                            \
        ck_assert(!(call));                                                                        \
        ck_assert_msg(error != NULL && error->domain == AF_ERROR, "%s", #call);                    \
        ck_assert_int_eq(error->code, reason);                                                     \
        ck_assert_str_eq(error->message, text);                                                    \
    } while (0)

/* The same with any message. */
#define ck_assert_error(call, reason) ck_assert_error_is(call, reason, error->message)
