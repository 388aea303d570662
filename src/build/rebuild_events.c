/* Takes records: entries and exits of calls, one by one and many at once. */
#include "build/rebuild_state.h"

#include <string.h>

static void count_open(af_rebuild *r, af_thread_state *t, uint32_t method, int step)
{
    if (!af_tally_add(t->open, method, step)) {
        r->failed = TRUE;
    }
}

void af_rebuild_forget_open(af_thread_state *t)
{
    if (t->open != NULL) {
        af_tally_clear(t->open);
        g_clear_pointer(&t->open, g_free);
    }
}

static void enter(af_rebuild *r, af_thread_state *t, uint32_t method)
{
    if (t->depth == t->capacity && !af_rebuild_grow_stack(r, t)) {
        return;
    }
    uint32_t *last = af_rebuild_last(t);
    const uint32_t row = af_rows_enter(&r->rows, af_rebuild_top(t), *last, method);
    *last = row;
    if (row == AF_NO_ROW) {
        af_rebuild_lack_row(r);
        return;
    }
    r->rows.rows[row].calls++;
    t->stack[t->depth++] = (af_open_call){row, AF_NO_ROW, {t->last[AF_WALL], t->last[AF_CPU]}};
    t->counts.calls++;
    t->counts.max_depth = MAX(t->counts.max_depth, t->depth);
    if (t->open != NULL) {
        count_open(r, t, method, 1);
    }
}

static uint32_t top_method(const af_rebuild *r, const af_thread_state *t)
{
    return r->rows.rows[t->stack[t->depth - 1].row].method;
}

void af_rebuild_pop(af_rebuild *r, af_thread_state *t)
{
    const af_open_call *call = &t->stack[--t->depth];
    af_rows_close(&r->rows.rows[call->row], t->last[AF_WALL] - call->start[AF_WALL],
                  t->last[AF_CPU] - call->start[AF_CPU]);
    if (t->open != NULL) {
        count_open(r, t, r->rows.rows[call->row].method, -1);
    }
}

void af_rebuild_adopt(af_rebuild *r, af_thread_state *t, uint32_t method, unsigned action)
{
    const uint32_t root = af_rows_add_root(&r->rows);
    if (root == AF_NO_ROW) {
        af_rebuild_lack_row(r);
        return;
    }
    af_rows_adopt(&r->rows, t->root, root, method);
    r->rows.rows[t->root].calls++;
    r->rows.rows[t->root].unwinds += action == AF_UNWIND;
    af_rows_close(&r->rows.rows[t->root], t->last[AF_WALL] - t->start[AF_WALL],
                  t->last[AF_CPU] - t->start[AF_CPU]);
    t->root = root;
    t->last_outermost = AF_NO_ROW;
    t->counts.calls++;
    t->counts.exits_on_empty++;
    r->rhythm.ruled_out = TRUE;
}

/* In a chunk: ends a call that began before the chunk. */
static void leave_level(af_rebuild *r, af_thread_state *t, uint32_t method, unsigned action)
{
    af_level *level = &AF_ARRAY_AT(&t->levels, af_level, t->levels.n - 1);
    level->method = method;
    level->action = action;
    level->most_open = t->counts.max_depth;
    memcpy(level->end, t->last, sizeof level->end);
    t->counts.max_depth = 0;
    t->root = af_rows_add_root(&r->rows);
    t->last_outermost = AF_NO_ROW;
    af_rebuild_begin_level(r, t);
}

/* Whether an exit can close something: its method is open. Counting by method starts at the first
 * exit that does not match the innermost call, so that many such exits on a deep stack do not each
 * search it. */
static gboolean is_open(af_rebuild *r, af_thread_state *t, uint32_t method)
{
    if (t->open == NULL) {
        t->open = g_new(af_tally, 1);
        af_tally_init(t->open);
        for (uint32_t i = 0; i < t->depth; i++) {
            count_open(r, t, r->rows.rows[t->stack[i].row].method, 1);
        }
    }
    return !r->failed && af_tally_get(t->open, method) > 0;
}

static void leave_odd(af_rebuild *r, af_thread_state *t, uint32_t method, unsigned action,
                      uint64_t offset)
{
    if (r->is_chunk) {
        r->given_up = TRUE;
        return;
    }
    if (!is_open(r, t, method)) {
        t->counts.unmatched_exits++;
        af_warnings_add(r->warnings, AF_WARN_UNMATCHED_EXIT, 1, offset);
        r->failed |= !af_tally_add(&r->missed, method, 1);
        return;
    }
    while (top_method(r, t) != method) {
        af_rebuild_pop(r, t);
        t->counts.missing_exits++;
        af_warnings_add(r->warnings, AF_WARN_MISSING_EXIT, 1, offset);
    }
    r->rows.rows[t->stack[t->depth - 1].row].unwinds += action == AF_UNWIND;
    af_rebuild_pop(r, t);
}

static void count_action(af_rebuild *r, af_thread_state *t, unsigned action, uint64_t offset)
{
    if (action == AF_UNWIND) {
        t->counts.unwinds++;
    } else if (r->ticks.own_ends) {
        t->counts.open_at_end++;
    } else if (r->is_chunk) {
        r->given_up = TRUE; /* too rare to be worth counting here */
    } else {
        r->counts.odd_actions++;
        af_warnings_add(r->warnings, AF_WARN_ODD_ACTION, 1, offset);
    }
}

static void leave(af_rebuild *r, af_thread_state *t, uint32_t method, unsigned action,
                  uint64_t offset)
{
    if (action != AF_EXIT) {
        count_action(r, t, action, offset);
    }
    if (t->depth == 0) {
        if (r->is_chunk) {
            leave_level(r, t, method, action);
        } else {
            af_rebuild_adopt(r, t, method, action);
        }
    } else if (top_method(r, t) == method) {
        if (action == AF_UNWIND) {
            r->rows.rows[t->stack[t->depth - 1].row].unwinds++;
        }
        af_rebuild_pop(r, t);
    } else {
        leave_odd(r, t, method, action, offset);
    }
}

static void take_event(af_rebuild *r, const af_event *event, uint64_t offset)
{
    af_thread_state *t = &r->threads[event->thread];
    if (t->root == AF_NO_ROW) {
        af_rebuild_begin_thread(r, t, event->time);
        if (t->root == AF_NO_ROW) {
            return;
        }
    } else if (event->time[AF_WALL] != t->raw[AF_WALL] || event->time[AF_CPU] != t->raw[AF_CPU]) {
        af_rebuild_end_group(r, t, event->time);
    }
    const uint64_t before[AF_CLOCKS] = {t->last[AF_WALL], t->last[AF_CPU]};
    uint64_t *self = r->rows.rows[af_rebuild_top(t)].self;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        uint64_t time = event->time[c] + t->carry[c];
        if (G_UNLIKELY(time < t->last[c] || time > r->largest_time)) {
            time = af_rebuild_repair_time(r, t, c, event->time[c], offset);
        }
        self[c] += time - t->last[c];
        t->last[c] = time;
    }
    if (t->counts.records++ == 0) {
        memcpy(t->counts.first, t->last, sizeof t->last);
    }

    const uint32_t method = event->call >> 2;
    const unsigned action = event->call & 3;
    t->group = (uint8_t)af_group_add(t->group, action);
    if (action == AF_ENTER) {
        enter(r, t, method);
    } else {
        leave(r, t, method, action, offset);
    }
    if (G_UNLIKELY(r->full)) { /* as if the event did not exist; no row has moved */
        t->counts.records--;
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            self[c] -= t->last[c] - before[c];
            t->last[c] = before[c];
        }
    }
}

/* The fast path takes at most this many events at once, with steps in time below 2^32 ticks. */
#define PLAIN_EVENTS   1024u
#define PLAIN_DURATION ((uint64_t)PLAIN_EVENTS << 32)

/* Whether the events of a thread are suitable for the fast path below. */
static gboolean is_plain(const af_rebuild *r, const af_thread_state *t)
{
    const uint64_t latest = r->largest_time - PLAIN_DURATION;
    return t->root != AF_NO_ROW && t->stack != NULL && t->carry[AF_WALL] == 0 &&
           t->carry[AF_CPU] == 0 && t->last[AF_WALL] == t->raw[AF_WALL] &&
           t->last[AF_CPU] == t->raw[AF_CPU] && t->last[AF_WALL] <= latest &&
           t->last[AF_CPU] <= latest && t->open == NULL && !t->first_group;
}

/* The fast path: entries, and exits of the innermost call, of the thread of the first event, with
 * clocks that go forward. It stops at any other event and returns the number of events that it
 * took. Large traces spend most of their time here, so the state is in local variables, and nothing
 * is counted that can be derived. The outermost level is an open call of a row without a method, so
 * that it needs no checks. `counted`, a constant at each call, is FALSE once the rhythm is
 * decided. */
static G_ALWAYS_INLINE inline size_t take_plain(af_rebuild *r, af_thread_state *t,
                                                const af_event *events, size_t n, gboolean counted)
{
    const uint32_t thread = events[0].thread;
    /* the clock that steps are counted in */
    const uint64_t wall_mask = r->has_wall ? UINT64_MAX : 0;
    uint64_t wall = t->last[AF_WALL], cpu = t->last[AF_CPU];
    af_open_call *const base = t->stack;
    af_open_call *open = base + t->depth; /* after the innermost call */
    af_open_call *highest = base + t->counts.max_depth;
    base[-1] = (af_open_call){t->root, t->last_outermost, {0, 0}};
    af_row *row = &r->rows.rows[open[-1].row];
    unsigned group = t->group;
    uint64_t groups = 0; /* see af_group_packed() */
    const af_event *event = events, *const end = events + MIN(n, PLAIN_EVENTS);
    const af_event *deepest = NULL; /* the event that raised `highest` */
    for (; event < end && event->thread == thread; event++) {
        const uint64_t wall_step = event->time[AF_WALL] - wall;
        const uint64_t cpu_step = event->time[AF_CPU] - cpu;
        const uint32_t method = event->call >> AF_ACTION_BITS;
        const unsigned action = event->call & 3;
        /* a step backward has the highest bits too */
        if (G_UNLIKELY((wall_step | cpu_step) >> 32 != 0)) {
            break;
        }
        if (action == AF_EXIT) {
            if (G_UNLIKELY(row->method != method)) {
                break;
            }
        } else if (G_UNLIKELY(action != AF_ENTER)) {
            break;
        } else if (G_UNLIKELY(open == highest)) {
            if (open == base + t->capacity) {
                break;
            }
            highest++;
            deepest = event;
        }
        if (counted) {
            /* no branch, because a processor cannot predict whether time has passed: a missing
             * step has length 0, and an unfinished group adds nothing to the packed counts */
            const uint64_t over = 0 - (uint64_t)((wall_step | cpu_step) != 0);
            groups += af_group_packed(group) & over;
            group = af_group_add(group & ~(unsigned)over, action);
            af_rhythm_add_step(&r->rhythm, (wall_step & wall_mask) | (cpu_step & ~wall_mask));
        }
        row->self[AF_WALL] += wall_step;
        row->self[AF_CPU] += cpu_step;
        wall += wall_step;
        cpu += cpu_step;
        if (action == AF_ENTER) {
            const uint32_t number = af_rows_enter(&r->rows, open[-1].row, open[-1].last, method);
            open[-1].last = number;
            if (G_UNLIKELY(number == AF_NO_ROW)) {
                af_rebuild_lack_row(r);
                highest -= event == deepest;
                break;
            }
            row = &r->rows.rows[number];
            row->calls++;
            *open++ = (af_open_call){number, AF_NO_ROW, {wall, cpu}};
        } else {
            open--;
            af_rows_close(row, wall - open->start[AF_WALL], cpu - open->start[AF_CPU]);
            row = &r->rows.rows[open[-1].row];
        }
    }
    const size_t taken = (size_t)(event - events);
    if (G_UNLIKELY(r->full)) { /* as if the event did not exist */
        const uint64_t *before = taken > 0 ? event[-1].time : t->last;
        uint64_t *self = r->rows.rows[open[-1].row].self;
        self[AF_WALL] -= wall - before[AF_WALL];
        self[AF_CPU] -= cpu - before[AF_CPU];
        wall = before[AF_WALL];
        cpu = before[AF_CPU];
    }
    /* entries and exits are `taken` together, and differ by how much the stack has grown */
    t->counts.calls += (uint64_t)((int64_t)taken + (open - base) - (int64_t)t->depth) / 2;
    t->counts.records += taken;
    t->counts.max_depth = (uint32_t)(highest - base);
    t->depth = (uint32_t)(open - base);
    t->last_outermost = base[-1].last;
    t->group = (uint8_t)group;
    t->last[AF_WALL] = t->raw[AF_WALL] = wall;
    t->last[AF_CPU] = t->raw[AF_CPU] = cpu;
    af_rhythm_add_packed(&r->rhythm, groups);
    return taken;
}

/* Returns the number of events that took the fast path. */
static size_t take_many(af_rebuild *r, af_thread_state *t, const af_event *events, size_t n)
{
    if (!is_plain(r, t)) {
        return 0;
    }
    return r->rhythm.ruled_out ? take_plain(r, t, events, n, FALSE)
                               : take_plain(r, t, events, n, TRUE);
}

void af_rebuild_runnable(af_rebuild *r, uint32_t thread, uint64_t ticks)
{
    if (r->full || !af_rebuild_grow_threads(r, thread + 1)) {
        return;
    }
    af_thread_state *t = &r->threads[thread];
    t->has_runnable = TRUE;
    if (t->depth > 0) {
        r->rows.rows[af_rebuild_top(t)].runnable += ticks;
    }
}

void af_rebuild_events(af_rebuild *r, const af_event *events, size_t n, uint32_t n_threads,
                       uint64_t offset, uint32_t stride)
{
    if (n == 0 || r->full || !af_rebuild_grow_threads(r, n_threads)) {
        return;
    }
    if (!r->any) {
        r->any = TRUE;
        r->first_wall = r->wall_before = events[0].time[AF_WALL];
    }
    size_t i = 0;
    while (i < n && !r->failed && !r->given_up && !r->full) {
        af_thread_state *t = &r->threads[events[i].thread];
        af_rebuild_record_wall(r, events[i].time[AF_WALL]);
        const size_t taken = take_many(r, t, events + i, n - i);
        if (taken > 0) {
            i += taken;
            r->wall_before = events[i - 1].time[AF_WALL];
        } else if (!r->failed && !r->full) {
            take_event(r, &events[i], offset + i * stride);
            i += !r->full;
        }
        r->last_wall = t->last[AF_WALL];
    }
    if (r->full && r->warnings->count[AF_WARN_MEMORY_LIMIT] == 0) {
        af_warnings_add(r->warnings, AF_WARN_MEMORY_LIMIT, 1,
                        offset == AF_NO_OFFSET ? offset : offset + i * stride);
    }
    r->counts.records += i;
    if (r->ticks.most_records > 0 && !r->rhythm.ruled_out) {
        af_rhythm_look_ahead(&r->rhythm, r->ticks.most_records);
    }
}
