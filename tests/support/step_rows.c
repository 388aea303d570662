#include "step_rows.h"

#include <string.h>

typedef struct {
    const af_profile *profile;
    export_rows *rows;
    af_clock clock;
    uint64_t start, step;
    GPtrArray *open; /* open_calls by thread; their times are numbers of steps */
} stepping;

/* The number of step midpoints before a time. */
static uint64_t count_before(uint64_t time, uint64_t step)
{
    return (time + step - step / 2 - 1) / step;
}

static open_calls *pass(const stepping *s, const af_call_event *edge)
{
    open_calls *open = s->open->pdata[edge->thread];
    open_calls_pass(open, count_before(edge->time_ns[s->clock] - s->start, s->step));
    return open;
}

static bool enter(void *user, const af_call_event *edge, GError **error)
{
    const stepping *s = user;
    open_calls_begin(pass(s, edge), af_profile_label(s->profile, edge->label));
    return TRUE;
}

static bool leave(void *user, const af_call_event *edge, GError **error)
{
    open_calls_end(pass(user, edge));
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
    stacks[0] = open_calls_top(s->open->pdata[thread])->stack;
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
    s.open = g_ptr_array_new_with_free_func(open_calls_free);
    for (unsigned t = 0; t < n; t++) {
        const gint64 id = (gint64)MAX(af_thread_id(profile, t), 1);
        g_ptr_array_add(s.open, open_calls_new(rows, stack_of_id(id)));
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
    g_ptr_array_unref(s.open);
}
