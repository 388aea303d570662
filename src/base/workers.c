#include "base/workers.h"

#include <glib.h>

/* No caller has enough pieces to use more. */
#define MOST_THREADS 16u

typedef struct {
    af_work_func work;
    void *user;
    unsigned n;
    guint next; /* atomic */
} pieces;

static gpointer take_pieces(gpointer data)
{
    pieces *p = data;
    for (guint i = g_atomic_int_add(&p->next, 1); i < p->n; i = g_atomic_int_add(&p->next, 1)) {
        p->work(p->user, i);
    }
    return NULL;
}

void af_workers_run(unsigned n, unsigned jobs, af_work_func work, void *user)
{
    pieces p = {.work = work, .user = user, .n = n};
    GThread *threads[MOST_THREADS];
    const unsigned wanted = MIN(n, jobs == 0 ? g_get_num_processors() : jobs);
    unsigned granted = 0;
    while (granted + 1 < MIN(wanted, MOST_THREADS)) {
        threads[granted] = g_thread_try_new("aflame-worker", take_pieces, &p, NULL);
        if (threads[granted] == NULL) {
            break;
        }
        granted++;
    }
    take_pieces(&p);
    for (unsigned i = 0; i < granted; i++) {
        g_thread_join(threads[i]);
    }
}
