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

/* Stacks of real recordings, outermost method first, and whether their last method is idle. */
static const struct {
    const char *methods[8];
    gboolean idle;
} stacks[] = {
    /* loopers wait for messages; their callbacks and idle handlers do not */
    {{"android.os.Looper.loop", "android.os.MessageQueue.next"}, TRUE},
    {{"android.os.MessageQueue.next", "android.os.MessageQueue.nativePollOnce"}, TRUE},
    {{"android.os.MessageQueue.nativePollOnce", "a.A.onTouch", "java.lang.Object.wait"}, FALSE},
    {{"android.os.MessageQueue.next", "a.Idler.queueIdle", "java.lang.Thread.sleep"}, FALSE},
    /* pools */
    {{"java.util.concurrent.ThreadPoolExecutor.runWorker",
      "java.util.concurrent.ThreadPoolExecutor.getTask",
      "java.util.concurrent.LinkedBlockingQueue.take",
      "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await",
      "java.util.concurrent.locks.LockSupport.park", "sun.misc.Unsafe.park"},
     TRUE},
    {{"java.util.concurrent.ThreadPoolExecutor.getTask",
      "java.util.concurrent.SynchronousQueue.poll",
      "java.util.concurrent.locks.LockSupport.parkNanos", "sun.misc.Unsafe.park",
      "java.lang.Thread.parkFor$", "java.lang.Object.wait"},
     TRUE},
    {{"java.util.concurrent.ThreadPoolExecutor.runWorker", "java.util.concurrent.FutureTask.run",
      "a.A.call", "java.util.concurrent.LinkedBlockingQueue.take",
      "java.util.concurrent.locks.LockSupport.park", "sun.misc.Unsafe.park"},
     FALSE},
    {{"java.util.concurrent.ForkJoinPool.runWorker", "java.util.concurrent.ForkJoinPool.awaitWork",
      "jdk.internal.misc.Unsafe.park"},
     TRUE},
    {{"kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.run",
      "java.util.concurrent.locks.LockSupport.parkNanos", "sun.misc.Unsafe.park"},
     TRUE},
    {{"kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.runWorker",
      "kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.tryPark",
      "kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.park", "sun.misc.Unsafe.park"},
     TRUE},
    {{"kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.run",
      "kotlinx.coroutines.DispatchedTask.run", "java.lang.Thread.sleep"},
     FALSE},
    {{"kotlinx.coroutines.DefaultExecutor.run", "java.util.concurrent.locks.LockSupport.parkNanos",
      "sun.misc.Unsafe.park"},
     TRUE},
    {{"java.util.TimerThread.mainLoop", "java.lang.Object.wait"}, TRUE},
    {{"java.util.TimerThread.mainLoop", "a.Task.run", "java.lang.Object.wait"}, FALSE},
    {{"java.util.Timer$TimerImpl.run", "java.lang.Object.wait"}, TRUE},
    {{"com.android.okhttp.ConnectionPool$1.run", "java.lang.Object.wait"}, TRUE},
    {{"okhttp3.ConnectionPool$1.run", "java.lang.Object.wait"}, TRUE},
    {{"okhttp3.internal.concurrent.TaskRunner.awaitTaskToRun", "java.lang.Object.wait"}, TRUE},
    {{"okio.AsyncTimeout$Companion.awaitTimeout", "java.lang.Object.wait"}, TRUE},
    {{"com.android.okhttp.okio.AsyncTimeout$Watchdog.run",
      "com.android.okhttp.okio.AsyncTimeout.awaitTimeout", "java.lang.Object.wait"},
     TRUE},
    {{"android.os.FileObserver$ObserverThread.run",
      "android.os.FileObserver$ObserverThread.observe"},
     TRUE},
    {{"android.os.FileObserver$ObserverThread.observe", "a.Observer.onEvent",
      "java.lang.Object.wait"},
     FALSE},
    /* daemons; finalizers are code of the app */
    {{"org.apache.http.impl.conn.tsccm.RefQueueWorker.run", "java.lang.ref.ReferenceQueue.remove",
      "java.lang.Object.wait"},
     TRUE},
    {{"java.lang.Daemons$FinalizerDaemon.runInternal", "java.lang.ref.ReferenceQueue.remove",
      "java.lang.Object.wait"},
     TRUE},
    {{"java.lang.Daemons$FinalizerDaemon.runInternal", "a.A.finalize", "java.lang.Object.wait"},
     FALSE},
    {{"java.lang.Daemons$ReferenceQueueDaemon.runInternal", "java.lang.Object.wait"}, TRUE},
    {{"java.lang.Daemons$FinalizerWatchdogDaemon.run",
      "java.lang.Daemons$FinalizerWatchdogDaemon.waitForObject", "java.lang.Object.wait"},
     TRUE},
    {{"java.lang.Daemons$FinalizerWatchdogDaemon.sleepFor", "java.lang.Thread.sleep"}, TRUE},
    {{"java.lang.Daemons$GCDaemon.run", "java.lang.Object.wait"}, TRUE},
    {{"java.lang.ProcessManager.waitForMoreChildren", "java.lang.Object.wait"}, TRUE},
    {{"java.lang.Daemons$HeapTrimmerDaemon.run", "java.lang.Object.wait"}, TRUE},
    {{"java.lang.Daemons$HeapTaskDaemon.runInternal", "dalvik.system.VMRuntime.runHeapTasks"},
     TRUE},
    {{"java.lang.Daemons$HeapTaskDaemon.runInternal"}, TRUE},
    /* everything else */
    {{"a.CartActivity.onResume", "java.lang.Object.wait"}, FALSE},
    {{"java.util.concurrent.FutureTask.get", "java.util.concurrent.locks.LockSupport.park"}, FALSE},
    {{"java.util.concurrent.CountDownLatch.await", "java.util.concurrent.locks.LockSupport.park",
      "sun.misc.Unsafe.park"},
     FALSE},
    {{"java.lang.Thread.join", "java.lang.Object.wait"}, FALSE},
    {{"android.os.SystemClock.sleep", "java.lang.Thread.sleep"}, FALSE},
    {{"android.app.SharedPreferencesImpl.awaitLoadedLocked", "java.lang.Object.wait"}, FALSE},
    {{"android.os.BinderProxy.transact", "android.os.BinderProxy.transactNative"}, FALSE},
    {{"libcore.io.IoBridge.recvfrom", "libcore.io.Posix.recvfromBytes"}, FALSE},
    {{"libcore.io.IoBridge.read", "libcore.io.Linux.readBytes"}, FALSE},
};

TEST_EACH(only_waiting_for_work_is_idle, G_N_ELEMENTS(stacks))
{
    made_row rows[G_N_ELEMENTS(stacks[_i].methods) + 1] = {{0}};
    unsigned n = 0;
    for (; n < G_N_ELEMENTS(stacks[_i].methods) && stacks[_i].methods[n] != NULL; n++) {
        rows[n] = (made_row){n + 1, stacks[_i].methods[n], {9, 1}};
    }
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL | 1u << AF_CPU);
    made_thread_add(profile, 1, "main", "main", rows);
    drawn_profile_finish(profile);
    const af_category expected = stacks[_i].idle ? AF_CATEGORY_IDLE : AF_CATEGORY_BLOCKED;
    ck_assert_msg(af_waits_category(profile, profile->threads[0].tree, n) == expected,
                  "%s below %s", stacks[_i].methods[n - 1],
                  n > 1 ? stacks[_i].methods[n - 2] : "the thread");
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
