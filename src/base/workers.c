#include "base/workers.h"

#include <pthread.h>
#include <string.h>

/* No caller has enough pieces to use more than these and itself. */
#define MOST_THREADS 15u

static struct {
    GMutex lock;
    GCond called, done; /* work calls waiting threads; a thread has left its work */
    af_work *begun;     /* the latest one */
    unsigned threads;   /* all of them */
    unsigned idle;      /* those that wait and are not called */
    unsigned waiting;   /* callers that wait for other threads: their processors are free */
} pool;

/* A fork has none of these threads. */
static void forget_threads(void)
{
    memset(&pool, 0, sizeof pool);
}

static void lock_pool(void)
{
    static gsize is_watched;
    if (g_once_init_enter(&is_watched)) {
        pthread_atfork(NULL, NULL, forget_threads);
        g_once_init_leave(&is_watched, 1);
    }
    g_mutex_lock(&pool.lock);
}

static void take_pieces(af_work *work)
{
    for (guint i = g_atomic_int_add(&work->next, 1); i < work->n;
         i = g_atomic_int_add(&work->next, 1)) {
        work->run(work->user, i);
    }
}

/* ---- with the lock: the work ---- */

/* Work that has called a thread, or NULL. */
static af_work *find_called(void)
{
    af_work *work = pool.begun;
    while (work != NULL && work->called == 0) {
        work = work->earlier;
    }
    return work;
}

/* Work that another thread can join, or NULL. The latest first: earlier work may wait for it. */
static af_work *find_joinable(void)
{
    af_work *work = pool.begun;
    while (work != NULL &&
           (work->others == work->most || (guint)g_atomic_int_get(&work->next) >= work->n)) {
        work = work->earlier;
    }
    return work;
}

static void unlist_work(const af_work *work)
{
    for (af_work **at = &pool.begun; *at != NULL; at = &(*at)->earlier) {
        if (*at == work) {
            *at = work->earlier;
            return;
        }
    }
}

/* GLib opens a file for each answer. */
static unsigned count_processors(void)
{
    static gsize known; /* 0 = not yet */
    if (g_once_init_enter(&known)) {
        g_once_init_leave(&known, g_get_num_processors());
    }
    return (unsigned)known;
}

/* ---- with the lock: the threads ---- */

static gpointer work_until_idle(gpointer user);

static gboolean start_thread(void)
{
    GThread *thread =
        pool.threads < MOST_THREADS ? g_thread_try_new(NULL, work_until_idle, NULL, NULL) : NULL;
    if (thread != NULL) {
        g_thread_unref(thread);
        pool.threads++;
    }
    return thread != NULL;
}

/* Calls a thread for each processor that is free while the calling one goes on. `work` may be
 * NULL. */
static void call_threads(af_work *work)
{
    const unsigned all = count_processors() - 1 + pool.waiting;
    while (work != NULL && work->others < work->most && pool.threads - pool.idle < all) {
        if (pool.idle > 0) {
            pool.idle--;
        } else if (!start_thread()) {
            return;
        }
        work->others++;
        work->called++;
        g_cond_signal(&pool.called);
    }
}

static gpointer work_until_idle(gpointer user)
{
    gboolean waited = FALSE; /* for nothing */
    g_mutex_lock(&pool.lock);
    for (;;) {
        af_work *work = find_called();
        if (work != NULL) {
            work->called--;
            g_mutex_unlock(&pool.lock);
            take_pieces(work);
            g_mutex_lock(&pool.lock);
            work->others--;
            pool.idle++;
            g_cond_broadcast(&pool.done);
            call_threads(find_joinable());
        } else if (waited) {
            break;
        }
        waited = work == NULL && !g_cond_wait_until(&pool.called, &pool.lock,
                                                    g_get_monotonic_time() + G_USEC_PER_SEC);
    }
    pool.idle--;
    pool.threads--;
    g_mutex_unlock(&pool.lock);
    return NULL;
}

/* ---- the callers ---- */

unsigned af_workers_count(unsigned jobs)
{
    return jobs == 0 ? count_processors() : jobs;
}

gboolean af_work_begin(af_work *work, unsigned n, unsigned jobs, af_work_func run, void *user)
{
    *work = (af_work){.run = run, .user = user, .n = n};
    work->most = MIN(n, MIN(af_workers_count(jobs) - 1, MOST_THREADS));
    if (work->most == 0) {
        return FALSE;
    }
    lock_pool();
    work->earlier = pool.begun;
    pool.begun = work;
    call_threads(work);
    const gboolean any = work->others > 0;
    g_mutex_unlock(&pool.lock);
    return any;
}

gboolean af_work_take_back(af_work *work)
{
    lock_pool();
    const gboolean unused = work->others == 0 && g_atomic_int_get(&work->next) == 0;
    if (unused) {
        unlist_work(work);
        work->n = 0;
    }
    g_mutex_unlock(&pool.lock);
    return unused;
}

void af_work_end(af_work *work)
{
    take_pieces(work);
    if (work->most == 0) {
        return;
    }
    lock_pool();
    unlist_work(work);
    work->others -= work->called; /* nothing is left for them */
    pool.idle += work->called;
    work->called = 0;
    const unsigned waits = work->others > 0 ? 1 : 0;
    pool.waiting += waits;
    call_threads(find_joinable());
    while (work->others > 0) {
        g_cond_wait(&pool.done, &pool.lock);
    }
    pool.waiting -= waits;
    g_mutex_unlock(&pool.lock);
}

void af_workers_run(unsigned n, unsigned jobs, af_work_func run, void *user)
{
    const unsigned threads = MIN(n, af_workers_count(jobs)); /* one of them is the caller's */
    af_work work;
    af_work_begin(&work, n, threads, run, user);
    af_work_end(&work);
}
