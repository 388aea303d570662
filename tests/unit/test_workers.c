#include "suite.h"

#include <glib.h>

#include "base/workers.h"

Suite *af_suite_workers(void);

#define MOST 100u

static void count_piece(void *user, unsigned piece)
{
    guint *runs = user;
    g_atomic_int_inc(&runs[piece]);
}

START_TEST(each_piece_is_processed_once)
{
    static const unsigned counts[] = {0, 1, 2, 7, MOST};
    static const unsigned jobs[] = {0, 1, 2, 5, 1000};
    for (unsigned c = 0; c < G_N_ELEMENTS(counts); c++) {
        for (unsigned j = 0; j < G_N_ELEMENTS(jobs); j++) {
            guint runs[MOST] = {0};
            af_workers_run(counts[c], jobs[j], count_piece, runs);
            for (unsigned i = 0; i < MOST; i++) {
                ck_assert_uint_eq(runs[i], i < counts[c]);
            }
        }
    }
}
END_TEST

Suite *af_suite_workers(void)
{
    Suite *suite = suite_create("workers");
    TCase *cases = tcase_create("workers");
    tcase_add_test(cases, each_piece_is_processed_once);
    suite_add_tcase(suite, cases);
    return suite;
}
