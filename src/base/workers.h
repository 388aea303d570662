/* Spreads independent pieces of work over threads.
 *
 * The pieces are numbered from 0. The calling thread takes the next piece until none is left, and
 * so does every thread that the system grants; it may grant none. Each piece runs exactly once, in
 * any of the threads. */
#ifndef AF_BASE_WORKERS_H
#define AF_BASE_WORKERS_H

typedef void (*af_work_func)(void *user, unsigned piece);

/* Runs `work` for `n` pieces on at most `jobs` threads, including the calling one (0 = one for each
 * processor), and returns when all are done. */
void af_workers_run(unsigned n, unsigned jobs, af_work_func work, void *user);

#endif
