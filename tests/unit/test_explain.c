/* The rules of aflame explain: each speaks at its thresholds, word by word, and is silent just below
 * one of them. */
#include <aflame/explain.h>
#include <aflame/open.h>
#include <aflame/report.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "base/out.h"
#include "finding/finding.h"
#include "made_trace.h"
#include "suite.h"

/* Other work: 90, 95 and 80 ms in methods of which none stands out. */
#define TEN(us)                                                                                    \
    us " com.example.Fill.a\n" us " com.example.Fill.b\n" us " com.example.Fill.c\n" us            \
       " com.example.Fill.d\n" us " com.example.Fill.e\n" us " com.example.Fill.f\n" us            \
       " com.example.Fill.g\n" us " com.example.Fill.h\n" us " com.example.Fill.i\n" us            \
       " com.example.Fill.j\n"
#define FILL_90       TEN("9000")
#define FILL_95       TEN("9500")
#define FILL_80       TEN("8000")
#define IN_MAIN(call) "0 com.example.Main.show\n  " call "\n"

/* Without a sentence the rule is silent. */
static const struct {
    const char *rule, *text, *sentence;
} cases[] = {
    {"hot-method", FILL_90 "10000 com.example.Main.hash\n",
     "main spent 10.0 ms of 100.0 ms (10.0 %) in one call of Main.hash itself"},
    {"hot-method", FILL_90 "9990 com.example.Main.hash\n", NULL},
    {"hot-method", FILL_90 IN_MAIN("2500x4 java.util.Arrays.sort"),
     "main spent 10.0 ms of 100.0 ms (10.0 %) in Arrays.sort itself, in 4 calls of 2.50 ms, on "
     "behalf of Main.show"},
    {"hot-method", FILL_90 "~10000 com.example.Main.hash\n",
     "main spent 10.0 ms of 100.0 ms (10.0 %) in one call of Main.hash itself; it ran for "
     "under 1 µs"},
    {"hot-method", FILL_90 IN_MAIN("~2500x4 android.graphics.Bitmap.decode"),
     "main spent 10.0 ms of 100.0 ms (10.0 %) in Bitmap.decode itself, in 4 calls of 2.50 ms, on "
     "behalf of Main.show; it ran for under 1 µs in all"},
    {"long-call", TEN("8800") "100x20 com.example.Main.load\n10000 com.example.Main.load\n",
     "main spent 10.0 ms of 100.0 ms (10.0 %) in one call of Main.load; the median of its 21 calls "
     "is 100 µs"},
    {"long-call", TEN("8300") "2001x3 com.example.Main.load\n10000 com.example.Main.load\n", NULL},
    {"long-call", TEN("8810") "100x20 com.example.Main.load\n9890 com.example.Main.load\n", NULL},
    {"many-calls", FILL_90 "1x10000 com.example.Main.get\n",
     "main spent 10.0 ms of 100.0 ms (10.0 %) in 10,000 calls of Main.get, 1 µs each"},
    {"many-calls", FILL_90 "1x9999 com.example.Main.get\n", NULL},
    {"many-calls", FILL_95 IN_MAIN("50x100 com.example.Db.query"),
     "main spent 5.00 ms of 100.0 ms (5.0 %) in 100 calls of Db.query, 50 µs each, all in one call "
     "of Main.show"},
    {"many-calls", FILL_95 "0x2 com.example.Main.show\n  25x100 com.example.Db.query\n",
     "main spent 5.00 ms of 100.0 ms (5.0 %) in 200 calls of Db.query, 25 µs each, up to 100 of "
     "them in one call of Main.show"},
    {"many-calls", FILL_90 IN_MAIN("50x100 com.example.Db.query\n  50x100 com.example.Db.step"),
     "main spent 5.00 ms of 100.0 ms (5.0 %) in 100 calls of Db.query, 50 µs each, all in one call "
     "of Main.show, which also calls 1 other method at least 100 times"},
    {"many-calls", FILL_95 IN_MAIN("50x99 com.example.Db.query"), NULL},
    {"many-calls", FILL_90 "0x20 com.example.Main.show\n  10x50 com.example.Db.query\n",
     "main spent 10.0 ms of 100.0 ms (10.0 %) in 1,000 calls of Db.query, 10 µs each, all from "
     "Main.show"},
    {"many-calls", FILL_95 "0 java.util.ArrayList.forEach\n  50x100 com.example.Db.query\n",
     "main spent 5.00 ms of 100.0 ms (5.0 %) in 100 calls of Db.query, 50 µs each, all in one call "
     "of ArrayList.forEach"},
    {"many-calls", FILL_90 "0x20 com.example.Main.show\n  10x49 com.example.Db.query\n", NULL},
    {"blocked-main", FILL_95 IN_MAIN("~5000 java.lang.Object.wait"),
     "main waited 5.00 ms of 100.0 ms (5.0 %) in one call of Object.wait, on behalf of Main.show"},
    {"blocked-main", FILL_95 IN_MAIN("~4990 java.lang.Object.wait"), NULL},
    {"blocked-main",
     FILL_95 IN_MAIN("0x2 java.util.concurrent.FutureTask.get\n    ~2500 sun.misc.Unsafe.park"),
     "main waited 5.00 ms of 100.0 ms (5.0 %) in 2 calls of FutureTask.get, on behalf of "
     "Main.show"},
    {"blocked-main",
     FILL_95 IN_MAIN("~5000 java.lang.Object.wait") "\"Worker\"\n99500 com.example.Fill.k\n"
                                                    "0 java.lang.Object.notifyAll\n",
     "main waited 5.00 ms of 100.0 ms (5.0 %) in one call of Object.wait, until Worker woke it, on "
     "behalf of Main.show"},
    /* a signal long before the end, and one of another thread after it */
    {"blocked-main",
     FILL_95 IN_MAIN("~5000 java.lang.Object.wait") "\"Worker\"\n97000 com.example.Fill.k\n"
                                                    "0 java.lang.Object.notifyAll\n"
                                                    "4000 com.example.Fill.k\n"
                                                    "0 java.lang.Object.notifyAll\n",
     "main waited 5.00 ms of 100.0 ms (5.0 %) in one call of Object.wait, on behalf of Main.show"},
    {"coroutines",
     FILL_90 IN_MAIN(
         "10000 kotlinx.coroutines.BuildersKt.runBlocking") "\"DefaultDispatcher-worker-1\"\n~9000 "
                                                            "kotlinx.coroutines.scheduling."
                                                            "CoroutineScheduler$Worker.park\n1000 "
                                                            "com.example.Fill.k\n",
     "main spent 10.0 ms of 100.0 ms (10.0 %) in runBlocking, in one call of "
     "BuildersKt.runBlocking, on behalf of Main.show; 1 dispatcher thread was parked for 90.0 %"},
    {"io-main", FILL_95 IN_MAIN("2500x2 java.io.FileInputStream.read"),
     "main spent 5.00 ms of 100.0 ms (5.0 %) on files, databases or the network, in 2 calls of "
     "FileInputStream.read, on behalf of Main.show"},
    {"io-main", FILL_95 IN_MAIN("2495x2 java.io.FileInputStream.read"), NULL},
    {"io-main",
     FILL_95 IN_MAIN("3000 java.io.File.exists\n  2000 android.database.sqlite.SQLiteCursor.fill"),
     "main spent 5.00 ms of 100.0 ms (5.0 %) on files, databases or the network, 3.00 ms of it in "
     "File.exists, on behalf of Main.show"},
    {"slow-frame",
     FILL_80
     "12000 android.view.Choreographer.doFrame\n  8000 "
     "android.view.ViewRootImpl.performMeasure\n4000x5 android.view.Choreographer.doFrame\n",
     "1 of 6 frames on main took longer than 16.7 ms: 20.0 ms; measuring takes 20.0 % of "
     "all frames"},
    {"slow-frame",
     FILL_80
     "12001 android.view.Choreographer.doFrame\n  7999 "
     "android.view.ViewRootImpl.performMeasure\n4000x5 android.view.Choreographer.doFrame\n",
     "1 of 6 frames on main took longer than 16.7 ms: 20.0 ms"},
    {"slow-frame", FILL_80 "16800 android.view.Choreographer.doFrame\n",
     "main drew one frame, in 16.8 ms, longer than 16.7 ms"},
    {"slow-frame", FILL_80 "16700x2 android.view.Choreographer.doFrame\n", NULL},
    {"startup",
     FILL_90 "4000 android.app.ActivityThread.handleBindApplication\n  2000 "
             "android.app.Instrumentation.callApplicationOnCreate\n4000 "
             "android.app.ActivityThread.handleLaunchActivity\n",
     "main spent 10.0 ms of 100.0 ms (10.0 %) starting the app: 2.00 ms in Application.onCreate, "
     "4.00 ms in creating the activity"},
    {"startup", /* old versions of Android resume within the creation, which counts once */
     FILL_90 "5000 android.app.ActivityThread.handleBindApplication\n3000 "
             "android.app.ActivityThread.handleLaunchActivity\n  2000 "
             "android.app.ActivityThread.handleResumeActivity\n",
     "main spent 10.0 ms of 100.0 ms (10.0 %) starting the app: 5.00 ms in creating the activity, "
     "2.00 ms in resuming it"},
    {"startup", FILL_90 "9990 android.app.ActivityThread.handleBindApplication\n", NULL},
    {"inflation", FILL_95 IN_MAIN("2500x2 android.view.LayoutInflater.inflate"),
     "main spent 5.00 ms of 100.0 ms (5.0 %) inflating layouts, in 2 calls of "
     "LayoutInflater.inflate, on behalf of Main.show"},
    {"inflation", FILL_95 IN_MAIN("2495x2 android.view.LayoutInflater.inflate"), NULL},
    {"binding",
     FILL_95 "0x5 androidx.recyclerview.widget.RecyclerView.bind\n  1000 "
             "com.example.Rows.onBindViewHolder\n",
     "main spent 5.00 ms of 100.0 ms (5.0 %) creating or binding rows of lists, in 5 calls of "
     "Rows.onBindViewHolder"},
    {"binding", FILL_95 "998x5 com.example.Rows.onBindViewHolder\n", NULL},
    {"serialization", FILL_95 IN_MAIN("5000 org.json.JSONTokener.nextValue"),
     "main spent 5.00 ms of 100.0 ms (5.0 %) on JSON, XML or protobuf, in one call of "
     "JSONTokener.nextValue, on behalf of Main.show"},
    {"serialization", FILL_95 IN_MAIN("4990 org.json.JSONTokener.nextValue"), NULL},
    {"reflection",
     FILL_95 IN_MAIN("5000 java.lang.reflect.Method.invoke\n    0 com.example.Main.called"),
     "main spent 5.00 ms of 100.0 ms (5.0 %) in reflection itself, in one call of Method.invoke, "
     "on "
     "behalf of Main.show"},
    {"reflection",
     FILL_95 IN_MAIN("4000 java.lang.reflect.Method.invoke\n    9000 com.example.Main.called"),
     NULL},
    {"class-loading", FILL_95 IN_MAIN("5000 java.lang.ClassLoader.loadClass"),
     "main spent 5.00 ms of 100.0 ms (5.0 %) loading classes, in one call of "
     "ClassLoader.loadClass, "
     "on behalf of Main.show"},
    {"class-loading", FILL_95 IN_MAIN("4990 java.lang.ClassLoader.loadClass"), NULL},
    {"compose", FILL_90 "10000 androidx.compose.runtime.CompositionImpl.recompose\n",
     "main spent 10.0 ms of 100.0 ms (10.0 %) in Compose: 10.0 ms recomposing"},
    {"compose",
     FILL_80 "4000 androidx.compose.ui.platform.AndroidComposeView.onMeasure\n"
             "  6000 androidx.compose.runtime.CompositionImpl.recompose\n"
             "10000 androidx.compose.ui.platform.AndroidComposeView.dispatchDraw\n",
     "main spent 20.0 ms of 100.0 ms (20.0 %) in Compose: 6.00 ms recomposing, 4.00 ms measuring "
     "and layout, 10.0 ms drawing"},
    {"compose", FILL_90 "9990 androidx.compose.runtime.CompositionImpl.recompose\n", NULL},
    {"coroutines", FILL_95 IN_MAIN("5000 kotlinx.coroutines.BuildersKt.runBlocking"),
     "main spent 5.00 ms of 100.0 ms (5.0 %) in runBlocking, in one call of "
     "BuildersKt.runBlocking, "
     "on behalf of Main.show"},
    {"coroutines", FILL_95 IN_MAIN("4990 kotlinx.coroutines.BuildersKt.runBlocking"), NULL},
    {"gc", FILL_95 IN_MAIN("5000 java.lang.Runtime.gc"),
     "main spent 5.00 ms of 100.0 ms (5.0 %) collecting garbage, in one call of Runtime.gc, on "
     "behalf "
     "of Main.show"},
    {"gc", FILL_95 IN_MAIN("4990 java.lang.Runtime.gc"), NULL},
    {"gc",
     FILL_95 "5000 com.example.Main.show\n\"HeapTask\"\n5000 dalvik.system.VMRuntime.trimHeap\n",
     "HeapTask spent 5.00 ms collecting garbage, in VMRuntime.trimHeap, while main took 100.0 ms"},
    {"gc",
     FILL_95 "5000 com.example.Main.show\n\"HeapTask\"\n4990 dalvik.system.VMRuntime.trimHeap\n",
     NULL},
    {"exceptions", FILL_95 "1x100 com.example.Main.show\n  !53 com.example.Parser.parse\n",
     "main threw 100 exceptions in Parser.parse; the calls that they ended took 5.30 ms"},
    {"exceptions", FILL_95 "0x99 com.example.Main.show\n  !53 com.example.Parser.parse\n", NULL},
    {"tracer", FILL_90, NULL}, /* this trace does not tell the cost of the clock */
    {"tracer", "clock-call-overhead-nsec=1000\n" FILL_90 "1x10000 com.example.Main.get\n",
     "main spent at least 10.0 ms of 100.0 ms (10.0 %) being traced, most in Main.get: the times "
     "of "
     "short methods mean little"},
    {"tracer", "clock-call-overhead-nsec=999\n" FILL_90 "1x10000 com.example.Main.get\n", NULL},
    {"idle", "100 com.example.Main.show\n~100 android.os.MessageQueue.nativePollOnce\n",
     "main was idle for 100 µs of 200 µs (50.0 %) and worked for 100 µs: look at another thread, "
     "or record less"},
    {"idle", /* time that waits for another process is not counted as work */
     "60 com.example.Main.show\n~40 android.os.BinderProxy.transact\n"
     "~100 android.os.MessageQueue.nativePollOnce\n",
     "main was idle for 100 µs of 200 µs (50.0 %) and worked for 60 µs: look at another thread, or "
     "record less"},
    {"idle", "101 com.example.Main.show\n~100 android.os.MessageQueue.nativePollOnce\n", NULL},
    {"data", FILL_90, NULL},
    {"data", "data-file-overflow=true\n" FILL_90,
     "the recording buffer overflowed: the end of the run is missing"},
    {"data", "10 com.example.a.load\n10 com.example.b.load\n10 com.example.c1.load\n",
     "names are obfuscated; --mapping with the mapping.txt of the recorded build restores them"},
    {"data", "10 com.example.a.load\n10 com.example.b.load\n10 com.example.Main.load\n", NULL},
};

static af_explanation *explain_profile(af_profile *profile, const char *rule)
{
    const char *const rules[] = {rule, NULL};
    af_explain_options options = AF_EXPLAIN_OPTIONS_INIT;
    GError *error = NULL;
    options.rules = rule != NULL ? rules : NULL;
    options.input_name = "app.trace";
    af_explanation *e = af_explanation_new(profile, &options, &error);
    ck_assert_msg(e != NULL, "%s", error != NULL ? error->message : "");
    return e;
}

static af_explanation *explain(const char *text, const char *rule, af_profile **profile)
{
    *profile = made_trace_open(text);
    return explain_profile(*profile, rule);
}

TEST_EACH(a_rule_speaks_at_its_threshold_and_is_silent_below, G_N_ELEMENTS(cases))
{
    g_autoptr(af_profile) profile = NULL;
    g_autoptr(af_explanation) e = explain(cases[_i].text, cases[_i].rule, &profile);
    const char *first = af_explanation_text(e, 0);
    ck_assert_msg(g_strcmp0(first, cases[_i].sentence) == 0, "%s: \"%s\"", cases[_i].rule,
                  first != NULL ? first : "nothing");
    ck_assert_uint_le(af_explanation_n(e), 1);
}

/* The same for other inputs: stacks with weights, slices. */
static const struct {
    const char *rule, *unit, *text, *sentence;
} other_inputs[] = {
    {"data", NULL, "main;com.example.Main.load 99\n",
     "only 99 samples of the program, and shorter calls may be missing"},
    {"data", NULL, "main;com.example.Main.load 100\n", NULL},
    {"data", NULL, "main;libgame.so[+1a] 100\nmain;libgame.so 100\n",
     "50.0 % of the time of the program is in functions without names: --symfs reads them from the "
     "libraries"},
    {"data", NULL, "main;libgame.so[+1a] 100\nmain;libgame.so 101\n", NULL},
    {"hot-method", NULL, "main;com.example.Main.load 30\n",
     "the program has 30 of 30 samples (100.0 %) in Main.load itself"},
    {"hot-method", NULL, "main;com.example.Main.load 29\n", NULL}, /* too few samples */
    {"hot-method", NULL,                                           /* the only method */
     "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"load\",\"ts\":0,\"dur\":800}]", NULL},
    {"recursion", NULL, "a;b;b;b;b;b;b;b;b;b;b;b;b;b;b;b;b;b;b;b;b 1\na 99\n",
     "the program calls b inside itself, 20 calls deep, which took 1 sample, on behalf of a"},
    {"recursion", NULL, "a;b;b;b;b;b;b;b;b;b;b;b;b;b;b;b;b;b;b;b;b 1\na 100\n", NULL},
    {"hot-method", "bytes", "main;Bitmap::make;operator new(int);malloc 10\nmain;a 90\n",
     "the program has 90 of 100 bytes (90.0 %) allocated by a"},
    {"hot-method", "bytes", "start;Bitmap::make;operator new(int);malloc 100\nmain;a 5\nmain;b 5\n",
     "the program has 100 of 110 bytes (90.9 %) allocated by Bitmap::make, on behalf of start"},
    {"inflation", NULL, "main;deflate 50\nmain;inflate 50\n", NULL}, /* a function of zlib */
    {"hot-method", NULL,
     "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"com.example.Main#onCreate\",\"ts\":0,\"dur\":"
     "900},{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"load\",\"ts\":0,\"dur\":800}]",
     "main spent 800 µs of 900 µs (88.9 %) in one call of load itself, on behalf of Main#onCreate"},
    {"gc", NULL, /* without a main thread */
     "[{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"name\":\"load\",\"ts\":0,\"dur\":2000},"
     "{\"ph\":\"X\",\"pid\":1,\"tid\":3,\"name\":\"concurrent copying GC\",\"ts\":0,\"dur\":100}]",
     "Thread 3 spent 100 µs collecting garbage, in concurrent copying GC, while Thread 2 took 2.00 "
     "ms"},
    {"hot-method", NULL, /* polls, and runs tasks */
     "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"a\",\"ts\":0,\"dur\":10000},"
     "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"WorkerThread::ThreadMain::Run\",\"ts\":10000,"
     "\"dur\":9000},"
     "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"DevicePollTask\",\"ts\":0,\"dur\":9900}]",
     NULL},
};

TEST_EACH(a_rule_speaks_of_other_inputs, G_N_ELEMENTS(other_inputs))
{
    const char *text = other_inputs[_i].text;
    g_autoptr(GBytes) bytes = g_bytes_new_static(text, strlen(text));
    af_open_options open = AF_OPEN_OPTIONS_INIT;
    open.keep_input = TRUE;
    open.unit = other_inputs[_i].unit;
    GError *error = NULL;
    g_autoptr(af_profile) profile = af_profile_open_bytes(g_bytes_get_data(bytes, NULL),
                                                          g_bytes_get_size(bytes), &open, &error);
    ck_assert_msg(profile != NULL, "%s", error != NULL ? error->message : "");
    g_autoptr(af_explanation) e = explain_profile(profile, other_inputs[_i].rule);
    const char *first = af_explanation_text(e, 0);
    ck_assert_msg(g_strcmp0(first, other_inputs[_i].sentence) == 0, "%s: \"%s\"",
                  other_inputs[_i].rule, first != NULL ? first : "nothing");
}

/* A systrace of 100 ms of main in one slice: it sleeps in the kernel and is then ready while another
 * thread runs. */
static af_explanation *explain_systrace(const char *rule, unsigned slept_us, unsigned ready_us)
{
    const unsigned woken_us = 1010000 + slept_us, runs_us = woken_us + ready_us;
    g_autofree char *text = g_strdup_printf(
        "# tracer: nop\n#\n"
        " <idle>-0 (-----) [000] d..3 0.999000: sched_switch: prev_comm=swapper/0 prev_pid=0 "
        "prev_prio=120 prev_state=R ==> next_comm=ple.app next_pid=100 next_prio=120\n"
        " ple.app-100 ( 100) [000] ...1 1.000000: tracing_mark_write: B|100|load\n"
        " ple.app-100 ( 100) [000] d..3 1.010000: sched_switch: prev_comm=ple.app prev_pid=100 "
        "prev_prio=120 prev_state=D ==> next_comm=worker next_pid=200 next_prio=120\n"
        " worker-200 ( 200) [000] d..3 1.%06u: sched_wakeup: comm=ple.app pid=100 prio=120 "
        "success=1 target_cpu=000\n"
        " worker-200 ( 200) [000] d..3 1.%06u: sched_switch: prev_comm=worker prev_pid=200 "
        "prev_prio=120 prev_state=S ==> next_comm=ple.app next_pid=100 next_prio=120\n"
        " ple.app-100 ( 100) [000] ...1 1.100000: tracing_mark_write: E|100\n",
        woken_us % 1000000, runs_us % 1000000);
    g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
    af_open_options open = AF_OPEN_OPTIONS_INIT;
    open.keep_input = TRUE;
    GError *error = NULL;
    g_autoptr(af_profile) profile = af_profile_open_bytes(g_bytes_get_data(bytes, NULL),
                                                          g_bytes_get_size(bytes), &open, &error);
    ck_assert_msg(profile != NULL, "%s", error != NULL ? error->message : "");
    const char *const rules[] = {rule, NULL};
    af_explain_options options = AF_EXPLAIN_OPTIONS_INIT;
    options.rules = rules;
    return af_explanation_new(profile, &options, &error);
}

TEST(states_of_the_scheduler)
{
    static const struct {
        const char *rule;
        unsigned slept_us, ready_us;
        const char *sentence;
    } states[] = {
        {"uninterruptible", 5000, 0,
         "main slept in the kernel for 5.00 ms of 100.0 ms (5.0 %), in load"},
        {"uninterruptible", 4990, 6000, NULL},
        {"runnable", 6000, 5000,
         "main was ready but had no processor for 5.00 ms of 100.0 ms (5.0 %), most often in load; "
         "worker (200) ran longest in its place"},
        {"runnable", 6000, 4990, NULL},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(states); i++) {
        g_autoptr(af_explanation) e =
            explain_systrace(states[i].rule, states[i].slept_us, states[i].ready_us);
        ck_assert_ptr_nonnull(e);
        const char *first = af_explanation_text(e, 0);
        ck_assert_msg(g_strcmp0(first, states[i].sentence) == 0, "%s: \"%s\"", states[i].rule,
                      first != NULL ? first : "nothing");
    }
}

static char *nest(unsigned depth, const char *label)
{
    GString *text = g_string_new(FILL_90);
    for (unsigned i = 0; i < depth; i++) {
        g_string_append_printf(text, "%*s100 %s%s\n", (int)(2 * i), "", label,
                               strchr(label, '.') == NULL ? g_strdup_printf("%u.run", i) : "");
    }
    return g_string_free(text, FALSE);
}

TEST(recursion_is_nested_calls)
{
    for (unsigned depth = 19; depth <= 20; depth++) {
        g_autoptr(af_profile) profile = NULL;
        g_autofree char *text = nest(depth, "com.example.Tree.visit");
        g_autoptr(af_explanation) e = explain(text, "recursion", &profile);
        ck_assert_uint_eq(af_explanation_n(e), depth == 20 ? 1 : 0);
        if (depth == 20) {
            ck_assert_str_eq(
                af_explanation_text(e, 0),
                "main calls Tree.visit inside itself, 20 calls deep, which took 2.00 ms");
        }
    }
}

TEST(an_overview_is_given_once)
{
    g_autoptr(af_profile) profile = NULL;
    g_autofree char *main = nest(20, "com.example.Tree.visit");
    g_autofree char *worker = nest(30, "com.example.Tree.visit");
    g_autofree char *text = g_strconcat(main, "\"worker\"\n", worker, NULL);
    g_autoptr(af_explanation) e = explain(text, "recursion", &profile);
    ck_assert_uint_eq(af_explanation_n(e), 1);
    ck_assert(g_str_has_prefix(af_explanation_text(e, 0), "main calls Tree.visit"));
}

TEST(recursion_is_deep_stacks)
{
    for (unsigned depth = 200; depth <= 201; depth++) {
        g_autoptr(af_profile) profile = NULL;
        g_autoptr(GString) text = g_string_new(FILL_90);
        for (unsigned i = 0; i < depth; i++) {
            g_string_append_printf(text, "%*s1 com.example.Layer%u.run\n", (int)(2 * i), "", i);
        }
        g_autoptr(af_explanation) e = explain(text->str, "recursion", &profile);
        ck_assert_str_eq(depth == 201 ? "main has stacks of 201 frames, the deepest in Layer200.run"
                                      : "",
                         e->n > 0 ? af_explanation_text(e, 0) : "");
    }
}

/* The whole file as one: what is shown, in which order, and how much it explains. */
TEST(workers_that_do_the_same_are_one_finding)
{
    g_autoptr(af_profile) profile = NULL;
    g_autoptr(af_explanation) e =
        explain(FILL_95 "5000 com.example.Main.show\n\"Worker 1\"\n0 com.example.Task.run\n  9000 "
                        "com.example.Main.hash\n"
                        "\"Worker 2\"\n0 com.example.Task.run\n  8000 com.example.Main.hash\n",
                "hot-method", &profile);
    ck_assert_uint_eq(af_explanation_n(e), 1);
    ck_assert_str_eq(af_explanation_text(e, 0),
                     "Worker 1 spent 9.00 ms of 9.00 ms (100.0 %) in one call of Main.hash itself");
}

TEST(time_counts_once_and_for_the_stronger_finding)
{
    g_autoptr(af_profile) profile = NULL;
    /* the file is read in a long call, and its method is hot too */
    g_autoptr(af_explanation) e = explain(FILL_80 "100x20 com.example.Main.load\n"
                                                  "0 com.example.Main.load\n"
                                                  "  18000 com.example.Main.parse\n",
                                          NULL, &profile);
    ck_assert_uint_eq(af_explanation_n(e), 1);
    ck_assert_str_eq(e->findings[0].rule, "long-call");
    ck_assert_uint_eq(e->findings[0].time, 18000000);
    ck_assert_uint_eq(e->findings[0].call, 21);
    ck_assert_uint_eq(e->explained, 18000000);
    ck_assert_uint_eq(e->total, 100000000);
}

/* ---- JSON ---- */

/* The hash in links to the SVG: 50e6da63 is that of render/svg/tree.js for this path. */
TEST(json_names_the_frame_and_the_call)
{
    g_autoptr(af_profile) profile = NULL;
    g_autoptr(af_explanation) e =
        explain(FILL_90 IN_MAIN("2500x4 java.util.Arrays.sort"), "hot-method", &profile);
    const af_explanation *all[] = {e};
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    ck_assert(af_explanation_write(all, 1, "json", 0, af_out_to_array, bytes, NULL));
    g_byte_array_append(bytes, (const guint8 *)"", 1);
    ck_assert_ptr_nonnull(strstr((const char *)bytes->data, "\"frame\": \"50e6da63\""));
    ck_assert_ptr_nonnull(strstr((const char *)bytes->data, "\"call\": null"));
}

/* ---- the same numbers as in lists of calls and reports ---- */

TEST(numbers_are_those_of_calls_and_reports)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(af_profile) profile = NULL;
        g_autoptr(af_explanation) e = explain(cases[i].text, cases[i].rule, &profile);
        const af_finding *f = e->n > 0 ? &e->findings[0] : NULL;
        if (f != NULL && f->node != AF_NO_NODE && f->calls > 0) {
            const af_tree *tree = profile->threads[f->thread].tree;
            const char *label = profile->labels[tree->label[f->node]].text;
            g_autofree char *pattern = g_strconcat("=", label, NULL);
            g_autoptr(af_call_list) list = af_call_list_new(profile, pattern, NULL, NULL);
            ck_assert_ptr_nonnull(list);
            uint64_t inclusive = 0, self = 0, longest = 0;
            for (uint32_t k = 0; k < af_call_list_size(list); k++) {
                af_call_view call = AF_CALL_VIEW_INIT;
                ck_assert(af_call_list_at(list, k, &call));
                inclusive += call.nested ? 0 : call.time_ns[AF_WALL];
                self += call.self_ns[AF_WALL];
                longest = MAX(longest, call.time_ns[AF_WALL]);
            }
            const gboolean equal = f->time == inclusive || f->time == self || f->time == longest;
            ck_assert_msg(equal, "%s: %s", cases[i].rule, f->text);
            ck_assert(f->call == 0 || f->call == af_call_list_longest(list));
        }
    }
}

/* A column of the rows of methods of a report on some threads, added up. */
static uint64_t sum_column(const af_profile *profile, const char *thread, const char *column,
                           const char *const *methods)
{
    const char *const threads[] = {thread, NULL};
    af_report_options options = AF_REPORT_OPTIONS_INIT;
    options.threads = threads;
    g_autoptr(af_report) report = af_report_new(profile, "json", &options, NULL);
    ck_assert_ptr_nonnull(report);
    const af_report *all[] = {report};
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    ck_assert(af_report_write(all, 1, af_out_to_array, bytes, NULL));
    g_byte_array_append(bytes, (const guint8 *)"", 1);
    g_autoptr(JsonNode) node = json_from_string((const char *)bytes->data, NULL);
    ck_assert_ptr_nonnull(node);
    JsonArray *rows = json_object_get_array_member(json_node_get_object(node), "methods");
    uint64_t sum = 0;
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *row = json_array_get_object_element(rows, i);
        const char *name = json_object_get_string_member(row, "name");
        if (methods[0] == NULL || g_strv_contains(methods, name)) {
            sum += (uint64_t)json_object_get_int_member(row, column);
        }
    }
    return sum;
}

/* Rules that add up several methods, or look at other columns than the time of calls. */
TEST(sums_are_those_of_reports)
{
    static const struct {
        const char *rule, *text, *thread, *column;
        const char *methods[3];
    } sums[] = {
        {"compose",
         FILL_80 "4000 androidx.compose.ui.platform.AndroidComposeView.onMeasure\n"
                 "  6000 androidx.compose.runtime.CompositionImpl.recompose\n"
                 "10000 androidx.compose.ui.platform.AndroidComposeView.dispatchDraw\n",
         "main",
         "inclusive_wall_ns",
         {"androidx.compose.ui.platform.AndroidComposeView.onMeasure",
          "androidx.compose.ui.platform.AndroidComposeView.dispatchDraw"}},
        {"startup",
         FILL_90 "5000 android.app.ActivityThread.handleBindApplication\n3000 "
                 "android.app.ActivityThread.handleLaunchActivity\n  2000 "
                 "android.app.ActivityThread.handleResumeActivity\n",
         "main",
         "inclusive_wall_ns",
         {"android.app.ActivityThread.handleBindApplication",
          "android.app.ActivityThread.handleLaunchActivity"}},
        {"gc",
         FILL_95 "5000 com.example.Main.show\n\"HeapTask\"\n2000 dalvik.system.VMRuntime.trimHeap\n"
                 "3000 dalvik.system.VMRuntime.concurrentGC\n",
         "HeapTask",
         "inclusive_wall_ns",
         {"dalvik.system.VMRuntime.trimHeap", "dalvik.system.VMRuntime.concurrentGC"}},
        {"exceptions",
         FILL_95 "1x100 com.example.Main.show\n  !53 com.example.Parser.parse\n",
         "main",
         "inclusive_wall_ns",
         {"com.example.Parser.parse"}},
        {"recursion",
         FILL_90
         "1 a.b\n 1 a.b\n  1 a.b\n   1 a.b\n    1 a.b\n     1 a.b\n      1 a.b\n       1 a.b\n"
         "        1 a.b\n         1 a.b\n          1 a.b\n           1 a.b\n            1 a.b\n"
         "             1 a.b\n              1 a.b\n               1 a.b\n                1 a.b\n"
         "                 1 a.b\n                  1 a.b\n                   150 a.b\n",
         "main",
         "inclusive_wall_ns",
         {"a.b"}},
        {"idle",
         "100 com.example.Main.show\n~70 android.os.MessageQueue.nativePollOnce\n"
         "50 com.example.Main.show\n~130 android.os.MessageQueue.nativePollOnce\n",
         "main",
         "self_wall_ns",
         {"android.os.MessageQueue.nativePollOnce"}},
        {"tracer",
         "clock-call-overhead-nsec=1200\n" FILL_90 "1x10000 com.example.Main.get\n",
         "main",
         "tracer_wall_ns",
         {NULL}},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(sums); i++) {
        g_autoptr(af_profile) profile = NULL;
        g_autoptr(af_explanation) e = explain(sums[i].text, sums[i].rule, &profile);
        ck_assert_msg(e->n == 1, "%s is silent", sums[i].rule);
        const uint64_t sum = sum_column(profile, sums[i].thread, sums[i].column, sums[i].methods);
        ck_assert_msg(e->findings[0].time == sum, "%s: %s", sums[i].rule, e->findings[0].text);
        if (strcmp(sums[i].rule, "exceptions") == 0) {
            ck_assert_uint_eq(e->findings[0].calls,
                              sum_column(profile, "main", "unwinds", sums[i].methods));
        }
    }
}

/* Late frames and their time are those of the report of frames. */
TEST(late_frames_are_those_of_the_report)
{
    g_autoptr(af_profile) profile = NULL;
    g_autoptr(af_explanation) e = explain(FILL_80 "20000x2 android.view.Choreographer.doFrame\n"
                                                  "16700x3 android.view.Choreographer.doFrame\n",
                                          "slow-frame", &profile);
    af_report_options options = AF_REPORT_OPTIONS_INIT;
    g_autoptr(af_report) report = af_report_new_frames(profile, "json", &options, NULL);
    const af_report *all[] = {report};
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    ck_assert(af_report_write(all, 1, af_out_to_array, bytes, NULL));
    g_byte_array_append(bytes, (const guint8 *)"", 1);
    g_autoptr(JsonNode) node = json_from_string((const char *)bytes->data, NULL);
    JsonArray *rows = json_object_get_array_member(json_node_get_object(node), "frames");
    uint64_t n = 0, time_ns = 0;
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *row = json_array_get_object_element(rows, i);
        const gboolean late = json_object_get_int_member(row, "late_ns") > 0;
        n += late ? 1 : 0;
        time_ns += late ? (uint64_t)json_object_get_int_member(row, "duration_ns") : 0;
    }
    ck_assert_uint_eq(n, 2);
    ck_assert_uint_eq(e->findings[0].calls, n);
    ck_assert_uint_eq(e->findings[0].time, time_ns);
}
