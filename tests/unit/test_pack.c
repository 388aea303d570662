#include <string.h>

#include "drawn_profile.h"
#include "model/groups.h"
#include "model/labels.h"
#include "read_pack.h"
#include "render/page/sheet.h"
#include "suite.h"

/* ---- comparing ---- */

static const af_thread *find_thread(const af_profile *profile, uint64_t id)
{
    for (uint32_t i = 0; i < profile->n_threads; i++) {
        if (profile->threads[i].id == id) {
            return &profile->threads[i];
        }
    }
    ck_abort_msg("no thread %" G_GUINT64_FORMAT, id);
}

static void compare_label(const af_profile *profile, uint32_t number, const read_label *read)
{
    const af_label *label = &profile->labels[number];
    g_autoptr(GString) full = g_string_new(NULL), source = g_string_new(NULL);
    const af_method *method = label->methods == 1 ? &profile->methods[label->method] : NULL;
    if (method) {
        af_method_append_full(full, method);
        g_string_append(source, method->source ? method->source : "");
        if (method->source && method->line > 0) {
            g_string_append_printf(source, ":%d", method->line);
        }
    }
    ck_assert_str_eq(read->text, label->text);
    ck_assert_str_eq(read->full, full->len > 0 ? full->str : label->text);
    ck_assert_str_eq(read->source, source->str);
    ck_assert_uint_eq(read->category & 127u, label->category);
    ck_assert_uint_eq(read->category >> 7, af_label_is_slim(label));
    ck_assert_uint_eq(read->shade, label->shade);
}

static void compare_node(const af_profile *profile, const af_tree *tree, uint32_t i,
                         const read_block *block, const read_node *read)
{
    ck_assert_uint_eq(read->depth, tree->depth[i]);
    ck_assert_uint_lt(read->label, block->n_labels);
    compare_label(profile, tree->label[i], &block->labels[read->label]);
    ck_assert_uint_eq(read->calls, tree->calls[i]);
    ck_assert_uint_eq(read->unwinds, tree->unwinds[i]);
    ck_assert_uint_eq(read->runnable, tree->runnable != NULL ? tree->runnable[i] : 0);
    for (unsigned clock = 0; clock < AF_CLOCKS; clock++) {
        if (tree->self[clock]) {
            ck_assert_uint_eq(read->self[clock], tree->self[clock][i]);
            ck_assert_uint_eq(read->inclusive[clock], tree->inclusive[clock][i]);
        }
        if (tree->self[clock] && read->calls > 1) {
            ck_assert_uint_eq(read->min[clock], tree->min[clock][i]);
            ck_assert_uint_eq(read->max[clock], tree->max[clock][i]);
        }
    }
}

/* Walks a tree and its entries together: entries equal their nodes, and a left-out entry stands for
 * exactly the nodes and times that are missing. */
static void compare_thread(const af_profile *profile, const read_block *block,
                           const read_thread *read, const af_pack *pack)
{
    const af_thread *thread = find_thread(profile, read->id);
    const af_tree *tree = thread->tree;
    g_autofree uint32_t *entry_of = g_new0(uint32_t, tree->n);
    uint64_t *replaced = g_new0(uint64_t, read->n + 1), left_out = 0, at = 1, runnable = 0;
    ck_assert_str_eq(read->title, thread->title);
    ck_assert_uint_eq(read->records, thread->records);
    ck_assert_uint_eq(block->clocks & ~(read->flags >> 3 & 3), af_tree_clocks(tree));
    ck_assert_uint_eq((read->flags & 32) != 0, tree->runnable != NULL);
    for (uint32_t i = 1; i < tree->n; i++) {
        const uint32_t parent = entry_of[tree->parent[i]];
        const gboolean gone = tree->parent[i] != 0 && block->n_labels == read->nodes[parent].label;
        uint64_t entry = parent;
        for (uint64_t k = 1; !gone && k <= read->n && k < at; k++) {
            /* an earlier entry for dropped siblings under this parent */
            if (read->nodes[k].label == block->n_labels && k > parent &&
                read->nodes[k].depth == tree->depth[i] && replaced[k] < read->nodes[k].calls) {
                entry = k;
            }
        }
        const gboolean follows = at <= read->n && read->nodes[at].depth == tree->depth[i];
        const gboolean same = !gone && follows && read->nodes[at].label < block->n_labels &&
                              strcmp(block->labels[read->nodes[at].label].text,
                                     profile->labels[tree->label[i]].text) == 0;
        if (same) {
            compare_node(profile, tree, i, block, &read->nodes[at]);
            entry_of[i] = (uint32_t)at++;
            continue;
        }
        if (!gone && entry == parent) {
            ck_assert(follows && read->nodes[at].label == block->n_labels);
            entry = at++;
        }
        entry_of[i] = (uint32_t)entry;
        replaced[entry]++;
        left_out++;
    }
    ck_assert_uint_eq(at, read->n + 1);
    ck_assert_uint_eq(left_out, read->left_out);
    for (uint64_t k = 1; k <= read->n; k++) {
        ck_assert(read->nodes[k].label != block->n_labels || replaced[k] == read->nodes[k].calls);
        runnable += read->nodes[k].runnable;
    }
    ck_assert(tree->runnable == NULL || runnable == af_tree_runnable(tree)[0]);
    for (unsigned clock = 0; clock < AF_CLOCKS; clock++) {
        ck_assert(!tree->self[clock] ||
                  read->nodes[0].inclusive[clock] == tree->inclusive[clock][0]);
    }
    ck_assert_uint_le(read->left_out, pack->left_out);
    g_free(replaced);
}

/* Packs, reads back and compares everything; the caller frees the pack. */
static af_pack *check_pack(const af_profile *profile, const af_pack_options *options)
{
    af_pack *pack = af_pack_new(profile, options);
    ck_assert_ptr_nonnull(pack);
    g_autoptr(read_block) block = read_pack_new(pack);
    uint64_t left_out = 0, left_out_ns = 0;
    ck_assert_uint_eq(block->clocks, profile->clocks);
    ck_assert_uint_eq(block->clock, (uint64_t)options->clock);
    ck_assert_str_eq(block->input, options->input ? options->input : "");
    ck_assert_uint_eq(block->n_threads, profile->n_threads);
    for (uint64_t t = 0; t < block->n_threads; t++) {
        const read_thread *thread = &block->threads[t];
        compare_thread(profile, block, thread, pack);
        left_out += thread->left_out;
        for (uint64_t i = 1; i <= thread->n; i++) {
            if (thread->nodes[i].label == block->n_labels) {
                left_out_ns += thread->nodes[i].self[options->clock];
            }
        }
    }
    ck_assert_uint_eq(left_out, pack->left_out);
    ck_assert_uint_eq(left_out_ns, pack->left_out_ns);
    return pack;
}

static size_t measure(const af_pack *pack)
{
    return (g_bytes_get_size(pack->bytes) + 2) / 3 * 4;
}

/* ---- profiles ---- */

/* Half of the waiting of every third node was that for a processor. */
static void add_runnable(af_tree *tree)
{
    if (!af_tree_has(tree, AF_WAIT)) {
        return;
    }
    tree->runnable = g_new0(uint64_t, tree->n);
    for (uint32_t i = 1; i < tree->n; i += 3) {
        tree->runnable[i] = af_tree_self_ns(tree, i, AF_WAIT) / 2;
    }
}

/* A thread of `n` nodes; every path has its own labels, so all siblings differ. */
static void add_random_thread(af_profile *profile, uint64_t id, uint32_t n, uint32_t depth_max,
                              char *const *names, unsigned n_names)
{
    uint32_t state = (uint32_t)id;
    g_autofree made_row *rows = g_new0(made_row, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t deepest = i == 0 ? 1 : MIN(rows[i - 1].depth + 1, depth_max);
        const uint32_t up = made_random(&state) % 4 == 0 ? made_random(&state) % deepest : 0;
        rows[i].depth = deepest - up;
        rows[i].label = names[i % n_names];
        rows[i].self_ns[0] = made_random(&state) % (made_random(&state) % 100000 + 1);
        rows[i].self_ns[1] = rows[i].self_ns[0] / (1 + made_random(&state) % 3);
    }
    af_tree *tree = made_thread_add(profile, id, "t", "t", rows)->tree;
    for (uint32_t i = 1; i <= n; i++) {
        tree->calls[i] = i % 3 == 0 ? 1 : 1 + made_random(&state) % 300;
        tree->unwinds[i] = i % 50 == 0 ? tree->calls[i] : 0;
        for (unsigned clock = 0; clock < AF_CLOCKS; clock++) {
            if (tree->self[clock]) {
                tree->min[clock][i] = tree->inclusive[clock][i] / tree->calls[i] / 2;
                tree->max[clock][i] = tree->inclusive[clock][i];
            }
        }
    }
    add_runnable(tree);
}

/* The first thread has `n` nodes. */
static af_profile *make_random_threads(unsigned clocks, uint32_t n, uint32_t depth_max,
                                       unsigned n_threads)
{
    enum { NAMES = 701 }; /* siblings with the same label would be one node */
    af_profile *profile = made_profile_new(clocks);
    char *names[NAMES];
    for (unsigned i = 0; i < NAMES; i++) {
        g_autofree char *name =
            g_strdup_printf("com.example.part%u.Class%u.call%u", i % 7, i % 31, i);
        names[i] = af_arena_copy(profile->arena, name, strlen(name));
    }
    for (unsigned t = 0; t < n_threads; t++) {
        add_random_thread(profile, 10 + t, n / (1 + t), depth_max, names, NAMES);
    }
    return profile;
}

static af_profile *make_random(unsigned clocks, uint32_t n, uint32_t depth_max)
{
    return make_random_threads(clocks, n, depth_max, 3);
}

/* ---- tests ---- */

TEST(the_sample_survives_packing)
{
    GError *error = NULL;
    g_autoptr(af_profile) profile = af_profile_open(g_getenv("AFLAME_SAMPLE"), NULL, &error);
    ck_assert_ptr_null(error);
    const uint32_t drawn[] = {2, 1};
    const af_pack_options options = {
        .clock = AF_WALL, .input = "app.trace", .threads = drawn, .n_threads = 2};
    g_autoptr(af_pack) pack = check_pack(profile, &options);
    ck_assert_uint_eq(pack->left_out, 0);
    g_autoptr(read_block) block = read_pack_new(pack);
    ck_assert_uint_eq(block->unit_ns, 1000);
    ck_assert_uint_eq(block->threads[0].id, profile->threads[2].id);
    ck_assert_uint_eq(block->threads[1].id, profile->threads[1].id);
    uint64_t before = UINT64_MAX;
    for (uint64_t i = 0; i < block->n_threads; i++) {
        const read_thread *thread = &block->threads[i];
        ck_assert_uint_eq(thread->flags & 1, i < 2);
        ck_assert_uint_eq((thread->flags & ~UINT64_C(65)) >> 1,
                          find_thread(profile, thread->id)->exited);
        ck_assert_int_eq((thread->flags & 64) != 0, g_str_has_suffix(thread->title, "Daemon"));
        if (i >= 2) {
            ck_assert_uint_le(thread->nodes[0].inclusive[AF_WALL], before);
            before = thread->nodes[0].inclusive[AF_WALL];
        }
    }
}

static gboolean has_label(const af_profile *profile, const af_tree *tree, const char *text)
{
    for (uint32_t i = 1; i < tree->n; i++) {
        if (strcmp(profile->labels[tree->label[i]].text, text) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

TEST(the_drawn_threads_can_be_packed_alone)
{
    GError *error = NULL;
    g_autoptr(af_profile) profile = af_profile_open(g_getenv("AFLAME_SAMPLE"), NULL, &error);
    ck_assert_ptr_null(error);
    const uint32_t drawn[] = {2, 1};
    af_pack_options options = {.clock = AF_WALL, .threads = drawn, .n_threads = 2};
    g_autoptr(af_pack) whole = check_pack(profile, &options);
    options.drawn_only = TRUE;
    g_autoptr(af_pack) pack = af_pack_new(profile, &options);
    ck_assert_ptr_nonnull(pack);
    ck_assert_uint_lt(g_bytes_get_size(pack->bytes), g_bytes_get_size(whole->bytes));
    g_autoptr(read_block) block = read_pack_new(pack);
    ck_assert_uint_eq(block->n_threads, 2);
    ck_assert_uint_eq(block->lacking, profile->n_threads - 2);
    for (unsigned t = 0; t < 2; t++) {
        ck_assert_str_eq(block->threads[t].title, profile->threads[drawn[t]].title);
        ck_assert_uint_eq(block->threads[t].n, profile->threads[drawn[t]].tree->n - 1);
    }
    for (uint64_t i = 0; i < block->n_labels; i++) {
        ck_assert(has_label(profile, profile->threads[1].tree, block->labels[i].text) ||
                  has_label(profile, profile->threads[2].tree, block->labels[i].text));
    }
}

TEST(hostile_names_survive_packing)
{
    static const made_row rows[] = {
        {1, "</script>", {5, 5}},
        {2, "]]>", {5, 5}},
        {3, "\xc3\xa4", {5, 5}}, /* the first bytes of these two are equal */
        {3, "\xc3\xa5\xf0\x9f\x98\x80", {5, 5}},
        {4, "\xc3\xa5\xf0\x9f\x98\x81", {5, 5}},
        {4, "", {5, 5}},
        {4, "\xe2\x80\xae", {1, 1}},
        {0, NULL, {0, 0}},
    };
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL | 1u << AF_CPU);
    made_thread_add(profile, UINT64_MAX, "<b>", "<b>", rows);
    const af_pack_options options = {.clock = AF_CPU};
    g_autoptr(af_pack) pack = check_pack(profile, &options);
    g_autoptr(read_block) block = read_pack_new(pack);
    ck_assert_uint_eq(block->unit_ns, 1);
    ck_assert_uint_eq(block->n_labels, 7);
}

TEST(every_combination_of_clocks)
{
    for (unsigned clocks = 1; clocks <= 3; clocks++) {
        g_autoptr(af_profile) profile = make_random(clocks, 900, 40);
        const af_pack_options options = {.clock = clocks & 1 ? AF_WALL : AF_CPU};
        af_pack_free(check_pack(profile, &options));
    }
}

/* The second of three threads has wall times only. None of its nodes get lost for any clock of the
 * picture; its wall times decide which ones to drop. */
TEST(a_thread_may_lack_a_clock)
{
    g_autoptr(af_profile) profile = make_random(3, 3000, 60);
    af_tree_keep_clocks(profile->threads[1].tree, 1u << AF_WALL);
    for (unsigned clock = AF_WALL; clock <= AF_CPU; clock++) {
        af_pack_options options = {.clock = (af_clock)clock};
        af_pack *whole = check_pack(profile, &options);
        ck_assert_uint_eq(whole->left_out, 0);
        options.budget = measure(whole) / 2;
        af_pack_free(whole);
        g_autoptr(af_pack) pack = check_pack(profile, &options);
        ck_assert_uint_le(measure(pack), options.budget);
        g_autoptr(read_block) block = read_pack_new(pack);
        for (unsigned t = 0; t < 3; t++) {
            ck_assert_uint_eq(block->threads[t].flags >> 3 & 3, block->threads[t].id == 11 ? 2 : 0);
            ck_assert_uint_gt(block->threads[t].n, 0);
        }
    }
}

TEST(a_budget_is_met_without_losing_time)
{
    g_autoptr(af_profile) profile = make_random(3, 3000, 60);
    af_pack_options options = {.clock = AF_WALL};
    g_autoptr(af_pack) whole = check_pack(profile, &options);
    const size_t size = measure(whole);
    uint64_t left_out = 0;
    ck_assert_uint_eq(whole->left_out, 0);
    for (unsigned percent = 99; percent >= 20; percent -= percent > 90 ? 3 : 15) {
        options.budget = size * percent / 100;
        g_autoptr(af_pack) pack = check_pack(profile, &options);
        ck_assert_uint_le(measure(pack), options.budget);
        ck_assert_uint_ge(measure(pack), options.budget * 4 / 5);
        ck_assert_uint_gt(pack->left_out, left_out);
        left_out = pack->left_out;
    }
}

/* If not even the thread names fit, the block contains nothing else. */
TEST(the_smallest_block_lists_the_threads)
{
    g_autoptr(af_profile) profile = make_random(3, 3000, 60);
    const af_pack_options options = {.clock = AF_WALL, .budget = 1};
    g_autoptr(af_pack) pack = check_pack(profile, &options);
    ck_assert_uint_eq(pack->left_out, 3000 + 1500 + 1000);
}

/* So many threads that their names alone exceed or nearly exceed the budget: the number of attempts
 * stays small. */
TEST(many_threads_are_packed_in_few_attempts)
{
    enum { THREADS = 3000, NODES = 8 };
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL);
    made_row rows[NODES + 1] = {{0, NULL, {0, 0}}};
    for (unsigned i = 0; i < NODES; i++) {
        rows[i] = (made_row){1 + i % 4, "a.B.c", {(1000 + i * 7919) * 1000, 0}};
    }
    static char names[THREADS][16];
    for (uint32_t i = 0; i < THREADS; i++) {
        g_snprintf(names[i], sizeof names[i], "pool-%u", i * 7919 % THREADS);
        made_thread_add(profile, i, names[i], names[i], rows);
    }
    drawn_profile_finish(profile);
    af_pack_options options = {.clock = AF_WALL};
    g_autoptr(af_pack) whole = check_pack(profile, &options);
    options.budget = 1;
    g_autoptr(af_pack) least = check_pack(profile, &options);
    ck_assert_uint_gt(least->left_out, THREADS);
    ck_assert_uint_lt(measure(least), measure(whole));
    options.budget = (measure(whole) + measure(least)) / 2;
    g_autoptr(af_pack) some = check_pack(profile, &options);
    ck_assert_uint_le(measure(some), options.budget);
    ck_assert_uint_gt(measure(some), measure(least));
}

TEST(the_nodes_with_least_time_are_dropped)
{
    static const made_row rows[] = {
        {1, "a", {100, 0}}, {2, "b", {9, 9}}, {3, "c", {7, 0}},  {3, "d", {7, 1}},
        {2, "e", {50, 0}},  {3, "f", {1, 0}}, {2, "g", {20, 0}}, {3, "h", {20, 0}},
        {4, "i", {2, 0}},   {4, "j", {1, 0}}, {0, NULL, {0, 0}},
    };
    g_autoptr(af_profile) profile = made_profile_new(3);
    made_thread_add(profile, 1, "main", "main", rows);
    const af_pack_options all = {.clock = AF_WALL};
    af_pack *pack = check_pack(profile, &all);
    const af_pack_options less = {.clock = AF_WALL, .budget = measure(pack) - 8};
    af_pack_free(pack);
    pack = check_pack(profile, &less);
    g_autoptr(read_block) block = read_pack_new(pack);
    const read_thread *thread = &block->threads[0];
    ck_assert_uint_gt(thread->left_out, 1);
    for (uint64_t i = 1; i <= thread->n; i++) {
        /* dropping a single entry saves nothing */
        ck_assert(thread->nodes[i].label != block->n_labels || thread->nodes[i].calls > 1);
    }
    ck_assert_str_eq(block->labels[0].text, "a");
    ck_assert_uint_eq(thread->nodes[0].inclusive[AF_WALL], 217);
    af_pack_free(pack);
}

/* Two threads write large blocks, but not the block of a single call tree. */
static void check_two_writers(unsigned n_threads)
{
    g_autoptr(af_profile) profile = make_random_threads(3, 30000, 50, n_threads);
    const af_pack_options options = {.clock = AF_WALL};
    const af_pack_options alone = {.clock = AF_WALL, .jobs = 1};
    g_autoptr(af_pack) one = af_pack_new(profile, &options), other = af_pack_new(profile, &alone);
    ck_assert(g_bytes_equal(one->bytes, other->bytes));
    read_block *block = read_pack_new(one); /* its checksum covers both parts */
    ck_assert_uint_eq(block->n_threads, n_threads);
    for (uint64_t t = 0; t < block->n_threads; t++) {
        const read_thread *thread = &block->threads[t];
        const af_tree *tree = find_thread(profile, thread->id)->tree;
        ck_assert_uint_eq(thread->n, tree->n - 1);
        for (uint32_t i = 1; i < tree->n; i++) {
            ck_assert_uint_eq(thread->nodes[i].self[AF_CPU], tree->self[AF_CPU][i]);
        }
    }
    read_pack_free(block);
}

TEST(two_threads_write_the_same_bytes_every_time)
{
    for (unsigned n_threads = 1; n_threads <= 3; n_threads++) {
        check_two_writers(n_threads);
    }
}

TEST(a_very_deep_tree_is_packed)
{
    enum { DEPTH = 200000 };
    g_autoptr(af_profile) profile = made_profile_new(1);
    g_autofree made_row *rows = g_new0(made_row, DEPTH + 1);
    for (uint32_t i = 0; i < DEPTH; i++) {
        rows[i] = (made_row){i + 1, "a.B.c", {1000, 0}};
    }
    made_thread_add(profile, 1, "main", "main", rows);
    af_pack_options options = {.clock = AF_WALL};
    af_pack *pack = af_pack_new(profile, &options);
    ck_assert_uint_eq(pack->left_out, 0);
    options.budget = measure(pack) / 2;
    af_pack_free(pack);
    pack = af_pack_new(profile, &options);
    ck_assert_uint_gt(pack->left_out, 0);
    ck_assert_uint_le(measure(pack), options.budget);
    af_pack_free(pack);
}

TEST(an_empty_profile_has_a_block)
{
    g_autoptr(af_profile) profile = made_profile_new(1);
    const af_pack_options options = {.clock = AF_WALL};
    af_pack_free(check_pack(profile, &options));
}

TEST(a_sheet_reports_what_was_dropped)
{
    g_autoptr(af_profile) profile = drawn_app_start();
    const uint32_t threads[] = {0, 3};
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    const af_sheet_options options = {.clock = AF_WALL,
                                      .threads = threads,
                                      .n_threads = 2,
                                      .width_c = 120000,
                                      .min_width_c = 100,
                                      .interactive = TRUE,
                                      .packed = TRUE,
                                      .pack_budget = 1,
                                      .messages = messages};
    g_autoptr(af_scene) scene = af_sheet_new(profile, &options);
    size_t plain_length;
    ck_assert_uint_eq(scene->attachments->len, 1);
    ck_assert_ptr_nonnull(af_scene_find_attachment(scene, "af-block", &plain_length));
    ck_assert_uint_gt(plain_length, 0);
    ck_assert_uint_eq(messages->len, 1);
    const char *said = " with the least time: ";
    ck_assert_ptr_nonnull(strstr(messages->pdata[0], said));
    g_autofree char *text = drawn_print(scene);
    ck_assert_ptr_nonnull(strstr(text, said));
    ck_assert(scene->needed_paints[FALSE][af_paint_frame(0, 0)] ||
              scene->needed_texts[FALSE].n > 0);
}
