/* Samples: stacks with weights, instead of events. They use the same rows. */
#include <string.h>

#include "build/rebuild_state.h"

/* Clamps weights so that their sum cannot overflow. */
static uint64_t cap_weight(af_rebuild *r, unsigned clock, uint64_t weight, uint64_t offset)
{
    const uint64_t headroom = AF_LARGEST_WEIGHT - r->weight[clock];
    if (weight > headroom) {
        af_warnings_add(r->warnings, AF_WARN_WEIGHT_CUT, 1, offset);
        weight = headroom;
    }
    r->weight[clock] += weight;
    return weight;
}

static void extend_time(af_rebuild *r, af_thread_state *t, const af_sample *sample)
{
    const uint64_t time_ns = sample->time_ns;
    const uint64_t lasts_ns = r->ticks.lasting ? sample->weight[AF_WALL] : 0;

    uint64_t *first = &t->counts.first[AF_WALL], *last = &t->last[AF_WALL];
    *first = t->counts.records == 0 ? time_ns : MIN(*first, time_ns);
    *last = MAX(*last, time_ns + MIN(lasts_ns, UINT64_MAX - time_ns));
    if (r->counts.records > 0 && time_ns < r->wall_before) {
        r->counts.time_ordered = FALSE;
    }
    r->wall_before = time_ns;
}

/* The root of a thread; AF_NO_ROW if memory is refused or at its limit. */
static uint32_t find_root(af_rebuild *r, uint32_t thread)
{
    af_thread_state *t = &r->threads[thread];
    if (t->root == AF_NO_ROW && af_rebuild_reserve(r, AF_THREAD_BYTES)) {
        t->root = t->first_root = af_rows_add_root(&r->rows);
    }
    return t->root;
}

static void lack_row(af_rebuild *r, uint64_t offset)
{
    af_rebuild_lack_row(r);
    if (r->full && r->warnings->count[AF_WARN_MEMORY_LIMIT] == 0) {
        af_warnings_add(r->warnings, AF_WARN_MEMORY_LIMIT, 1, offset);
    }
}

uint32_t af_rebuild_stack(af_rebuild *r, uint32_t thread, uint32_t caller, uint32_t method,
                          uint32_t n_threads)
{
    if (!af_rebuild_grow_threads(r, n_threads) || r->failed || r->full) {
        return AF_NO_ROW;
    }
    const uint32_t parent = caller != AF_NO_ROW ? caller : find_root(r, thread);
    const uint32_t row =
        parent == AF_NO_ROW ? AF_NO_ROW : af_rows_enter(&r->rows, parent, AF_NO_ROW, method);
    if (row == AF_NO_ROW) {
        lack_row(r, AF_NO_OFFSET);
    }
    return row;
}

void af_rebuild_sample(af_rebuild *r, const af_sample *sample, uint32_t n_threads)
{
    if (!af_rebuild_grow_threads(r, n_threads) || r->failed || r->full) {
        return;
    }
    af_thread_state *t = &r->threads[sample->thread];
    uint32_t row = sample->stack;
    if (sample->methods != NULL) {
        const uint32_t root = find_root(r, sample->thread);
        row =
            root == AF_NO_ROW ? AF_NO_ROW : af_row_path_enter(&r->sampled, &r->rows, root, sample);
    }
    if (row == AF_NO_ROW) {
        lack_row(r, sample->offset);
        return;
    }
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        r->rows.rows[row].self[c] += cap_weight(r, c, sample->weight[c], sample->offset);
    }
    extend_time(r, t, sample);
    t->counts.max_depth = MAX(t->counts.max_depth, (uint32_t)MIN(sample->n, UINT32_MAX));
    t->counts.records++;
    r->counts.records++;
}

void af_rebuild_divide_weights(af_rebuild *r, uint64_t by)
{
    for (uint32_t i = 0; i < r->rows.n; i++) {
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            r->rows.rows[i].self[c] /= by;
        }
    }
}
