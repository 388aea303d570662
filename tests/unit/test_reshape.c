/* Reshaping. Its effects on trees are the cases of ../data/reshape.txt. A case ends at an empty line:
 *   # what it shows
 *   overhead NS            what the trace declares for one reading of the clock
 *   records                with each step, the number of its frames and the time it moved
 *   thread ID NAME         starts a thread
 *   SELF LABEL             of its tree, as text_profile.h explains
 *   --focus draw --clean   steps; --cpu is the clock of those that follow. Below them are the threads
 *                          that they make and their messages, or the error. May repeat */
#include <stdlib.h>
#include <string.h>

#include "../support/conservation.h"
#include "../support/part.h"
#include "base/capacity.h"
#include "cases.h"
#include "model/busy.h"
#include "model/call_graph.h"
#include "model/waits.h"
#include "render/graph/sandwich.h"
#include "suite.h"
#include "text_profile.h"
#include "transform/step.h"

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
    text_profile_add_thread(profile, 10, "main", text);
    text_profile_finish(profile);
}

static af_step step_text(af_step_kind kind, const char *text)
{
    return (af_step){.kind = kind, .text = text, .clock = AF_CLOCK_DEFAULT};
}

#define TEXT(kind, text) step_text(AF_STEP_##kind, text)

static af_profile *reshape(const af_step *steps, size_t n, GError **error)
{
    const char *broken = conservation_break(profile, steps, n);
    ck_assert_msg(broken == NULL, "%s", broken);
    return af_profile_reshape(profile, steps, n, error);
}

/* ---- cases ---- */

static af_step_view get_step(const af_profile *made, unsigned index)
{
    af_step_view view = AF_STEP_VIEW_INIT;
    ck_assert(af_profile_step(made, index, &view));
    return view;
}

/* The step that an option and its value stand for. It borrows the value. */
static af_step parse_step(const char *option, const char *value)
{
    af_step step = {.kind = (af_step_kind)0, .text = value, .clock = AF_CLOCK_DEFAULT};
    while (strcmp(option, af_step_class_at(step.kind)->name) != 0) {
        step.kind++;
        ck_assert_msg(step.kind < AF_STEP_KINDS, "%s", option);
    }
    switch (af_step_class_at(step.kind)->value) {
    case AF_STEP_DEPTH:
    case AF_STEP_TIME:
        step.number = strtoull(value, NULL, 10);
        break;
    case AF_STEP_ORDER:
        step.number = *value == 't' ? AF_SORT_TIME : *value == 'n' ? AF_SORT_NAME : AF_SORT_FIRST;
        break;
    default:
        break;
    }
    return step;
}

/* What the options of a line make of the profile. */
static char *apply(const char *line, gboolean records)
{
    g_auto(GStrv) words = NULL;
    ck_assert(g_shell_parse_argv(line, NULL, &words, NULL));
    g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(af_step));
    af_clock clock = AF_CLOCK_DEFAULT;
    for (unsigned i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], "--cpu") == 0) {
            clock = AF_CPU;
            continue;
        }
        af_step step = parse_step(words[i] + 2, words[i + 1]);
        step.clock = clock;
        g_array_append_val(steps, step);
        i += af_step_class_at(step.kind)->value != AF_STEP_NO_VALUE;
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(af_profile) made = reshape((const af_step *)(void *)steps->data, steps->len, &error);
    if (made == NULL) {
        return g_strdup_printf("%s: %s\n", error->code == AF_ERROR_USAGE ? "usage" : "nothing",
                               error->message);
    }
    GString *text = g_string_new(NULL);
    for (uint32_t t = 0; t < made->n_threads; t++) {
        if (profile->n_threads > 1) {
            g_string_append_printf(text, "thread %u %s", (unsigned)made->threads[t].id,
                                   made->threads[t].title);
            g_string_append_printf(text, made->threads[t].merged > 0 ? " of %u\n" : "\n",
                                   made->threads[t].merged);
        }
        g_autofree char *tree = text_profile_thread(made, t);
        g_string_append(text, tree);
    }
    for (unsigned i = 0; i < af_profile_n_steps(made); i++) {
        const af_step_view step = get_step(made, i);
        if (records) {
            g_string_append_printf(
                text, "step %s: %u frames, left out %u/%u, moved %u\n", step.option,
                (unsigned)step.matched, (unsigned)step.left_out_ns[AF_WALL],
                (unsigned)step.left_out_ns[AF_CPU], (unsigned)step.moved_ns[AF_WALL]);
        }
        if (step.message != NULL) {
            g_string_append_printf(text, "message: %s\n", step.message);
        }
    }
    return g_string_free(text, FALSE);
}

static void add_thread(const char *id_and_name, GString *tree)
{
    char *name;
    const uint64_t id = strtoull(id_and_name, &name, 10);
    text_profile_add_thread(profile, id, name + 1, tree->str);
    g_string_truncate(tree, 0);
}

/* Returns the number of lines. */
static unsigned check_steps(char **lines, gboolean records)
{
    unsigned n = 1;
    g_autoptr(GString) expected = g_string_new(NULL);
    for (; lines[n] != NULL && lines[n][0] != '#' && !g_str_has_prefix(lines[n], "--"); n++) {
        g_string_append_printf(expected, "%s\n", lines[n]);
    }
    g_autofree char *made = apply(lines[0], records);
    cases_expect(lines[0], made, expected->str);
    return n;
}

static void check_case(char **lines)
{
    const char *thread = "10 main";
    gboolean records = FALSE;
    g_autoptr(GString) tree = g_string_new(NULL);
    while (*lines != NULL) {
        if (g_str_has_prefix(*lines, "--")) {
            if (tree->len > 0) {
                add_thread(thread, tree);
                text_profile_finish(profile);
            }
            lines += check_steps(lines, records);
            continue;
        }
        if (g_str_has_prefix(*lines, "overhead ")) {
            profile->facts.android.has_call_overhead = TRUE;
            profile->facts.android.call_overhead_ns = strtoull(*lines + 9, NULL, 10);
        } else if (strcmp(*lines, "records") == 0) {
            records = TRUE;
        } else if (g_str_has_prefix(*lines, "thread ")) {
            if (tree->len > 0) {
                add_thread(thread, tree);
            }
            thread = *lines + 7;
        } else if (**lines != '#') {
            g_string_append_printf(tree, "%s\n", *lines);
        }
        lines++;
    }
    af_profile_free(profile);
    profile = text_profile_new();
}

TEST(steps_make_trees)
{
    cases_check("reshape.txt", check_case);
}

/* ---- what a case cannot say ---- */

static void check_refused(af_step step, const char *expected)
{
    ck_assert_error_is(reshape(&step, 1, &error), AF_ERROR_USAGE, expected);
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
    for (uint32_t m = 0; m < profile->n_methods; m++) {
        if (g_strcmp0(profile->methods[m].class_name, "com.me.Bits") == 0) {
            profile->methods[m].source = "R8$$SyntheticClass";
        }
    }
    const af_step clean = {.kind = AF_STEP_CLEAN};
    g_autoptr(af_profile) made = reshape(&clean, 1, NULL);
    g_autofree char *tree = text_profile_thread(made, 0);
    ck_assert_str_eq(tree, "1/28 kotlinx.coroutines.DispatchedTask.run\n"
                           "  2/27 kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith\n"
                           "    3/25 com.me.Foo.load {suspend}\n"
                           "      4/4 com.me.Foo$load$1.create\n"
                           "      5/5 kotlinx.coroutines.resume\n"
                           "      6/6 com.me.Bits.a {generated}\n"
                           "      7/7 com.me.Foo$$ExternalSyntheticOutline0.m {outline}\n");
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
    text_profile_finish(profile);
    for (unsigned i = 0; i < G_N_ELEMENTS(steps); i++) {
        g_autoptr(af_profile) made = reshape(&steps[i], 1, NULL);
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
    text_profile_finish(profile);
    g_autoptr(af_profile) made = reshape(&hide, 1, NULL);
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

TEST(samples_have_no_time_of_the_tracer)
{
    read_profile("1 a\n");
    profile->facts.content = AF_CONTENT_SAMPLED_CALLS;
    check_refused((af_step){.kind = AF_STEP_COMPENSATE},
                  "this recording holds samples, not calls, so the cost of the tracer is unknown");
}

TEST(pools_report_lost_times)
{
    text_profile_add_thread(profile, 1, "pool-1", "1 a\n");
    text_profile_add_thread(profile, 2, "pool-2", "1 a\n");
    text_profile_finish(profile);
    af_tree *tree = profile->threads[0].tree;
    tree->runnable = g_new0(uint64_t, tree->n);
    const af_step step = TEXT(MERGE_THREADS, "pool");
    g_autoptr(af_profile) made = reshape(&step, 1, NULL);
    ck_assert_ptr_null(made->threads[0].tree->runnable);
    ck_assert_str_eq(
        get_step(made, 0).message,
        "some of the threads lack times of waiting for a processor, so the merged thread has none");
}

TEST(steps_of_the_origin_stay_on_record)
{
    read_profile("1 loop\n"
                 "  3x2 draw\n");
    const af_step focus = TEXT(FOCUS, "loop"), hide = TEXT(HIDE, "drwa");
    af_profile *made = reshape(&focus, 1, NULL);
    g_autoptr(af_profile) again = af_profile_reshape(made, &hide, 1, NULL);
    af_profile_free(made); /* the profile holds a reference */
    ck_assert_uint_eq(af_profile_n_steps(again), 2);
    ck_assert_str_eq(get_step(again, 0).option, "--focus loop");
    ck_assert_str_eq(get_step(again, 1).option, "--hide drwa");
    af_step_view none = AF_STEP_VIEW_INIT;
    ck_assert(!af_profile_step(again, 9, &none));
    ck_assert_ptr_eq(af_profile_origin(again), profile);
}

TEST(invalid_steps_are_refused)
{
    read_profile("1 a\n");
    check_refused(TEXT(HIDE, NULL), "--hide needs a pattern");
    check_refused((af_step){.kind = AF_STEP_SORT, .number = 3}, "invalid order of siblings");
    check_refused((af_step){.kind = AF_STEP_SORT, .clock = (af_clock)5}, "invalid clock: 5");
    check_refused((af_step){.kind = (af_step_kind)99}, "invalid kind of step: 99");
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
    thread->tree = af_tree_new(DEPTH + 1, 1u << AF_WALL | 1u << AF_CPU);
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
