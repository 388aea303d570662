/* A trial of the rules: 200 traces with one cause each, and 200 healthy ones at half the thresholds.
 * It prints how many causes are among the first three findings, with their rule and method, and how
 * many healthy traces are accused. */
#include <aflame/explain.h>
#include <stdio.h>
#include <string.h>

#include "finding/finding.h"
#include "made_trace.h"
#include "suite.h"

#define TRACES       200
#define SEED         20261127u
#define LEAST_FOUND  95 /* percent */
#define MOST_ACCUSED 2

#define MESSAGES 40
#define METHODS  70

/* A kind of cause: its method, its share of the thread at the threshold, in 1/1000. */
typedef struct {
    const char *rule, *method;
    guint share;
    gboolean on_worker; /* it may be on any thread */
} cause;

static const cause causes[] = {
    {"hot-method", "com.shop.cart.Prices.compute", 100, TRUE},
    {"long-call", "com.shop.cart.Cart.reload", 100, TRUE},
    {"many-calls", "com.shop.cart.Money.plus", 50, TRUE},
    {"many-calls", "com.shop.db.Dao.find", 50, TRUE}, /* for each row */
    {"blocked-main", "java.lang.Object.wait", 50, FALSE},
    {"blocked-main", "java.util.concurrent.CountDownLatch.await", 50, FALSE},
    {"blocked-main", "java.lang.Thread.sleep", 50, FALSE},
    {"io-main", "java.io.FileInputStream.read", 50, FALSE},
    {"io-main", "android.database.sqlite.SQLiteDatabase.query", 50, FALSE},
    {"inflation", "android.view.LayoutInflater.inflate", 50, FALSE},
    {"binding", "com.shop.list.Rows.onBindViewHolder", 50, FALSE},
    {"serialization", "com.google.gson.Gson.fromJson", 50, FALSE},
    {"reflection", "java.lang.reflect.Method.invoke", 50, FALSE},
    {"class-loading", "java.lang.ClassLoader.loadClass", 50, FALSE},
    {"compose", "androidx.compose.runtime.CompositionImpl.recompose", 100, FALSE},
    {"coroutines", "kotlinx.coroutines.BuildersKt.runBlocking", 50, FALSE},
    {"gc", "java.lang.Runtime.gc", 50, FALSE},
    {"exceptions", "com.shop.api.Parser.parse", 0, TRUE},
    {"recursion", "com.shop.list.Tree.visit", 0, TRUE},
    {"slow-frame", "android.view.Choreographer.doFrame", 0, FALSE},
    {"startup", "android.app.ActivityThread.handleBindApplication", 100, FALSE},
};

static G_GNUC_PRINTF(3, 4) void add_line(GString *text, guint depth, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    g_string_append_printf(text, "%*s", (int)depth * 2, "");
    g_string_append_vprintf(text, format, list);
    g_string_append_c(text, '\n');
    va_end(list);
}

/* Calls of the app's own methods below a call at `depth` - 1, `us` long together. */
static void add_work(GString *text, GRand *random, guint depth, guint us)
{
    static const char *const packages[] = {"cart", "list", "api", "db", "ui"};
    while (us > 0) {
        const guint most = (guint)g_rand_int_range(random, 30, 400), part = MIN(us, most);
        const guint number = (guint)g_rand_int_range(random, 0, METHODS);
        const guint deeper = (guint)g_rand_int_range(random, 0, 3);
        for (guint i = 0; i <= deeper; i++) {
            add_line(text, depth + i, "%u com.shop.%s.Class%u.step%u", i == deeper ? part : 1,
                     packages[number % G_N_ELEMENTS(packages)], number / 3, (number + i) % METHODS);
        }
        us -= part;
    }
}

/* The lines of a cause that takes `us`, with counts of `percent` of their thresholds. */
static void add_cause(GString *text, const cause *c, guint depth, guint us, guint percent)
{
    const guint rows = percent, calls = 100 * percent;
    if (strcmp(c->method, "com.shop.cart.Prices.compute") == 0) {
        add_line(text, depth, "%ux40 %s", us / 40, c->method);
    } else if (strcmp(c->rule, "long-call") == 0) {
        add_line(text, depth, "%ux12 %s", us / 50, c->method);
        add_line(text, depth, "%u %s", us, c->method);
    } else if (strcmp(c->method, "com.shop.cart.Money.plus") == 0) {
        add_line(text, depth, "20 com.shop.cart.Cart.sum");
        add_line(text, depth + 1, "%ux%u %s", us / calls + 1, calls, c->method);
    } else if (strcmp(c->rule, "many-calls") == 0) {
        add_line(text, depth, "20 com.shop.db.Dao.list");
        add_line(text, depth + 1, "%ux%u %s", us / rows, rows, c->method);
    } else if (strcmp(c->rule, "blocked-main") == 0) {
        add_line(text, depth, "20 com.shop.cart.Cart.ask");
        add_line(text, depth + 1, "1 %s", c->method);
        add_line(text, depth + 2, "~%u java.lang.Object.wait", us);
    } else if (strcmp(c->rule, "exceptions") == 0) {
        add_line(text, depth, "3x%u com.shop.api.Api.tryParse", percent);
        add_line(text, depth + 1, "!7 %s", c->method);
    } else if (strcmp(c->rule, "recursion") == 0) {
        for (guint i = 0; i < 20 * percent / 100; i++) {
            add_line(text, depth + i, "150 %s", c->method);
        }
    } else if (strcmp(c->rule, "slow-frame") == 0) {
        add_line(text, depth, "%u %s", 16700 * percent / 100, c->method);
    } else if (strcmp(c->rule, "startup") == 0) {
        add_line(text, depth, "%u %s", us / 8, c->method);
        for (guint i = 0; i < 7; i++) {
            add_line(text, depth + 1, "%u com.shop.start.Init%u.run", us / 8, i);
        }
    } else {
        for (guint i = 0; i < 6; i++) {
            add_line(text, depth, "3 com.shop.ui.Screen.open%u", i);
            add_line(text, depth + 1, "%u %s", us / 6, c->method);
        }
    }
}

/* Messages of the main thread, or tasks of a worker; the cause is in one of them. */
static void add_thread(GString *text, GRand *random, gboolean is_main, const cause *c,
                       guint percent)
{
    const guint busy_us = (guint)g_rand_int_range(random, 150000, 300000);
    const guint each = busy_us / MESSAGES, at = (guint)g_rand_int_range(random, 5, MESSAGES - 5);
    const guint idle_us = is_main ? (guint)g_rand_int_range(random, 100, each / 3) : 0;
    const double share = c != NULL ? c->share * percent / 100000.0 : 0;
    const guint whole = busy_us + idle_us * MESSAGES;
    const guint us = (guint)(share * whole / (1 - share)) + 50;
    add_line(text, 0, is_main ? "3 android.os.Looper.loop" : "3 java.lang.Thread.run");
    for (guint i = 0; i < MESSAGES; i++) {
        if (is_main) {
            add_line(text, 1, "~%u android.os.MessageQueue.nativePollOnce", idle_us);
            add_line(text, 1, "1 android.os.Handler.dispatchMessage");
        } else {
            add_line(text, 1, "1 java.util.concurrent.FutureTask.run");
        }
        const gboolean in_frame = is_main && i % 3 == 0;
        if (in_frame) {
            add_line(text, 2, "2 android.view.Choreographer.doFrame");
        }
        add_work(text, random, in_frame ? 3 : 2, MIN(each, 8000));
        if (c != NULL && i == at) {
            add_line(text, 2, "5 com.shop.ui.Screen.show");
            add_cause(text, c, 3, us, percent);
        }
    }
}

/* Explains a trace; `percent` of the thresholds. */
static af_explanation *explain(GRand *random, const cause *c, guint percent, af_profile **profile)
{
    const guint workers = (guint)g_rand_int_range(random, 1, 4);
    const guint thread = c != NULL && c->on_worker ? (guint)g_rand_int_range(random, 0, 2) : 0;
    g_autoptr(GString) text = g_string_new(NULL);
    GError *error = NULL;
    add_thread(text, random, TRUE, thread == 0 ? c : NULL, percent);
    for (guint w = 1; w <= workers; w++) {
        g_string_append_printf(text, "\"worker-%u\"\n", w);
        add_thread(text, random, FALSE, thread == w ? c : NULL, percent);
    }
    *profile = made_trace_open(text->str);
    af_explanation *e = af_explanation_new(*profile, NULL, &error);
    ck_assert_msg(e != NULL, "%s", error != NULL ? error->message : "");
    return e;
}

static gboolean is_found(const af_explanation *e, const cause *c)
{
    for (unsigned i = 0; i < MIN(e->n, 3); i++) {
        const af_finding *f = &e->findings[i];
        const af_tree *tree = e->profile->threads[f->thread].tree;
        if (strcmp(f->rule, c->rule) == 0 && f->node != AF_NO_NODE &&
            strcmp(e->profile->labels[tree->label[f->node]].text, c->method) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

/* Prints what is said about a trace that is judged wrongly. */
static void complain(const af_explanation *e, const char *what, guint number, const cause *c)
{
    printf("trace %u, %s %s in %s:\n", number, what, c->rule, c->method);
    for (unsigned i = 0; i < e->n; i++) {
        printf("  %s\n", e->findings[i].text);
    }
}

TEST(most_causes_are_found)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED);
    guint found = 0;
    for (guint i = 0; i < TRACES; i++) {
        const cause *c = &causes[i % G_N_ELEMENTS(causes)];
        g_autoptr(af_profile) profile = NULL;
        g_autoptr(af_explanation) e = explain(random, c, 150, &profile);
        if (is_found(e, c)) {
            found++;
        } else {
            complain(e, "no", i, c);
        }
    }
    printf("found %u of %u causes (seed %u)\n", found, TRACES, SEED);
    ck_assert_uint_ge(found * 100, TRACES * LEAST_FOUND);
}

static gboolean accuses(const af_explanation *e)
{
    for (unsigned i = 0; i < e->n; i++) {
        const char *rule = e->findings[i].rule;
        if (strcmp(rule, "idle") != 0 && strcmp(rule, "tracer") != 0 && strcmp(rule, "data") != 0) {
            return TRUE;
        }
    }
    return FALSE;
}

TEST(few_healthy_traces_are_accused)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED + 1);
    guint accused = 0;
    for (guint i = 0; i < TRACES; i++) {
        const cause *c = &causes[i % G_N_ELEMENTS(causes)];
        g_autoptr(af_profile) profile = NULL;
        g_autoptr(af_explanation) e = explain(random, c, 50, &profile);
        if (accuses(e)) {
            accused++;
            complain(e, "half of", i, c);
        }
    }
    printf("accused %u of %u healthy traces (seed %u)\n", accused, TRACES, SEED + 1);
    ck_assert_uint_le(accused * 100, TRACES * MOST_ACCUSED);
}
