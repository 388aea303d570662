/* run_inputs TARGET FILE|DIRECTORY...
 *
 * Feeds files to a fuzz target, without libFuzzer: all of the first directory, which holds the
 * inputs of the target itself, and those of the others that part.h chooses. Files are truncated to
 * the maximum input of the fuzzer. An input that takes too long fails the test. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <glib.h>

#include "../support/part.h"
#include "targets.h"

enum { LONGEST = 64 * 1024 };

enum { MOST_CPU_S = 120 };

/* CPU time: it is the same on a busy machine. */
static void limit_time(void)
{
    const struct itimerval limit = {.it_value.tv_sec = MOST_CPU_S};
    FUZZ_CHECK(setitimer(ITIMER_PROF, &limit, NULL) == 0);
}

static void complain_about_time(int number)
{
    fuzz_fail(__FILE__, __LINE__, "an input takes at most two minutes");
}

static void run_file(fuzz_target *target, const char *path)
{
    g_autofree gchar *bytes = NULL;
    gsize length = 0;
    GError *error = NULL;
    if (!g_file_get_contents(path, &bytes, &length, &error)) {
        fprintf(stderr, "%s\n", error->message);
        exit(2);
    }
    /* an exact copy, so that a read past its end is detected */
    const size_t size = MIN(length, LONGEST);
    uint8_t *input = malloc(size > 0 ? size : 1);
    memcpy(input, bytes, size);
    fprintf(stderr, "%s\n", path);
    limit_time();
    target(input, size);
    free(input);
}

static gint compare_paths(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static unsigned run_directory(fuzz_target *target, const char *folder, gboolean all)
{
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
    GDir *dir = g_dir_open(folder, 0, NULL);
    for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;) {
        char *path = g_build_filename(folder, name, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
            g_ptr_array_add(paths, path);
        } else {
            g_free(path);
        }
    }
    g_clear_pointer(&dir, g_dir_close);
    g_ptr_array_sort(paths, compare_paths);
    for (guint i = 0; i < paths->len; i++) {
        if (all || test_part_takes_input(paths->pdata[i])) {
            run_file(target, paths->pdata[i]);
        }
    }
    return paths->len;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: run_inputs TARGET FILE|DIRECTORY...\n", stderr);
        return 2;
    }
    fuzz_target *target = fuzz_find_target(argv[1]);
    signal(SIGPROF, complain_about_time);
    for (int i = 2; i < argc; i++) {
        if (!g_file_test(argv[i], G_FILE_TEST_IS_DIR)) {
            run_file(target, argv[i]);
        } else if (run_directory(target, argv[i], i == 2) == 0) {
            fprintf(stderr, "%s: nothing to replay\n", argv[i]);
            return 1;
        }
    }
    return 0;
}
