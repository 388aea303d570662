/* The size of --max-memory, and the memory that the machine has left. */
#include <string.h>
#include <glib/gstdio.h>

#include <aflame/aflame.h>

#include "cases.h"
#include "cli/memory.h"
#include "suite.h"

static char *show_size(const char *input)
{
    uint64_t bytes = 7;
    const gboolean valid = af_memory_parse_size(input, UINT64_C(1) << 20, &bytes);
    ck_assert(valid || bytes == 7);
    return valid ? g_strdup_printf("%" G_GUINT64_FORMAT, bytes) : g_strdup("invalid");
}

TEST(sizes_are_parsed)
{
    cases_map("sizes of memory", show_size);
}

static char *root;

static void put(const char *path, const char *text)
{
    g_autofree char *file = g_build_filename(root, path, NULL);
    g_autofree char *folder = g_path_get_dirname(file);
    ck_assert_int_eq(g_mkdir_with_parents(folder, 0700), 0);
    ck_assert(g_file_set_contents(file, text, -1, NULL));
}

static void make_root(void)
{
    root = g_dir_make_tmp("memory-XXXXXX", NULL);
    ck_assert_ptr_nonnull(root);
}

static void remove_below(const char *path)
{
    GDir *folder = g_dir_open(path, 0, NULL);
    const char *name;
    while (folder != NULL && (name = g_dir_read_name(folder)) != NULL) {
        g_autofree char *below = g_build_filename(path, name, NULL);
        remove_below(below);
    }
    if (folder != NULL) {
        g_dir_close(folder);
    }
    ck_assert_int_eq(g_remove(path), 0);
}

static void remove_root(void)
{
    remove_below(root);
    g_free(root);
}

AROUND_EACH(make_root, remove_root)

TEST(the_lowest_of_machine_and_group_limits_applies)
{
    ck_assert_uint_eq(af_memory_available(root), 0);
    put("proc/meminfo", "MemTotal:  9000 kB\nMemAvailable:    8000 kB\n");
    ck_assert_uint_eq(af_memory_available(root), UINT64_C(8000) * 1024);

    /* version 2: a parent of the group has the limit; cached files do not count */
    put("proc/self/cgroup", "0::/outer/inner\n");
    put("sys/fs/cgroup/outer/inner/memory.max", "max\n");
    ck_assert_uint_eq(af_memory_available(root), UINT64_C(8000) * 1024);
    put("sys/fs/cgroup/outer/memory.max", "5000000\n");
    put("sys/fs/cgroup/outer/memory.current", "2000000\n");
    put("sys/fs/cgroup/outer/memory.stat", "anon 5\ninactive_file 500000\n");
    ck_assert_uint_eq(af_memory_available(root), 3500000);

    /* version 1; a container sees the mounted folder only */
    put("proc/self/cgroup", "3:cpu:/a\n2:cpuset,memory:/docker/abc\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "4000000\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "1000000\n");
    put("sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 250000\n");
    ck_assert_uint_eq(af_memory_available(root), 3250000);

    /* no memory left: the limit still applies */
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "9000000\n");
    ck_assert_uint_eq(af_memory_available(root), UINT64_C(1) << 20);
}

/* 20,000 stacks, each with its own path. */
static af_profile *open_stacks(uint64_t max_memory, gboolean stops, GError **error)
{
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    g_autoptr(GString) text = g_string_new(NULL);
    for (unsigned i = 0; i < 20000; i++) {
        g_string_append_printf(text, "main;a%u;b;c 1\n", i);
    }
    put("stacks.folded", text->str);
    g_autofree char *path = g_build_filename(root, "stacks.folded", NULL);
    options.max_memory = max_memory;
    options.max_memory_stops = stops;
    af_profile *profile = af_profile_open(path, &options, error);
    return profile;
}

TEST(a_large_input_is_refused_or_stopped)
{
    GError *error = NULL;
    ck_assert_ptr_null(open_stacks(4000000, FALSE, &error));
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_MEMORY));
    ck_assert_ptr_nonnull(strstr(error->message, "--max-memory"));
    ck_assert_ptr_nonnull(strstr(error->message, "4 MB"));
    g_clear_error(&error);

    af_profile *profile = open_stacks(4000000, TRUE, &error);
    ck_assert_ptr_nonnull(profile);
    ck_assert_uint_ge(af_profile_n_warnings(profile), 1);
    af_warning_view warning = AF_WARNING_VIEW_INIT;
    ck_assert(af_profile_warning(profile, 0, &warning));
    ck_assert_str_eq(warning.id, "memory-limit");
    ck_assert_uint_eq(warning.count, 1);
    af_profile_free(profile);

    profile = open_stacks(100000000, FALSE, &error);
    ck_assert_ptr_nonnull(profile);
    ck_assert_uint_eq(af_profile_n_warnings(profile), 0);
    af_profile_free(profile);
}
