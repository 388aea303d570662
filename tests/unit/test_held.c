/* Small files that would fill any memory: the tables that readers of each format keep count against
 * the limit. Without that, these files would be read as a whole, without a warning. */
#include <string.h>

#include <aflame/aflame.h>

#include "made_message.h"
#include "suite.h"
#include "text_profile.h"

enum { MEMORY_LIMIT = 8 * 1000 * 1000, MANY = 40000 };

/* Frees the bytes. */
static af_profile *open_limited(GByteArray *made, uint64_t max_memory, GError **error)
{
    g_autoptr(GBytes) bytes = g_byte_array_free_to_bytes(made);
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.max_memory = max_memory;
    options.max_memory_stops = TRUE;
    options.jobs = 1;
    af_profile *profile = af_profile_open_bytes(g_bytes_get_data(bytes, NULL),
                                                g_bytes_get_size(bytes), &options, error);
    return profile;
}

static void check_is_limited(GByteArray *bytes)
{
    GError *error = NULL;
    g_autoptr(af_profile) profile = open_limited(bytes, MEMORY_LIMIT, &error);
    if (profile == NULL) {
        ck_assert_msg(g_error_matches(error, AF_ERROR, AF_ERROR_MEMORY), "%s", error->message);
        ck_assert_ptr_nonnull(strstr(error->message, "--max-memory"));
        g_error_free(error);
    } else {
        g_autofree char *warnings = text_profile_warnings(profile);
        ck_assert_msg(strstr(warnings, "memory-limit") != NULL, "%s", warnings);
        ck_assert_msg(strstr(warnings, "truncated") == NULL, "%s", warnings);
    }
}

static GByteArray *make_file(const char *words)
{
    GByteArray *bytes = g_byte_array_new();
    made_bytes(bytes, words);
    return bytes;
}

/* Files of many small items; # is the number of the item. */
static const struct {
    const char *head, *item, *tail;
    unsigned n;
} files[] = {
    /* threads of a systrace */
    {"\"# tracer: nop\n#\n\"",
     "\"   a-# (    #) [000] ...1 #.000001: tracing_mark_write: B|#|f\n\"", "", MANY},
    /* methods of the text part */
    {"\"*version\n3\nclock=dual\nelapsed-time-usec=100\n*threads\n1\tmain\n*methods\n\"",
     "\"0x#0\tcom.example.Class#\tmethod#\t()V\tClass.java\n\"",
     "\"*end\n\" \"SLOW\" 3/2 32/2 0 14/2 0/6 0 1/2 4/4 1/4 1/4 1/2 5/4 9/4 9/4", 2 * MANY},
    /* mappings of perf: the head, an event, and the records that follow it */
    {"\"PERFILE2\" 104 128 104 128 232 9600000 0 0 0 0 0 0 "
     "0/4 112/4 0 0 0x127 0 0x40000 0/24 0 0 0/24 0 0",
     "10/4 2/2 80/2 7/4 7/4 #0000 0x1000 0 0/4 0/4 0 0 5/4 2/4 '/lib.so'", "", 3 * MANY},
    /* threads of report-sample: {time, thread, {address, file, symbol}, weight} */
    {"\"SIMPLEPERF\" 1/2", "[ 1{ 1=1 2=# 3{ 1=1 2=0 3=0 } 4=1 } ]", "0/4", MANY},
    /* tracks of Perfetto: of sequence 1 {uuid, name} */
    {"", "1{ 10=1 60{ 1=# 2=\"track number #\" } }", "", MANY},
};

TEST_EACH(items_count, G_N_ELEMENTS(files))
{
    GByteArray *bytes = make_file(files[_i].head);
    g_auto(GStrv) parts = g_strsplit(files[_i].item, "#", -1);
    for (unsigned i = 1; i <= files[_i].n; i++) {
        char number[16];
        g_snprintf(number, sizeof number, "%u", i);
        g_autofree char *item = g_strjoinv(number, parts);
        made_bytes(bytes, item);
    }
    made_bytes(bytes, files[_i].tail);
    check_is_limited(bytes);
}

enum { CHAIN = 200000 };

/* A list of objects of two classes by turns: 20 billion steps from roots to objects. */
static GByteArray *make_java_heap(void)
{
    /* process, classes, a root that is object 1; objects {id, class, bytes, references} */
    g_autoptr(GString) words =
        g_string_new("1{ 8=10 10=1 56{ 1=7 9{ 1=1 3=\"A\" } 9{ 1=2 3=\"B\" } 7{ 1{ ~1 } 2=3 }");
    for (unsigned i = 1; i <= CHAIN; i++) {
        g_string_append_printf(words, " 2{ 1=%u 2=%u 3=16 5{ ~%u } }", i, 1 + i % 2,
                               i == CHAIN ? 0 : i + 1);
    }
    g_string_append(words, " } }");
    return make_file(words->str);
}

/* A call stack of that many frames, named by as many samples: 40 billion frames. */
static GByteArray *make_perf_samples(void)
{
    /* functions and frames, the call stack; samples {CPU, process, thread, call stack} */
    g_autoptr(GString) words =
        g_string_new("1{ 10=1 13=3 12{ 5{ 1=1 2=\"f\" } 5{ 1=2 2=\"g\" } 6{ 1=1 2=1 } 6{ 1=2 2=2 } "
                     "7{ 1=1 2{");
    for (unsigned i = 0; i < CHAIN; i++) {
        g_string_append(words, i % 2 == 0 ? " ~1" : " ~2");
    }
    g_string_append(words, " } } } }");
    for (unsigned i = 0; i < CHAIN; i++) {
        g_string_append_printf(words, " 1{ 8=%u 10=1 13=2 66{ 1=0 2=7 3=%u 4=1 } }", i, 7 + i % 2);
    }
    return make_file(words->str);
}

/* Time follows the size of the file, not the sum of the depths. */
TEST(deep_stacks_of_perfetto_are_shared)
{
    GByteArray *const deep[] = {make_java_heap(), make_perf_samples()};
    const unsigned threads[] = {1, 2};
    for (unsigned i = 0; i < G_N_ELEMENTS(deep); i++) {
        GError *error = NULL;
        g_autoptr(af_profile) profile = open_limited(deep[i], 0, &error);
        ck_assert_msg(profile != NULL, "%s", error != NULL ? error->message : "");
        ck_assert_uint_eq(af_profile_n_threads(profile), threads[i]);
        for (unsigned t = 0; t < threads[i]; t++) {
            ck_assert_uint_eq(af_tree_n_nodes(profile, t), 1 + CHAIN);
            ck_assert_uint_eq(af_node_self_ns(profile, t, CHAIN, AF_WALL), i == 0 ? 16 : CHAIN / 2);
        }
    }
}
