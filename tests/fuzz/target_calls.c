/* Any events, any pattern and any steps: the listed calls add up to the trees, and a limited list contains
 * the longest calls. */
#include <string.h>

#include "../support/listed_calls.h"
#include "api/autoptr.h"
#include "checks.h"
#include "feed.h"
#include "model/select.h"

enum { THREADS = 3, METHODS = 12, MOST_EVENTS = 400, MOST_STEPS = 3, EACH = 14 };

static const char *const method_lines[METHODS] = {
    "android.os.Looper\tloop\t()V\tLooper.java",
    "android.os.Handler\tdispatch\t()V\tHandler.java",
    "com.me.Main\trun\t()V\tMain.java",
    "com.me.Main\trun\t(I)V\tMain.java",
    "com.me.Main\taccess$000\t()V\tMain.java",
    "com.me.Main$$Lambda$1\trun\t()V\tSourceFile",
    "com.me.Main\tlambda$run$0\t()V\tMain.java",
    "com.me.Util$-CC\t$default$go\t()V\tUtil.java",
    "com.me.Util\tgo\t()V\tUtil.java",
    "java.lang.Object\twait\t()V\tObject.java",
    "a.a\ta\t()V\ta",
    "kotlin.io.FilesKt\tread\t()V\tFiles.kt",
};

/* ---- bytes to trace ---- */

static void put_number(GByteArray *out, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        const uint8_t byte = i < 8 ? (uint8_t)(value >> (8 * i)) : 0;
        g_byte_array_append(out, &byte, 1);
    }
}

/* Clocks advance in small steps, sometimes in large ones, and occasionally step back. */
static uint32_t pass(fuzz_feed *feed, uint32_t now, unsigned nibble)
{
    if (nibble < 14) {
        return now + nibble;
    }
    const uint32_t step = (uint32_t)feed_number(feed, 2);
    return nibble == 14 ? now + step * 16 : now - MIN(now, step);
}

static void put_records(GByteArray *out, fuzz_feed *feed)
{
    uint32_t wall = 0, cpu[THREADS] = {0};
    for (unsigned i = 0; i < MOST_EVENTS && feed_left(feed) > 0; i++) {
        const uint8_t what = feed_byte(feed), when = feed_byte(feed);
        const unsigned thread = (what >> 2 & 3) % THREADS, method = (what >> 4) % METHODS;
        wall = pass(feed, wall, when & 15);
        cpu[thread] = pass(feed, cpu[thread], when >> 4);
        put_number(out, thread + 1, 2);
        put_number(out, (method + 1) << 2 | (what & 3), 4);
        put_number(out, cpu[thread], 4);
        put_number(out, wall, 4);
    }
}

static GByteArray *make_trace(fuzz_feed *feed)
{
    g_autoptr(GString) text =
        g_string_new("*version\n3\ndata-file-overflow=false\nclock=dual\nvm=art\n"
                     "elapsed-time-usec=5000\n*threads\n1\tmain\n2\tpool-1\n3\tpool-2\n"
                     "*methods\n");
    for (unsigned m = 0; m < METHODS; m++) {
        g_string_append_printf(text, "0x%x\t%s\n", (m + 1) << 2, method_lines[m]);
    }
    g_string_append(text, "*end\n");
    GByteArray *out = g_byte_array_new();
    g_byte_array_append(out, (const guint8 *)text->str, (guint)text->len);
    g_byte_array_append(out, (const guint8 *)"SLOW", 4);
    put_number(out, 3, 2);
    put_number(out, 32, 2);
    put_number(out, 0, 8);
    put_number(out, EACH, 2);
    put_number(out, 0, 14);
    put_records(out, feed);
    return out;
}

/* ---- the lists ---- */

static uint64_t count_calls(const af_profile *shown, const char *pattern)
{
    g_autofree guint8 *wanted = af_select_labels(shown, pattern, NULL);
    uint64_t calls = 0;
    for (uint32_t t = 0; t < shown->n_threads; t++) {
        const af_tree *tree = shown->threads[t].tree;
        for (uint32_t i = 1; i < tree->n; i++) {
            calls += wanted[tree->label[i]] != 0 ? tree->calls[i] : 0;
        }
    }
    return calls;
}

static af_call_view call_at(const af_call_list *list, uint32_t i)
{
    af_call_view call = AF_CALL_VIEW_INIT;
    FUZZ_CHECK(af_call_list_at(list, i, &call));
    return call;
}

/* Each call is listed once, and a limited list has the longest, of equals the first. */
static void check_limited(const af_call_list *list, const af_call_list *limited)
{
    af_call_view least = {.time_ns = {UINT64_MAX}};
    for (uint32_t i = 0; i < af_call_list_size(limited); i++) {
        const af_call_view call = call_at(limited, i);
        least = call.time_ns[AF_WALL] <= least.time_ns[AF_WALL] ? call : least;
    }
    uint32_t n_common = 0;
    for (uint32_t i = 0; i < af_call_list_size(list); i++) {
        const af_call_view call = call_at(list, i);
        FUZZ_CHECK(call.number >= 1 && call.number <= af_call_list_n(list));
        FUZZ_CHECK(i == 0 || call.number > call_at(list, i - 1).number);
        if (n_common < af_call_list_size(limited) &&
            call_at(limited, n_common).number == call.number) {
            const af_call_view same = call_at(limited, n_common++);
            FUZZ_CHECK(memcmp(same.time_ns, call.time_ns, sizeof same.time_ns) == 0);
        } else {
            FUZZ_CHECK(
                call.time_ns[AF_WALL] < least.time_ns[AF_WALL] ||
                (call.time_ns[AF_WALL] == least.time_ns[AF_WALL] && call.number > least.number));
        }
    }
    FUZZ_CHECK(n_common == af_call_list_size(limited));
}

/* ---- the target ---- */

typedef struct {
    char *pattern;
    uint32_t most;
    af_step steps[MOST_STEPS];
    char *texts[MOST_STEPS];
    unsigned n_steps;
} asked;

static char *take_pattern(fuzz_feed *feed)
{
    size_t length;
    const char *text = feed_text(feed, &length);
    return length == 0 ? g_strdup("/./") : g_strdelimit(g_strndup(text, length), "\n", ' ');
}

static asked take_question(fuzz_feed *feed)
{
    asked a = {.pattern = take_pattern(feed)};
    const uint8_t how = feed_byte(feed);
    a.most = 1 + (how >> 2);
    a.n_steps = how % (MOST_STEPS + 1);
    for (unsigned i = 0; i < a.n_steps; i++) {
        const uint8_t what = feed_byte(feed);
        a.texts[i] = take_pattern(feed);
        a.steps[i] = (af_step){.kind = (af_step_kind)(what % (AF_STEP_KINDS)),
                               .text = a.texts[i],
                               .number = feed_number(feed, 2),
                               .clock = AF_CLOCK_DEFAULT};
    }
    return a;
}

static void clear_question(asked *a)
{
    for (unsigned i = 0; i < a->n_steps; i++) {
        g_free(a->texts[i]);
    }
    g_free(a->pattern);
}

static void check_lists(const af_profile *profile, const af_call_list *list, const asked *a)
{
    af_call_list_options options = AF_CALL_LIST_OPTIONS_INIT;
    options.steps = a->steps;
    options.n_steps = a->n_steps;
    options.limit = a->most;
    const uint64_t n = af_call_list_n(list);
    g_autoptr(af_profile) shown = af_profile_reshape(profile, a->steps, a->n_steps, NULL);
    g_autoptr(af_call_list) limited = af_call_list_new(profile, a->pattern, &options, NULL);
    FUZZ_CHECK(shown != NULL && limited != NULL && af_call_list_n(limited) == n);
    FUZZ_CHECK(af_call_list_size(list) == n && af_call_list_size(limited) == MIN(n, a->most));
    FUZZ_CHECK(af_call_list_longest(list) == af_call_list_longest(limited));
    FUZZ_CHECK(count_calls(shown, a->pattern) == n);
    check_limited(list, limited);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_feed feed = {bytes, bytes + size};
    asked a = take_question(&feed);
    g_autoptr(GByteArray) trace = make_trace(&feed);
    af_open_options open = AF_OPEN_OPTIONS_INIT;
    open.keep_input = TRUE;
    open.jobs = 1;
    GError *error = NULL;
    g_autoptr(af_profile) profile = af_profile_open_bytes(trace->data, trace->len, &open, &error);
    FUZZ_CHECK(profile != NULL);
    af_call_list_options options = AF_CALL_LIST_OPTIONS_INIT;
    options.steps = a.steps;
    options.n_steps = a.n_steps;
    af_call_list *list = af_call_list_new(profile, a.pattern, &options, &error);
    if (list != NULL) {
        check_lists(profile, list, &a);
        uint64_t n_listed = 0;
        fuzz_check_right(listed_calls_check_steps(profile, a.steps, a.n_steps, &n_listed));
        af_call_list_free(list);
    } else {
        fuzz_check_error(error);
    }
    clear_question(&a);
    return 0;
}
