#include "model/rebuild.h"

#include <stdlib.h>
#include <string.h>

#include "base/wide.h"
#include "model/rhythm.h"

/* Times above this are no times: 213 days in nanoseconds, with room for the thousandfold. What
 * lies above counts as a step backward. */
#define LARGEST_TIME_NS (UINT64_MAX / 1000)

#define WRAP_SPAN     (UINT64_C(1) << 32)
#define HALF_WRAP     (UINT64_C(1) << 31)
#define FIRST_NODES   1024u
#define MOST_NODES    (UINT32_MAX - 1)
#define FIRST_STACK   64u
#define NO_CPU_BASE_NS UINT64_C(1000000)

/* One row of the tree while it grows. A root belongs to no call: it stands for the outermost level
 * of its thread and its self time is what lies between outermost calls. When a call turns out to
 * have been open since before the trace, the root becomes that call and a new root takes its
 * place, so that adopting costs nothing however much is adopted. */
typedef struct {
    uint32_t parent; /* AF_NO_NODE: a root */
    uint32_t method; /* of a root: AF_NO_LABEL */
    uint64_t calls, unwinds;
    uint64_t self[AF_CLOCKS], min[AF_CLOCKS], max[AF_CLOCKS]; /* ticks */
} tree_row;

typedef struct {
    uint32_t node, method;
    uint64_t start[AF_CLOCKS];
} open_call;

typedef struct {
    open_call *stack;
    uint32_t depth, capacity;
    uint32_t root;                /* the outermost level; AF_NO_NODE before the first record */
    uint64_t last[AF_CLOCKS];     /* repaired time of the last record */
    uint64_t raw[AF_CLOCKS];      /* the same as the file has it */
    uint64_t offset[AF_CLOCKS];   /* added to raw times: 2^32 for each wrap */
    uint64_t start[AF_CLOCKS];    /* when a call began that was open before the trace */
    af_group group;
    GHashTable *open;             /* method -> how often it is open; NULL until an exit misses */
    uint32_t first_root;          /* innermost of the roots that became calls, or the root */
    af_thread_counts counts;
} thread_state;

struct af_rebuild {
    af_ticks ticks;
    uint64_t largest_time;
    af_warnings *warnings;
    tree_row *rows;
    uint32_t n_rows, row_capacity;
    uint32_t *slots; /* row + 1 by (parent, method); 0 = free */
    uint32_t slot_mask;
    thread_state *threads;
    uint32_t n_threads;
    af_rhythm rhythm;
    af_trace_counts counts;
    gboolean has_wall_before;
    uint64_t wall_before; /* raw wall time of the record before, any thread */
    uint64_t last_wall;   /* the same, repaired */
    GHashTable *missed;   /* methods that only exits without a call name */
    gboolean failed;
};

af_rebuild *af_rebuild_new(const af_ticks *ticks, af_warnings *warnings)
{
    af_rebuild *r = g_new0(af_rebuild, 1);
    r->ticks = *ticks;
    r->largest_time = LARGEST_TIME_NS / ticks->tick_ns;
    r->warnings = warnings;
    r->counts.time_ordered = TRUE;
    r->missed = g_hash_table_new(NULL, NULL);
    return r;
}

void af_rebuild_free(af_rebuild *r)
{
    if (r == NULL) {
        return;
    }
    for (uint32_t i = 0; i < r->n_threads; i++) {
        g_free(r->threads[i].stack);
        g_clear_pointer(&r->threads[i].open, g_hash_table_unref);
    }
    g_free(r->threads);
    g_free(r->rows);
    g_free(r->slots);
    af_rhythm_clear(&r->rhythm);
    g_hash_table_unref(r->missed);
    g_free(r);
}

static uint32_t hash_child(uint32_t parent, uint32_t method)
{
    uint64_t h = ((uint64_t)parent << 32 | method) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(h >> 32);
}

static void put_slot(af_rebuild *r, uint32_t row)
{
    uint32_t at = hash_child(r->rows[row].parent, r->rows[row].method) & r->slot_mask;
    while (r->slots[at] != 0) {
        at = (at + 1) & r->slot_mask;
    }
    r->slots[at] = row + 1;
}

static gboolean grow_slots(af_rebuild *r)
{
    uint64_t n = r->slots == NULL ? 4 * FIRST_NODES : ((uint64_t)r->slot_mask + 1) * 2;
    uint32_t *slots = n > UINT32_MAX ? NULL : g_try_malloc0_n(n, sizeof *slots);
    if (slots == NULL) {
        return FALSE;
    }
    g_free(r->slots);
    r->slots = slots;
    r->slot_mask = (uint32_t)(n - 1);
    for (uint32_t i = 0; i < r->n_rows; i++) {
        if (r->rows[i].parent != AF_NO_NODE) {
            put_slot(r, i);
        }
    }
    return TRUE;
}

/* A new row, not yet found by its parent and method; AF_NO_NODE if memory is refused. */
static uint32_t add_row(af_rebuild *r, uint32_t parent, uint32_t method)
{
    if (r->n_rows == r->row_capacity) {
        uint64_t capacity = r->row_capacity == 0 ? FIRST_NODES : (uint64_t)r->row_capacity * 3 / 2;
        capacity = MIN(capacity, MOST_NODES);
        tree_row *rows = r->n_rows == MOST_NODES
                             ? NULL
                             : g_try_realloc_n(r->rows, capacity, sizeof *rows);
        if (rows == NULL) {
            r->failed = TRUE;
            return AF_NO_NODE;
        }
        r->rows = rows;
        r->row_capacity = (uint32_t)capacity;
    }
    r->rows[r->n_rows] = (tree_row){.parent = parent,
                                    .method = method,
                                    .min = {UINT64_MAX, UINT64_MAX}};
    return r->n_rows++;
}

static gboolean index_row(af_rebuild *r, uint32_t row)
{
    if ((r->slots == NULL || r->n_rows > r->slot_mask / 2) && !grow_slots(r)) {
        r->failed = TRUE;
        return FALSE;
    }
    put_slot(r, row);
    return TRUE;
}

static inline uint32_t find_child(const af_rebuild *r, uint32_t parent, uint32_t method)
{
    if (r->slots == NULL) {
        return AF_NO_NODE;
    }
    for (uint32_t at = hash_child(parent, method) & r->slot_mask; r->slots[at] != 0;
         at = (at + 1) & r->slot_mask) {
        const uint32_t row = r->slots[at] - 1;
        if (r->rows[row].parent == parent && r->rows[row].method == method) {
            return row;
        }
    }
    return AF_NO_NODE;
}

static uint32_t take_child(af_rebuild *r, uint32_t parent, uint32_t method)
{
    uint32_t row = find_child(r, parent, method);
    if (row != AF_NO_NODE) {
        return row;
    }
    /* room in the index first, so that a refusal leaves no row that cannot be found again */
    if ((r->slots == NULL || r->n_rows + 1 > r->slot_mask / 2) && !grow_slots(r)) {
        r->failed = TRUE;
        return AF_NO_NODE;
    }
    row = add_row(r, parent, method);
    if (row != AF_NO_NODE) {
        put_slot(r, row);
    }
    return row;
}

static gboolean grow_threads(af_rebuild *r, uint32_t n)
{
    if (n <= r->n_threads) {
        return TRUE;
    }
    thread_state *threads = g_try_realloc_n(r->threads, n, sizeof *threads);
    if (threads == NULL) {
        r->failed = TRUE;
        return FALSE;
    }
    r->threads = threads;
    for (uint32_t i = r->n_threads; i < n; i++) {
        threads[i] = (thread_state){.root = AF_NO_NODE};
    }
    r->n_threads = n;
    return TRUE;
}

/* ---- clocks ---- */

/* A thread may begin after a wrap. In a file in order of time the last wall time of the file tells
 * how often the clock has run over; else the smallest offset is taken. */
static void lift_thread(af_rebuild *r, thread_state *t, uint64_t raw)
{
    const gboolean possible = !r->ticks.has_elapsed || r->ticks.elapsed_ticks >= WRAP_SPAN;
    if (!r->ticks.wraps || !possible || !r->counts.time_ordered || r->last_wall < WRAP_SPAN) {
        return;
    }
    uint64_t turns = (r->last_wall - raw + HALF_WRAP) / WRAP_SPAN;
    if (turns > 0) {
        t->offset[AF_WALL] = turns * WRAP_SPAN;
        r->counts.lifted_threads++;
    }
}

static void begin_thread(af_rebuild *r, thread_state *t, const af_event *event)
{
    t->root = t->first_root = add_row(r, AF_NO_NODE, AF_NO_LABEL);
    if ((r->ticks.clocks >> AF_WALL & 1) != 0) {
        lift_thread(r, t, event->time[AF_WALL]);
    }
    /* ART does not reset a thread's CPU clock between two traces of one process */
    uint64_t cpu = MIN(event->time[AF_CPU], r->largest_time);
    t->start[AF_WALL] = 0;
    t->start[AF_CPU] = cpu * r->ticks.tick_ns <= NO_CPU_BASE_NS ? 0 : cpu;
    t->last[AF_WALL] = t->start[AF_WALL];
    t->last[AF_CPU] = t->start[AF_CPU];
}

/* The time of a record whose clock seems to run backward. */
static uint64_t repair_time(af_rebuild *r, thread_state *t, unsigned clock, uint64_t raw,
                            uint64_t place)
{
    const uint64_t last = t->last[clock];
    uint64_t time = raw + t->offset[clock];
    const gboolean possible = !r->ticks.has_elapsed || r->ticks.elapsed_ticks >= WRAP_SPAN;
    if (time < last && r->ticks.wraps && possible && last - time > HALF_WRAP) {
        t->offset[clock] += WRAP_SPAN;
        time += WRAP_SPAN;
        r->counts.wraps++;
        af_warnings_add(r->warnings, AF_WARN_WRAP, 1, place);
    }
    if (time >= last && time <= r->largest_time) {
        return time;
    }
    if (time < last) {
        r->counts.most_backward_ticks = MAX(r->counts.most_backward_ticks, last - time);
    }
    r->counts.backward_steps++;
    af_warnings_add(r->warnings, AF_WARN_BACKWARD_STEP, 1, place);
    return last;
}

/* ---- groups of equal times ---- */

static void begin_group(af_rebuild *r, thread_state *t, const af_event *event)
{
    if (t->group.size > 0) {
        af_rhythm_add_group(&r->rhythm, &t->group);
        const unsigned clock = (r->ticks.clocks >> AF_WALL & 1) != 0 ? AF_WALL : AF_CPU;
        if (event->time[clock] > t->raw[clock]) {
            af_rhythm_add_step(&r->rhythm, event->time[clock] - t->raw[clock]);
        }
    }
    t->group = (af_group){0};
    t->raw[AF_WALL] = event->time[AF_WALL];
    t->raw[AF_CPU] = event->time[AF_CPU];
}

/* ---- calls ---- */

static inline void close_call(tree_row *row, const uint64_t start[AF_CLOCKS],
                              const uint64_t end[AF_CLOCKS])
{
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        const uint64_t time = end[c] - start[c];
        row->min[c] = MIN(row->min[c], time);
        row->max[c] = MAX(row->max[c], time);
    }
}

static void count_open(thread_state *t, uint32_t method, int step)
{
    gpointer key = GUINT_TO_POINTER(method);
    const int n = GPOINTER_TO_INT(g_hash_table_lookup(t->open, key)) + step;
    if (n == 0) {
        g_hash_table_remove(t->open, key);
    } else {
        g_hash_table_insert(t->open, key, GINT_TO_POINTER(n));
    }
}

static gboolean grow_stack(af_rebuild *r, thread_state *t)
{
    const uint64_t capacity = t->capacity == 0 ? FIRST_STACK : (uint64_t)t->capacity * 2;
    open_call *stack = capacity > UINT32_MAX
                           ? NULL
                           : g_try_realloc_n(t->stack, capacity, sizeof *stack);
    if (stack == NULL) {
        r->failed = TRUE;
        return FALSE;
    }
    t->stack = stack;
    t->capacity = (uint32_t)capacity;
    return TRUE;
}

static inline uint32_t top_node(const thread_state *t)
{
    return t->depth > 0 ? t->stack[t->depth - 1].node : t->root;
}

static void enter(af_rebuild *r, thread_state *t, uint32_t method)
{
    const uint32_t node = take_child(r, top_node(t), method);
    if (node == AF_NO_NODE || (t->depth == t->capacity && !grow_stack(r, t))) {
        return;
    }
    r->rows[node].calls++;
    t->stack[t->depth++] = (open_call){
        .node = node, .method = method, .start = {t->last[AF_WALL], t->last[AF_CPU]}};
    t->counts.calls++;
    if (t->depth > t->counts.max_depth) {
        t->counts.max_depth = t->depth;
    }
    if (t->open != NULL) {
        count_open(t, method, 1);
    }
}

static void pop(af_rebuild *r, thread_state *t)
{
    const open_call *call = &t->stack[--t->depth];
    close_call(&r->rows[call->node], call->start, t->last);
    if (t->open != NULL) {
        count_open(t, call->method, -1);
    }
}

/* An exit on an empty stack: the outermost level becomes the call that ends here. */
static void adopt(af_rebuild *r, thread_state *t, uint32_t method, unsigned action)
{
    const uint32_t root = add_row(r, AF_NO_NODE, AF_NO_LABEL);
    if (root == AF_NO_NODE) {
        return;
    }
    tree_row *row = &r->rows[t->root];
    row->parent = root;
    row->method = method;
    row->calls = 1;
    row->unwinds = action == AF_UNWIND;
    close_call(row, t->start, t->last);
    if (!index_row(r, t->root)) {
        return;
    }
    t->root = root;
    t->counts.calls++;
    t->counts.exits_on_empty++;
    r->rhythm.ruled_out = TRUE;
}

/* Whether an exit can close something: its method is open. The counts by method are made when the
 * first exit does not match the innermost call, so that many such exits on a deep stack do not
 * each search it. */
static gboolean is_open(thread_state *t, uint32_t method)
{
    if (t->open == NULL) {
        t->open = g_hash_table_new(NULL, NULL);
        for (uint32_t i = 0; i < t->depth; i++) {
            count_open(t, t->stack[i].method, 1);
        }
    }
    return g_hash_table_contains(t->open, GUINT_TO_POINTER(method));
}

static void leave_odd(af_rebuild *r, thread_state *t, uint32_t method, unsigned action,
                      uint64_t place)
{
    if (!is_open(t, method)) {
        t->counts.unmatched_exits++;
        af_warnings_add(r->warnings, AF_WARN_UNMATCHED_EXIT, 1, place);
        g_hash_table_add(r->missed, GUINT_TO_POINTER(method));
        return;
    }
    while (t->stack[t->depth - 1].method != method) {
        pop(r, t);
        t->counts.missing_exits++;
        af_warnings_add(r->warnings, AF_WARN_MISSING_EXIT, 1, place);
    }
    r->rows[t->stack[t->depth - 1].node].unwinds += action == AF_UNWIND;
    pop(r, t);
}

static inline void leave(af_rebuild *r, thread_state *t, uint32_t method, unsigned action,
                         uint64_t place)
{
    if (action != AF_EXIT) {
        t->counts.unwinds += action == AF_UNWIND;
        if (action == AF_ODD_EXIT) {
            r->counts.odd_actions++;
            af_warnings_add(r->warnings, AF_WARN_ODD_ACTION, 1, place);
        }
    }
    if (t->depth == 0) {
        adopt(r, t, method, action);
    } else if (t->stack[t->depth - 1].method == method) {
        r->rows[t->stack[t->depth - 1].node].unwinds += action == AF_UNWIND;
        pop(r, t);
    } else {
        leave_odd(r, t, method, action, place);
    }
}

/* D11: whether the file is in order of time, give or take a second. */
static inline void watch_order(af_rebuild *r, uint64_t raw)
{
    if (raw < r->wall_before && r->has_wall_before) {
        const uint64_t back = r->wall_before - raw;
        if (back > UINT64_C(1000000000) / r->ticks.tick_ns && back <= HALF_WRAP) {
            r->counts.time_ordered = FALSE;
        }
    }
    r->wall_before = raw;
    r->has_wall_before = TRUE;
}

static void take_event(af_rebuild *r, const af_event *event, uint64_t place)
{
    thread_state *t = &r->threads[event->thread];
    if (t->root == AF_NO_NODE) {
        begin_thread(r, t, event);
        if (r->failed) {
            return;
        }
    }
    uint64_t *self = r->rows[top_node(t)].self;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        uint64_t time = event->time[c] + t->offset[c];
        if (G_UNLIKELY(time < t->last[c] || time > r->largest_time)) {
            time = repair_time(r, t, c, event->time[c], place);
        }
        self[c] += time - t->last[c];
        t->last[c] = time;
    }
    if (t->counts.records++ == 0) {
        memcpy(t->counts.first, t->last, sizeof t->last);
    }
    if (event->time[AF_WALL] != t->raw[AF_WALL] || event->time[AF_CPU] != t->raw[AF_CPU] ||
        t->group.size == 0) {
        begin_group(r, t, event);
    }
    t->group.size++;
    r->last_wall = t->last[AF_WALL];

    const uint32_t method = event->call >> 2;
    const unsigned action = event->call & 3;
    if (action == AF_ENTER) {
        t->group.entered = 1;
        enter(r, t, method);
    } else {
        t->group.enter_exit |= t->group.entered;
        leave(r, t, method, action, place);
    }
}

void af_rebuild_events(af_rebuild *r, const af_event *events, size_t n, uint32_t n_threads,
                       uint64_t place, uint32_t stride)
{
    if (!grow_threads(r, n_threads)) {
        return;
    }
    const gboolean wall = (r->ticks.clocks >> AF_WALL & 1) != 0;
    for (size_t i = 0; i < n && !r->failed; i++) {
        if (wall) {
            watch_order(r, events[i].time[AF_WALL]);
        }
        take_event(r, &events[i], place + i * stride);
    }
    r->counts.records += n;
}

/* ---- the end ---- */

/* Android 16 builds of 2025 write wall times 1000 times too small. CPU time can never exceed wall
 * time in reality, so more than ten times as much gives them away. */
static gboolean is_thousandfold(const af_rebuild *r)
{
    af_u128 span[AF_CLOCKS] = {0, 0};
    if (r->ticks.clocks != (1u << AF_WALL | 1u << AF_CPU)) {
        return FALSE;
    }
    for (uint32_t i = 0; i < r->n_threads; i++) {
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            span[c] += r->threads[i].last[c] - r->threads[i].counts.first[c];
        }
    }
    const uint64_t least_ns = UINT64_C(10000000);
    return span[AF_CPU] > 10 * span[AF_WALL] && span[AF_CPU] * r->ticks.tick_ns > least_ns;
}

static void close_thread(af_rebuild *r, thread_state *t, gboolean exited)
{
    memcpy(t->counts.last, t->last, sizeof t->last);
    t->counts.open_at_end = t->depth;
    if (t->group.size > 0) {
        af_rhythm_add_group(&r->rhythm, &t->group);
    }
    if (!exited && (r->ticks.clocks >> AF_WALL & 1) != 0) {
        r->rows[top_node(t)].self[AF_WALL] += r->counts.end_ticks - t->last[AF_WALL];
        t->last[AF_WALL] = r->counts.end_ticks;
    }
    while (t->depth > 0) {
        pop(r, t);
    }
}

gboolean af_rebuild_finish(af_rebuild *r, const gboolean *exited, uint32_t n_threads)
{
    if (!grow_threads(r, n_threads) || r->failed) {
        return FALSE;
    }
    uint64_t end = r->ticks.has_elapsed ? MIN(r->ticks.elapsed_ticks, r->largest_time) : 0;
    for (uint32_t i = 0; i < r->n_threads; i++) {
        end = MAX(end, r->threads[i].last[AF_WALL]);
    }
    r->counts.end_ticks = end;
    r->counts.thousandfold = is_thousandfold(r);
    for (uint32_t i = 0; i < n_threads; i++) {
        if (r->threads[i].root != AF_NO_NODE) {
            close_thread(r, &r->threads[i], exited[i]);
        }
    }
    r->counts.sampled = af_rhythm_is_sampled(&r->rhythm, r->counts.records);
    r->counts.interval_ticks = r->counts.sampled ? af_rhythm_interval(&r->rhythm) : 0;
    return TRUE;
}

const af_thread_counts *af_rebuild_thread(const af_rebuild *r, uint32_t thread)
{
    return &r->threads[thread].counts;
}

const af_trace_counts *af_rebuild_trace(const af_rebuild *r)
{
    return &r->counts;
}

gboolean af_rebuild_uses(const af_rebuild *r, uint32_t method)
{
    return g_hash_table_contains(r->missed, GUINT_TO_POINTER(method));
}

/* ---- trees ---- */

/* The rows in an order in which parents come first: roots from the outermost inwards, then all
 * others as they were made. Returns NULL if memory is refused. */
static uint32_t *order_rows(const af_rebuild *r)
{
    uint32_t *order = g_try_malloc_n((size_t)r->n_rows + 1, sizeof *order);
    guint8 *placed = g_try_malloc0_n((size_t)r->n_rows + 1, 1);
    if (order == NULL || placed == NULL) {
        g_free(order);
        g_free(placed);
        return NULL;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n_threads; i++) {
        /* from the innermost outwards, then turned round */
        const uint32_t begin = n;
        for (uint32_t row = r->threads[i].root == AF_NO_NODE ? AF_NO_NODE : r->threads[i].first_root;
             row != AF_NO_NODE; row = r->rows[row].parent) {
            order[n++] = row;
            placed[row] = 1;
        }
        for (uint32_t a = begin, b = n; a + 1 < b; a++) {
            const uint32_t row = order[a];
            order[a] = order[--b];
            order[b] = row;
        }
    }
    for (uint32_t row = 0; row < r->n_rows; row++) {
        if (!placed[row]) {
            order[n++] = row;
        }
    }
    g_free(placed);
    return order;
}

/* For each row its number in the walk that visits a node and then its children in order of their
 * first call; all threads one behind the other. `sizes` receives the rows below and with each. */
static void number_rows(const af_rebuild *r, const uint32_t *order, uint32_t *sizes,
                        uint32_t *numbers, uint32_t *next)
{
    for (uint32_t i = 0; i < r->n_rows; i++) {
        sizes[i] = 1;
    }
    for (uint32_t i = r->n_rows; i-- > 0;) {
        const uint32_t parent = r->rows[order[i]].parent;
        if (parent != AF_NO_NODE) {
            sizes[parent] += sizes[order[i]];
        }
    }
    uint32_t base = 0;
    for (uint32_t i = 0; i < r->n_rows; i++) {
        const uint32_t row = order[i], parent = r->rows[row].parent;
        if (parent == AF_NO_NODE) {
            numbers[row] = base;
            base += sizes[row];
        } else {
            numbers[row] = next[parent];
            next[parent] += sizes[row];
        }
        next[row] = numbers[row] + 1;
    }
}

static void fill_tree(const af_rebuild *r, af_tree *tree, uint32_t node, uint32_t base,
                      const tree_row *row, const uint32_t *numbers)
{
    tree->parent[node] = row->parent == AF_NO_NODE ? AF_NO_NODE : numbers[row->parent] - base;
    tree->label[node] = row->method;
    tree->calls[node] = row->calls;
    tree->unwinds[node] = row->unwinds;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (tree->self[c] == NULL) {
            continue;
        }
        const uint64_t scale =
            (uint64_t)r->ticks.tick_ns * (c == AF_WALL && r->counts.thousandfold ? 1000 : 1);
        tree->self[c][node] = row->parent == AF_NO_NODE ? 0 : row->self[c] * scale;
        tree->min[c][node] = row->calls == 0 ? 0 : row->min[c] * scale;
        tree->max[c][node] = row->max[c] * scale;
    }
}

/* A thread is known by its outermost root; its rows have the numbers from `base` on. */
static gboolean make_trees(const af_rebuild *r, const uint32_t *sizes, const uint32_t *numbers,
                           af_tree **trees, uint32_t n_threads)
{
    uint32_t *row_of = g_try_malloc_n((size_t)r->n_rows + 1, sizeof *row_of);
    if (row_of == NULL) {
        return FALSE;
    }
    for (uint32_t row = 0; row < r->n_rows; row++) {
        row_of[numbers[row]] = row;
    }
    gboolean ok = TRUE;
    for (uint32_t i = 0; i < n_threads && ok; i++) {
        const uint32_t root = r->threads[i].root;
        const uint32_t size = root == AF_NO_NODE ? 1 : sizes[root];
        const uint32_t base = root == AF_NO_NODE ? 0 : numbers[root];
        trees[i] = af_tree_new(size, r->ticks.clocks);
        ok = trees[i] != NULL;
        for (uint32_t node = 0; ok && root != AF_NO_NODE && node < size; node++) {
            fill_tree(r, trees[i], node, base, &r->rows[row_of[base + node]], numbers);
        }
        if (ok) {
            trees[i]->parent[0] = AF_NO_NODE;
            trees[i]->label[0] = AF_NO_LABEL;
            af_tree_sum(trees[i]);
        }
    }
    g_free(row_of);
    return ok;
}

gboolean af_rebuild_trees(af_rebuild *r, af_tree **trees, uint32_t n_threads)
{
    memset(trees, 0, n_threads * sizeof *trees);
    g_clear_pointer(&r->slots, g_free);
    uint32_t *order = order_rows(r);
    uint32_t *sizes = g_try_malloc_n((size_t)r->n_rows + 1, sizeof *sizes);
    uint32_t *numbers = g_try_malloc_n((size_t)r->n_rows + 1, sizeof *numbers);
    uint32_t *next = g_try_malloc0_n((size_t)r->n_rows + 1, sizeof *next);
    gboolean ok = order != NULL && sizes != NULL && numbers != NULL && next != NULL;
    if (ok) {
        number_rows(r, order, sizes, numbers, next);
        g_clear_pointer(&next, g_free);
        g_clear_pointer(&order, g_free);
        ok = make_trees(r, sizes, numbers, trees, n_threads);
    }
    for (uint32_t i = 0; !ok && i < n_threads; i++) {
        g_clear_pointer(&trees[i], af_tree_free);
    }
    g_free(order);
    g_free(sizes);
    g_free(numbers);
    g_free(next);
    return ok;
}
