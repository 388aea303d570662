/* Nests: begins and ends in order of time, by the rules of Perfetto. */
#include "build/profile_builder.h"
#include "read/nests.h"

#include <string.h>

#include "suite.h"
#include "text_profile.h"

/* Slices as words, all in one nest: "B5a" begins a at 5, "E7a" ends it, "E7" ends whatever is open,
 * "X5+3a" lasts 3; "B5ak", "E7ak": of category k; the CPU clock, or the CPU time of the slice after
 * "=", follows a slash. The recording ends at 100. */
typedef struct {
    af_sink *sink;
    af_texts texts;
    af_slices *slices;
    af_nests *nests;
} nest_reader;

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

static uint32_t take_text(nest_reader *t, const char **at)
{
    return g_ascii_islower(**at) ? af_texts_add(&t->texts, (af_span){(*at)++, 1}) : AF_NO_TEXT;
}

static void tell(nest_reader *t, const char *word)
{
    const char *at = word;
    const char kind = *word;
    af_nest_event event = {.ns = take_number(&at, kind, 0)};
    const int64_t length_ns = take_number(&at, '+', 0);
    event.name = take_text(t, &at);
    event.category = take_text(t, &at);
    event.cpu_ns = take_number(&at, '/', -1);
    event.cpu = event.cpu_ns >= 0 ? AF_NEST_CPU : AF_NEST_NO_CPU;
    if (*at == '=') {
        event.cpu_ns = take_number(&at, '=', 0);
        event.cpu = AF_NEST_CPU_OF_SLICE;
    }
    ck_assert_msg(*at == '\0', "%s", word);
    if (kind == 'B') {
        af_nests_begin(t->nests, &event);
    } else if (kind == 'E') {
        af_nests_end(t->nests, &event);
    } else {
        af_nests_whole(t->nests, &event, length_ns);
    }
}

static af_profile *read_all(const char *text)
{
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    GError *error = NULL;
    nest_reader t = {.sink = af_sink_new(&options)};
    t.slices = af_slices_new(t.sink);
    af_texts_init(&t.texts, t.sink);
    t.nests = af_nests_new(t.sink, t.slices, &t.texts);
    af_nests_add(t.nests);
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    for (unsigned i = 0; words[i] != NULL; i++) {
        tell(&t, words[i]);
    }
    af_nests_finish(t.nests, 100, NULL, NULL);
    ck_assert(af_slices_finish(t.slices, AF_RECORDED_CALLS, &error));
    af_profile *profile = af_sink_finish(t.sink, &options, &error);
    ck_assert_ptr_nonnull(profile);
    af_nests_free(t.nests);
    af_texts_clear(&t.texts);
    af_slices_free(t.slices);
    af_sink_free(t.sink);
    return profile;
}

static uint64_t count_warning(const af_profile *profile, af_warning_kind kind)
{
    return profile->warnings.count[kind];
}

static void expect(const char *text, const char *tree)
{
    g_autoptr(af_profile) profile = read_all(text);
    g_autofree char *is = text_profile_thread(profile, 0);
    ck_assert_str_eq(is, tree);
}

static void expect_warning(const char *text, af_warning_kind kind, unsigned n)
{
    g_autoptr(af_profile) profile = read_all(text);
    ck_assert_uint_eq(count_warning(profile, kind), n);
}

TEST(an_end_closes_the_innermost_slice_that_it_matches)
{
    expect("B0a B2b E5 E9", "6/9 a\n  3/3 b\n");
    expect("B0a B2b E5b E9a", "6/9 a\n  3/3 b\n");
    expect("B0ak B2bl E5k E9l", "2/100 a\n  98/98 b\n"); /* names that no slice has */
    expect("B0ak B2al E5al E9ak", "6/9 a\n  3/3 a\n");
    expect("B0ak B2al E5ak B7c E9c E11al", "2/5 a\n  3/3 a\n2/2 c\n");
    expect("B0 E4a", "4/4 [no name]\n"); /* a slice without a name matches */
}

TEST(slices_inside_end_with_it_but_only_afterwards)
{
    /* b may end at the same time; until a later event it is open */
    expect("B0a B2b E5a E5b", "2/5 a\n  3/3 b\n");
    expect("B0a B2b E5a B6c E7c", "2/5 a\n  3/3 b\n1/1 c\n");
    expect_warning("B0a B2b E5a B6c E7c", AF_WARN_MISSING_EXIT, 1);
    expect_warning("B0a B2b E5a E5b", AF_WARN_MISSING_EXIT, 0);
}

TEST(ends_without_a_begin_are_counted)
{
    expect("E1 B2a E3", "1/1 a\n");
    expect_warning("E1 B2a E3x E4", AF_WARN_LONE_END, 2);
    expect("B0a E3x E9a", "9/9 a\n");
}

TEST(equal_times_keep_the_order_of_the_file)
{
    expect("B0a E5a B5b E6b", "5/5 a\n1/1 b\n");
    expect("B0a B5b E5b E6a", "6/6 a\n  0/0 b\n");
}

TEST(whole_slices_nest_and_are_cut)
{
    expect("X0+10a X2+3b X6+1c", "6/10 a\n  3/3 b\n  1/1 c\n");
    expect("X0+10a X10+5b", "10/10 a\n5/5 b\n");
    expect("X0+10a X5+10b", "5/10 a\n  5/5 b\n");
    expect_warning("X0+10a X5+10b", AF_WARN_OVERLAP, 1);
    expect("B0a X2+3b E9a", "6/9 a\n  3/3 b\n");
    expect("X0+10a B5b X20+5c", "5/10 a\n  5/5 b\n5/5 c\n"); /* b ends where a does */
}

TEST(open_slices_last_until_the_end_of_the_recording)
{
    expect("B0a B2b E5b", "97/100 a\n  3/3 b\n");
    g_autoptr(af_profile) profile = read_all("B0a B2b");
    ck_assert_uint_eq(profile->threads[0].open_at_end, 2);
}

TEST(nests_are_deeper_than_512_levels)
{
    g_autoptr(GString) text = g_string_new("B0a");
    for (unsigned i = 1; i < 2000; i++) {
        g_string_append_printf(text, " B%uab", i % 50);
    }
    g_autoptr(af_profile) profile = read_all(text->str);
    ck_assert_uint_eq(profile->threads[0].tree->n, 2001);
}

static void expect_cpu(const char *text, uint64_t cpu_ns)
{
    g_autoptr(af_profile) profile = read_all(text);
    ck_assert(af_profile_has(profile, AF_CPU));
    ck_assert_uint_eq(af_tree_time_ns(profile->threads[0].tree, 1, AF_CPU), cpu_ns);
}

TEST(cpu_times_are_a_clock_or_those_of_slices)
{
    expect_cpu("B10a/1000 E20a/1004", 4);
    expect_cpu("B10a/1000 B12b/1001 E15b/1003 E20a/1004", 4);
    expect_cpu("B10a=0 E20a=7", 7);
    expect_cpu("X10+10a=6 B30b=0 E40b=3", 6);
    g_autoptr(af_profile) profile = read_all("B10a E20a");
    ck_assert(!af_profile_has(profile, AF_CPU)); /* absent, not zero */
}
