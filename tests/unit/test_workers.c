#include "suite.h"

#include <glib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/workers.h"

#define MOST 100u

static void count_piece(void *user, unsigned piece)
{
    guint *runs = user;
    g_atomic_int_inc(&runs[piece]);
}

TEST(each_piece_is_processed_once)
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

TEST(begun_work_is_done_at_its_end)
{
    static const unsigned jobs[] = {0, 1, 2, 1000};
    for (unsigned j = 0; j < G_N_ELEMENTS(jobs); j++) {
        guint runs[MOST] = {0};
        af_work work;
        const gboolean shared = af_work_begin(&work, MOST, jobs[j], count_piece, runs);
        ck_assert(!shared || jobs[j] != 1);
        af_work_end(&work);
        af_work_end(&work);
        for (unsigned i = 0; i < MOST; i++) {
            ck_assert_uint_eq(runs[i], 1);
        }
    }
    af_work never = {0};
    af_work_end(&never);
}

static void count_slowly(void *user, unsigned piece)
{
    g_usleep(1000);
    count_piece(user, piece);
}

static gboolean are_all_done(guint *runs)
{
    gboolean all = TRUE;
    for (unsigned i = 0; i < MOST; i++) {
        all = all && g_atomic_int_get(&runs[i]) == 1;
    }
    return all;
}

/* While the first work has all processors, the second gets no thread; later it does. */
TEST(a_free_thread_joins_work_that_has_none)
{
    guint first[MOST] = {0}, second[MOST] = {0}, third[MOST] = {0};
    af_work one, two, never;
    const gboolean several = af_work_begin(&one, MOST, 16, count_slowly, first);
    ck_assert(!af_work_begin(&never, MOST, 16, count_piece, third));
    ck_assert(af_work_take_back(&never));
    ck_assert(!af_work_begin(&two, MOST, 16, count_slowly, second));
    ck_assert(several == (g_get_num_processors() > 1));
    for (unsigned i = 0; several && !are_all_done(second); i++) {
        ck_assert_uint_lt(i, 20000);
        g_usleep(1000);
    }
    ck_assert(!several || are_all_done(first)); /* by other threads than this one */
    af_work_end(&one);
    af_work_end(&two);
    af_work_end(&never);
    ck_assert(are_all_done(first) && are_all_done(second));
    ck_assert_uint_eq(third[0], 0);
}

TEST(work_that_a_thread_has_joined_cannot_be_taken_back)
{
    guint runs[MOST] = {0};
    af_work work;
    if (af_work_begin(&work, MOST, 2, count_slowly, runs)) {
        ck_assert(!af_work_take_back(&work));
    }
    af_work_end(&work);
    ck_assert(are_all_done(runs));
}

static void count_pieces_of_piece(void *user, unsigned piece)
{
    guint(*runs)[MOST] = user;
    af_workers_run(MOST, 4, count_piece, runs[piece]);
}

TEST(pieces_have_pieces)
{
    guint runs[5][MOST] = {{0}};
    af_workers_run(5, 4, count_pieces_of_piece, runs);
    for (unsigned i = 0; i < 5 * MOST; i++) {
        ck_assert_uint_eq(runs[i / MOST][i % MOST], 1);
    }
}

/* The child has none of the threads that wait in its parent. */
TEST(a_fork_works)
{
    guint runs[MOST] = {0};
    af_workers_run(MOST, 4, count_piece, runs);
    const pid_t child = fork();
    if (child == 0) {
        af_workers_run(MOST, 4, count_piece, runs);
        _exit(runs[0] == 2 && runs[MOST - 1] == 2 ? 0 : 1);
    }
    int status = 1;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
