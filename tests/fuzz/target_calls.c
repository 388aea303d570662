/* Any events, any pattern and any steps: the listed calls add up to the report's sums of their
 * methods, the list is sorted, and a limited list contains the longest calls. */
#include <json-glib/json-glib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "api/autoptr.h"
#include "checks.h"
#include "feed.h"
#include "model/select.h"
#include "report/tables/totals.h"

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

/* A file in memory. */
static int make_trace(fuzz_feed *feed)
{
    g_autoptr(GString) text =
        g_string_new("*version\n3\ndata-file-overflow=false\nclock=dual\nvm=art\n"
                     "elapsed-time-usec=5000\n*threads\n1\tmain\n2\tpool-1\n3\tpool-2\n"
                     "*methods\n");
    for (unsigned m = 0; m < METHODS; m++) {
        g_string_append_printf(text, "0x%x\t%s\n", (m + 1) << 2, method_lines[m]);
    }
    g_string_append(text, "*end\n");
    g_autoptr(GByteArray) out = g_byte_array_new();
    g_byte_array_append(out, (const guint8 *)text->str, (guint)text->len);
    g_byte_array_append(out, (const guint8 *)"SLOW", 4);
    put_number(out, 3, 2);
    put_number(out, 32, 2);
    put_number(out, 0, 8);
    put_number(out, EACH, 2);
    put_number(out, 0, 14);
    put_records(out, feed);
    const int fd = memfd_create("calls", 0);
    FUZZ_CHECK(fd >= 0 && write(fd, out->data, out->len) == (ssize_t)out->len);
    FUZZ_CHECK(lseek(fd, 0, SEEK_SET) == 0);
    return fd;
}

/* ---- the sums of the report ---- */

typedef struct {
    const af_profile *shown;
    af_totals *totals; /* by label */
    guint8 *wanted;    /* by label */
    uint64_t *calls;   /* by label; those of sampled traces are slices */
} report;

static report add_up(const af_profile *shown, const char *pattern)
{
    uint32_t threads[THREADS];
    FUZZ_CHECK(shown->n_threads <= THREADS);
    for (uint32_t t = 0; t < shown->n_threads; t++) {
        threads[t] = t;
    }
    const af_scope scope = {.profile = shown,
                            .clocks = shown->clocks,
                            .first = AF_CLOCK_DEFAULT,
                            .threads = threads,
                            .n_threads = shown->n_threads};
    report r = {shown, af_totals_new(&scope, NULL, shown->n_labels),
                af_select_labels(shown, pattern, NULL), g_new0(uint64_t, shown->n_labels + 1)};
    for (uint32_t t = 0; t < shown->n_threads; t++) {
        const af_tree *tree = shown->threads[t].tree;
        for (uint32_t i = 1; i < tree->n; i++) {
            r.calls[tree->label[i]] += tree->calls[i];
        }
    }
    return r;
}

static void clear_report(report *r)
{
    g_free(r->totals);
    g_free(r->wanted);
    g_free(r->calls);
}

/* The label of a name; AF_NO_LABEL for folded runs, which may share a name. */
static uint32_t find_label(const report *r, const char *name)
{
    uint32_t found = AF_NO_LABEL;
    for (uint32_t l = 0; l < r->shown->n_labels; l++) {
        if (r->calls[l] > 0 && r->wanted[l] != 0 && strcmp(r->shown->labels[l].text, name) == 0) {
            if (found != AF_NO_LABEL) {
                return AF_NO_LABEL;
            }
            found = l;
        }
    }
    return found;
}

/* ---- the sums of the list ---- */

static bool write_text(void *user, const void *bytes, size_t length, GError **error)
{
    g_string_append_len(user, bytes, (gssize)length);
    return TRUE;
}

static JsonObject *read_list(const af_call_list *list, JsonParser *parser)
{
    GError *error = NULL;
    af_report_options options = AF_REPORT_OPTIONS_INIT;
    options.top = 0;
    g_autoptr(af_report) said = af_report_new_calls(list, "json", &options, &error);
    const af_report *const all[] = {said};
    g_autoptr(GString) text = g_string_new(NULL);
    FUZZ_CHECK(said != NULL && af_report_write(all, 1, write_text, text, &error));
    FUZZ_CHECK(json_parser_load_from_data(parser, text->str, (gssize)text->len, NULL));
    return json_node_get_object(json_parser_get_root(parser));
}

static uint64_t number_of(JsonObject *row, const char *key)
{
    return json_object_has_member(row, key) ? (uint64_t)json_object_get_int_member(row, key) : 0;
}

static const char *counted(const report *r)
{
    return af_profile_counts_calls(r->shown) ? "calls" : "slices";
}

static void check_method(const report *r, JsonObject *row)
{
    static const char *const keys[][5] = {
        {"total_wall_ns", "min_wall_ns", "median_wall_ns", "p95_wall_ns", "max_wall_ns"},
        {"total_cpu_ns", "min_cpu_ns", "median_cpu_ns", "p95_cpu_ns", "max_cpu_ns"}};
    const uint32_t label = find_label(r, json_object_get_string_member(row, "name"));
    if (label == AF_NO_LABEL) {
        return;
    }
    const af_totals *t = &r->totals[label];
    FUZZ_CHECK(number_of(row, counted(r)) == r->calls[label]);
    if (af_profile_counts_calls(r->shown)) {
        FUZZ_CHECK(t->calls + t->nested == r->calls[label]);
        FUZZ_CHECK(number_of(row, "recursive_calls") == t->nested);
        FUZZ_CHECK(number_of(row, "unwinds") == t->unwinds);
    }
    for (unsigned c = 0; c < G_N_ELEMENTS(keys); c++) {
        uint64_t ns[5];
        for (unsigned i = 0; i < 5; i++) {
            ns[i] = number_of(row, keys[c][i]);
        }
        FUZZ_CHECK(ns[0] == t->inclusive[c]);
        FUZZ_CHECK(ns[1] <= ns[2] && ns[2] <= ns[3] && ns[3] <= ns[4]);
        FUZZ_CHECK(t->unclear[c] || (ns[1] == t->min[c] && ns[4] == t->max[c]));
    }
}

static void check_methods(const report *r, JsonObject *said, uint64_t n)
{
    JsonArray *methods = json_object_get_array_member(said, "methods");
    JsonArray *durations = json_object_get_array_member(said, "durations");
    uint64_t calls = 0, spread = 0;
    for (guint i = 0; i < json_array_get_length(methods); i++) {
        JsonObject *row = json_array_get_object_element(methods, i);
        check_method(r, row);
        calls += number_of(row, counted(r));
    }
    for (guint i = 0; i < json_array_get_length(durations); i++) {
        spread += number_of(json_array_get_object_element(durations, i), counted(r));
    }
    FUZZ_CHECK(calls == n && spread == n);
    /* no method is missing */
    for (uint32_t l = 0; l < r->shown->n_labels; l++) {
        calls -= r->wanted[l] != 0 ? r->calls[l] : 0;
    }
    FUZZ_CHECK(calls == 0);
}

/* Longest first, of equals the first; each once. */
static void check_order(JsonObject *said, uint64_t n, uint32_t n_rows)
{
    JsonArray *calls = json_object_get_array_member(said, "calls");
    uint64_t last_ns = UINT64_MAX, last = 0;
    FUZZ_CHECK(json_array_get_length(calls) == n_rows);
    for (guint i = 0; i < n_rows; i++) {
        JsonObject *row = json_array_get_object_element(calls, i);
        const uint64_t ns = number_of(row, "wall_ns"), number = number_of(row, "number");
        FUZZ_CHECK(ns < last_ns || (ns == last_ns && number > last));
        FUZZ_CHECK(number >= 1 && number <= n);
        last_ns = ns;
        last = number;
    }
}

/* A limited list is the start of the whole one. */
static void check_limited(JsonObject *whole, JsonObject *limited)
{
    JsonArray *all = json_object_get_array_member(whole, "calls");
    JsonArray *some = json_object_get_array_member(limited, "calls");
    for (guint i = 0; i < json_array_get_length(some); i++) {
        FUZZ_CHECK(json_object_equal(json_array_get_object_element(all, i),
                                     json_array_get_object_element(some, i)));
    }
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
    report r = add_up(shown, a->pattern);
    JsonParser *parser = json_parser_new(), *other = json_parser_new();
    JsonObject *whole = read_list(list, parser), *some = read_list(limited, other);
    check_methods(&r, whole, n);
    check_order(whole, n, (uint32_t)n);
    check_order(some, n, (uint32_t)MIN(n, a->most));
    check_limited(whole, some);
    g_object_unref(parser);
    g_object_unref(other);
    clear_report(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_feed feed = {bytes, bytes + size};
    asked a = take_question(&feed);
    const int fd = make_trace(&feed);
    af_open_options open = AF_OPEN_OPTIONS_INIT;
    open.keep_input = TRUE;
    open.jobs = 1;
    GError *error = NULL;
    g_autoptr(af_profile) profile = af_profile_open_fd(fd, &open, &error);
    FUZZ_CHECK(profile != NULL);
    af_call_list_options options = AF_CALL_LIST_OPTIONS_INIT;
    options.steps = a.steps;
    options.n_steps = a.n_steps;
    af_call_list *list = af_call_list_new(profile, a.pattern, &options, &error);
    if (list != NULL) {
        check_lists(profile, list, &a);
        af_call_list_free(list);
    } else {
        fuzz_check_error(error);
    }
    close(fd);
    clear_question(&a);
    return 0;
}
