#include <stdlib.h>
#include <string.h>

#include "../support/conservation.h"
#include "../support/part.h"
#include "base/capacity.h"
#include "model/busy.h"
#include "model/call_graph.h"
#include "model/waits.h"
#include "render/graph/sandwich.h"
#include "suite.h"
#include "text_profile.h"

static af_profile *profile;

static void set_up(void)
{
    profile = text_profile_new();
}

static void tear_down(void)
{
    if (profile != NULL) {
        af_profile_free(profile);
    }
}

AROUND_EACH(set_up, tear_down)

static void read_profile(const char *text)
{
    text_profile_add_thread(profile, 10 + profile->n_threads,
                            profile->n_threads == 0 ? "main" : "other", text);
}

static af_step step_text(af_step_kind kind, const char *text)
{
    return (af_step){.kind = kind, .text = text, .clock = AF_CLOCK_DEFAULT};
}

static af_step step_number(af_step_kind kind, uint64_t number)
{
    return (af_step){.kind = kind, .number = number, .clock = AF_CLOCK_DEFAULT};
}

#define WALL (1u << AF_WALL)
#define CPU  (1u << AF_CPU)

#define TEXT(kind, text)     step_text(AF_STEP_##kind, text)
#define NUMBER(kind, number) step_number(AF_STEP_##kind, number)
#define STEP(kind)           step_number(AF_STEP_##kind, 0)

static af_profile *reshape(const af_step *steps, size_t n)
{
    GError *error = NULL;
    if (profile->methods == NULL) {
        text_profile_finish(profile);
    }
    const char *broken = conservation_break(profile, steps, n);
    ck_assert_msg(broken == NULL, "%s", broken);
    af_profile *made = af_profile_reshape(profile, steps, n, &error);
    ck_assert_msg(made != NULL, "%s", error != NULL ? error->message : "");
    return made;
}

static void check_tree(const af_profile *made, uint32_t thread, const char *expected)
{
    g_autofree char *text = text_profile_thread(made, thread);
    ck_assert_str_eq(text, expected);
}

/* The result of the steps on the first thread. */
#define CHECK_STEPS(expected, ...)                                                                 \
    do {                                                                                           \
        const af_step steps_[] = {__VA_ARGS__};                                                    \
        af_profile *made_ = reshape(steps_, G_N_ELEMENTS(steps_));                                 \
        check_tree(made_, 0, expected);                                                            \
        af_profile_free(made_);                                                                    \
    } while (0)

static void check_refused(af_step step, int code, const char *expected)
{
    g_autoptr(GError) error = NULL;
    if (profile->methods == NULL) {
        text_profile_finish(profile);
    }
    ck_assert_ptr_null(af_profile_reshape(profile, &step, 1, &error));
    ck_assert_int_eq(error->code, code);
    ck_assert_str_eq(error->message, expected);
}

/* ---- selection ---- */

static const char app[] = "1 loop\n"
                          "  2 frame\n"
                          "    3x2 draw\n"
                          "      4x4 text\n"
                          "    5 layout\n"
                          "  6 input\n"
                          "    7 text\n"
                          "  0 empty\n"
                          "8 exit\n";

static af_step_view get_step(const af_profile *made, unsigned index)
{
    af_step_view view = AF_STEP_VIEW_INIT;
    ck_assert(af_profile_step(made, index, &view));
    return view;
}

TEST(focus_keeps_paths)
{
    read_profile(app);
    CHECK_STEPS("0/11 loop\n"
                "  0/4 frame\n"
                "    0/4 x2 ? draw\n"
                "      4/4 x4 1-1 text\n"
                "  0/7 input\n"
                "    7/7 text\n",
                TEXT(FOCUS, "text"));
    CHECK_STEPS("0/7 loop\n"
                "  0/7 frame\n"
                "    3/7 x2 1-6 draw\n"
                "      4/4 x4 1-1 text\n",
                TEXT(WITHIN, "draw"));
    CHECK_STEPS("0/4 loop\n"
                "  0/4 frame\n"
                "    0/4 x2 ? draw\n"
                "      4/4 x4 1-1 text\n",
                TEXT(FOCUS, "draw"), TEXT(FOCUS, "text"));
    CHECK_STEPS("8/8 exit\n", TEXT(FOCUS, "!/loop|frame|input|draw|text|layout|empty/"));
}

TEST(ignore_drops_paths)
{
    read_profile(app);
    CHECK_STEPS("1/17 loop\n"
                "  2/10 frame\n"
                "    3/3 x2 ? draw\n"
                "    5/5 layout\n"
                "  6/6 input\n"
                "  0/0 empty\n"
                "8/8 exit\n",
                TEXT(IGNORE, "text"));
    CHECK_STEPS("8/8 exit\n", TEXT(IGNORE, "loop"));
}

TEST(ignore_drops_callers_that_become_empty)
{
    read_profile("0 a\n"
                 "  0 b\n"
                 "    5 x\n"
                 "    0 c\n"
                 "  0 d\n"
                 "1 e\n");
    CHECK_STEPS("1/1 e\n", TEXT(IGNORE, "x"));
    CHECK_STEPS("0/5 a\n"
                "  0/5 b\n"
                "    5/5 x\n"
                "    0/0 c\n",
                TEXT(IGNORE, "d"), TEXT(IGNORE, "e"));
}

TEST(root_starts_at_the_outermost_match)
{
    read_profile("1 a\n"
                 "  2 x\n"
                 "    3 b\n"
                 "      4x2 x\n"
                 "  5 c\n"
                 "    6x3 x\n"
                 "      7 b\n");
    CHECK_STEPS("8/22 x4 1-11 x\n"
                "  10/14 x2 7-7 b\n"
                "    4/4 x2 1-3 x\n",
                TEXT(ROOT, "=x"));
    CHECK_STEPS("5/18 c\n"
                "  6/13 x3 1-11 x\n"
                "    7/7 b\n",
                TEXT(ROOT, "c"));
}

/* ---- detail ---- */

TEST(hide_charges_the_caller)
{
    read_profile(app);
    CHECK_STEPS("1/28 loop\n"
                "  5/14 frame\n"
                "    4/4 x4 1-1 text\n"
                "    5/5 layout\n"
                "  6/13 input\n"
                "    7/7 text\n"
                "  0/0 empty\n"
                "8/8 exit\n",
                TEXT(HIDE, "draw"));
    /* nodes that move up merge; without a caller their time is removed */
    CHECK_STEPS("11/11 x5 1-7 text\n", TEXT(HIDE, "!text"));
}

TEST(max_depth_charges_the_last_row)
{
    read_profile(app);
    CHECK_STEPS("1/28 loop\n"
                "  14/14 frame\n"
                "  13/13 input\n"
                "  0/0 empty\n"
                "8/8 exit\n",
                NUMBER(MAX_DEPTH, 2));
    CHECK_STEPS("28/28 loop\n"
                "8/8 exit\n",
                NUMBER(MAX_DEPTH, 1));
}

TEST(shorter_than_compares_the_longest_call)
{
    read_profile("1 a\n"
                 "  20x10 b\n" /* 1 ... 1, 11 */
                 "  9x9 c\n"   /* 1 ... 1 */
                 "    3x9 d\n"
                 "  2 e\n"
                 "1 f\n");
    CHECK_STEPS("15/35 a\n"
                "  20/20 x10 1-11 b\n",
                NUMBER(SHORTER_THAN, 10));
    CHECK_STEPS("15/35 a\n"
                "  20/20 x10 1-11 b\n",
                NUMBER(SHORTER_THAN, 11));
    CHECK_STEPS("35/35 a\n", NUMBER(SHORTER_THAN, 12));
    const af_step cpu = {.kind = AF_STEP_SHORTER_THAN, .number = 9, .clock = AF_CPU};
    CHECK_STEPS("35/35 a\n", cpu);
}

TEST(unknown_calls_are_bounded_by_the_sum)
{
    read_profile("1 a\n"
                 "  20x10 b\n"
                 "    5x10 c\n");
    CHECK_STEPS("1/21 a\n"
                "  20/20 x10 ? b\n",
                TEXT(IGNORE, "c"), NUMBER(SHORTER_THAN, 20));
    CHECK_STEPS("21/21 a\n", TEXT(IGNORE, "c"), NUMBER(SHORTER_THAN, 21));
}

/* ---- simplification ---- */

TEST(fold_counts_the_frames_of_most_time)
{
    read_profile("1 android.os.Looper.loop\n"
                 "  2 android.os.Handler.dispatchMessage\n"
                 "    3 java.lang.reflect.Method.invoke\n"
                 "      4 com.me.Main.run\n"
                 "        5 java.util.ArrayList.add\n"
                 "        6 java.util.HashMap.put\n"
                 "          7 java.util.HashMap.resize\n"
                 "        8 java.lang.String.format\n"
                 "          9 java.util.Formatter.format\n"
                 "            10 com.me.Main.toString\n"
                 "    11 com.me.Main.run\n"
                 "  12 java.lang.Object.wait\n");
    CHECK_STEPS("6/78 \u2026 3 framework frames\n"
                "  15/60 x2 11-49 com.me.Main.run\n"
                "    5/5 java.util.ArrayList.add\n"
                "    30/40 x2 13-27 \u2026 2 framework frames\n"
                "      10/10 com.me.Main.toString\n"
                "  12/12 java.lang.Object.wait\n",
                TEXT(FOLD, "framework"));
    CHECK_STEPS("1/78 android.os.Looper.loop\n"
                "  2/65 android.os.Handler.dispatchMessage\n"
                "    3/52 java.lang.reflect.Method.invoke\n"
                "      4/49 com.me.Main.run\n"
                "        5/5 java.util.ArrayList.add\n"
                "        13/13 \u2026 2 java.util.HashMap.* frames\n"
                "        8/27 java.lang.String.format\n"
                "          9/19 java.util.Formatter.format\n"
                "            10/10 com.me.Main.toString\n"
                "    11/11 com.me.Main.run\n"
                "  12/12 java.lang.Object.wait\n",
                TEXT(FOLD, "java.util.HashMap.*"));
}

/* The longest branch has 4 frames and almost no time; most of it ends in the first one. */
TEST(fold_does_not_count_the_longest_branch)
{
    read_profile("90 java.a.A.a\n"
                 "  5 java.a.A.b\n"
                 "    0 java.a.A.c\n"
                 "      1 java.a.A.d\n"
                 "  4 com.me.Main.run\n");
    CHECK_STEPS("96/100 \u2026 1 java.** frame\n"
                "  4/4 com.me.Main.run\n",
                TEXT(FOLD, "java.**"));
}

TEST(direct_recursion_becomes_one_frame)
{
    read_profile("1 f\n"
                 "  2x3 f\n"
                 "    3 f\n"
                 "    4 g\n"
                 "  5 g\n");
    CHECK_STEPS("6/15 f\n"
                "  9/9 x2 4-5 g\n",
                STEP(COLLAPSE_RECURSION));
}

TEST(mutual_recursion_becomes_one_run)
{
    read_profile("1 a\n"
                 "  2 b\n"
                 "    3 c\n"
                 "      4 a\n"
                 "        5 b\n"
                 "          6 c\n"
                 "            7 a\n"
                 "              8 x\n");
    CHECK_STEPS("1/36 a\n"
                "  2/35 b\n"
                "    9/33 c\n"
                "      11/24 x2 9-15 a\n"
                "        5/5 b\n"
                "        8/8 x\n",
                STEP(COLLAPSE_RECURSION));
}

/* A caller with the same name does not count: its callee would be taken out of the middle. */
TEST(equal_names_are_not_recursion)
{
    read_profile("1 invoke\n"
                 "  2 main\n"
                 "    3 invoke\n"
                 "      4 target\n");
    CHECK_STEPS("1/10 invoke\n"
                "  2/9 main\n"
                "    3/7 invoke\n"
                "      4/4 target\n",
                STEP(COLLAPSE_RECURSION));
}

TEST(clean_restores_source_names)
{
    read_profile("1 com.me.Foo$$ExternalSyntheticLambda0.run\n"
                 "  2 com.me.Foo.$r8$lambda$aBc\n"
                 "    3 com.me.Foo.lambda$onCreate$0\n"
                 "      4 com.me.Foo.access$000\n"
                 "        5 com.me.Foo.load\n"
                 "      6 com.me.Foo$Companion.make\n"
                 "        7 com.me.Foo.make\n"
                 "      8 com.me.Util$-CC.$default$go\n"
                 "        9 com.me.Util.go\n"
                 "          10 com.me.Util$-CC.$default$go\n"
                 "  11 kotlin.text.StringsKt.trim$default\n");
    CHECK_STEPS("3/66 com.me.Foo.<lambda>\n"
                "  7/52 com.me.Foo.onCreate.<lambda#0>\n"
                "    5/5 com.me.Foo.load\n"
                "    13/13 com.me.Foo.make\n"
                "    17/27 com.me.Util.go\n"
                "      10/10 com.me.Util.go\n"
                "  11/11 kotlin.text.trim\n",
                STEP(CLEAN));
}

/* The shade of the label with the text; its category is unchanged. */
static unsigned find_shade(const af_profile *of, const char *text, af_category category)
{
    for (uint32_t l = 0; l < of->n_labels; l++) {
        if (strcmp(of->labels[l].text, text) == 0) {
            ck_assert_int_eq(of->labels[l].category, category);
            return of->labels[l].shade;
        }
    }
    ck_abort_msg("no label %s", text);
    return 0;
}

TEST(clean_dims_machinery_and_marks_generated_code)
{
    read_profile("1 kotlinx.coroutines.DispatchedTask.run\n"
                 "  2 kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith\n"
                 "    3 com.me.Foo$load$1.invokeSuspend\n"
                 "      4 com.me.Foo$load$1.create\n"
                 "      5 kotlinx.coroutines.DispatchedTaskKt.resume\n"
                 "      6 com.me.Bits.a\n"
                 "      7 com.me.Foo$$ExternalSyntheticOutline0.m\n");
    text_profile_finish(profile);
    for (uint32_t m = 0; m < profile->n_methods; m++) {
        if (g_strcmp0(profile->methods[m].class_name, "com.me.Bits") == 0) {
            profile->methods[m].source = "R8$$SyntheticClass";
        }
    }
    CHECK_STEPS("1/28 kotlinx.coroutines.DispatchedTask.run\n"
                "  2/27 kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith\n"
                "    3/25 com.me.Foo.load {suspend}\n"
                "      4/4 com.me.Foo$load$1.create\n"
                "      5/5 kotlinx.coroutines.resume\n"
                "      6/6 com.me.Bits.a {generated}\n"
                "      7/7 com.me.Foo$$ExternalSyntheticOutline0.m {outline}\n",
                STEP(CLEAN));
    const af_step clean = {.kind = AF_STEP_CLEAN};
    g_autoptr(af_profile) made = af_profile_reshape(profile, &clean, 1, NULL);
    static const char *const dim[] = {
        "kotlinx.coroutines.DispatchedTask.run",
        "kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith",
        "kotlinx.coroutines.resume"};
    for (size_t i = 0; i < G_N_ELEMENTS(dim); i++) {
        ck_assert_uint_eq(find_shade(made, dim[i], AF_CATEGORY_KOTLIN), AF_CATEGORY_DIM);
    }
    ck_assert_uint_eq(find_shade(made, "com.me.Foo$load$1.create", AF_CATEGORY_APP),
                      AF_CATEGORY_DIM);
    ck_assert_uint_lt(find_shade(made, "com.me.Foo.load {suspend}", AF_CATEGORY_APP),
                      AF_CATEGORY_DIM);
    /* and only there */
    ck_assert_uint_lt(find_shade(profile, dim[0], AF_CATEGORY_KOTLIN), AF_CATEGORY_DIM);
}

TEST(inverting_puts_callers_above)
{
    read_profile("1 a\n"
                 "  2x2 f\n"
                 "    3x4 g\n"
                 "  4 b\n"
                 "    5 g\n"
                 "      6 f\n");
    /* by time */
    CHECK_STEPS("0/8 x3 ? f\n"
                "  0/6 g\n"
                "    0/6 b\n"
                "      6/6 a\n"
                "  2/2 x2 ? a\n"
                "0/8 x5 ? g\n"
                "  0/5 b\n"
                "    5/5 a\n"
                "  0/3 x4 ? f\n"
                "    3/3 x4 ? a\n"
                "0/4 b\n"
                "  4/4 a\n"
                "1/1 a\n",
                STEP(INVERT_CALLERS));
    CHECK_STEPS("1/1 a\n"
                "0/8 x3 ? f\n"
                "  2/2 x2 ? a\n"
                "  0/6 g\n"
                "    0/6 b\n"
                "      6/6 a\n"
                "0/8 x5 ? g\n"
                "  0/3 x4 ? f\n"
                "    3/3 x4 ? a\n"
                "  0/5 b\n"
                "    5/5 a\n"
                "0/4 b\n"
                "  4/4 a\n",
                STEP(INVERT_CALLERS), NUMBER(SORT, AF_SORT_FIRST));
    /* and back: the times, not the calls, which are those of the former root */
    CHECK_STEPS("1/21 x10 ? a\n"
                "  2/5 x6 ? f\n"
                "    3/3 x4 ? g\n"
                "  4/15 x3 ? b\n"
                "    5/11 x2 ? g\n"
                "      6/6 f\n",
                STEP(INVERT_CALLERS), STEP(INVERT_CALLERS), NUMBER(SORT, AF_SORT_FIRST));
}

/* A pool waits for a task, a future for a result, both in Unsafe.park. */
TEST(callers_decide_what_is_idle_before_steps_move_them)
{
    static const af_step steps[] = {
        {.kind = AF_STEP_INVERT_CALLERS},
        {.kind = AF_STEP_HIDE, .text = "getTask"},
        {.kind = AF_STEP_WITHIN, .text = "park"},
        {.kind = AF_STEP_MERGE_THREADS, .text = "all"},
    };
    text_profile_add_thread(profile, 1, "pool-1-thread-1",
                            "0 java.util.concurrent.ThreadPoolExecutor.getTask\n"
                            "  7 sun.misc.Unsafe.park\n"
                            "0 java.util.concurrent.FutureTask.get\n"
                            "  5 sun.misc.Unsafe.park\n");
    text_profile_add_thread(profile, 2, "ReferenceQueueDaemon", "3 java.lang.Object.wait\n");
    for (unsigned i = 0; i < G_N_ELEMENTS(steps); i++) {
        g_autoptr(af_profile) made = reshape(&steps[i], 1);
        g_autoptr(af_busy) busy = af_busy_new(made, AF_WALL);
        const uint64_t daemon_ns = steps[i].kind == AF_STEP_WITHIN ? 0 : 3;
        ck_assert_msg(busy->total_ns == 5 && busy->total_idle_ns == 7 + daemon_ns,
                      "step %u: %" G_GUINT64_FORMAT " ns idle", i, busy->total_idle_ns);
    }
}

/* The same method may be idle and blocked: it is one method, and what most of its time is. */
TEST(a_call_graph_and_a_sandwich_have_each_method_once)
{
    static const af_step hide = {.kind = AF_STEP_HIDE, .text = "getTask"};
    text_profile_add_thread(profile, 1, "pool-1-thread-1",
                            "0 java.util.concurrent.ThreadPoolExecutor.runWorker\n"
                            "  0 java.util.concurrent.ThreadPoolExecutor.getTask\n"
                            "    0 java.util.concurrent.locks.LockSupport.park\n"
                            "      7 sun.misc.Unsafe.park\n"
                            "  0 java.util.concurrent.locks.LockSupport.park\n"
                            "    5 sun.misc.Unsafe.park\n");
    g_autoptr(af_profile) made = reshape(&hide, 1);
    const af_tree *tree = made->threads[0].tree;
    ck_assert_uint_eq(tree->n, 6); /* idle and blocked calls stay apart */
    const uint32_t first[] = {0};
    const af_call_graph_options options = {.clock = AF_WALL, .threads = first, .n_threads = 1};
    af_call_graph *graph = af_call_graph_new(made, &options);
    ck_assert_uint_eq(graph->n_nodes, 3);
    ck_assert_uint_eq(graph->n_arcs, 2);
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const gboolean parks = graph->nodes[i].label == tree->label[3];
        ck_assert(af_call_node_is_idle(&graph->nodes[i]) == parks);
    }
    af_call_graph_free(graph);
    uint32_t turn;
    g_autoptr(af_tree) sandwich = af_sandwich_new(tree, tree->label[2], &turn);
    ck_assert_uint_eq(sandwich->n, 4);
    for (uint32_t n = 1; n < sandwich->n; n++) {
        const gboolean waits = sandwich->label[n] != tree->label[1];
        ck_assert_uint_eq(af_waits_is_idle(made, sandwich, n), waits);
    }
}

TEST(the_time_of_the_tracer_is_removed)
{
    read_profile("100 a\n"
                 "  50x5 b\n"
                 "    20x4 c\n"
                 "  3 d\n"
                 "    0 e\n");
    check_refused(STEP(COMPENSATE), AF_ERROR_USAGE,
                  "the trace does not record the cost of reading the clock "
                  "(clock-call-overhead-nsec)");
    profile->facts.android.has_call_overhead = TRUE;
    profile->facts.android.call_overhead_ns = 2;
    /* two clock readings per call, one in it and one in its caller; never more than its time */
    CHECK_STEPS("86/130 a\n"
                "  32/44 x5 ? b\n"
                "    12/12 x4 0-12 c\n"
                "  0/0 d\n"
                "    0/0 e\n",
                STEP(COMPENSATE));
    const af_step steps[] = {STEP(COMPENSATE), TEXT(HIDE, "c")};
    g_autoptr(af_profile) made = reshape(steps, 2);
    af_step_view view = AF_STEP_VIEW_INIT;
    ck_assert(af_profile_step(made, 0, &view));
    ck_assert_uint_eq(view.left_out_ns[AF_WALL], 14 + 18 + 8 + 3);
    ck_assert_uint_eq(view.left_out_ns[AF_CPU], 14 + 18 + 8 + 1);
    ck_assert_str_eq(view.option, "--compensate");
    ck_assert_str_eq(view.message,
                     "without the tracer's own time as far as it is known: 43 ns wall, "
                     "41 ns CPU (two readings of the clock for each call, 2 ns each)");
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(af_profile_reshape(made, steps, 1, &error));
    ck_assert_str_eq(error->message, "the tracer's own time was already removed");
    profile->facts.content = AF_CONTENT_SAMPLED_CALLS;
    check_refused(STEP(COMPENSATE), AF_ERROR_USAGE,
                  "this recording holds samples, not calls, so the cost of the tracer is unknown");
}

TEST(siblings_are_sorted)
{
    read_profile("1 b\n"
                 "  2 z\n"
                 "  5 y\n"
                 "    1 c\n"
                 "    1 a\n"
                 "9 c\n"
                 "1 a\n");
    CHECK_STEPS("1/10 b\n"
                "  5/7 y\n"
                "    1/1 c\n"
                "    1/1 a\n"
                "  2/2 z\n"
                "9/9 c\n"
                "1/1 a\n",
                NUMBER(SORT, AF_SORT_TIME));
    CHECK_STEPS("1/1 a\n"
                "1/10 b\n"
                "  5/7 y\n"
                "    1/1 a\n"
                "    1/1 c\n"
                "  2/2 z\n"
                "9/9 c\n",
                NUMBER(SORT, AF_SORT_NAME));
    CHECK_STEPS("1/10 b\n"
                "  2/2 z\n"
                "  5/7 y\n"
                "    1/1 c\n"
                "    1/1 a\n"
                "9/9 c\n"
                "1/1 a\n",
                NUMBER(SORT, AF_SORT_TIME), NUMBER(SORT, AF_SORT_FIRST));
    /* the order comes last, wherever it is given */
    CHECK_STEPS("5/5 y\n"
                "2/2 z\n",
                NUMBER(SORT, AF_SORT_TIME), TEXT(IGNORE, "/[ac]/"), TEXT(HIDE, "b"));
}

/* ---- threads ---- */

static void read_threads(void)
{
    static const char *const names[] = {"pool-1-thread-2", "pool-10-thread-31", "main",
                                        "Binder:7_1", "pool-1-thread-7"};
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *text = g_strdup_printf("%u a\n  1 b\n", i);
        text_profile_add_thread(profile, 10 + i, names[i], text);
    }
}

TEST(pools_merge_into_one_thread)
{
    read_threads();
    const af_step step = TEXT(MERGE_THREADS, "pool");
    g_autoptr(af_profile) made = reshape(&step, 1);
    ck_assert_uint_eq(made->n_threads, 3);
    ck_assert_str_eq(made->threads[0].title, "pool-#-thread-#");
    ck_assert_uint_eq(made->threads[0].merged, 3);
    ck_assert_uint_eq(made->threads[0].id, 10);
    ck_assert_uint_eq(made->threads[0].calls, 6);
    ck_assert_str_eq(made->threads[1].title, "main");
    ck_assert_uint_eq(made->threads[1].merged, 0);
    check_tree(made, 0, "5/8 x3 1-5 a\n  3/3 x3 1-1 b\n");
}

/* A thread whose scheduling was not recorded; absent is not 0. */
TEST(pools_report_lost_times)
{
    read_threads();
    af_tree *tree = profile->threads[0].tree;
    tree->runnable = g_new0(uint64_t, tree->n);
    const af_step step = TEXT(MERGE_THREADS, "pool");
    g_autoptr(af_profile) made = reshape(&step, 1);
    ck_assert_ptr_null(made->threads[0].tree->runnable);
    ck_assert_str_eq(
        made->steps[0].message,
        "some of the threads lack times of waiting for a processor, so the merged thread has none");
}

TEST(pool_names_keep_one_number_sign)
{
    text_profile_add_thread(profile, 1, "AsyncTask #1", "1 a\n");
    text_profile_add_thread(profile, 2, "AsyncTask #12", "2 a\n");
    text_profile_add_thread(profile, 3, "AsyncTask #", "4 a\n");
    text_profile_add_thread(profile, 4, "12ab3", "8 a\n");
    text_profile_add_thread(profile, 5, "7ab", "16 a\n");
    const af_step step = TEXT(MERGE_THREADS, "all");
    g_autoptr(af_profile) made = reshape(&step, 1);
    ck_assert_uint_eq(made->n_threads, 3);
    ck_assert_str_eq(made->threads[0].title, "AsyncTask #");
    ck_assert_uint_eq(made->threads[0].merged, 3);
    ck_assert_str_eq(made->threads[1].title, "12ab3");
}

TEST(threads_are_selected_within_steps)
{
    read_threads();
    const af_step steps[] = {TEXT(THREADS, "pool-1-thread-2"), TEXT(THREADS, "main"),
                             TEXT(MERGE_THREADS, "all")};
    g_autoptr(af_profile) made = reshape(steps, 3);
    ck_assert_uint_eq(made->n_threads, 2);
    ck_assert_str_eq(made->threads[0].title, "pool-1-thread-2");
    ck_assert_uint_eq(made->steps[0].left_out_ns[AF_WALL], 2 + 4 + 5);
    ck_assert_uint_eq(made->steps[0].matched, 2);
    ck_assert_ptr_nonnull(made->steps[2].message);
}

/* ---- records ---- */

TEST(steps_are_on_record)
{
    read_profile(app);
    const af_step steps[] = {TEXT(FOCUS, "loop"), TEXT(HIDE, "!/draw|loop/"),
                             NUMBER(SHORTER_THAN, 1500000), TEXT(HIDE, "drwa"),
                             NUMBER(SORT, AF_SORT_NAME)};
    af_profile *made = reshape(steps, 2);
    g_autoptr(af_profile) again = NULL;
    ck_assert_uint_eq(af_profile_n_steps(made), 2);
    af_step_view view = AF_STEP_VIEW_INIT;
    ck_assert(af_profile_step(made, 0, &view));
    ck_assert_str_eq(view.option, "--focus loop");
    ck_assert_uint_eq(view.left_out_ns[AF_WALL], 8);
    ck_assert_uint_eq(view.left_out_ns[AF_CPU], 4);
    ck_assert_uint_eq(view.moved_ns[AF_WALL], 0);
    ck_assert_uint_eq(view.matched, 1);
    ck_assert(af_profile_step(made, 1, &view));
    ck_assert_str_eq(view.option, "--hide '!/draw|loop/'");
    ck_assert_uint_eq(view.left_out_ns[AF_WALL], 0);
    ck_assert_uint_eq(view.moved_ns[AF_WALL], 2 + 4 + 5 + 6 + 7);
    ck_assert_uint_eq(view.matched, 6);

    GError *error = NULL;
    again = af_profile_reshape(made, steps + 2, 3, &error);
    ck_assert_ptr_null(again);
    ck_assert_str_eq(error->message, "nothing is left after --sort name; no method matches "
                                     "\"drwa\"; did you mean \"draw\"?");
    g_clear_error(&error);
    again = af_profile_reshape(made, steps + 3, 2, &error);
    af_profile_free(made); /* the profile holds a reference */
    ck_assert_uint_eq(af_profile_n_steps(again), 4);
    ck_assert_str_eq(get_step(again, 0).option, "--focus loop");
    ck_assert_str_eq(get_step(again, 3).option, "--sort name");
    ck_assert_str_eq(get_step(again, 2).message,
                     "no method matches \"drwa\"; did you mean \"draw\"?");
    af_step_view none = AF_STEP_VIEW_INIT;
    ck_assert(!af_profile_step(again, 9, &none));
    ck_assert_ptr_eq(af_profile_origin(again), profile);
}

TEST(contradictory_steps_are_refused)
{
    read_profile(app);
    check_refused(TEXT(FOCUS, "tetx"), AF_ERROR_NOTHING,
                  "--focus tetx: no method matches \"tetx\"; did you mean \"text\"?");
    check_refused(TEXT(ROOT, "/(/"), AF_ERROR_USAGE,
                  "/(/ is not a valid regular expression: missing terminating )");
    check_refused(TEXT(HIDE, ""), AF_ERROR_USAGE, "the pattern \"\" is empty");
    check_refused(TEXT(HIDE, NULL), AF_ERROR_USAGE, "--hide needs a pattern");
    check_refused(NUMBER(MAX_DEPTH, 0), AF_ERROR_USAGE, "the minimum depth is 1");
    check_refused(NUMBER(SORT, 3), AF_ERROR_USAGE, "invalid order of siblings");
    check_refused((af_step){.kind = (af_step_kind)99}, AF_ERROR_USAGE, "invalid kind of step: 99");
    check_refused(TEXT(THREADS, "mian"), AF_ERROR_USAGE,
                  "no thread with records has the name or id \"mian\"; did you mean \"main\"?");
    check_refused(TEXT(IGNORE, "**"), AF_ERROR_NOTHING, "nothing is left after --ignore '**'");
    const af_step clock = {.kind = AF_STEP_SORT, .clock = (af_clock)5};
    check_refused(clock, AF_ERROR_USAGE, "invalid clock: 5");
}

/* ---- depth ---- */

/* A chain of frames of three methods; every step must handle it. */
TEST(deep_trees_can_be_reshaped)
{
    enum { DEPTH = AF_WORK(200000, 20000) };
    static const made_row rows[] = {
        {1, "android.a.x", {1, 1}}, {2, "b", {1, 1}}, {3, "c$default", {1, 1}}, {0, NULL, {0, 0}}};
    af_thread *thread = made_thread_add(profile, 10, "main", "main", rows);
    af_tree_free(thread->tree);
    thread->tree = af_tree_new(DEPTH + 1, WALL | CPU);
    for (uint32_t n = 1; n <= DEPTH; n++) {
        thread->tree->parent[n] = n - 1;
        thread->tree->label[n] = n * n % 3;
        thread->tree->calls[n] = 1;
        thread->tree->self[AF_WALL][n] = n % 7;
    }
    af_tree_sum(thread->tree);
    for (uint32_t n = 1; n <= DEPTH; n++) {
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            thread->tree->min[c][n] = thread->tree->max[c][n] = thread->tree->inclusive[c][n];
        }
    }
    text_profile_finish(profile);
    profile->facts.android.has_call_overhead = TRUE;
    profile->facts.android.call_overhead_ns = 1;
    for (unsigned kind = 0; kind < AF_STEP_KINDS; kind++) {
        const af_step step = {.kind = (af_step_kind)kind,
                              .text = kind == AF_STEP_THREADS ? "main" : "b",
                              .number = kind == AF_STEP_MAX_DEPTH ? DEPTH / 2 : 1,
                              .clock = AF_CLOCK_DEFAULT};
        const char *broken = conservation_break(profile, &step, 1);
        ck_assert_msg(broken == NULL, "%u: %s", kind, broken);
    }
}

TEST(callers_over_the_limit_are_dropped)
{
    /* each method has all earlier ones as callers: three times as many nodes in each of two threads
     * as both may have */
    enum { DEPTH = AF_WORK(3000, 750), THREAD_NODES_MAX = AF_WORK(3 << 19, 3 << 15) };
    g_autofree made_row *rows = g_new0(made_row, DEPTH + 1);
    for (uint32_t i = 0; i < DEPTH; i++) {
        g_autofree char *name = g_strdup_printf("m%u", i);
        rows[i] = (made_row){i + 1,
                             af_arena_copy(profile->arena, name, strlen(name)),
                             {i % 100 == 99 ? 1000 : 1, 0}};
    }
    made_thread_add(profile, 1, "main", "main", rows);
    made_thread_add(profile, 2, "other", "other", rows);
    text_profile_finish(profile);
    const af_step step = {.kind = AF_STEP_INVERT_CALLERS};
    ck_assert_ptr_null(conservation_break(profile, &step, 1));
    g_autoptr(af_profile) made = af_profile_reshape(profile, &step, 1, NULL);
    ck_assert_str_eq(
        get_step(made, 0).message,
        AF_WORK("only the nearest 134 callers are shown for the 2,676 lightest stacks, "
                "which took 4.1 %",
                "only the nearest 33 callers are shown for the 670 lightest stacks, "
                "which took 4.3 %"));
    for (unsigned t = 0; t < 2; t++) {
        const af_tree *tree = made->threads[t].tree;
        unsigned whole = 0;
        ck_assert_uint_le(tree->n, THREAD_NODES_MAX + 1); /* each thread has half of the budget */
        for (uint32_t n = 1; n < tree->n; n++) {
            whole += tree->self[AF_WALL][n] == 1000 &&
                     strcmp(profile->labels[tree->label[n]].text, "m0") == 0;
        }
        ck_assert_uint_eq(whole, DEPTH / 100); /* the heavy ones have all their callers */
    }
}

/* ---- arbitrary trees, arbitrary steps ---- */

static uint32_t random_state;

static uint32_t draw(uint32_t n)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)random_state * n) >> 32);
}

static void draw_thread(unsigned number)
{
    static const char *const labels[] = {"android.os.Looper.loop",
                                         "java.util.List.add",
                                         "java.lang.Object.wait",
                                         "com.me.Main.run",
                                         "com.me.Main.run$default",
                                         "com.me.Main.access$000",
                                         "com.me.Main$Companion.run",
                                         "kotlin.io.FilesKt.read",
                                         "com.me.Foo.lambda$run$1",
                                         "com.me.Foo$$Lambda$1.run",
                                         "a.b.c"};
    static const char *const names[] = {"pool-1", "pool-2", "x", "x", "main"};
    g_autoptr(GString) text = g_string_new(NULL);
    const unsigned n = 1 + draw(60), spread = 2 + draw(G_N_ELEMENTS(labels) - 2);
    unsigned depth = 0;
    for (unsigned i = 0; i < n; i++) {
        depth = i == 0 ? 0 : draw(4) > 0 ? depth + 1 : draw(depth + 2);
        const unsigned calls = draw(3) > 0 ? 1 : 1 + draw(5);
        g_string_append_printf(text, "%*s%ux%u %s\n", (int)depth * 2, "", draw(3) * draw(1000),
                               calls, labels[draw(spread)]);
    }
    text_profile_add_thread(profile, number + 1, names[draw(G_N_ELEMENTS(names))], text->str);
    /* siblings with the same label are invalid */
    uint32_t same[16];
    for (uint32_t l = 0; l < G_N_ELEMENTS(same); l++) {
        same[l] = l;
    }
    af_thread *thread = &profile->threads[profile->n_threads - 1];
    af_tree *merged = af_tree_relabel(thread->tree, same);
    af_tree_free(thread->tree);
    thread->tree = merged;
    if (draw(2) > 0) {
        merged->runnable = g_new0(uint64_t, merged->n);
        for (uint32_t node = 1; node < merged->n; node++) {
            const uint64_t waited = af_tree_self_ns(merged, node, AF_WAIT);
            merged->runnable[node] = draw((uint32_t)waited + 1);
        }
    }
}

static af_step draw_step(void)
{
    static const char *const texts[] = {"run",  "com.me.**", "!com.me.**", "/^j|b/", "=a.b.c",
                                        "wait", "framework", "all",        "*.b.*",  "loop",
                                        "main", "pool",      "/./"};
    return (af_step){.kind = (af_step_kind)draw(AF_STEP_KINDS),
                     .text = texts[draw(G_N_ELEMENTS(texts))],
                     .number = 1 + draw(2) * draw(3000) + draw(2),
                     .clock = (af_clock)((int)draw(3) - 1)};
}

TEST(time_is_conserved)
{
    unsigned done = 0;
    af_profile_free(profile);
    for (unsigned round = test_part_first(); round < 2500; round += test_part()) {
        random_state = round;
        profile = text_profile_new();
        profile->facts.android.has_call_overhead = draw(4) > 0;
        profile->facts.android.call_overhead_ns = draw(300);
        const unsigned threads = 1 + draw(4);
        for (unsigned t = 0; t < threads; t++) {
            draw_thread(t);
        }
        text_profile_finish(profile);
        af_step steps[AF_STEP_KINDS];
        const unsigned n = draw(G_N_ELEMENTS(steps) + 1);
        for (unsigned i = 0; i < n; i++) {
            steps[i] = draw_step();
            if (steps[i].kind == AF_STEP_SORT) {
                steps[i].number %= 3;
            }
        }
        g_autoptr(af_profile) made = af_profile_reshape(profile, steps, n, NULL);
        done += made != NULL && n > 1;
        const char *broken = conservation_break(profile, steps, n);
        af_profile_free(profile);
        profile = NULL;
        ck_assert_msg(broken == NULL, "round %u: %s", round, broken);
    }
    ck_assert_uint_gt(done, 200 / test_part());
}
