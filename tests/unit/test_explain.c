/* The rules of aflame explain: each speaks at its thresholds, word by word, and is silent just below
 * one of them. */
#include <aflame/explain.h>
#include <aflame/open.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "base/out.h"
#include "finding/finding.h"
#include "made_trace.h"
#include "suite.h"

Suite *af_suite_explain(void);

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
     "main spent 10.0 ms of 100.0 ms (10.0 %) in one call of Main.hash itself, of which it ran 0"},
    {"long-call", TEN("8800") "100x20 com.example.Main.load\n10000 com.example.Main.load\n",
     "main spent 10.0 ms of 100.0 ms (10.0 %) in one call of Main.load; the median of its 21 calls "
     "is 100 µs"},
    {"long-call", TEN("8300") "2001x3 com.example.Main.load\n10000 com.example.Main.load\n", NULL},
    {"long-call", TEN("8810") "100x20 com.example.Main.load\n9890 com.example.Main.load\n", NULL},
    {"many-calls", FILL_90 "1x10000 com.example.Main.get\n",
     "main spent 10.0 ms of 100.0 ms (10.0 %) in 10,000 calls of Main.get, 1 µs each"},
    {"many-calls", FILL_90 "1x9999 com.example.Main.get\n", NULL},
    {"many-calls", FILL_95 IN_MAIN("50x100 com.example.Db.query"),
     "main spent 5.00 ms of 100.0 ms (5.0 %) in 100 calls of Db.query, 50 µs each, up to 100 in "
     "one "
     "call of Main.show"},
    {"many-calls", FILL_95 IN_MAIN("50x99 com.example.Db.query"), NULL},
    {"many-calls", FILL_90 "0x20 com.example.Main.show\n  10x50 com.example.Db.query\n",
     "main spent 10.0 ms of 100.0 ms (10.0 %) in 1,000 calls of Db.query, 10 µs each, all from "
     "Main.show"},
    {"many-calls", FILL_90 "0x20 com.example.Main.show\n  10x49 com.example.Db.query\n", NULL},
    {"blocked-main", FILL_95 IN_MAIN("~5000 java.lang.Object.wait"),
     "main waited 5.00 ms of 100.0 ms (5.0 %) in one call of Object.wait, on behalf of Main.show"},
    {"blocked-main", FILL_95 IN_MAIN("~4990 java.lang.Object.wait"), NULL},
    {"blocked-main",
     FILL_95 IN_MAIN("0x2 java.util.concurrent.FutureTask.get\n    ~2500 sun.misc.Unsafe.park"),
     "main waited 5.00 ms of 100.0 ms (5.0 %) in 2 calls of FutureTask.get, on behalf of "
     "Main.show"},
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
     "20000 android.view.Choreographer.doFrame\n  1000 "
     "android.view.ViewRootImpl.performMeasure\n5000x3 android.view.Choreographer.doFrame\n",
     "1 of 4 frames on main took longer than 16.7 ms, the worst 21.0 ms; measuring takes 2.8 % of "
     "all frames"},
    {"slow-frame", FILL_80 "16700x2 android.view.Choreographer.doFrame\n", NULL},
    {"startup",
     FILL_90 "4000 android.app.ActivityThread.handleBindApplication\n  2000 "
             "android.app.Instrumentation.callApplicationOnCreate\n4000 "
             "android.app.ActivityThread.handleLaunchActivity\n",
     "main spent 10.0 ms of 100.0 ms (10.0 %) starting the app: 2.00 ms in Application.onCreate, "
     "4.00 ms in creating the activity"},
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
     "main spent 5.00 ms of 100.0 ms (5.0 %) on JSON, XML or protobuf, in 1 call of "
     "JSONTokener.nextValue, on behalf of Main.show"},
    {"serialization", FILL_95 IN_MAIN("4990 org.json.JSONTokener.nextValue"), NULL},
    {"reflection",
     FILL_95 IN_MAIN("5000 java.lang.reflect.Method.invoke\n    0 com.example.Main.called"),
     "main spent 5.00 ms of 100.0 ms (5.0 %) in reflection itself, in 1 call of Method.invoke, on "
     "behalf of Main.show"},
    {"reflection",
     FILL_95 IN_MAIN("4000 java.lang.reflect.Method.invoke\n    9000 com.example.Main.called"),
     NULL},
    {"class-loading", FILL_95 IN_MAIN("5000 java.lang.ClassLoader.loadClass"),
     "main spent 5.00 ms of 100.0 ms (5.0 %) loading classes, in 1 call of ClassLoader.loadClass, "
     "on behalf of Main.show"},
    {"class-loading", FILL_95 IN_MAIN("4990 java.lang.ClassLoader.loadClass"), NULL},
    {"compose", FILL_90 "10000 androidx.compose.runtime.CompositionImpl.recompose\n",
     "main spent 10.0 ms of 100.0 ms (10.0 %) in Compose, in 1 call of CompositionImpl.recompose"},
    {"compose", FILL_90 "9990 androidx.compose.runtime.CompositionImpl.recompose\n", NULL},
    {"coroutines", FILL_95 IN_MAIN("5000 kotlinx.coroutines.BuildersKt.runBlocking"),
     "main spent 5.00 ms of 100.0 ms (5.0 %) in runBlocking, in 1 call of BuildersKt.runBlocking, "
     "on behalf of Main.show"},
    {"coroutines", FILL_95 IN_MAIN("4990 kotlinx.coroutines.BuildersKt.runBlocking"), NULL},
    {"gc", FILL_95 IN_MAIN("5000 java.lang.Runtime.gc"),
     "main spent 5.00 ms of 100.0 ms (5.0 %) collecting garbage, in 1 call of Runtime.gc, on "
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
    {"idle", "100 com.example.Main.show\n~100 android.os.MessageQueue.nativePollOnce\n",
     "main was idle for 100 µs of 200 µs (50.0 %) and worked for 100 µs: look at another thread, "
     "or record less"},
    {"idle", "101 com.example.Main.show\n~100 android.os.MessageQueue.nativePollOnce\n", NULL},
    {"data", FILL_90, NULL},
};

static af_explanation *explain(const char *text, const char *rule, af_profile **profile)
{
    const char *const rules[] = {rule, NULL};
    af_explain_options options = AF_EXPLAIN_OPTIONS_INIT;
    GError *error = NULL;
    options.rules = rule != NULL ? rules : NULL;
    options.input_name = "app.trace";
    *profile = made_trace_open(text);
    af_explanation *e = af_explanation_new(*profile, &options, &error);
    ck_assert_msg(e != NULL, "%s", error != NULL ? error->message : "");
    return e;
}

START_TEST(a_rule_speaks_at_its_threshold_and_is_silent_below)
{
    af_profile *profile;
    af_explanation *e = explain(cases[_i].text, cases[_i].rule, &profile);
    const char *first = af_explanation_text(e, 0);
    ck_assert_msg(g_strcmp0(first, cases[_i].sentence) == 0, "%s: \"%s\"", cases[_i].rule,
                  first != NULL ? first : "nothing");
    ck_assert_uint_le(af_explanation_n(e), 1);
    af_explanation_free(e);
    af_profile_free(profile);
}
END_TEST

static char *nest(unsigned depth, const char *label)
{
    GString *text = g_string_new(FILL_90);
    for (unsigned i = 0; i < depth; i++) {
        g_string_append_printf(text, "%*s100 %s%s\n", (int)(2 * i), "", label,
                               strchr(label, '.') == NULL ? g_strdup_printf("%u.run", i) : "");
    }
    return g_string_free(text, FALSE);
}

START_TEST(recursion_is_nested_calls)
{
    for (unsigned depth = 19; depth <= 20; depth++) {
        af_profile *profile;
        char *text = nest(depth, "com.example.Tree.visit");
        af_explanation *e = explain(text, "recursion", &profile);
        ck_assert_uint_eq(af_explanation_n(e), depth == 20 ? 1 : 0);
        if (depth == 20) {
            ck_assert_str_eq(
                af_explanation_text(e, 0),
                "main calls Tree.visit inside itself, 20 calls deep, which took 2.00 ms");
        }
        af_explanation_free(e);
        af_profile_free(profile);
        g_free(text);
    }
}
END_TEST

/* The whole file as one: what is shown, in which order, and how much it explains. */
START_TEST(time_counts_once_and_for_the_stronger_finding)
{
    af_profile *profile;
    /* the file is read in a long call, and its method is hot too */
    af_explanation *e = explain(FILL_80 "100x20 com.example.Main.load\n"
                                        "0 com.example.Main.load\n"
                                        "  18000 com.example.Main.parse\n",
                                NULL, &profile);
    ck_assert_uint_eq(af_explanation_n(e), 1);
    ck_assert_str_eq(e->findings[0].rule, "long-call");
    ck_assert_uint_eq(e->findings[0].time, 18000000);
    ck_assert_uint_eq(e->findings[0].call, 21);
    ck_assert_uint_eq(e->explained, 18000000);
    ck_assert_uint_eq(e->total, 100000000);
    af_explanation_free(e);
    af_profile_free(profile);
}
END_TEST

Suite *af_suite_explain(void)
{
    TCase *rules = tcase_create("rules");
    tcase_add_loop_test(rules, a_rule_speaks_at_its_threshold_and_is_silent_below, 0,
                        G_N_ELEMENTS(cases));
    tcase_add_test(rules, recursion_is_nested_calls);
    tcase_add_test(rules, time_counts_once_and_for_the_stronger_finding);
    Suite *suite = suite_create("explain");
    suite_add_tcase(suite, rules);
    return suite;
}
