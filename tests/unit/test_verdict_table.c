/* The verdicts about rows: facts, gaps between ranges, and what few runs leave open. */
#include <inttypes.h>
#include <stdio.h>

#include "cases.h"
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

static af_verdict_row make_row(uint64_t times[AF_SIDES][3], uint64_t calls[AF_SIDES][3])
{
    af_verdict_row row = {.p = -1};
    for (unsigned side = 0; side < AF_SIDES; side++) {
        row.runs[side] = times[side];
        row.calls[side] = calls[side];
        row.present[side] = calls[side][0] + calls[side][1] > 0;
    }
    row.before = times[AF_BEFORE][1];
    row.after = times[AF_AFTER][1];
    return row;
}

static void read_runs(const char *text, uint64_t runs[AF_SIDES][3])
{
    ck_assert_int_eq(
        sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64 " | %" SCNu64 " %" SCNu64 " %" SCNu64,
               &runs[0][0], &runs[0][1], &runs[0][2], &runs[1][0], &runs[1][1], &runs[1][2]),
        6);
}

/* "TIMES | TIMES, CALLS | CALLS, TIME THAT IS DUE TO CALLS" of three runs on each side => the status,
 * whether it is a fact, and what two runs tell */
static char *show_verdict(const char *input)
{
    static const char *const statuses[] = {[AF_DIFF_NOISE] = "noise",
                                           [AF_DIFF_UNSURE] = "unsure",
                                           [AF_DIFF_CHANGED] = "changed",
                                           [AF_DIFF_NEW] = "new",
                                           [AF_DIFF_GONE] = "gone"};
    uint64_t times[AF_SIDES][3], calls[AF_SIDES][3];
    g_auto(GStrv) parts = g_strsplit(input, ", ", 3);
    read_runs(parts[0], times);
    read_runs(parts[1], calls);
    af_verdict_row row = make_row(times, calls);
    row.by_calls = g_ascii_strtoll(parts[2], NULL, 10);
    g_autofree af_diff *three = begin(3, 3, AF_DIFF_BY_GAP), *two = begin(2, 3, AF_DIFF_BY_NOTHING);
    ck_assert(!af_verdict_is_fact(two, &row));
    const af_diff_status of_two = af_verdict_judge(two, &row);
    const gboolean fact = af_verdict_is_fact(three, &row);
    row.p = fact ? AF_DIFF_FACT : -1;
    return g_strdup_printf("%s%s; %s", statuses[af_verdict_judge(three, &row)],
                           fact ? ", a fact" : "", statuses[of_two]);
}

TEST(three_runs_tell_facts_and_gaps)
{
    cases_map("verdicts on runs", show_verdict);
}

static uint64_t new_times[AF_SIDES][3] = {{0, 0, 0}, {20, 21, 22}};
static uint64_t new_calls[AF_SIDES][3] = {{0, 0, 0}, {1, 1, 1}};

/* How often a thread waits depends on who comes first. */
TEST(counts_of_waiting_are_no_facts)
{
    af_diff_label labels[] = {{.waits = (uint8_t)af_waits_of_method("com.example.App", "run")},
                              {.waits = (uint8_t)af_waits_of_method("java.lang.Object", "wait")},
                              {.waits = (uint8_t)af_waits_of_method("java.lang.Thread", "sleep")}};
    static const gboolean waits[] = {FALSE, TRUE, FALSE};
    static uint64_t times[AF_SIDES][3] = {{50, 55, 60}, {52, 70, 95}};
    static uint64_t calls[AF_SIDES][3] = {{2, 2, 3}, {4, 4, 5}};
    g_autofree af_diff *diff = begin(3, 3, AF_DIFF_BY_GAP);
    diff->labels = labels;
    for (uint32_t l = 0; l < G_N_ELEMENTS(labels); l++) {
        ck_assert_int_eq(af_verdict_waits(diff, l), waits[l]);
        af_verdict_row row = make_row(times, calls);
        row.by_calls = 15;
        row.waits = waits[l];
        ck_assert_int_eq(af_verdict_is_fact(diff, &row), !waits[l]);
        row = make_row(new_times, new_calls);
        row.waits = waits[l];
        ck_assert(af_verdict_is_fact(diff, &row));
    }
}

TEST(samples_have_no_facts)
{
    g_autofree af_diff *diff = begin(3, 3, AF_DIFF_BY_GAP);
    af_verdict_row row = make_row(new_times, new_calls);
    row.calls[AF_BEFORE] = row.calls[AF_AFTER] = NULL;
    ck_assert(!af_verdict_is_fact(diff, &row));
    ck_assert_int_eq(af_verdict_judge(diff, &row), AF_DIFF_NEW); /* by its gap */
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
