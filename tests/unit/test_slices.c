#include "build/profile_builder.h"
#include "read/slices.h"

#include <string.h>

#include "cases.h"
#include "read/frames.h"
#include "suite.h"
#include "text_profile.h"

/* Slices of one thread as letters: "B5a" starts a at 5, "E7a" ends it ("E7" ends the innermost
 * one), "X5+3a" is complete and 3 long, "X5a" has no length. The CPU time follows a slash. */
typedef struct {
    af_sink *sink;
    af_frames names;
    af_slices *slices;
    uint64_t unordered;
} slice_reader;

static int64_t take_number(const char **at, char mark, int64_t otherwise)
{
    if (**at != mark) {
        return otherwise;
    }
    char *end;
    const int64_t number = g_ascii_strtoll(*at + 1, &end, 10);
    *at = end;
    return number;
}

static void tell(slice_reader *t, uint32_t thread, const char *word)
{
    const char *at = word;
    const char kind = *word;
    const int64_t ns = take_number(&at, kind, 0);
    const int64_t length_ns = take_number(&at, '+', AF_NO_LENGTH);
    const char name = *at != '\0' && *at != '/' ? *at++ : '\0';
    const int64_t cpu_ns = take_number(&at, '/', AF_NO_CPU);
    const int64_t cpu_length_ns = take_number(&at, '+', AF_NO_LENGTH);
    ck_assert_msg(*at == '\0', "%s", word);
    const uint32_t method =
        name == '\0' ? AF_NO_METHOD : af_frames_name(&t->names, (af_span){&name, 1});
    if (kind == 'B') {
        af_slices_begin(t->slices, thread, method, ns, cpu_ns);
    } else if (kind == 'E') {
        af_slices_end(t->slices, thread, method, ns, cpu_ns);
    } else {
        af_slices_whole(t->slices, thread, method, ns, length_ns, cpu_ns, cpu_length_ns);
    }
}

/* Async tracks have ids from 11 on. */
static uint32_t add_track(void *user, uint32_t thread, unsigned index)
{
    return af_sink_thread(user, 10 * (thread + 1) + index);
}

static gboolean by_rules;

/* A bar separates two threads. */
static af_profile *read_all(slice_reader *t, const char *text)
{
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    GError *error = NULL;
    *t = (slice_reader){.sink = af_sink_new(&options)};
    t->slices = af_slices_new(t->sink);
    const af_slices_rules rules = {TRUE, add_track, t->sink};
    if (by_rules) {
        af_slices_set_rules(t->slices, &rules);
    }
    af_frames_init(&t->names, t->sink);
    uint32_t thread = af_sink_thread(t->sink, 1);
    char word[64];
    /* no g_strsplit(): under the address sanitizer it measures the whole rest for every word */
    for (const char *at = text; *at != '\0'; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        ck_assert_uint_lt(length, sizeof word);
        memcpy(word, at, length);
        word[length] = '\0';
        at += length;
        if (strcmp(word, "|") == 0) {
            thread = af_sink_thread(t->sink, 2);
        } else {
            tell(t, thread, word);
        }
    }
    t->unordered = af_slices_unordered(t->slices);
    ck_assert(af_slices_finish(t->slices, AF_RECORDED_CALLS, &error));
    af_profile *profile = af_sink_finish(t->sink, &options, &error);
    ck_assert_ptr_nonnull(profile);
    af_frames_clear(&t->names);
    af_slices_free(t->slices);
    af_sink_free(t->sink);
    return profile;
}

static uint64_t count_warning(const af_profile *profile, const char *id)
{
    for (unsigned i = 0; i < af_profile_n_warnings(profile); i++) {
        af_warning_view warning = AF_WARNING_VIEW_INIT;
        if (af_profile_warning(profile, i, &warning) && strcmp(warning.id, id) == 0) {
            return warning.count;
        }
    }
    return 0;
}

static char *show_slices(const char *text)
{
    slice_reader t;
    g_autoptr(af_profile) profile = read_all(&t, text);
    g_autofree char *line = text_profile_line(profile);
    return t.unordered > 0 ? g_strdup_printf("%s; unordered %u", line, (unsigned)t.unordered)
                           : g_strdup(line);
}

TEST(slices_nest)
{
    cases_map("slices", show_slices);
    by_rules = TRUE;
    cases_map("slices by rules", show_slices);
    by_rules = FALSE;
}

/* 65 overlapping slices: one on the thread, and as many as there are tracks; one more is cut. */
TEST(the_number_of_tracks_is_limited)
{
    for (unsigned n = AF_SLICES_TRACKS + 1; n <= AF_SLICES_TRACKS + 2; n++) {
        g_autoptr(GString) text = g_string_new("X0+1000000a");
        for (unsigned i = 1; i < n; i++) {
            g_string_append_printf(text, " X%u+1000000b", i * 2000);
        }
        slice_reader t;
        by_rules = TRUE;
        g_autoptr(af_profile) profile = read_all(&t, text->str);
        by_rules = FALSE;
        ck_assert_uint_eq(profile->n_threads, AF_SLICES_TRACKS + 1);
        ck_assert_uint_eq(count_warning(profile, "overlap"), n - AF_SLICES_TRACKS - 1);
        ck_assert_uint_eq(profile->facts.counts.calls, n);
    }
}

TEST(there_is_a_cpu_clock_if_half_the_slices_have_one)
{
    slice_reader t;
    af_profile *profile = read_all(&t, "X0+10a/100+6 X2+3b/101+2");
    ck_assert(af_profile_has_clock(profile, AF_CPU));
    ck_assert_uint_eq(af_node_inclusive_ns(profile, 0, 1, AF_CPU), 6);
    ck_assert_uint_eq(af_node_self_ns(profile, 0, 1, AF_CPU), 4);
    af_profile_free(profile);
    profile = read_all(&t, "X0+10a/100+6 X2+3b X6+1c");
    ck_assert(!af_profile_has_clock(profile, AF_CPU));
    ck_assert_uint_eq(count_warning(profile, "cpu-missing"), 0);
    af_profile_free(profile);
    /* of one thread, independent of the others */
    profile = read_all(&t, "X0+10a/100+6 X2+3b | X0+5a X6+3b X9+2c/7+1");
    ck_assert(af_profile_has_clock(profile, AF_WAIT));
    ck_assert(af_thread_has_clock(profile, 0, AF_CPU) && af_thread_has_clock(profile, 0, AF_WAIT));
    ck_assert(af_thread_has_clock(profile, 1, AF_WALL));
    ck_assert(!af_thread_has_clock(profile, 1, AF_CPU));
    ck_assert(!af_thread_has_clock(profile, 1, AF_WAIT));
    ck_assert(!af_thread_has_clock(profile, 2, AF_WALL));
    ck_assert(!af_thread_has_clock(profile, 0, (af_clock)7));
    ck_assert_uint_eq(af_node_self_ns(profile, 1, 3, AF_CPU), 0);
    ck_assert_uint_eq(af_node_inclusive_ns(profile, 1, 0, AF_WALL), 10);
    ck_assert_uint_eq(count_warning(profile, "cpu-missing"), 1);
    ck_assert_uint_eq(af_profile_n_without(profile, AF_CPU), 1);
    ck_assert_uint_eq(af_profile_n_without(profile, AF_WALL), 0);
    ck_assert_int_eq(af_profile_busy_clock(profile), AF_WALL);
    af_profile_free(profile);
}

TEST(the_earliest_time_is_zero)
{
    slice_reader t;
    g_autoptr(af_profile) profile = read_all(&t, "B1000a E1005a | B-500b E-400b");
    ck_assert_int_eq((int64_t)profile->threads[0].first_ns[AF_WALL], 1500);
    ck_assert_int_eq((int64_t)profile->threads[1].first_ns[AF_WALL], 0);
}

/* More than is collected before it is spooled, and more than is sorted at once. */
TEST(reversed_input_gives_the_same_result)
{
    slice_reader forward, backward;
    g_autoptr(GString) one = g_string_new("X0+900000z"), other = g_string_new(NULL);
    for (unsigned i = 0; i < 30000; i++) {
        g_string_append_printf(one, " X%u+7%c X%u+3%c", 10 + i * 20, 'a' + i % 7, 12 + i * 20, 'h');
    }
    for (unsigned i = 30000; i-- > 0;) {
        g_string_append_printf(other, "X%u+3%c X%u+7%c ", 12 + i * 20, 'h', 10 + i * 20,
                               'a' + i % 7);
    }
    g_string_append(other, "X0+900000z");
    g_autoptr(af_profile) first = read_all(&forward, one->str),
                          second = read_all(&backward, other->str);
    g_autofree char *shown = text_profile_thread(first, 0), *again = text_profile_thread(second, 0);
    ck_assert_str_eq(shown, again);
    ck_assert_msg(g_str_has_prefix(shown, "690000/900000 z\n"), "%.40s", shown);
}
