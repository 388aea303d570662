#include "serve/pool.h"

typedef struct {
    void (*run)(gpointer job);
    gpointer job;
} task;

struct af_pool {
    GThreadPool *threads;
    gint n; /* atomic */
};

static void run_task(gpointer user, gpointer owner)
{
    g_autofree task *it = user;
    af_pool *pool = owner;
    it->run(it->job);
    g_atomic_int_add(&pool->n, -1);
}

af_pool *af_pool_new(unsigned n)
{
    af_pool *pool = g_new0(af_pool, 1);
    /* an exclusive pool starts its threads now, and keeps them */
    pool->threads = g_thread_pool_new(run_task, pool, (gint)n, TRUE, NULL);
    if (g_thread_pool_get_num_threads(pool->threads) == 0) {
        g_clear_pointer(&pool, af_pool_free);
    }
    return pool;
}

void af_pool_push(af_pool *pool, void (*run)(gpointer), gpointer job)
{
    task *it = g_new(task, 1);
    *it = (task){run, job};
    g_atomic_int_inc(&pool->n);
    g_thread_pool_push(pool->threads, it, NULL);
}

unsigned af_pool_n(af_pool *pool)
{
    return (unsigned)g_atomic_int_get(&pool->n);
}

void af_pool_free(af_pool *pool)
{
    if (pool != NULL) {
        g_thread_pool_free(pool->threads, FALSE, TRUE);
        g_free(pool);
    }
}
