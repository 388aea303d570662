#include "serve/pool.h"

typedef struct {
    void (*run)(gpointer job); /* NULL ends a thread */
    gpointer job;
} task;

struct af_pool {
    GAsyncQueue *tasks;
    GPtrArray *threads;
    gint n; /* atomic */
};

static gpointer work(gpointer user)
{
    af_pool *pool = user;
    for (gboolean more = TRUE; more;) {
        g_autofree task *it = g_async_queue_pop(pool->tasks);
        more = it->run != NULL;
        if (more) {
            it->run(it->job);
            g_atomic_int_add(&pool->n, -1);
        }
    }
    return NULL;
}

af_pool *af_pool_new(const char *name, unsigned n)
{
    af_pool *pool = g_new0(af_pool, 1);
    pool->tasks = g_async_queue_new();
    pool->threads = g_ptr_array_new();
    for (unsigned i = 0; i < n; i++) {
        GThread *thread = g_thread_try_new(name, work, pool, NULL);
        if (thread == NULL) {
            break;
        }
        g_ptr_array_add(pool->threads, thread);
    }
    if (pool->threads->len == 0) {
        af_pool_free(pool);
        return NULL;
    }
    return pool;
}

static void push(af_pool *pool, void (*run)(gpointer), gpointer job)
{
    task *it = g_new(task, 1);
    *it = (task){run, job};
    g_async_queue_push(pool->tasks, it);
}

void af_pool_push(af_pool *pool, void (*run)(gpointer), gpointer job)
{
    g_atomic_int_inc(&pool->n);
    push(pool, run, job);
}

unsigned af_pool_n(af_pool *pool)
{
    return (unsigned)g_atomic_int_get(&pool->n);
}

void af_pool_free(af_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    for (guint i = 0; i < pool->threads->len; i++) {
        push(pool, NULL, NULL);
    }
    for (guint i = 0; i < pool->threads->len; i++) {
        g_thread_join(pool->threads->pdata[i]);
    }
    g_ptr_array_unref(pool->threads);
    g_async_queue_unref(pool->tasks);
    g_free(pool);
}
