/* hurt_traces FILE|DIRECTORY...
 *
 * Opens every file many times: truncated at many lengths, or with bytes changed. For any input the
 * library must return either a profile whose trees keep their invariants and equal the sum of its
 * calls, or one of its own errors. A longer prefix of a file must not yield less data than a
 * shorter one. Small files are truncated at every byte of their head and at many points after it; a
 * large file takes as long as hundreds of small ones and is damaged less often. part.h chooses
 * among these positions; otherwise every run does the same. */
#define _GNU_SOURCE /* memfd_create */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "api/autoptr.h"
#include "added_calls.h"
#include "model/profile.h"
#include "part.h"

enum { SMALL = 2000, LARGE = 100000, HEAD = 100, TAIL = 120, MANY_THREADS = 1000 };

/* How often a file is truncated and changed, by its size. */
typedef struct {
    size_t head; /* truncated at each of this many first bytes */
    size_t cuts; /* and at this many points after them */
    int changes;
} damage_plan;

#define NO_DATA UINT64_MAX

static const char *file_now;
static char damage_now[64];
static uint64_t opened, refused;
static unsigned position; /* of the damage, counted through the file */

G_GNUC_NORETURN static void fail(const char *why)
{
    fprintf(stderr, "%s: %s: %s\n", file_now, damage_now, why);
    exit(1);
}

static void check_profile(const af_profile *p)
{
    const unsigned n = af_profile_n_threads(p);
    for (unsigned thread = 0; thread < n; thread++) {
        const char *broken = af_tree_check(p->threads[thread].tree);
        if (broken != NULL) {
            fail(broken);
        }
    }
    for (uint32_t label = 0; label < af_profile_n_labels(p); label++) {
        if (!g_utf8_validate(af_profile_label(p, label), -1, NULL)) {
            fail("a label is not UTF-8");
        }
    }
    if (n > MANY_THREADS && opened % 4 != 0) {
        return; /* their texts take longer than reading them */
    }
    g_autofree char *text = af_info_text(p, "hurt");
    g_autofree char *json = af_info_json(p, "hurt");
    g_autofree char *wrong = added_calls_check(p, NULL);
    if (wrong != NULL) {
        fail(wrong);
    }
    if (text == NULL || json == NULL || !g_utf8_validate(text, -1, NULL) ||
        !g_utf8_validate(json, -1, NULL)) {
        fail("the output of info is not UTF-8");
    }
}

/* A file in memory, without a name. */
static int make_file(const char *bytes, size_t length)
{
    const int fd = memfd_create("hurt", 0);
    size_t done = 0;
    while (fd >= 0 && done < length) {
        const ssize_t n = write(fd, bytes + done, length - done);
        if (n <= 0) {
            fail("a write to memory failed");
        }
        done += (size_t)n;
    }
    if (fd < 0 || lseek(fd, 0, SEEK_SET) != 0) {
        fail("no file in memory");
    }
    return fd;
}

/* The amount of data read: calls, or the weight of samples. */
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

/* Returns the amount of data read, NO_DATA if the bytes were refused. */
static uint64_t open_bytes(const char *bytes, size_t length)
{
    g_autoptr(GError) error = NULL;
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
        fail("refused without one of the library's errors");
    }
    refused++;
    return NO_DATA;
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static damage_plan plan_damage(size_t length)
{
    return length <= SMALL   ? (damage_plan){HEAD, TAIL, 40}
           : length <= LARGE ? (damage_plan){64, 40, 12}
                             : (damage_plan){12, 12, 2};
}

/* Whether more bytes never yield less data. This does not hold for text, which declares its
 * contents at the ends of its lines, or for files without a magic number, in UTF-16 or saved again
 * as text, which are detected from the whole. */
typedef enum { NEVER, AT_LINES, ALWAYS } growth;

static growth growth_of(const char *bytes, size_t length)
{
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    const int fd = make_file(bytes, length);
    g_autoptr(af_profile) whole = af_profile_open_fd(fd, &options, NULL);
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
    return how;
}

static gboolean takes_position(void)
{
    return position++ % test_part() == test_part_first_in(file_now);
}

/* The points after the head lie one in each of as many equal parts. */
static void cut(const char *bytes, size_t length)
{
    const damage_plan p = plan_damage(length);
    const growth how = growth_of(bytes, length);
    const size_t head = MIN(p.head, length), tail = length - head, cuts = MIN(p.cuts, tail);
    uint64_t random = 0x9e3779b97f4a7c15u ^ length, most = NO_DATA;
    for (size_t i = 0; i < head + cuts; i++) {
        const size_t part = i < head ? 0 : tail * (i - head + 1) / cuts - tail * (i - head) / cuts;
        const size_t to =
            i < head ? i : head + tail * (i - head) / cuts + next_random(&random) % part;
        if (!takes_position()) {
            continue;
        }
        snprintf(damage_now, sizeof damage_now, "cut to %zu bytes", to);
        const uint64_t read = open_bytes(bytes, to);
        if (how == ALWAYS || (how == AT_LINES && to > 0 && bytes[to - 1] == '\n')) {
            /* whether a text is one of stacks depends on its share of other lines */
            const gboolean unseen = how == AT_LINES && read == NO_DATA;
            if (most != NO_DATA && !unseen && (read == NO_DATA || read < most)) {
                fail("a shorter prefix yielded more data");
            }
            most = unseen ? most : read;
        }
    }
}

static void change(const char *bytes, size_t length)
{
    uint64_t random = 0x9e3779b97f4a7c15u ^ length;
    const int rounds = plan_damage(length).changes;
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
        if (takes_position()) {
            snprintf(damage_now, sizeof damage_now, "changed, round %d", round);
            open_bytes(copy, length);
        }
    }
}

static void damage_file(const char *file)
{
    g_autofree char *bytes = NULL;
    gsize length = 0;
    GError *error = NULL;
    file_now = file;
    position = 0;
    snprintf(damage_now, sizeof damage_now, "reading");
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

static void damage_directory(const char *directory)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
    const char *name;
    while ((name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *file = g_build_filename(directory, name, NULL);
        if (g_file_test(file, G_FILE_TEST_IS_REGULAR)) {
            g_ptr_array_add(names, g_steal_pointer(&file));
        }
    }
    g_ptr_array_sort(names, compare_names);
    for (guint i = 0; i < names->len; i++) {
        damage_file(names->pdata[i]);
    }
}

int main(int argc, char **argv)
{
    /* huge pages would zero 2 MB for each of thousands of trees */
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    for (int i = 1; i < argc; i++) {
        if (g_file_test(argv[i], G_FILE_TEST_IS_DIR)) {
            damage_directory(argv[i]);
        } else {
            damage_file(argv[i]);
        }
    }
    printf("%" PRIu64 " opened, %" PRIu64 " refused\n", opened, refused);
    /* both must happen, or the run tested nothing */
    return opened > 0 && refused > 0 ? 0 : 1;
}
