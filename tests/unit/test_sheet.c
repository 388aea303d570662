#include <string.h>

#include "drawn_profile.h"
#include "render/page/sheet_parts.h"
#include "suite.h"
#include "transform/reshape.h"

#define MS 1000000u

static af_sheet_options make_options(const uint32_t *threads, uint32_t n)
{
    return (af_sheet_options){
        .clock = AF_WALL,
        .threads = threads,
        .n_threads = n,
        .input = "app.trace",
        .program = "aflame test",
        .width_c = 120000,
        .min_width_c = 100,
    };
}

static const uint32_t first[] = {0, 1, 2, 3, 4}; /* threads */

static af_scene *draw(const af_profile *profile, const af_sheet_options *options)
{
    af_scene *scene = af_sheet_new(profile, options);
    ck_assert_ptr_nonnull(scene);
    ck_assert(af_scene_ok(scene));
    return scene;
}

/* All texts of the scene, one per line. */
static char *list_texts(const af_scene *scene)
{
    GString *list = g_string_new(NULL);
    const af_scene_command *commands = scene->commands;
    for (size_t i = 0; i < scene->n_commands; i++) {
        if (commands[i].kind == AF_SCENE_TEXT) {
            g_string_append_printf(list, "%s\n", commands[i].text.text);
        }
    }
    return g_string_free(list, FALSE);
}

/* The scene has all these texts, up to NULL, or none of them. */
static void check_texts(const af_scene *scene, gboolean has, const char *const *texts)
{
    g_autofree char *list = list_texts(scene);
    for (; *texts != NULL; texts++) {
        ck_assert_msg((strstr(list, *texts) != NULL) == has, "%s\"%s\" in:\n%.2000s",
                      has ? "no " : "", *texts, list);
    }
}

#define check_has_text(scene, ...)                                                                 \
    check_texts(scene, TRUE, (const char *const[]){__VA_ARGS__, NULL})
#define check_lacks_text(scene, ...)                                                               \
    check_texts(scene, FALSE, (const char *const[]){__VA_ARGS__, NULL})

/* Everything is on its page, every group is closed, no text is wider than its box. */
static void check_bounds(const af_scene *scene)
{
    const af_scene_command *commands = scene->commands;
    const af_scene_page *page = NULL;
    int depth = 0;
    for (size_t i = 0; i < scene->n_commands; i++) {
        const af_scene_command *c = &commands[i];
        if (c->kind == AF_SCENE_PAGE) {
            ck_assert_int_eq(depth, 0);
            page = &c->page;
            ck_assert_int_gt(page->height, 0);
        } else if (c->kind == AF_SCENE_RECT) {
            ck_assert_int_ge(c->rect.x, 0);
            ck_assert_int_ge(c->rect.y, 0);
            ck_assert_int_gt(c->rect.width, 0);
            ck_assert_int_le(c->rect.x + c->rect.width, page->width);
            ck_assert_int_le(c->rect.y + c->rect.height, page->height);
        } else if (c->kind == AF_SCENE_TEXT) {
            ck_assert_int_gt(c->text.width_max, 0);
            ck_assert_int_le(c->text.advance, c->text.width_max);
            ck_assert_int_le(c->text.x + c->text.width_max, page->width);
            ck_assert_int_lt(c->text.baseline, page->height);
        }
        depth += c->kind == AF_SCENE_PUSH ? 1 : c->kind == AF_SCENE_POP ? -1 : 0;
    }
    ck_assert_int_eq(depth, 0);
}

/* A sheet with one text and without another; either may be NULL. Returns the height of the first page. */
static int32_t check_drawn(const af_profile *profile, const af_sheet_options *options,
                           const char *has, const char *lacks)
{
    g_autoptr(af_scene) scene = draw(profile, options);
    check_bounds(scene);
    check_texts(scene, TRUE, (const char *const[]){has, NULL});
    check_texts(scene, FALSE, (const char *const[]){lacks, NULL});
    return scene->commands[0].page.height;
}

static void check_golden(const char *name, const af_scene *scene)
{
    check_bounds(scene);
    g_autofree char *text = drawn_print(scene);
    drawn_compare_golden(name, text);
}

TEST(app_start_by_wall_time)
{
    g_autoptr(af_profile) profile = drawn_app_start();
    g_autoptr(GArray) threads = af_sheet_default_threads(profile, AF_WALL);
    const af_sheet_options options = make_options((const uint32_t *)threads->data, threads->len);
    g_autoptr(af_scene) scene = draw(profile, &options);
    check_golden("scene/app_start_wall.txt", scene);
}

TEST(app_start_by_cpu_time_as_icicles_on_pages)
{
    g_autoptr(af_profile) profile = drawn_app_start();
    const uint32_t threads[] = {0, 3, 4};
    af_sheet_options options = make_options(threads, 3);
    options.clock = AF_CPU;
    options.inverted = TRUE;
    options.paged = TRUE;
    options.width_c = 60000;
    options.title = "A title of its own";
    g_autoptr(af_scene) scene = draw(profile, &options);
    ck_assert_uint_eq(scene->n_pages, 3);
    check_golden("scene/app_start_cpu_pages.txt", scene);
}

TEST(app_start_as_a_sandwich)
{
    g_autoptr(af_profile) profile = drawn_app_start();
    af_sheet_options options = make_options(first, 2);
    const af_tree *tree = profile->threads[0].tree;
    options.inverted = TRUE;
    options.sandwich = TRUE;
    options.method = tree->label[3];
    g_autoptr(af_scene) scene = draw(profile, &options);
    check_golden("scene/app_start_sandwich.txt", scene);
    check_has_text(scene, "callers and callees of ", "never calls ");
}

TEST(app_start_by_waiting)
{
    g_autoptr(af_profile) profile = drawn_app_start();
    af_sheet_options options = make_options(first, 2);
    options.clock = AF_WAIT;
    g_autoptr(af_scene) scene = draw(profile, &options);
    check_golden("scene/app_start_wait.txt", scene);
}

static af_sheet_options make_chart_options(const GArray *threads, af_chart *chart)
{
    af_sheet_options options =
        make_options((const uint32_t *)(const void *)threads->data, threads->len);
    options.min_width_c = 50;
    options.inverted = TRUE;
    options.chart = chart;
    return options;
}

TEST(app_start_in_time_order)
{
    g_autoptr(af_profile) profile = drawn_app_start();
    g_autofree guint8 *highlighted = g_malloc0(profile->n_labels);
    for (uint32_t l = 0; l < profile->n_labels; l++) {
        highlighted[l] = g_str_has_suffix(profile->labels[l].text, "onCreate");
    }
    g_autoptr(af_chart) chart = drawn_chart(profile, highlighted, 1000000, 0);
    g_autoptr(GArray) threads = af_sheet_chart_threads(profile, NULL, AF_WALL);
    af_sheet_options options = make_chart_options(threads, chart);
    options.highlighted = "onCreate";
    options.n_tall = 2;
    af_scene *scene = draw(profile, &options);
    check_has_text(scene, "1 call of onCreate highlighted: 244.1 ms");
    check_has_text(scene, "ordered by time on the wall clock");
    check_golden("scene/app_start_chart.txt", scene);
    af_scene_free(scene);

    /* the buffer was full at 200 ms; on pages each has its own ruler */
    profile->facts.recording.overflow = 1;
    chart->recorded_ns = 200 * MS;
    profile->facts.recording.end_ns = chart->to_ns;
    options.paged = TRUE;
    options.width_c = 60000;
    scene = draw(profile, &options);
    check_has_text(scene, "the buffer filled up at 200 ms");
    ck_assert_uint_eq(scene->n_pages, threads->len);
    check_golden("scene/app_start_chart_pages.txt", scene);
    af_scene_free(scene);
}

/* Times of damaged files may span all 64 bits. */
TEST(the_ruler_of_the_longest_chart_ends)
{
    g_autoptr(af_profile) profile = drawn_app_start();
    g_autoptr(af_chart) chart = drawn_chart(profile, NULL, 1000000, 0);
    g_autoptr(GArray) threads = af_sheet_chart_threads(profile, NULL, AF_WALL);
    af_sheet_options options = make_chart_options(threads, chart);
    chart->from_ns = 0;
    chart->to_ns = UINT64_MAX;
    af_scene_free(draw(profile, &options));
}

/* Nodes with this label only wait. */
static void make_idle(af_profile *profile, const char *label)
{
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        if (strcmp(profile->labels[i].text, label) == 0) {
            profile->labels[i].category = AF_CATEGORY_IDLE;
        }
    }
}

/* The first of the threads are these, and there are `n`. */
static void check_threads(GArray *threads, guint n, const uint32_t *expected, guint n_expected)
{
    ck_assert_uint_eq(threads->len, n);
    for (guint i = 0; i < n_expected; i++) {
        ck_assert_uint_eq(g_array_index(threads, uint32_t, i), expected[i]);
    }
    g_array_unref(threads);
}

#define check_first_threads(threads, n, ...)                                                       \
    check_threads(threads, n, (const uint32_t[]){__VA_ARGS__},                                     \
                  sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static const char wait[] = "java.lang.Object.wait";

/* Threads that each are in a method for some time and then wait, main is one of them. */
static af_profile *make_threads(unsigned n, unsigned number_of_main, const uint64_t busy_ns[],
                                const uint64_t idle_ns[])
{
    af_profile *profile = made_profile_new(1u << AF_WALL | 1u << AF_CPU);
    for (unsigned i = 0; i < n; i++) {
        const made_row rows[] = {{1, "a.B.c", {busy_ns[i], busy_ns[i] / 2}},
                                 {idle_ns != NULL, wait, {idle_ns != NULL ? idle_ns[i] : 0, 0}},
                                 {0, NULL, {0, 0}}};
        made_thread_add(profile, i, i == number_of_main ? "main" : "x", "x", rows);
    }
    make_idle(profile, wait);
    return profile;
}

TEST(chart_shows_main_then_the_busiest_threads)
{
    enum { THREADS = 60 };
    uint64_t busy_ns[THREADS] = {0};
    g_autoptr(GArray) picked = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t i = 0; i < THREADS; i++) {
        busy_ns[i] = i == 59 ? 0 : (100 + i) * MS;
        g_array_append_val(picked, i);
    }
    g_autoptr(af_profile) profile = make_threads(THREADS, 6, busy_ns, NULL);
    check_first_threads(af_sheet_chart_threads(profile, NULL, AF_WALL), AF_CHART_THREADS, 6, 58,
                        57);
    GArray *threads = af_sheet_chart_threads(profile, picked, AF_WALL);
    ck_assert_uint_eq(g_array_index(threads, uint32_t, 59), 59);
    check_first_threads(threads, THREADS, 6, 58, 57);
}

TEST(default_threads_are_main_and_the_busy_threads)
{
    uint64_t busy_ns[200], idle_ns[12];
    for (unsigned i = 0; i < 12; i++) {
        /* the busier the later, the first two below 1 %; the earlier the longer each is parked */
        busy_ns[i] = i < 2 ? i : i == 6 ? MS : i * MS;
        idle_ns[i] = (500 - i) * MS;
    }
    af_profile *profile = make_threads(12, 6, busy_ns, idle_ns);
    for (unsigned clock = AF_WALL; clock <= AF_WAIT; clock++) { /* waiting outside idle frames */
        check_first_threads(af_sheet_default_threads(profile, (af_clock)clock), 8, 6, 11, 10, 9, 8,
                            7, 5, 4);
    }
    af_profile_free(profile);

    /* main has less than 1 % */
    profile = make_threads(3, 0, (const uint64_t[]){9 * MS, 600 * MS, 500 * MS}, NULL);
    check_first_threads(af_sheet_default_threads(profile, AF_WALL), 3, 0, 1, 2);
    check_first_threads(af_sheet_chart_threads(profile, NULL, AF_WALL), 3, 0, 1, 2);
    af_profile_free(profile);

    for (unsigned i = 0; i < 200; i++) {
        busy_ns[i] = MS + i;
    }
    profile = make_threads(200, 200, busy_ns, NULL);
    check_first_threads(af_sheet_default_threads(profile, AF_WALL), 8, 199, 198, 197, 196, 195, 194,
                        193, 192);
    af_profile_free(profile);

    profile = made_profile_new(1u << AF_WALL);
    check_threads(af_sheet_default_threads(profile, AF_WALL), 0, NULL, 0);
    af_profile_free(profile);
}

/* Where all threads only wait, by their whole time. */
TEST(idle_threads_are_ordered_by_their_whole_time)
{
    g_autoptr(af_profile) profile = make_threads(3, 3, (const uint64_t[]){0, 0, 0},
                                                 (const uint64_t[]){10 * MS, 20 * MS, 30 * MS});
    check_first_threads(af_sheet_chart_threads(profile, NULL, AF_WALL), 3, 0, 2, 1);
    g_autoptr(GArray) threads = af_sheet_default_threads(profile, AF_WALL);
    const af_sheet_options options = make_options((const uint32_t *)threads->data, threads->len);
    g_autoptr(af_scene) scene = draw(profile, &options);
    check_has_text(scene, "Wall time of each thread:", "idle");
    check_lacks_text(scene, "of all threads");
}

/* The loader has wall times only: it has no waits, and by CPU time it is absent. */
TEST(a_thread_may_lack_a_clock)
{
    enum { LOADER = 3 };
    static const uint32_t drawn[] = {0, LOADER};
    g_autoptr(af_profile) profile = drawn_app_start();
    af_tree_keep_clocks(profile->threads[LOADER].tree, 1u << AF_WALL);
    af_sheet_options options = make_options(drawn, 2);
    af_scene *scene = draw(profile, &options);
    check_has_text(scene, "1 of 5 threads has no CPU times");
    check_golden("scene/app_start_lacking.txt", scene);
    af_scene_free(scene);

    g_autoptr(af_chart) chart = drawn_chart(profile, NULL, 1000000, 0);
    g_autoptr(GArray) threads = af_sheet_chart_threads(profile, NULL, AF_WALL);
    options = make_chart_options(threads, chart);
    scene = draw(profile, &options);
    check_golden("scene/app_start_lacking_chart.txt", scene);
    af_scene_free(scene);
    g_autoptr(GArray) without = af_sheet_chart_threads(profile, NULL, AF_CPU);
    ck_assert_uint_eq(without->len, threads->len - 1);
    for (unsigned clock = AF_WALL; clock <= AF_WAIT; clock++) {
        g_autoptr(GArray) shown = af_sheet_default_threads(profile, (af_clock)clock);
        gboolean any = FALSE;
        for (guint i = 0; i < shown->len; i++) {
            any = any || g_array_index(shown, uint32_t, i) == LOADER;
        }
        ck_assert_int_eq(any, clock == AF_WALL);
    }
}

/* Threads with the same rows and these names, main first. */
static af_profile *make_named(const made_row *rows, const char *const *names)
{
    af_profile *profile = made_profile_new(1u << AF_WALL);
    for (unsigned i = 0; names[i] != NULL; i++) {
        made_thread_add(profile, i + 1, names[i], names[i], rows);
    }
    drawn_profile_finish(profile);
    return profile;
}

static const char *const only_main[] = {"main", NULL};
static const made_row short_call[] = {{1, "a.B.c", {5 * MS, 0}}, {0, NULL, {0, 0}}};

TEST(problems_are_reported_in_words)
{
    g_autoptr(af_profile) profile = drawn_app_start();
    const af_sheet_options options = make_options(first, 1);
    af_warnings_add(&profile->warnings, AF_WARN_OVERFLOW, 1, AF_NO_OFFSET);
    af_warnings_add(&profile->warnings, AF_WARN_STRIDE_BUG, 1, AF_NO_OFFSET); /* only a message */
    g_autoptr(af_scene) scene = draw(profile, &options);
    check_has_text(scene, "the recording buffer overflowed: the end of the run is missing");
    check_lacks_text(scene, "14 bytes");
}

TEST(omitted_threads_are_named_and_counted)
{
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_CPU);
    static made_row rows[60][2];
    for (unsigned i = 0; i < 60; i++) {
        rows[i][0] = (made_row){1, "a.B.c", {0, (100 - i) * MS}};
        made_thread_add(profile, i, "worker", "worker", rows[i]);
    }
    drawn_profile_finish(profile);
    af_sheet_options options = make_options(first, 1);
    options.clock = AF_CPU;
    g_autoptr(af_scene) scene = draw(profile, &options);
    check_has_text(scene, "59 threads not drawn (CPU time): worker (99.0 ms), worker (98.0 ms)");
    check_has_text(scene, "and 47 more");
    check_bounds(scene);
}

/* Frames whose time is that of their callees have a colour, too. */
TEST(a_colour_without_own_time_is_in_the_legend)
{
    static const made_row rows[] = {{1, "android.os.Looper.loop", {0}},
                                    {2, "a.B.c", {5 * MS}},
                                    {1, "kotlin.Unit.never", {0}},
                                    {0, NULL, {0}}};
    g_autoptr(af_profile) profile = make_named(rows, only_main);
    const af_sheet_options options = make_options(first, 1);
    g_autoptr(af_scene) scene = draw(profile, &options);
    check_has_text(scene, "your app 100.0 %", "Android framework");
    check_lacks_text(scene, "Android framework 0 %", "Kotlin");
}

TEST(heaps_are_not_called_threads)
{
    static const char *const heaps[] = {"libc.malloc", "com.android.art", NULL};
    g_autoptr(af_profile) profile = make_named(short_call, heaps);
    profile->facts.format.thread = "heap";
    const af_sheet_options options = make_options(first, 1);
    g_autoptr(af_scene) scene = draw(profile, &options);
    check_has_text(scene, "2 heaps", "1 of 2 heaps drawn:", "50.0 % of all heaps",
                   "1 heap not drawn (wall time): com.android.art (5.00 ms)");
    check_lacks_text(scene, "thread");
}

/* A very long name is truncated wherever it would be repeated: in the tooltips of frames, in the
 * description, in the footer. */
TEST(long_names_are_not_repeated)
{
    enum { LONG = 1000000, FRAMES = 50 };
    g_autofree char *filled = g_strnfill(LONG, 'x'),
                    *name = g_strdup_printf("com.foo.%s.run", filled);
    g_autofree char *thread = g_strnfill(LONG, 't');
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL);
    made_row rows[2 * FRAMES + 1];
    char small[FRAMES][16];
    for (unsigned i = 0; i < FRAMES; i++) {
        g_snprintf(small[i], sizeof small[i], "a.B.m%u", i);
        rows[2 * i] = (made_row){1, small[i], {MS, 0}};
        rows[2 * i + 1] = (made_row){2, name, {MS, 0}};
    }
    rows[2 * FRAMES] = (made_row){0, NULL, {0, 0}};
    made_thread_add(profile, 1, "main", "main", rows);
    made_thread_add(profile, 2, thread, thread, rows);
    drawn_profile_finish(profile);
    profile->app = name;
    const af_sheet_options options = make_options(first, 1);
    g_autoptr(af_scene) scene = draw(profile, &options);
    g_autofree char *text = drawn_print(scene);
    ck_assert_uint_lt(strlen(text), (FRAMES + 10) * 8192 + LONG);
    ck_assert_ptr_nonnull(strstr(text, "xxx…"));
    ck_assert_ptr_nonnull(strstr(text, "ttt…"));
    check_bounds(scene);
}

/* `n` threads with the same rows; sets their numbers. */
static af_profile *make_workers(const made_row *rows, uint32_t *threads, uint32_t n)
{
    af_profile *profile = made_profile_new(1u << AF_WALL);
    for (uint32_t i = 0; i < n; i++) {
        made_thread_add(profile, i, "worker", "worker", rows);
        threads[i] = i;
    }
    drawn_profile_finish(profile);
    return profile;
}

/* More panels than a page can hold: their headings alone would exceed the coordinates. */
TEST(panels_stay_on_the_page)
{
    enum { THREADS = AF_PANELS_MAX + 5 };
    g_autofree uint32_t *threads = g_new(uint32_t, THREADS);
    g_autoptr(af_profile) profile = make_workers(short_call, threads, THREADS);
    af_sheet_options options = make_options(threads, THREADS);
    options.messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(af_scene) scene = draw(profile, &options);
    ck_assert_int_gt(scene->commands[0].page.height, AF_PANELS_MAX * 5000);
    check_has_text(scene, "5 threads not drawn");
    ck_assert_uint_eq(options.messages->len, 1);
    g_autofree char *message =
        g_strdup_printf("%u,005 threads do not fit into one picture: only the "
                        "first %u,000 are drawn",
                        AF_PANELS_MAX / 1000, AF_PANELS_MAX / 1000);
    ck_assert_str_eq(options.messages->pdata[0], message);
    g_ptr_array_unref(options.messages);
}

TEST(bidirectional_names_do_not_reorder_their_neighbours)
{
    static const char *const names[] = {"main", "evil\xe2\x80\xae", "\xd7\xa2\xd7\x91", NULL};
    g_autoptr(af_profile) profile = make_named(short_call, names);
    const af_sheet_options options = make_options(first, 1);
    g_autoptr(af_scene) scene = draw(profile, &options);
    check_has_text(scene, "evil\xef\xbf\xbd (5.00 ms), "
                          "\xe2\x81\xa8\xd7\xa2\xd7\x91\xe2\x81\xa9 (5.00 ms)\n");
}

static unsigned count_frames(const af_profile *profile, const af_sheet_options *options)
{
    g_autoptr(af_scene) scene = draw(profile, options);
    unsigned n = 0;
    check_bounds(scene);
    for (size_t i = 0; i < scene->n_commands; i++) {
        const af_scene_command *command = &scene->commands[i];
        n += command->kind == AF_SCENE_PUSH && command->group->kind == AF_GROUP_FRAME;
    }
    return n;
}

/* Eight threads with 100 rows each share 480 rows; one thread may use 160. */
TEST(deep_threads_share_the_height_of_the_sheet)
{
    enum { THREADS = 8, DEPTH = 100 };
    made_row rows[DEPTH + 1];
    char names[DEPTH][16];
    for (uint32_t i = 0; i < DEPTH; i++) {
        g_snprintf(names[i], sizeof names[i], "a.B.m%u", i);
        rows[i] = (made_row){i + 1, names[i], {i + 1 == DEPTH ? 1000 * MS : 100, 0}};
    }
    rows[DEPTH] = (made_row){0, NULL, {0, 0}};
    uint32_t threads[THREADS];
    g_autoptr(af_profile) profile = make_workers(rows, threads, THREADS);
    af_sheet_options options = make_options(threads, THREADS);
    check_drawn(profile, &options, "40 more rows above", NULL);
    ck_assert_uint_eq(count_frames(profile, &options), 480);
    options.n_threads = 1;
    ck_assert_uint_eq(count_frames(profile, &options), DEPTH);
    options.n_threads = THREADS;
    options.paged = TRUE;
    ck_assert_uint_eq(count_frames(profile, &options), THREADS * DEPTH);
    options.paged = FALSE;
    options.full_depth = TRUE;
    ck_assert_uint_eq(count_frames(profile, &options), THREADS * DEPTH);
}

/* Calls that nest: of one method, or of `methods` in turn. */
static af_profile *make_recursion(uint32_t depth, uint32_t methods)
{
    static const char *const names[] = {"com.foo.Tree.walk", "com.foo.Tree.visit"};
    g_autofree made_row *rows = g_new0(made_row, (gsize)depth + 1);
    for (uint32_t i = 0; i < depth; i++) {
        rows[i] = (made_row){i + 1, names[i % methods], {i + 1 == depth ? 1000 * MS : 100, 0}};
    }
    af_profile *profile = make_named(rows, only_main);
    return profile;
}

TEST(a_deep_recursion_is_one_slim_frame)
{
    g_autoptr(af_profile) profile = make_recursion(6002, 1);
    af_sheet_options options = make_options(first, 1);
    af_scene *scene = draw(profile, &options);
    check_has_text(scene, "com.foo.Tree.walk \u00d7 6,002");
    check_has_text(scene, "com.foo.Tree.walk calls itself up to 6,002 times in a row");
    check_lacks_text(scene, "more rows");
    check_bounds(scene);
    const af_scene_command *commands = scene->commands;
    unsigned slim = 0;
    for (size_t i = 0; i < scene->n_commands; i++) {
        slim += commands[i].kind == AF_SCENE_RECT &&
                commands[i].rect.height == AF_FRAME_C - 2 * AF_SLIM_C;
    }
    ck_assert_uint_eq(slim, 1);
    af_scene_free(scene);
    options.full_depth = TRUE;
    ck_assert_int_gt(check_drawn(profile, &options, NULL, "\u00d7"), 6002 * 1800);
}

TEST(a_deep_tower_is_collapsed_at_first)
{
    g_autoptr(af_profile) profile = make_recursion(6002, 2);
    af_sheet_options options = make_options(first, 1);
    ck_assert_int_lt(check_drawn(profile, &options, "5,842 more rows above", NULL), 1530000);
    options.full_depth = TRUE;
    ck_assert_int_gt(check_drawn(profile, &options, NULL, "more rows"), 6002 * 1800);
}

TEST(any_depth_fits_the_coordinates)
{
    g_autoptr(af_profile) profile = make_recursion(200000, 1);
    af_sheet_options options = make_options(first, 1);
    options.full_depth = TRUE;
    options.width_c = 40000;
    ck_assert_int_gt(check_drawn(profile, &options, NULL, NULL), 200000 * 1800);
}

TEST(rows_that_do_not_fit_are_omitted)
{
    /* at 1,168 pixels a narrow branch of 6 pixels is 30 rows high on the main one */
    static made_row rows[40];
    rows[0] = (made_row){1, "com.foo.Main.run", {1000 * MS, 0}};
    for (uint32_t i = 1; i <= 30; i++) {
        rows[i] = (made_row){i + 1, "com.foo.Main.narrow", {i == 30 ? 5 * MS : 0, 0}};
    }
    g_autoptr(af_profile) profile = make_named(rows, only_main);
    af_sheet_options options = make_options(first, 1);
    check_drawn(profile, &options, "30 more rows above: 5.00 ms (0.5 %)", NULL);
    options.inverted = TRUE;
    check_drawn(profile, &options, "30 more rows below: 5.00 ms (0.5 %)", NULL);
    options.full_depth = TRUE;
    check_drawn(profile, &options, NULL, "more rows");
}

/* 100 towers, each of 11 pixels: no label fits, but their colours are useful. */
TEST(rows_without_labels_are_drawn_if_frames_fill_them)
{
    enum { TOWERS = 100, DEPTH = 30 };
    static made_row rows[TOWERS * DEPTH + 2];
    made_row *row = rows;
    *row++ = (made_row){1, "com.foo.Main.run", {0, 0}};
    for (uint32_t i = 0; i < TOWERS * DEPTH; i++) {
        const uint32_t depth = i % DEPTH;
        *row++ = (made_row){depth + 2,
                            i / DEPTH % 2 ? "com.foo.Tree.walk" : "com.foo.Tree.visit",
                            {depth + 1 == DEPTH ? 10 * MS : 0, 0}};
    }
    g_autoptr(af_profile) profile = make_named(rows, only_main);
    af_sheet_options options = make_options(first, 1);
    check_drawn(profile, &options, "15 more rows above: 1.00 s (100.0 %)", NULL);
    ck_assert_uint_eq(count_frames(profile, &options), 1 + 15 * TOWERS);
}

/* The widest bar of the strip above the panels. */
static int32_t find_widest_bar(const af_scene *scene)
{
    const af_scene_command *commands = scene->commands;
    int32_t widest_c = 0, width_c = 0;
    for (size_t i = 0; i < scene->n_commands; i++) {
        const af_scene_command *c = &commands[i];
        if (c->kind == AF_SCENE_TEXT) {
            width_c = 0;
        } else if (c->kind == AF_SCENE_RECT && c->rect.height == AF_OVERVIEW_BAR_C) {
            width_c += c->rect.width;
            widest_c = MAX(widest_c, width_c);
        }
    }
    return widest_c;
}

/* Of the marks on bars that are cut. */
static unsigned count_slits(const af_scene *scene)
{
    const af_scene_command *commands = scene->commands;
    unsigned n = 0;
    for (size_t i = 0; i < scene->n_commands; i++) {
        const af_scene_command *c = &commands[i];
        n += c->kind == AF_SCENE_RECT && c->rect.paint == AF_PAINT_PAGE;
    }
    return n;
}

TEST(threads_without_a_panel_do_not_set_the_scale_of_the_strip)
{
    enum { THREADS = 40 };
    const made_row rows[] = {{1, "com.foo.Main.run", {100 * MS, 0}}, {0, NULL, {0, 0}}};
    uint32_t threads[THREADS];
    g_autoptr(af_profile) profile = make_workers(rows, threads, THREADS);
    af_sheet_options options = make_options(threads, 3);
    g_autoptr(af_scene) three = draw(profile, &options);
    check_has_text(three, "37 other threads", "3.70 s");
    ck_assert_int_eq(count_slits(three), 2 * 3);
    options.n_threads = 2;
    g_autoptr(af_scene) two = draw(profile, &options);
    check_has_text(two, "38 other threads");
    ck_assert_int_eq(find_widest_bar(two), find_widest_bar(three));
    ck_assert_int_gt(find_widest_bar(two), 10000);
}

/* The rows of a pool look alike in each of its threads. */
TEST(a_limited_height_leaves_out_the_roots_of_pools)
{
    enum { THREADS = 3, ROOTS = 6, DEEP = 20 };
    made_row rows[DEEP + 1] = {{0}};
    uint32_t threads[THREADS];
    for (uint32_t i = 0; i < DEEP; i++) {
        rows[i] = (made_row){i + 1,
                             i == 0           ? "java.lang.Thread.run"
                             : i < ROOTS - 1  ? "com.pool.Worker.run"
                             : i == ROOTS - 1 ? "com.foo.Main.begin"
                                              : "com.foo.Main.run",
                             {i < ROOTS - 1 ? 0 : (100 - i) * MS, 0}};
    }
    g_autoptr(af_profile) profile = make_workers(rows, threads, THREADS);
    af_sheet_options options = make_options(threads, THREADS);
    options.height_c = 1200 * 100;
    for (unsigned inverted = 0; inverted < 2; inverted++) {
        options.inverted = inverted != 0;
        g_autoptr(af_scene) scene = draw(profile, &options);
        check_has_text(scene, inverted ? "5 more rows above, from Thread.run to Worker.run"
                                       : "5 more rows below, from Thread.run to Worker.run");
        check_bounds(scene);
        g_autofree char *texts = list_texts(scene);
        ck_assert_ptr_nonnull(strstr(texts, "java.lang.Thread.run")); /* in the first thread, */
        ck_assert_ptr_null(strstr(strstr(texts, "java.lang.Thread.run") + 1,
                                  "java.lang.Thread.run")); /* only there */
    }
}

TEST(a_limited_height_leaves_out_rows_and_threads)
{
    enum { THREADS = 8, DEEP = 30 };
    made_row rows[DEEP + 1] = {{0}};
    uint32_t threads[THREADS];
    for (uint32_t i = 0; i < DEEP; i++) {
        rows[i] = (made_row){i + 1, "com.foo.Main.run", {(100 - i) * MS, 0}};
    }
    g_autoptr(af_profile) profile = make_workers(rows, threads, THREADS);
    af_sheet_options options = make_options(threads, THREADS);
    options.height_c = 1200 * 100;
    g_autoptr(af_scene) scene = draw(profile, &options);
    ck_assert_int_le(scene->commands[0].page.height, options.height_c);
    check_has_text(scene, "cut to 1,200 pixels in height: --height none draws everything",
                   "24 more rows above: " /* of the second thread */, "not drawn");
    options.height_c = 500 * 100; /* less than the rows of the first thread */
    ck_assert_int_le(check_drawn(profile, &options, "7 threads not drawn", NULL), options.height_c);
    options.height_c = 5000 * 100;
    options.full_depth = TRUE;
    check_drawn(profile, &options, NULL, "cut to");
}

TEST(samples_are_not_called_calls)
{
    g_autoptr(af_profile) profile = drawn_app_start();
    const af_sheet_options options = make_options(first, 2);
    check_drawn(profile, &options, " calls", NULL);
    profile->facts.content = AF_CONTENT_SAMPLED_CALLS;
    g_autoptr(af_scene) scene = draw(profile, &options);
    check_lacks_text(scene, " calls");
    const af_scene_command *commands = scene->commands;
    for (size_t i = 0; i < scene->n_commands; i++) {
        ck_assert(commands[i].kind != AF_SCENE_PUSH || commands[i].group->calls == 0);
    }
}

TEST_EACH(unusual_sizes_work, 6)
{
    g_autoptr(af_profile) profile = drawn_app_start();
    static const int32_t widths[] = {0, 1, 20000, 30000, 700000, INT32_MAX};
    af_sheet_options options = make_options(first, 5);
    options.title = "A long title that has no room on a narrow sheet, "
                    "\xd8\xb9\xd8\xb1\xd8\xa8\xd9\x8a and all";
    options.width_c = widths[_i];
    check_drawn(profile, &options, NULL, NULL);
    options.n_threads = 0;
    check_drawn(profile, &options, NULL, NULL);
}

TEST(the_description_lists_the_costs)
{
    g_autoptr(af_profile) profile = drawn_app_start();
    const uint32_t threads[] = {0, 4};
    const af_sheet_options options = make_options(threads, 2);
    g_autoptr(af_scene) scene = draw(profile, &options);
    const af_scene_about *about = &scene->about;
    ck_assert_str_eq(
        about->description,
        "Flame graph: an Android method trace of com.eastern.plugintest, 2 threads drawn. "
        "Thread main, 267.1 ms wall, 89.0 ms of it waiting: "
        "blocked 40.0 ms in Object.wait, below MainActivity.onCreate; "
        "most self time: android.view.LayoutInflater.inflate 33.7 %, "
        "android.support.v7.app.AppCompatActivity.setContentView 22.5 %, "
        "java.lang.Object.wait 15.0 %; largest calls: "
        "android.support.v7.app.AppCompatActivity.setContentView 60.3 %, "
        "okhttp3.RealCall.execute 19.5 %. Thread HeapTaskDaemon, 0 wall, 0 of it waiting.");
    ck_assert_str_eq(about->title, "app.trace");
    ck_assert_str_eq(about->clock, "wall");
    ck_assert_str_eq(about->selection, "main, HeapTaskDaemon");
    ck_assert_str_eq(about->app, "com.eastern.plugintest");
    ck_assert_int_eq(about->date_s, -1);
}

static af_step step(af_step_kind kind, const char *text)
{
    return (af_step){.kind = kind, .text = text, .clock = AF_CLOCK_DEFAULT};
}

static af_profile *reshape(const af_profile *profile, const af_step *steps, size_t n)
{
    af_profile *made = af_profile_reshape(profile, steps, n, NULL);
    ck_assert_ptr_nonnull(made);
    return made;
}

/* The facts list the steps and the footer what they removed, in the order of the steps. */
TEST(steps_are_listed)
{
    g_autoptr(af_profile) profile = drawn_app_start();
    const af_step steps[] = {step(AF_STEP_IGNORE, "okhttp3.**"),
                             step(AF_STEP_HIDE, "/^a\\.b|Constructor/"),
                             step(AF_STEP_HIDE, "nothing"), step(AF_STEP_FOLD, "framework")};
    g_autoptr(af_profile) made = reshape(profile, steps, G_N_ELEMENTS(steps));
    const af_sheet_options options = make_options(first, 1);
    g_autoptr(af_scene) scene = draw(made, &options);
    check_bounds(scene);
    check_golden("scene/app_start_reshaped.txt", scene);
    ck_assert_ptr_nonnull(
        strstr(scene->about.description, "1 thread drawn. Steps: --ignore 'okhttp3.**', --hide "));
}

/* Inverted, the time-consuming methods are the same. */
TEST(inverting_keeps_legend_and_description)
{
    g_autoptr(af_profile) profile = drawn_app_start();
    const af_step turn = step(AF_STEP_INVERT_CALLERS, NULL);
    g_autoptr(af_profile) made = reshape(profile, &turn, 1);
    const af_sheet_options options = make_options(first, 1);
    g_autoptr(af_scene) before = draw(profile, &options), scene = draw(made, &options);
    g_autofree char *texts = list_texts(before);
    for (char *entry = strtok(texts, "\n"); entry != NULL; entry = strtok(NULL, "\n")) {
        if (g_str_has_prefix(entry, "your app ") || g_str_has_prefix(entry, "Android framework ")) {
            check_has_text(scene, entry);
        }
    }
    const char *most = strstr(before->about.description, "most self time");
    g_autofree char *selves = g_strndup(most, strcspn(most, ";"));
    ck_assert_ptr_nonnull(strstr(scene->about.description, selves));
    ck_assert(scene->about.callers_above);
    check_has_text(scene, "--invert-callers");
}

TEST(pools_and_empty_threads_are_listed)
{
    g_autoptr(af_profile) profile = drawn_app_start();
    const af_step steps[] = {step(AF_STEP_MERGE_THREADS, "all"),
                             step(AF_STEP_FOCUS, "MainActivity.onCreate")};
    profile->threads[0].name = "main 1";
    profile->threads[1].name = "main 3";
    g_autoptr(af_profile) made = reshape(profile, steps, 2);
    ck_assert_uint_eq(made->n_threads, profile->n_threads - 1);
    g_autoptr(GArray) chosen = af_sheet_default_threads(made, AF_WALL);
    ck_assert_uint_eq(chosen->len, 1);
    const af_sheet_options options = make_options(first, 2);
    g_autoptr(af_scene) scene = draw(made, &options);
    check_has_text(scene, "2 threads \xc2\xb7 ", "threads are empty after filtering");
    check_lacks_text(scene, "not drawn");
    check_has_text(scene, "--focus MainActivity.onCreate left out ");
}

TEST(only_dates_are_shown_as_dates)
{
    g_autoptr(af_profile) profile = drawn_app_start();
    const af_sheet_options options = make_options(first, 1);
    profile->facts.recording.has_start = TRUE;
    profile->facts.recording.start_tick_ns = 1000;
    profile->facts.recording.start = 1508180577000000;
    g_autoptr(af_scene) dated = draw(profile, &options);
    ck_assert_int_eq(dated->about.date_s, 1508180577);
    check_has_text(dated, "2017-10-16 19:02 UTC");
    profile->facts.recording.start = 749849000000; /* nine days after the device started */
    g_autoptr(af_scene) scene = draw(profile, &options);
    ck_assert_int_eq(scene->about.date_s, -1);
    check_lacks_text(scene, "UTC");
}
