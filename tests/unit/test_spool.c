#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <aflame/error.h>

#include "base/spool.h"
#include "cases.h"
#include "suite.h"

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

/* add(), with a limit of `most` bytes per file. check writes its own files. */
static gboolean add_with_limit(af_spool *spool, size_t from, size_t n, rlim_t most, GError **error)
{
    struct rlimit before, limit;
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = most;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    const gboolean ok = add(spool, from, n, error);
    setrlimit(RLIMIT_FSIZE, &before);
    return ok;
}

/* A number, in MB before an M; moves *at past it. */
static size_t read_size(const char **at)
{
    char *end;
    const size_t n = strtoull(*at, &end, 10);
    *at = *end == 'M' ? end + 1 : end;
    return *end == 'M' ? n * 1024 * 1024 : n;
}

static void show_error(GString *text, const GError *error)
{
    g_autoptr(GString) message = g_string_new(error->message);
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_MEMORY));
    g_string_replace(message, g_get_tmp_dir(), "TMPDIR", 0);
    g_string_append_printf(text, "refused: %s", message->str);
}

/* "HELD/FILED/WITHOUT" (limits) and words: N adds bytes, N*K does it K times, N:MOST while no file may be
 * longer than MOST, -N drops => after each where the bytes are, and how many */
static char *show_spool(const char *input)
{
    const char *at = input;
    af_spool_limits limits = {.held = read_size(&at)};
    limits.filed = (at++, read_size(&at));
    limits.held_without_file = (at++, read_size(&at));
    g_autoptr(af_spool) spool = af_spool_new(limits.held > 0 ? &limits : NULL);
    GString *text = g_string_new(NULL);
    size_t dropped = 0, end = 0;
    while (*at++ == ' ') {
        g_autoptr(GError) error = NULL;
        const gboolean drops = *at == '-';
        at += drops;
        const size_t n = read_size(&at);
        const char sign = *at;
        const size_t more = sign == '*' || sign == ':' ? (at++, read_size(&at)) : 1;
        if (drops) {
            af_spool_drop(spool, n);
            dropped = MIN(dropped + n, end);
        }
        for (size_t i = 0; !drops && i < (sign == '*' ? more : 1); i++) {
            const gboolean ok = sign == ':' ? add_with_limit(spool, end, n, more, &error)
                                            : add(spool, end, n, &error);
            end += ok ? n : 0;
        }
        check_bytes(spool, dropped, end - dropped);
        g_string_append(text, text->len > 0 ? ", " : "");
        if (error != NULL) {
            show_error(text, error);
        } else {
            g_string_append_printf(text, "%s %" G_GSIZE_FORMAT,
                                   af_spool_is_filed(spool) ? "file" : "memory", end - dropped);
        }
    }
    return g_string_free(text, FALSE);
}

TEST(bytes_are_in_memory_or_in_a_file)
{
    cases_map("spooled bytes", show_spool);
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
    const af_spool_limits limits = {.held = 3000, .filed = 9000, .held_without_file = 5000};
    g_autoptr(af_spool) spool = af_spool_new(&limits);
    ck_assert(add(spool, 0, 4000, NULL) && af_spool_is_filed(spool));
    ck_assert_uint_eq(count_unnamed(), before + 1);
}
