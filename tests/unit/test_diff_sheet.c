#include <inttypes.h>

#include "compare/compare.h"
#include "drawn_profile.h"
#include "render/diff/diff_sheet.h"
#include "render/sizes.h"
#include "suite.h"
#include "text_profile.h"

#define MS "000000"

static const char *const before_main = "1" MS " com.example.App.onCreate\n"
                                       "  6" MS "x2 com.example.Adapter.bind\n"
                                       "    2" MS " android.view.View.measure\n"
                                       "  5" MS " com.example.Legacy.migrate\n"
                                       "  3" MS " com.example.Decoder.decode\n"
                                       "2" MS " android.os.MessageQueue.next\n";
static const char *const after_main = "1" MS " com.example.App.onCreate\n"
                                      "  9" MS "x14 com.example.Adapter.bind\n"
                                      "    2" MS " android.view.View.measure\n"
                                      "  1" MS " com.example.Traced.decode\n"
                                      "    3" MS " com.example.Decoder.decode\n"
                                      "  4" MS " com.example.Flags.load\n"
                                      "2" MS " android.os.MessageQueue.next\n";
static const char *const worker = "4" MS " com.example.Task.run\n";

static af_runs *make_side(const char *main_text, const char *worker_text, const char *input)
{
    g_autoptr(af_profile) profile = text_profile_new();
    text_profile_add_thread(profile, 1, "main", main_text);
    text_profile_add_thread(profile, 2, "worker", worker_text);
    text_profile_finish(profile);
    af_runs *runs = af_runs_new(AF_RUNS_TO_TEST);
    ck_assert(af_runs_add_profile(runs, profile, input, NULL, NULL));
    return runs;
}

static af_diff *compare(const char *before, const char *after)
{
    const af_compare_options options = {.clock = AF_WALL, .min_delta_ppm = 5000};
    g_autoptr(af_runs) one = make_side(before, worker, "old/app.trace");
    g_autoptr(af_runs) other = make_side(after, worker, "new/app.trace");
    af_diff *diff = af_compare(one, other, &options, NULL);
    ck_assert_ptr_nonnull(diff);
    return diff;
}

static af_scene *draw(const af_diff *diff, af_diff_sheet_options options)
{
    options.inputs = "old → new";
    options.program = "aflame test";
    options.width_c = options.width_c ? options.width_c : 120000;
    options.min_width_c = 100;
    af_scene *scene = af_diff_sheet_new(diff, &options);
    ck_assert_ptr_nonnull(scene);
    return scene;
}

/* The width of all parts of a paint in frames, as high as a frame: without the inside of edges. */
static int64_t add_up(const af_scene *scene, af_paint paint, unsigned *n_frames)
{
    const af_scene_command *commands = scene->commands;
    gboolean in_frame = FALSE;
    int64_t sum = 0;
    *n_frames = 0;
    for (size_t i = 0; i < scene->n_commands; i++) {
        const af_scene_command *it = &commands[i];
        if (it->kind == AF_SCENE_PUSH) {
            in_frame = it->group->kind == AF_GROUP_FRAME;
            *n_frames += in_frame;
        } else if (it->kind == AF_SCENE_POP) {
            in_frame = FALSE;
        } else if (it->kind == AF_SCENE_RECT && in_frame && it->rect.paint == paint &&
                   it->rect.height == AF_FRAME_C) {
            sum += it->rect.width;
        }
    }
    return sum;
}

TEST(scene_is_golden)
{
    g_autoptr(af_diff) diff = compare(before_main, after_main);
    g_autoptr(GPtrArray) sentences = g_ptr_array_new();
    g_ptr_array_add(sentences, (gpointer) "a sentence about the whole");
    g_autoptr(af_scene) scene = draw(diff, (af_diff_sheet_options){.sentences = sentences});
    g_autofree char *text = drawn_print(scene);
    drawn_compare_golden("scene/diff.txt", text);
}

static af_scene *draw_ticket(const af_diff *diff, int32_t height_c)
{
    g_autoptr(GPtrArray) sentences = g_ptr_array_new(), causes = g_ptr_array_new();
    g_ptr_array_add(sentences, (gpointer) "a sentence about the whole");
    for (uint32_t i = 0; i < diff->n_causes; i++) {
        g_ptr_array_add(causes, (gpointer) "a cause");
    }
    return draw(diff, (af_diff_sheet_options){.sentences = sentences,
                                              .causes = causes,
                                              .verdict = "After takes 3 ms more",
                                              .command = "aflame diff old new --sheet",
                                              .width_c = 80000,
                                              .height_c = height_c});
}

TEST(the_page_for_a_bug_report_is_golden)
{
    af_diff *diff = compare(before_main, after_main);
    g_autoptr(af_scene) scene = draw_ticket(diff, 120000);
    g_autofree char *text = drawn_print(scene);
    drawn_compare_golden("scene/diff_ticket.txt", text);
    ck_assert_str_eq(scene->about.description,
                     "Comparison of old → new, with both sides compared and a graph of their "
                     "union. After takes 3 ms more. a cause.");
    af_diff_free(diff);
}

TEST(a_deep_path_leaves_rows_out_below)
{
    g_autoptr(GString) before = g_string_new(NULL);
    for (unsigned depth = 0; depth < 40; depth++) {
        g_string_append_printf(before, "%*s1 com.example.App.level%u\n", (int)depth * 2, "", depth);
    }
    g_autofree char *longer = g_strconcat(before->str, "80 com.example.Other.run\n", NULL);
    g_string_append_printf(before, "%*s400" MS " com.example.App.slow\n", 80, "");
    g_autofree char *deep = g_strconcat(before->str, "80 com.example.Other.run\n", NULL);
    af_diff *diff = compare(longer, deep);
    ck_assert_uint_gt(diff->n_causes, 0);
    g_autoptr(af_scene) scene = draw_ticket(diff, 120000);
    g_autofree char *text = drawn_print(scene);
    ck_assert_ptr_nonnull(strstr(text, " more rows below"));
    ck_assert_ptr_nonnull(strstr(text, "com.example.App.slow"));
    ck_assert_int_le(scene->commands[0].page.height, 120000);
    af_diff_free(diff);
}

TEST(equal_sides_have_no_coloured_part)
{
    static const af_paint parts[] = {AF_PAINT_GROWN, AF_PAINT_SHRUNK, AF_PAINT_GROWN_PALE,
                                     AF_PAINT_SHRUNK_PALE};
    g_autoptr(af_diff) diff = compare(before_main, before_main);
    g_autoptr(af_scene) scene = draw(diff, (af_diff_sheet_options){.title = NULL});
    const af_scene_command *commands = scene->commands;
    unsigned rects = 0;
    for (size_t i = 0; i < scene->n_commands; i++) {
        for (unsigned p = 0; commands[i].kind == AF_SCENE_RECT && p < G_N_ELEMENTS(parts); p++) {
            ck_assert_int_ne(commands[i].rect.paint, parts[p]);
            rects++;
        }
    }
    ck_assert_uint_gt(rects, 40);
}

/* Up to rounding, and the gap after a frame, which shortens its last part. */
TEST(swapped_sides_swap_the_parts)
{
    g_autoptr(af_diff) diff = compare(before_main, after_main),
                       swapped = compare(after_main, before_main);
    g_autoptr(af_scene) scene = draw(diff, (af_diff_sheet_options){.full_depth = TRUE});
    g_autoptr(af_scene) mirror = draw(swapped, (af_diff_sheet_options){.full_depth = TRUE});
    unsigned n, n_mirrored;
    for (unsigned side = 0; side < 2; side++) {
        const int64_t one = add_up(scene, side ? AF_PAINT_GROWN : AF_PAINT_SHRUNK, &n);
        const int64_t other = add_up(mirror, side ? AF_PAINT_SHRUNK : AF_PAINT_GROWN, &n_mirrored);
        ck_assert_uint_eq(n, n_mirrored);
        ck_assert_int_gt(one, 10000);
        ck_assert_int_le(imaxabs(one - other), (int64_t)n * (AF_GAP_C + 2));
    }
}

TEST(one_page_for_each_thread)
{
    g_autoptr(af_diff) diff = compare(before_main, after_main);
    g_autoptr(af_scene) scene = draw(diff, (af_diff_sheet_options){.paged = TRUE, .chosen = TRUE});
    ck_assert_uint_eq(scene->n_pages, 2);
}
