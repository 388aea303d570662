/* hurt_traces FILE|DIRECTORY...
 *
 * Opens every file again and again: cut at many lengths, with bytes changed. Whatever comes in,
 * the library gives a profile whose trees keep their invariants and are the sum of its calls, or an
 * error of its own. The changes are the same on every run. */
#define _GNU_SOURCE /* memfd_create */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "added_calls.h"

enum { SMALL = 2000, CUTS = 50, CHANGES = 120 };

static const char *file_now;
static char what_now[64];
static uint64_t opened, refused;

static void fail(const char *why)
{
    fprintf(stderr, "%s: %s: %s\n", file_now, what_now, why);
    exit(1);
}

static void check_clock(const af_profile *p, unsigned thread, af_clock clock)
{
    const uint32_t n = af_tree_n_nodes(p, thread);
    uint64_t *sums = g_new0(uint64_t, n);
    for (uint32_t node = n; node-- > 0;) {
        const uint64_t inclusive = af_node_inclusive_ns(p, thread, node, clock);
        if (inclusive != sums[node] + af_node_self_ns(p, thread, node, clock)) {
            fail("inclusive time is not self time and the children's");
        }
        if (node == 0) {
            break;
        }
        const uint64_t longest = af_node_max_ns(p, thread, node, clock);
        if (af_node_min_ns(p, thread, node, clock) > longest || longest > inclusive) {
            fail("the longest call does not fit");
        }
        sums[af_node_parent(p, thread, node)] += inclusive;
    }
    if (af_node_self_ns(p, thread, 0, clock) != 0) {
        fail("the thread itself has self time");
    }
    g_free(sums);
}

static void check_tree(const af_profile *p, unsigned thread)
{
    const uint32_t n = af_tree_n_nodes(p, thread);
    for (uint32_t node = 1; node < n; node++) {
        const uint32_t parent = af_node_parent(p, thread, node);
        if (parent >= node) {
            fail("a parent has not the smaller number");
        }
        if (af_node_depth(p, thread, node) != af_node_depth(p, thread, parent) + 1) {
            fail("a depth is not its parent's and one");
        }
        if (af_profile_has_calls(p) && af_node_calls(p, thread, node) == 0) {
            fail("a node was never called");
        }
        if (!g_utf8_validate(af_node_label(p, thread, node), -1, NULL)) {
            fail("a label is no UTF-8");
        }
    }
    for (int clock = 0; clock < AF_CLOCKS; clock++) {
        if (af_profile_has_clock(p, (af_clock)clock)) {
            check_clock(p, thread, (af_clock)clock);
        }
    }
}

static void check_profile(const af_profile *p)
{
    const unsigned n = af_profile_n_threads(p);
    for (unsigned thread = 0; thread < n; thread++) {
        check_tree(p, thread);
    }
    g_autofree char *text = af_info_text(p, "hurt");
    g_autofree char *json = af_info_json(p, "hurt");
    g_autofree char *wrong = added_calls_check(p, NULL);
    if (wrong != NULL) {
        fail(wrong);
    }
    if (text == NULL || json == NULL || !g_utf8_validate(text, -1, NULL) ||
        !g_utf8_validate(json, -1, NULL)) {
        fail("the facts are no UTF-8");
    }
}

/* A file without a name and without a disk. */
static int make_file(const char *bytes, size_t length)
{
    const int fd = memfd_create("hurt", 0);
    size_t done = 0;
    while (fd >= 0 && done < length) {
        const ssize_t n = write(fd, bytes + done, length - done);
        if (n <= 0) {
            fail("the machine takes no more bytes");
        }
        done += (size_t)n;
    }
    if (fd < 0 || lseek(fd, 0, SEEK_SET) != 0) {
        fail("the machine gives no file");
    }
    return fd;
}

static void open_bytes(const char *bytes, size_t length)
{
    GError *error = NULL;
    const int fd = make_file(bytes, length);
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.keep_input = TRUE;
    af_profile *profile = af_profile_open_fd(fd, &options, &error);
    close(fd);
    if (profile != NULL) {
        check_profile(profile);
        af_profile_free(profile);
        opened++;
        return;
    }
    if (error == NULL || error->domain != AF_ERROR || strchr(error->message, '\n') != NULL) {
        fail("refused without an error of the library's");
    }
    g_clear_error(&error);
    refused++;
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void cut(const char *bytes, size_t length)
{
    const size_t cuts = length <= SMALL ? length : CUTS;
    for (size_t i = 0; i < cuts; i++) {
        const size_t to = length * i / cuts;
        snprintf(what_now, sizeof what_now, "cut to %zu bytes", to);
        open_bytes(bytes, to);
    }
}

static void change(const char *bytes, size_t length)
{
    uint64_t random = 0x9e3779b97f4a7c15u ^ length;
    const int rounds = length <= SMALL ? CHANGES : length <= 200 * SMALL ? 12 : 2;
    g_autofree char *copy = g_malloc(length + 1);
    for (int round = 0; round < rounds && length > 0; round++) {
        memcpy(copy, bytes, length);
        const int n = 1 + (int)(next_random(&random) % 3);
        for (int i = 0; i < n; i++) {
            static const unsigned char odd[] = {0x00, 0x7f, 0x80, 0xff, '\n', '*'};
            const size_t at = next_random(&random) % length;
            const uint64_t pick = next_random(&random);
            copy[at] = pick & 256 ? (char)odd[pick % sizeof odd] : (char)pick;
        }
        snprintf(what_now, sizeof what_now, "changed, round %d", round);
        open_bytes(copy, length);
    }
}

static void hurt_file(const char *file)
{
    g_autofree char *bytes = NULL;
    gsize length = 0;
    GError *error = NULL;
    file_now = file;
    snprintf(what_now, sizeof what_now, "reading");
    if (!g_file_get_contents(file, &bytes, &length, &error)) {
        fail(error->message);
    }
    cut(bytes, length);
    change(bytes, length);
}

static int compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void hurt_directory(const char *directory)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
    const char *name;
    while ((name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *file = g_build_filename(directory, name, NULL);
        if (g_file_test(file, G_FILE_TEST_IS_REGULAR) && !g_str_has_suffix(name, ".made")) {
            g_ptr_array_add(names, g_steal_pointer(&file));
        }
    }
    g_ptr_array_sort(names, compare_names);
    for (guint i = 0; i < names->len; i++) {
        hurt_file(names->pdata[i]);
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (g_file_test(argv[i], G_FILE_TEST_IS_DIR)) {
            hurt_directory(argv[i]);
        } else {
            hurt_file(argv[i]);
        }
    }
    printf("%" PRIu64 " opened, %" PRIu64 " refused\n", opened, refused);
    /* both must happen, or nothing was tried */
    return opened > 0 && refused > 0 ? 0 : 1;
}
