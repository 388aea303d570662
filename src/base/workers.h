/* Spreads independent pieces of work over threads.
 *
 * The pieces are numbered from 0. The calling thread takes the next piece until none is left, and
 * so does every other thread that the system can start, possibly none. Each piece runs exactly
 * once, in any of the threads.
 *
 * All work shares the processors: while each of them has a thread, work gets no more threads, but as
 * soon as one is free, another thread joins the work that has pieces left.
 *
 * A thread without work waits for a second before it ends. */
#pragma once

#include <glib.h>

typedef void (*af_work_func)(void *user, unsigned piece);

/* Work that has begun. All fields are private. */
typedef struct af_work {
    af_work_func run;
    void *user;
    unsigned n;              /* pieces */
    guint next;              /* piece; atomic */
    unsigned others;         /* threads that are called or have not finished their part */
    unsigned called;         /* those of them that have not come yet */
    unsigned most;           /* of them at once */
    struct af_work *earlier; /* begun before this one */
} af_work;

/* The number of threads that `jobs` means: 0 = one for each processor that the program found first. */
unsigned af_workers_count(unsigned jobs);

/* Runs `run` for `n` pieces on at most `jobs` threads, including the calling one (0 = one for each
 * processor), and returns when all are done. */
void af_workers_run(unsigned n, unsigned jobs, af_work_func run, void *user);

/* The same in the background: the caller continues, and runs the remaining pieces in af_work_end().
 * `work` must stay where it is until then. Returns FALSE if no other thread takes part yet. */
gboolean af_work_begin(af_work *work, unsigned n, unsigned jobs, af_work_func run, void *user);

/* Ends work without running its pieces. If another thread already takes part, returns FALSE
 * instead. */
gboolean af_work_take_back(af_work *work);

/* Returns when all pieces are done. May be called again, and for work that never began (all bytes
 * zero). */
void af_work_end(af_work *work);
