/* The verdicts about rows: facts, gaps between ranges, and what few runs leave open. */
#include <inttypes.h>
#include <stdio.h>

#include "compare/verdict_table.h"
#include "model/waits.h"
#include "suite.h"

/* A comparison of `n` and `m` runs with a least difference of 10. */
static af_diff *begin(uint32_t n, uint32_t m, af_diff_ground ground)
{
    af_diff *diff = g_new0(af_diff, 1);
    diff->side[AF_BEFORE].n_tested = diff->side[AF_BEFORE].n_runs = n;
    diff->side[AF_AFTER].n_tested = diff->side[AF_AFTER].n_runs = m;
    diff->min_delta = 10;
    diff->ground = ground;
    return diff;
}

typedef struct {
    const char *what, *times[AF_SIDES], *calls[AF_SIDES]; /* of each run */
    int64_t by_calls;
    gboolean fact;
    af_diff_status status;
} sample;

/* The numbers of three runs. */
static const uint64_t *read_runs(const char *text)
{
    static uint64_t runs[8][3];
    static unsigned next;
    uint64_t *read = runs[next++ % G_N_ELEMENTS(runs)];
    ck_assert_int_eq(sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &read[0], &read[1], &read[2]),
                     3);
    return read;
}

static af_verdict_row make_row(const sample *s)
{
    af_verdict_row row = {.by_calls = s->by_calls, .p = -1};
    for (unsigned side = 0; side < AF_SIDES; side++) {
        row.runs[side] = read_runs(s->times[side]);
        row.calls[side] = read_runs(s->calls[side]);
        row.present[side] = row.calls[side][0] + row.calls[side][1] > 0;
    }
    row.before = row.runs[AF_BEFORE][1];
    row.after = row.runs[AF_AFTER][1];
    return row;
}

enum { MORE_CALLS = 4 };

static const sample samples[] = {
    {"new in each run", {"0 0 0", "20 21 22"}, {"0 0 0", "1 1 1"}, 21, TRUE, AF_DIFF_NEW},
    {"gone", {"20 21 22", "0 0 0"}, {"1 1 1", "0 0 0"}, -21, TRUE, AF_DIFF_GONE},
    {"new but short", {"0 0 0", "8 9 9"}, {"0 0 0", "1 1 1"}, 9, FALSE, AF_DIFF_NOISE},
    {"in 2 of 3 runs", {"0 0 0", "0 21 22"}, {"0 0 0", "0 1 1"}, 21, FALSE, AF_DIFF_NOISE},
    {"more calls", {"50 55 60", "52 70 95"}, {"2 2 3", "4 4 5"}, 15, TRUE, AF_DIFF_CHANGED},
    {"faster ones", {"50 55 60", "50 55 60"}, {"2 2 2", "4 4 4"}, 55, TRUE, AF_DIFF_CHANGED},
    {"of little weight", {"50 55 90", "52 70 95"}, {"2 2 2", "4 4 4"}, 9, FALSE, AF_DIFF_NOISE},
    {"calls that overlap", {"50 55 90", "52 70 95"}, {"2 2 4", "4 4 5"}, 15, FALSE, AF_DIFF_NOISE},
    /* the gap between the sides against the wider of their ranges */
    {"as wide", {"50 52 60", "70 75 79"}, {"2 2 2", "2 2 2"}, 0, FALSE, AF_DIFF_CHANGED},
    {"narrower", {"50 52 60", "69 75 79"}, {"2 2 2", "2 2 2"}, 0, FALSE, AF_DIFF_NOISE},
    {"downwards", {"70 75 79", "50 52 60"}, {"2 2 2", "2 2 2"}, 0, FALSE, AF_DIFF_CHANGED},
    {"below the least", {"50 50 50", "58 58 58"}, {"2 2 2", "2 2 2"}, 0, FALSE, AF_DIFF_NOISE},
};

TEST_EACH(three_runs_tell_facts_and_gaps, G_N_ELEMENTS(samples))
{
    const sample *s = &samples[_i];
    g_autofree af_diff *diff = begin(3, 3, AF_DIFF_BY_GAP);
    af_verdict_row row = make_row(s);
    ck_assert_msg(af_verdict_is_fact(diff, &row) == s->fact, "%s", s->what);
    row.p = s->fact ? AF_DIFF_FACT : -1;
    ck_assert_msg(af_verdict_judge(diff, &row) == s->status, "%s: %d", s->what,
                  (int)af_verdict_judge(diff, &row));
}

/* How often a thread waits depends on who comes first. */
TEST(counts_of_waiting_are_no_facts)
{
    af_diff_label labels[] = {{.waits = (uint8_t)af_waits_of_method("com.example.App", "run")},
                              {.waits = (uint8_t)af_waits_of_method("java.lang.Object", "wait")},
                              {.waits = (uint8_t)af_waits_of_method("java.lang.Thread", "sleep")}};
    static const gboolean waits[] = {FALSE, TRUE, FALSE};
    g_autofree af_diff *diff = begin(3, 3, AF_DIFF_BY_GAP);
    diff->labels = labels;
    for (uint32_t l = 0; l < G_N_ELEMENTS(labels); l++) {
        ck_assert_int_eq(af_verdict_waits(diff, l), waits[l]);
        af_verdict_row row = make_row(&samples[MORE_CALLS]);
        row.waits = waits[l];
        ck_assert_int_eq(af_verdict_is_fact(diff, &row), !waits[l]);
        row = make_row(&samples[0]); /* new */
        row.waits = waits[l];
        ck_assert(af_verdict_is_fact(diff, &row));
    }
}

TEST(samples_have_no_facts)
{
    g_autofree af_diff *diff = begin(3, 3, AF_DIFF_BY_GAP);
    af_verdict_row row = make_row(&samples[0]);
    row.calls[AF_BEFORE] = row.calls[AF_AFTER] = NULL;
    ck_assert(!af_verdict_is_fact(diff, &row));
    ck_assert_int_eq(af_verdict_judge(diff, &row), AF_DIFF_NEW); /* by its gap */
}

TEST_EACH(fewer_runs_decide_nothing, G_N_ELEMENTS(samples))
{
    const sample *s = &samples[_i];
    g_autofree af_diff *diff = begin(2, 3, AF_DIFF_BY_NOTHING);
    const af_verdict_row row = make_row(s);
    ck_assert(!af_verdict_is_fact(diff, &row));
    const af_diff_status status = af_verdict_judge(diff, &row);
    ck_assert_msg(status <= AF_DIFF_UNSURE, "%s: %d", s->what, (int)status);
    ck_assert_int_eq(status == AF_DIFF_UNSURE,
                     MAX(row.before, row.after) - MIN(row.before, row.after) >= 10);
}

/* ---- noise ---- */

static uint64_t draw(GRand *random, double spread)
{
    double sum = 0;
    for (unsigned i = 0; i < 12; i++) {
        sum += g_rand_double(random);
    }
    return (uint64_t)(1e6 * (1 + spread * (sum - 6))); /* about a normal distribution */
}

/* How many of 20,000 rows of noise are called changed, with `factor` between the sides. */
static unsigned count_changed(guint32 seed, double factor)
{
    g_autofree af_diff *diff = begin(3, 3, AF_DIFF_BY_GAP);
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);
    unsigned changed = 0;
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t times[AF_SIDES][3];
        for (unsigned run = 0; run < 3; run++) {
            times[AF_BEFORE][run] = draw(random, 0.02);
            times[AF_AFTER][run] = (uint64_t)((double)draw(random, 0.02) * factor);
        }
        const af_verdict_row row = {.before = times[AF_BEFORE][0],
                                    .after = times[AF_AFTER][0],
                                    .runs = {times[AF_BEFORE], times[AF_AFTER]},
                                    .present = {TRUE, TRUE},
                                    .p = -1};
        changed += af_verdict_judge(diff, &row) == AF_DIFF_CHANGED ? 1 : 0;
    }
    return changed;
}

TEST(noise_of_three_runs_rarely_leaves_a_wide_gap)
{
    const guint32 seed = 20260727;
    const unsigned noise = count_changed(seed, 1), slower = count_changed(seed, 1.2);
    ck_assert_msg(noise < 300, "seed %u: %u of 20,000 rows of noise are called changed", seed,
                  noise);
    ck_assert_msg(slower > 19500, "seed %u: only %u of 20,000 rows are found", seed, slower);
}
