#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <aflame/error.h>

#include "base/spool.h"
#include "suite.h"

static const af_spool_limits small = {.held = 3000, .filed = 9000, .held_without_file = 5000};

/* Byte number i of everything that is put into a spool. */
static uint8_t byte_at(size_t i)
{
    return (uint8_t)(i * 7 + i / 251);
}

static gboolean add(af_spool *spool, size_t from, size_t n, GError **error)
{
    g_autofree uint8_t *bytes = g_malloc(n);
    for (size_t i = 0; i < n; i++) {
        bytes[i] = byte_at(from + i);
    }
    const gboolean ok = af_spool_add(spool, bytes, n, error);
    return ok;
}

static void check_bytes(const af_spool *spool, size_t from, size_t n)
{
    ck_assert_uint_eq(spool->length, n);
    for (size_t i = 0; i < n; i++) {
        ck_assert_uint_eq(spool->bytes[i], byte_at(from + i));
    }
}

static void check_refused(af_spool *spool, size_t from, size_t n)
{
    const size_t before = spool->length;
    ck_assert_error(add(spool, from, n, &error), AF_ERROR_MEMORY);
    check_bytes(spool, from - before, before);
}

TEST(few_bytes_stay_in_memory)
{
    g_autoptr(af_spool) spool = af_spool_new(&small);
    ck_assert(add(spool, 0, 1000, NULL) && add(spool, 1000, 2000, NULL));
    ck_assert(!af_spool_is_filed(spool));
    check_bytes(spool, 0, 3000);
    af_spool_drop(spool, 2500);
    ck_assert(add(spool, 3000, 2000, NULL));
    ck_assert(!af_spool_is_filed(spool));
    check_bytes(spool, 2500, 2500);
    af_spool_drop(spool, 100000);
    check_bytes(spool, 5000, 0);
}

TEST(many_bytes_go_to_a_file)
{
    g_autoptr(af_spool) spool = af_spool_new(&small);
    for (size_t at = 0; at < 9000; at += 100) {
        ck_assert(add(spool, at, 100, NULL));
        ck_assert_int_eq(af_spool_is_filed(spool), at + 100 > small.held);
    }
    check_bytes(spool, 0, 9000);
    check_refused(spool, 9000, 1);
    af_spool_drop(spool, 8000);
    ck_assert(!af_spool_is_filed(spool)); /* the rest is short again */
    check_bytes(spool, 8000, 1000);
    ck_assert(add(spool, 9000, 7000, NULL));
    ck_assert(af_spool_is_filed(spool));
    check_bytes(spool, 8000, 8000);
}

TEST(a_request_that_is_too_large_is_refused)
{
    g_autoptr(af_spool) spool = af_spool_new(&small);
    check_refused(spool, 0, 9001);
    ck_assert(add(spool, 0, 4000, NULL));
    check_refused(spool, 4000, 5001);
}

/* add(), with a limit of `most` bytes per file. check writes its own files. */
static gboolean add_with_limit(af_spool *spool, size_t from, size_t n, rlim_t most)
{
    struct rlimit before, limit;
    signal(SIGXFSZ, SIG_IGN);
    gboolean ok = getrlimit(RLIMIT_FSIZE, &before) == 0;
    limit = before;
    limit.rlim_cur = most;
    ok = ok && setrlimit(RLIMIT_FSIZE, &limit) == 0 && add(spool, from, n, NULL);
    setrlimit(RLIMIT_FSIZE, &before);
    return ok;
}

TEST(without_a_file_memory_is_used)
{
    g_autoptr(af_spool) spool = af_spool_new(&small);
    ck_assert(add_with_limit(spool, 0, 5000, 0));
    ck_assert(!af_spool_is_filed(spool));
    check_bytes(spool, 0, 5000);
    check_refused(spool, 5000, 1);
}

TEST(bytes_stay_in_memory_if_the_disk_is_full)
{
    g_autoptr(af_spool) spool = af_spool_new(&small);
    ck_assert(add(spool, 0, 2000, NULL));
    ck_assert(add_with_limit(spool, 2000, 1500, 1000));
    ck_assert(!af_spool_is_filed(spool));
    check_bytes(spool, 0, 3500);
    ck_assert(add(spool, 3500, 1500, NULL));
    ck_assert(!af_spool_is_filed(spool)); /* not tried again */
    check_refused(spool, 5000, 1);
    check_bytes(spool, 0, 5000);
}

TEST(without_space_anywhere_the_error_names_the_folder)
{
    g_autoptr(af_spool) spool = af_spool_new(&small);
    g_autoptr(GError) error = NULL;
    ck_assert(add(spool, 0, 6000, NULL) && af_spool_is_filed(spool));
    ck_assert(!add_with_limit(spool, 6000, 1000, 6500)); /* 7,000 bytes are too many for memory */
    check_bytes(spool, 0, 6000);
    ck_assert(!add(spool, 6000, 4000, &error));
    ck_assert_int_eq(error->code, AF_ERROR_MEMORY);
    ck_assert_ptr_nonnull(strstr(error->message, g_get_tmp_dir()));
    check_bytes(spool, 0, 6000);
}

TEST(dropped_bytes_count_until_the_rest_is_short)
{
    static const size_t mb = (size_t)1024 * 1024;
    const af_spool_limits limits = {.held = 2 * mb, .filed = 6 * mb, .held_without_file = 2 * mb};
    g_autoptr(af_spool) spool = af_spool_new(&limits);
    ck_assert(add(spool, 0, 5 * mb, NULL));
    af_spool_drop(spool, 2 * mb);
    ck_assert(af_spool_is_filed(spool));
    ck_assert(add(spool, 5 * mb, mb, NULL));
    g_autoptr(GError) error = NULL;
    ck_assert(!add(spool, 6 * mb, 1, &error));
    ck_assert_str_eq(error->message, "aflame would have to store more than 6 MB of the input; "
                                     "unpack it to a file first");
    check_bytes(spool, 2 * mb, 4 * mb);
    for (size_t from = 2 * mb, i = 0; i < 20; i++, from += 4 * mb) {
        af_spool_drop(spool, 4 * mb - 1000);
        ck_assert(!af_spool_is_filed(spool));
        check_bytes(spool, from + 4 * mb - 1000, 1000);
        ck_assert(add(spool, from + 4 * mb, 4 * mb, NULL) && af_spool_is_filed(spool));
        check_bytes(spool, from + 4 * mb - 1000, 4 * mb + 1000);
        af_spool_drop(spool, 1000);
    }
}

TEST(memory_is_returned_after_the_drop)
{
    static const size_t mb = (size_t)1024 * 1024;
    g_autoptr(af_spool) spool = af_spool_new(NULL);
    ck_assert(add(spool, 0, 9 * mb, NULL) && !af_spool_is_filed(spool));
    af_spool_drop(spool, 9 * mb - 700);
    check_bytes(spool, 9 * mb - 700, 700);
    ck_assert(add(spool, 9 * mb, 2 * mb, NULL));
    check_bytes(spool, 9 * mb - 700, 2 * mb + 700);
}

/* Bytes are released in memory and in a file, and the others stay in place; also after the front was
 * dropped. */
TEST(released_bytes_take_no_memory)
{
    static const size_t mb = (size_t)1024 * 1024;
    for (unsigned filed = 0; filed < 2; filed++) {
        const af_spool_limits limits = {
            .held = (filed ? 2 : 64) * mb, .filed = 64 * mb, .held_without_file = 64 * mb};
        g_autoptr(af_spool) spool = af_spool_new(&limits);
        ck_assert(add(spool, 0, 20 * mb, NULL));
        ck_assert_int_eq(af_spool_is_filed(spool), filed);
        const uint8_t *bytes = spool->bytes;
        af_spool_release(spool, 1000);
        check_bytes(spool, 0, 20 * mb);
        for (size_t n = mb; n <= 12 * mb; n += mb) {
            af_spool_release(spool, n);
        }
        ck_assert_ptr_eq(spool->bytes, bytes);
        ck_assert_uint_eq(spool->length, 20 * mb);
        if (!filed) {
            ck_assert_uint_eq(bytes[8 * mb - 1], 0); /* a file would be read again */
        }
        af_spool_drop(spool, 13 * mb);
        check_bytes(spool, 13 * mb, 7 * mb);
        ck_assert(add(spool, 20 * mb, 30 * mb, NULL));
        check_bytes(spool, 13 * mb, 37 * mb);
        af_spool_release(spool, 20 * mb);
        af_spool_drop(spool, 20 * mb);
        check_bytes(spool, 33 * mb, 17 * mb);
    }
}

TEST(a_full_disk_loses_no_data)
{
    g_autoptr(af_spool) spool = af_spool_new(&small);
    ck_assert(add(spool, 0, 3500, NULL));
    ck_assert(af_spool_is_filed(spool));
    ck_assert(add_with_limit(spool, 3500, 1000, 4000));
    ck_assert(!af_spool_is_filed(spool));
    check_bytes(spool, 0, 4500);
    check_refused(spool, 4500, 501);
}

/* Open files without a name in any folder; the library of the tests may have some too. */
static unsigned count_unnamed(void)
{
    g_autoptr(GDir) open_files = g_dir_open("/proc/self/fd", 0, NULL);
    ck_assert_ptr_nonnull(open_files);
    unsigned unnamed = 0;
    for (const char *name; (name = g_dir_read_name(open_files)) != NULL;) {
        g_autofree char *path = g_build_filename("/proc/self/fd", name, NULL);
        struct stat facts;
        unnamed += stat(path, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_nlink == 0;
    }
    return unnamed;
}

TEST(the_file_has_no_name)
{
    const unsigned before = count_unnamed();
    g_autoptr(af_spool) spool = af_spool_new(&small);
    ck_assert(add(spool, 0, 4000, NULL) && af_spool_is_filed(spool));
    ck_assert_uint_eq(count_unnamed(), before + 1);
}
