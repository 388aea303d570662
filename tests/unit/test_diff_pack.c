#include "compare/compare.h"
#include "read_pack.h"
#include "render/packed/diff_pack.h"
#include "suite.h"
#include "text_profile.h"

#define N_METHODS 600

/* Methods of a thread with times that do not repeat; every third one has two callees. Times depend
 * on `seed`, and the methods that are `without` a remainder by 50 are missing. */
static char *write_thread(unsigned seed, unsigned without)
{
    GString *text = g_string_new(NULL);
    for (unsigned i = 1; i <= N_METHODS; i++) {
        const unsigned self = 1000 + i * i * seed % 99991;
        if (i % 50 != without) {
            g_string_append_printf(text, "%u000 com.example.C%u.run\n", self, i);
        }
        for (unsigned k = 0; k < 2 && i % 3 == 0 && i % 50 != without; k++) {
            g_string_append_printf(text, "  %u000 com.example.C%u.part%u\n", 7 + self * k / 3, i,
                                   k);
        }
    }
    return g_string_free(text, FALSE);
}

static af_runs *make_side(unsigned seed, unsigned without)
{
    g_autofree char *text = write_thread(seed, without);
    g_autoptr(af_profile) profile = text_profile_new();
    text_profile_add_thread(profile, 1, "main", text);
    text_profile_add_thread(profile, 2, "worker", "5000 com.example.Task.run\n");
    text_profile_finish(profile);
    af_runs *runs = af_runs_new(AF_RUNS_TO_COMPARE);
    ck_assert(af_runs_add_profile(runs, profile, "x", NULL, NULL));
    return runs;
}

static af_diff *compare(void)
{
    const af_compare_options options = {.clock = AF_WALL, .min_delta_ppm = 5000};
    g_autoptr(af_runs) before = make_side(7919, 3), after = make_side(104729, 4);
    af_diff *diff = af_compare(before, after, &options, NULL);
    ck_assert_ptr_nonnull(diff);
    return diff;
}

static af_pack *pack_within(const af_diff *diff, size_t budget)
{
    const gboolean drawn[2] = {TRUE, FALSE};
    af_pack *pack = af_diff_pack_new(
        diff, &(af_diff_pack_options){.input = "x", .drawn = drawn, .budget = budget, .jobs = 1});
    ck_assert_ptr_nonnull(pack);
    return pack;
}

/* Whatever is left out, the sums of a thread stay the same. Returns the number of its calls. */
static uint64_t check_sums(const af_diff *diff, const read_block *block)
{
    const af_diff_tree *tree = &diff->threads[0].tree;
    uint64_t width = 0, grown = 0, shrunk = 0, calls = 0;
    ck_assert_uint_eq(block->n_threads, 2);
    for (uint64_t i = 1; i <= block->threads[0].n; i++) {
        const read_node *node = &block->threads[0].nodes[i];
        width += node->self[AF_WALL];
        grown += node->grown;
        shrunk += node->shrunk;
        calls += node->before + node->after;
    }
    ck_assert_uint_eq(width, tree->width[0]);
    ck_assert_uint_eq(grown * block->unit_ns, tree->grown[0]);
    ck_assert_uint_eq(shrunk * block->unit_ns, tree->shrunk[0]);
    return calls;
}

TEST(everything_fits)
{
    g_autoptr(af_diff) diff = compare();
    g_autoptr(af_pack) pack = pack_within(diff, 0);
    g_autoptr(read_block) block = read_pack_new(pack);
    const af_diff_tree *tree = &diff->threads[0].tree;
    ck_assert_uint_eq(block->threads[0].n, tree->n - 1);
    ck_assert_uint_eq(pack->left_out, 0);
    uint64_t calls = 0;
    for (uint32_t i = 1; i < tree->n; i++) {
        calls += tree->calls[AF_BEFORE][i] + tree->calls[AF_AFTER][i];
    }
    ck_assert_uint_gt(calls, 0);
    ck_assert_uint_eq(check_sums(diff, block), calls);
}

TEST(the_narrowest_paths_are_left_out)
{
    static const size_t budgets[] = {800, 3000, 9000};
    g_autoptr(af_diff) diff = compare();
    for (unsigned i = 0; i < G_N_ELEMENTS(budgets); i++) {
        g_autoptr(af_pack) pack = pack_within(diff, budgets[i]);
        g_autoptr(read_block) block = read_pack_new(pack);
        const read_thread *threads = block->threads;
        check_sums(diff, block);
        ck_assert_uint_le(g_bytes_get_size(pack->bytes) / 3 * 4, budgets[i]);
        ck_assert_uint_ge(g_bytes_get_size(pack->bytes) / 3 * 4, budgets[i] / 4);
        ck_assert_uint_gt(pack->left_out, 0);
        ck_assert_uint_eq(pack->left_out, threads[0].left_out + threads[1].left_out);
        ck_assert_uint_lt(threads[0].n, diff->threads[0].tree.n - 1);
    }
}
