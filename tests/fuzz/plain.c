#include "plain.h"

#include <stdlib.h>
#include <string.h>

#include "base/wide.h"
#include "fuzz.h"

#define TURN (UINT64_C(1) << 32)

static plain_node *make_node(plain_node *parent, uint32_t method)
{
    plain_node *node = g_new0(plain_node, 1);
    node->method = method;
    node->parent = parent;
    node->children = g_ptr_array_new();
    node->min[0] = node->min[1] = UINT64_MAX;
    if (parent != NULL) {
        g_ptr_array_add(parent->children, node);
    }
    return node;
}

void plain_init(plain_rebuild *plain, const af_ticks *ticks)
{
    *plain = (plain_rebuild){.ticks = *ticks, .largest = UINT64_MAX / 1000 / ticks->tick_ns};
    plain->counts.time_ordered = TRUE;
    plain->steps = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    af_warnings_init(&plain->warnings);
}

/* A walk over `*at` and all nodes below it, parents first; NULL after the last. */
static plain_node *next_node(GPtrArray *waiting)
{
    if (waiting->len == 0) {
        return NULL;
    }
    plain_node *node = g_ptr_array_remove_index(waiting, waiting->len - 1);
    for (guint i = node->children->len; i-- > 0;) {
        g_ptr_array_add(waiting, node->children->pdata[i]);
    }
    return node;
}

void plain_clear(plain_rebuild *plain)
{
    g_autoptr(GPtrArray) waiting = g_ptr_array_new();
    for (unsigned t = 0; t < PLAIN_THREADS; t++) {
        plain_thread *thread = &plain->threads[t];
        if (thread->root != NULL) {
            g_ptr_array_add(waiting, thread->root);
            g_array_unref(thread->stack);
        }
        for (plain_node *node; (node = next_node(waiting)) != NULL;) {
            g_ptr_array_unref(node->children);
            g_free(node);
        }
    }
    g_array_unref(plain->steps);
}

/* ---- time ---- */

static gboolean may_wrap(const plain_rebuild *plain)
{
    return plain->ticks.wraps && (!plain->ticks.has_elapsed || plain->ticks.elapsed_ticks >= TURN);
}

static gboolean has(const plain_rebuild *plain, unsigned clock)
{
    return (plain->ticks.clocks >> clock & 1) != 0;
}

static void begin(plain_rebuild *plain, plain_thread *thread, const af_event *event)
{
    thread->root = make_node(NULL, 0);
    thread->stack = g_array_new(FALSE, FALSE, sizeof(plain_call));
    memcpy(thread->raw, event->time, sizeof thread->raw);
    if (has(plain, AF_WALL) && may_wrap(plain) && plain->counts.time_ordered &&
        plain->last_wall >= TURN) {
        const uint64_t turns = (plain->last_wall - event->time[AF_WALL] + TURN / 2) / TURN;
        thread->offset[AF_WALL] = turns * TURN;
        plain->counts.lifted_threads += turns > 0;
    }
    const uint64_t cpu = MIN(event->time[AF_CPU], plain->largest);
    thread->start[AF_CPU] = cpu * plain->ticks.tick_ns <= 1000000 ? 0 : cpu;
    memcpy(thread->last, thread->start, sizeof thread->last);
}

static uint64_t repair(plain_rebuild *plain, plain_thread *thread, unsigned clock, uint64_t raw,
                       uint64_t offset)
{
    const uint64_t last = thread->last[clock];
    if (raw > UINT64_MAX - thread->offset[clock]) {
        raw = UINT64_MAX - thread->offset[clock];
    }
    uint64_t time = raw + thread->offset[clock];
    if (time < last && last - time > TURN / 2 && may_wrap(plain)) {
        thread->offset[clock] += TURN;
        time += TURN;
        plain->counts.wraps++;
        af_warnings_add(&plain->warnings, AF_WARN_WRAP, 1, offset);
    }
    if (time < last || time > plain->largest) {
        plain->counts.backward_steps++;
        af_warnings_add(&plain->warnings, AF_WARN_BACKWARD_STEP, 1, offset);
        return last;
    }
    return time;
}

static void watch_order(plain_rebuild *plain, uint64_t wall)
{
    if (plain->any && wall < plain->wall_before) {
        const uint64_t back = plain->wall_before - wall;
        if (back > 1000000000 / plain->ticks.tick_ns && back <= TURN / 2) {
            plain->counts.time_ordered = FALSE;
        }
    }
    plain->any = TRUE;
    plain->wall_before = wall;
}

/* ---- groups of equal times ---- */

static void end_group(plain_rebuild *plain, plain_thread *thread)
{
    plain->groups++;
    plain->large_groups += thread->group_records > 1;
    plain->mixed_groups += thread->group_mixed;
    thread->group_records = 0;
    thread->group_entered = thread->group_mixed = FALSE;
}

static void add_to_group(plain_rebuild *plain, plain_thread *thread, const af_event *event)
{
    const unsigned clock = has(plain, AF_WALL) ? AF_WALL : AF_CPU;
    if (memcmp(thread->raw, event->time, sizeof thread->raw) != 0) {
        end_group(plain, thread);
        if (event->time[clock] > thread->raw[clock]) {
            const uint64_t step = event->time[clock] - thread->raw[clock];
            g_array_append_val(plain->steps, step);
        }
        memcpy(thread->raw, event->time, sizeof thread->raw);
    }
    thread->group_records++;
    if ((event->call & 3) == AF_ENTER) {
        thread->group_entered = TRUE;
    } else if (thread->group_entered) {
        thread->group_mixed = TRUE;
    }
}

/* ---- calls ---- */

static plain_call *call_at(const plain_thread *thread, guint i)
{
    return &g_array_index(thread->stack, plain_call, i);
}

static plain_node *top(const plain_thread *thread)
{
    return thread->stack->len == 0 ? thread->root : call_at(thread, thread->stack->len - 1)->node;
}

static void close_call(plain_thread *thread, plain_node *node, const uint64_t start[AF_CLOCKS])
{
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        const uint64_t length = thread->last[c] - start[c];
        node->min[c] = MIN(node->min[c], length);
        node->max[c] = MAX(node->max[c], length);
    }
}

static void pop(plain_thread *thread)
{
    const plain_call *call = call_at(thread, thread->stack->len - 1);
    close_call(thread, call->node, call->start);
    g_array_set_size(thread->stack, thread->stack->len - 1);
}

static void enter(plain_thread *thread, uint32_t method)
{
    plain_node *parent = top(thread), *node = NULL;
    for (guint i = 0; i < parent->children->len && node == NULL; i++) {
        plain_node *child = parent->children->pdata[i];
        node = child->method == method ? child : NULL;
    }
    node = node == NULL ? make_node(parent, method) : node;
    node->calls++;
    const plain_call call = {node, {thread->last[0], thread->last[1]}};
    g_array_append_val(thread->stack, call);
    thread->counts.calls++;
    thread->counts.max_depth = MAX(thread->counts.max_depth, thread->stack->len);
}

/* Adds a call open since before the trace, which contains everything so far. */
static void adopt(plain_thread *thread, uint32_t method, gboolean unwound)
{
    plain_node *node = thread->root;
    thread->root = make_node(NULL, 0);
    g_ptr_array_add(thread->root->children, node);
    node->parent = thread->root;
    node->method = method;
    node->calls = 1;
    node->unwinds = unwound;
    close_call(thread, node, thread->start);
    thread->counts.calls++;
    thread->counts.exits_on_empty++;
}

static void leave(plain_rebuild *plain, plain_thread *thread, uint32_t method, unsigned action,
                  uint64_t offset)
{
    thread->counts.unwinds += action == AF_UNWIND;
    if (action == AF_ODD_EXIT) {
        plain->counts.odd_actions++;
        af_warnings_add(&plain->warnings, AF_WARN_ODD_ACTION, 1, offset);
    }
    if (thread->stack->len == 0) {
        adopt(thread, method, action == AF_UNWIND);
        return;
    }
    guint at = thread->stack->len;
    while (at > 0 && call_at(thread, at - 1)->node->method != method) {
        at--;
    }
    if (at == 0) {
        thread->counts.unmatched_exits++;
        plain->missed[method] = TRUE;
        af_warnings_add(&plain->warnings, AF_WARN_UNMATCHED_EXIT, 1, offset);
        return;
    }
    while (thread->stack->len > at) {
        pop(thread);
        thread->counts.missing_exits++;
        af_warnings_add(&plain->warnings, AF_WARN_MISSING_EXIT, 1, offset);
    }
    top(thread)->unwinds += action == AF_UNWIND;
    pop(thread);
}

void plain_take(plain_rebuild *plain, const af_event *event, uint64_t offset)
{
    plain_thread *thread = &plain->threads[event->thread];
    watch_order(plain, event->time[AF_WALL]);
    if (thread->root == NULL) {
        begin(plain, thread, event);
    }
    add_to_group(plain, thread, event);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        const uint64_t time = repair(plain, thread, c, event->time[c], offset);
        top(thread)->self[c] += time - thread->last[c];
        thread->last[c] = time;
    }
    if (thread->counts.records++ == 0) {
        memcpy(thread->counts.first, thread->last, sizeof thread->last);
    }
    plain->counts.records++;
    plain->last_wall = thread->last[AF_WALL];
    if ((event->call & 3) == AF_ENTER) {
        enter(thread, event->call >> 2);
    } else {
        leave(plain, thread, event->call >> 2, event->call & 3, offset);
    }
}

/* ---- the end ---- */

static gboolean is_thousandfold(const plain_rebuild *plain)
{
    af_u128 span[AF_CLOCKS] = {0, 0};
    for (unsigned t = 0; t < PLAIN_THREADS; t++) {
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            span[c] += plain->threads[t].last[c] - plain->threads[t].counts.first[c];
        }
    }
    return has(plain, AF_WALL) && has(plain, AF_CPU) && span[AF_CPU] > span[AF_WALL] * 10 &&
           span[AF_CPU] * plain->ticks.tick_ns > 10000000;
}

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void judge_rhythm(plain_rebuild *plain)
{
    gboolean adopted = FALSE;
    for (unsigned t = 0; t < PLAIN_THREADS; t++) {
        adopted |= plain->threads[t].counts.exits_on_empty > 0;
    }
    plain->counts.sampled =
        !adopted && plain->groups >= 5 && plain->counts.records >= plain->groups * 3 &&
        plain->large_groups * 2 >= plain->groups && plain->mixed_groups * 100 <= plain->groups;
    g_array_sort(plain->steps, compare_numbers);
    if (plain->counts.sampled && plain->steps->len > 0) {
        plain->counts.interval_ticks =
            g_array_index(plain->steps, uint64_t, plain->steps->len / 10);
    }
}

void plain_finish(plain_rebuild *plain, const gboolean *exited)
{
    uint64_t end = plain->ticks.has_elapsed ? MIN(plain->ticks.elapsed_ticks, plain->largest) : 0;
    for (unsigned t = 0; t < PLAIN_THREADS; t++) {
        end = MAX(end, plain->threads[t].last[AF_WALL]);
    }
    plain->counts.end_ticks = end;
    plain->counts.thousandfold = is_thousandfold(plain);
    for (unsigned t = 0; t < PLAIN_THREADS; t++) {
        plain_thread *thread = &plain->threads[t];
        if (thread->root == NULL) {
            continue;
        }
        end_group(plain, thread);
        memcpy(thread->counts.last, thread->last, sizeof thread->last);
        thread->counts.open_at_end = thread->stack->len;
        if (!exited[t] && has(plain, AF_WALL)) {
            top(thread)->self[AF_WALL] += end - thread->last[AF_WALL];
            thread->last[AF_WALL] = end;
        }
        while (thread->stack->len > 0) {
            pop(thread);
        }
    }
    judge_rhythm(plain);
}

/* ---- the comparison ---- */

static void compare_node(const plain_rebuild *plain, const plain_node *node, const af_tree *tree,
                         uint32_t n)
{
    FUZZ_CHECK(tree->label[n] == node->method);
    FUZZ_CHECK(tree->calls[n] == node->calls && tree->unwinds[n] == node->unwinds);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        FUZZ_CHECK((tree->self[c] != NULL) == has(plain, c));
        if (has(plain, c)) {
            const uint64_t scale =
                plain->ticks.tick_ns * (c == AF_WALL && plain->counts.thousandfold ? 1000u : 1u);
            FUZZ_CHECK(tree->self[c][n] == node->self[c] * scale);
            FUZZ_CHECK(tree->min[c][n] == node->min[c] * scale);
            FUZZ_CHECK(tree->max[c][n] == node->max[c] * scale);
        }
    }
}

static void compare_tree(const plain_rebuild *plain, const plain_thread *thread,
                         const af_tree *tree)
{
    FUZZ_CHECK(tree != NULL && af_tree_check(tree) == NULL);
    if (thread->root == NULL) {
        FUZZ_CHECK(tree->n == 1);
        return;
    }
    g_autoptr(GPtrArray) waiting = g_ptr_array_new();
    g_autoptr(GHashTable) numbers = g_hash_table_new(NULL, NULL);
    g_ptr_array_add(waiting, thread->root);
    uint32_t n = 0;
    for (plain_node *node; (node = next_node(waiting)) != NULL; n++) {
        FUZZ_CHECK(n < tree->n);
        g_hash_table_insert(numbers, node, GUINT_TO_POINTER(n));
        if (n > 0) {
            FUZZ_CHECK(tree->parent[n] ==
                       GPOINTER_TO_UINT(g_hash_table_lookup(numbers, node->parent)));
            compare_node(plain, node, tree, n);
        }
    }
    FUZZ_CHECK(n == tree->n);
}

static void compare_thread(const af_thread_counts *a, const af_thread_counts *b)
{
    FUZZ_CHECK(a->records == b->records && a->calls == b->calls);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        FUZZ_CHECK(a->first[c] == b->first[c] && a->last[c] == b->last[c]);
    }
    FUZZ_CHECK(a->open_at_end == b->open_at_end && a->exits_on_empty == b->exits_on_empty);
    FUZZ_CHECK(a->missing_exits == b->missing_exits && a->unmatched_exits == b->unmatched_exits);
    FUZZ_CHECK(a->unwinds == b->unwinds && a->max_depth == b->max_depth);
}

void plain_compare(const plain_rebuild *plain, af_rebuild *rebuild, const af_warnings *warnings,
                   af_tree *const *trees)
{
    const af_trace_counts *a = &plain->counts, *b = af_rebuild_trace(rebuild);
    FUZZ_CHECK(a->records == b->records && a->odd_actions == b->odd_actions);
    FUZZ_CHECK(a->backward_steps == b->backward_steps && a->wraps == b->wraps);
    FUZZ_CHECK(a->lifted_threads == b->lifted_threads && a->time_ordered == b->time_ordered);
    FUZZ_CHECK(a->sampled == b->sampled && a->interval_ticks == b->interval_ticks);
    FUZZ_CHECK(a->thousandfold == b->thousandfold && a->end_ticks == b->end_ticks);
    for (unsigned t = 0; t < PLAIN_THREADS; t++) {
        compare_thread(&plain->threads[t].counts, af_rebuild_thread(rebuild, t));
        compare_tree(plain, &plain->threads[t], trees[t]);
    }
    for (uint32_t m = 0; m < PLAIN_METHODS; m++) {
        FUZZ_CHECK(plain->missed[m] == af_rebuild_missed(rebuild, m));
    }
    for (unsigned kind = 0; kind < AF_WARNING_COUNT; kind++) {
        FUZZ_CHECK(plain->warnings.count[kind] == warnings->count[kind]);
        FUZZ_CHECK(plain->warnings.offset[kind] == warnings->offset[kind]);
    }
}
