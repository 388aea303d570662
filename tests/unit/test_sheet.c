#include <stdlib.h>
#include <string.h>

#include "cases.h"
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
    chart->highlighted = g_strdup("onCreate");
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

/* More panels than a page can hold: their headings alone would exceed the coordinates. */
TEST(panels_stay_on_the_page)
{
    enum { THREADS = AF_PANELS_MAX + 5 };
    static const made_row rows[] = {{1, "a.B.c", {5 * MS, 0}}, {0, NULL, {0, 0}}};
    g_autofree uint32_t *threads = g_new(uint32_t, THREADS);
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL);
    for (uint32_t i = 0; i < THREADS; i++) {
        made_thread_add(profile, i, "worker", "worker", rows);
        threads[i] = i;
    }
    drawn_profile_finish(profile);
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

/* ---- cases ----
 *
 * A case of ../data/sheet.txt makes a profile, draws it and tells what the sheet shows:
 *   app                      the profile is drawn_app_start()
 *   thread NAME, workers N   starts a thread, or as many with the same rows
 *   US LABEL                 a row: its self time, and two blanks for each caller before it
 *   nest N US LAST LABEL...  N calls, each in the previous one, LAST the self time of the innermost;
 *                            labels by turns, # in one is the number of the call
 *   times N nest ...         N of them, side by side, labels by turns
 *   heaps, sampled, warned, start US   facts
 *   draw [WORD...]           a sheet of the first thread, of n=N threads; the lines below are about it
 *   + TEXT, - TEXT, = TEXT   it has the text, lacks it, has it once
 *   frames N, height < N ... what count() counts */

enum { ROWS_MAX = 200001 };

typedef struct {
    af_profile *profile;
    made_row *rows; /* of the thread that has begun */
    uint32_t n, workers;
    char *name;
    af_scene *scene;
} sheet_case;

static void end_thread(sheet_case *c)
{
    c->rows[c->n] = (made_row){0, NULL, {0, 0}};
    for (; c->workers > 0; c->workers--) {
        made_thread_add(c->profile, c->profile->n_threads, c->name, c->name, c->rows);
    }
    c->n = 0;
}

static void begin_thread(sheet_case *c, const char *name, uint32_t workers)
{
    end_thread(c);
    c->name = af_arena_copy(c->profile->arena, name, strlen(name));
    c->workers = workers;
}

static void add_row(sheet_case *c, uint32_t depth, const char *us, const char *label,
                    uint32_t number)
{
    g_autofree char *digits = g_strdup_printf("%u", number);
    g_auto(GStrv) parts = g_strsplit(label, "#", 2);
    g_autofree char *text = g_strjoinv(digits, parts);
    ck_assert_uint_lt(c->n + 1, ROWS_MAX);
    c->rows[c->n++] = (made_row){depth,
                                 af_arena_copy(c->profile->arena, text, strlen(text)),
                                 {strtoull(us, NULL, 10) * 1000, 0}};
}

static void add_nests(sheet_case *c, uint32_t depth, unsigned times, char **words)
{
    const uint32_t n = (uint32_t)atoi(words[1]);
    const guint n_labels = g_strv_length(words) - 4;
    for (unsigned k = 0; k < times; k++) {
        for (uint32_t i = 0; i < n; i++) {
            const char *label = words[4 + (times > 1 ? k : i) % n_labels];
            add_row(c, depth + i, words[i + 1 < n ? 2 : 3], label, i);
        }
    }
}

static void draw_case(sheet_case *c, char **words)
{
    static uint32_t threads[100];
    end_thread(c);
    for (uint32_t i = 0; i < G_N_ELEMENTS(threads); i++) {
        threads[i] = i;
    }
    if (c->profile->n_methods == 0) {
        drawn_profile_finish(c->profile);
    }
    af_sheet_options options = make_options(threads, 1);
    for (; *words != NULL; words++) {
        const char *equals = strchr(*words, '='), *value = equals != NULL ? equals + 1 : "";
        const int32_t number = (int32_t)strtol(value, NULL, 10);
        options.inverted |= strcmp(*words, "inverted") == 0;
        options.paged |= strcmp(*words, "paged") == 0;
        options.full_depth |= strcmp(*words, "full") == 0;
        options.title = g_str_has_prefix(*words, "title=") ? value : options.title;
        options.n_threads = g_str_has_prefix(*words, "n=") ? (uint32_t)number : options.n_threads;
        options.width_c = g_str_has_prefix(*words, "width=") ? number : options.width_c;
        options.height_c = g_str_has_prefix(*words, "height=") ? number * 100 : options.height_c;
    }
    af_scene_free(c->scene);
    c->scene = draw(c->profile, &options);
    check_bounds(c->scene);
}

static int64_t count(const af_scene *scene, const char *what)
{
    const af_scene_command *commands = scene->commands;
    int64_t n = 0, bar_c = 0, most_c = 0;
    for (size_t i = 0; i < scene->n_commands; i++) {
        const af_scene_command *it = &commands[i];
        const gboolean is_rect = it->kind == AF_SCENE_RECT;
        if (strcmp(what, "frames") == 0) {
            n += it->kind == AF_SCENE_PUSH && it->group->kind == AF_GROUP_FRAME;
        } else if (strcmp(what, "called") == 0) { /* frames with a number of calls */
            n += it->kind == AF_SCENE_PUSH && it->group->calls > 0;
        } else if (strcmp(what, "slim") == 0) {
            n += is_rect && it->rect.height == AF_FRAME_C - 2 * AF_SLIM_C;
        } else if (strcmp(what, "slits") == 0) { /* marks on bars that are cut */
            n += is_rect && it->rect.paint == AF_PAINT_PAGE;
        } else if (it->kind == AF_SCENE_TEXT) {
            bar_c = 0;
        } else if (is_rect && it->rect.height == AF_OVERVIEW_BAR_C) {
            bar_c += it->rect.width; /* of the strip above the panels */
            most_c = MAX(most_c, bar_c);
        }
    }
    return strcmp(what, "bar") == 0      ? most_c
           : strcmp(what, "height") == 0 ? commands[0].page.height / 100
           : strcmp(what, "date") == 0   ? scene->about.date_s
                                         : n;
}

static void check_text(const af_scene *scene, const char *line)
{
    g_autofree char *texts = list_texts(scene);
    const char *found = strstr(texts, line + 2);
    const gboolean again = found != NULL && strstr(found + 1, line + 2) != NULL;
    const char *is = found == NULL ? "-" : again || *line == '+' ? "+" : "=";
    const char expected[] = {*line, '\0'};
    cases_expect(line, is, expected);
}

static void check_count(const af_scene *scene, const char *line, char **words)
{
    const int64_t n = count(scene, words[0]);
    const char *expected = words[g_strv_length(words) - 1];
    const int64_t limit = g_ascii_strtoll(expected, NULL, 10);
    const gboolean within = *words[1] == '<' ? n < limit : *words[1] == '>' && n > limit;
    g_autofree char *given = g_strdup_printf("%" G_GINT64_FORMAT, n);
    cases_expect(line, within ? expected : given, expected);
}

static void take_fact(sheet_case *c, char **words)
{
    af_facts *facts = &c->profile->facts;
    if (strcmp(words[0], "heaps") == 0) {
        facts->format.thread = "heap";
    } else if (strcmp(words[0], "sampled") == 0) {
        facts->content = AF_CONTENT_SAMPLED_CALLS;
    } else if (strcmp(words[0], "warned") == 0) {
        af_warnings_add(&c->profile->warnings, AF_WARN_OVERFLOW, 1, AF_NO_OFFSET);
        af_warnings_add(&c->profile->warnings, AF_WARN_STRIDE_BUG, 1, AF_NO_OFFSET); /* a message */
    } else {
        ck_assert_str_eq(words[0], "start");
        facts->recording.has_start = TRUE;
        facts->recording.start_tick_ns = 1000;
        facts->recording.start = strtoull(words[1], NULL, 10);
    }
}

static void check_case(char **lines)
{
    sheet_case c = {.profile = made_profile_new(1u << AF_WALL), .rows = g_new(made_row, ROWS_MAX)};
    for (; *lines != NULL; lines++) {
        g_autofree char *line = g_strcompress(*lines);
        if (c.scene != NULL && strchr("+-=", *line) != NULL) {
            check_text(c.scene, line);
            continue;
        }
        g_auto(GStrv) words = NULL;
        const uint32_t depth = (uint32_t)strspn(line, " ") / 2 + 1;
        ck_assert_msg(g_shell_parse_argv(line, NULL, &words, NULL), "%s", line);
        if (strcmp(words[0], "app") == 0) {
            af_profile_free(c.profile);
            c.profile = drawn_app_start();
        } else if (strcmp(words[0], "thread") == 0 || strcmp(words[0], "workers") == 0) {
            const gboolean one = *words[0] == 't';
            begin_thread(&c, one ? words[1] : "worker", one ? 1 : (uint32_t)atoi(words[1]));
        } else if (g_ascii_isdigit(*words[0])) {
            add_row(&c, depth, words[0], strchr(line + 2 * depth - 2, ' ') + 1, 0);
        } else if (strcmp(words[0], "nest") == 0) {
            add_nests(&c, depth, 1, words);
        } else if (strcmp(words[0], "times") == 0) {
            add_nests(&c, depth, (unsigned)atoi(words[1]), words + 2);
        } else if (strcmp(words[0], "draw") == 0) {
            draw_case(&c, words + 1);
        } else if (c.scene != NULL && strcmp(words[0], "start") != 0) {
            check_count(c.scene, line, words);
        } else {
            take_fact(&c, words);
        }
    }
    af_scene_free(c.scene);
    af_profile_free(c.profile);
    g_free(c.rows);
}

TEST(what_a_sheet_shows)
{
    cases_check("sheet.txt", check_case);
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
