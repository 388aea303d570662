/* Chooses the processes to draw. */
#include <string.h>

#include "read/process_choice.h"
#include "read/timeline_state.h"

static af_choosable describe(const af_timeline *t, uint32_t process, uint64_t weight)
{
    return (af_choosable){
        .pid = af_process_at(t->tasks, process)->pid,
        .uid = af_process_at(t->tasks, process)->uid,
        .name = af_timeline_process_name(t, process),
        .weight = weight,
    };
}

void af_timeline_set_own(af_timeline *t, unsigned facts)
{
    t->is_own = TRUE;
    af_slices_set_facts(t->slices, facts);
}

gboolean af_timeline_chooses(const af_timeline *t)
{
    return t->process != NULL ? strcmp(t->process, "all") != 0 : !t->is_own;
}

gboolean af_timeline_choose_processes(af_timeline *t, const uint64_t *weights, GError **error)
{
    t->n_drawn = (uint32_t)t->tasks->processes.n;
    if (!af_timeline_chooses(t) || weights == NULL) {
        return TRUE;
    }
    g_free(t->drawn);
    t->drawn = g_try_new0(uint8_t, (size_t)t->n_drawn + 1);
    g_autofree af_choosable *processes = g_try_new(af_choosable, (size_t)t->n_drawn + 1);
    if (t->drawn == NULL || processes == NULL) {
        af_sink_fail(t->sink);
        return TRUE;
    }
    for (uint32_t i = 0; i < t->n_drawn; i++) {
        processes[i] = describe(t, i, weights[i]);
    }
    if (!af_process_choose(t->process, processes, t->n_drawn, t->drawn, t->sink, error)) {
        return FALSE;
    }
    /* what belongs to no process */
    t->drawn[t->n_drawn] = t->process == NULL || strcmp(t->process, "app") == 0;
    return TRUE;
}

gboolean af_timeline_draws(const af_timeline *t, uint32_t process)
{
    return t->drawn == NULL || t->drawn[MIN(process, t->n_drawn)] != 0;
}
