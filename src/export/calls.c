#include "export/calls.h"

#include "base/array.h"
#include "base/bytes.h"
#include "base/memory_error.h"

gboolean af_export_stop(GError **error)
{
    g_set_error_literal(error, AF_ERROR, AF_ERROR_OUTPUT, "cannot write");
    return FALSE;
}

static gboolean tell_some(const af_profile *profile, const af_selection *selection,
                          const uint32_t *threads, uint32_t n, const af_observer *observer,
                          GError **error)
{
    g_autofree guint8 *wanted = g_try_malloc0((size_t)profile->n_threads + 1);
    if (wanted == NULL) {
        return af_memory_error_set(error);
    }
    for (uint32_t i = 0; i < n; i++) {
        wanted[threads[i]] = 1;
    }
    const af_call_source *calls = selection->calls;
    const gboolean all = n == profile->n_threads;
    return calls->read(calls->user, all ? NULL : wanted, observer, error);
}

gboolean af_export_walk(const af_profile *profile, const af_selection *selection,
                        const af_observer *observer, GError **error)
{
    return tell_some(profile, selection, selection->threads, selection->n_threads, observer, error);
}

/* ---- one thread at a time ---- */

/* The default and the total limit of memory for edges. */
#define CALL_MAX_BYTES 16
#define MOST_HELD      (UINT64_C(64) << 20)

/* The edges of a thread: the label + 1, or 0 for the end of a call, then the time since the
 * previous edge in each clock, all in LEB128. */
typedef struct {
    af_array bytes;
    uint64_t last_ns[AF_CLOCKS];
} held;

typedef struct {
    const af_thread_observer *observer;
    held *threads; /* by thread of the profile */
} holding;

static gboolean hold_edge(const holding *h, const af_call_event *edge, uint64_t first,
                          GError **error)
{
    held *t = &h->threads[edge->thread];
    uint8_t bytes[3 * AF_ULEB128_MAX], *end = af_uleb128_put(bytes, first);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        end = af_uleb128_put(end, edge->time_ns[c] - t->last_ns[c]);
        t->last_ns[c] = edge->time_ns[c];
    }
    uint8_t *to = af_array_add(&t->bytes, (size_t)(end - bytes));
    if (to == NULL) {
        return af_memory_error_set(error);
    }
    memcpy(to, bytes, (size_t)(end - bytes));
    return TRUE;
}

static bool hold_enter(void *user, const af_call_event *edge, GError **error)
{
    return hold_edge(user, edge, (uint64_t)edge->label + 1, error);
}

static bool hold_leave(void *user, const af_call_event *edge, GError **error)
{
    return hold_edge(user, edge, 0, error);
}

static gboolean tell_held_edges(const held *t, const af_thread_observer *o, uint32_t thread,
                                af_array *labels, GError **error)
{
    const uint8_t *at = t->bytes.items, *end = at + t->bytes.n;
    af_call_event edge = {.thread = thread};
    gboolean ok = TRUE;
    while (at < end && ok) {
        const uint64_t first = af_uleb128_take(&at);
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            edge.time_ns[c] += af_uleb128_take(&at);
        }
        if (first > 0) {
            edge.depth = (uint32_t)labels->n;
            edge.label = (uint32_t)(first - 1);
            uint32_t *label = af_array_add(labels, 1);
            if (label == NULL) {
                return af_memory_error_set(error);
            }
            *label = edge.label;
            ok = o->enter(o->user, &edge, error);
        } else {
            edge.depth = (uint32_t)--labels->n;
            edge.label = AF_ARRAY_AT(labels, uint32_t, edge.depth);
            ok = o->leave(o->user, &edge, error);
        }
    }
    return ok;
}

static gboolean tell_held(const holding *h, uint32_t thread, GError **error)
{
    const af_thread_observer *o = h->observer;
    held *t = &h->threads[thread];
    af_array labels; /* of uint32_t: the labels of the open calls */
    af_array_init(&labels, sizeof(uint32_t));
    gboolean ok = TRUE;
    for (unsigned round = 0; round < o->rounds && ok; round++) {
        ok = o->begin(o->user, thread, round, error) &&
             tell_held_edges(t, o, thread, &labels, error) && o->end(o->user, thread, round, error);
    }
    af_array_clear(&labels);
    af_array_clear(&t->bytes);
    *t = (held){.bytes = {.size = 1}};
    return ok;
}

/* Reads the calls of some threads at once. */
static gboolean tell_group(const af_profile *profile, const af_selection *selection, holding *h,
                           const uint32_t *threads, uint32_t n, GError **error)
{
    if (n == 1) {
        /* Records the calls of one thread during a read. */
        const af_thread_observer *o = h->observer;
        uint32_t thread = threads[0];
        const af_observer direct = {o->enter, o->leave, NULL, o->user, NULL};
        gboolean ok = TRUE;
        for (unsigned round = 0; round < o->rounds && ok; round++) {
            ok = o->begin(o->user, thread, round, error) &&
                 tell_some(profile, selection, &thread, 1, &direct, error) &&
                 o->end(o->user, thread, round, error);
        }
        return ok;
    }
    const af_observer hold = {hold_enter, hold_leave, NULL, h, NULL};
    gboolean ok = tell_some(profile, selection, threads, n, &hold, error);
    for (uint32_t i = 0; i < n && ok; i++) {
        ok = tell_held(h, threads[i], error);
    }
    return ok;
}

gboolean af_export_walk_threads(const af_profile *profile, const af_selection *selection,
                                const af_thread_observer *observer, GError **error)
{
    holding h = {observer, g_try_new0(held, (size_t)profile->n_threads + 1)};
    gboolean ok = h.threads != NULL || af_memory_error_set(error);
    for (uint32_t t = 0; t < profile->n_threads && ok; t++) {
        af_array_init(&h.threads[t].bytes, 1);
    }
    for (uint32_t i = 0; i < selection->n_threads && ok;) {
        uint64_t bytes = 0;
        uint32_t n = 0;
        do {
            bytes += profile->threads[selection->threads[i + n]].calls * CALL_MAX_BYTES;
            n++;
        } while (i + n < selection->n_threads &&
                 bytes + profile->threads[selection->threads[i + n]].calls * CALL_MAX_BYTES <=
                     MOST_HELD);
        ok = tell_group(profile, selection, &h, selection->threads + i, n, error);
        i += n;
    }
    for (uint32_t t = 0; h.threads != NULL && t < profile->n_threads; t++) {
        af_array_clear(&h.threads[t].bytes);
    }
    g_free(h.threads);
    return ok;
}
