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

static void add_text(GByteArray *to, const char *text)
{
    g_byte_array_append(to, (const guint8 *)text, (guint)strlen(text));
}

/* ---- text ---- */

TEST(threads_of_systraces_count)
{
    GByteArray *bytes = g_byte_array_new();
    add_text(bytes, "# tracer: nop\n#\n");
    for (unsigned i = 1; i <= MANY; i++) {
        char line[128];
        g_snprintf(line, sizeof line,
                   "   a-%u (%5u) [000] ...1 1.%06u: tracing_mark_write: B|%u|f\n", i, i, i, i);
        add_text(bytes, line);
    }
    check_is_limited(bytes);
}

TEST(methods_of_the_text_part_count)
{
    GByteArray *bytes = g_byte_array_new();
    add_text(bytes,
             "*version\n3\nclock=dual\nelapsed-time-usec=100\n*threads\n1\tmain\n*methods\n");
    for (unsigned i = 1; i <= 2 * MANY; i++) {
        char line[128];
        g_snprintf(line, sizeof line, "0x%x\tcom.example.Class%u\tmethod%u\t()V\tClass.java\n",
                   i * 4, i, i);
        add_text(bytes, line);
    }
    add_text(bytes, "*end\n");
    made_bytes(bytes, "\"SLOW\" 3/2 32/2 0 14/2 0/6 0 1/2 4/4 1/4 1/4 1/2 5/4 9/4 9/4");
    check_is_limited(bytes);
}

/* ---- recordings of perf ---- */

TEST(mappings_of_perf_count)
{
    GByteArray *bytes = g_byte_array_new();
    char words[160];
    /* the head, an event, and the records that follow it */
    g_snprintf(words, sizeof words, "\"PERFILE2\" 104 128 104 128 232 %d 0 0 0 0 0 0",
               3 * MANY * 80);
    made_bytes(bytes, words);
    made_bytes(bytes, "0/4 112/4 0 0 0x127 0 0x40000 0/24 0 0 0/24 0 0");
    for (uint64_t i = 1; i <= 3 * MANY; i++) {
        g_snprintf(words, sizeof words,
                   "10/4 2/2 80/2 7/4 7/4 %" G_GUINT64_FORMAT
                   " 0x1000 0 0/4 0/4 0 0 5/4 2/4 '/lib.so'",
                   i * 0x2000);
        made_bytes(bytes, words);
    }
    check_is_limited(bytes);
}

TEST(threads_of_report_sample_count)
{
    GByteArray *bytes = g_byte_array_new();
    made_bytes(bytes, "\"SIMPLEPERF\" 1/2");
    for (unsigned i = 1; i <= MANY; i++) {
        /* a sample {1 time, 2 thread, 3 {1 address, 2 file, 3 symbol}, 4 weight} */
        const unsigned low = 0x80 | (i & 0x7f), middle = 0x80 | (i >> 7 & 0x7f), high = i >> 14;
        char words[160];
        g_snprintf(
            words, sizeof words,
            "[ 0x0a/1 16/1 8/1 1/1 0x10/1 %u/1 %u/1 %u/1 0x1a/1 6/1 8/1 1/1 0x10/1 0/1 0x18/1 0/1 "
            "0x20/1 1/1 ]",
            low, middle, high);
        made_bytes(bytes, words);
    }
    made_bytes(bytes, "0/4");
    check_is_limited(bytes);
}

/* ---- Perfetto ---- */

/* Packets that describe tracks, each with a name. */
TEST(tracks_of_perfetto_count)
{
    GByteArray *bytes = g_byte_array_new(), *packet = g_byte_array_new();
    g_autoptr(GByteArray) part = g_byte_array_new();
    for (unsigned i = 1; i <= MANY; i++) {
        char name[32];
        g_snprintf(name, sizeof name, "track number %u", i);
        made_number(part, 1, i); /* uuid */
        made_string(part, 2, name);
        made_number(packet, 10, 1); /* sequence */
        made_message(packet, 60, part);
        made_message(bytes, 1, packet);
    }
    g_byte_array_unref(packet);
    check_is_limited(bytes);
}

enum { CHAIN = 200000 };

/* A list of objects of two classes by turns: 20 billion steps from roots to objects. */
static GByteArray *make_java_heap(void)
{
    GByteArray *bytes = g_byte_array_new(), *packet = g_byte_array_new();
    g_autoptr(GByteArray) graph = g_byte_array_new(), part = g_byte_array_new();
    made_number(graph, 1, 7); /* process */
    for (unsigned i = 1; i <= 2; i++) {
        made_number(part, 1, i);
        made_string(part, 3, i == 1 ? "A" : "B");
        made_message(graph, 9, part); /* class */
    }
    made_bytes(graph, "0x3a/1 5/1 0x0a/1 1/1 1/1 0x10/1 3/1"); /* root: object 1 */
    g_autoptr(GByteArray) reference = g_byte_array_new();
    for (unsigned i = 1; i <= CHAIN; i++) {
        made_number(part, 1, i);
        made_number(part, 2, 1 + i % 2); /* class */
        made_number(part, 3, 16);        /* bytes */
        made_varint(reference, i == CHAIN ? 0 : i + 1);
        made_message(part, 5, reference);
        made_message(graph, 2, part);
    }
    made_number(packet, 8, 10);
    made_number(packet, 10, 1);
    made_message(packet, 56, graph);
    made_message(bytes, 1, packet);
    g_byte_array_unref(packet);
    return bytes;
}

/* A call stack of that many frames, named by as many samples: 40 billion frames. */
static GByteArray *make_perf_samples(void)
{
    GByteArray *bytes = g_byte_array_new(), *packet = g_byte_array_new();
    g_autoptr(GByteArray) interned = g_byte_array_new(), part = g_byte_array_new();
    g_autoptr(GByteArray) list = g_byte_array_new();
    for (unsigned i = 1; i <= 2; i++) {
        made_number(part, 1, i);
        made_string(part, 2, i == 1 ? "f" : "g");
        made_message(interned, 5, part); /* function */
        made_number(part, 1, i);
        made_number(part, 2, i);
        made_message(interned, 6, part); /* frame */
    }
    for (unsigned i = 0; i < CHAIN; i++) {
        made_varint(list, 1 + i % 2);
    }
    made_number(part, 1, 1);
    made_message(part, 2, list);
    made_message(interned, 7, part); /* call stack */
    made_number(packet, 10, 1);
    made_number(packet, 13, 3);
    made_message(packet, 12, interned);
    made_message(bytes, 1, packet);
    for (unsigned i = 0; i < CHAIN; i++) {
        made_number(part, 1, 0); /* CPU */
        made_number(part, 2, 7); /* process */
        made_number(part, 3, 7 + i % 2);
        made_number(part, 4, 1); /* call stack */
        made_number(packet, 8, i);
        made_number(packet, 10, 1);
        made_number(packet, 13, 2);
        made_message(packet, 66, part);
        made_message(bytes, 1, packet);
    }
    g_byte_array_unref(packet);
    return bytes;
}

/* Time follows the size of the file, not the sum of the depths. */
TEST(deep_stacks_of_perfetto_are_shared)
{
    GByteArray *const files[] = {make_java_heap(), make_perf_samples()};
    const unsigned threads[] = {1, 2};
    for (unsigned i = 0; i < G_N_ELEMENTS(files); i++) {
        GError *error = NULL;
        g_autoptr(af_profile) profile = open_limited(files[i], 0, &error);
        ck_assert_msg(profile != NULL, "%s", error != NULL ? error->message : "");
        ck_assert_uint_eq(af_profile_n_threads(profile), threads[i]);
        for (unsigned t = 0; t < threads[i]; t++) {
            ck_assert_uint_eq(af_tree_n_nodes(profile, t), 1 + CHAIN);
            ck_assert_uint_eq(af_node_self_ns(profile, t, CHAIN, AF_WALL), i == 0 ? 16 : CHAIN / 2);
        }
    }
}
