#include "base/workers.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include "base/system.h"

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
    af_processors processors; /* those that the latest caller may use */
    af_work *begun;           /* the latest one */
    int busy;                 /* workers with work; less callers that wait for it */
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

/* Work that another thread can join, or NULL. The latest first: earlier work may wait for it. */
static af_work *find_work(void)
{
    for (af_work *work = pool.begun; work != NULL; work = work->earlier) {
        if (work->others < work->most && (guint)g_atomic_int_get(&work->next) < work->n) {
            return work;
        }
    }
    return NULL;
}

static void list_work(af_work *work)
{
    work->earlier = pool.begun;
    pool.begun = work;
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

/* ---- with the lock: the threads ---- */

static void call(worker *w, af_work *work)
{
    w->state = CALLED;
    w->work = work;
    work->others++;
    pool.busy++;
}

/* Ends the part of a worker that was busy or found nothing to do. */
static void release(worker *w)
{
    w->state = IDLE;
    w->work->others--;
    pool.busy--;
    g_cond_broadcast(&pool.done);
}

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
    w->thread = af_processors_thread();
    while (wait_for_call(w)) {
        const af_processors processors = pool.processors;
        w->state = BUSY;
        g_mutex_unlock(&pool.lock);
        af_processors_move(0, &processors);
        take_pieces(w->work);
        g_mutex_lock(&pool.lock);
        release(w);
        af_work *next = find_work();
        if (next != NULL) {
            call(w, next);
        }
    }
    w->state = NO_THREAD;
    g_mutex_unlock(&pool.lock);
    return NULL;
}

/* ---- with the lock: their callers ---- */

/* The processor of the caller; and all without it. On some virtual machines the system takes an idle
 * processor for a busy one, and would run a thread on its caller's until the next balancing, some
 * milliseconds later. Returns FALSE if there is none, or none is known. */
static gboolean find_processors(gboolean elsewhere, af_processors *found)
{
    af_processors own;
    if (!af_processors_find(&pool.processors, &own)) {
        return FALSE;
    }
    *found = own;
    if (elsewhere) {
        *found = pool.processors;
        af_processors_remove(found, &own);
    }
    return af_processors_count(found) > 0;
}

/* Any processor may run the thread if `processors` is NULL. */
static int create_thread(worker *w, const af_processors *processors)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (processors != NULL) {
        af_processors_choose(&attributes, processors);
    }
    const int refused = pthread_create(&thread, &attributes, work_until_idle, w);
    pthread_attr_destroy(&attributes);
    return refused;
}

static gboolean start_thread(worker *w, const af_processors *processors)
{
    int refused = create_thread(w, processors);
    if (processors != NULL && (refused == EPERM || refused == EINVAL)) {
        refused = create_thread(w, NULL); /* a sandbox forbids choosing processors */
    }
    return refused == 0;
}

/* The processors without a thread, while the calling one goes on. */
static unsigned count_free(void)
{
    const int known = af_processors_count(&pool.processors);
    const int all = known > 0 ? known : (int)g_get_num_processors();
    return (unsigned)MAX(all - 1 - pool.busy, 0);
}

/* Lets a thread take pieces for each free processor. The threads run on processors other than the
 * caller's, or on the caller's if `elsewhere` is FALSE. */
static void call_workers(af_work *work, gboolean elsewhere)
{
    af_processors processors;
    const gboolean steered = find_processors(elsewhere, &processors);
    const unsigned n = MIN(work->most, work->others + count_free());
    for (unsigned i = 0; i < MOST_WORKERS && work->others < n; i++) {
        worker *w = &pool.workers[i];
        if (w->state == IDLE) {
            if (steered && w->thread != 0) {
                af_processors_move(w->thread, &processors);
            }
            call(w, work);
            g_cond_signal(&w->called);
        }
    }
    for (unsigned i = 0; i < MOST_WORKERS && work->others < n; i++) {
        worker *w = &pool.workers[i];
        if (w->state == NO_THREAD) {
            w->thread = 0;
            if (!start_thread(w, steered ? &processors : NULL)) {
                return;
            }
            call(w, work);
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

unsigned af_workers_count(unsigned jobs)
{
    return jobs == 0 ? count_processors() : jobs;
}

gboolean af_work_begin(af_work *work, unsigned n, unsigned jobs, af_work_func run, void *user)
{
    *work = (af_work){.run = run, .user = user, .n = n};
    work->most = MIN(n, MIN(af_workers_count(jobs) - 1, MOST_WORKERS));
    if (work->most == 0) {
        return FALSE;
    }
    lock_pool();
    list_work(work);
    call_workers(work, TRUE);
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

/* The processor of a caller that waits is free. */
static void wait_for_others(const af_work *work)
{
    pool.busy--;
    af_work *next = find_work();
    if (next != NULL) {
        call_workers(next, FALSE);
    }
    while (work->others > 0) {
        g_cond_wait(&pool.done, &pool.lock);
    }
    pool.busy++;
}

void af_work_end(af_work *work)
{
    take_pieces(work);
    if (work->most == 0) {
        return;
    }
    lock_pool();
    unlist_work(work);
    for (unsigned i = 0; i < MOST_WORKERS && work->others > 0; i++) {
        worker *w = &pool.workers[i];
        if (w->state == CALLED && w->work == work) {
            release(w); /* nothing is left for it */
        }
    }
    if (work->others > 0) {
        wait_for_others(work);
    }
    g_mutex_unlock(&pool.lock);
}

void af_workers_run(unsigned n, unsigned jobs, af_work_func run, void *user)
{
    const unsigned threads = MIN(n, af_workers_count(jobs)); /* one of them is the caller's */
    af_work work;
    af_work_begin(&work, n, threads, run, user);
    af_work_end(&work);
}
