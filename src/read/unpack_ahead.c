#include "read/unpack_ahead.h"

#include "base/workers.h"

/* Large enough that passing one on costs little compared with filling it, few enough to stay in the
 * cache of a typical processor. */
#define CHUNK  ((size_t)256 * 1024)
#define CHUNKS 4u

typedef struct {
    uint8_t *bytes;
    size_t n;
} chunk;

struct af_unpack_ahead {
    af_unpack *unpack;
    af_work work;
    GMutex mutex;
    GCond changed;
    chunk chunks[CHUNKS]; /* a ring */
    unsigned first, full; /* filled chunks, including the borrowed one */
    gboolean borrowed, ended, stop;
    GError *error;
};

/* Waits for a chunk to fill. Returns FALSE when no more chunks are wanted. */
static gboolean wait_for_free(af_unpack_ahead *a)
{
    g_mutex_lock(&a->mutex);
    while (a->full == CHUNKS && !a->stop) {
        g_cond_wait(&a->changed, &a->mutex);
    }
    const gboolean go_on = !a->stop;
    g_mutex_unlock(&a->mutex);
    return go_on;
}

static void fill_chunks(void *user, unsigned piece)
{
    af_unpack_ahead *a = user;
    for (unsigned next = 0; wait_for_free(a); next = (next + 1) % CHUNKS) {
        chunk *c = &a->chunks[next];
        if (c->bytes == NULL) {
            c->bytes = g_malloc(CHUNK);
        }
        GError *error = NULL;
        const gssize n = af_unpack_take(a->unpack, c->bytes, CHUNK, &error);
        g_mutex_lock(&a->mutex);
        c->n = n < 0 ? 0 : (size_t)n;
        a->full++;
        a->ended = n <= 0;
        a->error = error;
        g_cond_broadcast(&a->changed);
        g_mutex_unlock(&a->mutex);
        if (n <= 0) {
            break;
        }
    }
}

af_unpack_ahead *af_unpack_ahead_new(af_unpack *unpack)
{
    af_unpack_ahead *a = g_new0(af_unpack_ahead, 1);
    a->unpack = unpack;
    g_mutex_init(&a->mutex);
    g_cond_init(&a->changed);
    if (!af_work_begin(&a->work, 1, 2, fill_chunks, a) && af_work_take_back(&a->work)) {
        g_mutex_clear(&a->mutex);
        g_cond_clear(&a->changed);
        g_free(a);
        return NULL;
    }
    return a;
}

gboolean af_unpack_ahead_next(af_unpack_ahead *a, const uint8_t **bytes, size_t *n, GError **error)
{
    g_mutex_lock(&a->mutex);
    if (a->borrowed) {
        a->borrowed = FALSE;
        a->first = (a->first + 1) % CHUNKS;
        a->full--;
        g_cond_broadcast(&a->changed);
    }
    while (a->full == 0 && !a->ended) {
        g_cond_wait(&a->changed, &a->mutex);
    }
    *n = 0;
    gboolean ok = TRUE;
    if (a->full > 0 && a->chunks[a->first].n > 0) {
        *bytes = a->chunks[a->first].bytes;
        *n = a->chunks[a->first].n;
        a->borrowed = TRUE;
    } else if (a->error != NULL) {
        g_propagate_error(error, g_steal_pointer(&a->error));
        ok = FALSE;
    }
    g_mutex_unlock(&a->mutex);
    return ok;
}

void af_unpack_ahead_free(af_unpack_ahead *a, af_cancel *stop)
{
    if (a == NULL) {
        return;
    }
    g_mutex_lock(&a->mutex);
    a->stop = TRUE;
    g_cond_broadcast(&a->changed);
    const gboolean ended = a->ended;
    g_mutex_unlock(&a->mutex);
    if (!ended) {
        af_cancel_request(stop);
    }
    af_work_end(&a->work);
    for (unsigned i = 0; i < CHUNKS; i++) {
        g_free(a->chunks[i].bytes);
    }
    g_clear_error(&a->error);
    g_mutex_clear(&a->mutex);
    g_cond_clear(&a->changed);
    g_free(a);
}
