#include "base/workers.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

/* No caller has enough pieces to use more than these and itself. */
#define MOST_WORKERS 15u

typedef enum { NO_THREAD, IDLE, CALLED, BUSY } worker_state;

typedef struct {
    worker_state state;
    pid_t thread; /* 0 until it runs */
    GCond called;
    af_work *work; /* while CALLED or BUSY */
} worker;

static struct {
    GMutex lock;
    GCond done; /* a worker became idle */
    worker workers[MOST_WORKERS];
    cpu_set_t processors; /* those that the latest caller may use */
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

/* ---- with the lock: the threads ---- */

static gboolean wait_for_call(worker *w)
{
    const gint64 end = g_get_monotonic_time() + G_USEC_PER_SEC;
    while (w->state == IDLE) {
        if (!g_cond_wait_until(&w->called, &pool.lock, end)) {
            return w->state == CALLED;
        }
    }
    return TRUE;
}

static gpointer work_until_idle(gpointer user)
{
    worker *w = user;
    g_mutex_lock(&pool.lock);
    w->thread = gettid();
    while (wait_for_call(w)) {
        const cpu_set_t processors = pool.processors;
        w->state = BUSY;
        g_mutex_unlock(&pool.lock);
        sched_setaffinity(0, sizeof processors, &processors);
        take_pieces(w->work);
        g_mutex_lock(&pool.lock);
        w->state = IDLE;
        w->work->others--;
        g_cond_broadcast(&pool.done);
    }
    w->state = NO_THREAD;
    g_mutex_unlock(&pool.lock);
    return NULL;
}

/* ---- with the lock: their callers ---- */

/* The processors without that of the caller. On some virtual machines the system takes an idle
 * processor for a busy one, and would run a thread on its caller's until the next balancing, some
 * milliseconds later. Returns FALSE if the caller may use no other. */
static gboolean find_other_processors(cpu_set_t *elsewhere)
{
    const int own = sched_getcpu();
    if (own < 0 || sched_getaffinity(0, sizeof pool.processors, &pool.processors) != 0) {
        CPU_ZERO(&pool.processors);
        return FALSE;
    }
    *elsewhere = pool.processors;
    CPU_CLR((unsigned)own, elsewhere);
    return CPU_COUNT(elsewhere) > 0;
}

/* Any processor may run the thread if `processors` is NULL. */
static int create_thread(worker *w, const cpu_set_t *processors)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (processors != NULL) {
        pthread_attr_setaffinity_np(&attributes, sizeof *processors, processors);
    }
    const int refused = pthread_create(&thread, &attributes, work_until_idle, w);
    pthread_attr_destroy(&attributes);
    return refused;
}

static gboolean start_thread(worker *w, const cpu_set_t *processors)
{
    int refused = create_thread(w, processors);
    if (processors != NULL && (refused == EPERM || refused == EINVAL)) {
        refused = create_thread(w, NULL); /* a sandbox forbids to choose processors */
    }
    return refused == 0;
}

static void call(worker *w, af_work *work)
{
    w->state = CALLED;
    w->work = work;
    work->others++;
}

/* Has up to `n` threads take pieces. */
static void call_workers(af_work *work, unsigned n)
{
    cpu_set_t elsewhere;
    const gboolean steered = find_other_processors(&elsewhere);
    for (unsigned i = 0; i < MOST_WORKERS && work->others < n; i++) {
        worker *w = &pool.workers[i];
        if (w->state == IDLE) {
            if (steered && w->thread != 0) {
                sched_setaffinity(w->thread, sizeof elsewhere, &elsewhere);
            }
            call(w, work);
            g_cond_signal(&w->called);
        }
    }
    for (unsigned i = 0; i < MOST_WORKERS && work->others < n; i++) {
        worker *w = &pool.workers[i];
        if (w->state == NO_THREAD) {
            w->thread = 0;
            if (!start_thread(w, steered ? &elsewhere : NULL)) {
                return;
            }
            call(w, work);
        }
    }
}

/* ---- without the lock ---- */

static unsigned count_jobs(unsigned jobs)
{
    return jobs == 0 ? g_get_num_processors() : jobs;
}

gboolean af_work_begin(af_work *work, unsigned n, unsigned jobs, af_work_func run, void *user)
{
    *work = (af_work){.run = run, .user = user, .n = n};
    const unsigned others = MIN(n, MIN(count_jobs(jobs) - 1, MOST_WORKERS));
    if (others == 0) {
        return FALSE;
    }
    lock_pool();
    call_workers(work, others);
    const gboolean any = work->others > 0;
    g_mutex_unlock(&pool.lock);
    return any;
}

void af_work_end(af_work *work)
{
    take_pieces(work);
    lock_pool();
    for (unsigned i = 0; i < MOST_WORKERS && work->others > 0; i++) {
        worker *w = &pool.workers[i];
        if (w->state == CALLED && w->work == work) {
            w->state = IDLE; /* nothing is left for it */
            work->others--;
        }
    }
    while (work->others > 0) {
        g_cond_wait(&pool.done, &pool.lock);
    }
    g_mutex_unlock(&pool.lock);
}

void af_workers_run(unsigned n, unsigned jobs, af_work_func run, void *user)
{
    const unsigned threads = MIN(n, count_jobs(jobs)); /* one of them is the caller's */
    af_work work;
    af_work_begin(&work, n, threads, run, user);
    af_work_end(&work);
}
