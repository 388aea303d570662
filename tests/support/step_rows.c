#include "step_rows.h"

#include <string.h>

typedef struct {
    const af_profile *profile;
    export_rows *rows;
    af_clock clock;
    uint64_t start, step;
    GArray **open; /* frames by thread; the lowest is the thread */
    uint64_t *last;
} stepping;

typedef struct {
    guint64 stack;
    const char *name;
} frame;

/* The number of step midpoints before a time. */
static uint64_t count_before(uint64_t time, uint64_t step)
{
    return (time + step - step / 2 - 1) / step;
}

static void pass(stepping *s, unsigned thread, uint64_t now)
{
    const frame *top = &g_array_index(s->open[thread], frame, s->open[thread]->len - 1);
    if (s->open[thread]->len > 1) {
        rows_add(s->rows, top->stack, top->name, WALL,
                 (gint64)(count_before(now, s->step) - count_before(s->last[thread], s->step)));
    }
    s->last[thread] = now;
}

static bool enter(void *user, const af_call_event *edge, GError **error)
{
    stepping *s = user;
    GArray *open = s->open[edge->thread];
    pass(s, edge->thread, edge->time_ns[s->clock] - s->start);
    const char *name = af_profile_label(s->profile, edge->label);
    const frame mine = {stack_with(g_array_index(open, frame, open->len - 1).stack, name), name};
    g_array_append_val(open, mine);
    return TRUE;
}

static bool leave(void *user, const af_call_event *edge, GError **error)
{
    stepping *s = user;
    pass(s, edge->thread, edge->time_ns[s->clock] - s->start);
    g_array_set_size(s->open[edge->thread], s->open[edge->thread]->len - 1);
    return TRUE;
}

static uint64_t choose_step(const stepping *s)
{
    static const unsigned factors[] = {1, 2, 5};
    const gboolean calls = af_profile_has_calls(s->profile);
    uint64_t longest = 0;
    for (unsigned t = 0; t < af_profile_n_threads(s->profile); t++) {
        longest = MAX(longest, af_node_inclusive_ns(s->profile, t, 0, s->clock));
    }
    if (calls && s->clock == AF_WALL) {
        longest = af_profile_end_ns(s->profile) - s->start;
    }
    uint64_t step =
        af_profile_unit_is_count(s->profile) && af_profile_unit_decimals(s->profile) == 0 ? 1
                                                                                          : 1000;
    for (unsigned i = 0; step < longest / 50000; i++) {
        step = step / factors[i % 3] * factors[(i + 1) % 3] * (i % 3 == 2 ? 10 : 1);
    }
    return step;
}

static void visit_nodes(stepping *s, unsigned thread)
{
    const uint32_t n = af_tree_n_nodes(s->profile, thread);
    g_autofree guint64 *stacks = g_new(guint64, n);
    uint64_t now = 0;
    stacks[0] = g_array_index(s->open[thread], frame, 0).stack;
    for (uint32_t node = 1; node < n; node++) {
        const char *name = af_node_label(s->profile, thread, node);
        stacks[node] = stack_with(stacks[af_node_parent(s->profile, thread, node)], name);
        const uint64_t end = now + af_node_self_ns(s->profile, thread, node, s->clock);
        rows_add(s->rows, stacks[node], name, WALL,
                 (gint64)(count_before(end, s->step) - count_before(now, s->step)));
        now = end;
    }
}

void step_rows_add(export_rows *rows, const af_profile *profile)
{
    const unsigned n = af_profile_n_threads(profile);
    stepping s = {.profile = profile, .rows = rows};
    s.clock = af_profile_has_clock(profile, AF_CPU) && !af_profile_has_clock(profile, AF_WALL)
                  ? AF_CPU
                  : AF_WALL;
    s.start = s.clock == AF_WALL ? af_profile_start_ns(profile) : 0;
    s.step = choose_step(&s);
    s.open = g_new(GArray *, n + 1);
    s.last = g_new0(uint64_t, n + 1);
    for (unsigned t = 0; t < n; t++) {
        const frame top = {stack_of_id((gint64)MAX(af_thread_id(profile, t), 1)), NULL};
        s.open[t] = g_array_new(FALSE, FALSE, sizeof(frame));
        g_array_append_val(s.open[t], top);
    }
    const af_call_observer observer = {
        .size = sizeof observer, .enter = enter, .leave = leave, .user = &s};
    if (af_profile_has_calls(profile)) {
        GError *error = NULL;
        if (!af_profile_walk_calls(profile, &observer, NULL, &error)) {
            refuse("%s", error->message);
        }
    } else {
        for (unsigned t = 0; t < n; t++) {
            visit_nodes(&s, t);
        }
    }
    for (unsigned t = 0; t < n; t++) {
        g_array_unref(s.open[t]);
    }
    g_free(s.open);
    g_free(s.last);
}
