/* The scheduler states of the threads of a chart, reduced to what a drawing can show. */
#include <string.h>

#include "base/memory_error.h"
#include "render/chart/chart.h"

/* The most states while a chart is made: 5 MB. */
#define MOST_STATES (UINT64_C(1) << 17)

af_run_state af_chart_state_kind(const af_chart_state *state)
{
    for (unsigned k = 0; k < AF_RUN_STATES; k++) {
        if (state->length_ns[k] == state->end_ns - state->start_ns) {
            return (af_run_state)k;
        }
    }
    return AF_RUN_STATES;
}

/* Whether two neighbours become one: they are the same, or in the same part of the axis. */
static gboolean are_one(const af_chart_state *before, const af_chart_state *next, uint64_t grain_ns)
{
    const af_run_state kind = af_chart_state_kind(before);
    return (kind < AF_RUN_STATES && before->end_ns == next->start_ns &&
            kind == af_chart_state_kind(next)) ||
           (grain_ns > 0 && before->start_ns / grain_ns == (next->end_ns - 1) / grain_ns);
}

/* Adds a state at the end of the first `n` of an array that has space for it. */
static size_t put(af_chart_state *states, size_t n, const af_chart_state *next, uint64_t grain_ns)
{
    af_chart_state *before = n > 0 ? &states[n - 1] : NULL;
    if (before == NULL || !are_one(before, next, grain_ns)) {
        states[n] = *next;
        return n + 1;
    }
    before->end_ns = next->end_ns;
    for (unsigned k = 0; k < AF_RUN_STATES; k++) {
        before->length_ns[k] += next->length_ns[k];
    }
    return n;
}

void af_chart_thin_states(af_chart *chart, uint64_t most)
{
    enum { FIRST_NS = 500 };
    while (chart->n_states > most && chart->state_grain_ns < UINT64_MAX / 4) {
        const uint64_t grain_ns = MAX(chart->state_grain_ns * 2, FIRST_NS);
        chart->state_grain_ns = grain_ns;
        chart->n_states = 0;
        for (uint32_t t = 0; t < chart->options.n_threads; t++) {
            af_array *states = &chart->threads[t].states;
            size_t n = 0;
            for (size_t i = 0; i < states->n; i++) {
                const af_chart_state next = AF_ARRAY_AT(states, af_chart_state, i);
                n = put(states->items, n, &next, grain_ns);
            }
            states->n = n;
            chart->n_states += n;
        }
    }
}

gboolean af_chart_add_state(void *user, const af_run_interval *interval, GError **error)
{
    af_chart *chart = user;
    if (chart->options.clock != AF_WALL || interval->thread >= chart->options.n_threads ||
        !chart->threads[interval->thread].is_wanted) {
        return TRUE;
    }
    af_array *states = &chart->threads[interval->thread].states;
    af_chart_state next = {interval->from_ns, interval->to_ns, {0}};
    if (states->n > 0) {
        /* repaired clocks may overlap */
        next.start_ns =
            MAX(next.start_ns, AF_ARRAY_AT(states, af_chart_state, states->n - 1).end_ns);
    }
    if (next.start_ns >= next.end_ns) {
        return TRUE;
    }
    next.length_ns[interval->state] = next.end_ns - next.start_ns;
    if (af_array_add(states, 1) == NULL) {
        return af_memory_error_set(error);
    }
    states->n--;
    const size_t n = put(states->items, states->n, &next, chart->state_grain_ns);
    chart->n_states += n - states->n;
    states->n = n;
    if (chart->n_states > MOST_STATES) {
        af_chart_thin_states(chart, MOST_STATES / 2);
    }
    return TRUE;
}
