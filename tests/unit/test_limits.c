/* The limits of aflame-formats(5): aflame truncates, rejects or drops anything beyond one, and
 * reports it. */
#include <string.h>
#include <sys/resource.h>

#include <aflame/aflame.h>
#include "base/capacity.h"
#include "base/idmap.h"
#include "build/rebuild_state.h"
#include "build/sink_state.h"
#include "read/lines.h"
#include "made_message.h"
#include "suite.h"
#include "text_profile.h"

/* Frees the bytes. */
static af_profile *open_bytes(GByteArray *made, GError **error)
{
    g_autoptr(GBytes) bytes = g_byte_array_free_to_bytes(made);
    af_profile *profile =
        af_profile_open_bytes(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes), NULL, error);
    return profile;
}

/* The same for bytes that open. */
static af_profile *read_bytes(GByteArray *made)
{
    GError *error = NULL;
    af_profile *profile = open_bytes(made, &error);
    ck_assert_msg(profile != NULL, "%s", error != NULL ? error->message : "");
    return profile;
}

static void add(GByteArray *to, const char *text)
{
    g_byte_array_append(to, (const guint8 *)text, (guint)strlen(text));
}

static void add_many(GByteArray *to, char c, size_t n)
{
    const guint before = to->len;
    g_byte_array_set_size(to, before + (guint)n);
    memset(to->data + before, c, n);
}

static gboolean has_warning(const af_profile *profile, const char *id)
{
    g_autofree char *warnings = text_profile_warnings(profile);
    return strstr(warnings, id) != NULL;
}

/* ---- names and lines ---- */

TEST(longer_names_are_truncated)
{
    for (size_t more = 0; more <= 1; more++) {
        GByteArray *bytes = g_byte_array_new();
        add(bytes, "main;first 5\nmain;");
        add_many(bytes, 'a', AF_LONGEST_NAME + more);
        add(bytes, " 5\n");
        g_autoptr(af_profile) profile = read_bytes(bytes);
        const char *label = af_node_label(profile, 0, af_tree_n_nodes(profile, 0) - 1);
        ck_assert_uint_eq(strlen(label), AF_LONGEST_NAME);
        ck_assert_int_eq(has_warning(profile, "long-name"), more > 0);
    }
}

/* Frames, threads, processes, series of markers. */
TEST(names_in_json_are_truncated_with_a_warning)
{
    static const struct {
        const char *before, *after;
    } files[] = {
        {"[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":9,\"name\":\"", "\"}]"},
        {"[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":9,\"name\":\"a\"},{\"ph\":\"M\","
         "\"pid\":1,"
         "\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"",
         "\"}}]"},
        {"[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":9,\"name\":\"a\"},{\"ph\":\"M\","
         "\"pid\":1,"
         "\"tid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"",
         "\"}}]"},
        {"[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":9,\"name\":\"a\"},{\"ph\":\"i\","
         "\"pid\":1,"
         "\"tid\":1,\"ts\":1,\"name\":\"",
         "\"}]"},
        {"{\"shared\":{\"frames\":[{\"name\":\"",
         "\"}]},\"profiles\":[{\"type\":\"sampled\",\"name\":\"t\","
         "\"unit\":\"none\",\"startValue\":0,\"endValue\":9,\"samples\":[[0]],\"weights\":[1]}]}"},
        {"{\"shared\":{\"frames\":[{\"name\":\"a\"}]},\"profiles\":[{\"type\":\"sampled\",\"name\":"
         "\"",
         "\",\"unit\":\"none\",\"startValue\":0,\"endValue\":9,\"samples\":[[0]],\"weights\":[1]}]"
         "}"},
    };
    for (unsigned i = 0; i < 2 * G_N_ELEMENTS(files); i++) {
        GByteArray *bytes = g_byte_array_new();
        add(bytes, files[i / 2].before);
        add_many(bytes, 'a', AF_LONGEST_NAME + i % 2);
        add(bytes, files[i / 2].after);
        g_autoptr(af_profile) profile = read_bytes(bytes);
        ck_assert_msg(has_warning(profile, "long-name") == (i % 2 > 0), "file %u", i);
    }
}

/* A line is split in two: the first part has no count, which aflame reports; the rest is the
 * second. */
TEST(longer_lines_are_split)
{
    GByteArray *bytes = g_byte_array_new();
    add(bytes, "main;before 5\n");
    add_many(bytes, 'a', AF_LONGEST_LINE + 10);
    add(bytes, " 5\nmain;after 7\n");
    g_autoptr(af_profile) profile = read_bytes(bytes);
    ck_assert_uint_gt(af_profile_n_warnings(profile), 0);
    uint64_t sum = 0;
    for (unsigned t = 0; t < af_profile_n_threads(profile); t++) {
        sum += af_node_inclusive_ns(profile, t, 0, AF_CLOCK_DEFAULT);
    }
    ck_assert_uint_eq(sum, 5 + 5 + 7);
}

/* What follows the limit is not understood as a line of its own. */
TEST(longer_lines_are_reported)
{
    static const struct {
        const char *before, *after;
    } files[] = {
        {"app 7 [002] 1.5: 250000 cycles:u: \n\t55d0c0ffee00 main+0x20 (/bin/app)\n\n", "\n"},
        {"# tracer: nop\n app-7 (7) [000] ...1 1.000000: tracing_mark_write: B|7|a\n",
         "\n app-7 (7) [000] ...1 2.000000: tracing_mark_write: E|7\n"},
        {"# callgrind format\nevents: ns\nfn=main\n1 5\n# ", "\n"},
        {"----- pid 7 at 2026-01-01 10:00:00 -----\nCmd line: app\n\n\"main\" prio=5 tid=1 Native\n"
         "  at a.B.run(B.java:5)\n",
         "\n\n----- end 7 -----\n"},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(files); i++) {
        GByteArray *bytes = g_byte_array_new();
        add(bytes, files[i].before);
        add_many(bytes, 'a', AF_LONGEST_LINE + 10);
        add(bytes, files[i].after);
        g_autoptr(af_profile) profile = read_bytes(bytes);
        ck_assert_msg(has_warning(profile, "long-line"), "file %u", i);
        ck_assert_uint_gt(af_tree_n_nodes(profile, 0), 1);
    }
}

/* ---- depth ---- */

static void add_repeated(GByteArray *to, const char *first, const char *next, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        add(to, i == 0 ? first : next);
    }
}

/* The samples of Chrome's trace events become calls, so the depth of their stacks is limited. */
TEST(deeper_stacks_are_truncated)
{
    for (unsigned depth = 4096; depth <= 4097; depth++) {
        GByteArray *files[2] = {g_byte_array_new(), g_byte_array_new()};
        add(files[0], "[{\"ph\":\"P\",\"pid\":1,\"tid\":1,\"ts\":0,\"stack\":[");
        add_repeated(files[0], "\"f\"", ",\"f\"", depth);
        add(files[0], "]},{\"ph\":\"P\",\"pid\":1,\"tid\":1,\"ts\":9,\"stack\":[\"f\"]}]");
        add(files[1], "{\"traceEvents\":[],\"samples\":[{\"tid\":1,\"ts\":0,\"sf\":1},"
                      "{\"tid\":1,\"ts\":9,\"sf\":1}],\"stackFrames\":{");
        for (unsigned i = 1; i <= depth; i++) {
            char frame[64];
            g_snprintf(frame, sizeof frame, "%s\"%u\":{\"name\":\"f\",\"parent\":%u}",
                       i == 1 ? "" : ",", i, i + 1);
            add(files[1], i == depth ? ",\"end\":{\"name\":\"f\"}" : frame);
        }
        char last[64];
        g_snprintf(last, sizeof last, ",\"%u\":{\"name\":\"f\"}}}", depth);
        add(files[1], last);
        for (unsigned i = 0; i < G_N_ELEMENTS(files); i++) {
            g_autoptr(af_profile) profile = read_bytes(files[i]);
            ck_assert_uint_eq(af_tree_n_nodes(profile, 0), 1 + 4096);
            ck_assert_int_eq(has_warning(profile, "deep-stack"), depth > 4096);
        }
    }
}

/* Ends the samples of a Chrome trace with frames 1 to `n`, each called by the previous one. */
static void add_stack_frames(GByteArray *to, unsigned n)
{
    char text[96];
    add(to, "],\"stackFrames\":{\"1\":{\"name\":\"f\"}");
    for (unsigned i = 2; i <= n; i++) {
        g_snprintf(text, sizeof text, ",\"%u\":{\"name\":\"f\",\"parent\":%u}", i, i - 1);
        add(to, text);
    }
    add(to, "}}");
}

/* Samples of the deepest stack and of none by turns: 100 million begins and ends from 100 kB. */
TEST(changes_between_timed_stacks_are_limited)
{
    enum { DEPTH = 4000, SAMPLES = 25000 };
    GByteArray *bytes = g_byte_array_new();
    char text[96];
    add(bytes, "{\"traceEvents\":[],\"samples\":[{\"tid\":1,\"ts\":0,\"sf\":1}");
    for (unsigned i = 1; i < SAMPLES; i++) {
        g_snprintf(text, sizeof text, ",{\"tid\":1,\"ts\":%u,\"sf\":%u}", i,
                   i % 2 == 0 ? 1u : DEPTH);
        add(bytes, text);
    }
    add_stack_frames(bytes, DEPTH);
    g_autoptr(af_profile) profile = read_bytes(bytes);
    ck_assert(has_warning(profile, "deep-stack"));
    ck_assert_uint_eq(af_tree_n_nodes(profile, 0), 1 + DEPTH);
    ck_assert_uint_gt(af_node_self_ns(profile, 0, 64, AF_WALL), 0);
    ck_assert_uint_eq(af_node_inclusive_ns(profile, 0, 0, AF_WALL), UINT64_C(1000) * SAMPLES);
}

enum { MANY_FRAMES = 40000 };

/* Frame i calls frame i + 1, and the innermost has a weight of 3; then each frame has a weight of
 * 1. The stacks of all weights have 800 million frames. */
static void add_calls_without_times(GByteArray *to)
{
    char text[96];
    add(to, "{\"shared\":{\"frames\":[{\"name\":\"f\"}]},\"profiles\":[{\"type\":\"evented\","
            "\"name\":\"t\",\"unit\":\"none\",\"startValue\":0,\"endValue\":40002,\"events\":[");
    add_repeated(to, "{\"type\":\"O\",\"at\":0,\"frame\":0}",
                 ",{\"type\":\"O\",\"at\":0,\"frame\":0}", MANY_FRAMES);
    for (unsigned i = 0; i < MANY_FRAMES; i++) {
        g_snprintf(text, sizeof text, ",{\"type\":\"C\",\"at\":%u,\"frame\":0}", i + 3);
        add(to, text);
    }
    add(to, "]}]}");
}

static void add_weighted_samples(GByteArray *to)
{
    char text[96];
    add(to, "{\"traceEvents\":[],\"samples\":[{\"tid\":1,\"ts\":0,\"sf\":40000,\"weight\":3}");
    for (unsigned i = 1; i < MANY_FRAMES; i++) {
        g_snprintf(text, sizeof text, ",{\"tid\":1,\"ts\":%u,\"sf\":%u,\"weight\":1}", i,
                   MANY_FRAMES - i);
        add(to, text);
    }
    add_stack_frames(to, MANY_FRAMES);
}

TEST(weighted_stacks_have_any_depth)
{
    GByteArray *files[2] = {g_byte_array_new(), g_byte_array_new()};
    add_calls_without_times(files[0]);
    add_weighted_samples(files[1]);
    for (unsigned i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autoptr(af_profile) profile = read_bytes(files[i]);
        ck_assert_uint_eq(af_profile_n_warnings(profile), 0);
        ck_assert_uint_eq(af_tree_n_nodes(profile, 0), 1 + MANY_FRAMES);
        ck_assert_uint_eq(af_node_self_ns(profile, 0, MANY_FRAMES, AF_WALL), 3);
        ck_assert_uint_eq(af_node_self_ns(profile, 0, 1, AF_WALL), 1);
        ck_assert_uint_eq(af_node_inclusive_ns(profile, 0, 0, AF_WALL), MANY_FRAMES + 2);
    }
}

/* A stack table with two stacks of 40,000 frames, and 4,000 samples of each: all of the first
 * before those of the second, or by turns. */
static af_profile *open_deep_samples(gboolean by_turns)
{
    enum { DEPTH = 40000, SAMPLES = 4000 };
    GByteArray *bytes = g_byte_array_new();
    add(bytes, "{\"meta\":{\"preprocessedProfileVersion\":66},\"threads\":[{\"name\":\"t\","
               "\"stringArray\":[\"f\",\"g\"],\"frameTable\":{\"func\":[0,1]},"
               "\"funcTable\":{\"name\":[0,1]},\"stackTable\":{\"frame\":[");
    add_repeated(bytes, "0", ",0", DEPTH);
    add_repeated(bytes, ",1", ",0", DEPTH);
    add(bytes, "],\"prefixOffset\":[");
    add_repeated(bytes, "0", ",1", DEPTH);
    add_repeated(bytes, ",0", ",1", DEPTH);
    add(bytes, "]},\"samples\":{\"stack\":[");
    if (by_turns) {
        add_repeated(bytes, "39999,79999", ",39999,79999", SAMPLES);
    } else {
        add_repeated(bytes, "39999", ",39999", SAMPLES);
        add_repeated(bytes, ",79999", ",79999", SAMPLES);
    }
    add(bytes, "],\"timeDeltas\":[");
    add_repeated(bytes, "1", ",1", 2 * SAMPLES);
    add(bytes, "]}}]}");
    af_profile *profile = read_bytes(bytes);
    ck_assert_uint_eq(af_tree_n_nodes(profile, 0), 1 + 2 * DEPTH);
    ck_assert_uint_eq(af_node_inclusive_ns(profile, 0, 0, AF_WALL), 2 * SAMPLES);
    ck_assert_uint_eq(af_node_self_ns(profile, 0, DEPTH, AF_WALL), SAMPLES);
    return profile;
}

/* 320 million frames from 300 kB. */
TEST(samples_of_deep_stacks_are_whole)
{
    g_autoptr(af_profile) profile = open_deep_samples(FALSE);
    ck_assert_uint_eq(af_profile_n_warnings(profile), 0);
    ck_assert_int_eq(profile->facts.content, AF_CONTENT_SAMPLES);
}

TEST(changes_between_deep_stacks_are_limited)
{
    g_autoptr(af_profile) profile = open_deep_samples(TRUE);
    ck_assert(has_warning(profile, "many-changes"));
    ck_assert_int_eq(profile->facts.content, AF_CONTENT_STACKS);
}

/* A location with 40,000 inlined functions, in 8,000 samples: 320 million frames from 300 kB. */
TEST(frames_of_all_samples_are_limited)
{
    GByteArray *bytes = g_byte_array_new();
    g_autoptr(GByteArray) location = g_byte_array_new();
    made_bytes(bytes, "1{ 1=1 2=2 } 5{ 1=1 2=3 }"); /* samples are a count; function 1 is f */
    made_bytes(location, "1=1");
    for (unsigned i = 0; i < 40000; i++) {
        made_bytes(location, "4{ 1=1 }"); /* a line of function 1 */
    }
    made_field(bytes, 4, location->data, location->len);
    for (unsigned i = 0; i < 8000; i++) {
        made_bytes(bytes, "2{ 1{ ~1 } 2{ ~1 } }"); /* location 1, value 1 */
    }
    made_bytes(bytes, "6=\"\" 6=\"samples\" 6=\"count\" 6=\"f\"");
    g_autoptr(af_profile) profile = read_bytes(bytes);
    ck_assert_uint_eq(af_tree_n_nodes(profile, 0), 1 + 40000);
    ck_assert(has_warning(profile, "many-frames"));
    ck_assert_uint_gt(af_node_inclusive_ns(profile, 0, 0, AF_WALL), AF_WORK(1000, 100));
    ck_assert_uint_lt(af_node_inclusive_ns(profile, 0, 0, AF_WALL), AF_WORK(4000, 1000));
}

/* ---- methods ---- */

/* The sink's map never returns a number that does not fit into an event. */
TEST(method_numbers_fit_into_events)
{
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    af_sink *sink = af_sink_new(&options);
    ck_assert_uint_eq(sink->method_ids.most, AF_MOST_METHODS);
    ck_assert_uint_eq((AF_MOST_METHODS - 1) << AF_ACTION_BITS >> AF_ACTION_BITS,
                      AF_MOST_METHODS - 1);
    af_sink_free(sink);
    af_idmap map;
    af_idmap_init(&map, 2, NULL);
    map.most = 100;
    for (uint32_t i = 0; i < 100; i++) {
        ck_assert_uint_eq(af_idmap_number(&map, i * 12345), i);
    }
    ck_assert_uint_eq(af_idmap_number(&map, 1), AF_IDMAP_NONE);
    ck_assert(map.failed);
    ck_assert_uint_eq(af_idmap_number(&map, 12345), 1);
    af_idmap_clear(&map);
}

/* ---- declared lengths ---- */

static long get_peak_kb(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* A file of some sixty bytes that declares gigabytes. */
TEST(declared_lengths_are_checked_against_the_bytes)
{
    static const char *const files[] = {
        /* after the head: thread 1, a summary */
        "\"SLOW\" 0xF2/2 32/2 0 10/2 0/14 1/2 0/4 10/4 0/2 3/1 0xFFFFFFFF/4",
        /* a block of records */
        "\"SLOW\" 4/2 0/2 0 0/2 0/14 2/1 1/4 0xFFFFFF/3 0xFFFFFFFF/4 0x10101010/4",
        /* a method */
        "\"SLOW\" 4/2 0/2 0 0/2 0/14 1/1 16 0xFFFF/2 \"a\tb\"",
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(files); i++) {
        const long before = get_peak_kb();
        g_autoptr(GError) error = NULL;
        GByteArray *bytes = g_byte_array_new();
        made_bytes(bytes, files[i]);
        g_autoptr(af_profile) profile = open_bytes(bytes, &error);
        ck_assert(profile != NULL || error->domain == AF_ERROR);
        ck_assert_int_lt(get_peak_kb() - before, 32 * 1024);
    }
}

/* ---- times ---- */

/* One call in nanoseconds that ends at an invalid time. */
TEST(times_stop_before_64_bits_overflow)
{
    static const uint64_t ends[] = {AF_LARGEST_TIME_NS / 2, AF_LARGEST_TIME_NS + 1,
                                    UINT64_MAX - 1000, UINT64_MAX};
    for (unsigned i = 0; i < G_N_ELEMENTS(ends); i++) {
        /* a block: method 16 is entered and left; the summary */
        g_autofree char *words = g_strdup_printf(
            "\"SLOW\" 4/2 0/2 0 0/2 0/14 2/1 1/4 2/3 [ 16/1 ~1000 1/1 ~%" G_GUINT64_FORMAT " ] 3/1 "
            "60/2 \"*version\n4\nclock=wall\nelapsed-time-nsec=1000000\nvm=art\n*end\n\"",
            ends[i] - 1000);
        GByteArray *bytes = g_byte_array_new();
        made_bytes(bytes, words);
        g_autoptr(af_profile) profile = read_bytes(bytes);
        ck_assert_int_eq(has_warning(profile, "backward-step"), i > 0);
        ck_assert_uint_le(af_node_inclusive_ns(profile, 0, 0, AF_WALL), AF_LARGEST_TIME_NS);
        if (i == 0) {
            ck_assert_uint_eq(af_node_inclusive_ns(profile, 0, 1, AF_WALL), ends[i] - 1000);
        }
    }
}

/* `n` threads with a call of 73 years each. */
static af_profile *read_long_calls(unsigned n, GError **error)
{
    GByteArray *bytes = g_byte_array_new();
    for (unsigned t = 1; t <= n; t++) {
        g_autofree char *call =
            g_strdup_printf("%c{\"ph\":\"X\",\"pid\":1,\"tid\":%u,\"name\":\"a\","
                            "\"ts\":0,\"dur\":%" G_GINT64_FORMAT "}",
                            t == 1 ? '[' : ',', t, INT64_MAX / 4000);
        add(bytes, call);
    }
    add(bytes, "]");
    return open_bytes(bytes, error);
}

TEST(times_of_all_threads_fit_into_64_bits)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(af_profile) four = read_long_calls(4, &error);
    ck_assert_ptr_nonnull(four);
    ck_assert_ptr_null(read_long_calls(5, &error));
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_DAMAGED));
    g_clear_error(&error);
    g_autoptr(af_runs) runs = af_runs_new(AF_RUNS_TO_MERGE);
    ck_assert(af_runs_add(runs, four, "one", NULL, &error));
    ck_assert(!af_runs_add(runs, four, "other", NULL, &error));
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_DAMAGED));
}
