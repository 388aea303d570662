#include "build/walk_plan.h"

#include <string.h>

static gboolean plan_thread(af_arena *arena, const af_rebuild *rebuild, uint32_t number,
                            af_walk_plan_thread *thread)
{
    const af_thread_counts *counts = af_rebuild_thread(rebuild, number);
    const uint64_t n = counts->exits_on_empty;
    uint32_t *earlier = NULL;
    if (n > 0) {
        earlier = af_arena_alloc(arena, n * sizeof *earlier);
        if (earlier == NULL) {
            return FALSE;
        }
        af_rebuild_earlier(rebuild, number, earlier);
    }
    *thread = (af_walk_plan_thread){.index = UINT32_MAX,
                                    .n_earlier = (uint32_t)n,
                                    .earlier = earlier,
                                    .records = counts->records};
    memcpy(thread->last, counts->last, sizeof thread->last);
    return TRUE;
}

af_walk_plan *af_walk_plan_new(af_arena *arena, const af_rebuild *rebuild, const af_ticks *ticks,
                               uint32_t n_threads)
{
    const af_trace_counts *counts = af_rebuild_trace(rebuild);
    af_walk_plan *plan = af_arena_alloc(arena, sizeof *plan);
    af_walk_plan_thread *threads = af_arena_alloc(arena, ((size_t)n_threads + 1) * sizeof *threads);
    if (plan == NULL || threads == NULL) {
        return NULL;
    }
    *plan =
        (af_walk_plan){.ticks = *ticks,
                       .end_ticks = counts->end_ticks,
                       .most_records = af_rebuild_is_full(rebuild) ? counts->records : UINT64_MAX,
                       .n_threads = n_threads,
                       .threads = threads};
    memcpy(plan->scale, counts->scale, sizeof plan->scale);
    for (uint32_t t = 0; t < n_threads; t++) {
        if (!plan_thread(arena, rebuild, t, &threads[t])) {
            return NULL;
        }
    }
    return plan;
}
