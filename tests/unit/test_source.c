#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>
#include <zlib.h>
#include <glib/gstdio.h>

#include "base/cancel.h"
#include "base/spool.h"
#include "read/source.h"
#include "read/unpack.h"
#include "suite.h"

/* ---- inputs ---- */

static GByteArray *make_bytes(size_t n)
{
    GByteArray *bytes = g_byte_array_sized_new((guint)n);
    uint32_t state = 1;
    for (size_t i = 0; i < n; i++) {
        state = state * 1664525 + 1013904223;
        const guint8 byte = (guint8)(state >> 28); /* packs to half */
        g_byte_array_append(bytes, &byte, 1);
    }
    return bytes;
}

static void add_member(GByteArray *to, const guint8 *bytes, size_t n)
{
    z_stream z = {.next_in = (Bytef *)bytes, .avail_in = (uInt)n};
    ck_assert_int_eq(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    const guint begin = to->len, capacity = (guint)deflateBound(&z, (uLong)n) + 64;
    g_byte_array_set_size(to, begin + capacity);
    z.next_out = to->data + begin;
    z.avail_out = capacity;
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    g_byte_array_set_size(to, begin + (guint)z.total_out);
    deflateEnd(&z);
}

static GByteArray *pack(const GByteArray *bytes, unsigned members)
{
    GByteArray *packed = g_byte_array_new();
    for (unsigned i = 0; i < members; i++) {
        const size_t from = (size_t)bytes->len * i / members;
        const size_t to = (size_t)bytes->len * (i + 1) / members;
        add_member(packed, bytes->data + from, to - from);
    }
    return packed;
}

typedef struct {
    int fd;
    const GByteArray *bytes;
    size_t at_once;
} writing;

static gpointer write_slowly(gpointer user)
{
    const writing *w = user;
    signal(SIGPIPE, SIG_IGN); /* a reader that has enough stops reading */
    for (size_t at = 0; at < w->bytes->len;) {
        const size_t n = MIN(w->at_once, w->bytes->len - at);
        const ssize_t written = write(w->fd, w->bytes->data + at, n);
        if (written < 0) {
            break;
        }
        at += (size_t)written;
    }
    close(w->fd);
    return NULL;
}

/* ---- reading ---- */

typedef struct {
    GByteArray *bytes; /* Expects NULL with `code`. */
    gboolean cut;
    int code;
} outcome;

/* Walks over everything, with a window that varies in length. */
static outcome walk(af_source *source)
{
    outcome o = {.bytes = g_byte_array_new()};
    g_autoptr(GError) error = NULL;
    size_t step = 1;
    for (;;) {
        if (!af_source_reach(source, step, &error)) {
            o.code = error->code;
            g_clear_pointer(&o.bytes, g_byte_array_unref);
            return o;
        }
        ck_assert_ptr_nonnull(source->bytes);
        ck_assert(source->length >= step || !source->more);
        ck_assert_uint_eq(source->offset, o.bytes->len);
        if (source->length == 0) {
            break;
        }
        const size_t n = MIN(source->length, step);
        g_byte_array_append(o.bytes, source->bytes, (guint)n);
        af_source_skip(source, n);
        step = step * 3 % 5000 + 1;
    }
    ck_assert(!source->more);
    o.cut = source->cut;
    return o;
}

static outcome take(af_source *source, GError *error)
{
    if (source == NULL) {
        const outcome o = {.code = error->code};
        g_error_free(error);
        return o;
    }
    const outcome o = walk(source);
    af_source_free(source);
    return o;
}

static int make_file(const GByteArray *bytes, char **path)
{
    *path = NULL;
    const int fd = g_file_open_tmp(NULL, path, NULL);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, bytes->data, bytes->len), (ssize_t)bytes->len);
    ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

static outcome read_file(const GByteArray *bytes, const af_source_needs *needs)
{
    g_autofree char *path = NULL;
    close(make_file(bytes, &path));
    GError *error = NULL;
    af_source *source = af_source_open(path, needs, &error);
    const outcome o = take(source, error);
    g_unlink(path);
    return o;
}

static outcome read_pipe(const GByteArray *bytes, size_t at_once, const af_source_needs *needs)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    writing w = {ends[1], bytes, at_once};
    GThread *thread = g_thread_new("writer", write_slowly, &w);
    GError *error = NULL;
    af_source *source = af_source_open_fd(ends[0], needs, &error);
    const outcome o = take(source, error);
    close(ends[0]);
    g_thread_join(thread);
    return o;
}

static void check_outcome(outcome o, const GByteArray *expected, size_t length, gboolean cut)
{
    ck_assert_ptr_nonnull(o.bytes);
    ck_assert_uint_eq(o.bytes->len, length);
    ck_assert(length == 0 || memcmp(o.bytes->data, expected->data, length) == 0);
    ck_assert_int_eq(o.cut, cut);
    g_byte_array_unref(o.bytes);
}

/* Every way of reading `input` returns `expected`. */
static void check_ways(const GByteArray *input, const GByteArray *expected, size_t length,
                       gboolean cut)
{
    static const af_source_needs ways[] = {{.jobs = 1},
                                           {.jobs = 2},
                                           {.jobs = 1, .window = AF_SOURCE_LEAST},
                                           {.jobs = 2, .window = 1000},
                                           {.jobs = 1, .again = TRUE}};
    for (unsigned i = 0; i < G_N_ELEMENTS(ways); i++) {
        check_outcome(read_file(input, &ways[i]), expected, length, cut);
        check_outcome(read_pipe(input, 777, &ways[i]), expected, length, cut);
    }
    if (input->len < 20000) {
        check_outcome(read_pipe(input, 1, NULL), expected, length, cut);
    }
}

TEST(plain_bytes_are_unchanged)
{
    static const size_t lengths[] = {0, 1, 2, 63, 64, 65, 10000, 3000000};
    for (unsigned i = 0; i < G_N_ELEMENTS(lengths); i++) {
        g_autoptr(GByteArray) bytes = make_bytes(lengths[i]);
        check_ways(bytes, bytes, bytes->len, FALSE);
    }
}

TEST(gzip_is_unpacked)
{
    static const size_t lengths[] = {1, 2, 64, 10000, 3000000};
    for (unsigned i = 0; i < G_N_ELEMENTS(lengths); i++) {
        g_autoptr(GByteArray) bytes = make_bytes(lengths[i]);
        g_autoptr(GByteArray) once = pack(bytes, 1), members = pack(bytes, 7),
                              twice = pack(members, 3);
        check_ways(once, bytes, bytes->len, FALSE);
        check_ways(members, bytes, bytes->len, FALSE);
        check_ways(twice, bytes, bytes->len, FALSE);
    }
}

TEST(bytes_after_the_last_member_are_ignored)
{
    g_autoptr(GByteArray) bytes = make_bytes(5000), packed = pack(bytes, 2);
    g_byte_array_append(packed, (const guint8 *)"\x1f", 1);
    check_ways(packed, bytes, bytes->len, FALSE);
    g_byte_array_append(packed, (const guint8 *)"garbage", 7);
    check_ways(packed, bytes, bytes->len, FALSE);
}

TEST(truncated_gzip_yields_its_intact_part)
{
    g_autoptr(GByteArray) bytes = make_bytes(9000), packed = pack(bytes, 3);
    const outcome whole = read_file(packed, NULL);
    check_outcome(whole, bytes, bytes->len, FALSE);
    for (guint n = 60; n < packed->len; n += 97) {
        g_autoptr(GByteArray) cut = g_byte_array_new();
        g_byte_array_append(cut, packed->data, n);
        outcome o = read_file(cut, NULL);
        ck_assert_ptr_nonnull(o.bytes);
        const size_t length = o.bytes->len;
        check_outcome(o, bytes, length, TRUE);
        check_outcome(read_pipe(cut, 50, NULL), bytes, length, TRUE);
    }
    packed->data[packed->len - 6] ^= 1; /* the checksum of the last member */
    check_ways(packed, bytes, bytes->len, TRUE);
}

static void check_error(const GByteArray *input, int code)
{
    ck_assert_int_eq(read_file(input, NULL).code, code);
    ck_assert_int_eq(read_pipe(input, 3, NULL).code, code);
}

TEST(gzip_without_intact_data_is_refused)
{
    g_autoptr(GByteArray) bytes = make_bytes(100), packed = pack(bytes, 1);
    g_byte_array_set_size(packed, 12);
    check_error(packed, AF_ERROR_DAMAGED);
}

/* There are files that unpack to themselves; aflame must not unpack them forever. */
TEST(endlessly_nested_gzip_is_refused)
{
    GByteArray *bytes = make_bytes(100);
    for (unsigned i = 0; i < 9; i++) {
        GByteArray *packed = pack(bytes, 1);
        g_byte_array_unref(bytes);
        bytes = packed;
        if (i == 7) {
            g_autoptr(GByteArray) expected = make_bytes(100);
            check_ways(bytes, expected, expected->len, FALSE);
        }
    }
    check_error(bytes, AF_ERROR_UNRECOGNISED);
    g_byte_array_unref(bytes);
}

/* ---- rereading ---- */

static void check_again(af_source *source, const GByteArray *expected, size_t first)
{
    ck_assert_ptr_nonnull(source);
    ck_assert(af_source_reach(source, first, NULL));
    af_source_skip(source, first);
    for (unsigned i = 0; i < 3; i++) {
        ck_assert(af_source_rewind(source, NULL, NULL));
        check_outcome(walk(source), expected, expected->len, FALSE);
    }
    af_source_free(source);
}

static void check_rewinding(const GByteArray *input, const GByteArray *expected, size_t first)
{
    const af_source_needs needs = {.again = TRUE};
    g_autofree char *path = NULL;
    const int fd = make_file(input, &path);
    check_again(af_source_open(path, &needs, NULL), expected, first);
    check_again(af_source_open_fd(fd, &needs, NULL), expected, first);
    close(fd);
    g_unlink(path);
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    writing w = {ends[1], input, 5000};
    GThread *thread = g_thread_new("writer", write_slowly, &w);
    check_again(af_source_open_fd(ends[0], &needs, NULL), expected, first);
    g_thread_join(thread);
    close(ends[0]);
}

TEST(an_input_can_be_read_again)
{
    static const size_t lengths[] = {100, 3000000};
    for (unsigned i = 0; i < G_N_ELEMENTS(lengths); i++) {
        g_autoptr(GByteArray) bytes = make_bytes(lengths[i]), packed = pack(bytes, 2);
        for (size_t first = 0; first <= lengths[i]; first += lengths[i] / 2) {
            check_rewinding(bytes, bytes, first);
            check_rewinding(packed, bytes, first);
        }
    }
}

TEST(a_copy_that_is_too_long_is_given_up)
{
    g_autoptr(GByteArray) bytes = make_bytes(60000);
    static const size_t limits[] = {100000, 30000};
    for (unsigned i = 0; i < G_N_ELEMENTS(limits); i++) {
        int ends[2];
        ck_assert_int_eq(pipe(ends), 0);
        ck_assert_int_eq(write(ends[1], bytes->data, bytes->len), bytes->len);
        close(ends[1]);
        const af_spool_limits most = {limits[i], limits[i], limits[i]};
        g_autoptr(af_spool) copy = af_spool_new(&most);
        gint lost = FALSE;
        const af_unpack_input input = {.fd = ends[0], .copy = copy, .lost = &lost};
        af_unpack *unpack = af_unpack_new(&input, NULL);
        g_autofree uint8_t *taken = g_malloc(bytes->len + 1);
        ck_assert_int_eq(af_unpack_take(unpack, taken, bytes->len + 1, NULL), bytes->len);
        ck_assert_mem_eq(taken, bytes->data, bytes->len);
        ck_assert_int_eq(lost, limits[i] < bytes->len);
        ck_assert_uint_eq(copy->length, lost ? 0 : bytes->len);
        af_unpack_free(unpack);
        close(ends[0]);
    }
}

/* ---- stopping, and reporting progress ---- */

static gpointer cancel_soon(gpointer cancel)
{
    g_usleep(50000);
    af_cancel_request(cancel);
    return NULL;
}

static af_cancel *on_signal;

static void request_on_signal(int signal)
{
    af_cancel_request(on_signal);
}

/* The request comes while the thread waits, from a handler that interrupts it or another thread. */
TEST(waiting_ends_with_the_request_of_an_outer_one)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    on_signal = af_cancel_new();
    g_autoptr(af_cancel) middle = af_cancel_new_within(on_signal);
    g_autoptr(af_cancel) inner = af_cancel_new_within(middle);
    ck_assert(!af_cancel_is_requested(inner));
    ck_assert(!af_cancel_check(inner, NULL));
    signal(SIGALRM, request_on_signal);
    const struct itimerval soon = {.it_value.tv_usec = 20000};
    setitimer(ITIMER_REAL, &soon, NULL);
    while (!af_cancel_is_requested(inner)) {
        af_cancel_wait(inner, ends[0]);
    }
    signal(SIGALRM, SIG_DFL);
    af_cancel_wait(inner, ends[0]); /* does not wait */
    g_autoptr(GError) error = NULL;
    ck_assert(af_cancel_check(inner, &error));
    ck_assert_int_eq(error->code, AF_ERROR_CANCELLED);
    af_cancel_free(on_signal);
    ck_assert(af_cancel_is_requested(inner)); /* keeps the outer one */
    ck_assert(!af_cancel_is_requested(NULL));
    af_cancel_free(NULL);
    close(ends[0]);
    close(ends[1]);
}

TEST(waiting_ends_without_a_descriptor_to_wake_it)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    g_autoptr(af_cancel) cancel = af_cancel_new();
    GThread *thread = g_thread_new("canceller", cancel_soon, cancel);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    const struct rlimit none = {.rlim_cur = 3, .rlim_max = limit.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
    while (!af_cancel_is_requested(cancel)) {
        af_cancel_wait(cancel, ends[0]);
    }
    setrlimit(RLIMIT_NOFILE, &limit);
    g_thread_join(thread);
    close(ends[0]);
    close(ends[1]);
}

TEST(waiting_for_a_pipe_can_be_stopped)
{
    for (unsigned jobs = 1; jobs <= 2; jobs++) {
        int ends[2];
        ck_assert_int_eq(pipe(ends), 0);
        g_autoptr(af_cancel) cancel = af_cancel_new();
        const af_source_needs needs = {.jobs = jobs, .cancel = cancel};
        GThread *thread = g_thread_new("canceller", cancel_soon, cancel);
        GError *error = NULL;
        af_source *source = af_source_open_fd(ends[0], &needs, &error);
        ck_assert_int_eq(take(source, error).code, AF_ERROR_CANCELLED);
        g_thread_join(thread);
        close(ends[0]);
        close(ends[1]);
    }
}

typedef struct {
    af_cancel *cancel;
    unsigned calls, most;
    uint64_t done, total;
} watching;

static void watch(void *user, uint64_t done, uint64_t total)
{
    watching *w = user;
    ck_assert_uint_ge(done, w->done);
    w->done = done;
    w->total = total;
    if (++w->calls == w->most) {
        af_cancel_request(w->cancel);
    }
}

TEST(an_endless_input_can_be_stopped)
{
    for (unsigned jobs = 1; jobs <= 2; jobs++) {
        const int fd = open("/dev/zero", O_RDONLY);
        g_autoptr(af_cancel) cancel = af_cancel_new();
        watching w = {.cancel = cancel, .most = 100};
        const af_source_needs needs = {
            .jobs = jobs, .cancel = cancel, .progress = watch, .progress_user = &w};
        g_autoptr(af_source) source = af_source_open_fd(fd, &needs, NULL);
        ck_assert_ptr_nonnull(source);
        ck_assert_error(af_source_drain(source, &error), AF_ERROR_CANCELLED);
        ck_assert_uint_eq(w.total, 0);
        close(fd);
    }
}

/* Freed while it unpacks ahead or waits for input. */
TEST(a_source_can_be_given_up)
{
    const int zero = open("/dev/zero", O_RDONLY);
    af_source *source = af_source_open_fd(zero, NULL, NULL);
    ck_assert(af_source_reach(source, 4000000, NULL));
    af_source_free(source);
    close(zero);
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    g_autoptr(GByteArray) bytes = make_bytes(2000000);
    const writing w = {dup(ends[1]), bytes, 4096};
    GThread *thread = g_thread_new("writer", write_slowly, (gpointer)&w);
    source = af_source_open_fd(ends[0], NULL, NULL);
    ck_assert(af_source_reach(source, 1500000, NULL));
    g_thread_join(thread);
    af_source_free(source); /* it waits for input, and the other end is still open */
    close(ends[0]);
    close(ends[1]);
}

TEST(compressed_files_report_progress)
{
    g_autoptr(GByteArray) bytes = make_bytes(3000000), packed = pack(bytes, 1);
    watching w = {.most = UINT_MAX};
    const af_source_needs needs = {.progress = watch, .progress_user = &w};
    check_outcome(read_file(packed, &needs), bytes, bytes->len, FALSE);
    ck_assert_uint_gt(w.calls, 5);
    ck_assert_uint_eq(w.total, packed->len);
    ck_assert_uint_eq(w.done, packed->len);
}

TEST(unreadable_inputs_are_reported)
{
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(af_source_open("/nowhere/at/all", NULL, &error));
    ck_assert_int_eq(error->code, AF_ERROR_MISSING);
    g_clear_error(&error);
    ck_assert_ptr_null(af_source_open("/", NULL, &error));
    ck_assert_int_eq(error->code, AF_ERROR_MISSING);
}
