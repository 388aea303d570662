#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <aflame/aflame.h>
#include <glib/gstdio.h>

#include "base/changed_error.h"
#include "build/profile_builder.h"
#include "read/reader.h"
#include "suite.h"

/* The reader that each fixture's name calls for. */
static const char *find_expected(const char *file)
{
    static const struct {
        const char *prefix, *reader;
    } rules[] = {
        {"stream_", "v1-streaming"},
        {"v2", "v2"},
        {"long_running", "long-running"},
        {"anr_report", "anr"},
        {"anr", "long-running"},
        {"zip", NULL},
        {"zstd", NULL},
        {"pair.data", NULL},
        {"pair_gzip", NULL},
        {"version", "v1"},
        {"gzip", NULL},
        {"folded", "folded"},
        {"spall_", "spall"},
        {"speedscope", "speedscope"},
        {"chrome_", "chrome-json"},
        {"perf_script", "perf-script"},
        {"perf_", "perf-data"},
        {"report_sample", "report-sample"},
        {"perfetto_", "perfetto"},
        {"pprof", "pprof"},
        {"callgrind", "callgrind"},
        {"gecko", "gecko"},
        {"firefox_first", "gecko"}, /* it declares the version of Gecko only */
        {"firefox", "firefox"},
        {"systrace_", "systrace"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rules); i++) {
        if (g_str_has_prefix(file, rules[i].prefix)) {
            return rules[i].reader;
        }
    }
    return "v1";
}

/* The number of readers with the highest confidence, and one of them. */
static unsigned count_winners(const guint8 *bytes, gsize length, const char *file,
                              const af_reader **winner)
{
    int best = 0;
    unsigned winners = 0;
    *winner = NULL;
    for (unsigned i = 0; af_reader_at(i) != NULL; i++) {
        const af_reader *reader = af_reader_at(i);
        const int sure = reader->detect(bytes, length, FALSE, af_reader_is_named(reader, file));
        if (sure > best) {
            best = sure;
            winners = 0;
            *winner = reader;
        }
        winners += sure > 0 && sure == best;
    }
    return winners;
}

static void check_fixture(const char *directory, const char *file)
{
    g_autofree char *path = g_build_filename(directory, file, NULL);
    g_autofree gchar *bytes = NULL;
    gsize length = 0;
    ck_assert(g_file_get_contents(path, &bytes, &length, NULL));
    const af_reader *winner = NULL;
    const unsigned winners = count_winners((const guint8 *)bytes, length, file, &winner);
    ck_assert_msg(winners == 1, "%s: %u readers want it", file, winners);
    ck_assert_msg(strcmp(winner->name, find_expected(file)) == 0, "%s: taken by %s", file,
                  winner->name);
}

TEST(every_fixture_has_one_reader)
{
    const char *directory = getenv("AFLAME_DATA");
    ck_assert_ptr_nonnull(directory);
    g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
    ck_assert_ptr_nonnull(dir);
    unsigned n = 0;
    for (const char *file; (file = g_dir_read_name(dir)) != NULL;) {
        if ((g_str_has_suffix(file, ".trace") || g_str_has_suffix(file, ".txt")) &&
            find_expected(file) != NULL) {
            check_fixture(directory, file);
            n++;
        }
    }
    ck_assert_uint_gt(n, 50);
}

/* Opens the file in the format, whatever it is. */
static void check_forced(const char *path, const char *format)
{
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    g_autoptr(GError) error = NULL;
    options.jobs = 1;
    options.format = format;
    g_autoptr(af_profile) profile = af_profile_open(path, &options, &error);
    ck_assert_msg((profile == NULL) == (error != NULL), "%s as %s", path, format);
    ck_assert_msg(error == NULL || strlen(error->message) > strlen(format), "%s as %s: %s", path,
                  format, error != NULL ? error->message : "");
}

TEST(every_reader_takes_any_content)
{
    const char *directory = getenv("AFLAME_DATA");
    g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
    ck_assert_ptr_nonnull(dir);
    unsigned n = 0;
    for (const char *file; (file = g_dir_read_name(dir)) != NULL;) {
        g_autofree char *path = g_build_filename(directory, file, NULL);
        for (unsigned i = 0; g_str_has_suffix(file, ".trace") && af_reader_at(i) != NULL; i++) {
            check_forced(path, af_reader_at(i)->name);
            n++;
        }
    }
    ck_assert_uint_gt(n, 1000);
}

TEST(an_unknown_format_is_rejected)
{
    g_autofree char *path = g_build_filename(getenv("AFLAME_DATA"), "basic.trace", NULL);
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    GError *error = NULL;
    options.format = "chrome";
    ck_assert_ptr_null(af_profile_open(path, &options, &error));
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_USAGE));
    ck_assert_str_eq(error->message, "unknown input format \"chrome\"; did you mean chrome-json?");
    g_clear_error(&error);
    options.format = "v1";
    g_autoptr(af_profile) profile = af_profile_open(path, &options, &error);
    ck_assert_ptr_nonnull(profile);
}

/* Opens a copy with the smallest window, truncates it to `left` bytes, and reads it. */
static void check_truncated_later(const char *copy, const af_reader *reader, const char *file,
                                  size_t left)
{
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    const af_source_needs needs = {.jobs = 1, .window = AF_SOURCE_LEAST};
    g_autoptr(af_source) source = af_source_open(copy, &needs, NULL);
    ck_assert_ptr_nonnull(source);
    if (source->more) {
        af_sink *sink = af_sink_new(&options);
        g_autoptr(GError) error = NULL, expected = NULL;
        af_changed_error_set(&expected);
        ck_assert_int_eq(truncate(copy, (off_t)left), 0);
        const gboolean ok = reader->read(source, NULL, &options, sink, &error);
        ck_assert_msg(!ok, "%s: %s reads %zu bytes of it as if nothing was missing", file,
                      reader->name, left);
        ck_assert_msg(g_error_matches(error, expected->domain, expected->code) &&
                          strcmp(error->message, expected->message) == 0,
                      "%s: %s after %zu bytes: %s", file, reader->name, left, error->message);
        af_sink_free(sink);
    }
}

TEST(readers_report_that_the_file_changed)
{
    const char *directory = getenv("AFLAME_DATA");
    g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
    ck_assert_ptr_nonnull(dir);
    g_autofree char *copy = NULL;
    close(g_file_open_tmp("readers-XXXXXX", &copy, NULL));
    for (const char *file; (file = g_dir_read_name(dir)) != NULL;) {
        g_autofree char *path = g_build_filename(directory, file, NULL);
        g_autofree gchar *bytes = NULL;
        gsize length = 0;
        /* after a record of unknown kind, nothing is read */
        if (!g_str_has_suffix(file, ".trace") || strcmp(file, "spall_unknown_record.trace") == 0) {
            continue;
        }
        ck_assert(g_file_get_contents(path, &bytes, &length, NULL));
        const af_reader *reader;
        count_winners((const guint8 *)bytes, length, file, &reader);
        for (size_t step = 0; reader != NULL && step < 16; step++) {
            g_unlink(copy); /* GLib waits for the disk when it replaces a file */
            ck_assert(g_file_set_contents(copy, bytes, (gssize)length, NULL));
            check_truncated_later(copy, reader, file, length * step / 16);
        }
    }
    g_unlink(copy);
}

TEST(the_reader_table_is_complete)
{
    unsigned n = 0;
    for (; af_reader_at(n) != NULL; n++) {
        const af_reader *reader = af_reader_at(n);
        ck_assert_ptr_nonnull(reader->name);
        ck_assert_ptr_nonnull(reader->title);
        ck_assert_ptr_nonnull(reader->extensions);
        ck_assert(reader->detect != NULL);
        ck_assert(reader->read != NULL);
        for (unsigned other = 0; other < n; other++) {
            ck_assert_str_ne(reader->name, af_reader_at(other)->name);
        }
        /* no reader takes an empty file */
        ck_assert_int_eq(reader->detect((const guint8 *)"", 0, FALSE, TRUE), 0);
    }
    ck_assert_uint_gt(n, 0);
}

TEST(extensions_name_a_format)
{
    ck_assert(af_reader_is_named(&af_reader_folded, "a/b.folded"));
    ck_assert(af_reader_is_named(&af_reader_folded, "a/B.Stacks"));
    ck_assert(af_reader_is_named(&af_reader_folded, "app.foldedstack_cpu_clock"));
    ck_assert(!af_reader_is_named(&af_reader_folded, "a.folded/b"));
    ck_assert(!af_reader_is_named(&af_reader_folded, "folded"));
    ck_assert(!af_reader_is_named(&af_reader_folded, "a.trace"));
    ck_assert(!af_reader_is_named(&af_reader_folded, NULL));
    ck_assert(af_reader_is_named(&af_reader_v1, "a.data"));
}
