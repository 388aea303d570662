/* compare_calls FILE...
 *
 * Opens every file and walks its calls: they must add up to the trees of the file. Call lists under
 * many steps must add up to the reshaped trees. A trace with wall time is also cut into parts, some
 * cuts exactly at records, and the parts must add up to the whole. A trace with very many calls is
 * cut once and checked under a few steps. part.h chooses among steps and cuts. A file that does not
 * open counts as refused. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../src/api/autoptr.h"
#include "added_calls.h"
#include "cut_parts.h"
#include "listed_calls.h"
#include "part.h"

enum { ROUNDS = 6, MOST_CUTS = 3, VERY_MANY = 100000, MANY_THREADS = 1000, A_FEW = 4 };

static uint64_t opened, refused, calls, parts, listed;

/* Random wall times of edges, each edge with the same probability; the same on every run. */
typedef struct {
    uint64_t random, n_edges;
    uint64_t picked[MOST_CUTS];
} cut_choice;

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static bool pick(void *user, const af_call_event *edge, GError **error)
{
    cut_choice *p = user;
    p->n_edges++;
    for (unsigned i = 0; i < MOST_CUTS; i++) {
        if (next_random(&p->random) % p->n_edges == 0) {
            p->picked[i] = edge->time_ns[AF_WALL];
        }
    }
    return TRUE;
}

static int compare_times(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Sorts the times and removes those that would leave a part empty. */
static size_t tidy(uint64_t *at_ns, size_t n, uint64_t length_ns)
{
    size_t left = 0;
    qsort(at_ns, n, sizeof *at_ns, compare_times);
    for (size_t i = 0; i < n; i++) {
        if (at_ns[i] > (left == 0 ? 0 : at_ns[left - 1]) && at_ns[i] < length_ns) {
            at_ns[left++] = at_ns[i];
        }
    }
    return left;
}

static char *cut_somewhere(const af_profile *profile, unsigned first, unsigned rounds)
{
    const uint64_t start_ns = af_profile_start_ns(profile);
    const uint64_t length_ns = af_profile_end_ns(profile) - start_ns;
    cut_choice p = {.random = 0x9e3779b97f4a7c15u ^ length_ns};
    const af_call_observer observer = {
        .size = sizeof observer, .enter = pick, .leave = pick, .user = &p};
    for (unsigned round = first; round < rounds; round += test_part()) {
        g_autoptr(GError) error = NULL;
        uint64_t at_ns[MOST_CUTS];
        p.n_edges = 0;
        if (!af_profile_walk_calls(profile, &observer, NULL, &error)) {
            return g_strdup(error->message);
        }
        for (unsigned i = 0; i < MOST_CUTS; i++) {
            const gboolean exact = round > 0 || i <= 1;
            at_ns[i] = exact ? p.picked[i] - MIN(p.picked[i], start_ns)
                             : next_random(&p.random) % MAX(length_ns, 1);
            at_ns[i] += round > 3;
        }
        const size_t n = tidy(at_ns, MOST_CUTS, length_ns);
        char *wrong = cut_parts_check(profile, at_ns, n);
        if (wrong != NULL) {
            char *where =
                g_strdup_printf("cut at %" PRIu64 " %" PRIu64 " %" PRIu64 " ns: %s", at_ns[0],
                                n > 1 ? at_ns[1] : 0, n > 2 ? at_ns[2] : 0, wrong);
            g_free(wrong);
            return where;
        }
        parts += n + 1;
    }
    return NULL;
}

static gboolean compare_file(const char *file)
{
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.keep_input = TRUE;
    g_autoptr(GError) error = NULL;
    g_autoptr(af_profile) profile = af_profile_open(file, &options, &error);
    if (profile == NULL) {
        refused++;
        return TRUE;
    }
    uint64_t n = 0;
    g_autofree char *wrong = added_calls_check(profile, &n);
    const gboolean large = n > VERY_MANY || af_profile_n_threads(profile) > MANY_THREADS;
    const unsigned first = test_part_first_in(file);
    if (wrong == NULL && n > 0) {
        wrong = listed_calls_check(profile, first, MAX(test_part(), large ? A_FEW : 1), &listed);
    }
    if (wrong == NULL && af_profile_has_clock(profile, AF_WALL) && n > 0) {
        wrong = cut_somewhere(profile, first, large ? 1 : ROUNDS);
    }
    if (wrong != NULL) {
        fprintf(stderr, "%s: %s\n", file, wrong);
    }
    opened++;
    calls += n;
    return wrong == NULL;
}

int main(int argc, char **argv)
{
    gboolean ok = TRUE;
    for (int i = 1; i < argc; i++) {
        ok = compare_file(argv[i]) && ok;
    }
    printf("%" PRIu64 " opened, %" PRIu64 " refused, %" PRIu64 " calls, %" PRIu64
           " listed, %" PRIu64 " parts\n",
           opened, refused, calls, listed, parts);
    return ok && calls > 0 && listed > 0 && parts > 0 ? 0 : 1;
}
