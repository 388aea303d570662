#include <stdlib.h>

#include "calls/call_store.h"
#include "cases.h"
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

/* "MOST: NUMBER:LABEL=WALL/CPU ...", CPU may be missing => the stored calls with their waits, and of each
 * label and clock "CALLS TOTAL MIN-MAX MEDIAN P95" */
static char *show_store(const char *input)
{
    static const char *const clocks[] = {"wall", "cpu", "wait"};
    char *at;
    uint32_t n;
    open_store((uint32_t)strtoul(input, &at, 10));
    for (at++; *at != '\0';) {
        af_call call = {.number = strtoull(at, &at, 10), .caller = AF_NO_LABEL};
        call.label = (uint32_t)strtoul(at + 1, &at, 10);
        call.time_ns[AF_WALL] = strtoull(at + 1, &at, 10);
        call.lacks = *at == '/' ? 0 : 1u << AF_CPU | 1u << AF_WAIT;
        call.time_ns[AF_CPU] = *at == '/' ? strtoull(at + 1, &at, 10) : 0;
        ck_assert(af_call_store_add(store, &call, NULL));
    }
    ck_assert(af_call_store_close(store));
    const af_call *calls = af_call_store_calls(store, &n);
    GString *text = g_string_new(NULL);
    for (uint32_t i = 0; i < n; i++) {
        g_string_append_printf(text, "%s%u waits %u", i > 0 ? ", " : "", (unsigned)calls[i].number,
                               (unsigned)af_call_time_ns(&calls[i], AF_WAIT));
    }
    for (uint32_t l = 0; l < LABELS; l++) {
        const af_call_sum *sum = af_call_store_sum(store, l);
        for (unsigned c = 0; c < G_N_ELEMENTS(clocks) && sum->calls > 0; c++) {
            g_string_append_printf(text, "; %u %s %u %u %u-%u %u %u", l, clocks[c],
                                   (unsigned)sum->known[c], (unsigned)sum->total_ns[c],
                                   (unsigned)sum->min_ns[c], (unsigned)sum->max_ns[c],
                                   (unsigned)sum->median_ns[c], (unsigned)sum->p95_ns[c]);
        }
    }
    close_store();
    return g_string_free(text, FALSE);
}

TEST(calls_are_stored_and_added_up)
{
    cases_map("stored calls", show_store);
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
