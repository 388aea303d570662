#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <aflame/error.h>

#include "base/sorter.h"
#include "suite.h"

typedef struct {
    uint32_t key, number;
} record;

static af_sorter_key key_of(const void *one)
{
    return (af_sorter_key){((const record *)one)->key >> 9,
                           (int64_t)(((const record *)one)->key >> 2 & 127) - 64};
}

static int compare(const void *a, const void *b)
{
    const record *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1)
                            : (x->number > y->number) - (x->number < y->number);
}

/* Equal records keep the order in which they are added, so the number need not be compared. */
static int compare_keys(const void *a, const void *b)
{
    const record *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static const af_sorter_order order = {key_of, compare_keys};

/* The same without a comparison: the key of the sorter is then the whole key of the record. */
static af_sorter_key whole_key_of(const void *one)
{
    return (af_sorter_key){1, ((const record *)one)->key};
}

static const af_sorter_order by_whole_key = {whole_key_of, NULL};

/* `n` records of `keys` different keys come back in order, each once. */
static void check_each(size_t n, uint32_t keys, size_t most_held, const af_sorter_order *by)
{
    af_sorter *sorter = af_sorter_new(sizeof(record), by, most_held);
    GError *error = NULL;
    uint32_t state = 12345;
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        state = state * 1664525 + 1013904223;
        const record added = {(state >> 8) % keys, (uint32_t)i};
        ck_assert(af_sorter_add(sorter, &added, &error));
        sum += i;
    }
    ck_assert(af_sorter_begin(sorter, &error));
    record last = {0, 0};
    for (size_t i = 0; i < n; i++) {
        const void *next = NULL;
        ck_assert(af_sorter_next(sorter, &next, &error));
        ck_assert_ptr_nonnull(next);
        const record now = *(const record *)next;
        ck_assert(i == 0 || compare(&last, &now) < 0);
        sum -= now.number;
        last = now;
    }
    const void *next = &last;
    ck_assert(af_sorter_next(sorter, &next, &error));
    ck_assert_ptr_null(next);
    ck_assert_uint_eq(sum, 0);
    af_sorter_free(sorter);
}

static void check_order(size_t n, uint32_t keys, size_t most_held)
{
    check_each(n, keys, most_held, &order);
    check_each(n, keys, most_held, &by_whole_key);
}

TEST(records_come_back_in_order)
{
    check_order(0, 1, 0);
    check_order(1, 1, 0);
    check_order(1000, 7, 0);
    check_order(9, 100000, 0);
    check_order(4099, 100000, 0);
    /* through a file: one run, many, runs that are read in several steps */
    check_order(17, 5, 16 * sizeof(record));
    check_order(16, 5, 16 * sizeof(record));
    check_order(1000, 3, sizeof(record));
    check_order(100000, 1000, 40000 * sizeof(record));
}

/* A full disk, as far as a process can simulate one: no file may be longer than this. */
TEST(sorting_fails_without_disk_space)
{
    struct rlimit before, limit;
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 2 * sizeof(record);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    af_sorter *sorter = af_sorter_new(sizeof(record), &order, sizeof(record));
    g_autoptr(GError) error = NULL;
    const record one = {1, 1};
    unsigned added = 0;
    while (added < 10 && af_sorter_add(sorter, &one, &error)) {
        added++;
    }
    setrlimit(RLIMIT_FSIZE, &before);
    ck_assert_uint_eq(added, 3);
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_MEMORY));
    af_sorter_free(sorter);
}
