#include "drawn_profile.h"
#include "render/sizes.h"
#include "render/ticket/ticket.h"
#include "render/words.h"
#include "suite.h"
#include "text_profile.h"

/* The second is on another thread. */
static af_finding findings[] = {
    {.rule = "hot-method",
     .title = "Self time of one method",
     .text = "main spent 30 ms in ActivityThread.handleLaunchActivity itself",
     .node = 3,
     .behalf = AF_NO_NODE,
     .time = 30000000,
     .calls = 1},
    {.rule = "long-call",
     .title = "A long call",
     .text = "the worker spent 20 ms in one call",
     .thread = 1,
     .node = 1,
     .behalf = AF_NO_NODE,
     .time = 20000000,
     .calls = 1},
};

static af_scene *draw(const af_profile *profile, int32_t width_c, int32_t height_c, unsigned n)
{
    g_autoptr(GArray) threads = af_sheet_default_threads(profile, AF_WALL);
    const af_sheet_options options = {
        .clock = AF_WALL,
        .threads = (const uint32_t *)(const void *)threads->data,
        .n_threads = threads->len,
        .input = "app.trace",
        .program = "aflame test",
        .width_c = width_c,
        .min_width_c = 100,
    };
    const af_explanation explanation = {.profile = profile,
                                        .clock = AF_WALL,
                                        .total = af_thread_time_ns(profile, 0, AF_WALL),
                                        .explained = 30000000,
                                        .findings = findings,
                                        .n = n};
    const af_ticket_options ticket = {.explanation = &explanation,
                                      .command = "aflame render app.trace --sheet",
                                      .height_c = height_c};
    GError *error = NULL;
    af_scene *scene = af_ticket_new(profile, &options, &ticket, &error);
    ck_assert_msg(scene != NULL, "%s", error != NULL ? error->message : "");
    return scene;
}

static int32_t get_height(const af_scene *scene)
{
    return scene->commands[0].page.height;
}

static gboolean has_text(const af_scene *scene, const char *text)
{
    g_autofree char *all = drawn_print(scene);
    return strstr(all, text) != NULL;
}

TEST(the_page_of_a_trace_is_golden)
{
    g_autoptr(af_profile) profile = drawn_app_start();
    g_autoptr(af_scene) scene = draw(profile, 80000, 120000, 2);
    g_autofree char *text = drawn_print(scene);
    drawn_compare_golden("scene/ticket.txt", text);
}

TEST(the_text_has_three_sentences)
{
    g_autoptr(af_profile) profile = drawn_app_start();
    g_autoptr(af_scene) two = draw(profile, 80000, 0, 2);
    ck_assert_ptr_nonnull(
        strstr(two->about.description, " itself. the worker spent 20 ms in one call."));
    g_autoptr(af_scene) one = draw(profile, 80000, 0, 1);
    ck_assert_ptr_nonnull(
        strstr(one->about.description, "Activity itself. This finding explains "));
    g_autoptr(af_scene) none = draw(profile, 80000, 0, 0);
    ck_assert(g_str_has_suffix(none->about.description, AF_SAY_NO_FINDINGS));
}

TEST(a_low_page_gives_up_rows_then_tables_then_threads)
{
    g_autoptr(af_profile) profile = drawn_app_start();
    const int32_t whole_c = 120000;
    g_autoptr(af_scene) whole = draw(profile, 80000, whole_c, 2);
    ck_assert(has_text(whole, AF_SAY_TICKET_SELF));
    const int32_t height_c = get_height(whole);
    g_autoptr(af_scene) lower = draw(profile, 80000, height_c - AF_ROW_C, 2);
    ck_assert_int_le(get_height(lower), height_c - AF_ROW_C);
    ck_assert(has_text(lower, AF_SAY_TICKET_SELF));
    g_autoptr(af_scene) lowest = draw(profile, 80000, 20000, 2);
    ck_assert_int_lt(get_height(lowest), get_height(lower));
    ck_assert(!has_text(lowest, AF_SAY_TICKET_SELF));
}

/* Two methods that call each other in turns are two rows. */
TEST(recursion_takes_few_rows)
{
    g_autoptr(GString) text = g_string_new("1000000 com.example.App.run\n");
    for (unsigned depth = 1; depth <= 30; depth++) {
        g_string_append_printf(text, "%*s1000000 com.example.Parser.%s\n", (int)depth * 2, "",
                               depth % 2 == 0 ? "parseArray" : "parseValue");
    }
    g_autoptr(af_profile) profile = text_profile_new();
    text_profile_add_thread(profile, 1, "main", text->str);
    text_profile_finish(profile);
    g_autoptr(af_scene) scene = draw(profile, 80000, 0, 0);
    g_autofree char *printed = drawn_print(scene);
    unsigned n = 0;
    for (const char *at = printed; (at = strstr(at, "label text=\"com.example.")) != NULL; at++) {
        n++;
    }
    ck_assert_uint_eq(n, 3);
    ck_assert_ptr_nonnull(strstr(printed, "com.example.Parser.parseArray"));
}

TEST(the_graph_reaches_the_first_finding)
{
    enum { DEPTH = 40 };
    g_autoptr(GString) text = g_string_new(NULL);
    for (unsigned depth = 0; depth < DEPTH; depth++) {
        g_string_append_printf(text, "%*s1000000 com.example.App.level%u\n", (int)depth * 2, "",
                               depth);
    }
    g_autoptr(af_profile) profile = text_profile_new();
    text_profile_add_thread(profile, 1, "main", text->str);
    text_profile_finish(profile);
    g_autoptr(af_scene) without = draw(profile, 80000, 0, 0);
    ck_assert(!has_text(without, "level30"));
    findings[0].node = DEPTH;
    g_autoptr(af_scene) scene = draw(profile, 80000, 0, 1);
    findings[0].node = 3;
    ck_assert(has_text(scene, "level30"));
    ck_assert(has_text(scene, "24 more rows below"));
}
