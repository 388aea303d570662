#include "export/process.h"

#include "base/idmap.h"

static gboolean is_usable(uint64_t id)
{
    return id > 0 && id <= INT32_MAX;
}

/* Threads of several processes may have the same id: the first keeps it. */
static gboolean number_threads(af_process *process, const af_profile *profile)
{
    af_idmap taken;
    uint32_t next = 1;
    af_idmap_init_hashed(&taken);
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        const uint64_t id = profile->threads[t].id;
        const gboolean kept = is_usable(id) && af_idmap_find(&taken, id) == AF_IDMAP_NONE;
        process->tids[t] = kept ? (uint32_t)id : 0;
        if (kept) {
            af_idmap_add(&taken, id);
        }
    }
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        if (process->tids[t] == 0) {
            while (af_idmap_find(&taken, next) != AF_IDMAP_NONE) {
                next++;
            }
            process->tids[t] = next++;
        }
    }
    const gboolean ok = !taken.failed;
    af_idmap_clear(&taken);
    return ok;
}

gboolean af_process_init(af_process *process, const af_profile *profile)
{
    process->name = profile->app;
    process->main = af_profile_main_thread(profile);
    process->tids = g_try_new(uint32_t, (size_t)profile->n_threads + 1);
    if (process->tids == NULL || !number_threads(process, profile)) {
        g_free(process->tids);
        return FALSE;
    }
    const af_facts *facts = &profile->facts;
    if (facts->has_pid && is_usable(facts->pid)) {
        process->pid = (uint32_t)facts->pid;
    } else {
        process->pid = profile->n_threads > 0 ? process->tids[process->main] : 1;
    }
    return TRUE;
}

void af_process_clear(af_process *process)
{
    g_free(process->tids);
}
