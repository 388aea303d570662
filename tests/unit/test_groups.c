#include <aflame/open.h>
#include <glib/gstdio.h>
#include <string.h>

#include "cases.h"
#include "model/groups.h"
#include "suite.h"

/* Opens a text as a file whose name allows stacks of one frame. */
static af_profile *open_text(const char *text)
{
    g_autofree char *path = NULL;
    GError *error = NULL;
    const int fd = g_file_open_tmp("aflame-XXXXXX.folded", &path, NULL);
    ck_assert_int_ge(fd, 0);
    ck_assert(g_file_set_contents(path, text, -1, NULL));
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    af_profile *profile = af_profile_open(path, &options, &error);
    ck_assert_msg(profile != NULL, "%s", error != NULL ? error->message : "");
    g_close(fd, NULL);
    g_unlink(path);
    return profile;
}

/* The origin of each label, and the category whose colours it has; the app. */
static char *show_labels(const char *text)
{
    g_autoptr(af_profile) profile = open_text(text);
    GString *shown = g_string_new(NULL);
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        const af_label *label = &profile->labels[i];
        const char *origin = af_label_origin(profile, label);
        const unsigned hue = af_label_hue(profile, label);
        const char *of_hue = af_groups_hue_title(profile, hue);
        const gboolean alone = label->group > 0 && strcmp(of_hue, origin) != 0;
        g_string_append_printf(shown, "%s%s: %s%s%s in %s", i > 0 ? ", " : "", label->text, origin,
                               alone ? "/" : "", alone ? of_hue : "",
                               af_category_title((af_category)hue));
    }
    if (profile->app != NULL) {
        g_string_append_printf(shown, "; app %s", profile->app);
    }
    return g_string_free(shown, FALSE);
}

/* "STACK WEIGHT, ..." */
static char *show_stacks(const char *input)
{
    g_auto(GStrv) lines = g_strsplit(input, ", ", -1);
    g_autofree char *text = g_strjoinv("\n", lines);
    return show_labels(text);
}

/* "NAME CATEGORY LENGTH, ...", with - for an event without category */
static char *show_events(const char *input)
{
    g_auto(GStrv) events = g_strsplit(input, ", ", -1);
    g_autoptr(GString) text = g_string_new("[");
    for (unsigned i = 0; events[i] != NULL; i++) {
        g_auto(GStrv) words = g_strsplit(events[i], " ", 3);
        const gboolean has = strcmp(words[1], "-") != 0;
        g_string_append_printf(text,
                               "%s{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"%s\",\"ts\":%u,"
                               "\"dur\":%s%s%s%s}",
                               i > 0 ? "," : "", words[0], i * 1000, words[2],
                               has ? ",\"cat\":\"" : "", has ? words[1] : "", has ? "\"" : "");
    }
    g_string_append_c(text, ']');
    return show_labels(text->str);
}

TEST(labels_have_an_origin_and_a_hue)
{
    cases_map("groups of stacks", show_stacks);
    cases_map("groups of events", show_events);
}

TEST(only_the_heaviest_groups_have_a_hue)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (unsigned i = 0; i < 40; i++) {
        g_string_append_printf(text, "lib%u`f%u %u\n", i, i, 100 - i);
    }
    g_autoptr(af_profile) profile = open_text(text->str);
    unsigned used = 0, others = 0;
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        const unsigned hue = af_label_hue(profile, &profile->labels[i]);
        ck_assert(hue != AF_CATEGORY_APP && hue != AF_CATEGORY_IDLE && hue != AF_CATEGORY_FOLDED &&
                  hue != AF_CATEGORY_TRACER);
        others += hue == AF_CATEGORY_UNKNOWN;
        ck_assert(hue == AF_CATEGORY_UNKNOWN || !(used >> hue & 1u));
        used |= hue == AF_CATEGORY_UNKNOWN ? 0 : 1u << hue;
    }
    ck_assert_uint_eq(others, 35);
    ck_assert_str_eq(af_label_origin(profile, &profile->labels[39]), "lib39");
}
