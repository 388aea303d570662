/* Joins a chunk to the rebuilder of everything before it. */
#include <string.h>

#include "build/rebuild_state.h"

typedef struct {
    af_rebuild *r;
    af_rebuild *chunk;
    const uint32_t *thread_of, *method_of;
    uint32_t *row_of; /* by row of the chunk */
} joining;

static const af_level *level_at(const af_thread_state *t, size_t k)
{
    return &AF_ARRAY_AT(&t->levels, af_level, k);
}

/* Whether the calls that end in the chunk match the open calls. */
static gboolean levels_match(const joining *j, const af_thread_state *from,
                             const af_thread_state *to)
{
    const size_t ended = from->levels.n - 1;
    for (size_t k = 0; k < ended && k < to->depth; k++) {
        if (j->r->rows.rows[to->stack[to->depth - 1 - k].row].method !=
            j->method_of[level_at(from, k)->method]) {
            return FALSE;
        }
    }
    return TRUE;
}

/* Whether the chunk fits within the memory limit even if it shares no paths with the rebuilder. */
static gboolean fits_limit(const joining *j)
{
    const af_rebuild *r = j->r;
    uint64_t bytes = r->other_bytes + ((uint64_t)r->rows.n + j->chunk->rows.n) * AF_NODE_BYTES;
    for (uint32_t i = 0; i < j->chunk->n_threads; i++) {
        const af_thread_state *from = &j->chunk->threads[i];
        uint64_t most_open = from->counts.max_depth;
        for (size_t k = 0; k + 1 < from->levels.n; k++) {
            most_open = MAX(most_open, level_at(from, k)->most_open);
        }
        if (from->root != AF_NO_ROW) {
            most_open += j->r->threads[j->thread_of[i]].depth;
            bytes += AF_THREAD_BYTES + (most_open + 8) * 2 * sizeof(af_open_call) +
                     from->levels.n * AF_NODE_BYTES;
        }
    }
    return r->most_bytes == 0 || bytes <= r->most_bytes;
}

static gboolean can_join(const joining *j)
{
    if (!fits_limit(j) || j->chunk->given_up || j->chunk->failed || j->chunk->rows.failed ||
        j->chunk->rhythm.failed || j->r->counts.wraps > 0 || j->r->counts.lifted_threads > 0) {
        return FALSE;
    }
    for (uint32_t i = 0; i < j->chunk->n_threads; i++) {
        const af_thread_state *from = &j->chunk->threads[i];
        if (from->root == AF_NO_ROW) {
            continue;
        }
        const af_thread_state *to = &j->r->threads[j->thread_of[i]];
        if (to->root != AF_NO_ROW &&
            (from->first_raw[AF_WALL] < to->last[AF_WALL] ||
             from->first_raw[AF_CPU] < to->last[AF_CPU] || !levels_match(j, from, to))) {
            return FALSE;
        }
    }
    return TRUE;
}

/* Ends the calls that end in the chunk and finds the rows of its levels. */
static void join_levels(joining *j, const af_thread_state *from, af_thread_state *to)
{
    af_rebuild *r = j->r;
    uint64_t *self = r->rows.rows[af_rebuild_top(to)].self;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        self[c] += from->first_raw[c] - to->last[c];
    }
    uint32_t below = to->depth;
    for (size_t k = 0; k < from->levels.n && !r->failed; k++) {
        const af_level *level = level_at(from, k);
        const gboolean ended = k + 1 < from->levels.n;
        const uint32_t most = ended ? level->most_open : from->counts.max_depth;
        if (most > 0) {
            to->counts.max_depth = MAX(to->counts.max_depth, below + most);
        }
        j->row_of[level->row] = af_rebuild_top(to);
        if (!ended) {
            break;
        }
        memcpy(to->last, level->end, sizeof to->last);
        if (to->depth > 0) {
            r->rows.rows[af_rebuild_top(to)].unwinds += level->action == AF_UNWIND;
            af_rebuild_pop(r, to);
            below--;
        } else {
            af_rebuild_adopt(r, to, j->method_of[level->method], level->action);
        }
    }
    memcpy(to->last, from->last, sizeof to->last);
}

static void join_thread(joining *j, const af_thread_state *from, af_thread_state *to)
{
    if (to->root == AF_NO_ROW) {
        af_rebuild_begin_thread(j->r, to, from->first_raw);
    }
    if (j->r->failed) {
        return;
    }
    /* Joins the groups at the boundary: the first group of the chunk may continue the open one. */
    if (memcmp(to->raw, from->first_raw, sizeof to->raw) != 0) {
        af_rebuild_end_group(j->r, to, from->first_raw);
    }
    to->group = (uint8_t)af_group_join(to->group, from->first_group ? from->group : from->before);
    if (!from->first_group) {
        af_rhythm_add_group(&j->r->rhythm, to->group);
        to->group = from->group;
        memcpy(to->raw, from->raw, sizeof to->raw);
    }
    af_rebuild_forget_open(to);
    join_levels(j, from, to);
    /* as if the calls had been open in this stack */
    while (to->capacity < to->counts.max_depth && af_rebuild_grow_stack(j->r, to)) {
    }
    if (to->counts.records == 0) {
        memcpy(to->counts.first, from->counts.first, sizeof to->counts.first);
    }
    to->counts.records += from->counts.records;
    to->counts.calls += from->counts.calls;
    to->counts.unwinds += from->counts.unwinds;
}

/* Releases the rows of the chunk along the way: those that it adds take their place. */
static void join_rows(joining *j)
{
    af_rows *from = &j->chunk->rows;
    af_rows *to = &j->r->rows;
    af_rows_clear_index(from);
    for (uint32_t i = 0; i < from->n; i++) {
        const af_row *row = &from->rows[i];
        if (row->parent != AF_NO_ROW) {
            j->row_of[i] =
                af_rows_find_child(to, j->row_of[row->parent], j->method_of[row->method]);
        }
        if (j->row_of[i] == AF_NO_ROW) {
            j->r->failed = TRUE;
            return;
        }
        af_row *sum = &to->rows[j->row_of[i]];
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            sum->self[c] += row->self[c];
            sum->min[c] = MIN(sum->min[c], row->min[c]);
            sum->max[c] = MAX(sum->max[c], row->max[c]);
        }
        sum->calls += row->calls;
        sum->unwinds += row->unwinds;
        if (i > 0 && i % AF_DROPPED_ROWS == 0) {
            af_rows_drop(from, i - AF_DROPPED_ROWS, i);
        }
    }
}

/* The calls that are open at the end of the range. */
static void join_stack(joining *j, const af_thread_state *from, af_thread_state *to)
{
    for (uint32_t i = 0; i < from->depth && !j->r->failed; i++) {
        if (to->depth == to->capacity && !af_rebuild_grow_stack(j->r, to)) {
            return;
        }
        to->stack[to->depth] = from->stack[i];
        to->stack[to->depth].row = j->row_of[from->stack[i].row];
        to->stack[to->depth++].last = AF_NO_ROW;
    }
}

static void join_counts(af_rebuild *r, const af_rebuild *chunk)
{
    if (r->any && chunk->any) {
        af_rebuild_watch_order(r, r->wall_before, chunk->first_wall);
    } else if (chunk->any) {
        r->any = TRUE;
        r->first_wall = chunk->first_wall;
    }
    if (chunk->any) {
        r->wall_before = chunk->wall_before;
        r->last_wall = chunk->last_wall;
    }
    r->counts.time_ordered &= chunk->counts.time_ordered;
    r->counts.records += chunk->counts.records;
    af_rhythm_add(&r->rhythm, &chunk->rhythm);
}

gboolean af_rebuild_join(af_rebuild *r, af_rebuild *chunk, const uint32_t *thread_of,
                         const uint32_t *method_of, uint32_t n_threads)
{
    joining j = {.r = r, .chunk = chunk, .thread_of = thread_of, .method_of = method_of};
    if (r->failed || r->full || !af_rebuild_grow_threads(r, n_threads)) {
        return TRUE;
    }
    if (!can_join(&j)) {
        return FALSE;
    }
    j.row_of = g_try_malloc_n((size_t)chunk->rows.n + 1, sizeof *j.row_of);
    if (j.row_of == NULL) {
        r->failed = TRUE;
        return TRUE;
    }
    for (unsigned step = 0; step < 2 && !r->failed; step++) {
        for (uint32_t i = 0; i < chunk->n_threads && !r->failed; i++) {
            if (chunk->threads[i].root == AF_NO_ROW) {
                continue;
            }
            if (step == 0) {
                join_thread(&j, &chunk->threads[i], &r->threads[thread_of[i]]);
            } else {
                join_stack(&j, &chunk->threads[i], &r->threads[thread_of[i]]);
            }
        }
        if (step == 0 && !r->failed) {
            join_rows(&j);
        }
    }
    join_counts(r, chunk);
    g_free(j.row_of);
    return TRUE;
}
