#include <stdlib.h>

#include "calls/call_store.h"
#include "suite.h"

enum { LABELS = 3 };

static af_call_store *store;

static void open_store(uint32_t most)
{
    store = af_call_store_new(LABELS, 1u << AF_WALL | 1u << AF_CPU | 1u << AF_WAIT, AF_WALL, most);
}

static void close_store(void)
{
    af_call_store_free(store);
    store = NULL;
}

static void add(uint64_t number, uint32_t label, uint64_t wall_ns, uint64_t cpu_ns)
{
    const af_call call = {
        .number = number, .label = label, .time_ns = {wall_ns, cpu_ns}, .caller = AF_NO_LABEL};
    ck_assert(af_call_store_add(store, &call, NULL));
}

TEST(calls_are_stored_by_number)
{
    uint32_t n;
    open_store(100);
    add(2, 1, 30, 50);
    add(1, 1, 70, 20);
    ck_assert(af_call_store_close(store));
    const af_call *calls = af_call_store_calls(store, &n);
    ck_assert_uint_eq(n, 2);
    ck_assert_uint_eq(calls[0].number, 1);
    ck_assert_uint_eq(af_call_time_ns(&calls[0], AF_WAIT), 50);
    ck_assert_uint_eq(af_call_time_ns(&calls[1], AF_WAIT), 0); /* never negative */
    const af_call_sum *sum = af_call_store_sum(store, 1);
    ck_assert_uint_eq(sum->calls, 2);
    ck_assert_uint_eq(sum->total_ns[AF_WALL], 100);
    ck_assert_uint_eq(sum->min_ns[AF_CPU], 20);
    ck_assert_uint_eq(sum->max_ns[AF_CPU], 50);
    ck_assert_uint_eq(sum->median_ns[AF_WALL], 30);
    ck_assert_uint_eq(sum->p95_ns[AF_WALL], 70);
    ck_assert_uint_eq(af_call_store_sum(store, 0)->calls, 0);
    close_store();
}

/* A call has the clocks of its thread, whether all calls are stored or only sketched. */
TEST(calls_may_lack_a_clock)
{
    for (uint32_t most = 2; most <= 100; most += 98) {
        open_store(most);
        add(1, 1, 70, 20);
        for (uint64_t i = 2; i <= 4; i++) {
            const af_call call = {.number = i,
                                  .label = i == 4 ? 2 : 1,
                                  .time_ns = {10 * i, 0},
                                  .lacks = 1u << AF_CPU | 1u << AF_WAIT,
                                  .caller = AF_NO_LABEL};
            ck_assert(af_call_store_add(store, &call, NULL));
        }
        add(5, 1, 90, 60);
        ck_assert(af_call_store_close(store));
        const af_call_sum *sum = af_call_store_sum(store, 1);
        ck_assert_uint_eq(sum->calls, 4);
        ck_assert_uint_eq(sum->known[AF_WALL], 4);
        ck_assert_uint_eq(sum->known[AF_CPU], 2);
        ck_assert_uint_eq(sum->total_ns[AF_CPU], 80);
        ck_assert_uint_eq(sum->min_ns[AF_CPU], 20);
        ck_assert_uint_eq(sum->median_ns[AF_CPU], 20);
        ck_assert_uint_eq(sum->p95_ns[AF_CPU], 60);
        ck_assert_uint_eq(sum->min_ns[AF_WAIT], 30);
        ck_assert_uint_eq(sum->min_ns[AF_WALL], 20);
        ck_assert_uint_eq(af_call_store_sum(store, 2)->known[AF_CPU], 0);
        ck_assert_uint_eq(af_call_store_sum(store, 2)->max_ns[AF_WALL], 40);
        close_store();
    }
}

/* Beyond the limit the store keeps the longest calls, the first of equals, and the sums stay
 * exact. */
TEST(beyond_the_limit_the_longest_calls_remain)
{
    enum { MOST = 10, ALL = 1000 };
    uint32_t n;
    open_store(MOST);
    for (uint64_t i = 1; i <= ALL; i++) {
        add(i, i % 2, 1000 * (1 + i * 7919 % ALL), i);
    }
    ck_assert(af_call_store_close(store));
    const af_call *calls = af_call_store_calls(store, &n);
    ck_assert_uint_eq(n, MOST);
    ck_assert_uint_eq(af_call_store_n(store), ALL);
    for (uint32_t i = 0; i < n; i++) {
        ck_assert_uint_gt(calls[i].time_ns[AF_WALL], 1000 * (ALL - MOST));
        ck_assert(i == 0 || calls[i].number > calls[i - 1].number);
    }
    uint64_t calls_of_all = 0, total = 0;
    for (uint32_t l = 0; l < LABELS; l++) {
        const af_call_sum *sum = af_call_store_sum(store, l);
        calls_of_all += sum->calls;
        total += sum->total_ns[AF_WALL];
    }
    ck_assert_uint_eq(calls_of_all, ALL);
    ck_assert_uint_eq(total, 1000ull * ALL * (ALL + 1) / 2);
    const uint64_t median = af_call_store_sum(store, 1)->median_ns[AF_WALL];
    ck_assert_uint_ge(median, 490000);
    ck_assert_uint_le(median, 510000);
    close_store();
}

TEST(of_equal_calls_the_first_remain)
{
    uint32_t n;
    open_store(3);
    for (uint64_t i = 1; i <= 20; i++) {
        add(i, 0, 5000, 0);
    }
    ck_assert(af_call_store_close(store));
    const af_call *calls = af_call_store_calls(store, &n);
    ck_assert_uint_eq(n, 3);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(calls[i].number, i + 1);
    }
    close_store();
}

static int compare_times(const void *a, const void *b)
{
    const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

/* Times of any size, with many duplicates. */
TEST(quantiles_match_those_of_sorted_calls)
{
    enum { MOST = 300 };
    uint64_t random = 1, wall[MOST], cpu[MOST];
    for (unsigned n = 1; n < MOST; n += 1 + n / 8) {
        open_store(MOST);
        for (unsigned i = 0; i < n; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            wall[i] = random >> (2 + i * 7 % 61);
            cpu[i] = (random >> 33) % 5;
            add(i, 1, wall[i], cpu[i]);
        }
        ck_assert(af_call_store_close(store));
        qsort(wall, n, sizeof *wall, compare_times);
        qsort(cpu, n, sizeof *cpu, compare_times);
        const af_call_sum *sum = af_call_store_sum(store, 1);
        ck_assert_uint_eq(sum->median_ns[AF_WALL], wall[(n + 1) / 2 - 1]);
        ck_assert_uint_eq(sum->p95_ns[AF_WALL], wall[(n * 95 + 99) / 100 - 1]);
        ck_assert_uint_eq(sum->median_ns[AF_CPU], cpu[(n + 1) / 2 - 1]);
        ck_assert_uint_eq(sum->p95_ns[AF_CPU], cpu[(n * 95 + 99) / 100 - 1]);
        close_store();
    }
}

/* The result is the same whether or not all calls are stored. */
TEST(a_sketch_is_close_to_the_exact_result)
{
    uint64_t median[2], p95[2];
    for (unsigned stores_all = 0; stores_all < 2; stores_all++) {
        open_store(stores_all != 0 ? 100000 : 100);
        uint64_t random = 12345;
        for (uint64_t i = 1; i <= 50000; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            add(i, 2, 1000 + (random >> 40), 0);
        }
        ck_assert(af_call_store_close(store));
        median[stores_all] = af_call_store_sum(store, 2)->median_ns[AF_WALL];
        p95[stores_all] = af_call_store_sum(store, 2)->p95_ns[AF_WALL];
        close_store();
    }
    ck_assert_uint_le(MAX(median[0], median[1]) - MIN(median[0], median[1]), median[1] / 100);
    ck_assert_uint_le(MAX(p95[0], p95[1]) - MIN(p95[0], p95[1]), p95[1] / 100);
}
