#include <string.h>
#include <zlib.h>

#include "compare/compare.h"
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

/* ---- a reader that shares nothing with the writer ---- */

static uint64_t read_number(const uint8_t **at)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const uint8_t byte = *(*at)++;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            return value;
        }
    }
}

static void skip_string(const uint8_t **at)
{
    const uint64_t length = read_number(at);
    *at += length;
}

static uint64_t add_column(const uint8_t **at, uint64_t n)
{
    uint64_t sum = 0;
    while (n-- > 0) {
        sum += read_number(at);
    }
    return sum;
}

static uint8_t *unpack(const af_pack *pack)
{
    gsize length;
    const uint8_t *at = g_bytes_get_data(pack->bytes, &length), *end = at + length;
    uint8_t *plain = g_malloc(pack->plain_length), *to = plain;
    while (at < end) {
        const uint32_t size = at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;
        uLongf left = (uLongf)(plain + pack->plain_length - to);
        ck_assert_int_eq(uncompress(to, &left, at + 4, size), Z_OK);
        to += left;
        at += 4 + size;
    }
    ck_assert_ptr_eq(to, plain + pack->plain_length);
    return plain;
}

typedef struct {
    uint64_t entries, left_out, width, grown, shrunk, calls;
} sums;

/* Adds up the columns of the first thread. */
static sums add_up(const af_pack *pack)
{
    g_autofree uint8_t *plain = unpack(pack);
    const uint8_t *at = plain + 4;
    sums s = {0};
    ck_assert_mem_eq(plain, "AFB1", 4);
    ck_assert_uint_eq(read_number(&at), 1);
    ck_assert_uint_eq(read_number(&at), 1000);
    ck_assert_uint_eq(read_number(&at), 0);
    skip_string(&at);
    ck_assert_uint_eq(read_number(&at), 16);
    for (uint64_t n = read_number(&at); n > 0; n--) {
        read_number(&at);
        skip_string(&at);
        at += 2;
        ck_assert_uint_eq(read_number(&at), 0);
        skip_string(&at);
    }
    ck_assert_uint_eq(read_number(&at), 2);
    uint64_t n[2] = {0};
    for (unsigned t = 0; t < 2; t++) {
        read_number(&at);
        skip_string(&at);
        skip_string(&at);
        add_column(&at, 2);
        n[t] = read_number(&at);
        const uint64_t left_out = read_number(&at);
        add_column(&at, 3 * n[t]);
        const uint64_t width = add_column(&at, n[t]);
        ck_assert_uint_eq(read_number(&at), 0);
        s.left_out += left_out;
        s.width += t == 0 ? width : 0;
    }
    s.entries = n[0];
    ck_assert_uint_eq(read_number(&at), AF_WALL);
    read_number(&at);
    s.grown = add_column(&at, n[0]);
    s.shrunk = add_column(&at, n[0]);
    s.calls = add_column(&at, 2 * n[0]);
    return s;
}

static af_pack *pack_within(const af_diff *diff, size_t budget)
{
    const gboolean drawn[2] = {TRUE, FALSE};
    af_pack *pack = af_diff_pack_new(
        diff, &(af_diff_pack_options){.input = "x", .drawn = drawn, .budget = budget, .jobs = 1});
    ck_assert_ptr_nonnull(pack);
    return pack;
}

/* Whatever is left out, the sums of a thread stay the same. */
static void check_sums(const af_diff *diff, const sums *s)
{
    const af_diff_tree *tree = &diff->threads[0].tree;
    ck_assert_uint_eq(s->width * 1000, af_diff_path_width(tree, 0));
    ck_assert_uint_eq(s->grown * 1000, tree->grown[0]);
    ck_assert_uint_eq(s->shrunk * 1000, tree->shrunk[0]);
}

TEST(everything_fits)
{
    g_autoptr(af_diff) diff = compare();
    g_autoptr(af_pack) pack = pack_within(diff, 0);
    const sums s = add_up(pack);
    check_sums(diff, &s);
    ck_assert_uint_eq(s.entries, diff->threads[0].tree.n - 1);
    ck_assert_uint_eq(pack->left_out, 0);
    uint64_t calls = 0;
    for (uint32_t i = 1; i < diff->threads[0].tree.n; i++) {
        calls +=
            diff->threads[0].tree.calls[AF_BEFORE][i] + diff->threads[0].tree.calls[AF_AFTER][i];
    }
    ck_assert_uint_gt(calls, 0);
    ck_assert_uint_eq(s.calls, calls);
}

TEST(the_narrowest_paths_are_left_out)
{
    static const size_t budgets[] = {800, 3000, 9000};
    g_autoptr(af_diff) diff = compare();
    for (unsigned i = 0; i < G_N_ELEMENTS(budgets); i++) {
        g_autoptr(af_pack) pack = pack_within(diff, budgets[i]);
        const sums s = add_up(pack);
        check_sums(diff, &s);
        ck_assert_uint_le(g_bytes_get_size(pack->bytes) / 3 * 4, budgets[i]);
        ck_assert_uint_ge(g_bytes_get_size(pack->bytes) / 3 * 4, budgets[i] / 4);
        ck_assert_uint_gt(pack->left_out, 0);
        ck_assert_uint_eq(pack->left_out, s.left_out);
        ck_assert_uint_lt(s.entries, diff->threads[0].tree.n - 1);
    }
}
