#include "model/profile.h"

#include <string.h>

void af_profile_free(af_profile *profile)
{
    if (profile == NULL) {
        return;
    }
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        af_tree_free(profile->threads[t].tree);
    }
    af_arena_free(profile->arena);
    g_free(profile);
}

uint32_t af_profile_main_thread(const af_profile *profile)
{
    for (uint32_t t = 0; t < profile->n_threads && profile->facts.has_pid; t++) {
        if (profile->threads[t].id == profile->facts.pid) {
            return t;
        }
    }
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        if (strcmp(profile->threads[t].name, "main") == 0) {
            return t;
        }
    }
    return 0;
}

/* Dalvik counts from 1970, ART from the boot of the device, and nothing says which. Above this
 * it can only be the former: the year 2001, or 31 years without a reboot. */
#define EPOCH_FROM_S UINT64_C(1000000000)
#define YEAR_10000_S UINT64_C(253402300800)

int64_t af_profile_date_s(const af_profile *profile)
{
    const af_facts *facts = &profile->facts;
    const uint64_t start_s =
        facts->start / (facts->start_tick_ns == 1 ? UINT64_C(1000000000) : UINT64_C(1000000));
    const gboolean known = facts->has_start && start_s > EPOCH_FROM_S && start_s < YEAR_10000_S;
    return known ? (int64_t)start_s : -1;
}

uint64_t af_thread_time_ns(const af_profile *profile, uint32_t thread, af_clock clock)
{
    const af_tree *tree = profile->threads[thread].tree;
    return tree->inclusive[clock] == NULL ? 0 : tree->inclusive[clock][0];
}

uint64_t af_tree_wait_ns(const af_tree *tree, uint32_t node)
{
    if (tree->inclusive[AF_WALL] == NULL || tree->inclusive[AF_CPU] == NULL ||
        tree->inclusive[AF_WALL][node] <= tree->inclusive[AF_CPU][node]) {
        return 0;
    }
    return tree->inclusive[AF_WALL][node] - tree->inclusive[AF_CPU][node];
}
