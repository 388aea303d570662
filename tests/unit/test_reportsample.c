/* The output of simpleperf's report-sample, message by message. */
#include <string.h>

#include <aflame/aflame.h>

#include "made_perf.h"
#include "suite.h"

/* Events e-a and e-b. */
#define META "[ 0x2a/1 10/1 0x0a/1 3/1 \"e-a\" 0x0a/1 3/1 \"e-b\" ] "

/* A sample of thread 7, at an address of file 0: its symbol, the kind of code, its weight, the
 * event. */
#define SAMPLE(symbol, kind, weight, event)                                                        \
    "[ 0x0a/1 18/1 8/1 1/1 0x10/1 7/1 0x1a/1 8/1 8/1 0x10/1 0x10/1 0/1 0x18/1 " symbol             \
    "/1 0x20/1 " kind "/1 0x20/1 " weight "/1 0x28/1 " event "/1 ] "

#define NAMES                                                                                      \
    "[ 0x1a/1 28/1 8/1 0/1 0x12/1 5/1 \"/l.so\" 0x1a/1 0x11/1 \"void p.A.method()\" ] "            \
    "[ 0x22/1 7/1 8/1 7/1 0x10/1 7/1 0x1a/1 1/1 \"t\" ] "

static af_profile *open_words(const char *words, GError **error)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    made_bytes(bytes, words);
    af_profile *profile = made_perf_open(bytes, error);
    return profile;
}

static void expect(const char *words, const char *stacks)
{
    GError *error = NULL;
    af_profile *profile = open_words(words, &error);
    made_perf_check(profile, error, stacks);
}

#define HEAD "\"SIMPLEPERF\" 1/2 "

TEST(kinds_of_code)
{
    expect(HEAD META SAMPLE("0", "0", "5", "0") NAMES "0/4", "t;void p.A.method() 5");
    expect(HEAD META SAMPLE("0", "1", "5", "0") NAMES "0/4", "t;p.A.method 5");
    expect(HEAD META SAMPLE("0", "2", "5", "0") NAMES "0/4", "t;p.A.method 5");
    expect(HEAD META SAMPLE("0", "3", "5", "0") NAMES "0/4", "t;void p.A.method() 5");
}

/* Names may precede the messages that use them; the first of two events is shown; the reader
 * ignores everything after the end message, and without one takes all messages. */
TEST(messages_may_come_in_any_order)
{
    expect(HEAD META SAMPLE("0", "1", "5", "0") SAMPLE("0", "1", "9", "1") NAMES "0/4",
           "t;p.A.method 5");
    expect(HEAD META SAMPLE("0", "1", "5", "0") NAMES "0/4 " SAMPLE("0", "1", "7", "0"),
           "t;p.A.method 5");
    expect(HEAD META SAMPLE("0", "1", "5", "0") NAMES, "t;p.A.method 5");
}

/* Messages of unknown kinds are skipped; a library with an impossible number (2^25) is reported. */
TEST(unknown_messages_are_skipped)
{
    expect(HEAD META SAMPLE("0", "1", "5", "0") "[ 0x7a/1 1/1 0/1 ] " NAMES "0/4",
           "t;p.A.method 5");
    GError *error = NULL;
    af_profile *profile = open_words(HEAD META SAMPLE("0", "1", "5", "0") NAMES
                                     "[ 0x1a/1 11/1 8/1 0x80/1 0x80/1 0x80/1 0x10/1 0x12/1 4/1 "
                                     "\"/x.s\" ] 0/4",
                                     &error);
    ck_assert_ptr_nonnull(profile);
    g_autofree char *warnings = made_perf_warnings(profile);
    ck_assert_str_eq(warnings, "unknown-record 1");
    made_perf_check(profile, error, "t;p.A.method 5");
}

TEST(other_versions_are_refused)
{
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(open_words("\"SIMPLEPERF\" 2/2 " META "0/4", &error));
    ck_assert_msg(strstr(error->message, "version 2") != NULL, "%s", error->message);
}

/* The process is that of the thread whose id it has. */
TEST(the_process_of_a_thread_is_found_by_id)
{
    g_autoptr(af_profile) profile =
        open_words(HEAD META SAMPLE("0", "1", "5", "0") NAMES
                   "[ 0x22/1 7/1 8/1 5/1 0x10/1 3/1 0x1a/1 1/1 \"u\" ] 0/4",
                   NULL);
    ck_assert_ptr_nonnull(profile);
    ck_assert(profile->facts.has_pid);
    ck_assert_uint_eq(profile->facts.pid, 7);
}
