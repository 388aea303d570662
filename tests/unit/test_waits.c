#include "cases.h"
#include "drawn_profile.h"
#include "model/busy.h"
#include "model/waits.h"
#include "suite.h"

TEST(the_waiting_method_calls_the_wait)
{
    static const made_row rows[] = {
        {1, "a.A.load", {1, 1}},
        {2, "java.io.FileInputStream.read", {2, 1}},
        {3, "libcore.io.IoBridge.helper", {3, 1}}, /* part of the reading */
        {4, "libcore.io.Linux.readBytes", {9, 1}},
        {2, "java.lang.Object.wait", {9, 1}},
        {1, "android.os.MessageQueue.nativePollOnce", {9, 1}},
        {2, "a.A.onInput", {9, 1}}, /* called from the queue, but not part of its wait */
        {3, "sun.misc.Unsafe.park", {9, 1}},
        {4, "java.lang.Object.wait", {9, 1}}, /* the implementation of the lock */
        {0},
    };
    static const af_waits kinds[] = {
        AF_WAITS_OTHER,   AF_WAITS_OTHER, AF_WAITS_FILE,  AF_WAITS_FILE, AF_WAITS_FILE,
        AF_WAITS_MONITOR, AF_WAITS_IDLE,  AF_WAITS_OTHER, AF_WAITS_LOCK, AF_WAITS_LOCK};
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL | 1u << AF_CPU);
    made_thread_add(profile, 1, "main", "main", rows);
    drawn_profile_finish(profile);
    const af_tree *tree = profile->threads[0].tree;
    for (uint32_t n = 0; n < G_N_ELEMENTS(kinds); n++) {
        ck_assert_msg(tree->reason[n] == kinds[n], "node %u is of kind %u", n, tree->reason[n]);
    }
    uint64_t sums[AF_WAITS_ALL] = {0};
    af_waits_add(tree, TRUE, sums);
    ck_assert_uint_eq(sums[AF_WAITS_FILE], 1 + 2 + 8);
    ck_assert_uint_eq(sums[AF_WAITS_LOCK], 8 + 8);
    ck_assert_uint_eq(sums[AF_WAITS_OTHER], 8);
    ck_assert_uint_eq(sums[AF_WAITS_GC], 0);
}

static char *show_stack(const char *input)
{
    g_auto(GStrv) methods = g_strsplit(input, " ", -1);
    made_row rows[9] = {{0}};
    unsigned n = 0;
    for (; methods[n] != NULL; n++) {
        rows[n] = (made_row){n + 1, methods[n], {9, 1}};
    }
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL | 1u << AF_CPU);
    made_thread_add(profile, 1, "main", "main", rows);
    drawn_profile_finish(profile);
    const af_category category = af_waits_category(profile, profile->threads[0].tree, n);
    return g_strdup(af_category_title(category));
}

TEST(only_waiting_for_work_is_idle)
{
    cases_map("stacks", show_stack);
}

/* A recording that began while a daemon waited lacks the daemon's own methods. */
TEST(a_daemon_waits_for_work)
{
    static const made_row rows[] = {{1, "java.lang.Object.wait", {9, 1}}, {0}};
    static const struct {
        const char *name;
        gboolean idle;
    } threads[] = {{"ReferenceQueueDaemon", TRUE},
                   {"ReferenceQueueD", TRUE},
                   {"FinalizerWatchdogDaemon", TRUE},
                   {"pool-1-thread-1", FALSE}};
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL | 1u << AF_CPU);
    for (unsigned i = 0; i < G_N_ELEMENTS(threads); i++) {
        made_thread_add(profile, i + 1, threads[i].name, threads[i].name, rows);
    }
    drawn_profile_finish(profile);
    g_autoptr(af_busy) busy = af_busy_new(profile, AF_WALL);
    for (unsigned i = 0; i < G_N_ELEMENTS(threads); i++) {
        ck_assert_msg((busy->idle_ns[i] > 0) == threads[i].idle, "%s", threads[i].name);
    }
}
