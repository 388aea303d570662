#include "render/chart/chart.h"

#include <string.h>
#include "base/memory_error.h"

/* A running call. Its entry exists already. */
typedef struct {
    uint32_t entry;
    uint32_t last;              /* its last callee's entry, counted from 1; 0 = none yet */
    uint64_t before[AF_CLOCKS]; /* the clocks, or the weights so far, when it started */
    uint64_t begun;             /* calls, or samples, before it */
    uint64_t runnable_before_ns;
    uint64_t slept_ns; /* the longest sleep so far that another thread ended */
    uint32_t waker;
} running;

af_chart *af_chart_new(const af_chart_options *options)
{
    af_chart *chart = g_new0(af_chart, 1);
    chart->options = *options;
    chart->shortest_ns = options->capacity == 0 ? options->coarsest_ns : 0;
    af_array_init(&chart->scratch, sizeof(uint32_t));
    chart->threads = g_try_new0(af_chart_thread, (gsize)options->n_threads + 1);
    if (!chart->threads) {
        g_free(chart);
        return NULL;
    }
    for (uint32_t t = 0; t < options->n_threads; t++) {
        chart->threads[t].is_wanted = options->wanted == NULL || options->wanted[t];
        chart->threads[t].sampled = options->sampled;
        af_array_init(&chart->threads[t].states, sizeof(af_chart_state));
        af_array_init(&chart->threads[t].entries, sizeof(af_chart_entry));
        af_array_init(&chart->threads[t].highlights, sizeof(af_chart_entry));
        af_array_init(&chart->threads[t].open, sizeof(running));
    }
    return chart;
}

void af_chart_free(af_chart *chart)
{
    if (chart) {
        for (uint32_t t = 0; t < chart->options.n_threads; t++) {
            af_array_clear(&chart->threads[t].states);
            af_array_clear(&chart->threads[t].entries);
            af_array_clear(&chart->threads[t].highlights);
            af_array_clear(&chart->threads[t].open);
        }
        af_array_clear(&chart->scratch);
        af_chart_markers_free(chart->markers);
        af_chart_frames_free(chart->frames);
        g_free(chart->threads);
        g_free(chart->highlighted);
        g_free(chart);
    }
}

static af_chart_entry *entry_at(af_chart_thread *t, uint32_t i)
{
    return &AF_ARRAY_AT(&t->entries, af_chart_entry, i);
}

/* Merges `next` into the merged calls `before` if they are near enough. `before` may be any entry
 * of the same caller, or NULL. */
static gboolean join(af_chart_entry *before, const af_chart_entry *next, uint64_t shortest_ns)
{
    if (!before || before->label != AF_NO_LABEL ||
        next->start_ns - (before->start_ns + before->extent_ns) >= shortest_ns) {
        return FALSE;
    }
    before->extent_ns = next->start_ns + next->extent_ns - before->start_ns;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        before->length_ns[c] += next->length_ns[c];
    }
    before->calls += next->calls;
    before->flags |= next->flags;
    before->runnable_ns += next->runnable_ns;
    before->waker = AF_NO_WAKER;
    return TRUE;
}

static gboolean is_short(const af_chart *chart, const af_chart_entry *entry)
{
    return entry->label == AF_NO_LABEL || entry->extent_ns < chart->shortest_ns;
}

/* Moves the remaining entries to the front, in their order. Running entries stay in any case. */
static gboolean thin_thread(af_chart *chart, af_chart_thread *t)
{
    const uint32_t n = (uint32_t)t->entries.n;
    running *open = t->open.items;
    uint32_t n_left = 0, k = 0;
    chart->scratch.n = 0; /* by depth: the last entry of the same caller, counted from 1 */
    if (!af_array_reach(&chart->scratch, 1)) {
        return FALSE;
    }
    AF_ARRAY_AT(&chart->scratch, uint32_t, 0) = 0;
    for (uint32_t i = 0; i < n;) {
        const af_chart_entry entry = *entry_at(t, i);
        if (!af_array_reach(&chart->scratch, (size_t)entry.depth + 2)) {
            return FALSE;
        }
        uint32_t *last = &AF_ARRAY_AT(&chart->scratch, uint32_t, entry.depth);
        const gboolean runs = k < t->open.n && open[k].entry == i;
        if (!runs && is_short(chart, &entry)) {
            if (!join(*last > 0 ? entry_at(t, *last - 1) : NULL, &entry, chart->shortest_ns)) {
                *entry_at(t, n_left) = entry;
                entry_at(t, n_left)->label = AF_NO_LABEL;
                *last = ++n_left;
            }
            for (i++; i < n && entry_at(t, i)->depth > entry.depth;) {
                i++;
            }
            continue;
        }
        if (runs) {
            *(k > 0 ? &open[k - 1].last : &t->last_root) = *last;
            open[k++].entry = n_left;
        }
        *entry_at(t, n_left) = entry;
        last[0] = ++n_left;
        last[1] = 0;
        i++;
    }
    *(k > 0 ? &open[k - 1].last : &t->last_root) = AF_ARRAY_AT(&chart->scratch, uint32_t, k);
    t->entries.n = n_left;
    return TRUE;
}

/* Adds a highlight to the first `n` of a list that has space for it, or merges it with the last one.
 * Returns their number. */
static size_t put_highlight(const af_chart *chart, af_chart_entry *list, size_t n,
                            af_chart_entry next)
{
    if (is_short(chart, &next)) {
        if (join(n > 0 ? &list[n - 1] : NULL, &next, chart->shortest_ns)) {
            return n;
        }
        next.label = AF_NO_LABEL;
    }
    list[n] = next;
    return n + 1;
}

static void thin_highlights(const af_chart *chart, af_chart_thread *t)
{
    af_chart_entry *list = t->highlights.items;
    size_t n = 0;
    for (size_t i = 0; i < t->highlights.n; i++) {
        n = put_highlight(chart, list, n, list[i]);
    }
    t->highlights.n = n;
}

gboolean af_chart_thin(af_chart *chart, uint64_t shortest_ns)
{
    if (shortest_ns <= chart->shortest_ns) {
        return TRUE;
    }
    chart->shortest_ns = shortest_ns;
    chart->n = 0;
    for (uint32_t t = 0; t < chart->options.n_threads; t++) {
        if (!thin_thread(chart, &chart->threads[t])) {
            return FALSE;
        }
        thin_highlights(chart, &chart->threads[t]);
        chart->n += chart->threads[t].entries.n + chart->threads[t].highlights.n;
    }
    return TRUE;
}

static gboolean thin_to_capacity(af_chart *chart)
{
    enum { FIRST_NS = 500 };
    const uint64_t coarsest_ns = chart->options.coarsest_ns;
    while (chart->n > chart->options.capacity && chart->shortest_ns < coarsest_ns) {
        const uint64_t next_ns = MAX(chart->shortest_ns * 2, FIRST_NS);
        if (!af_chart_thin(chart, MIN(next_ns, coarsest_ns))) {
            return FALSE;
        }
    }
    return TRUE;
}

/* The thread of an event at `at_ns` on the axis; NULL = it is not wanted. */
static af_chart_thread *find_thread(af_chart *chart, const af_call_event *e, uint64_t at_ns)
{
    af_chart_thread *t = &chart->threads[e->thread];
    if (e->end != AF_CALL_OPEN) {
        chart->recorded_ns = MAX(chart->recorded_ns, at_ns);
    }
    if (!t->is_wanted) {
        return NULL;
    }
    if (!t->has_calls) {
        t->has_calls = TRUE;
        t->first_ns = at_ns;
    }
    t->last_ns = at_ns;
    return t;
}

static void add_sleep(running *call, uint64_t slept_ns, uint32_t waker)
{
    if (call && slept_ns > call->slept_ns) {
        call->slept_ns = slept_ns;
        call->waker = waker;
    }
}

static running *innermost(const af_chart_thread *t)
{
    return t->open.n > 0 ? &AF_ARRAY_AT(&t->open, running, t->open.n - 1) : NULL;
}

static gboolean begin(af_chart *chart, const af_call_event *e, uint64_t at_ns, uint64_t begun,
                      GError **error)
{
    af_chart_thread *t = find_thread(chart, e, at_ns);
    if (!t) {
        return TRUE;
    }
    t->begun++;
    if (!thin_to_capacity(chart)) {
        return af_memory_error_set(error);
    }
    add_sleep(innermost(t), e->slept_ns, e->waker);
    chart->n++;
    af_chart_entry *entry = t->entries.n < UINT32_MAX - 1 ? af_array_push(&t->entries) : NULL;
    running *call = af_array_push(&t->open);
    if (!entry || !call) {
        return af_memory_error_set(error);
    }
    *entry = (af_chart_entry){.start_ns = at_ns,
                              .label = e->label,
                              .depth = (uint32_t)t->open.n - 1,
                              .flags = e->cut ? AF_CHART_CUT : 0,
                              .waker = AF_NO_WAKER};
    *call = (running){
        .entry = (uint32_t)t->entries.n - 1, .runnable_before_ns = e->runnable_ns, .begun = begun};
    memcpy(call->before, e->time_ns, sizeof call->before);
    if (chart->options.highlighted && chart->options.highlighted[e->label] &&
        t->highlight_depth++ == 0) {
        t->highlight_start_ns = entry->start_ns;
    }
    return TRUE;
}

static gboolean close_highlight(af_chart *chart, af_chart_thread *t, uint64_t end_ns)
{
    const uint64_t length_ns = end_ns - t->highlight_start_ns;
    const af_chart_entry next = {.start_ns = t->highlight_start_ns,
                                 .extent_ns = length_ns,
                                 .length_ns = {length_ns},
                                 .calls = 1};
    if (af_array_push(&t->highlights) == NULL) {
        return FALSE;
    }
    const size_t before = t->highlights.n - 1;
    t->highlights.n = put_highlight(chart, t->highlights.items, before, next);
    chart->n += t->highlights.n - before;
    return TRUE;
}

/* Completes the entry of a call that has ended and is the last one with its callees: keeps or
 * merges it. */
static void settle(af_chart *chart, af_chart_thread *t, uint32_t i, uint32_t *last)
{
    af_chart_entry *entry = entry_at(t, i);
    if (!is_short(chart, entry)) {
        *last = i + 1;
        return;
    }
    chart->n -= t->entries.n - i;
    t->entries.n = i;
    if (!join(*last > 0 ? entry_at(t, *last - 1) : NULL, entry, chart->shortest_ns)) {
        entry->label = AF_NO_LABEL;
        t->entries.n++;
        chart->n++;
        *last = i + 1;
    }
}

static gboolean end(af_chart *chart, const af_call_event *e, uint64_t at_ns, uint64_t begun,
                    GError **error)
{
    af_chart_thread *t = find_thread(chart, e, at_ns);
    if (!t || t->open.n == 0) {
        return TRUE;
    }
    add_sleep(innermost(t), e->slept_ns, e->waker);
    const running *call = innermost(t); /* valid until the next one begins */
    t->open.n--;
    running *caller = innermost(t);
    add_sleep(caller, call->slept_ns, call->waker);
    af_chart_entry *entry = entry_at(t, call->entry);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        entry->length_ns[c] = e->time_ns[c] - call->before[c];
    }
    entry->extent_ns = at_ns - entry->start_ns;
    entry->calls = begun - call->begun;
    entry->flags |= (e->cut ? AF_CHART_CUT : 0u) |
                    (e->end == AF_CALL_UNWOUND ? AF_CHART_UNWOUND : 0u) |
                    (e->end == AF_CALL_OPEN && !e->cut ? AF_CHART_OPEN : 0u);
    entry->runnable_ns = e->runnable_ns - call->runnable_before_ns;
    entry->waker = call->slept_ns > 0 ? call->waker : AF_NO_WAKER;
    const gboolean highlighted = chart->options.highlighted && chart->options.highlighted[e->label];
    settle(chart, t, call->entry, caller ? &caller->last : &t->last_root);
    if (highlighted && --t->highlight_depth == 0 && !close_highlight(chart, t, at_ns)) {
        return af_memory_error_set(error);
    }
    return TRUE;
}

static bool enter(void *user, const af_call_event *event, GError **error)
{
    af_chart *chart = user;
    chart->calls++;
    return begin(chart, event, event->time_ns[chart->options.clock],
                 chart->threads[event->thread].begun, error);
}

static bool leave(void *user, const af_call_event *event, GError **error)
{
    af_chart *chart = user;
    return end(chart, event, event->time_ns[chart->options.clock],
               chart->threads[event->thread].begun, error);
}

af_observer af_chart_observer(af_chart *chart)
{
    return (af_observer){enter, leave, NULL, chart, af_chart_add_state};
}

/* The weights so far take the place of clocks. */
static af_call_event make_event(const af_sample_edge *edge)
{
    af_call_event event = {.thread = edge->thread, .label = edge->label};
    memcpy(event.time_ns, edge->weight, sizeof event.time_ns);
    return event;
}

static gboolean enter_slice(void *user, const af_sample_edge *edge, GError **error)
{
    const af_call_event event = make_event(edge);
    return begin(user, &event, edge->time_ns, edge->samples, error);
}

static gboolean leave_slice(void *user, const af_sample_edge *edge, GError **error)
{
    const af_call_event event = make_event(edge);
    return end(user, &event, edge->time_ns, edge->samples, error);
}

af_sample_edge_observer af_chart_sample_observer(af_chart *chart)
{
    return (af_sample_edge_observer){enter_slice, leave_slice, chart};
}

/* Finds the parents from the depths: goes up from the previous node. */
static void find_parents(af_tree *tree)
{
    for (uint32_t i = 1; i < tree->n; i++) {
        uint32_t parent = i - 1;
        while (parent > 0 && tree->depth[parent] >= tree->depth[i]) {
            parent = tree->parent[parent];
        }
        tree->parent[i] = parent;
    }
}

static void fill_times(af_tree *tree, const af_chart_thread *thread, unsigned c)
{
    for (uint32_t i = 1; i < tree->n; i++) {
        const uint64_t length_ns = af_chart_at(thread, i - 1)->length_ns[c];
        tree->self[c][i] += length_ns;
        tree->inclusive[c][i] = length_ns;
        if (tree->label[i] != AF_NO_LABEL) {
            tree->min[c][i] = tree->max[c][i] = length_ns;
        }
        if (tree->parent[i] > 0) {
            tree->self[c][tree->parent[i]] -= length_ns;
        } else {
            tree->inclusive[c][0] += length_ns;
        }
    }
}

af_tree *af_chart_tree(const af_chart_thread *thread, unsigned clocks)
{
    af_tree *tree = af_tree_new(af_chart_n(thread) + 1, clocks);
    if (!tree) {
        return NULL;
    }
    for (uint32_t i = 1; i < tree->n; i++) {
        const af_chart_entry *entry = af_chart_at(thread, i - 1);
        const gboolean joined = entry->label == AF_NO_LABEL;
        tree->label[i] = entry->label;
        tree->depth[i] = entry->depth + 1;
        tree->calls[i] = joined || thread->sampled ? entry->calls : 1;
        tree->unwinds[i] = !joined && (entry->flags & AF_CHART_UNWOUND) != 0 ? 1 : 0;
    }
    find_parents(tree);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (tree->self[c]) {
            fill_times(tree, thread, c);
        }
    }
    return tree;
}

void af_chart_shift(af_chart *chart, uint64_t by_ns)
{
    for (uint32_t t = 0; t < chart->options.n_threads; t++) {
        af_chart_thread *thread = &chart->threads[t];
        for (size_t i = 0; i < thread->entries.n; i++) {
            AF_ARRAY_AT(&thread->entries, af_chart_entry, i).start_ns += by_ns;
        }
        for (size_t i = 0; i < thread->highlights.n; i++) {
            AF_ARRAY_AT(&thread->highlights, af_chart_entry, i).start_ns += by_ns;
        }
        for (size_t i = 0; i < thread->states.n; i++) {
            af_chart_state *state = &AF_ARRAY_AT(&thread->states, af_chart_state, i);
            state->start_ns += by_ns;
            state->end_ns += by_ns;
        }
        thread->first_ns += by_ns;
        thread->last_ns += by_ns;
    }
    chart->from_ns += by_ns;
    chart->to_ns += by_ns;
    chart->recorded_ns += by_ns;
    chart->shift_ns += by_ns;
}
