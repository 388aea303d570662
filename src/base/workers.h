/* Spreads independent pieces of work over threads.
 *
 * The pieces are numbered from 0. The calling thread takes the next piece until none is left, and
 * so does every thread that the system grants; it may grant none. Each piece runs exactly once, in
 * any of the threads.
 *
 * A thread without work waits for a second before it ends. */
#ifndef AF_BASE_WORKERS_H
#define AF_BASE_WORKERS_H

#include <glib.h>

typedef void (*af_work_func)(void *user, unsigned piece);

/* Work that has begun. All fields are private. */
typedef struct {
    af_work_func run;
    void *user;
    unsigned n;      /* pieces */
    guint next;      /* piece; atomic */
    unsigned others; /* threads that have not finished their part */
} af_work;

/* Runs `run` for `n` pieces on at most `jobs` threads, including the calling one (0 = one for each
 * processor), and returns when all are done. */
void af_workers_run(unsigned n, unsigned jobs, af_work_func run, void *user);

/* The same while the caller goes on: it only takes the pieces that are left at af_work_end(). `work`
 * must stay where it is until then. Returns FALSE if no other thread takes part. */
gboolean af_work_begin(af_work *work, unsigned n, unsigned jobs, af_work_func run, void *user);

/* Returns when all pieces are done. May be called again, and for work that never began (all bytes
 * zero). */
void af_work_end(af_work *work);

#endif
