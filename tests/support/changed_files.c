/* changed_files TRACE...
 *
 * Opens a copy of each trace, and reads its calls a second time, while the file is truncated to
 * half at the first read, the second, and so on until there are no more reads; then the same with a
 * write to the file. Each time the library either reports that the file changed or has finished
 * reading before: it never returns a different result, and the process never dies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include <aflame/aflame.h>

#include "interpose.h"
#include "part.h"
#include "profile_text.h"

static char *copy; /* path */
static unsigned changes;
static const char message[] = "the file changed while it was read";

static void put_copy(const char *path)
{
    g_autofree char *bytes = NULL;
    gsize length = 0;
    if (!g_file_get_contents(path, &bytes, &length, NULL) ||
        !g_file_set_contents_full(copy, bytes, (gssize)length, G_FILE_SET_CONTENTS_CONSISTENT, 0600,
                                  NULL)) {
        fprintf(stderr, "%s: cannot be copied\n", path);
        exit(1);
    }
}

static gboolean is_changed(const GError *error)
{
    return g_error_matches(error, AF_ERROR, AF_ERROR_DAMAGED) &&
           strstr(error->message, message) != NULL;
}

static bool skip_bytes(void *user, const void *bytes, size_t length, GError **error)
{
    return TRUE;
}

/* Opens the copy and draws a chart of it, which reads it again. The text contains the calls, which
 * also read it again, and the messages of all errors. */
static char *use(unsigned jobs, GError **error)
{
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    af_picture_options picture = AF_PICTURE_OPTIONS_INIT;
    options.jobs = picture.jobs = jobs;
    options.keep_input = TRUE;
    picture.view = AF_VIEW_CHART;
    af_profile *profile = af_profile_open(copy, &options, error);
    if (profile == NULL ||
        !af_picture_write(profile, "svg", &picture, skip_bytes, NULL, NULL, error)) {
        af_profile_free(profile);
        return NULL;
    }
    return profile_text(profile, NULL);
}

static void check(const char *path, gboolean cut, unsigned jobs)
{
    put_copy(path);
    interpose_set(&(interpose_orders){.cut_at = UINT_MAX});
    GError *error = NULL;
    g_autofree char *expected = use(jobs, &error);
    if (expected == NULL) {
        fprintf(stderr, "%s: %s\n", path, error->message);
        exit(1);
    }
    const unsigned reads = interpose_reads();
    for (unsigned i = 1 + (test_part_first_in(path) + cut + jobs / 2) % test_part(); i <= reads;
         i += test_part()) {
        put_copy(path);
        interpose_set(&(interpose_orders){.cut_at = cut ? i : 0, .write_at = cut ? 0 : i});
        g_autofree char *text = use(jobs, &error);
        const gboolean noticed = text == NULL ? is_changed(error) : strstr(text, message) != NULL;
        if (!noticed && g_strcmp0(text, expected) != 0) {
            fprintf(stderr, "%s: %s at read %u of %u, jobs %u: %s\n", path,
                    cut ? "truncated" : "written to", i, reads, jobs,
                    text == NULL ? error->message : "another profile");
            exit(1);
        }
        changes += noticed;
        g_clear_error(&error);
    }
}

int main(int argc, char **argv)
{
    const int fd = g_file_open_tmp("changed-XXXXXX", &copy, NULL);
    if (fd < 0) {
        return 1;
    }
    close(fd);
    for (int i = 1; i < argc; i++) {
        const unsigned before = changes;
        for (unsigned jobs = 1; jobs <= 4; jobs += 3) {
            check(argv[i], TRUE, jobs);
            check(argv[i], FALSE, jobs);
        }
        if (changes == before && test_part() == 1) {
            fprintf(stderr, "%s: no change was noticed\n", argv[i]);
            return 1;
        }
    }
    if (changes == 0) {
        fprintf(stderr, "no change was noticed\n");
        return 1;
    }
    g_unlink(copy);
    g_free(copy);
    printf("%u changes were reported\n", changes);
    return 0;
}
