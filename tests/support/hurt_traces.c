/* hurt_traces FILE|DIRECTORY...
 *
 * Opens every file again and again: cut at many lengths, with bytes changed. Whatever comes in,
 * the library gives a profile whose trees keep their invariants and are the sum of its calls, or an
 * error of its own. What can be read of a file is not lost when more of it is there. Small files
 * are cut at every byte of their head and closely behind it; a large one takes the time of hundreds
 * of small ones, and is hurt less often. All of it is the same on every run. */
#define _GNU_SOURCE /* memfd_create */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "added_calls.h"

enum { SMALL = 2000, LARGE = 100000, HEAD = 100, BEHIND = 120, MANY_THREADS = 1000 };

/* How often a file of a length is cut and changed. */
typedef struct {
    size_t head; /* at every byte of so many first ones */
    size_t cuts; /* and at so many places behind them */
    int changes;
} pains;

#define NOTHING UINT64_MAX

static const char *file_now;
static char what_now[64];
static uint64_t opened, refused;

G_GNUC_NORETURN static void fail(const char *why)
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
    if (n > MANY_THREADS && opened % 4 != 0) {
        return; /* their words take longer than reading them */
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

/* How much was read: calls, or what samples weigh. */
static uint64_t measure(const af_profile *p)
{
    uint64_t sum = 0;
    for (unsigned t = 0; t < af_profile_n_threads(p); t++) {
        for (uint32_t n = 1; n < af_tree_n_nodes(p, t); n++) {
            sum += af_profile_has_calls(p) ? af_node_calls(p, t, n)
                                           : af_node_self_ns(p, t, n, AF_CLOCK_DEFAULT);
        }
    }
    return sum;
}

/* Returns how much was read, NOTHING if the bytes were refused. */
static uint64_t open_bytes(const char *bytes, size_t length)
{
    GError *error = NULL;
    const int fd = make_file(bytes, length);
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.keep_input = TRUE;
    af_profile *profile = af_profile_open_fd(fd, &options, &error);
    close(fd);
    if (profile != NULL) {
        check_profile(profile);
        const uint64_t read = measure(profile);
        af_profile_free(profile);
        opened++;
        return read;
    }
    if (error == NULL || error->domain != AF_ERROR || strchr(error->message, '\n') != NULL) {
        fail("refused without an error of the library's");
    }
    g_clear_error(&error);
    refused++;
    return NOTHING;
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static pains pains_of(size_t length)
{
    return length <= SMALL   ? (pains){HEAD, BEHIND, 40}
           : length <= LARGE ? (pains){64, 40, 12}
                             : (pains){12, 12, 2};
}

/* Whether more bytes never tell less. Text says at the ends of its lines only what is in it; what
 * has no magic number, is UTF-16, or was saved again as text, is guessed from the whole. */
typedef enum { NEVER, AT_LINES, ALWAYS } growth;

static growth growth_of(const char *bytes, size_t length)
{
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    const int fd = make_file(bytes, length);
    af_profile *whole = af_profile_open_fd(fd, &options, NULL);
    close(fd);
    if (whole == NULL) {
        return NEVER;
    }
    g_autofree char *facts = af_info_text(whole, "hurt");
    const gboolean guessed = bytes[0] == 2 || bytes[0] == '\xff' || bytes[0] == '\xfe' ||
                             strstr(facts, "repaired") != NULL;
    growth how = guessed ? NEVER : ALWAYS;
    if (how == ALWAYS && memmem(bytes, length, "\"ph\"", 4) == NULL &&
        memchr(bytes, '\0', length) == NULL) {
        how = AT_LINES;
    }
    af_profile_free(whole);
    return how;
}

/* The places behind the head lie one in each of as many equal parts. */
static void cut(const char *bytes, size_t length)
{
    const pains p = pains_of(length);
    const growth how = growth_of(bytes, length);
    const size_t head = MIN(p.head, length), behind = length - head, cuts = MIN(p.cuts, behind);
    uint64_t random = 0x9e3779b97f4a7c15u ^ length, most = NOTHING;
    for (size_t i = 0; i < head + cuts; i++) {
        const size_t part =
            i < head ? 0 : behind * (i - head + 1) / cuts - behind * (i - head) / cuts;
        const size_t to =
            i < head ? i : head + behind * (i - head) / cuts + next_random(&random) % part;
        snprintf(what_now, sizeof what_now, "cut to %zu bytes", to);
        const uint64_t read = open_bytes(bytes, to);
        if (how == ALWAYS || (how == AT_LINES && to > 0 && bytes[to - 1] == '\n')) {
            if (most != NOTHING && (read == NOTHING || read < most)) {
                fail("a shorter piece told more");
            }
            most = read;
        }
    }
}

static void change(const char *bytes, size_t length)
{
    uint64_t random = 0x9e3779b97f4a7c15u ^ length;
    const int rounds = pains_of(length).changes;
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
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); /* or 2 MB are zeroed for each of thousands of trees */
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
