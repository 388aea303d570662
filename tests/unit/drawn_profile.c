#include "drawn_profile.h"
#include "suite.h"

#include <string.h>

#define MS 1000000u

static void name_method(af_profile *profile, af_label *label, af_method *method)
{
    const char *arguments = strchr(label->text, '(');
    const size_t length = arguments ? (size_t)(arguments - label->text) : label->length;
    const char *dot = g_strrstr_len(label->text, (gssize)length, ".");
    method->line = -1;
    if (!dot) {
        method->proxy = label->text;
        return;
    }
    method->defined = TRUE;
    label->class_length = (uint32_t)(dot - label->text);
    label->method_at = label->class_length + 1;
    method->class_name = af_arena_copy(profile->arena, label->text, label->class_length);
    method->name = af_arena_copy(profile->arena, dot + 1, length - label->method_at);
}

void drawn_profile_finish(af_profile *profile)
{
    const size_t size = sizeof(af_method) * ((size_t)profile->n_labels + 1);
    profile->methods = af_arena_alloc(profile->arena, size);
    memset(profile->methods, 0, size);
    profile->n_methods = profile->n_labels;
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        profile->labels[i].method = i;
        profile->labels[i].methods = 1;
        name_method(profile, &profile->labels[i], &profile->methods[i]);
    }
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        af_thread *thread = &profile->threads[t];
        thread->listed = TRUE;
        for (uint32_t i = 1; i < thread->tree->n; i++) {
            thread->calls += thread->tree->calls[i];
        }
        profile->facts.counts.calls += thread->calls;
    }
    profile->facts.counts.records = 2 * profile->facts.counts.calls;
    af_categories_assign(profile);
}

static void tell_call(const af_observer *observer, const af_tree *tree, uint32_t thread,
                      uint32_t node, uint64_t now[AF_CLOCKS], uint32_t depth)
{
    af_call_event edge = {.thread = thread, .label = tree->label[node], .depth = depth};
    memcpy(edge.time_ns, now, sizeof edge.time_ns);
    ck_assert(observer->enter(observer->user, &edge, NULL));
    for (uint32_t child = node + 1; child < tree->n; child++) {
        if (tree->parent[child] == node) {
            tell_call(observer, tree, thread, child, now, depth + 1);
        }
    }
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        now[c] += tree->self[c] ? tree->self[c][node] : 0;
        edge.time_ns[c] = now[c];
    }
    ck_assert(observer->leave(observer->user, &edge, NULL));
}

af_chart *drawn_chart(const af_profile *profile, const guint8 *highlighted, uint64_t coarsest_ns,
                      uint64_t capacity)
{
    const af_chart_options options = {.clock = AF_WALL,
                                      .n_threads = profile->n_threads,
                                      .highlighted = highlighted,
                                      .coarsest_ns = coarsest_ns,
                                      .capacity = capacity};
    af_chart *chart = af_chart_new(&options);
    const af_observer observer = af_chart_observer(chart);
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        const af_tree *tree = profile->threads[t].tree;
        uint64_t now[AF_CLOCKS] = {t * UINT64_C(10) * MS, 0};
        for (uint32_t node = 1; node < tree->n; node++) {
            if (tree->parent[node] == 0) {
                tell_call(&observer, tree, t, node, now, 0);
            }
        }
        chart->to_ns = MAX(chart->to_ns, now[AF_WALL]);
    }
    return chart;
}

af_profile *drawn_app_start(void)
{
    static const made_row main_rows[] = {
        {1, "android.os.Handler.dispatchMessage", {1 * MS, 1 * MS}},
        {2, "android.app.ActivityThread$H.handleMessage", {2 * MS, 1 * MS}},
        {3, "android.app.ActivityThread.handleLaunchActivity", {9 * MS, 2 * MS}},
        {4, "com.eastern.plugintest.MainActivity.<init>", {6 * MS, 6 * MS}},
        {4, "com.eastern.plugintest.MainActivity.onCreate", {31 * MS, 30 * MS}},
        {5, "android.support.v7.app.AppCompatActivity.setContentView", {60 * MS, 40 * MS}},
        {6, "android.view.LayoutInflater.inflate", {90 * MS, 80 * MS}},
        {7, "java.lang.reflect.Constructor.newInstance", {8 * MS, 8 * MS}},
        {7, "a.b.c", {20000, 20000}},
        {7, "a.b.d", {30000, 30000}},
        {7, "kotlin.collections.CollectionsKt.listOf", {3 * MS, 3 * MS}},
        {5, "okhttp3.RealCall.execute", {12 * MS, 2 * MS}},
        {6, "java.lang.Object.wait", {40 * MS, 0}},
        {1, "0x7f3a [unknown]", {5 * MS, 5 * MS}},
        {0, NULL, {0, 0}},
    };
    static const made_row worker_rows[] = {
        {1, "java.lang.Thread.run", {1 * MS, 1 * MS}},
        {2, "com.eastern.plugintest.Loader.load", {70 * MS, 35 * MS}},
        {0, NULL, {0, 0}},
    };
    static const made_row idle_rows[] = {
        {1, "android.os.MessageQueue.nativePollOnce", {250 * MS, 100000}},
        {0, NULL, {0, 0}},
    };
    static const made_row no_rows[] = {{0, NULL, {0, 0}}};
    af_profile *profile = made_profile_new(1u << AF_WALL | 1u << AF_CPU);
    profile->facts.android.vm = "art";
    profile->facts.recording.end_ns = 267050000;
    profile->facts.has_pid = TRUE;
    profile->facts.pid = 100;
    made_thread_add(profile, 100, "main", "main", main_rows);
    made_thread_add(profile, 101, "Binder", "Binder [101]", idle_rows);
    made_thread_add(profile, 102, "Binder", "Binder [102]", idle_rows);
    made_thread_add(profile, 103, "loader", "loader", worker_rows);
    made_thread_add(profile, 104, "HeapTaskDaemon", "HeapTaskDaemon", no_rows);
    drawn_profile_finish(profile);
    return profile;
}

void drawn_compare_golden(const char *name, const char *text)
{
    const char *folder = g_getenv("AFLAME_GOLDEN");
    ck_assert_msg(folder != NULL, "AFLAME_GOLDEN is not set");
    g_autofree char *path = g_build_filename(folder, name, NULL);
    if (g_strcmp0(g_getenv("AFLAME_BLESS"), "1") == 0) {
        ck_assert_msg(g_getenv("CI") == NULL, "AFLAME_BLESS is refused because CI is set");
        g_autofree char *parent = g_path_get_dirname(path);
        g_mkdir_with_parents(parent, 0777);
        ck_assert(g_file_set_contents(path, text, -1, NULL));
    } else {
        g_autofree char *golden = NULL;
        ck_assert_msg(g_file_get_contents(path, &golden, NULL, NULL),
                      "%s is missing: run with AFLAME_BLESS=1 and look at it", path);
        if (strcmp(golden, text) != 0) {
            char *actual = g_strconcat(name, ".actual", NULL);
            g_strdelimit(actual, "/", '_');
            g_file_set_contents(actual, text, -1, NULL);
            ck_abort_msg("%s differs from %s here", path, actual);
        }
    }
}
