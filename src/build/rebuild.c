#include "build/rebuild_state.h"

#include <string.h>

#define WRAP_SPAN      (UINT64_C(1) << 32)
#define HALF_WRAP      (UINT64_C(1) << 31)
#define FIRST_STACK    8u
#define NO_CPU_BASE_NS UINT64_C(1000000)

static af_rebuild *make(const af_ticks *ticks, af_warnings *warnings, gboolean chunk)
{
    af_rebuild *r = g_new0(af_rebuild, 1);
    r->ticks = *ticks;
    r->largest_time = ticks->settled ? UINT64_MAX : AF_LARGEST_TIME_NS / ticks->tick_ns;
    r->is_chunk = chunk;
    r->warnings = warnings;
    r->has_wall = (ticks->clocks >> AF_WALL & 1) != 0;
    r->counts.time_ordered = TRUE;
    af_tally_init(&r->missed);
    af_rows_init(&r->rows);
    af_row_path_init(&r->sampled);
    return r;
}

af_rebuild *af_rebuild_new(const af_ticks *ticks, af_warnings *warnings)
{
    return make(ticks, warnings, FALSE);
}

af_rebuild *af_rebuild_new_chunk(const af_ticks *ticks, af_warnings *warnings)
{
    return make(ticks, warnings, TRUE);
}

void af_rebuild_free(af_rebuild *r)
{
    if (r == NULL) {
        return;
    }
    for (uint32_t i = 0; i < r->n_threads; i++) {
        af_rebuild_free_stack(&r->threads[i]);
        g_free(r->threads[i].earlier);
        af_rebuild_forget_open(&r->threads[i]);
        af_array_clear(&r->threads[i].levels);
    }
    g_free(r->threads);
    af_rows_clear(&r->rows);
    af_row_path_clear(&r->sampled);
    af_rhythm_clear(&r->rhythm);
    af_tally_clear(&r->missed);
    g_free(r);
}

static void limit_rows(af_rebuild *r)
{
    af_rows_limit(&r->rows,
                  r->most_bytes == 0
                      ? UINT64_MAX
                      : (r->most_bytes - MIN(r->most_bytes, r->other_bytes)) / AF_NODE_BYTES);
}

void af_rebuild_limit(af_rebuild *r, uint64_t most_bytes)
{
    r->most_bytes = most_bytes;
    limit_rows(r);
}

gboolean af_rebuild_reserve(af_rebuild *r, uint64_t bytes)
{
    if (r->most_bytes == 0) {
        return TRUE;
    }
    if (r->other_bytes + bytes + r->rows.n * AF_NODE_BYTES > r->most_bytes) {
        r->full = TRUE;
        return FALSE;
    }
    r->other_bytes += bytes;
    limit_rows(r);
    return TRUE;
}

void af_rebuild_lack_row(af_rebuild *r)
{
    if (r->rows.failed) {
        r->failed = TRUE;
    } else {
        r->full = TRUE;
    }
}

gboolean af_rebuild_is_full(const af_rebuild *r)
{
    return r->full;
}

gboolean af_rebuild_grow_threads(af_rebuild *r, uint32_t n)
{
    if (n <= r->n_threads) {
        return TRUE;
    }
    /* doubled, because threads appear gradually */
    const uint32_t capacity = MAX(n, r->n_threads * 2);
    af_thread_state *threads = g_try_realloc_n(r->threads, capacity, sizeof *threads);
    if (threads == NULL) {
        r->failed = TRUE;
        return FALSE;
    }
    r->threads = threads;
    for (uint32_t i = r->n_threads; i < capacity; i++) {
        threads[i] = (af_thread_state){.root = AF_NO_ROW, .levels = {.size = sizeof(af_level)}};
    }
    r->n_threads = capacity;
    return TRUE;
}

gboolean af_rebuild_grow_stack(af_rebuild *r, af_thread_state *t)
{
    const uint64_t capacity = t->capacity == 0 ? FIRST_STACK : (uint64_t)t->capacity * 2;
    if (!af_rebuild_reserve(r, (capacity - t->capacity) * sizeof(af_open_call))) {
        return FALSE;
    }
    af_open_call *stack =
        capacity > UINT32_MAX
            ? NULL
            : g_try_realloc_n(t->stack == NULL ? NULL : t->stack - 1, capacity + 1, sizeof *stack);
    if (stack == NULL) {
        r->failed = TRUE;
        return FALSE;
    }
    t->stack = stack + 1;
    t->capacity = (uint32_t)capacity;
    return TRUE;
}

void af_rebuild_free_stack(af_thread_state *t)
{
    if (t->stack != NULL) {
        g_free(t->stack - 1);
    }
    t->stack = NULL;
    t->depth = t->capacity = 0;
}

static gboolean may_wrap(af_rebuild *r)
{
    if (r->ticks.ask != NULL) {
        r->ticks.ask(r->ticks.user, &r->ticks);
        r->ticks.ask = NULL;
    }
    return r->ticks.wraps && (!r->ticks.has_elapsed || r->ticks.elapsed_ticks >= WRAP_SPAN);
}

/* A thread may begin after a wrap. If the file is ordered by time, the last wall time of any thread
 * gives the number of wraps; otherwise it is unknown. */
static void lift_thread(af_rebuild *r, af_thread_state *t, uint64_t raw)
{
    if (!r->counts.time_ordered || r->last_wall < WRAP_SPAN || !may_wrap(r)) {
        return;
    }
    const uint64_t turns = (r->last_wall - raw + HALF_WRAP) / WRAP_SPAN;
    if (turns > 0) {
        t->carry[AF_WALL] = turns * WRAP_SPAN;
        r->counts.lifted_threads++;
    }
}

void af_rebuild_begin_level(af_rebuild *r, af_thread_state *t)
{
    af_level *level = af_array_add(&t->levels, 1);
    if (level == NULL || t->root == AF_NO_ROW) {
        r->failed = TRUE;
    } else {
        level->row = t->root;
    }
}

void af_rebuild_begin_thread(af_rebuild *r, af_thread_state *t, const uint64_t raw[AF_CLOCKS])
{
    if (!af_rebuild_reserve(r, AF_THREAD_BYTES)) {
        return;
    }
    t->root = t->first_root = af_rows_add_root(&r->rows);
    t->last_outermost = AF_NO_ROW;
    if (t->root == AF_NO_ROW) {
        af_rebuild_lack_row(r);
        return;
    }
    memcpy(t->raw, raw, sizeof t->raw);
    if (r->is_chunk) {
        /* the part before is added when the chunk is joined */
        memcpy(t->last, raw, sizeof t->last);
        memcpy(t->first_raw, raw, sizeof t->first_raw);
        t->first_group = TRUE;
        af_rebuild_begin_level(r, t);
        return;
    }
    if (r->has_wall) {
        lift_thread(r, t, raw[AF_WALL]);
    }
    /* ART does not reset a thread's CPU clock between two traces of one process */
    const uint64_t cpu = MIN(raw[AF_CPU], r->largest_time);
    t->start[AF_WALL] = 0;
    t->start[AF_CPU] = cpu * r->ticks.tick_ns <= NO_CPU_BASE_NS ? 0 : cpu;
    memcpy(t->last, t->start, sizeof t->last);
}

uint64_t af_rebuild_repair_time(af_rebuild *r, af_thread_state *t, unsigned clock, uint64_t raw,
                                uint64_t offset)
{
    const uint64_t last = t->last[clock];
    uint64_t time = raw + t->carry[clock];
    if (r->is_chunk) {
        r->given_up = TRUE;
        return last;
    }
    if (time < last && last - time > HALF_WRAP && may_wrap(r)) {
        t->carry[clock] += WRAP_SPAN;
        time += WRAP_SPAN;
        r->counts.wraps++;
        af_warnings_add(r->warnings, AF_WARN_WRAP, 1, offset);
    }
    if (time >= last && time <= r->largest_time) {
        return time;
    }
    r->counts.backward_steps++;
    af_warnings_add(r->warnings, AF_WARN_BACKWARD_STEP, 1, offset);
    return last;
}

void af_rebuild_watch_order(af_rebuild *r, uint64_t before, uint64_t raw)
{
    if (raw < before && before - raw > UINT64_C(1000000000) / r->ticks.tick_ns &&
        before - raw <= HALF_WRAP) {
        r->counts.time_ordered = FALSE;
    }
}

void af_rebuild_end_group(af_rebuild *r, af_thread_state *t, const uint64_t raw[AF_CLOCKS])
{
    const unsigned clock = r->has_wall ? AF_WALL : AF_CPU;
    if (t->first_group) {
        t->before = t->group;
        t->first_group = FALSE;
    } else {
        af_rhythm_add_group(&r->rhythm, t->group);
    }
    if (raw[clock] > t->raw[clock]) {
        af_rhythm_add_step(&r->rhythm, raw[clock] - t->raw[clock]);
    }
    t->group = 0;
    memcpy(t->raw, raw, sizeof t->raw);
}

void af_rebuild_end_early(af_rebuild *r)
{
    r->ended_early = TRUE;
}

void af_rebuild_set_elapsed(af_rebuild *r, const af_ticks *ticks)
{
    r->ticks.has_elapsed = ticks->has_elapsed;
    r->ticks.elapsed_ticks = ticks->elapsed_ticks;
    r->ticks.ask = NULL;
}

gboolean af_rebuild_gave_up(const af_rebuild *r)
{
    return r->given_up || r->failed || r->full;
}

size_t af_rebuild_n_paths(const af_rebuild *r)
{
    return r->rows.n;
}
