/* Nests: begins and ends in order of time, by the rules of Perfetto. */
#include "build/profile_builder.h"
#include "cases.h"
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

TEST(nests_are_deeper_than_512_levels)
{
    g_autoptr(GString) text = g_string_new("B0a");
    for (unsigned i = 1; i < 2000; i++) {
        g_string_append_printf(text, " B%uab", i % 50);
    }
    g_autoptr(af_profile) profile = read_all(text->str);
    ck_assert_uint_eq(profile->threads[0].tree->n, 2001);
}

static char *show_nests(const char *text)
{
    g_autoptr(af_profile) profile = read_all(text);
    g_autofree char *line = text_profile_line(profile);
    const af_tree *tree = profile->threads[0].tree;
    return af_profile_has(profile, AF_CPU)
               ? g_strdup_printf("%s; CPU %u", line, (unsigned)af_tree_time_ns(tree, 1, AF_CPU))
               : g_strdup(line);
}

TEST(begins_and_ends_nest)
{
    cases_map("nests", show_nests);
}
