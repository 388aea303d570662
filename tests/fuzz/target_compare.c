/* Several runs of two sides, made of any bytes: the parts of a comparison add up to what both sides
 * have, every table and the picture can be written, and merges do not depend on order or groups. */
#include <string.h>

#include <aflame/convert.h>
#include <aflame/diff.h>
#include "api/autoptr.h"
#include "base/out.h"
#include "compare/diff.h"
#include "checks.h"
#include "made.h"

enum { RUNS_MAX = 8, MOST_EVENTS = 60 };

static bool drop(void *user, const void *bytes, size_t length, GError **error)
{
    *(uint64_t *)user += length;
    return TRUE;
}

typedef struct {
    af_profile *profiles[RUNS_MAX];
    unsigned n, n_before;
} runs;

static runs make_runs(const uint8_t *bytes, size_t size)
{
    fuzz_feed feed = {bytes, bytes + size};
    runs r = {.n_before = feed_byte(&feed)};
    while (r.n < RUNS_MAX && feed_left(&feed) > 0) {
        r.profiles[r.n++] = fuzz_make_profile(&feed, MOST_EVENTS);
    }
    r.n_before = r.n > 1 ? 1 + r.n_before % (r.n - 1) : 0;
    return r;
}

static af_runs *add_up(const runs *r, unsigned first, unsigned end, af_runs_use use)
{
    af_runs *sum = af_runs_new(use);
    for (unsigned i = first; i < end; i++) {
        GError *error = NULL;
        if (!af_runs_add(sum, r->profiles[i], "run", NULL, &error)) {
            fuzz_check_error(error);
            g_clear_pointer(&sum, af_runs_free);
            break;
        }
    }
    return sum;
}

/* ---- a comparison ---- */

/* Self times add up to the times of the paths above. */
static void check_sums(const af_diff *diff, const af_diff_tree *t, unsigned side)
{
    g_autofree uint64_t *sums = g_new0(uint64_t, t->n);
    for (uint32_t n = t->n; n-- > 0;) {
        sums[n] += t->self[side][diff->clock][n];
        FUZZ_CHECK(sums[n] == af_diff_path_time(t, side, n));
        if (n > 0) {
            sums[t->parent[n]] += sums[n];
        }
    }
}

static void check_thread(const af_diff *diff, const af_diff_thread *thread)
{
    const af_diff_tree *t = &thread->tree;
    check_sums(diff, t, AF_BEFORE);
    check_sums(diff, t, AF_AFTER);
    for (uint32_t n = 0; n < t->n; n++) {
        FUZZ_CHECK(n == 0 || t->parent[n] < n);
        FUZZ_CHECK(t->status[n] < AF_DIFF_STATUSES && af_diff_path_twin(t, n) < t->n);
        FUZZ_CHECK(n == 0 || t->present[AF_BEFORE][n] || t->present[AF_AFTER][n]);
    }
}

static void check_method(const af_diff_method *m)
{
    const int64_t delta = af_diff_of(m->side[AF_BEFORE].inclusive, m->side[AF_AFTER].inclusive);
    FUZZ_CHECK(!m->split || m->by_calls + m->by_mean == delta);
    FUZZ_CHECK(m->p <= 1);
}

static void write_all(const af_diff *diff)
{
    af_diff_tables tables = AF_DIFF_TABLES_INIT;
    const af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    uint64_t length = 0;
    GError *error = NULL;
    tables.paths = TRUE;
    for (unsigned f = 0; af_diff_format_name(f) != NULL; f++) {
        if (!af_diff_write(diff, af_diff_format_name(f), &tables, drop, &length, &error)) {
            fuzz_check_error(g_steal_pointer(&error));
        }
    }
    FUZZ_CHECK(af_diff_draw(diff, "svg", &options, drop, &length, NULL, &error));
}

static void compare(const runs *r, af_runs_use use)
{
    g_autoptr(af_runs) before = add_up(r, 0, r->n_before, use),
                       after = add_up(r, r->n_before, r->n, use);
    GError *error = NULL;
    g_autoptr(af_diff) diff =
        before != NULL && after != NULL ? af_diff_new(before, after, NULL, &error) : NULL;
    if (error != NULL) {
        fuzz_check_error(error);
    }
    for (uint32_t t = 0; diff != NULL && t < diff->n_threads; t++) {
        check_thread(diff, &diff->threads[t]);
    }
    for (uint32_t m = 0; diff != NULL && m < diff->n_methods; m++) {
        check_method(&diff->methods[m]);
    }
    if (diff != NULL && use == AF_RUNS_TO_TEST) {
        write_all(diff);
    }
}

/* ---- a merge ---- */

static GByteArray *save(const af_profile *profile)
{
    GByteArray *bytes = g_byte_array_new();
    FUZZ_CHECK(af_convert_write(profile, "aflp", NULL, af_out_to_array, bytes, NULL));
    return bytes;
}

static void check_equal(const af_profile *one, const af_profile *other)
{
    g_autoptr(GByteArray) bytes = save(one), again = save(other);
    FUZZ_CHECK(bytes->len == again->len && memcmp(bytes->data, again->data, bytes->len) == 0);
}

/* All at once, and first those of each side. */
static void merge(const runs *r)
{
    const unsigned ends[] = {0, r->n_before, r->n};
    runs groups = {.n = 2};
    g_autoptr(af_runs) all = add_up(r, 0, r->n, AF_RUNS_TO_MERGE);
    g_autoptr(af_profile) whole = all != NULL ? af_runs_merge(all, NULL) : NULL;
    for (unsigned g = 0; whole != NULL && g < 2; g++) {
        g_autoptr(af_runs) part = add_up(r, ends[g], ends[g + 1], AF_RUNS_TO_MERGE);
        /* the other one first: the order must not matter */
        groups.profiles[1 - g] = af_runs_merge(part, NULL);
    }
    if (whole != NULL && groups.profiles[0] != NULL && groups.profiles[1] != NULL) {
        g_autoptr(af_runs) joined = add_up(&groups, 0, 2, AF_RUNS_TO_MERGE);
        FUZZ_CHECK(joined != NULL);
        g_autoptr(af_profile) again = af_runs_merge(joined, NULL);
        FUZZ_CHECK(again != NULL);
        check_equal(whole, again);
    }
    af_profile_free(groups.profiles[0]);
    af_profile_free(groups.profiles[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    runs r = make_runs(bytes, size);
    if (r.n > 1) {
        compare(&r, AF_RUNS_TO_COMPARE);
        compare(&r, AF_RUNS_TO_TEST);
        merge(&r);
    }
    for (unsigned i = 0; i < r.n; i++) {
        af_profile_free(r.profiles[i]);
    }
    return 0;
}
