#include "export/ids.h"

#include <string.h>

#include "base/idmap.h"

static gboolean is_usable(uint64_t id)
{
    return id > 0 && id <= INT32_MAX;
}

static uint64_t read_id(const char *text)
{
    guint64 id;
    return g_ascii_string_to_unsigned(text, 10, 0, UINT64_MAX, &id, NULL) ? id : 0;
}

/* For files that do not distinguish processes. */
static uint32_t find_only_pid(const af_profile *profile, uint32_t main)
{
    const af_facts *facts = &profile->facts;
    const uint64_t main_id = profile->n_threads > 0 ? profile->threads[main].id : 1;
    return facts->has_pid && is_usable(facts->pid) ? (uint32_t)facts->pid
           : is_usable(main_id)                    ? (uint32_t)main_id
                                                   : 1;
}

/* Gives each element a number that no other one of its group has: its id if that is usable and no
 * earlier one has it, otherwise a free number. `groups` NULL = they are one. FALSE if out of
 * memory. */
static gboolean assign_numbers(const uint64_t *ids, const uint32_t *groups, uint32_t n,
                               uint32_t *numbers)
{
    af_idmap taken; /* group << 32 | number */
    uint32_t next = 1;
    af_idmap_init_hashed(&taken, NULL);
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t key = (groups != NULL ? (uint64_t)groups[i] << 32 : 0) | ids[i];
        const gboolean usable = is_usable(ids[i]) && af_idmap_find(&taken, key) == AF_IDMAP_NONE;
        numbers[i] = usable ? (uint32_t)ids[i] : 0;
        if (usable) {
            af_idmap_number(&taken, key);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t group = groups != NULL ? (uint64_t)groups[i] << 32 : 0;
        while (numbers[i] == 0 && af_idmap_find(&taken, group | next) != AF_IDMAP_NONE) {
            next++;
        }
        numbers[i] = numbers[i] == 0 ? next++ : numbers[i];
    }
    const gboolean ok = !taken.failed;
    af_idmap_clear(&taken);
    return ok;
}

/* The name of a process: one without a name that loses its id is named after the id. NULL if out of
 * memory, or without a name. */
static const char *name_process(af_export_ids *process, const af_profile *profile, uint32_t number,
                                uint32_t pid)
{
    static const char kind[] = "process ";
    const char *id = profile->processes[number].id;
    if (profile->processes[number].name != NULL || read_id(id) == pid) {
        return profile->processes[number].name;
    }
    char *name = af_arena_alloc(process->arena, sizeof kind + strlen(id));
    return name == NULL ? NULL : strcat(strcpy(name, kind), id);
}

static gboolean number_processes(const af_profile *profile, uint32_t *pids)
{
    g_autofree uint64_t *ids = g_try_new(uint64_t, (size_t)profile->n_processes + 1);
    for (uint32_t p = 0; ids != NULL && p < profile->n_processes; p++) {
        ids[p] = read_id(profile->processes[p].id);
    }
    return ids != NULL && assign_numbers(ids, NULL, profile->n_processes, pids);
}

static gboolean number_threads(af_export_ids *process, const af_profile *profile)
{
    g_autofree uint32_t *pids = g_try_new(uint32_t, (size_t)profile->n_processes + 1);
    g_autofree uint64_t *ids = g_try_new(uint64_t, (size_t)profile->n_threads + 1);
    if (pids == NULL || ids == NULL || !number_processes(profile, pids)) {
        return FALSE;
    }
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        const uint32_t p = profile->threads[t].process;
        const gboolean known = p < profile->n_processes;
        ids[t] = profile->threads[t].id;
        process->pids[t] = known ? pids[p] : find_only_pid(profile, process->main);
        const char *name = known ? name_process(process, profile, p, pids[p]) : NULL;
        process->names[t] = name != NULL ? name : profile->app;
    }
    return !af_arena_failed(process->arena) &&
           assign_numbers(ids, process->pids, profile->n_threads, process->tids);
}

gboolean af_export_ids_init(af_export_ids *process, const af_profile *profile)
{
    const size_t n = (size_t)profile->n_threads + 1;
    process->arena = af_arena_new();
    process->main = af_profile_main_thread(profile);
    process->pids = g_try_new0(uint32_t, n);
    process->tids = g_try_new0(uint32_t, n);
    process->names = g_try_new0(const char *, n);
    const gboolean ok = process->pids != NULL && process->tids != NULL && process->names != NULL &&
                        number_threads(process, profile);
    if (!ok) {
        af_export_ids_clear(process);
    }
    return ok;
}

void af_export_ids_clear(af_export_ids *process)
{
    g_free(process->pids);
    g_free(process->tids);
    g_free(process->names);
    af_arena_free(process->arena);
}

gboolean af_export_ids_is_main(const af_export_ids *process, uint32_t thread)
{
    return thread == process->main || process->tids[thread] == process->pids[thread];
}
