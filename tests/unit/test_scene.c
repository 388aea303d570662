#include <string.h>

#include "render/scene.h"
#include "suite.h"

static void add_text(af_scene *scene, const char *text)
{
    af_scene_text_add(scene, &(af_scene_text){.x = 100,
                                              .baseline = -250,
                                              .size = 1150,
                                              .width_max = 3000,
                                              .advance = 2999,
                                              .anchor = AF_ANCHOR_END,
                                              .bold = TRUE,
                                              .paint = AF_PAINT_LABEL_MUTED,
                                              .text = text});
}

static void attach(af_scene *scene, const char *name, const char *text)
{
    g_autoptr(GBytes) bytes = g_bytes_new_static(text, strlen(text));
    af_scene_attach(scene, name, bytes, 0);
}

TEST(a_new_scene_is_empty)
{
    g_autoptr(af_scene) scene = af_scene_new();
    ck_assert(af_scene_ok(scene));
    ck_assert_uint_eq(scene->n_commands, 0);
    ck_assert_uint_eq(scene->n_pages, 0);
    ck_assert_uint_eq(scene->attachments->len, 0);
    ck_assert_int_eq(scene->about.date_s, -1);
    ck_assert_ptr_null(scene->about.title);
    af_scene_page_resize(scene, 1, 1); /* on no page: no effect */
    ck_assert_uint_eq(scene->n_commands, 0);
    af_scene_free(NULL);
}

TEST(commands_stay_in_order)
{
    enum { N = 5000 }; /* the array grows several times */
    g_autoptr(af_scene) scene = af_scene_new();
    for (int i = 0; i < N; i++) {
        af_scene_rect_add(scene, &(af_scene_rect){.x = i, .width = 1, .height = 1});
        af_scene_pop(scene);
    }
    ck_assert_uint_eq(scene->n_commands, 2 * N);
    const af_scene_command *commands = scene->commands;
    for (int i = 0; i < N; i++) {
        ck_assert_int_eq(commands[2 * i].kind, AF_SCENE_RECT);
        ck_assert_int_eq(commands[2 * i].rect.x, i);
        ck_assert_int_eq(commands[2 * i + 1].kind, AF_SCENE_POP);
    }
    ck_assert(af_scene_ok(scene));
}

TEST(strings_are_copied)
{
    char buffer[] = "first";
    g_autoptr(af_scene) scene = af_scene_new();
    af_scene_set_about(scene, &(af_scene_about){.title = buffer, .app = buffer, .date_s = 7});
    af_scene_page_add(scene, 1, 1, buffer, buffer);
    add_text(scene, buffer);
    const char *copy = af_scene_string(scene, buffer);
    memset(buffer, 'x', sizeof buffer - 1);

    const af_scene_command *commands = scene->commands;
    ck_assert_str_eq(commands[0].page.title, "first");
    ck_assert_str_eq(commands[0].page.label, "first");
    ck_assert_str_eq(commands[1].text.text, "first");
    ck_assert_str_eq(copy, "first");
    ck_assert_str_eq(scene->about.title, "first");
    ck_assert_str_eq(scene->about.app, "first");
    ck_assert_ptr_null(scene->about.input);
    ck_assert_int_eq(scene->about.date_s, 7);
}

TEST(the_last_page_is_resized)
{
    g_autoptr(af_scene) scene = af_scene_new();
    af_scene_page_add(scene, 10, 20, NULL, NULL);
    af_scene_page_add(scene, 30, 40, NULL, NULL);
    af_scene_pop(scene);
    af_scene_page_resize(scene, 50, 60);
    const af_scene_command *commands = scene->commands;
    ck_assert_uint_eq(scene->n_pages, 2);
    ck_assert_int_eq(commands[0].page.width, 10);
    ck_assert_int_eq(commands[1].page.width, 50);
    ck_assert_int_eq(commands[1].page.height, 60);
}

TEST(deferred_commands_are_stored)
{
    static const char *const text = "later";
    g_autoptr(af_scene) scene = af_scene_new();
    ck_assert(!scene->has_grid);
    af_scene_set_grid(scene, &(af_scene_grid){.min_width = 2, .fluid = TRUE});
    ck_assert_int_eq(scene->grid.min_width, 2);
    for (unsigned hatched = 0; hatched < 2; hatched++) {
        ck_assert(!scene->needed_paints[hatched != 0][AF_PAINT_RULE]);
        ck_assert_uint_eq(scene->needed_texts[hatched != 0].n, 0);
    }
    af_scene_need_paint(scene, AF_PAINT_RULE, TRUE);
    ck_assert(scene->needed_paints[TRUE][AF_PAINT_RULE]);
    ck_assert(!scene->needed_paints[FALSE][AF_PAINT_RULE]);
    af_scene_need_text(scene, TRUE, text);
    ck_assert_uint_eq(scene->needed_texts[TRUE].n, 1);
    ck_assert_uint_eq(scene->needed_texts[FALSE].n, 0);
    ck_assert_ptr_eq(AF_ARRAY_AT(&scene->needed_texts[TRUE], const char *, 0), text);
    g_autofree char *printed = af_scene_print(scene);
    ck_assert_str_eq(printed, "about\ngrid min-width=2 fluid\n");
}

static void add_groups(af_scene *scene)
{
    af_scene_push(scene, &(af_scene_group){.kind = AF_GROUP_PANEL,
                                           .id = "t1",
                                           .name = "main",
                                           .clocks = 7,
                                           .self_ns = {5, 6, 0},
                                           .inclusive_ns = {7, 8, 1},
                                           .share_of_ns = 9,
                                           .clock = 1});
    af_scene_push(scene, &(af_scene_group){.kind = AF_GROUP_FRAME,
                                           .name = "a.B.c(int)",
                                           .source = "B.java",
                                           .clocks = 1,
                                           .self_ns = {0, 6},
                                           .inclusive_ns = {UINT64_MAX, 8},
                                           .calls = 3});
    af_scene_pop(scene);
    af_scene_push(scene, &(af_scene_group){.kind = AF_GROUP_BLOCK, .frames = 12});
    af_scene_pop(scene);
    af_scene_pop(scene);
}

TEST(prints_a_line_for_each_command)
{
    g_autoptr(af_scene) scene = af_scene_new();
    af_scene_set_about(scene, &(af_scene_about){.title = "A \"b\\c\"",
                                                .input = "app.trace",
                                                .clock = "wall",
                                                .selection = "main",
                                                .description = "All of it.",
                                                .app = "a.b",
                                                .date_s = 0});
    af_scene_page_add(scene, 120000, 80000, "main", NULL);
    af_scene_rect_add(scene,
                      &(af_scene_rect){-1, 2, 3, 4, AF_PAINT_RULE, FALSE, 0, AF_TEXTURE_NONE});
    af_scene_rect_add(
        scene, &(af_scene_rect){1, 2, 3, 4, af_paint_frame(7, 4), TRUE, 150, AF_TEXTURE_NONE});
    add_text(scene, "größe");
    af_scene_text_add(scene, &(af_scene_text){.simple = TRUE, .paint = AF_PAINT_INK, .text = ""});
    add_groups(scene);
    af_scene_link_add(scene, &(af_scene_link){1, 2, 3, 4, 5, "thread-1"});
    attach(scene, "tree", "abc");
    g_autofree char *text = af_scene_print(scene);
    ck_assert_str_eq(
        text, "about title=\"A \\\"b\\\\c\\\"\" input=\"app.trace\" clock=\"wall\" "
              "selection=\"main\" app=\"a.b\" date=0 description=\"All of it.\"\n"
              "page 120000x80000 title=\"main\"\n"
              "rect -1,2 3x4 rule\n"
              "rect 1,2 3x4 frame-7-4 hatched radius=150\n"
              "text end 100,-250 size=1150 advance=2999 width-max=3000 label-muted bold shaped "
              "text=\"größe\"\n"
              "text start 0,0 size=0 advance=0 ink text=\"\"\n"
              "push panel id=\"t1\" name=\"main\" wall=5/7 cpu*=6/8 wait=0/1 of=9\n"
              "push frame name=\"a.B.c(int)\" source=\"B.java\" wall*=0/18446744073709551615 "
              "calls=3\n"
              "pop\n"
              "push block frames=12\n"
              "pop\n"
              "pop\n"
              "link 1,2 3x4 page=5 target=\"thread-1\"\n"
              "attachment 3 name=\"tree\"\n");
}

static GBytes *take_counted(void *user)
{
    static GBytes *bytes;
    ++*(unsigned *)user;
    bytes = bytes != NULL ? bytes : g_bytes_new_static("late", 4);
    return bytes;
}

static GBytes *take_none(void *user)
{
    ++*(unsigned *)user;
    return NULL;
}

TEST(bytes_in_the_making_are_taken_once_when_needed)
{
    unsigned n_taken = 0, n_refused = 0;
    g_autoptr(af_scene) scene = af_scene_new();
    attach(scene, "now", "bytes");
    af_scene_attach_later(scene, "later", take_counted, &n_taken);
    af_scene_attach_later(scene, "never", take_none, &n_refused);
    ck_assert_uint_eq(g_bytes_get_size(af_scene_find_attachment(scene, "now", NULL)), 5);
    ck_assert_uint_eq(n_taken + n_refused, 0);
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_eq(g_bytes_get_size(af_scene_find_attachment(scene, "later", NULL)), 4);
        ck_assert_ptr_null(af_scene_find_attachment(scene, "never", NULL));
    }
    ck_assert_uint_eq(n_taken, 1);
    ck_assert_uint_eq(n_refused, 1);
    g_autofree char *text = af_scene_print(scene);
    ck_assert_ptr_nonnull(strstr(text, "attachment 4 name=\"later\"\nattachment 0 name=\"never\""));
}
